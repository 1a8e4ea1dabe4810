//! Chips as data: what each generation of TPU is called, what a program sees of it, what its units can do.
//!
//! Every number is in a file of `sim-core/chips`, with its unit, its source and how sure it is; what the numbers mean is in
//! [`table`]. Code asks a [`Chip`] and knows no generation by name. [`Chip::with`] makes one that does not exist.

mod file;
mod parameters;
mod slice;
pub mod table;
#[cfg(test)]
mod tests;

pub use file::Entry;
pub use parameters::{Key, Kind, Range, Status, Value};
pub use slice::{Slices, Wrap};
pub use table::{KEYS, Units};

use crate::Result;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// A generation of TPU, or a variant of one.
#[derive(Clone, Debug, PartialEq)]
pub struct Chip {
    /// What it is called here: `v5e`.
    pub name: String,
    /// What else it is called: by libtpu (`TPU v5e` is `v5e` after the vendor's name), JAX and Google Cloud. Lower case.
    pub aliases: Vec<String>,
    /// `device_kind`, by which JAX and its kernels tell generations apart.
    pub kind: String,
    /// Where its parameters are from: what each source is, by the name that they call it.
    pub sources: BTreeMap<String, String>,
    /// `None`: how it makes slices is not published.
    pub slices: Option<Slices>,
    parameters: file::Parameters,
}

/// What a client sees of a chip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Devices {
    pub per_chip: usize,
    /// The attribute `num_cores`: TensorCores that a device has.
    pub num_cores: i64,
    /// Bytes of HBM that programs may use, on a device of a slice of one chip.
    pub hbm_limit: i64,
    /// What each further chip of the slice takes from that, on every device.
    pub hbm_taken_by_each_chip: i64,
}

/// The files, from the oldest chip.
const FILES: [(&str, &str); 7] = [
    ("v4.toml", include_str!("../../chips/v4.toml")),
    ("v5e.toml", include_str!("../../chips/v5e.toml")),
    ("v5p.toml", include_str!("../../chips/v5p.toml")),
    ("v6e.toml", include_str!("../../chips/v6e.toml")),
    ("v7x.toml", include_str!("../../chips/v7x.toml")),
    ("v8i.toml", include_str!("../../chips/v8i.toml")),
    ("v8t.toml", include_str!("../../chips/v8t.toml")),
];

/// All chips, from the oldest.
pub fn chips() -> &'static [Chip] {
    static CHIPS: LazyLock<Vec<Chip>> = LazyLock::new(|| {
        // The files are part of the program, and a test reads each.
        FILES.iter().map(|(what, text)| file::parse(what, text).unwrap_or_else(|e| panic!("{e}"))).collect()
    });
    &CHIPS
}

impl Chip {
    /// By any of its names, in any case.
    pub fn named(name: &str) -> Option<&'static Chip> {
        let name = name.trim().to_ascii_lowercase();
        chips().iter().find(|c| c.name == name || c.aliases.contains(&name))
    }

    /// What its units can do.
    pub fn units(&self) -> &Units {
        &self.parameters.units
    }

    /// Its parameters as its file has them, in the order of [`KEYS`]; `None` where it has no such thing, or nothing is known.
    pub fn entries(&self) -> &[Option<Entry>] {
        &self.parameters.entries
    }

    /// The chip with other parameters: `mxu.columns=256`, and so on.
    ///
    /// # Errors
    /// Kind `Invalid`: there is no such key (the message names the nearest), a value is not what its key takes, or the values
    /// contradict each other.
    pub fn with<S: AsRef<str>>(&self, assignments: &[S]) -> Result<Chip> {
        let mut chip = self.clone();
        chip.parameters.set(assignments)?;
        Ok(chip)
    }

    /// The devices of a chip on a machine.
    pub fn machine(&self) -> Devices {
        let (chip, hbm) = (&self.units().chip, &self.units().hbm);
        self.devices(chip.devices, hbm.usable_bytes, hbm.taken_by_chip_bytes)
    }

    /// As topology descriptions have them, for compiling ahead of time. Other than those of a machine for v4 alone.
    pub fn described(&self) -> Devices {
        match self.slices.as_ref().and_then(|s| s.described) {
            Some(d) => self.devices(d.devices, d.usable_bytes, d.taken_by_chip_bytes),
            None => self.machine(),
        }
    }

    fn devices(&self, per_chip: u64, usable: u64, taken: u64) -> Devices {
        let int = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
        Devices {
            per_chip: usize::try_from(per_chip).unwrap_or(usize::MAX),
            num_cores: int(self.units().chip.tensorcores / per_chip),
            hbm_limit: int(usable),
            hbm_taken_by_each_chip: int(taken),
        }
    }
}

impl Units {
    /// Multiplications with their additions that the chip's matrix units do in a cycle, of bf16.
    pub fn mac_per_cycle(&self) -> f64 {
        let mxu = &self.mxu;
        // Somebody may set any of them to anything.
        let all = [self.chip.tensorcores, mxu.count, mxu.rows, mxu.columns, mxu.lhs_rows_per_cycle];
        all.map(|n| n as f64).iter().product()
    }

    /// FLOP/s of the chip's matrix units, where a cycle does `rate` times as many multiplications as of bf16
    /// ([`table::Mxu`] has the rates of other types). An addition counts too.
    pub fn peak_flops(&self, rate: f64) -> f64 {
        2.0 * self.mac_per_cycle() * rate * self.tensorcore.clock_mhz * 1e6
    }

    /// Is a device two cores, over which kernels split their grids?
    pub fn megacore(&self) -> bool {
        self.chip.tensorcores > self.chip.devices
    }
}
