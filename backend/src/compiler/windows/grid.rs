//! The grids that there are, and the best of them.
//!
//! A dimension of T tiles is cut into n windows of ceil(T / n), as XLA:TPU cuts it: 512 tiles in three of 171. A role's dimensions are cut from
//! the outermost in, the next only when those before are cut into single values. Of all that fits VMEM, a formula (the steady state of
//! the tile pipeline) finds the few that are worth simulating.

use super::formula::Shared;
use super::room::Room;
use super::tiles;
use crate::time::config::{BackendConfig, MegacoreConfig, Text, WindowConfig};
use crate::time::kernel::Kernel;
use crate::time::kernel::choice::{Choosable, Dim, Moves};
use crate::time::product::Role;
use sim_core::engine::Duration;
use smallvec::SmallVec;
use std::cmp::Reverse;

/// A kernel's windows, as they were chosen.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Choice {
    /// Steps along batches, columns, rows, places of the window, and the contracted dimension.
    pub iteration: Vec<u64>,
    /// Of the result, in tiles, in the order of memory.
    pub result: Vec<u64>,
    /// By logical dimension of the result, values of a window.
    pub values: Vec<u64>,
    /// Values of the contracted dimension in a window.
    pub contracted: u64,
    /// The dimension of the grid that cores share; -1: none. `None` on a device of one core.
    pub split: Option<i64>,
    /// Bytes of VMEM that it takes.
    pub vmem: u64,
}

/// How a grid cuts the product.
#[derive(Clone, Debug)]
pub(super) struct Windows {
    /// What of all batches, columns, rows and contracted values a window has.
    of: [f64; 4],
    /// Steps along them.
    pub steps: [u64; 4],
    pub parts: u64,
    /// Values of the contracted dimension in a window.
    pub contracted: u64,
    /// Batches times rows of a window.
    pub streamed: f64,
    /// Batches are groups of a ragged product: what is cut into groups, rows or the contracted dimension.
    pub ragged: Option<usize>,
}

pub(super) const BATCH: usize = 0;
pub(super) const COLUMNS: usize = 1;
pub(super) const ROWS: usize = 2;
const CONTRACTED: usize = 3;

impl Windows {
    /// What of an array a window has, and how many windows there are.
    pub fn share(&self, moves: Moves) -> (f64, u64) {
        let with = self.moves_with(moves);
        let of = with.iter().fold(1.0, |of, &i| of * self.of[i]);
        (of, with.iter().fold(1u64, |n, &i| n.saturating_mul(self.steps[i])))
    }

    pub fn moves_with(&self, moves: Moves) -> &'static [usize] {
        match moves {
            // Only one of the three is its group's own.
            Moves::Left if self.ragged.is_some() => &[ROWS, CONTRACTED],
            Moves::Result if self.ragged == Some(ROWS) => &[COLUMNS, ROWS],
            Moves::Right if self.ragged == Some(CONTRACTED) => &[COLUMNS, CONTRACTED],
            Moves::Left => &[BATCH, ROWS, CONTRACTED],
            Moves::Right => &[BATCH, COLUMNS, CONTRACTED],
            Moves::Result => &[BATCH, COLUMNS, ROWS],
        }
    }

    /// Steps along each, on average: what comes in groups is walked once by all of them together, and once more where one ends.
    pub fn walked(&self) -> [f64; 4] {
        let mut steps = self.steps.map(|n| n as f64);
        if let Some(cut) = self.ragged {
            steps[cut] = (steps[cut] + steps[BATCH] - 1.0) / steps[BATCH].max(1.0);
        }
        steps
    }
}

/// One way to cut the dimensions of a role.
#[derive(Clone, Debug)]
pub(super) struct Cut {
    /// By dimension of the role, in tiles: the window, and how many there are.
    pub windows: SmallVec<[(u64, u64); 4]>,
    steps: u64,
    /// What of all values a window has.
    of: f64,
}

/// A dimension in tiles.
#[derive(Clone, Copy, Debug)]
struct Extent {
    /// Place in the order of memory, and the logical number.
    place: usize,
    logical: usize,
    dim: Dim,
    tiles: u64,
    tile: u64,
}

