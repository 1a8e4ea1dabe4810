//! Manual regions of programs with global shapes (`sdy.manual_computation`, and the custom calls that stand for its
//! borders). Every device has the global values: at the border it takes its part, and at the end of the region
//! the parts of all are put together again for each.

use super::Site;
use crate::runtime::frame::Frame;
use crate::runtime::{Process, Value};
use crate::sharding::{Sharding, places_along};
use ici::ProcessId;
use sim_core::ir::Attr;
use sim_core::{Diagnostic, Result, Tensor, Type};
use std::sync::MutexGuard;

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
        let outer = self.peers();
        let axes = site.op.attr("manual_axes").map_or(String::new(), Attr::to_string);
        // `#sdy<manual_axes{"x", "y"}>`
        let axes: Vec<&str> = axes.split('"').skip(1).step_by(2).collect();
        let meshes = &self.exe.program.module.meshes;
        let places = match places_along(attr("in_shardings")?, &axes, meshes)? {
            Some(places) => Some(places),
            None => places_along(attr("out_shardings")?, &axes, meshes)?,
        };
        let me = self.place().1.partition;
        let mut inner = outer.clone();
        inner.retain(|&d| places.as_ref().is_none_or(|p| p.get(d) == p.get(me)));
        self.lock_peers().push(inner);
        let results = self.block(site.f, region, locals, frame)?;
        self.lock_peers().pop();
        let types: Vec<&Type> = site.op.results.iter().map(|&v| function.ty(v)).collect();
        self.leave_region(site, attr("out_shardings")?, results, &types)
    }

    fn lock_peers(&self) -> MutexGuard<'_, Vec<Vec<usize>>> {
        self.peers.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// Partitions that have the same values here: all of them, or inside of manual regions those that no axis of the
    /// regions tells apart.
    fn peers(&self) -> Vec<usize> {
        let innermost = self.lock_peers().last().cloned();
        innermost.unwrap_or_else(|| (0..self.place().0.partitions).collect())
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
        let meshes = &self.exe.program.module.meshes;
        let mut shardings = Vec::new();
        let mut tensors: Vec<Tensor> = Vec::new();
        // Tokens, of ordered effects, are the same on both sides of the border: they keep their places.
        let mut out: Vec<Option<Value>> = Vec::with_capacity(values.len());
        for (i, (value, ty)) in values.into_iter().zip(types).enumerate() {
            let Value::Tensor(t) = value else {
                out.push(Some(value));
                continue;
            };
            let global = static_shape(ty)?;
            let sharding = Sharding::at_border(attr, i, meshes, &global, t.shape())?;
            sharding.check(global.len(), grid.partitions)?;
            shardings.push((sharding, global));
            tensors.push(t);
            out.push(None);
        }
        let peers = self.peers();
        let group: Vec<ProcessId> =
            peers.iter().map(|&partition| ProcessId { replica: me.replica, partition }).collect();
        let join = |all: Vec<Vec<Tensor>>| {
            let mut joined = Vec::new();
            for (i, (sharding, global)) in shardings.iter().enumerate() {
                // Who is no peer has, of these values, what a peer has.
                let stands_for = |d: usize| peers.iter().position(|&p| p == d || sharding.same_part(p, d));
                let parts: Option<Vec<&Tensor>> = (0..grid.partitions)
                    .map(|d| all.get(peers.iter().position(|&p| p == d).or_else(|| stands_for(d))?)?.get(i))
                    .collect();
                let parts = parts.ok_or_else(|| {
                    Diagnostic::invalid("a manual region's sharding uses axes of the region around it")
                })?;
                joined.push(sharding.join(&self.ctx, &parts, global)?);
            }
            Ok(vec![joined])
        };
        let all = match self.member {
            Some(member) if group.len() > 1 => member.exchange(site, 0, &group, tensors, join)?,
            _ => join(vec![tensors])?.into(),
        };
        let whole = all.first().ok_or_else(|| Diagnostic::invalid("a group without members"))?;
        let mut whole = whole.iter().cloned().map(Value::Tensor);
        let missing = || Diagnostic::invalid("a manual region gave too few values");
        out.into_iter().map(|value| value.or_else(|| whole.next()).ok_or_else(missing)).collect()
    }
}

fn static_shape(ty: &Type) -> Result<Vec<usize>> {
    let dims = ty.as_tensor().and_then(|t| t.static_dims());
    dims.map(|d| d.to_vec()).ok_or_else(|| {
        Diagnostic::unsupported(format!("a manual region with a value of type {ty}"))
            .help("give the module static shapes")
    })
}
