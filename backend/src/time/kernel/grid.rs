//! Grids: as the dump states them, or as they are chosen here.

use super::{Busy, Kernel, Subject, Unit};
use crate::time::arrays::Memory;
use crate::time::config::{BackendConfig, MegacoreConfig};
use sim_core::engine::Duration;

impl Subject<'_> {
    /// Steps along each dimension, as the compiler chose them.
    pub(super) fn stated_grid(&self) -> Option<Vec<u64>> {
        let bounds = &self.config.window_config.as_ref()?.iteration_bounds;
        (!bounds.is_empty() && bounds.iter().all(|&n| n > 0)).then(|| bounds.clone())
    }

    /// Bytes of HBM that it touches.
    pub(super) fn hbm_bytes(&self) -> u64 {
        let (read, written, _) = self.traffic;
        read.saturating_add(written)
    }

    /// The best of the grids of one dimension whose windows in all fit the VMEM of a kernel twice.
    ///
    /// Steps are powers of two, so that more VMEM only adds to what there is to choose from.
    pub(super) fn choose(&self, kernel: impl Fn(Vec<u64>) -> Kernel) -> Kernel {
        let bytes = self.hbm_bytes();
        let room = (self.machine.units.vmem.scoped_bytes / 2).max(1);
        let needed = bytes.div_ceil(room).max(1).checked_next_power_of_two().unwrap_or(1 << 63);
        // What lies in VMEM needs no more than one.
        let most = if bytes == 0 { 1 } else { needed.max(64) };
        let grids = std::iter::successors(Some(needed), |n| n.checked_mul(2)).take_while(|&n| n <= most);
        let mut best: Option<Kernel> = None;
        for steps in grids {
            let next = kernel(vec![steps]);
            if best.as_ref().is_none_or(|b| next.time < b.time) {
                best = Some(next);
            }
        }
        best.unwrap_or_else(|| kernel(vec![1]))
    }

    /// As [`choose`](Self::choose), where each step has its share of every array.
    pub(super) fn in_passes(&self, unit: Unit, busy: Busy) -> Kernel {
        self.choose(|grid| {
            let steps = grid[0] as f64;
            let in_hbm = self.accesses.iter().filter(|a| a.memory == Memory::Hbm && a.bytes > 0);
            let windows = in_hbm.map(|a| self.window(a.direction, 1, a.bytes as f64 / steps)).collect();
            self.kernel(unit, grid, windows, busy, Duration::ZERO)
        })
    }
}

/// What one of several cores walks, and whether they share the kernel at all: along the dimension that the dump states; in a grid of ours,
/// along its first; else one core does it all.
pub(super) fn split(mut grid: Vec<u64>, cores: u64, config: &BackendConfig) -> (Vec<u64>, bool) {
    if cores == 1 {
        return (grid, true);
    }
    let stated = config.megacore_config.as_ref().and_then(MegacoreConfig::split);
    let ours = config.window_config.is_none() && grid.first().is_some_and(|&n| n >= cores);
    let along = stated.or(ours.then_some(0)).filter(|&d| d < grid.len());
    if let Some(d) = along {
        grid[d] = grid[d].div_ceil(cores);
    }
    (grid, along.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::config::{Text, WindowConfig};

    #[test]
    fn cores_share_what_the_dump_says() {
        let says = |split: Option<i64>| BackendConfig {
            window_config: Some(WindowConfig::default()),
            megacore_config: split.map(|d| MegacoreConfig { megacore_split_dim: Text(d.to_string()) }),
            ..BackendConfig::default()
        };
        assert_eq!(split(vec![8, 3], 2, &says(Some(0))), (vec![4, 3], true));
        assert_eq!(split(vec![8, 3], 2, &says(Some(1))), (vec![8, 2], true));
        assert_eq!(split(vec![8, 3], 2, &says(None)), (vec![8, 3], false));
        assert_eq!(split(vec![8, 3], 2, &says(Some(-1))), (vec![8, 3], false));
        assert_eq!(split(vec![8, 3], 2, &says(Some(7))), (vec![8, 3], false));
        assert_eq!(split(vec![8], 2, &BackendConfig::default()), (vec![4], true));
        assert_eq!(split(vec![1], 2, &BackendConfig::default()), (vec![1], false));
        assert_eq!(split(vec![7], 1, &says(None)), (vec![7], true));
    }
}
