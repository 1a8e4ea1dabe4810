//! The tile pipeline: how long a kernel takes that is a grid of steps, each of which needs its windows in VMEM.
//!
//! A kernel walks its grid, the last dimension fastest. A window of an operand is fetched when its place changes, while the
//! steps before compute; a window of a result is written when its place changes, while the steps after compute. Each has
//! [`Window::buffers`] buffers, two as a rule: what a step reads is fetched once the step that had the buffer before is over.
//! Fetches and writes share one channel, in the order in which they were asked for, and each takes [`Pipeline::latency`] more until it is
//! there. So a steady state takes, a step,
//!
//! ```text
//! max(C, D, (C + D + L) / 2)        C computes, D moves the step's bytes, L the latency
//! ```
//!
//! where the third term is the way around through two buffers: fetch, compute, fetch. Before it, nothing overlaps the
//! first fetch, and behind it nothing the last write.
//!
//! The recurrence is stepped; once the differences repeat from one period of the grid to the next, the rest is multiplied.

use sim_core::engine::Duration;
use smallvec::SmallVec;

/// A window of an operand or a result that lies outside of VMEM.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window {
    pub direction: Direction,
    /// Dimensions of the grid by which its place moves, as bits: 1 is the first.
    pub moves_with: u32,
    /// Its time on the channel to HBM.
    pub transfer: Duration,
    /// At least 1.
    pub buffers: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    In,
    Out,
}

/// A kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pipeline {
    /// Steps along each dimension, the outermost first. None of them: one step.
    pub grid: Vec<u64>,
    pub windows: Vec<Window>,
    /// What a step computes.
    pub step: Duration,
    /// From asking for bytes of HBM to having the first.
    pub read_latency: Duration,
    /// From the last byte of a window that is on its way to HBM to knowing that it is there.
    pub write_latency: Duration,
}

/// What a kernel does with its time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// From the start to the end.
    pub total: Duration,
    /// Of that, the units compute.
    pub computing: Duration,
    /// Of that, the channel moves bytes.
    pub moving: Duration,
}

impl Pipeline {
    /// Steps of the grid.
    pub fn steps(&self) -> u64 {
        self.grid.iter().fold(1, |n, &d| n.saturating_mul(d))
    }

    /// How long it takes when nobody else uses the channel.
    pub fn cost(&self) -> Cost {
        self.cost_within(Duration::from_ps(u64::MAX)).unwrap_or_default()
    }

    /// As [`cost`](Self::cost), unless it is found to take longer than `limit`. Not all that does is found.
    pub fn cost_within(&self, limit: Duration) -> Option<Cost> {
        let steps = self.steps();
        if steps == 0 {
            return Some(Cost::default());
        }
        let moving: Duration = self.windows.iter().map(|w| w.transfer * steps.div_ceil(self.every(w))).sum();
        let computing = self.step * steps;
        if computing.max(moving) > limit {
            return None;
        }
        let total = match self.shortened(steps) {
            Some(total) => total,
            None => self.total(steps, limit)?,
        };
        Some(Cost { total, computing, moving })
    }

    /// A window's place changes every so many steps.
    fn every(&self, window: &Window) -> u64 {
        // It stays while dimensions change that are further in than all of its own.
        let own =
            |&d: &usize| window.moves_with.checked_shr(d as u32).unwrap_or(0) & 1 == 1 && self.grid[d] > 1;
        let inner = (0..self.grid.len()).rev().find(own).map(|last| &self.grid[last + 1..]);
        inner.map_or(u64::MAX, product)
    }