struct Candidate {
    /// Picoseconds, by the formula.
    estimate: u64,
    steps: u64,
    cuts: [u32; 3],
    contracted: u32,
    /// The role that cores share.
    split: Option<usize>,
    vmem: u64,
}

/// More than that are not simulated: the formula is off by less than they differ.
const SIMULATED: usize = 24;

/// The best choice for a kernel; `None` where nothing fits.
pub(super) fn best(choosable: &mut Choosable<'_>) -> Option<Choice> {
    let machine = choosable.machine();
    let units = machine.units;
    let dims = choosable.dims();
    let rank = dims.len();
    let extents: SmallVec<[Extent; 6]> = dims
        .iter()
        .enumerate()
        .map(|(place, &(logical, dim))| {
            let (tiles, tile) = tiles(dim.size, place, rank, units);
            Extent { place, logical, dim, tiles, tile }
        })
        .collect();
    let of = |role: Role| {
        extents.iter().copied().filter(|e| e.dim.role == role).collect::<SmallVec<[Extent; 4]>>()
    };
    // In the order of the grid: rows by their logical order, as XLA:TPU has them.
    let roles = [of(Role::Batch), of(Role::Columns), of(Role::Rows)];
    let cuts: [Vec<Cut>; 3] = [cuts(&roles[BATCH]), cuts(&roles[COLUMNS]), cuts(&roles[ROWS])];
    let lanes = units.vpu.lanes.max(1);
    let deep = choosable.site.contracted.max(1).div_ceil(lanes);
    let parts: Vec<(u64, u64)> = lengths(deep);
    let room = Room::new(choosable);
    let all = choosable.site.contracted.max(1);
    let ragged = choosable.ragged().map(|walked| if walked == ROWS as u64 { ROWS } else { CONTRACTED });
    let cut_so = |chosen: [&Cut; 3], (window, parts): (u64, u64)| Windows {
        of: [chosen[BATCH].of, chosen[COLUMNS].of, chosen[ROWS].of, window as f64 / deep as f64],
        steps: [chosen[BATCH].steps, chosen[COLUMNS].steps, chosen[ROWS].steps, parts],
        parts,
        contracted: window.saturating_mul(lanes).min(all),
        ragged,
        streamed: [ROWS, BATCH].iter().map(|&i| values(&roles[i], chosen[i])).product(),
    };
    let fits = |windows: &Windows| {
        let needed = room.needed(windows);
        (needed.searched <= units.vmem.scoped_bytes).then_some(needed.used)
    };
    // The smallest windows, which fit wherever any do.
    let least_rows = cuts[ROWS].last()?;
    let least_contracted = *parts.last()?;
    let shared = Shared::new(choosable);
    let mut candidates = Fewest::default();
    for (b, batch) in cuts[BATCH].iter().enumerate() {
        // Weights of one group at a time.
        if ragged.is_some() && batch.windows.iter().any(|&(n, _)| n > 1) {
            continue;
        }
        for (c, columns) in cuts[COLUMNS].iter().enumerate() {
            if fits(&cut_so([batch, columns, least_rows], least_contracted)).is_none() {
                continue;
            }
            for (r, rows) in cuts[ROWS].iter().enumerate() {
                let chosen = [batch, columns, rows];
                // More parts of the contracted dimension move no less.
                let uncut = cut_so(chosen, parts[0]);
                if candidates.are_below(shared.least(&uncut, Duration::ZERO))
                    || fits(&cut_so(chosen, least_contracted)).is_none()
                {
                    continue;
                }
                let vector =
                    [false, true].map(|shared| choosable.vector([columns.steps, rows.steps], shared));
                let least = vector[0].1.min(vector[1].1);
                let cut = cut_dims(&extents, &roles, chosen);
                for (k, &part) in parts.iter().enumerate() {
                    let windows = cut_so(chosen, part);
                    if candidates.are_below(shared.least(&windows, least)) {
                        continue;
                    }
                    let Some(vmem) = fits(&windows) else { continue };
                    let multiplying = choosable.multiplying(&cut, windows.parts).seconds();
                    for split in shared.splits(&chosen) {
                        let (beside, before) = vector[usize::from(split.is_some())];
                        let each = multiplying / machine.cores as f64;
                        let busy = each.max(beside.seconds()) + before.seconds();
                        let (estimate, steps) = shared.estimate(&windows, busy, split);
                        let cuts = [b as u32, c as u32, r as u32];
                        let contracted = k as u32;
                        candidates.add(Candidate { estimate, steps, cuts, contracted, split, vmem });
                    }
                }
            }
        }
    }
    let mut found: Option<(Rank, Choice)> = None;
    for candidate in candidates.in_order() {
        let [b, c, r] = candidate.cuts.map(|i| i as usize);
        let chosen = [&cuts[BATCH][b], &cuts[COLUMNS][c], &cuts[ROWS][r]];
        let (window, parts) = parts[candidate.contracted as usize];
        let choice =
            choice(choosable, &roles, chosen, (window.saturating_mul(lanes), parts), &candidate, rank);
        let limit = found.as_ref().map(|(best, _)| best.0);
        let cost = choosable.cost_within(choice.stated(choosable.config()), limit);
        let Some(Kernel { time, steps, .. }) = cost else { continue };
        let key = (time, steps, Reverse(choice.vmem));
        if found.as_ref().is_none_or(|(best, _)| key < *best) {
            found = Some((key, choice));
        }
    }
    found.map(|(_, choice)| choice)
}

