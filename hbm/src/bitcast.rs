//! `bitcast_convert`: the same bits under another type.

use sim_core::{Ctx, Diagnostic, ElementType, Result, Tensor};

/// `stablehlo.bitcast_convert` to `to` and `out_shape`. Types of the same width keep the shape; a
/// narrower result gains a trailing dimension (least significant part first), a wider one loses it.
/// Types that fill their storage share the operand's bytes. Those narrower than a byte are counted
/// with their own width, so `i8` becomes `2xi4`.
///
/// # Errors
/// `Invalid` when the operand and the result do not have the same number of bits.
pub fn bitcast_convert(ctx: &Ctx, operand: Tensor, to: ElementType, out_shape: &[usize]) -> Result<Tensor> {
    let from = operand.element();
    let (wide, narrow) = (from.bits().max(to.bits()), from.bits().min(to.bits()));
    let count = sim_core::exec::byte_len(to, out_shape)? / to.byte_size();
    let (parts, groups, expected) = if from.bits() >= to.bits() {
        let parts = (wide / narrow) as usize;
        (parts, operand.len(), operand.len().checked_mul(parts))
    } else {
        let parts = (wide / narrow) as usize;
        (parts, count, count.checked_mul(parts).filter(|&n| n == operand.len()).map(|_| count))
    };
    if !wide.is_multiple_of(narrow) || expected != Some(count) {
        return Err(Diagnostic::invalid(format!(
            "{} cannot be read as {out_shape:?} of {to}: the number of bits must stay the same",
            operand.ty()
        )));
    }
    if from.bits() == to.bits() && narrow_class(from) == narrow_class(to) {
        return Ok(operand.reinterpreted(to).reshaped(out_shape));
    }
    if from.bits().is_multiple_of(8) && to.bits().is_multiple_of(8) {
        return Ok(operand.recast(to, out_shape));
    }
    // At least one side is narrower than a byte, hence so is the narrower one.
    let mut out = ctx.alloc(to, out_shape)?;
    let mask = (1u16 << narrow.min(8)) as u8 - 1;
    let (src, dst) = (operand.bytes(), out.bytes_mut());
    if from.bits() >= to.bits() {
        let size = from.byte_size();
        for g in 0..groups {
            for (p, d) in dst[g * parts..(g + 1) * parts].iter_mut().enumerate() {
                let bit = p * narrow as usize;
                *d = stored(to, (src[g * size + bit / 8] >> (bit % 8)) & mask);
            }
        }
    } else {
        let size = to.byte_size();
        dst.fill(0);
        for g in 0..groups {
            for (p, &s) in src[g * parts..(g + 1) * parts].iter().enumerate() {
                let bit = p * narrow as usize;
                dst[g * size + bit / 8] |= (s & mask) << (bit % 8);
            }
            if to.bits() < 8 {
                dst[g] = stored(to, dst[g]);
            }
        }
    }
    Ok(out)
}

/// Types narrower than a byte differ in how their byte's spare bits are filled.
fn narrow_class(ty: ElementType) -> bool {
    ty.bits() < 8 && ty.is_signed()
}

/// The byte that stores the low bits of a narrow type.
fn stored(ty: ElementType, bits: u8) -> u8 {
    if !narrow_class(ty) {
        return bits;
    }
    let spare = 8 - ty.bits();
    ((bits << spare) as i8 >> spare) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::ctx;
    use ElementType as E;

    #[test]
    fn whole_bytes_are_shared() {
        let t = Tensor::from_slice(&[2], &[1.0f32, -2.0]);
        let at = t.bytes().as_ptr();
        let u = bitcast_convert(&ctx(), t, E::U32, &[2]).unwrap();
        assert_eq!(u.as_slice::<u32>(), [0x3f80_0000, 0xc000_0000]);
        let h = bitcast_convert(&ctx(), u, E::U16, &[2, 2]).unwrap();
        assert_eq!(h.as_slice::<u16>(), [0, 0x3f80, 0, 0xc000]);
        let d = bitcast_convert(&ctx(), h.reshaped(&[4]), E::F64, &[]).unwrap();
        assert_eq!(d.as_slice::<u64>(), [0xc000_0000_3f80_0000]);
        assert_eq!(d.bytes().as_ptr(), at);
    }

    #[test]
    fn nibbles_pack_low_end_first() {
        let t = Tensor::from_slice(&[2], &[0x1fu8, 0x80]);
        let s4 = bitcast_convert(&ctx(), t.clone(), E::S4, &[2, 2]).unwrap();
        assert_eq!(s4.as_slice::<i8>(), [-1, 1, 0, -8]);
        let u4 = bitcast_convert(&ctx(), s4.clone(), E::U4, &[2, 2]).unwrap();
        assert_eq!(u4.as_slice::<u8>(), [15, 1, 0, 8]);
        assert_eq!(bitcast_convert(&ctx(), s4, E::U8, &[2]).unwrap(), t);
        assert_eq!(bitcast_convert(&ctx(), u4, E::U8, &[2]).unwrap(), t);
        let wide = Tensor::from_slice(&[1], &[0x1234_5678u32]);
        let n = bitcast_convert(&ctx(), wide.clone(), E::U4, &[1, 8]).unwrap();
        assert_eq!(n.as_slice::<u8>(), [8, 7, 6, 5, 4, 3, 2, 1]);
        assert_eq!(bitcast_convert(&ctx(), n, E::U32, &[1]).unwrap(), wide);
        let s4 = bitcast_convert(&ctx(), Tensor::from_slice_as(E::U2, &[2], &[1u8, 2]), E::S4, &[]).unwrap();
        assert_eq!(s4.as_slice::<i8>(), [-7]);
        let bits = bitcast_convert(&ctx(), Tensor::from_slice(&[1], &[0x81u8]), E::Pred, &[1, 8]).unwrap();
        assert_eq!(bits.as_slice::<u8>(), [1, 0, 0, 0, 0, 0, 0, 1]);
    }

    #[test]
    fn bit_counts_must_agree() {
        let t = Tensor::from_slice(&[3], &[1u8, 2, 3]);
        assert!(bitcast_convert(&ctx(), t.clone(), E::U16, &[1]).is_err());
        assert!(bitcast_convert(&ctx(), t.clone(), E::U16, &[2]).is_err());
        assert!(bitcast_convert(&ctx(), t.clone(), E::F6E2M3FN, &[3]).is_err());
        assert!(bitcast_convert(&ctx(), t, E::U4, &[3, 3]).is_err());
    }
}
