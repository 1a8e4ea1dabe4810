//! How long the matrix units take.
//!
//! An array holds a tile of the right-hand side, [`Mxu::rows`](sim_core::chip::table::Mxu::rows) of the contracted dimension by
//! [`columns`](sim_core::chip::table::Mxu::columns); rows of the left-hand side stream through it,
//! [`lhs_rows_per_cycle`](sim_core::chip::table::Mxu::lhs_rows_per_cycle) a cycle (scaling book, "TPUs", of the 128 x 128 arrays: 8 rows in 8
//! cycles). Every dimension pays for what it is filled up to: the streamed one to whole registers of eight rows, the other two to whole
//! tiles. So a head dimension of 64 costs on an array of 256 columns what 256 would. The next tile is loaded meanwhile, some registers a
//! cycle ([`load_registers`](sim_core::chip::table::Mxu::load_registers)): where few rows stream, that is what takes the time.

use sim_core::ElementType as E;
use sim_core::chip::Units;
use sim_core::engine::Duration;
use sim_core::ir::op::Precision;

/// A product `[rows, contracted] x [contracted, columns]`, so many times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Product {
    pub batch: u64,
    /// The side that streams.
    pub rows: u64,
    pub contracted: u64,
    /// The side that is held.
    pub columns: u64,
    /// The wider of the operands' types.
    pub operand: E,
    pub precision: Precision,
}

impl Product {
    /// Multiplications that are asked for.
    pub fn multiplications(&self) -> f64 {
        self.batch as f64 * self.rows as f64 * self.contracted as f64 * self.columns as f64
    }

    /// Multiplications that the arrays make room for while rows stream.
    pub fn padded(&self, units: &Units) -> f64 {
        self.room(filled(self.rows, units.vpu.sublanes), units)
    }

    /// Of so many rows.
    fn room(&self, rows: f64, units: &Units) -> f64 {
        let tiles = filled(self.contracted, units.mxu.rows) * filled(self.columns, units.mxu.columns);
        self.batch as f64 * rows * tiles
    }

    /// How long all matrix units of one core take.
    pub fn time(&self, units: &Units) -> Duration {
        let mxu = &units.mxu;
        let each = mxu.rows as f64 * mxu.columns as f64 * mxu.lhs_rows_per_cycle as f64;
        // Or as many as could stream while the next tile is loaded, packed.
        let packed = units.vpu.lanes as f64 * units.vpu.sublanes as f64 * 2.0;
        let tile = filled(self.contracted, units.vpu.sublanes).min(mxu.rows as f64) * mxu.columns as f64;
        let load = tile / packed / mxu.load_registers * mxu.lhs_rows_per_cycle as f64;
        let rows = filled(self.rows, units.vpu.sublanes).max(load);
        let cycles = self.room(rows, units) * passes(self.operand, self.precision)
            / (mxu.count as f64 * each * rate(self.operand, self.precision, units));
        Duration::from_cycles(cycles, units.tensorcore.clock_mhz)
    }

    /// Seconds that they take at least, into whatever pieces it is cut: as long as rows stream.
    pub fn least(&self, units: &Units) -> f64 {
        let mxu = &units.mxu;
        let each = mxu.rows as f64 * mxu.columns as f64 * mxu.lhs_rows_per_cycle as f64;
        let cycles = self.padded(units) * passes(self.operand, self.precision)
            / (mxu.count as f64 * each * rate(self.operand, self.precision, units));
        cycles / (units.tensorcore.clock_mhz * 1e6)
    }
}

fn filled(n: u64, to: u64) -> f64 {
    n.div_ceil(to.max(1)) as f64 * to as f64
}

/// How often operands go through, as bf16: f32 is cut into two or three parts, whose products count down to the precision asked for
/// (jax.lax.Precision: HIGH is 3 passes, HIGHEST 6).
pub fn passes(operand: E, precision: Precision) -> f64 {
    match (operand, precision) {
        (E::F32, Precision::High) => 3.0,
        (E::F32, Precision::Highest) => 6.0,
        _ => 1.0,
    }
}