    /// Of a grid that goes around its inner dimensions more often than can be walked: a part of it, and as much for each further round as for the
    /// last ones of the part.
    fn shortened(&self, steps: u64) -> Option<Duration> {
        const WALKED: u64 = 1 << 16;
        // The dimensions that are walked in full: as many of the inner ones as are few steps.
        let inner =
            (0..=self.grid.len()).find(|&d| product(&self.grid[d..]) <= WALKED).unwrap_or(self.grid.len());
        let rounds = steps / product(&self.grid[inner..]).max(1);
        if rounds <= WALKED || inner == 0 {
            return None;
        }
        let part = |rounds: u64| {
            // All outer dimensions are one.
            let windows = self.windows.iter().map(|w| {
                let outer = w.moves_with & ((1u64 << inner.min(32)) - 1) as u32 != 0;
                let moves_with = u32::from(outer) | w.moves_with.checked_shr(inner as u32).unwrap_or(0) << 1;
                Window { moves_with, ..w.clone() }
            });
            let grid: Vec<u64> = std::iter::once(rounds).chain(self.grid[inner..].iter().copied()).collect();
            let part = Pipeline { grid, windows: windows.collect(), ..self.clone() };
            part.total(part.steps(), Duration::from_ps(u64::MAX))
        };
        let (some, more) = (part(8)?, part(16)?);
        let each = more.saturating_sub(some).ps() as f64 / 8.0;
        let rest = Duration::from_seconds(each * (rounds - 16) as f64 / 1e12);
        Some(more + rest)
    }

    fn total(&self, steps: u64, limit: Duration) -> Option<Duration> {
        let mut run = Run::new(self, steps);
        // What is left is computed at least.
        let late = |run: &Run<'_>, s: u64| {
            self.step.ps().saturating_mul(steps - s).saturating_add(run.state.computed) > limit.ps()
        };
        let Some(repeats) = Repeats::of(self, steps) else {
            for s in 0..steps {
                if late(&run, s) {
                    return None;
                }
                run.step(s);
            }
            return Some(run.end());
        };
        let mut before: Option<State> = None;
        let mut s = 0;
        while s < steps {
            if s.is_multiple_of(repeats.period) {
                if late(&run, s) {
                    return None;
                }
                let round = s / repeats.period % repeats.rounds;
                // The first round of several starts otherwise than the rest, and the last ones fetch what comes behind them.
                let left = repeats.rounds.saturating_sub(round + repeats.last);
                let shift = before.as_ref().filter(|_| round > 1).and_then(|b| b.shift_to(&run.state));
                // What the next round is compared with, where it is.
                before = (round > 0 && left > 1).then(|| run.state.clone());
                if let Some(shift) = shift.filter(|_| left > 0) {
                    run.state.later(shift.saturating_mul(left));
                    s = s.saturating_add(repeats.period.saturating_mul(left));
                    before = None;
                    continue;
                }
            }
            run.step(s);
            s += 1;
        }
        Some(run.end())
    }
}

fn product(dims: &[u64]) -> u64 {
    dims.iter().fold(1, |n, &d| n.saturating_mul(d))
}

/// What of a grid repeats: `rounds` times `period` steps, again and again.
struct Repeats {
    period: u64,
    rounds: u64,
    /// Rounds before the end of which what comes behind is asked for.
    last: u64,
}

impl Repeats {
    /// The innermost dimension of several steps with what lies within it, where enough rounds are left to be worth it.
    fn of(kernel: &Pipeline, steps: u64) -> Option<Repeats> {
        /// A period longer than this is not stepped through three times.
        const LONG: u64 = 4096;
        let ahead = u64::from(kernel.windows.iter().map(|w| w.buffers).max().unwrap_or(1));
        (0..kernel.grid.len()).rev().find_map(|d| {
            let period = product(&kernel.grid[d + 1..]);
            let (rounds, last) = (kernel.grid[d], ahead.div_ceil(period) + 1);
            (period <= LONG && rounds > last + 3 && steps > 16).then_some(Repeats { period, rounds, last })
        })
    }
}

/// Where a run stands, in picoseconds from its start. What lies before `computed` is as good as there.
#[derive(Clone)]
struct State {
    /// When the units are done with the last step.
    computed: u64,
    /// When the channel is free.
    free: u64,
    /// By window, when the next steps' fetches arrive, or when its buffers are written: the next first.
    buffers: SmallVec<[Queue; 6]>,
}

/// Times of a few buffers, of which there are two as a rule: kept in place, as a run remembers where it stood.
type Queue = SmallVec<[u64; 4]>;

/// The first of them, if there is one.
fn pop(queue: &mut Queue) -> Option<u64> {
    (!queue.is_empty()).then(|| queue.remove(0))
}

