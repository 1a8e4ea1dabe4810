//! Kernels of the matrix units.
//!
//! The grid walks the result's columns, its rows, and the contracted dimension. `window_config` says how many steps each has
//! (`iteration_bounds`) and how large the result's window is (`output_window_bounds`, in whole tiles for the two minor dimensions); the
//! rest is how often the contracted dimension is cut. The result's lanes are the array's columns: the other side streams.

use super::beside::Vector;
use super::{Access, Busy, Kernel, Subject, Unit};
use crate::time::arrays::{Memory, physical};
use crate::time::config::MegacoreConfig;
use crate::time::product::{Role, Site};
use sim_core::chip::Units;
use sim_core::engine::Duration;
use smallvec::SmallVec;
use tensorcore::mxu::cost::Product;
use tensorcore::vmem::pipeline::Direction;

/// How a result is cut.
struct Cut {
    grid: Vec<u64>,
    /// Dimensions of the grid, as bits, by what they walk.
    rows: u32,
    columns: u32,
    batch: u32,
    contracted: u32,
    /// By physical dimension: role, size, size of a window, and whether it is the lanes'.
    dims: SmallVec<[Dim; 6]>,
    /// Windows of the contracted dimension.
    parts: u64,
}

/// A dimension of a result, in the order of memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dim {
    pub role: Role,
    /// Values.
    pub size: u64,
    /// Values of a window.
    pub window: u64,
    /// The most minor one.
    pub lanes: bool,
}

pub(super) fn cost(subject: &Subject<'_>, site: &Site) -> Kernel {
    cost_within(subject, site, &Vector::new(subject, site), None).unwrap_or_else(Kernel::nothing)
}

/// As [`cost`], unless it is found to take longer than `limit`.
pub(super) fn cost_within(
    subject: &Subject<'_>,
    site: &Site,
    vector: &Vector,
    limit: Option<Duration>,
) -> Option<Kernel> {
    let mut cut = cut(subject, site);
    let units = subject.machine.units;
    let cores = subject.machine.cores;
    let (mut time, mut padded) = products(site, &cut, subject);
    for further in &subject.contents.further {
        // In one piece: nothing is said of its windows.
        let (more, room) = products(further, &whole(further), subject);
        (time, padded) = (time + more, padded + room);
    }
    let again = [count(&cut.grid, cut.columns), count(&cut.grid, cut.rows)];
    let shared = subject.config.megacore_config.as_ref().and_then(MegacoreConfig::split).is_some();
    let mut beside = vector.busy(subject, again, shared);
    let ragged = Ragged::of(subject, &cut);
    // While groups are walked, what is their own moves with them: weights, or results.
    let (mut right_too, mut result_too) = (0, 0);
    if let Some(ragged) = &ragged {
        let met = ragged.met();
        (time, padded) = (scaled(time, met), padded * met);
        beside = Busy { vpu: scaled(beside.vpu, met), xlu: scaled(beside.xlu, met), ..beside };
        ragged.walk(&mut cut);
        [right_too, result_too] = match cut.contracted >> ragged.walked & 1 {
            0 => [1 << ragged.walked, 0],
            _ => [0, 1 << ragged.walked],
        };
    }
    let busy = Busy {
        mxu: Duration::from_ps(time.ps() / cores),
        each_step: Duration::from_us(units.mxu.step_us),
        ..beside
    };
    let sides = subject.contents.sides;
    let mut windows = Vec::new();
    for access in subject.accesses.iter().filter(|a| a.memory == Memory::Hbm && a.bytes > 0) {
        let bit = 1u64 << access.operand.min(63);
        let (left, right) = (sides[0] & bit != 0, sides[1] & bit != 0);
        let moves_with = match access.direction {
            Direction::In if left && !right => cut.rows | cut.batch | cut.contracted,
            Direction::In if right && !left => cut.columns | cut.batch | cut.contracted | right_too,
            _ => cut.rows | cut.columns | cut.batch | result_too,
        };
        let places = count(&cut.grid, moves_with);
        let once = access.bytes < places.saturating_mul(512);
        let (moves_with, places) = if once { (0, 1) } else { (moves_with, places) };
        let bytes = access.bytes as f64 / places as f64;
        let bytes = bytes * strided(subject, access, places, left, right, &cut);
        windows.push(subject.window(access.direction, moves_with, bytes));
    }
    let mut kernel = subject.kernel_within(Unit::Mxu, cut.grid, windows, busy, limit)?;
    kernel.mxu_flops = 2.0 * padded;
    if let Some(ragged) = &ragged {
        // Each row is multiplied with its own group's weights.
        kernel.flops /= ragged.groups as f64;
        kernel.product_flops /= ragged.groups as f64;
    }
    Some(kernel)
}