/// How much faster than bf16 a type is multiplied. What the chip does not multiply is converted first, and then as bf16 is.
fn rate(operand: E, precision: Precision, units: &Units) -> f64 {
    let rate = match operand.bits() {
        ..=4 => units.mxu.int4_rate,
        8 if operand.is_float() => units.mxu.fp8_rate,
        8 => units.mxu.int8_rate,
        _ if operand == E::F32 && passes(operand, precision) == 1.0 => units.mxu.f32_rate,
        _ => 1.0,
    };
    if rate > 0.0 { rate } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_core::chip::Chip;

    fn product(rows: u64, contracted: u64, columns: u64) -> Product {
        Product { batch: 1, rows, contracted, columns, operand: E::BF16, precision: Precision::Default }
    }

    fn time(chip: &str, product: Product) -> f64 {
        product.time(Chip::named(chip).unwrap().units()).us()
    }

    #[test]
    fn whole_tiles_run_at_the_peak() {
        for (chip, devices) in [("v5e", 1.0), ("v6e", 1.0), ("v7x", 2.0), ("v4", 2.0)] {
            let units = Chip::named(chip).unwrap().units();
            let p = product(8192, 8192, 8192);
            let peak = 2.0 * p.multiplications() / (p.time(units).seconds() * 1e12);
            assert!((peak * devices / (units.peak_flops(1.0) / 1e12) - 1.0).abs() < 1e-6, "{chip}: {peak}");
        }
    }

    #[test]
    fn every_dimension_pays_for_what_it_is_filled_up_to() {
        assert_eq!(time("v6e", product(1024, 512, 64)), time("v6e", product(1024, 512, 256)));
        assert_eq!(time("v6e", product(1024, 128, 512)), time("v6e", product(1024, 256, 512)));
        assert_eq!(time("v5e", product(1024, 512, 64)), time("v5e", product(1024, 512, 128)));
        assert_eq!(time("v5e", product(9, 512, 128)), time("v5e", product(16, 512, 128)));
        // Few rows wait for the next tile.
        assert_eq!(time("v6e", product(8, 512, 512)), time("v6e", product(64, 512, 512)));
        assert!(time("v6e", product(72, 512, 512)) > time("v6e", product(64, 512, 512)));
        assert!(time("v5e", product(1024, 512, 129)) > 1.9 * time("v5e", product(1024, 512, 128)));
        // A quarter of a v6e's columns is half of a v5e's.
        let used = |chip: &str| {
            let p = product(4096, 1024, 64);
            p.multiplications() / p.padded(Chip::named(chip).unwrap().units())
        };
        assert_eq!((used("v6e"), used("v5e")), (0.25, 0.5));
    }

    #[test]
    fn types_and_precisions() {
        let of = |operand, precision| Product { operand, precision, ..product(1024, 1024, 1024) };
        let base = time("v6e", of(E::BF16, Precision::Default));
        let ratio = |chip: &str, operand, precision| {
            time(chip, of(operand, precision)) / time(chip, of(E::BF16, Precision::Default))
        };
        assert!((base - 2.339).abs() < 1e-3, "{base}");
        for (chip, operand, precision, want) in [
            ("v6e", E::F32, Precision::Default, 1.0),
            ("v6e", E::F32, Precision::High, 3.0),
            ("v6e", E::F32, Precision::Highest, 6.0),
            ("v6e", E::BF16, Precision::Highest, 1.0),
            ("v6e", E::S8, Precision::Default, 0.5),
            ("v6e", E::S4, Precision::Default, 0.25),
            ("v7x", E::S8, Precision::Default, 1.0),
            ("v7x", E::F8E4M3FN, Precision::Default, 0.5),
            ("v5e", E::F8E5M2, Precision::Default, 1.0),
        ] {
            assert!((ratio(chip, operand, precision) - want).abs() < 1e-5, "{chip} {operand}");
        }
    }
}
