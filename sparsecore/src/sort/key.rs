//! Sort keys, and codes: unsigned integers that compare as the keys do.

use sim_core::dtype::{self, Class, SmallFloat};
use sim_core::{ElementType, Tensor};

/// How a key's values compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// Integers and `i1`, by value.
    Integer,
    /// Floats by IEEE 754's `totalOrder`: -NaN < -inf < … < -0 < +0 < … < inf < NaN. The comparator
    /// may first make both zeros, or all NaNs, equal (JAX does both): NaNs are then the greatest.
    Total { zeros_equal: bool, nans_equal: bool },
    /// Floats by `<`: zeros are equal. No order at all where there is a NaN; then the comparator
    /// itself decides.
    Partial,
}

/// What of a complex element is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// The whole element of a real type.
    Whole,
    Real,
    Imag,
}

/// One key of a lexicographic order: which operand of the sort, and how its values compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SortKey {
    pub operand: usize,
    pub part: Part,
    pub order: Order,
    pub descending: bool,
}

/// Makes the codes of one key.
pub(super) struct Coder {
    /// Of one stored number, in bytes, and how many numbers make an element (2: complex).
    width: usize,
    stride: usize,
    first: usize,
    float: bool,
    /// Bits of a code.
    pub bits: u32,
    /// Xor that makes signed integers compare as unsigned.
    bias: u64,
    /// Xor that turns the order around.
    flip: u64,
    infinity: u64,
    zeros_equal: bool,
    nans_equal: bool,
    /// Floats of a byte: f32 bit patterns with the same order.
    table: Option<Box<[u32; 256]>>,
}

impl Coder {
    /// `None` when the key does not fit the type.
    pub fn new(ty: ElementType, key: &SortKey) -> Option<Coder> {
        use ElementType as E;
        let part = if key.part == Part::Whole { ty } else { ty.real_part() };
        if (key.part != Part::Whole) != ty.is_complex() || part.is_complex() {
            return None;
        }
        let (float, zeros_equal, nans_equal) = match (key.order, part.class()) {
            (Order::Integer, Class::Pred | Class::Signed | Class::Unsigned) => (false, false, false),
            (Order::Total { zeros_equal, nans_equal }, Class::Float) => (true, zeros_equal, nans_equal),
            (Order::Partial, Class::Float) => (true, true, false),
            _ => return None,
        };
        let table = (float && part.byte_size() == 1).then(|| small(part)).flatten();
        let (bits, infinity) = match part {
            _ if table.is_some() => (32, 0x7f80_0000),
            E::BF16 => (16, 0x7f80),
            E::F16 => (16, 0x7c00),
            E::F32 => (32, 0x7f80_0000),
            E::F64 => (64, 0x7ff0 << 48),
            _ if float => return None,
            _ => (8 * part.byte_size() as u32, 0),
        };
        let ones = u64::MAX >> (64 - bits);
        Some(Coder {
            width: part.byte_size(),
            stride: if key.part == Part::Whole { 1 } else { 2 },
            first: usize::from(key.part == Part::Imag),
            float,
            bits,
            bias: if part.is_signed() { 1 << (bits - 1) } else { 0 },
            flip: if key.descending { ones } else { 0 },
            infinity,
            zeros_equal,
            nans_equal,
            table,
        })
    }

    /// Calls `f(bits)` for every number of a row, in order.
    fn each_raw(&self, row: &[u8], mut f: impl FnMut(u64)) {
        fn all<T: bytemuck::Pod + Into<u64>>(
            row: &[u8],
            first: usize,
            stride: usize,
            mut f: impl FnMut(u64),
        ) {
            let row: &[T] = bytemuck::cast_slice(row);
            match stride {
                1 => row.iter().for_each(|&x| f(x.into())),
                _ => row.iter().skip(first).step_by(stride).for_each(|&x| f(x.into())),
            }
        }
        match (&self.table, self.width) {
            (Some(table), _) => all::<u8>(row, self.first, self.stride, |x| f(table[x as usize].into())),
            (_, 1) => all::<u8>(row, self.first, self.stride, f),
            (_, 2) => all::<u16>(row, self.first, self.stride, f),
            (_, 4) => all::<u32>(row, self.first, self.stride, f),
            _ => all::<u64>(row, self.first, self.stride, f),
        }
    }