/// Time, steps, and VMEM: the least is the best.
type Rank = (Duration, u64, Reverse<u64>);

/// Those that are worth simulating: the cheapest; of equals, those of the fewest steps, the largest windows, and those that came first.
#[derive(Default)]
struct Fewest {
    all: Vec<Candidate>,
    /// The one that goes next.
    worst: usize,
}

impl Fewest {
    fn key(c: &Candidate) -> (u64, u64, Reverse<u64>) {
        (c.estimate, c.steps, Reverse(c.vmem))
    }

    /// Are there enough that take less than that?
    fn are_below(&self, ps: f64) -> bool {
        self.all.len() == SIMULATED && ps > self.all[self.worst].estimate as f64
    }

    fn add(&mut self, candidate: Candidate) {
        if self.all.len() < SIMULATED {
            self.all.push(candidate);
        } else if Self::key(&candidate) < Self::key(&self.all[self.worst]) {
            // The others stay in the order in which they came.
            self.all.remove(self.worst);
            self.all.push(candidate);
        } else {
            return;
        }
        let last = self.all.iter().enumerate().max_by_key(|(_, c)| Self::key(c));
        self.worst = last.map_or(0, |(i, _)| i);
    }

    fn in_order(mut self) -> Vec<Candidate> {
        self.all.sort_by_key(Self::key);
        self.all
    }
}

/// Lengths of windows of `tiles`, the longest first, with how many there are. Of many short ones, those that differ by an eighth.
fn lengths(tiles: u64) -> Vec<(u64, u64)> {
    /// Cut into no more windows than that, every length counts.
    const ALL: u64 = 16;
    let (mut window, mut n) = (tiles.max(1), 1u64);
    let mut out = vec![(window, n)];
    while window > 1 {
        let shorter = if n < ALL { 1 } else { (window / 8).max(1) };
        n = tiles.div_ceil(window - shorter).max(n + 1);
        window = tiles.div_ceil(n);
        out.push((window, tiles.div_ceil(window)));
    }
    out
}

/// The ways to cut a role's dimensions, uncut first.
fn cuts(extents: &[Extent]) -> Vec<Cut> {
    let full: SmallVec<[(u64, u64); 4]> = extents.iter().map(|e| (e.tiles, 1)).collect();
    let cut = |windows: SmallVec<[(u64, u64); 4]>| {
        let steps = windows.iter().fold(1u64, |n, w| n.saturating_mul(w.1));
        let of = windows.iter().zip(extents).fold(1.0, |of, (w, e)| of * (w.0 as f64 / e.tiles as f64));
        Cut { windows, steps, of }
    };
    let mut out = vec![cut(full.clone())];
    let mut windows = full;
    for (i, e) in extents.iter().enumerate().filter(|(_, e)| e.tiles > 1) {
        for length in lengths(e.tiles).into_iter().skip(1) {
            windows[i] = length;
            out.push(cut(windows.clone()));
        }
        // Further dimensions are cut within single values of this one.
        windows[i] = (1, e.tiles);
    }
    out
}

