//! The formula: about how long a kernel takes with some windows, the steady state of the tile pipeline, and what it cannot go below.

use super::grid::{BATCH, COLUMNS, Cut, ROWS, Windows, shareable};
use crate::time::arrays::Memory;
use crate::time::kernel::choice::{Choosable, Moves};
use sim_core::engine::Duration;
use smallvec::{SmallVec, smallvec};
use tensorcore::vmem::pipeline::Direction;

/// What the formula needs of a kernel, whatever its windows.
pub(super) struct Shared {
    cores: u64,
    /// Seconds on the channel of one core, for all of an array.
    transfers: SmallVec<[(Moves, Direction, f64); 6]>,
    /// Of those, by what their windows move with.
    sums: [(Moves, f64); 3],
    /// Seconds that the units of one core are busy at least, if it does all.
    busy: f64,
    /// Seconds.
    step: f64,
    latency: f64,
}

impl Shared {
    pub fn new(choosable: &Choosable<'_>) -> Shared {
        let machine = choosable.machine();
        let rate = choosable.rate();
        let in_hbm = choosable.touched().filter(|(a, _)| a.memory == Memory::Hbm);
        let transfers: SmallVec<[(Moves, Direction, f64); 6]> =
            in_hbm.map(|(a, moves)| (moves, a.direction, a.bytes as f64 / rate)).collect();
        let of = |moves: Moves| transfers.iter().filter(|t| t.0 == moves).map(|t| t.2).sum();
        let sums = [Moves::Left, Moves::Right, Moves::Result].map(|moves| (moves, of(moves)));
        let busy = choosable.multiplying_least();
        let step = Duration::from_us(machine.units.mxu.step_us).seconds();
        let latency = Duration::from_us(machine.units.dma.read_latency_us).seconds();
        Shared { cores: machine.cores, transfers, sums, busy, step, latency }
    }

    /// Picoseconds that [`estimate`](Self::estimate) does not go below, however cores share these windows, where vector units take
    /// `before` alone; 0 where nothing is known.
    pub fn least(&self, windows: &Windows, before: Duration) -> f64 {
        /// Whole picoseconds of each window, and sums in another order.
        const ROUNDED: f64 = 1.0 - 1e-3;
        if windows.ragged.is_some() {
            return 0.0;
        }
        let grid = windows.steps.map(|n| n as f64);
        let busy = self.busy / self.cores as f64 + before.seconds();
        let mut least = self.least_of(windows, grid, 1.0, busy);
        if self.cores > 1 {
            for role in [BATCH, COLUMNS, ROWS].into_iter().filter(|&r| windows.steps[r] > 1) {
                let mut own = grid;
                own[role] = (own[role] / self.cores as f64).ceil();
                least = least.min(self.least_of(windows, own, self.cores as f64, busy));
            }
        }
        least * 1e12 * ROUNDED
    }

    /// Seconds of one core's grid.
    fn least_of(&self, windows: &Windows, grid: [f64; 4], slower: f64, busy: f64) -> f64 {
        let n = grid.iter().product::<f64>();
        let moved = self.sums.iter().map(|&(moves, seconds)| {
            let own = windows.moves_with(moves);
            let places: f64 = own.iter().map(|&i| windows.steps[i] as f64).product();
            let inner = own.iter().copied().filter(|&i| grid[i] > 1.0).max();
            seconds / places * slower * inner.map_or(1.0, |i| grid[..=i].iter().product())
        });
        let moved = moved.sum::<f64>();
        let computed = busy + n * self.step;
        let latency = if self.transfers.is_empty() { 0.0 } else { self.latency };
        computed.max(moved).max((computed + moved + n * latency) / 2.0)
    }

    /// The roles that cores may share, and no sharing.
    pub fn splits(&self, chosen: &[&Cut; 3]) -> SmallVec<[Option<usize>; 4]> {
        let mut out: SmallVec<[Option<usize>; 4]> = smallvec![None];
        if self.cores > 1 {
            let can = |c: &Cut| c.windows.iter().any(|&(_, steps)| shareable(steps, self.cores));
            out.extend((0..chosen.len()).filter(|&i| can(chosen[i])).map(Some));
        }
        out
    }

    /// Picoseconds that a core takes, and its steps, where the units of each of all cores are busy for so many seconds: the steady state of two buffers, with what lies before and behind it.
    pub fn estimate(&self, windows: &Windows, busy: f64, split: Option<usize>) -> (u64, u64) {
        let mut grid = windows.walked();
        let busy = windows.ragged.map_or(busy, |cut| busy * grid[cut] / windows.steps[cut].max(1) as f64);
        // A core that works with others has its share of HBM, and of the work.
        let (slower, work) = match split {
            Some(role) => {
                grid[role] = (grid[role] / self.cores as f64).ceil();
                (self.cores as f64, busy)
            }
            None => (1.0, busy * self.cores as f64),
        };
        let n = grid.iter().product::<f64>().max(1.0);
        let (mut moved, mut first, mut last) = (0.0, 0.0, 0.0f64);
        for &(moves, direction, seconds) in &self.transfers {
            let (_, places) = windows.share(moves);
            let window = seconds / places as f64 * slower;
            // It is fetched again whenever a dimension further out than its innermost one goes on.
            let inner = windows.moves_with(moves).iter().copied().filter(|&i| grid[i] > 1.0).max();
            let times = inner.map_or(1.0, |i| grid[..=i].iter().product());
            moved += window * times;
            match direction {
                Direction::In => first += window,
                Direction::Out => last += window,
            }
        }
        let (computed, moved_step) = (work / n + self.step, moved / n);
        let latency = if self.transfers.is_empty() { 0.0 } else { self.latency };
        let each = computed.max(moved_step).max((computed + moved_step + latency) / 2.0);
        let total = each * (n - 1.0) + computed + first + last + latency;
        (Duration::from_seconds(total).ps(), n as u64)
    }
}