impl State {
    /// How much later all of `now` is, if nothing else changed.
    fn shift_to(&self, now: &State) -> Option<u64> {
        let shift = now.computed - self.computed;
        let moved = |a: u64, b: u64| b.max(now.computed) == a.max(self.computed).saturating_add(shift);
        let same = moved(self.free, now.free)
            && self
                .buffers
                .iter()
                .zip(&now.buffers)
                .all(|(a, b)| a.iter().zip(b).all(|(&a, &b)| moved(a, b)));
        same.then_some(shift)
    }

    fn later(&mut self, shift: u64) {
        let all = self.buffers.iter_mut().flatten().chain([&mut self.computed, &mut self.free]);
        all.for_each(|t| *t = t.saturating_add(shift));
    }
}

struct Run<'a> {
    kernel: &'a Pipeline,
    steps: u64,
    /// By window.
    every: Vec<u64>,
    state: State,
}

impl<'a> Run<'a> {
    fn new(kernel: &'a Pipeline, steps: u64) -> Run<'a> {
        let buffers = kernel
            .windows
            .iter()
            .map(|w| match w.direction {
                Direction::In => Queue::new(),
                // Nothing is to be written before they can be used.
                Direction::Out => Queue::from_elem(0, w.buffers.max(1) as usize),
            })
            .collect();
        let every = kernel.windows.iter().map(|w| kernel.every(w)).collect();
        Run { kernel, steps, every, state: State { computed: 0, free: 0, buffers } }
    }

    /// Puts a transfer on the channel that is asked for now; gives the time at which its last byte is through.
    fn transfer(&mut self, length: Duration) -> u64 {
        let state = &mut self.state;
        state.free = state.free.max(state.computed).saturating_add(length.ps());
        state.free
    }

    /// Asks for what a window needs in `step`.
    fn fetch(&mut self, window: usize, step: u64) {
        let moved = step.is_multiple_of(self.every[window]);
        let arrival = match moved {
            true => {
                let through = self.transfer(self.kernel.windows[window].transfer);
                through.saturating_add(self.kernel.read_latency.ps())
            }
            // It is there, or comes for the step before.
            false => self.state.buffers[window].last().copied().unwrap_or(0),
        };
        self.state.buffers[window].push(arrival);
    }

    fn step(&mut self, step: u64) {
        let kernel = self.kernel;
        for (i, w) in kernel.windows.iter().enumerate().filter(|(_, w)| w.direction == Direction::In) {
            // The step that ended last has given one buffer back; at the start all are free.
            let ahead = u64::from(w.buffers.max(1)) - 1;
            let first = if step == 0 { 0 } else { step.saturating_add(ahead) };
            for s in first..=step.saturating_add(ahead).min(self.steps - 1) {
                self.fetch(i, s);
            }
        }
        let mut start = self.state.computed;
        for (i, w) in kernel.windows.iter().enumerate() {
            let buffers = &mut self.state.buffers[i];
            match w.direction {
                Direction::In => start = start.max(pop(buffers).unwrap_or(0)),
                Direction::Out if step.is_multiple_of(self.every[i]) => {
                    start = start.max(pop(buffers).unwrap_or(0));
                }
                Direction::Out => {}
            }
        }
        self.state.computed = start.saturating_add(kernel.step.ps());
        for (i, w) in kernel.windows.iter().enumerate().filter(|(_, w)| w.direction == Direction::Out) {
            if (step + 1).is_multiple_of(self.every[i]) || step + 1 == self.steps {
                let written = self.transfer(w.transfer).saturating_add(kernel.write_latency.ps());
                self.state.buffers[i].push(written);
            }
        }
    }

    /// When all is computed and written.
    fn end(self) -> Duration {
        let windows = self.kernel.windows.iter().zip(&self.state.buffers);
        let written = windows.filter(|(w, _)| w.direction == Direction::Out).flat_map(|(_, b)| b);
        Duration::from_ps(written.fold(self.state.computed, |t, &w| t.max(w)))
    }
}

#[cfg(test)]
mod tests;
