//! The microkernel: one register tile of the result, over one block of `k`.
//!
//! Both operands arrive packed (see `pack`): for each step along `k`, `MR` values of the left and
//! `NR` of the right operand, contiguous. The loops have constant bounds over arrays, which the
//! compiler keeps in vector registers: with AVX2, a 6x16 tile of f32 is 12 registers of sums, two of
//! the right operand and one broadcast of the left, 15 of 16.

/// An element of the arithmetic a contraction is done in.
pub trait Scalar: bytemuck::Pod + Send + Sync {
    const ZERO: Self;
    /// `self * b + c`: one rounding for floats, wrapping for integers.
    fn mul_add(self, b: Self, c: Self) -> Self;
    fn plus(self, b: Self) -> Self;
}

macro_rules! scalar {
    ($($float:ty),*; $($int:ty),*) => {
        $(impl Scalar for $float {
            const ZERO: Self = 0.0;
            #[inline(always)]
            fn mul_add(self, b: Self, c: Self) -> Self {
                <$float>::mul_add(self, b, c)
            }
            #[inline(always)]
            fn plus(self, b: Self) -> Self {
                self + b
            }
        })*
        $(impl Scalar for $int {
            const ZERO: Self = 0;
            #[inline(always)]
            fn mul_add(self, b: Self, c: Self) -> Self {
                self.wrapping_mul(b).wrapping_add(c)
            }
            #[inline(always)]
            fn plus(self, b: Self) -> Self {
                self.wrapping_add(b)
            }
        })*
    };
}

scalar!(f32, f64; u32, u64);

/// Rows of a full register tile.
pub const MR: usize = 6;

/// Adds one block of `k` to a tile of `R` rows: `acc[i * ld + j] += Σ_k a[k][i] * b[k][j]`, with the
/// sums taken in groups of the given lengths, each from zero. `first` overwrites instead of adding.
#[inline(never)]
fn tile<S: Scalar, const R: usize, const NR: usize>(
    a: &[S],
    b: &[[S; NR]],
    groups: &[u16],
    first: bool,
    acc: &mut [S],
    ld: usize,
) {
    let mut partial = [[S::ZERO; NR]; R];
    let mut a = a.as_chunks::<R>().0;
    let mut b = b;
    for &len in groups {
        let (a_now, a_rest) = a.split_at(len as usize);
        let (b_now, b_rest) = b.split_at(len as usize);
        (a, b) = (a_rest, b_rest);
        let mut sum = [[S::ZERO; NR]; R];
        for (a, b) in a_now.iter().zip(b_now) {
            for i in 0..R {
                for j in 0..NR {
                    sum[i][j] = a[i].mul_add(b[j], sum[i][j]);
                }
            }
        }
        for i in 0..R {
            for j in 0..NR {
                partial[i][j] = partial[i][j].plus(sum[i][j]);
            }
        }
    }
    for (row, sums) in acc.chunks_mut(ld).zip(&partial) {
        let row = &mut row[..NR];
        if first {
            row.copy_from_slice(sums);
        } else {
            for (x, s) in row.iter_mut().zip(sums) {
                *x = x.plus(*s);
            }
        }
    }
}

/// [`tile`] for a number of rows known at run time, 1 to [`MR`].
#[inline]
pub fn tile_rows<S: Scalar, const NR: usize>(
    rows: usize,
    a: &[S],
    b: &[[S; NR]],
    groups: &[u16],
    first: bool,
    acc: &mut [S],
    ld: usize,
) {
    match rows {
        6 => tile::<S, 6, NR>(a, b, groups, first, acc, ld),
        5 => tile::<S, 5, NR>(a, b, groups, first, acc, ld),
        4 => tile::<S, 4, NR>(a, b, groups, first, acc, ld),
        3 => tile::<S, 3, NR>(a, b, groups, first, acc, ld),
        2 => tile::<S, 2, NR>(a, b, groups, first, acc, ld),
        _ => tile::<S, 1, NR>(a, b, groups, first, acc, ld),
    }
}
