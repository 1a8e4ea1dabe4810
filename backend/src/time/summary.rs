//! What a timing comes to: the kernels by their share, and how busy the units were.

use super::kernel::{Bound, Kernel, Sharing};
use super::program::{Item, ItemId, Step};
use super::{Row, Timing};
use rustc_hash::FxHashSet;
use sim_core::engine::{Duration, Time};

/// One instruction of the program, over all its runs.
#[derive(Clone, Debug)]
pub struct KernelRow<'a> {
    pub id: ItemId,
    pub item: &'a Item,
    pub runs: u64,
    pub first: Time,
    /// All runs together.
    pub time: Duration,
    /// Asynchronous ones only: how long the TensorCore waited for them.
    pub waited: Duration,
    /// One run that has the device for itself.
    pub alone: Duration,
    /// How long units compute and HBM moves bytes in all runs, in seconds.
    pub busy: Busy,
    /// Of all runs.
    pub flops: f64,
    pub bytes: f64,
    /// The time that the chip's peaks would allow, as a share of the time taken: of FLOP/s for matrix units, of bytes/s, whichever is
    /// more. `None` where neither is known.
    pub of_roof: Option<f64>,
    /// It runs beside the TensorCore.
    pub asynchronous: bool,
    /// What the compiler's estimate for it comes to, all runs.
    pub compiler: Option<Duration>,
}

/// Seconds in which units compute, and in which HBM moves bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Busy {
    pub mxu: f64,
    pub vpu: f64,
    pub xlu: f64,
    pub hbm: f64,
}

/// A whole program.
#[derive(Clone, Debug)]
pub struct Summary<'a> {
    pub total: Duration,
    /// The longest first. Control flow is not among them.
    pub kernels: Vec<KernelRow<'a>>,
    /// Shares of the total time in which a unit computes or moves.
    pub mxu: f64,
    pub vpu: f64,
    pub xlu: f64,
    /// Bytes moved, of what the data sheet's bandwidth allows.
    pub hbm: f64,
    /// How long the TensorCore waited for asynchronous work.
    pub exposed: Duration,
    /// Asynchronous copies, from start to end, waited for or not.
    pub asynchronous: Duration,
    /// Operations of the program's products, without padding, of what the matrix units allow in bf16.
    pub mfu: f64,
    pub flops: f64,
    pub read: f64,
    pub written: f64,
    /// Of the bytes moved, those that fill up tiles.
    pub padding: f64,
    /// Of what matrix units multiply, what fills up their tiles.
    pub mxu_padding: f64,
    /// Over the kernels for which the compiler has an estimate: its sum, and the model's.
    pub compiler: Option<(Duration, Duration)>,
    /// Kernels that are estimated and not modelled: how many, and their time.
    pub estimated: (usize, Duration),
}

