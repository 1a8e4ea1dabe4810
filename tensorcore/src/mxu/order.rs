//! The order in which sums along the contracting dimension are taken: the one place that knows it.
//!
//! The MXU's order is a hypothesis found on one recording of a real TPU (a 1024x512x256 matmul),
//! which it reproduces in all 1,024 published values, to the bit:
//!
//! - `k` is cut into blocks of [`BLOCK`] = 256;
//! - a block takes 16 steps; step `i` sums the products of the 16 rows `8i … 8i+7` and
//!   `128+8i … 128+8i+7` of the block (one packed bf16 register) as one sum, from zero, then adds
//!   that sum to the block's f32 partial;
//! - the block's partial is added to the f32 accumulator.
//!
//! The order inside a group is open (exact, tree and serial all fit the recording); here it is serial.
//! Products of bf16 values are exact in f32, so a fused multiply-add rounds exactly once, as the sum does.
//! Rows beyond the end of `k` contribute nothing and are left out.
//!
//! To try another order, change [`Order::block`]: everything else (packing, microkernel, reference)
//! follows what it returns.

/// Depth of one block along `k`.
pub const BLOCK: usize = 256;

/// How products are summed along `k`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Serial within a block of 256, then block by block. For arithmetic where the order is free.
    Plain,
    /// The MXU's, as above.
    Mxu,
}

/// The order within one block of `perm.len()` rows.
#[derive(Clone, Debug)]
pub struct BlockOrder {
    /// Position in the order of summation -> row of the block.
    pub perm: Vec<u16>,
    /// Lengths of the groups whose sums start from zero; they add up to `perm.len()`.
    pub groups: Vec<u16>,
}

impl Order {
    /// The order for a block of `rows` rows, 1 to [`BLOCK`].
    pub fn block(self, rows: usize) -> BlockOrder {
        match self {
            Order::Plain => BlockOrder { perm: (0..rows as u16).collect(), groups: vec![rows as u16] },
            Order::Mxu => {
                let mut order = BlockOrder { perm: Vec::with_capacity(rows), groups: Vec::new() };
                for i in 0..BLOCK / 16 {
                    let before = order.perm.len();
                    for half in [0, BLOCK / 2] {
                        let low = (half + 8 * i).min(rows);
                        let high = (half + 8 * i + 8).min(rows);
                        order.perm.extend(low as u16..high as u16);
                    }
                    if order.perm.len() > before {
                        order.groups.push((order.perm.len() - before) as u16);
                    }
                }
                order
            }
        }
    }
}

#[cfg(test)]
pub(crate) fn reference_dot(order: Order, a: &[f32], b: &[f32]) -> f32 {
    let mut acc = 0.0f32;
    for (a, b) in a.chunks(BLOCK).zip(b.chunks(BLOCK)) {
        let mut partial = 0.0f32;
        match order {
            Order::Plain => {
                for (x, y) in a.iter().zip(b) {
                    partial = x.mul_add(*y, partial);
                }
            }
            Order::Mxu => {
                for i in 0..16 {
                    let mut group = 0.0f32;
                    for k in (8 * i..8 * i + 8).chain(128 + 8 * i..128 + 8 * i + 8) {
                        if k < a.len() {
                            group = a[k].mul_add(b[k], group);
                        }
                    }
                    partial += group;
                }
            }
        }
        acc += partial;
    }
    acc
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_block_has_sixteen_groups_of_sixteen() {
        let o = Order::Mxu.block(256);
        assert_eq!(o.groups, [16; 16]);
        assert_eq!(o.perm[..16], [0, 1, 2, 3, 4, 5, 6, 7, 128, 129, 130, 131, 132, 133, 134, 135]);
        assert_eq!(o.perm[16], 8);
    }

    #[test]
    fn every_row_appears_once() {
        for rows in 1..=BLOCK {
            for order in [Order::Plain, Order::Mxu] {
                let o = order.block(rows);
                let mut seen = o.perm.clone();
                seen.sort_unstable();
                assert!(seen.iter().enumerate().all(|(i, &k)| i == k as usize) && seen.len() == rows);
                assert_eq!(o.groups.iter().map(|&g| g as usize).sum::<usize>(), rows);
                assert!(o.groups.iter().all(|&g| g > 0));
            }
        }
    }
}
