//! What transfers between HBM and VMEM cost beyond their bytes.

use sim_core::chip::Units;

/// How many times its bytes' time a strided transfer takes, whose pieces are parts of rows of `row` bytes.
///
/// Rows that do not start at a multiple of the granule ([`Hbm::granule_bytes`](sim_core::chip::table::Hbm::granule_bytes)) move more
/// slowly, however long their pieces are and wherever those start: of all rows, so many are unaligned.
pub fn unaligned(row: u64, units: &Units) -> f64 {
    let granule = units.hbm.granule_bytes.max(1);
    let aligned = gcd(row.max(1), granule) as f64 / granule as f64;
    aligned + (1.0 - aligned) / units.hbm.unaligned_efficiency
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_core::chip::Chip;

    #[test]
    fn only_rows_that_are_unaligned_cost_more() {
        let units = Chip::named("v6e").unwrap().units();
        assert_eq!(units.hbm.granule_bytes, 4096);
        // Tiles of bf16 are 2 KiB: rows of an even number of them are aligned.
        for tiles in [2, 64, 96, 1188] {
            assert_eq!(unaligned(tiles * 2048, units), 1.0);
        }
        let half = 0.5 + 0.5 / units.hbm.unaligned_efficiency;
        assert_eq!(unaligned(1187 * 2048, units), half);
        assert!(unaligned(512, units) > half);
    }
}