impl Timing {
    pub fn summary(&self) -> Summary<'_> {
        let started = self.started();
        let mut kernels = Vec::new();
        let mut sum = Sums::default();
        for (i, (item, row)) in self.program.items.iter().zip(&self.rows).enumerate() {
            if row.runs == 0 || item.is_control() {
                continue;
            }
            let asynchronous = started.contains(&ItemId(i as u32));
            let kernel = self.row(ItemId(i as u32), item, row, asynchronous);
            sum.add(&kernel);
            kernels.push(kernel);
        }
        kernels.sort_by_key(|k| (std::cmp::Reverse(if k.asynchronous { k.waited } else { k.time }), k.id));
        let seconds = self.total.seconds();
        let share = |busy: f64| if seconds > 0.0 { (busy / seconds).clamp(0.0, 1.0) } else { 0.0 };
        let part = |a: f64, of: f64| if of > 0.0 { (a / of).clamp(0.0, 1.0) } else { 0.0 };
        Summary {
            total: self.total,
            mxu: share(sum.mxu),
            vpu: share(sum.vpu),
            xlu: share(sum.xlu),
            hbm: share((sum.read + sum.written) / self.hbm_peak),
            exposed: sum.waited,
            asynchronous: sum.asynchronous,
            mfu: share(sum.product_flops / self.peak_flops),
            flops: sum.flops,
            read: sum.read,
            written: sum.written,
            padding: part(sum.padding, sum.read + sum.written),
            mxu_padding: part(sum.mxu_flops - sum.mxu_asked, sum.mxu_flops),
            compiler: None,
            estimated: (sum.estimated, sum.estimated_time),
            kernels,
        }
        .with_clock(self)
    }

    fn row<'a>(&'a self, id: ItemId, item: &'a Item, row: &Row, asynchronous: bool) -> KernelRow<'a> {
        let kernel = &item.kernel;
        let runs = row.runs as f64;
        let (flops, bytes) = (kernel.flops * runs, (kernel.read as f64 + kernel.written as f64) * runs);
        let seconds = row.time.seconds();
        let roof = (flops / self.peak_flops).max(bytes / self.hbm_peak);
        KernelRow {
            id,
            item,
            runs: row.runs,
            first: row.first,
            time: row.time,
            waited: row.waited,
            alone: self.cost.time_of(kernel, self.clock_mhz),
            busy: self.busy(kernel, runs),
            flops,
            bytes,
            of_roof: (roof > 0.0 && seconds > 0.0).then(|| (roof / seconds).min(1.0)),
            asynchronous,
            compiler: self.estimate_of(item).map(|d| d * row.runs),
        }
    }

    /// A kernel that the compiler takes to be faster than the model does is so in all of its units: none is busy for longer than it runs.
    fn busy(&self, kernel: &Kernel, runs: f64) -> Busy {
        let (alone, model) = (self.cost.time_of(kernel, self.clock_mhz).seconds(), kernel.time.seconds());
        let times = if alone < model { runs * alone / model } else { runs };
        Busy {
            mxu: kernel.mxu.seconds() * times,
            vpu: kernel.vpu.seconds() * times,
            xlu: kernel.xlu.seconds() * times,
            hbm: kernel.moving.seconds() * times,
        }
    }

    /// One of several cores idles throughout: no kernel is shared as the program says, and some are not shared at all.
    pub fn idles(&self) -> bool {
        let is = |sharing| self.program.items.iter().any(|i| i.kernel.sharing == sharing);
        is(Sharing::Alone) && !is(Sharing::Stated)
    }

    fn estimate_of(&self, item: &Item) -> Option<Duration> {
        item.kernel.estimated_cycles.map(|cycles| Duration::from_cycles(cycles as f64, self.clock_mhz))
    }

    /// Items that are started and waited for.
    fn started(&self) -> FxHashSet<ItemId> {
        let steps = self.program.sequences.iter().flat_map(|s| &s.steps);
        steps.filter_map(|s| if let Step::Start(item, _) = s { Some(*item) } else { None }).collect()
    }
}

impl<'a> Summary<'a> {
    /// The compiler's estimates are cycles.
    fn with_clock(mut self, timing: &Timing) -> Summary<'a> {
        let (mut theirs, mut ours) = (Duration::ZERO, Duration::ZERO);
        for row in self.kernels.iter().filter(|k| !k.asynchronous) {
            if let Some(estimate) = timing.estimate_of(row.item) {
                theirs += estimate * row.runs;
                ours += row.item.kernel.time * row.runs;
            }
        }
        self.compiler = (theirs > Duration::ZERO).then_some((theirs, ours));
        self
    }
}

#[derive(Default)]
struct Sums {
    mxu: f64,
    vpu: f64,
    xlu: f64,
    waited: Duration,
    asynchronous: Duration,
    flops: f64,
    product_flops: f64,
    /// Of what matrix units multiply, what was asked for; and all of it.
    mxu_asked: f64,
    mxu_flops: f64,
    read: f64,
    written: f64,
    padding: f64,
    estimated: usize,
    estimated_time: Duration,
}

impl Sums {
    fn add(&mut self, row: &KernelRow<'_>) {
        let (kernel, runs) = (&row.item.kernel, row.runs as f64);
        self.mxu += row.busy.mxu;
        self.vpu += row.busy.vpu;
        self.xlu += row.busy.xlu;
        self.waited += row.waited;
        self.flops += kernel.flops * runs;
        self.product_flops += kernel.product_flops * runs;
        self.mxu_asked += kernel.product_flops.min(kernel.mxu_flops) * runs;
        self.mxu_flops += kernel.mxu_flops * runs;
        self.read += kernel.read as f64 * runs;
        self.written += kernel.written as f64 * runs;
        self.padding += kernel.padding as f64 * runs;
        if row.asynchronous {
            self.asynchronous += row.time;
        }
        if kernel.estimate.is_some() {
            self.estimated += 1;
            self.estimated_time += if row.asynchronous { row.waited } else { row.time };
        }
    }
}

impl Item {
    /// A loop, a branch or a call: its time is that of its parts.
    pub fn is_control(&self) -> bool {
        matches!(&*self.opcode, "while" | "conditional" | "call")
    }
}

impl Bound {
    /// In a sentence.
    pub fn about(self) -> &'static str {
        match self {
            Bound::Mxu => "the matrix units are busy",
            Bound::Vpu => "the vector unit is busy",
            Bound::Xlu => "the cross-lane units are busy",
            Bound::Hbm => "HBM moves bytes",
            Bound::Latency => "transfers begin and end, steps wait",
            Bound::Ici => "the network moves bytes",
            Bound::Estimate => "not modelled",
        }
    }
}
