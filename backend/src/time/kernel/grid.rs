//! Grids: as the dump states them, or as they are chosen here.

use super::{Kernel, Subject};

impl Subject<'_> {
    /// Steps along each dimension, as the compiler chose them.
    pub(super) fn stated_grid(&self) -> Option<Vec<u64>> {
        let bounds = &self.config.window_config.as_ref()?.iteration_bounds;
        (!bounds.is_empty() && bounds.iter().all(|&n| n > 0)).then(|| bounds.clone())
    }

    /// The best of the grids of one dimension whose windows of `bytes` in all fit the VMEM of a kernel twice.
    ///
    /// Steps are powers of two, so that more VMEM only adds to what there is to choose from.
    pub(super) fn choose(&self, bytes: u64, kernel: impl Fn(Vec<u64>) -> Kernel) -> Kernel {
        let room = (self.machine.units.vmem.scoped_bytes / 2).max(1);
        let needed = bytes.div_ceil(room).max(1).checked_next_power_of_two().unwrap_or(1 << 63);
        // What lies in VMEM needs no more than one.
        let most = if bytes == 0 { 1 } else { needed.max(64) };
        let mut best: Option<Kernel> = None;
        let mut steps = needed;
        while steps <= most {
            let next = kernel(vec![steps]);
            if best.as_ref().is_none_or(|b| next.time < b.time) {
                best = Some(next);
            }
            steps *= 2;
        }
        best.unwrap_or_else(|| kernel(vec![1]))
    }
}

/// What one of several cores walks: the first dimension that they can share is cut. `false`: one core has to do it all.
pub(super) fn split(mut grid: Vec<u64>, cores: u64, shared: u32) -> (Vec<u64>, bool) {
    let first = (0..grid.len()).find(|&d| grid[d] >= cores && (d > 31 || shared >> d & 1 == 0));
    if let Some(d) = first {
        grid[d] = grid[d].div_ceil(cores);
    }
    (grid, first.is_some())
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn cores_share_the_first_dimension_that_they_can() {
        assert_eq!(split(vec![8, 3], 2, 0), (vec![4, 3], true));
        assert_eq!(split(vec![8, 3], 2, 1), (vec![8, 2], true));
        assert_eq!(split(vec![1, 1], 2, 0), (vec![1, 1], false));
        assert_eq!(split(vec![7], 1, 0), (vec![7], true));
    }
}