    /// Calls `f(code)` for every element of a row, in order.
    #[inline]
    pub fn each(&self, row: &[u8], mut f: impl FnMut(u64)) {
        let (bias, flip) = (self.bias, self.flip);
        if !self.float {
            return self.each_raw(row, |x| f(x ^ bias ^ flip));
        }
        let sign = 1u64 << (self.bits - 1);
        let ones = u64::MAX >> (64 - self.bits);
        let nan = self.infinity | (self.infinity >> 1);
        let (infinity, zeros, nans) = (self.infinity, self.zeros_equal, self.nans_equal);
        self.each_raw(row, |x| {
            let magnitude = x & !sign;
            let x = if zeros & (magnitude == 0) { 0 } else { x };
            let x = if nans & (magnitude > infinity) { nan } else { x };
            // Negative numbers compare backwards: turn all their bits.
            f((if x & sign != 0 { x ^ ones } else { x | sign }) ^ flip)
        });
    }

    /// Does every code of this row stand for one bit pattern, so that [`Self::decode`] gives it back?
    pub fn exact(&self, row: &[u8]) -> bool {
        if self.table.is_some() || self.stride != 1 {
            return false;
        }
        let sign = 1u64 << (self.bits - 1);
        let (zeros, nans, infinity) =
            (self.float && self.zeros_equal, self.float && self.nans_equal, self.infinity);
        let mut lost = false;
        if zeros | nans {
            self.each_raw(row, |x| lost |= (zeros & (x == sign)) | (nans & (x & !sign > infinity)));
        }
        !lost
    }

    pub fn has_nan(&self, row: &[u8]) -> bool {
        let sign = 1u64 << (self.bits - 1);
        let mut found = false;
        if self.float {
            self.each_raw(row, |x| found |= x & !sign > self.infinity);
        }
        found
    }

    /// The bit pattern that an exact code stands for.
    #[inline]
    pub fn decode(&self, code: u64) -> u64 {
        let (code, sign) = (code ^ self.flip, 1u64 << (self.bits - 1));
        match self.float {
            false => code ^ self.bias,
            true if code & sign != 0 => code ^ sign,
            true => !code & (u64::MAX >> (64 - self.bits)),
        }
    }
}

/// The f32 bit patterns of a float type of one byte; NaNs keep their sign where it is one.
fn small(ty: ElementType) -> Option<Box<[u32; 256]>> {
    fn all<F: SmallFloat>(signed_nan: bool, sign: u8) -> Box<[u32; 256]> {
        let mut table = Box::new([0; 256]);
        for (byte, out) in (0..=255u8).zip(table.iter_mut()) {
            let x = F::from_bits(byte).to_f32();
            let negative = x.is_nan() && signed_nan && byte & sign != 0;
            *out = if x.is_nan() { f32::NAN.to_bits() | u32::from(negative) << 31 } else { x.to_bits() };
        }
        table
    }
    use ElementType as E;
    Some(match ty {
        E::F4E2M1FN => all::<dtype::F4E2M1FN>(false, 8),
        E::F6E2M3FN => all::<dtype::F6E2M3FN>(false, 32),
        E::F6E3M2FN => all::<dtype::F6E3M2FN>(false, 32),
        E::F8E3M4 => all::<dtype::F8E3M4>(true, 128),
        E::F8E4M3 => all::<dtype::F8E4M3>(true, 128),
        E::F8E4M3FN => all::<dtype::F8E4M3FN>(true, 128),
        E::F8E5M2 => all::<dtype::F8E5M2>(true, 128),
        E::F8E4M3FNUZ => all::<dtype::F8E4M3FNUZ>(false, 128),
        E::F8E4M3B11FNUZ => all::<dtype::F8E4M3B11FNUZ>(false, 128),
        E::F8E5M2FNUZ => all::<dtype::F8E5M2FNUZ>(false, 128),
        E::F8E8M0FNU => all::<dtype::F8E8M0FNU>(false, 0),
        _ => return None,
    })
}

/// Coders for the keys, if all have one and no NaN stands in the way.
pub(super) fn coders(inputs: &[Tensor], keys: &[SortKey]) -> Option<Vec<Coder>> {
    keys.iter()
        .map(|key| {
            let input = inputs.get(key.operand)?;
            let coder = Coder::new(input.element(), key)?;
            (key.order != Order::Partial || !coder.has_nan(input.bytes())).then_some(coder)
        })
        .collect()
}
