//! Radix sort of codes, least significant digit first: stable, and linear in the number of codes.

use bytemuck::Pod;

/// An unsigned integer to sort by some of its bits.
pub(super) trait Code: Pod + Ord + Send + Sync {
    fn digit(self, shift: u32) -> usize;
}

macro_rules! code {
    ($($T:ty),*) => { $(impl Code for $T {
        #[inline(always)]
        fn digit(self, shift: u32) -> usize {
            (self >> shift) as usize & (RADIX - 1)
        }
    })* };
}

code!(u8, u16, u32, u64, u128);

/// 2^11 counters of a pass fit in L1 beside the lines being written.
const DIGIT: u32 = 11;
const RADIX: usize = 1 << DIGIT;

/// Fewer codes than this are compared instead: the counters alone would cost more.
const FEW: usize = 1024;

/// Sorts `data` by bits `low..high`; codes that are equal there keep their order, provided that the
/// bits below `low` ascend from the start (an index). `temp` is as long as `data`.
pub(super) fn sort<C: Code>(data: &mut [C], temp: &mut [C], low: u32, high: u32) {
    if data.len() < FEW {
        return data.sort_unstable();
    }
    let passes = (high - low).div_ceil(DIGIT) as usize;
    let mut counts = vec![[0u32; RADIX]; passes];
    // Chunks keep the counters in 32 bits.
    debug_assert!(data.len() <= u32::MAX as usize);
    for &c in data.iter() {
        for (p, count) in counts.iter_mut().enumerate() {
            count[c.digit(low + p as u32 * DIGIT)] += 1;
        }
    }
    let (mut from, mut to) = (data, temp);
    let mut swapped = false;
    for (p, count) in counts.iter_mut().enumerate() {
        let shift = low + p as u32 * DIGIT;
        if count[from[0].digit(shift)] as usize == from.len() {
            continue; // All alike here: nothing moves.
        }
        let mut at = 0;
        for c in count.iter_mut() {
            at += std::mem::replace(c, at);
        }
        for &c in from.iter() {
            let slot = &mut count[c.digit(shift)];
            to[*slot as usize] = c;
            *slot += 1;
        }
        std::mem::swap(&mut from, &mut to);
        swapped = !swapped;
    }
    if swapped {
        to.copy_from_slice(from);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn sorts(mut data in proptest::collection::vec(any::<u64>(), 900..3000), mask in any::<u64>()) {
            data.iter_mut().for_each(|x| *x &= mask);
            let mut want = data.clone();
            want.sort();
            let mut temp = data.clone();
            sort(&mut data, &mut temp, 0, 64);
            prop_assert_eq!(&data, &want);

            let mut pairs: Vec<u64> = data.iter().rev().enumerate().map(|(i, x)| (x & 0xff) << 32 | i as u64).collect();
            let mut want = pairs.clone();
            want.sort();
            let mut temp = pairs.clone();
            sort(&mut pairs, &mut temp, 32, 40);
            prop_assert_eq!(pairs, want);
        }
    }
}
