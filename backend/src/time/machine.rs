//! One device of a chip, as kernels see it.

use sim_core::chip::{Chip, Units};

/// A device: one TensorCore, or two that split the grids of their kernels (a megacore).
#[derive(Clone, Copy, Debug)]
pub struct Machine<'a> {
    pub units: &'a Units,
    /// TensorCores of the device.
    pub cores: u64,
    /// Bytes a second of HBM that the device has, as the data sheet has it.
    bandwidth: f64,
}

/// What a kernel does to HBM, which decides what of its bandwidth it reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Traffic {
    Reads,
    Mixed,
    /// Reads and writes one array.
    InPlace,
}

impl<'a> Machine<'a> {
    pub fn new(chip: &'a Chip) -> Machine<'a> {
        let units = chip.units();
        Machine {
            units,
            cores: (units.chip.tensorcores / units.chip.devices).max(1),
            bandwidth: units.hbm.bandwidth_gbps * 1e9 / units.chip.devices as f64,
        }
    }

    /// Bytes a second, as the data sheet has it.
    pub fn bandwidth(&self) -> f64 {
        self.bandwidth
    }

    /// Bytes a second.
    pub fn rate(&self, traffic: Traffic) -> f64 {
        let hbm = &self.units.hbm;
        self.bandwidth
            * match traffic {
                Traffic::Reads => hbm.read_efficiency,
                Traffic::Mixed => hbm.mixed_efficiency,
                Traffic::InPlace => hbm.in_place_efficiency,
            }
    }

    /// The most that HBM gives, bytes a second: what its transfers share.
    pub fn peak_rate(&self) -> f64 {
        [Traffic::Reads, Traffic::Mixed, Traffic::InPlace]
            .map(|t| self.rate(t))
            .into_iter()
            .fold(0.0, f64::max)
    }

    /// Floating-point operations a second of the matrix units in bf16, all cores.
    pub fn peak_flops(&self) -> f64 {
        let mxu = &self.units.mxu;
        let each = mxu.rows as f64 * mxu.columns as f64 * mxu.lhs_rows_per_cycle as f64;
        2.0 * each * mxu.count as f64 * self.cores as f64 * self.units.tensorcore.clock_mhz * 1e6
    }
}
