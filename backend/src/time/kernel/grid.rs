//! Grids: as the dump states them, or as they are chosen here.

use super::Subject;

impl Subject<'_> {
    /// Steps along each dimension, as the compiler chose them.
    pub(super) fn stated_grid(&self) -> Option<Vec<u64>> {
        let bounds = &self.config.window_config.as_ref()?.iteration_bounds;
        (!bounds.is_empty() && bounds.iter().all(|&n| n > 0)).then(|| bounds.clone())
    }

    /// A grid of one dimension whose windows of `bytes` fit the VMEM of a kernel twice.
    pub(super) fn chosen_grid(&self, bytes: u64) -> Vec<u64> {
        let room = (self.machine.units.vmem.scoped_bytes / 4).max(1);
        vec![bytes.div_ceil(room).max(1)]
    }
}

/// What one of several cores walks: the first dimension that they can share is cut.
pub(super) fn split(mut grid: Vec<u64>, cores: u64, shared: u32) -> Vec<u64> {
    let first = (0..grid.len()).find(|&d| grid[d] >= cores && (d > 31 || shared >> d & 1 == 0));
    if let Some(d) = first {
        grid[d] = grid[d].div_ceil(cores);
    }
    grid
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn cores_share_the_first_dimension_that_they_can() {
        assert_eq!(split(vec![8, 3], 2, 0), [4, 3]);
        assert_eq!(split(vec![8, 3], 2, 1), [8, 2]);
        assert_eq!(split(vec![1, 1], 2, 0), [1, 1]);
        assert_eq!(split(vec![7], 1, 0), [7]);
    }
}
