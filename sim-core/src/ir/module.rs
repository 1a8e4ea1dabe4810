//! Modules, functions, operations, values, regions.

use crate::ir::attr::{Attr, AttrDict};
use crate::ir::op::Op;
use crate::loc::{Loc, Span};
use crate::types::Type;
use smallvec::SmallVec;
use std::sync::Arc;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);

        impl $name {
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id! {
    /// A value of a function: a result of an operation or an argument of a region.
    ValueId
}
id! {
    /// An operation of a function.
    OpId
}
id! {
    /// A region of a function: the function's body or a region of an operation.
    RegionId
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Visibility {
    #[default]
    Public,
    Private,
    Nested,
}

/// `sdy.mesh @name = <["x"=2, "y"=4]>`, kept with the text of its attribute.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    pub name: Arc<str>,
    /// Axis names and sizes, in order.
    pub axes: Vec<(Arc<str>, i64)>,
    /// Explicit device order, empty when it is iota.
    pub device_ids: Vec<i64>,
    pub attrs: AttrDict,
    pub loc: Loc,
}

/// A whole program.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Module {
    pub name: Option<Arc<str>>,
    pub attrs: AttrDict,
    pub functions: Vec<Function>,
    /// Modules inside this one, with their own symbols.
    pub modules: Vec<Module>,
    pub meshes: Vec<Mesh>,
    pub loc: Loc,
}

impl Module {
    pub fn function(&self, name: &str) -> Option<&Function> {
        self.functions.iter().find(|f| &*f.name == name)
    }

    /// By symbol path: `@f`, or `@inner::@f` through nested modules.
    pub fn lookup(&self, path: &[Arc<str>]) -> Option<&Function> {
        let (last, modules) = path.split_last()?;
        let mut module = self;
        for name in modules {
            module = module.modules.iter().find(|m| m.name.as_ref() == Some(name))?;
        }
        module.function(last)
    }

    /// Where a run starts when nobody says: `@main`, else the only function, else the only public one.
    pub fn entry(&self) -> Option<&Function> {
        if let Some(main) = self.function("main") {
            return Some(main);
        }
        if let [only] = &self.functions[..] {
            return Some(only);
        }
        let mut public =
            self.functions.iter().filter(|f| f.visibility == Visibility::Public && f.body.is_some());
        match (public.next(), public.next()) {
            (Some(f), None) => Some(f),
            _ => None,
        }
    }
}

/// `func.func @name(args) -> results { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    pub name: Arc<str>,
    pub visibility: Visibility,
    pub arg_types: Vec<Type>,
    /// One dictionary per argument, often empty.
    pub arg_attrs: Vec<AttrDict>,
    pub result_types: Vec<Type>,
    pub result_attrs: Vec<AttrDict>,
    pub attrs: AttrDict,
    /// `None`: a declaration.
    pub body: Option<RegionId>,
    pub ops: Vec<Operation>,
    pub values: Vec<Value>,
    pub regions: Vec<Region>,
    pub loc: Loc,
    pub span: Span,
}

impl Function {
    pub fn op(&self, id: OpId) -> &Operation {
        &self.ops[id.index()]
    }

    pub fn op_mut(&mut self, id: OpId) -> &mut Operation {
        &mut self.ops[id.index()]
    }

    pub fn value(&self, id: ValueId) -> &Value {
        &self.values[id.index()]
    }

    pub fn ty(&self, id: ValueId) -> &Type {
        &self.values[id.index()].ty
    }

    pub fn region(&self, id: RegionId) -> &Region {
        &self.regions[id.index()]
    }

    /// The types that a region's terminator returns.
    pub fn region_result_types(&self, id: RegionId) -> Vec<Type> {
        self.region(id).results.iter().map(|&v| self.ty(v).clone()).collect()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueDef {
    /// Result number of an operation.
    Result(OpId, u32),
    /// Argument number of a region.
    Arg(RegionId, u32),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    pub ty: Type,
    pub def: ValueDef,
    /// The location of a block argument.
    pub loc: Loc,
}

/// One block.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Region {
    pub args: Vec<ValueId>,
    pub ops: Vec<OpId>,
    /// What the terminator (`stablehlo.return`, `func.return`, `sdy.return`) returns.
    pub results: Vec<ValueId>,
    /// The terminator's location and leftover attributes.
    pub return_loc: Loc,
    pub return_attrs: AttrDict,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Operation {
    pub op: Op,
    pub operands: SmallVec<[ValueId; 4]>,
    pub results: SmallVec<[ValueId; 1]>,
    pub regions: SmallVec<[RegionId; 2]>,
    /// Attributes that [`Op`] does not model, kept verbatim.
    pub attrs: AttrDict,
    pub loc: Loc,
    /// In the text or bytecode that was read.
    pub span: Span,
}

impl Operation {
    /// `stablehlo.add`, `chlo.top_k`, `func.call`, …
    pub fn name(&self) -> &str {
        self.op.name()
    }

    /// The string attribute of that name among the unmodelled ones.
    pub fn attr(&self, name: &str) -> Option<&Attr> {
        self.attrs.get(name)
    }
}
