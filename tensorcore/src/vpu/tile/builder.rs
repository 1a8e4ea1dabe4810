//! Building a [`TileProgram`]: typed values in SSA form, one call an operation.

use super::program::TileProgram;
use crate::vpu::{self, Kernel1, Kernel2, Kernel3};
use sim_core::dtype::ElementType;
use sim_core::ir::op::{CompareType, Direction};
use sim_core::ir::{Binary, Unary};
use sim_core::{Diagnostic, Numerics, Result, chlo};
use smallvec::SmallVec;

/// A value of a program under construction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reg(pub(super) u32);

/// The bytes of one element.
pub(crate) type Scalar = SmallVec<[u8; 16]>;

/// What an instruction calls. The kernel was looked up once, when the instruction was made.
#[derive(Clone, Copy)]
pub(crate) enum Func {
    One(Kernel1),
    Two(Kernel2),
    Three(Kernel3),
    /// Type, exponent bits, mantissa bits.
    ReducePrecision(ElementType, i64, i64),
}

/// Where a value comes from.
#[derive(Clone)]
pub(super) enum Node {
    Input(u32),
    Splat(Scalar),
    /// The index along a dimension of the iteration space.
    Iota(u32),
    Op {
        func: Func,
        args: SmallVec<[u32; 3]>,
    },
    /// The same bits under another type of the same width.
    Alias(u32),
}

/// See the [module's text](super).
pub struct TileBuilder {
    pub(super) numerics: Numerics,
    pub(super) nodes: Vec<(Node, ElementType)>,
    /// For a bf16 or f16 value, the f32 value that stands for it inside the program.
    wide: Vec<Option<u32>>,
    pub(super) inputs: Vec<ElementType>,
    pub(super) outputs: Vec<u32>,
    /// (result, operation, left, right) of every binary operation as the caller stated it, for the
    /// recognition of reduction bodies.
    pub(super) meaning: Vec<(u32, Binary, u32, u32)>,
}

/// Types whose chains stay f32 under [`Numerics::excess_precision`].
fn is_narrow(ty: ElementType) -> bool {
    matches!(ty, ElementType::BF16 | ElementType::F16)
}

