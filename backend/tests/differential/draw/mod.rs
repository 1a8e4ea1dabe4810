//! Draws random programs that mean the same on every correct implementation.
//!
//! Beside its type, every value carries what is known of its elements ([`Info`]): bounds, and how far
//! two correct implementations may be apart. Operations are chosen so that the bounds stay small and
//! results are defined; where a tiny difference could become a large one (comparison, rounding,
//! conversion to integers, sorting), operands must be exact. Floats that hold small integers stay
//! exact through sums and products in any order, so that most programs are compared to the bit.
//!
//! *Wild* values hold NaN, infinities and extremes; they meet operations one at a time.

mod contraction;
mod control;
mod conversion;
mod data;
mod elementwise;
mod irregular;
mod reduction;
mod shape;

use crate::rng::Rng;
use sim_core::ir::infer::{RegionSig, infer, infer_declared};
use sim_core::ir::module::{OpId, RegionId, ValueId, Visibility};
use sim_core::ir::verify::verify_module;
use sim_core::ir::{AttrDict, Function, FunctionBuilder, Module, Op};
use sim_core::{ElementType, Loc, Span, Tensor, Type};
use std::collections::HashSet;

/// What is known of the elements of a value (of both parts, if complex).
#[derive(Clone, Copy, Debug)]
pub struct Info {
    pub low: f64,
    pub high: f64,
    /// The most that two implementations may be apart.
    pub error: f64,
    /// Likewise, in units in the last place of the value at hand.
    pub ulps: f64,
    /// All elements are integers.
    pub whole: bool,
    /// Holds NaN, infinities, values of any size.
    pub wild: bool,
    /// Data that no arithmetic touched: known to the bit, the sign of zero included.
    pub pristine: bool,
}

impl Info {
    pub fn exact(&self) -> bool {
        self.error == 0.0 && self.ulps == 0.0
    }

    /// The largest magnitude.
    pub fn size(&self) -> f64 {
        self.low.abs().max(self.high.abs())
    }

    /// Of either.
    pub fn join(self, other: Info) -> Info {
        Info {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            error: self.error.max(other.error),
            ulps: self.ulps.max(other.ulps),
            whole: self.whole && other.whole,
            wild: self.wild || other.wild,
            pristine: self.pristine && other.pristine,
        }
    }
}

/// A value that operations may use.
#[derive(Clone, Debug)]
pub struct Known {
    pub id: ValueId,
    pub element: ElementType,
    pub dims: Vec<i64>,
    pub info: Info,
}

impl Known {
    pub fn rank(&self) -> usize {
        self.dims.len()
    }

    pub fn len(&self) -> usize {
        self.dims.iter().product::<i64>() as usize
    }

    pub fn ty(&self) -> Type {
        Type::tensor(self.element, &self.dims)
    }
}

/// A drawn program, its inputs, and what is known of its outputs.
pub struct Drawn {
    pub module: Module,
    pub inputs: Vec<Tensor>,
    pub outputs: Vec<Info>,
}

/// No value has more elements than this; no operation more multiply-adds than 32 times this.
pub const MAX_ELEMENTS: usize = 300_000;

struct Draw {
    rng: Rng,
    b: FunctionBuilder,
    /// What operations may use, innermost scope last.
    pool: Vec<Known>,
    used: HashSet<ValueId>,
    /// Shapes that come back, so that values meet.
    shapes: Vec<Vec<i64>>,
    elements: Vec<ElementType>,
    helpers: Vec<Function>,
    /// How deep in regions.
    depth: usize,
}

/// The program of that seed.
pub fn draw(seed: u64) -> Drawn {
    let mut rng = Rng::new(seed);
    let shapes = data::shapes(&mut rng);
    let elements = data::elements(&mut rng);
    let mut b = FunctionBuilder::new("main");
    let count = 2 + rng.below(4);
    let mut inputs = Vec::new();
    let mut infos = Vec::new();
    for _ in 0..count {
        let element = *rng.pick(&elements);
        let dims = rng.pick(&shapes).clone();
        let (tensor, info) = data::random(&mut rng, element, &dims);
        inputs.push(tensor);
        infos.push((element, dims, info));
    }
    let types: Vec<Type> = infos.iter().map(|(e, d, _)| Type::tensor(*e, d)).collect();
    let args = b.open_body(&types);
    let pool = args
        .iter()
        .zip(infos)
        .map(|(&id, (element, dims, info))| Known { id, element, dims, info })
        .collect();
    let mut d = Draw { rng, b, pool, used: HashSet::new(), shapes, elements, helpers: Vec::new(), depth: 0 };
    let wanted = 3 + d.rng.below(8) + if d.rng.chance(30) { d.rng.below(25) } else { 0 };
    d.operations(wanted);
    let outputs: Vec<Known> = {
        let from = args.len();
        let mut all: Vec<Known> = d.pool[from..].to_vec();
        all.retain(|k| !d.used.contains(&k.id) || d.rng.chance(15));
        if all.is_empty() { d.pool.clone() } else { all }
    };
    let results: Vec<ValueId> = outputs.iter().map(|k| k.id).collect();
    d.b.close_region(&results, Loc::Unknown, AttrDict::new());
    let mut functions = vec![d.b.finish()];
    functions.extend(d.helpers);
    let module = Module { functions, ..Module::default() };
    if let Err(e) = verify_module(&module) {
        panic!("program {seed} does not verify: {e}\n{module}");
    }
    Drawn { module, inputs, outputs: outputs.iter().map(|k| k.info).collect() }
}