fn scaled(time: Duration, by: f64) -> Duration {
    Duration::from_seconds(time.seconds() * by)
}

/// A ragged product: a batch of one for each group, whose steps are left out where the window has nothing of the group's.
struct Ragged {
    /// Dimensions of the grid: groups, and what is cut into them, rows or the contracted dimension.
    group: usize,
    walked: usize,
    groups: u64,
    windows: u64,
}

impl Ragged {
    fn of(subject: &Subject<'_>, cut: &Cut) -> Option<Ragged> {
        let &[group, walked] = subject.config.mask_aggregator_config.as_ref()?.skips()? else { return None };
        let (group, walked) = (usize::try_from(group).ok()?, usize::try_from(walked).ok()?);
        let steps = |d: usize| cut.grid.get(d).copied().filter(|_| d < 32);
        (group != walked).then_some(Ragged { group, walked, groups: steps(group)?, windows: steps(walked)? })
    }

    /// Windows that are met, by all groups together. Sizes of groups are data: all groups have some, and each but the first starts
    /// within a window, which is then met twice. (With fewer groups in use, there are fewer.)
    fn steps(&self) -> u64 {
        self.windows.saturating_add(self.groups).saturating_sub(1).max(1)
    }

    /// Of all steps, those that are not left out.
    fn met(&self) -> f64 {
        self.steps() as f64 / (self.groups as f64 * self.windows as f64).max(1.0)
    }

    fn walk(&self, cut: &mut Cut) {
        cut.grid[self.group] = 1;
        cut.grid[self.walked] = self.steps();
        let bit = 1 << self.walked;
        if (cut.rows | cut.contracted) & bit == 0 {
            cut.rows |= bit;
        }
    }
}

/// Windows that `bits` of the grid make.
fn count(grid: &[u64], bits: u32) -> u64 {
    grid.iter()
        .enumerate()
        .filter(|(d, _)| *d < 32 && bits >> d & 1 == 1)
        .fold(1u64, |n, (_, &s)| n.saturating_mul(s))
        .max(1)
}

/// A product that is not cut.
fn whole(site: &Site) -> Cut {
    let mut cut =
        Cut { grid: vec![1], rows: 0, columns: 0, batch: 0, contracted: 0, dims: SmallVec::new(), parts: 1 };
    let physical = site.result.as_array().map(physical).unwrap_or_default();
    for (i, &(d, size)) in physical.iter().enumerate() {
        let (role, size) = (site.roles.get(d).copied().unwrap_or(Role::Rows), (size as u64).max(1));
        cut.dims.push(Dim { role, size, window: size, lanes: physical.len() - i == 1 });
    }
    cut
}

