//! Manual regions of programs with global shapes (`sdy.manual_computation`, and the custom calls that stand for its
//! borders). Every device has the global values: at the border it takes its part, and at the end of the region
//! the parts of all are put together again for each.

use super::Site;
use crate::runtime::frame::Frame;
use crate::runtime::{Process, Value};
use crate::sharding::Sharding;
use ici::ProcessId;
use sim_core::ir::Attr;
use sim_core::{Diagnostic, Result, Tensor, Type};

impl Process<'_> {
    pub(super) fn manual_computation(
        &self,
        site: &Site<'_>,
        operands: Vec<Value>,
        frame: &mut Frame,
    ) -> Result<Vec<Value>> {
        let function = &site.f.function;
        let region = site.op.regions[0];
        let attr = |name: &str| {
            let missing = || Diagnostic::invalid(format!("the attribute {name} is missing"));
            site.op.attr(name).ok_or_else(missing)
        };
        let mut locals = Vec::with_capacity(operands.len());
        for (i, (value, &arg)) in operands.into_iter().zip(&function.region(region).args).enumerate() {
            locals.push(self.enter_region(attr("in_shardings")?, i, value, function.ty(arg))?);
        }
        let results = self.block(site.f, region, locals, frame)?;
        let types: Vec<&Type> = site.op.results.iter().map(|&v| function.ty(v)).collect();
        self.leave_region(site, attr("out_shardings")?, results, &types)
    }

    /// This device's part of a global value, of type `ty`. `attr` holds one sharding a value, this one's at `index`.
    pub(in crate::runtime) fn enter_region(
        &self,
        attr: &Attr,
        index: usize,
        value: Value,
        ty: &Type,
    ) -> Result<Value> {
        let (grid, me) = self.place();
        let Value::Tensor(whole) = value else { return Ok(value) };
        let local = static_shape(ty)?;
        let meshes = &self.exe.program.module.meshes;
        let sharding = Sharding::at_border(attr, index, meshes, whole.shape(), &local)?;
        sharding.check(whole.rank(), grid.partitions)?;
        sharding.cut(&self.ctx, &whole, me.partition).map(Value::Tensor)
    }

    /// Everybody's parts, put together to global values of `types`.
    pub(in crate::runtime) fn leave_region(
        &self,
        site: &Site<'_>,
        attr: &Attr,
        values: Vec<Value>,
        types: &[&Type],
    ) -> Result<Vec<Value>> {
        let (grid, me) = self.place();
        if values.len() != types.len() {
            return Err(Diagnostic::invalid("a manual region gives as many values as it has results"));
        }
        let tensors: Vec<Tensor> = values.into_iter().map(Value::tensor).collect::<Result<_>>()?;
        let meshes = &self.exe.program.module.meshes;
        let mut shardings = Vec::new();
        for (i, (t, ty)) in tensors.iter().zip(types).enumerate() {
            let global = static_shape(ty)?;
            let sharding = Sharding::at_border(attr, i, meshes, &global, t.shape())?;
            sharding.check(global.len(), grid.partitions)?;
            shardings.push((sharding, global));
        }
        let group: Vec<ProcessId> =
            (0..grid.partitions).map(|partition| ProcessId { replica: me.replica, partition }).collect();
        let join = |all: Vec<Vec<Tensor>>| {
            let mut out = Vec::new();
            for (i, (sharding, global)) in shardings.iter().enumerate() {
                let parts: Vec<&Tensor> = all.iter().filter_map(|values| values.get(i)).collect();
                out.push(sharding.join(&self.ctx, &parts, global)?);
            }
            Ok(vec![out])
        };
        let all = match self.member {
            Some(member) if group.len() > 1 => member.exchange(site, 0, &group, tensors, join)?,
            _ => join(vec![tensors])?.into(),
        };
        let whole = all.first().ok_or_else(|| Diagnostic::invalid("a group without members"))?;
        Ok(whole.iter().cloned().map(Value::Tensor).collect())
    }
}

fn static_shape(ty: &Type) -> Result<Vec<usize>> {
    let dims = ty.as_tensor().and_then(|t| t.static_dims());
    dims.map(|d| d.to_vec()).ok_or_else(|| {
        Diagnostic::unsupported(format!("a manual region with a value of type {ty}"))
            .help("give the module static shapes")
    })
}