impl TileBuilder {
    pub fn new(numerics: &Numerics) -> TileBuilder {
        TileBuilder {
            numerics: *numerics,
            nodes: Vec::new(),
            wide: Vec::new(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            meaning: Vec::new(),
        }
    }

    fn push(&mut self, node: Node, ty: ElementType) -> Reg {
        self.nodes.push((node, ty));
        self.wide.push(None);
        Reg((self.nodes.len() - 1) as u32)
    }

    fn op(&mut self, func: Func, args: &[Reg], ty: ElementType) -> Reg {
        self.push(Node::Op { func, args: args.iter().map(|r| r.0).collect() }, ty)
    }

    /// The element type of a value.
    pub fn ty(&self, reg: Reg) -> ElementType {
        self.nodes[reg.0 as usize].1
    }

    /// The next input.
    pub fn input(&mut self, ty: ElementType) -> Reg {
        self.inputs.push(ty);
        self.push(Node::Input((self.inputs.len() - 1) as u32), ty)
    }

    /// The same value in every lane: `bytes` is one element.
    ///
    /// # Errors
    /// [`Invalid`](sim_core::ErrorKind::Invalid) if `bytes` is not one element of `ty`.
    pub fn splat(&mut self, ty: ElementType, bytes: &[u8]) -> Result<Reg> {
        if bytes.len() != ty.byte_size() {
            return Err(Diagnostic::invalid(format!(
                "a splat of {ty} takes {} bytes, and {} are given",
                ty.byte_size(),
                bytes.len()
            )));
        }
        let known =
            self.nodes.iter().position(|(n, t)| matches!(n, Node::Splat(b) if b[..] == *bytes && *t == ty));
        Ok(match known {
            Some(i) => Reg(i as u32),
            None => self.push(Node::Splat(bytes.into()), ty),
        })
    }

    /// The index along dimension `dim` of the iteration space, as `ty`.
    ///
    /// # Errors
    /// [`Unsupported`](sim_core::ErrorKind::Unsupported) for a type without a conversion from `i64`.
    pub fn iota(&mut self, ty: ElementType, dim: usize) -> Result<Reg> {
        use ElementType as E;
        match ty {
            E::S32 | E::U32 | E::S64 | E::U64 | E::Index | E::F32 | E::F64 => {
                Ok(self.push(Node::Iota(dim as u32), ty))
            }
            _ => {
                let wide = self.push(Node::Iota(dim as u32), E::S64);
                self.convert(wide, ty)
            }
        }
    }

    /// The f32 value that stands for a bf16 or f16 one.
    fn widen(&mut self, reg: Reg) -> Result<Reg> {
        if let Some(w) = self.wide[reg.0 as usize] {
            return Ok(Reg(w));
        }
        let w = self.convert_now(reg, ElementType::F32)?;
        self.wide[reg.0 as usize] = Some(w.0);
        Ok(w)
    }

    /// A bf16 or f16 value of which the program knows the unrounded f32.
    fn narrowed(&mut self, wide: Reg, ty: ElementType) -> Result<Reg> {
        let r = self.convert_now(wide, ty)?;
        self.wide[r.0 as usize] = Some(wide.0);
        Ok(r)
    }

    /// Do operations on this type stay in f32 here?
    fn excess(&self, ty: ElementType) -> bool {
        self.numerics.excess_precision && is_narrow(ty)
    }

    /// # Errors
    /// [`Unsupported`](sim_core::ErrorKind::Unsupported) if the operation has no kernel for the type.
    pub fn unary(&mut self, op: Unary, a: Reg) -> Result<Reg> {
        let ty = self.ty(a);
        if self.excess(ty) {
            let w = self.widen(a)?;
            let r = self.unary(op, w)?;
            // An expansion ends with a conversion, which rounds.
            if chlo::expands(op) {
                return self.convert_now(r, ty);
            }
            return if self.ty(r) == ElementType::F32 { self.narrowed(r, ty) } else { Ok(r) };
        }
        let kernel = vpu::unary(op, ty, &self.numerics).ok_or_else(|| no_kernel(op.name(), ty))?;
        Ok(self.op(Func::One(kernel), &[a], unary_result(op, ty)))
    }

    /// # Errors
    /// As [`TileBuilder::unary`]; [`Invalid`](sim_core::ErrorKind::Invalid) if the types differ.
    pub fn binary(&mut self, op: Binary, a: Reg, b: Reg) -> Result<Reg> {
        let ty = self.same(op.name(), a, b)?;
        // The next number is one of the type's own.
        if self.excess(ty) && op != Binary::NextAfter {
            let (wa, wb) = (self.widen(a)?, self.widen(b)?);
            let wide = self.binary(op, wa, wb)?;
            if chlo::expands_binary(op) {
                return self.convert_now(wide, ty);
            }
            let r = self.narrowed(wide, ty)?;
            self.meaning.push((r.0, op, a.0, b.0));
            return Ok(r);
        }
        let kernel = vpu::binary(op, ty, &self.numerics).ok_or_else(|| no_kernel(op.name(), ty))?;
        let out = match op {
            Binary::Complex => ty.complex_of().ok_or_else(|| no_kernel(op.name(), ty))?,
            _ => ty,
        };
        let r = self.op(Func::Two(kernel), &[a, b], out);
        self.meaning.push((r.0, op, a.0, b.0));
        Ok(r)
    }

    /// An `i1`.
    ///
    /// # Errors
    /// As [`TileBuilder::binary`].
    pub fn compare(&mut self, direction: Direction, how: CompareType, a: Reg, b: Reg) -> Result<Reg> {
        let ty = self.same("stablehlo.compare", a, b)?;
        if self.excess(ty) {
            let (a, b) = (self.widen(a)?, self.widen(b)?);
            return self.compare(direction, how, a, b);
        }
        let kernel = vpu::compare(direction, how, ty).ok_or_else(|| no_kernel("stablehlo.compare", ty))?;
        Ok(self.op(Func::Two(kernel), &[a, b], ElementType::Pred))
    }

    /// `pred ? on_true : on_false`, lane by lane.
    ///
    /// # Errors
    /// [`Invalid`](sim_core::ErrorKind::Invalid) if `pred` is not `i1` or the other types differ.
    pub fn select(&mut self, pred: Reg, on_true: Reg, on_false: Reg) -> Result<Reg> {
        let ty = self.same("stablehlo.select", on_true, on_false)?;
        if self.ty(pred) != ElementType::Pred {
            return Err(Diagnostic::invalid("stablehlo.select: the predicate must be i1"));
        }
        if self.excess(ty) && (self.knows_wide(on_true) || self.knows_wide(on_false)) {
            let (a, b) = (self.widen(on_true)?, self.widen(on_false)?);
            let r = self.select(pred, a, b)?;
            return self.narrowed(r, ty);
        }
        Ok(self.op(Func::Three(vpu::select(ty)), &[pred, on_true, on_false], ty))
    }

    fn knows_wide(&self, reg: Reg) -> bool {
        self.wide[reg.0 as usize].is_some()
    }

    /// `min(max(x, low), high)`.
    ///
    /// # Errors
    /// As [`TileBuilder::binary`].
    pub fn clamp(&mut self, low: Reg, x: Reg, high: Reg) -> Result<Reg> {
        let ty = self.same("stablehlo.clamp", low, x)?;
        self.same("stablehlo.clamp", x, high)?;
        if self.excess(ty) {
            let (l, w, h) = (self.widen(low)?, self.widen(x)?, self.widen(high)?);
            let r = self.clamp(l, w, h)?;
            return self.narrowed(r, ty);
        }
        let kernel = vpu::clamp(ty, &self.numerics).ok_or_else(|| no_kernel("stablehlo.clamp", ty))?;
        Ok(self.op(Func::Three(kernel), &[low, x, high], ty))
    }

    /// Always rounds to `to` (an explicit `convert` is never elided), and reads the unrounded value
    /// of a bf16 or f16 chain under excess precision.
    ///
    /// # Errors
    /// As [`TileBuilder::unary`].
    pub fn convert(&mut self, a: Reg, to: ElementType) -> Result<Reg> {
        match self.wide[a.0 as usize] {
            Some(w) if to != self.ty(a) && self.numerics.excess_precision => self.convert_now(Reg(w), to),
            _ => self.convert_now(a, to),
        }
    }

    fn convert_now(&mut self, a: Reg, to: ElementType) -> Result<Reg> {
        let from = self.ty(a);
        if from == to {
            return Ok(a);
        }
        let kernel = vpu::convert(from, to, &self.numerics).ok_or_else(|| {
            Diagnostic::unsupported(format!("stablehlo.convert from {from} to {to} has no kernel"))
        })?;
        Ok(self.op(Func::One(kernel), &[a], to))
    }

    /// Rounds to fewer exponent and mantissa bits within the same type.
    ///
    /// # Errors
    /// [`Invalid`](sim_core::ErrorKind::Invalid) if the type is not a float, or the format has no
    /// exponent bit.
    pub fn reduce_precision(&mut self, a: Reg, exponent_bits: i64, mantissa_bits: i64) -> Result<Reg> {
        let ty = self.ty(a);
        vpu::reduce_precision(ty, exponent_bits, mantissa_bits, &[], &mut [])?;
        if self.excess(ty) {
            let w = self.widen(a)?;
            let r = self.reduce_precision(w, exponent_bits, mantissa_bits)?;
            return self.narrowed(r, ty);
        }
        Ok(self.op(Func::ReducePrecision(ty, exponent_bits, mantissa_bits), &[a], ty))
    }

    /// The same bits as another type. Free.
    ///
    /// # Errors
    /// [`Unsupported`](sim_core::ErrorKind::Unsupported) if the bit widths differ: that changes the
    /// shape, so it is no elementwise operation.
    pub fn bitcast(&mut self, a: Reg, to: ElementType) -> Result<Reg> {
        let from = self.ty(a);
        if from.bits() != to.bits() {
            return Err(Diagnostic::unsupported(format!(
                "stablehlo.bitcast_convert from {from} to {to} changes the shape: it cannot be fused"
            )));
        }
        Ok(self.push(Node::Alias(a.0), to))
    }

    /// Makes `reg` the next output.
    pub fn output(&mut self, reg: Reg) {
        self.outputs.push(reg.0);
    }

    /// Compiles: drops what no output needs, assigns tiles.
    pub fn finish(self) -> TileProgram {
        TileProgram::compile(self)
    }

    fn same(&self, op: &str, a: Reg, b: Reg) -> Result<ElementType> {
        let (ta, tb) = (self.ty(a), self.ty(b));
        if ta != tb {
            return Err(Diagnostic::invalid(format!("{op}: operands of types {ta} and {tb}")));
        }
        Ok(ta)
    }
}

fn unary_result(op: Unary, ty: ElementType) -> ElementType {
    match op {
        Unary::IsFinite | Unary::IsInf | Unary::IsNegInf | Unary::IsPosInf => ElementType::Pred,
        Unary::Real | Unary::Imag | Unary::Abs => ty.real_part(),
        _ => ty,
    }
}

fn no_kernel(op: &str, ty: ElementType) -> Diagnostic {
    Diagnostic::unsupported(format!("{op} is not defined for elements of type {ty}"))
}