fn cut(subject: &Subject<'_>, site: &Site) -> Cut {
    let units = subject.machine.units;
    let Some(result) = site.result.as_array() else {
        return Cut {
            grid: vec![1],
            rows: 0,
            columns: 0,
            batch: 0,
            contracted: 0,
            dims: SmallVec::new(),
            parts: 1,
        };
    };
    let physical = physical(result);
    let rank = physical.len();
    let config = subject.config.window_config.as_ref();
    let stated = config.map(|c| &c.output_window_bounds).filter(|w| w.len() == rank && rank > 0);
    let mut dims: SmallVec<[Dim; 6]> = SmallVec::new();
    for (i, &(d, size)) in physical.iter().enumerate() {
        // The two minor dimensions are counted in tiles.
        let tile = match rank - i {
            1 => units.vpu.lanes,
            2 => units.vpu.sublanes,
            _ => 1,
        };
        let size = (size as u64).max(1);
        let window = stated.map_or(size, |w| w[i].saturating_mul(tile)).clamp(1, size);
        let role = site.roles.get(d).copied().unwrap_or(Role::Rows);
        dims.push(Dim { role, size, window, lanes: rank - i == 1 });
    }
    let grid = subject.stated_grid().unwrap_or_else(|| vec![1]);
    let mut cut = Cut { grid, rows: 0, columns: 0, batch: 0, contracted: 0, dims, parts: 1 };
    // Which dimension of the grid walks what: columns come first, where counts agree.
    let mut open: SmallVec<[(Role, u64); 6]> = SmallVec::new();
    for role in [Role::Columns, Role::Rows, Role::Batch] {
        let of = cut.dims.iter().filter(|d| d.role == role);
        open.extend(of.map(|d| (role, d.size.div_ceil(d.window))).filter(|&(_, n)| n > 1));
    }
    let skips = subject.config.mask_aggregator_config.as_ref().and_then(|m| m.skips()).unwrap_or_default();
    for (i, &n) in cut.grid.iter().enumerate().filter(|&(i, &n)| n > 1 && i < 32) {
        let bit = 1 << i;
        // A ragged product says which walks its groups, and which what is cut into them.
        let skipped = skips.iter().position(|&d| d == i as u64);
        let fits = |&(role, count): &(Role, u64)| {
            count == n
                && match skipped {
                    Some(0) => role == Role::Batch,
                    Some(_) => role == Role::Rows,
                    None => true,
                }
        };
        match open.iter().position(fits).map(|at| open.remove(at).0) {
            Some(Role::Columns) => cut.columns |= bit,
            Some(Role::Rows) => cut.rows |= bit,
            Some(Role::Batch) => cut.batch |= bit,
            None => cut.contracted |= bit,
        }
    }
    cut.parts = count(&cut.grid, cut.contracted);
    cut
}

/// How long the matrix units take on one core for everything, and what they multiply, padding included.
fn products(site: &Site, cut: &Cut, subject: &Subject<'_>) -> (Duration, f64) {
    products_of(site, &cut.dims, cut.parts, subject.machine.units)
}

/// What is multiplied, and what of it is in one window.
struct Sizes {
    /// So many times.
    batch: f64,
    /// Columns of the array.
    held: (u64, u64),
    streamed: (u64, u64),
    contracted: (u64, u64),
}

impl Sizes {
    fn of(site: &Site, dims: &[Dim], parts: u64, units: &Units) -> Sizes {
        // The lanes' dimension fills the array's columns; where it is a batch, the columns are the right side's.
        let lanes = dims.iter().find(|d| d.lanes && d.role != Role::Batch);
        let side = lanes.map_or(Role::Columns, |d| d.role);
        let (mut held, mut streamed) = ((1u64, 1u64), (1u64, 1u64));
        let mut batch = 1.0;
        for d in dims {
            match d.role {
                Role::Batch => batch *= d.size as f64,
                role if role == side && (d.lanes || lanes.is_none()) => {
                    held = (held.0.saturating_mul(d.size), held.1.saturating_mul(d.window));
                }
                // Of the held side, too, but one after the other.
                role if role == side => batch *= d.size as f64,
                _ => streamed = (streamed.0.saturating_mul(d.size), streamed.1.saturating_mul(d.window)),
            }
        }
        // The contracted dimension is cut in whole tiles.
        // Places of a window follow each other in it: 3 x 3 places of 64 channels are 576 rows of the array.
        let all = ((site.contracted as f64 * site.taps).round() as u64).max(1);
        let tiles = all.div_ceil(units.vpu.lanes);
        let contracted = (all, tiles.div_ceil(parts).saturating_mul(units.vpu.lanes).min(all));
        Sizes { batch, held, streamed, contracted }
    }
}