impl Draw {
    /// Appends about `wanted` operations.
    fn operations(&mut self, wanted: usize) {
        let mut made = 0;
        for _ in 0..wanted * 6 {
            if made >= wanted {
                return;
            }
            made += usize::from(self.operation().is_some());
        }
    }

    /// Tries to append one operation of a random family.
    fn operation(&mut self) -> Option<()> {
        match self.rng.below(100) {
            0..20 => self.unary(),
            20..40 => self.binary(),
            40..46 => self.choice(),
            46..54 => self.conversion(),
            54..72 => self.movement(),
            72..78 => self.reduction(),
            78..84 => self.contraction(),
            84..93 => self.irregular(),
            _ if self.depth < 2 => self.control(),
            _ => None,
        }
    }

    /// Any value that fits.
    fn find(&mut self, fits: impl Fn(&Known) -> bool) -> Option<Known> {
        let found: Vec<usize> = (0..self.pool.len()).filter(|&i| fits(&self.pool[i])).collect();
        if found.is_empty() {
            return None;
        }
        // Newer values more often: chains grow.
        let a = *self.rng.pick(&found);
        let b = *self.rng.pick(&found);
        Some(self.pool[a.max(b)].clone())
    }

    /// A value of that type that fits: one there is, or a new constant.
    fn like(&mut self, element: ElementType, dims: &[i64], fits: impl Fn(&Info) -> bool) -> Option<Known> {
        let found = self.find(|k| k.element == element && k.dims == dims && fits(&k.info));
        if found.is_some() && self.rng.chance(75) {
            return found;
        }
        for _ in 0..8 {
            let (op, info) = data::constant(&mut self.rng, element, dims);
            if fits(&info) {
                return self.one(op, &[], Type::tensor(element, dims), info);
            }
        }
        found
    }

    /// Appends an operation of one result, of which `info` is known.
    fn one(&mut self, op: Op, operands: &[&Known], declared: Type, info: Info) -> Option<Known> {
        let id = self.push(op, operands, &[], &[declared], &[info]);
        Some(self.known(id[0]))
    }

    fn known(&self, id: ValueId) -> Known {
        self.pool.iter().rev().find(|k| k.id == id).expect("in the pool").clone()
    }

    /// Appends an operation whose result types are inferred.
    fn inferred(&mut self, op: Op, operands: &[&Known], info: Info) -> Option<Known> {
        let types: Vec<Type> = operands.iter().map(|k| k.ty()).collect();
        let results = infer(&op, &types, &[]).unwrap_or_else(|e| panic!("{}: {e} of {types:?}", op.name()));
        let size = results[0].as_tensor().and_then(|t| t.num_elements()).unwrap_or(0);
        if size > MAX_ELEMENTS as u64 {
            return None;
        }
        self.one(op, operands, results[0].clone(), info)
    }

    /// Appends an operation; its results join the pool.
    fn push(
        &mut self,
        op: Op,
        operands: &[&Known],
        regions: &[RegionId],
        declared: &[Type],
        infos: &[Info],
    ) -> Vec<ValueId> {
        let types: Vec<Type> = operands.iter().map(|k| k.ty()).collect();
        let f = self.b.function();
        let signatures: Vec<RegionSig> = regions
            .iter()
            .map(|&r| RegionSig {
                args: f.region(r).args.iter().map(|&v| f.ty(v).clone()).collect(),
                results: f.region_result_types(r),
            })
            .collect();
        if let Err(e) = infer_declared(&op, &types, &signatures, declared) {
            panic!("{}: {e}; operands {types:?}, results {declared:?}", op.name());
        }
        let ids: Vec<ValueId> = operands.iter().map(|k| k.id).collect();
        self.used.extend(&ids);
        let (at, span) = (Loc::Unknown, Span::default());
        let id: OpId = self.b.push(op, &ids, declared.to_vec(), regions, AttrDict::new(), at, span);
        let results = self.b.function().op(id).results.to_vec();
        for (&id, (ty, &info)) in results.iter().zip(declared.iter().zip(infos)) {
            let t = ty.as_tensor().expect("a tensor");
            let dims = t.dims.iter().filter_map(|d| d.as_static()).collect();
            self.pool.push(Known { id, element: t.element, dims, info });
        }
        results
    }

    /// Adds a helper function and returns its symbol.
    fn helper(&mut self, mut f: Function) -> std::sync::Arc<str> {
        let name: std::sync::Arc<str> = format!("helper_{}", self.helpers.len()).into();
        f.name = name.clone();
        f.visibility = Visibility::Private;
        self.helpers.push(f);
        name
    }
}
