//! Reshapes: which keep memory as it is.

use super::order::Order;
use crate::time::arrays::{self, physical, sizes};
use sim_core::hlo::ArrayShape;

/// Runs of dimensions of both shapes that hold the same values: `[8, 4096] -> [8, 32, 128]` is `0 -> 0`, `1 -> 1, 2`. Dimensions of one
/// are in no group.
fn groups(from: &[usize], to: &[usize]) -> Option<Vec<(Vec<i64>, Vec<i64>)>> {
    let big = |s: &[usize]| -> Vec<(i64, u128)> {
        s.iter().enumerate().filter(|&(_, &n)| n != 1).map(|(d, &n)| (d as i64, n as u128)).collect()
    };
    let (from, to) = (big(from), big(to));
    let mut groups = Vec::new();
    let (mut i, mut j) = (0, 0);
    while i < from.len() && j < to.len() {
        let (mut a, mut b) = (from[i].1, to[j].1);
        let mut group = (vec![from[i].0], vec![to[j].0]);
        (i, j) = (i + 1, j + 1);
        while a != b {
            if a < b {
                let next = from.get(i)?;
                (a, i) = (a.checked_mul(next.1)?, i + 1);
                group.0.push(next.0);
            } else {
                let next = to.get(j)?;
                (b, j) = (b.checked_mul(next.1)?, j + 1);
                group.1.push(next.0);
            }
        }
        groups.push(group);
    }
    (i == from.len() && j == to.len()).then_some(groups)
}

/// The order in which a reshape's result lies as its operand does, tiles aside.
pub fn kept(from: &ArrayShape, order: &Order, to: &ArrayShape) -> Option<Order> {
    let (f, t) = (sizes(from), sizes(to));
    let groups = groups(&f, &t)?;
    let mut result = Order::new();
    let mut at = 0;
    let order: Vec<i64> = order.iter().copied().filter(|&d| f.get(d as usize) != Some(&1)).collect();
    while at < order.len() {
        let (inside, outside) = groups.iter().find(|g| g.0.contains(&order[at]))?;
        // Its dimensions lie together, in their order.
        let here = order.get(at..at + inside.len())?;
        if !here.iter().rev().eq(inside.iter()) {
            return None;
        }
        result.extend(outside.iter().rev().copied());
        at += inside.len();
    }
    // Those of one lie outermost.
    result.extend((0..t.len()).rev().filter(|&d| t[d] == 1).map(|d| d as i64));
    (result.len() == t.len()).then_some(result)
}

/// Are the bytes of a reshape's operand those of its result?
pub fn is_free(from: &ArrayShape, to: &ArrayShape) -> bool {
    let order = |a: &ArrayShape| a.layout.as_ref().map(|l| l.minor_to_major.clone());
    let (Some(before), Some(after)) = (order(from), order(to)) else { return false };
    let (f, t) = (sizes(from), sizes(to));
    if f.iter().product::<usize>() <= 1 {
        return true;
    }
    let big = |o: &Order, s: &[usize]| -> Vec<i64> {
        o.iter().copied().filter(|&d| s.get(d as usize) != Some(&1)).collect()
    };
    let Some(same) = kept(from, &before, to) else { return false };
    if big(&same, &t) != big(&after, &t) || arrays::bytes(from) != arrays::bytes(to) {
        return false;
    }
    let (a, b) = (physical(from), physical(to));
    let minor = |p: &[(usize, usize)], k: usize| p.iter().rev().nth(k).map_or(1, |&(_, n)| n);
    // A single row of tiles is in memory what a vector is.
    let vector = |p: &[(usize, usize)]| p.iter().rev().skip(1).all(|&(_, n)| n == 1);
    if vector(&a) && vector(&b) {
        return true;
    }
    if minor(&a, 0) != minor(&b, 0) {
        return false;
    }
    // Rows are split and merged in whole tiles.
    let rows = |s: &ArrayShape| {
        s.layout.as_ref().and_then(|l| l.tiles.first()).map_or(1, |t| match t.0[..] {
            [rows, _] => rows.max(1) as usize,
            _ => 1,
        })
    };
    let (m, n) = (minor(&a, 1), minor(&b, 1));
    // Tiles below one another lie as their rows do, however many each has.
    let lanes = |s: &ArrayShape| {
        s.layout.as_ref().and_then(|l| l.tiles.first()).map_or(0, |t| match t.0[..] {
            [_, lanes] => lanes as usize,
            _ => 0,
        })
    };
    let whole = m.is_multiple_of(rows(from)) && n.is_multiple_of(rows(to));
    let one_column = minor(&a, 0) <= lanes(from) && lanes(from) == lanes(to) && from.element.bits() >= 32;
    m == n || (whole && (one_column || rows(from) == rows(to)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_core::ElementType;
    use sim_core::types::Dim;

    fn array(dims: &[i64], order: &[i64]) -> ArrayShape {
        let mut a = ArrayShape::new(ElementType::F32, dims.iter().map(|&n| Dim::Static(n)));
        a.layout = Some(super::super::order::layout(&a, &Order::from_slice(order)).into());
        a
    }

    #[test]
    fn orders_that_reshapes_keep() {
        let kept = |from: &[i64], order: &[i64], to: &[i64]| {
            kept(
                &array(from, order),
                &Order::from_slice(order),
                &array(to, &(0..to.len() as i64).rev().collect::<Vec<_>>()),
            )
            .map(|o| o.to_vec())
        };
        assert_eq!(kept(&[8, 4096], &[1, 0], &[8, 32, 128]), Some(vec![2, 1, 0]));
        assert_eq!(kept(&[8, 4096], &[0, 1], &[8, 32, 128]), Some(vec![0, 2, 1]));
        assert_eq!(kept(&[4, 8, 128], &[2, 1, 0], &[32, 128]), Some(vec![1, 0]));
        assert_eq!(kept(&[4, 8, 128], &[2, 0, 1], &[32, 128]), None);
        assert_eq!(kept(&[16, 128], &[1, 0], &[16, 1, 128]), Some(vec![2, 0, 1]));
        assert_eq!(kept(&[6, 4], &[1, 0], &[4, 6]), Some(vec![1, 0]));
    }

    #[test]
    fn free_ones_keep_tiles_whole() {
        assert!(is_free(&array(&[32, 128], &[1, 0]), &array(&[4, 8, 128], &[2, 1, 0])));
        assert!(is_free(&array(&[32, 128], &[1, 0]), &array(&[8, 4, 128], &[2, 1, 0])), "tiles of four rows");
        assert!(
            !is_free(&array(&[32, 256], &[1, 0]), &array(&[8, 4, 256], &[2, 1, 0])),
            "two columns of them"
        );
        assert!(!is_free(&array(&[8, 4096], &[1, 0]), &array(&[8, 32, 128], &[2, 1, 0])), "lanes are split");
        assert!(is_free(&array(&[16, 128], &[1, 0]), &array(&[16, 1, 128], &[2, 0, 1])));
        assert!(is_free(&array(&[4096], &[0]), &array(&[1, 4096], &[1, 0])));
        assert!(!is_free(&array(&[6, 4], &[1, 0]), &array(&[4, 6], &[1, 0])));
    }
}
