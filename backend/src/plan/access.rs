//! Seeing through operations that only rename indices. A `broadcast_in_dim`, `slice`, `transpose`
//! or `reverse` in front of an elementwise operation needs no pass of its own: it is a pattern by
//! which the fused loop reads the value behind it.

use sim_core::ir::{Function, Op, Operation, ValueDef, ValueId};
use sim_core::{ElementType, TensorType};
use smallvec::SmallVec;

pub type Strides = SmallVec<[isize; 6]>;

/// What a fused loop reads for an operand.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// One element everywhere.
    Splat(ElementType, SmallVec<[u8; 16]>),
    /// The index along a dimension of the iteration space.
    Iota(ElementType, usize),
    /// Element `offset + Σ strides[d] * index[d]` of a value.
    Load { base: ValueId, offset: usize, strides: Strides },
}

/// Sizes of a static tensor type.
pub fn static_shape(f: &Function, v: ValueId) -> Option<SmallVec<[usize; 4]>> {
    f.ty(v).as_tensor().and_then(TensorType::static_dims)
}

/// Row-major strides in elements; `None` on overflow.
pub fn row_major(shape: &[usize]) -> Option<Strides> {
    let mut strides = Strides::from_elem(0, shape.len());
    let mut step = 1isize;
    for (s, &n) in strides.iter_mut().zip(shape).rev() {
        *s = step;
        step = step.checked_mul(isize::try_from(n.max(1)).ok()?)?;
    }
    Some(strides)
}

/// The operation that defines `v`, if one does.
pub fn producer(f: &Function, v: ValueId) -> Option<&Operation> {
    match f.value(v).def {
        ValueDef::Result(o, _) => Some(f.op(o)),
        ValueDef::Arg(..) => None,
    }
}

/// Does a reshape only add and remove dimensions of size 1? Then, for each dimension of the operand,
/// the dimension of the result that it becomes.
fn unit_reshape(from: &[usize], to: &[usize]) -> Option<SmallVec<[Option<usize>; 4]>> {
    let mut map = SmallVec::new();
    let mut j = 0;
    for &n in from {
        if n == 1 {
            map.push(None);
            continue;
        }
        while j < to.len() && to[j] == 1 {
            j += 1;
        }
        if j >= to.len() || to[j] != n {
            return None;
        }
        map.push(Some(j));
        j += 1;
    }
    to[j.min(to.len())..].iter().all(|&n| n == 1).then_some(map)
}

/// Can the fused loop read through `op`? (Whether it should is the caller's decision.)
pub fn is_view(f: &Function, op: &Operation) -> bool {
    let (Some(&operand), Some(&result)) = (op.operands.first(), op.results.first()) else { return false };
    let (Some(from), Some(to)) = (static_shape(f, operand), static_shape(f, result)) else { return false };
    if to.contains(&0) {
        return false;
    }
    match &op.op {
        Op::BroadcastInDim { .. } | Op::Slice { .. } | Op::Reverse { .. } | Op::Transpose { .. } => true,
        Op::Reshape => unit_reshape(&from, &to).is_some(),
        _ => false,
    }
}

/// One dimension's index as `offset + scale * (index of iteration dimension dim)`.
#[derive(Clone, Copy)]
struct Map {
    dim: Option<usize>,
    scale: isize,
    offset: isize,
}