/// Values of a role in one window.
fn values(extents: &[Extent], cut: &Cut) -> f64 {
    let of = |(e, w): (&Extent, &(u64, u64))| w.0.saturating_mul(e.tile).min(e.dim.size) as f64;
    extents.iter().zip(&cut.windows).map(of).product()
}

/// The dimensions of the result, cut.
fn cut_dims(extents: &[Extent], roles: &[SmallVec<[Extent; 4]>; 3], chosen: [&Cut; 3]) -> SmallVec<[Dim; 6]> {
    let mut out: SmallVec<[Dim; 6]> = extents.iter().map(|e| e.dim).collect();
    for (of, cut) in roles.iter().zip(chosen) {
        for (e, &(window, _)) in of.iter().zip(&cut.windows) {
            out[e.place].window = window.saturating_mul(e.tile).clamp(1, e.dim.size);
        }
    }
    out
}

fn choice(
    choosable: &Choosable<'_>,
    roles: &[SmallVec<[Extent; 4]>; 3],
    chosen: [&Cut; 3],
    (contracted, parts): (u64, u64),
    candidate: &Candidate,
    rank: usize,
) -> Choice {
    let mut result = vec![1; rank];
    let mut values = vec![1; rank];
    let mut iteration = Vec::new();
    let mut split = None;
    for (role, (of, cut)) in roles.iter().zip(chosen).enumerate() {
        let mut dims: SmallVec<[(Extent, (u64, u64)); 4]> =
            of.iter().copied().zip(cut.windows.iter().copied()).collect();
        dims.sort_by_key(|(e, _)| e.logical);
        for (e, (window, steps)) in dims {
            result[e.place] = window;
            if let Some(v) = values.get_mut(e.logical) {
                *v = window.saturating_mul(e.tile).clamp(1, e.dim.size);
            }
            if candidate.split == Some(role) && split.is_none() && shareable(steps, choosable.machine().cores)
            {
                split = Some(iteration.len() as i64);
            }
            iteration.push(steps);
        }
    }
    // Places of the window, which are not cut.
    iteration.extend(std::iter::repeat_n(1, rank.saturating_sub(2)));
    iteration.push(parts);
    let contracted = contracted.min(choosable.site.contracted.max(1));
    let split = (choosable.machine().cores > 1).then_some(split.unwrap_or(-1));
    Choice { iteration, result, values, contracted, split, vmem: candidate.vmem }
}

/// Can cores share a dimension of the grid, none of them waiting for another?
pub(super) fn shareable(steps: u64, cores: u64) -> bool {
    steps > 1 && steps.is_multiple_of(cores)
}

impl Choice {
    /// As a dump would state it.
    fn stated(&self, own: &BackendConfig) -> BackendConfig {
        let windows = WindowConfig {
            output_window_bounds: self.result.clone(),
            iteration_bounds: self.iteration.clone(),
            buffering_level: 2,
            ..WindowConfig::default()
        };
        let split = self.split.map(|d| MegacoreConfig { megacore_split_dim: Text(d.to_string()) });
        BackendConfig { window_config: Some(windows), megacore_config: split, ..own.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dimensions_are_cut_evenly() {
        assert_eq!(lengths(1), [(1, 1)]);
        assert_eq!(lengths(0), [(1, 1)]);
        assert_eq!(lengths(5), [(5, 1), (3, 2), (2, 3), (1, 5)]);
        assert_eq!(lengths(512)[..4], [(512, 1), (256, 2), (171, 3), (128, 4)]);
        assert!(lengths(1024).contains(&(205, 5)) && lengths(2048).len() < 60);
        assert!(lengths(u64::MAX).len() < 400);
    }
}