/// Seconds of the matrix units of one core that no windows go below.
pub(super) fn least(site: &Site, dims: &[Dim], units: &Units) -> f64 {
    let Sizes { batch, held, streamed, contracted } = Sizes::of(site, dims, 1, units);
    let (operand, precision) = (site.operand, site.precision);
    let product =
        Product { batch: 1, rows: streamed.0, contracted: contracted.0, columns: held.0, operand, precision };
    product.least(units) * batch
}

/// As [`products`], of a result whose dimensions are cut so, and a contracted one that is cut in `parts`.
pub(super) fn products_of(site: &Site, dims: &[Dim], parts: u64, units: &Units) -> (Duration, f64) {
    let Sizes { batch, held, streamed, contracted } = Sizes::of(site, dims, parts, units);
    let (mut time, mut padded) = (0.0, 0.0);
    for (rows, times_r) in pieces(streamed) {
        for (columns, times_c) in pieces(held) {
            for (contracted, times_k) in pieces(contracted) {
                let product = Product {
                    batch: 1,
                    rows,
                    contracted,
                    columns,
                    operand: site.operand,
                    precision: site.precision,
                };
                let times = times_r * times_c * times_k * batch;
                time += product.time(units).seconds() * times;
                padded += product.padded(units) * times;
            }
        }
    }
    (Duration::from_seconds(time), padded)
}

/// Whole windows and the rest, with how many there are of each.
fn pieces((size, window): (u64, u64)) -> impl Iterator<Item = (u64, f64)> {
    let window = window.max(1);
    let rest = size % window;
    [(window, (size / window) as f64), (rest, 1.0)].into_iter().filter(|&(n, times)| n > 0 && times > 0.0)
}

/// How many times its bytes a window costs HBM, since its rows are pieces of longer ones.
fn strided(
    subject: &Subject<'_>,
    &Access { array, whole: bytes, direction, .. }: &Access<'_>,
    places: u64,
    left: bool,
    right: bool,
    cut: &Cut,
) -> f64 {
    let physical = physical(array);
    let (Some(&(_, lanes)), true) = (physical.last(), places > 1) else { return 1.0 };
    // A row of tiles lies together; the rows before it are counted in tiles of the layout.
    let rows_of_tiles = array.layout.as_ref().and_then(|l| l.tiles.first()).map_or(1, |t| match t.0[..] {
        [rows, _] => rows.max(1) as u64,
        _ => 1,
    });
    let rows = physical.iter().rev().nth(1).map_or(1, |&(_, n)| (n as u64).div_ceil(rows_of_tiles));
    let major: u64 = physical.iter().rev().skip(2).fold(1, |n, &(_, d)| n.saturating_mul(d as u64));
    let row = bytes / rows.max(1).saturating_mul(major.max(1)).max(1);
    // Which part of the minor dimension a window has: the contracted one's, or the result's.
    let minor = lanes as u64;
    let window = match direction {
        Direction::Out => cut.dims.iter().find(|d| d.lanes).map_or(minor, |d| d.window),
        Direction::In => {
            let own = |role: Role| {
                cut.dims.iter().filter(move |d| d.role == role && d.size == minor && d.window < d.size)
            };
            let role = if left && !right { Role::Rows } else { Role::Columns };
            match own(role).next() {
                Some(d) if left != right => d.window,
                None if left != right && cut.parts > 1 => {
                    // It is the contracted dimension, if it is as long.
                    let rows_cut = own_rows(cut, role, &physical);
                    if rows_cut { minor } else { minor.div_ceil(128).div_ceil(cut.parts).saturating_mul(128) }
                }
                _ => minor,
            }
        }
    };
    if window >= minor || row == 0 {
        return 1.0;
    }
    hbm::dma::unaligned(row, subject.machine.units)
}

/// Is the minor dimension of an operand its own role's, so that the contracted one runs along rows?
fn own_rows(cut: &Cut, role: Role, physical: &[(usize, usize)]) -> bool {
    let minor = physical.last().map_or(1, |&(_, n)| n as u64);
    cut.dims.iter().any(|d| d.role == role && d.size == minor)
}