/// Follows `v`, seen over an iteration space of its own shape, through views as long as `through`
/// allows, to what is really read.
pub fn resolve(f: &Function, v: ValueId, through: &dyn Fn(&Operation) -> bool) -> Option<Source> {
    let shape = static_shape(f, v)?;
    let rank = shape.len();
    let mut maps: SmallVec<[Map; 6]> = (0..rank).map(|d| Map { dim: Some(d), scale: 1, offset: 0 }).collect();
    let mut v = v;
    while let Some(op) = producer(f, v) {
        match &op.op {
            Op::Constant(dense) if dense.value.len() == 1 => {
                return Some(Source::Splat(dense.value.element(), dense.value.bytes().into()));
            }
            Op::Iota { dim } => {
                let m = maps.get(*dim as usize)?;
                if let (Some(d), 1, 0) = (m.dim, m.scale, m.offset) {
                    return Some(Source::Iota(f.ty(v).as_tensor()?.element, d));
                }
                break;
            }
            _ if !is_view(f, op) || !through(op) => break,
            Op::BroadcastInDim { dims } => {
                let from = static_shape(f, op.operands[0])?;
                maps = from
                    .iter()
                    .zip(dims)
                    .map(|(&n, &d)| match n {
                        1 => Some(Map { dim: None, scale: 0, offset: 0 }),
                        _ => maps.get(d as usize).copied(),
                    })
                    .collect::<Option<_>>()?;
            }
            Op::Slice { start, strides, .. } => {
                for ((m, &s), &t) in maps.iter_mut().zip(start).zip(strides) {
                    m.offset = m.offset.checked_mul(t as isize)?.checked_add(s as isize)?;
                    m.scale = m.scale.checked_mul(t as isize)?;
                }
            }
            Op::Reverse { dims } => {
                let from = static_shape(f, op.operands[0])?;
                for &d in dims {
                    let m = maps.get_mut(d as usize)?;
                    m.offset = from[d as usize] as isize - 1 - m.offset;
                    m.scale = -m.scale;
                }
            }
            Op::Transpose { permutation } => {
                let mut next = SmallVec::from_elem(Map { dim: None, scale: 0, offset: 0 }, maps.len());
                for (m, &p) in maps.iter().zip(permutation) {
                    *next.get_mut(p as usize)? = *m;
                }
                maps = next;
            }
            Op::Reshape => {
                let (from, to) = (static_shape(f, op.operands[0])?, static_shape(f, v)?);
                maps = unit_reshape(&from, &to)?
                    .into_iter()
                    .map(|j| match j {
                        Some(j) => maps[j],
                        None => Map { dim: None, scale: 0, offset: 0 },
                    })
                    .collect();
            }
            _ => break,
        }
        v = op.operands[0];
    }
    let steps = row_major(&static_shape(f, v)?)?;
    let mut strides = Strides::from_elem(0, rank);
    let mut offset = 0isize;
    for (m, &step) in maps.iter().zip(&steps) {
        offset = offset.checked_add(m.offset.checked_mul(step)?)?;
        if let Some(d) = m.dim {
            strides[d] = strides[d].checked_add(m.scale.checked_mul(step)?)?;
        }
    }
    // A dimension of one element is never stepped along.
    for (s, &n) in strides.iter_mut().zip(&shape) {
        if n == 1 {
            *s = 0;
        }
    }
    Some(Source::Load { base: v, offset: usize::try_from(offset).ok()?, strides })
}

/// The strides over `to` that walk in the same order as `strides` over `from`, two shapes of as many
/// elements; `None` if no single stride per dimension does.
pub fn restride(strides: &[isize], from: &[usize], to: &[usize]) -> Option<Strides> {
    let mut out = Strides::from_elem(0, to.len());
    // Both shapes in groups of equal products, from the inside out.
    let (mut i, mut j) = (from.len(), to.len());
    loop {
        while i > 0 && from[i - 1] == 1 {
            i -= 1;
        }
        while j > 0 && to[j - 1] == 1 {
            j -= 1;
        }
        if i == 0 || j == 0 {
            return (i == 0 && j == 0).then_some(out);
        }
        let (i_end, j_end) = (i, j);
        let (mut a, mut b) = (from[i - 1], to[j - 1]);
        (i, j) = (i - 1, j - 1);
        while a != b {
            if a < b {
                i = i.checked_sub(1)?;
                a = a.checked_mul(from[i])?;
            } else {
                j = j.checked_sub(1)?;
                b = b.checked_mul(to[j])?;
            }
        }
        // The group of `from` must be one walk: each stride continues the one inside it.
        let inner: Vec<(usize, isize)> =
            (i..i_end).filter(|&d| from[d] != 1).map(|d| (from[d], strides[d])).collect();
        let step = inner.last().map_or(0, |d| d.1);
        let mut expected = step;
        for &(n, s) in inner.iter().rev() {
            if s != expected {
                return None;
            }
            expected = expected.checked_mul(n as isize)?;
        }
        let mut s = step;
        for d in (j..j_end).rev() {
            out[d] = if to[d] == 1 { 0 } else { s };
            s = s.checked_mul(to[d] as isize)?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn restride_joins_and_splits() {
        assert_eq!(restride(&[4, 1], &[3, 4], &[12]).unwrap()[..], [1]);
        assert_eq!(restride(&[1], &[12], &[3, 4]).unwrap()[..], [4, 1]);
        assert_eq!(restride(&[0, 1], &[3, 4], &[12]), None);
        assert_eq!(restride(&[0, 1], &[3, 4], &[3, 2, 2]).unwrap()[..], [0, 2, 1]);
        assert_eq!(restride(&[0, 1], &[3, 4], &[3, 1, 4, 1]).unwrap()[..], [0, 0, 1, 0]);
        assert_eq!(restride(&[1, 3], &[3, 4], &[12]), None);
        assert_eq!(restride(&[0, 0], &[3, 4], &[12]).unwrap()[..], [0]);
        assert_eq!(restride(&[], &[], &[1, 1]).unwrap()[..], [0, 0]);
    }

    #[test]
    fn unit_dimensions_come_and_go() {
        assert_eq!(unit_reshape(&[4, 1], &[4]).unwrap()[..], [Some(0), None]);
        assert_eq!(unit_reshape(&[4], &[1, 4, 1]).unwrap()[..], [Some(1)]);
        assert!(unit_reshape(&[4], &[2, 2]).is_none());
    }
}
