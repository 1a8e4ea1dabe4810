//! A product or convolution, as the matrix units see it.
//!
//! XLA:TPU makes a convolution of every dot: batch dimensions become spatial ones whose base is dilated so far that each window
//! position meets one value (`window={size=64 stride=63 lhs_dilate=64}`), further contracted ones become windows of the whole size.

use super::arrays;
use sim_core::ElementType;
use sim_core::hlo::{Instruction, Key, Shape, Value, WindowDim};
use sim_core::ir::op::Precision;
use smallvec::SmallVec;
use std::sync::Arc;

/// What a dimension of a product's result is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Of the left side only.
    Rows,
    /// Of the right side only.
    Columns,
    /// Of both.
    Batch,
}

/// One product in a kernel.
#[derive(Clone, Debug)]
pub struct Site {
    /// Its own result, before what follows in the kernel.
    pub result: Arc<Shape>,
    /// By logical dimension of the result.
    pub roles: SmallVec<[Role; 6]>,
    /// Values that are multiplied and added for one of the result, at one place of the window.
    pub contracted: u64,
    /// Places of the window.
    pub taps: f64,
    /// The wider of the operands' types.
    pub operand: ElementType,
    pub precision: Precision,
}

impl Site {
    /// Of a convolution or dot; `None` of shapes that fit neither.
    pub fn of(instruction: &Instruction, operands: &[&Shape]) -> Option<Site> {
        let (lhs, rhs) = (operands.first()?.as_array()?, operands.get(1)?.as_array()?);
        let out = instruction.shape.as_array()?;
        let (l, r) = (arrays::sizes(lhs), arrays::sizes(rhs));
        let wider = if lhs.element.bits() >= rhs.element.bits() { lhs.element } else { rhs.element };
        let mut site = Site {
            result: instruction.shape.clone(),
            roles: SmallVec::from_elem(Role::Rows, out.rank()),
            contracted: 1,
            taps: 1.0,
            operand: wider,
            precision: precision(instruction),
        };
        let size = |sizes: &[usize], d: i64| {
            usize::try_from(d).ok().and_then(|d| sizes.get(d)).map_or(1, |&n| n as u64)
        };
        if let Some(Value::DimLabels(labels)) = instruction.attr(&Key::DimLabels) {
            let windows: &[WindowDim] = match instruction.attr(&Key::Window) {
                Some(Value::Window(windows)) => windows,
                _ => &[],
            };
            site.contracted = size(&r, labels.kernel_input_feature);
            set(&mut site.roles, labels.output_feature, Role::Columns);
            let spatial = labels.output_spatial.iter().zip(&labels.kernel_spatial).zip(&labels.input_spatial);
            for (i, ((&at, &kernel), &input)) in spatial.enumerate() {
                let (places, inputs) = (size(&r, kernel), size(&l, input));
                let results =
                    usize::try_from(at).ok().and_then(|d| arrays::sizes(out).get(d).copied()).unwrap_or(1);
                let window = windows.get(i).copied().unwrap_or_default();
                let met = meets(&window, places, inputs, results as u64);
                site.taps *= met;
                match met == 1.0 {
                    true if inputs == 1 && places > 1 => set(&mut site.roles, at, Role::Columns),
                    true if places > 1 && places == inputs => set(&mut site.roles, at, Role::Batch),
                    _ => {}
                }
            }
            return Some(site);
        }
        let list = |key: Key| match instruction.attr(&key) {
            Some(Value::Ints(dims)) => dims.to_vec(),
            _ => Vec::new(),
        };
        let (batch, contracting) = (list(Key::LhsBatchDims), list(Key::LhsContractingDims));
        site.contracted = contracting.iter().map(|&d| size(&l, d)).product();
        let free = l.len().saturating_sub(batch.len() + contracting.len());
        for (d, role) in site.roles.iter_mut().enumerate() {
            *role = match d {
                d if d < batch.len() => Role::Batch,
                d if d < batch.len() + free => Role::Rows,
                _ => Role::Columns,
            };
        }
        Some(site)
    }

    pub fn multiplications(&self) -> f64 {
        let results = self.result.as_array().map_or(0.0, arrays::elements);
        results * self.contracted as f64 * self.taps
    }
}

fn set(roles: &mut [Role], dim: i64, role: Role) {
    if let Some(r) = usize::try_from(dim).ok().and_then(|d| roles.get_mut(d)) {
        *r = role;
    }
}

/// How many places of the window meet a value, of padding and holes none, on average over the results of a dimension.
fn meets(w: &WindowDim, places: u64, inputs: u64, results: u64) -> f64 {
    let (places, results) = (places.max(1) as i64, results.max(1) as i64);
    let (base, apart) = (w.base_dilation.max(1), w.window_dilation.max(1));
    let last = (inputs.max(1) as i64 - 1).saturating_mul(base);
    // Results beyond those are alike.
    let looked = results.min(MANY);
    let of = |result: i64| {
        let at = result.saturating_mul(w.stride.max(1)).saturating_sub(w.pad_low);
        // Places t with 0 <= at + t * apart <= last.
        let first = if at < 0 { (-at).div_euclid(apart) + i64::from((-at).rem_euclid(apart) > 0) } else { 0 };
        let end = if at > last { 0 } else { (last - at) / apart + 1 };
        let (first, end) = (first, end.min(places));
        if first >= end {
            return 0;
        }
        match (base, apart) {
            (1, _) => end - first,
            // Those on a value: at + t is a multiple of `base`.
            (_, 1) => (at + end - 1).div_euclid(base) - (at + first - 1).div_euclid(base),
            _ => (first..end.min(first + MANY)).filter(|t| (at + t * apart).rem_euclid(base) == 0).count()
                as i64,
        }
    };
    (0..looked).map(of).sum::<i64>() as f64 / looked as f64
}

/// More than that are not looked at one by one.
const MANY: i64 = 1 << 16;

fn precision(instruction: &Instruction) -> Precision {
    let words: &[Arc<str>] = match instruction.attr(&Key::OperandPrecision) {
        Some(Value::Words(words)) => words,
        _ => &[],
    };
    let of = |w: &Arc<str>| match &**w {
        "highest" => Precision::Highest,
        "high" => Precision::High,
        _ => Precision::Default,
    };
    let rank = |p: &Precision| match p {
        Precision::Highest => 2,
        Precision::High => 1,
        _ => 0,
    };
    words.iter().map(of).max_by_key(rank).unwrap_or(Precision::Default)
}
