//! Builds a [`Function`] one operation at a time. Frontends, passes and programs written in Rust
//! all use it; it keeps the arenas consistent and checks nothing else (see `verify`).

use crate::ir::attr::AttrDict;
use crate::ir::module::{Function, OpId, Operation, Region, RegionId, Value, ValueDef, ValueId, Visibility};
use crate::ir::op::Op;
use crate::loc::{Loc, Span};
use crate::types::Type;
use std::sync::Arc;

/// The operations of the innermost open region are appended in order.
pub struct FunctionBuilder {
    function: Function,
    open: Vec<RegionId>,
}

impl FunctionBuilder {
    pub fn new(name: impl Into<Arc<str>>) -> Self {
        FunctionBuilder {
            function: Function {
                name: name.into(),
                visibility: Visibility::Public,
                arg_types: Vec::new(),
                arg_attrs: Vec::new(),
                result_types: Vec::new(),
                result_attrs: Vec::new(),
                attrs: AttrDict::new(),
                body: None,
                ops: Vec::new(),
                values: Vec::new(),
                regions: Vec::new(),
                loc: Loc::Unknown,
                span: Span::default(),
            },
            open: Vec::new(),
        }
    }

    /// Resumes a function: new operations go to the end of `region`.
    pub fn resume(function: Function, region: RegionId) -> Self {
        FunctionBuilder { function, open: vec![region] }
    }

    pub fn function(&self) -> &Function {
        &self.function
    }

    pub fn function_mut(&mut self) -> &mut Function {
        &mut self.function
    }

    pub fn ty(&self, v: ValueId) -> &Type {
        self.function.ty(v)
    }

    /// Opens the function's body with its arguments.
    pub fn open_body(&mut self, arg_types: &[Type]) -> Vec<ValueId> {
        self.function.arg_types = arg_types.to_vec();
        if self.function.arg_attrs.len() != arg_types.len() {
            self.function.arg_attrs = vec![AttrDict::new(); arg_types.len()];
        }
        let region = self.open_region(arg_types.iter().map(|t| (t.clone(), Loc::Unknown)));
        self.function.body = Some(region);
        self.function.region(region).args.clone()
    }

    /// Opens a region with these arguments; operations go into it until [`Self::close_region`].
    pub fn open_region(&mut self, args: impl IntoIterator<Item = (Type, Loc)>) -> RegionId {
        let id = RegionId(self.function.regions.len() as u32);
        let mut region = Region::default();
        for (i, (ty, loc)) in args.into_iter().enumerate() {
            let v = ValueId(self.function.values.len() as u32);
            self.function.values.push(Value { ty, def: ValueDef::Arg(id, i as u32), loc });
            region.args.push(v);
        }
        self.function.regions.push(region);
        self.open.push(id);
        id
    }

    /// Ends the innermost region; it returns `results`.
    ///
    /// # Panics
    /// If no region is open.
    pub fn close_region(&mut self, results: &[ValueId], loc: Loc, attrs: AttrDict) -> RegionId {
        let id = self.open.pop().expect("an open region");
        let region = &mut self.function.regions[id.index()];
        region.results = results.to_vec();
        region.return_loc = loc;
        region.return_attrs = attrs;
        id
    }

    /// Appends an operation to the innermost open region.
    ///
    /// # Panics
    /// If no region is open.
    #[allow(clippy::too_many_arguments)] // An operation has that many parts.
    pub fn push(
        &mut self,
        op: Op,
        operands: &[ValueId],
        result_types: impl IntoIterator<Item = Type>,
        regions: &[RegionId],
        attrs: AttrDict,
        loc: Loc,
        span: Span,
    ) -> OpId {
        let id = OpId(self.function.ops.len() as u32);
        let results = result_types
            .into_iter()
            .enumerate()
            .map(|(i, ty)| {
                let v = ValueId(self.function.values.len() as u32);
                self.function.values.push(Value {
                    ty,
                    def: ValueDef::Result(id, i as u32),
                    loc: Loc::Unknown,
                });
                v
            })
            .collect();
        self.function.ops.push(Operation {
            op,
            operands: operands.into(),
            results,
            regions: regions.into(),
            attrs,
            loc,
            span,
        });
        let region = self.open.last().expect("an open region").index();
        self.function.regions[region].ops.push(id);
        id
    }

    /// [`Self::push`] for the common case: one result, no regions, no leftover attributes.
    pub fn op(&mut self, op: Op, operands: &[ValueId], result: Type, loc: &Loc) -> ValueId {
        let id = self.push(op, operands, [result], &[], AttrDict::new(), loc.clone(), Span::default());
        self.function.op(id).results[0]
    }

    /// The finished function. `result_types` defaults to what the body returns.
    pub fn finish(mut self) -> Function {
        if self.function.result_types.is_empty()
            && let Some(body) = self.function.body
        {
            self.function.result_types = self.function.region_result_types(body);
        }
        if self.function.result_attrs.len() != self.function.result_types.len() {
            self.function.result_attrs = vec![AttrDict::new(); self.function.result_types.len()];
        }
        self.function
    }
}
