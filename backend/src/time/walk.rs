//! The walk: a program's steps one after the other on the TensorCore, with what goes on beside it.
//!
//! A kernel alone takes the time of its cost. Beside asynchronous copies its bytes are one transfer, no faster than it moves them alone,
//! so that copies get what it leaves, or an equal share. Iterations of a loop that repeat to the picosecond, with nothing under way at
//! their borders, are multiplied; so is a loop that is entered again.

use super::Options;
use super::kernel::{Kernel, Unit};
use super::program::{ItemId, Means, Program, SequenceId, Step, TripsFrom};
use super::record::{Record, Span, Track};
use rustc_hash::FxHashMap;
use sim_core::engine::{Duration, Engine, Pipe, Time, Unit as EngineUnit};

/// What an item did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Row {
    pub runs: u64,
    /// From its starts to its ends.
    pub time: Duration,
    /// Of an asynchronous one: how long the TensorCore waited for it.
    pub waited: Duration,
    /// Of the first run.
    pub first: Time,
}

/// A loop, as it was run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loop {
    pub item: ItemId,
    pub trips: u64,
    /// `None`: nobody knows; it was run once.
    pub from: Option<TripsFrom>,
}

/// What a walk gives.
#[derive(Debug)]
pub struct Walk {
    pub total: Duration,
    /// By item.
    pub rows: Vec<Row>,
    pub loops: Vec<Loop>,
    /// Conditionals of which the costliest branch was taken, since nothing is known of the predicate.
    pub guessed: Vec<ItemId>,
    pub record: Record,
    /// Events of the engine.
    pub events: u64,
}

enum Event {
    /// The TensorCore goes on.
    Next,
    /// The bytes of an asynchronous copy are through.
    Moved(ItemId),
    Finished(ItemId),
}

/// What is entered again and again.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Entered {
    Loop(ItemId),
    Call(SequenceId),
}

/// What entering a loop or a callee with nothing under way came to.
struct Remembered {
    length: Duration,
    rows: Vec<Row>,
    /// When it was, and what of the record it is.
    start: Time,
    marks: std::ops::Range<usize>,
}

struct Walker<'a> {
    program: &'a Program,
    options: &'a Options<'a>,
    clock_mhz: f64,
    engine: Engine<Event>,
    hbm: Pipe,
    hbm_rate: f64,
    others: [EngineUnit; Unit::ALL.len()],
    rows: Vec<Row>,
    /// By item: starts that are not over, and when the last was.
    pending: Vec<(u32, Time)>,
    /// All of those.
    under_way: u32,
    /// Of those, transfers of HBM.
    transfers: u32,
    remembered: FxHashMap<(Entered, u64), Remembered>,
    loops: FxHashMap<ItemId, Loop>,
    guessed: FxHashMap<ItemId, usize>,
    rough: FxHashMap<u32, f64>,
    record: Record,
    /// Bytes of HBM that values of the computations around hold.
    outside: u64,
}

/// Iterations that are run one by one although they do not repeat.
const UNREPEATED: u64 = 4096;

/// Runs `program` on a device whose HBM moves at most `hbm_rate` bytes a second.
pub fn walk(program: &Program, hbm_rate: f64, clock_mhz: f64, options: &Options<'_>) -> Walk {
    let mut engine = Engine::new();
    let hbm = engine.pipe(hbm_rate);
    let others = Unit::ALL.map(|_| engine.unit());
    let items = program.items.len();
    let mut walker = Walker {
        program,
        options,
        clock_mhz,
        engine,
        hbm,
        hbm_rate,
        others,
        rows: vec![Row::default(); items],
        pending: vec![(0, Time::ZERO); items],
        under_way: 0,
        transfers: 0,
        remembered: FxHashMap::default(),
        loops: FxHashMap::default(),
        guessed: FxHashMap::default(),
        rough: FxHashMap::default(),
        record: Record::new(options.record),
        outside: 0,
    };
    walker.sequence(program.entry);
    // A program ends when all is over.
    for item in 0..items {
        walker.done(ItemId(item as u32));
    }
    let mut loops: Vec<Loop> = walker.loops.into_values().collect();
    loops.sort_by_key(|l| l.item);
    let mut guessed: Vec<ItemId> = walker.guessed.into_keys().collect();
    guessed.sort();
    Walk {
        total: walker.engine.now().since(Time::ZERO),
        rows: walker.rows,
        loops,
        guessed,
        record: walker.record,
        events: walker.engine.events(),
    }
}

impl Walker<'_> {
    fn span(&mut self, item: ItemId, track: Track, start: Time, length: Duration) {
        let held = self.outside.saturating_add(self.program.item(item).held);
        self.record.span(Span { item, track, start, length, held });
    }

    /// Runs a sequence within `item`, beside what is held there.
    fn within(&mut self, item: ItemId, run: impl FnOnce(&mut Self)) {
        let outside = self.outside;
        self.outside = outside.saturating_add(self.program.item(item).held);
        run(self);
        self.outside = outside;
    }

    fn now(&self) -> Time {
        self.engine.now()
    }

    /// Takes the next event; is it the TensorCore's? `false` also when there is none.
    fn event(&mut self) -> bool {
        match self.engine.next_event() {
            Some((_, Event::Moved(item))) => {
                self.transfers -= 1;
                let kernel = &self.program.item(item).kernel;
                let latency = kernel.time.saturating_sub(kernel.moving);
                self.engine.after(latency, Event::Finished(item));
                true
            }
            Some((_, Event::Finished(item))) => {
                let (count, start) = &mut self.pending[item.0 as usize];
                *count = count.saturating_sub(1);
                self.under_way = self.under_way.saturating_sub(1);
                let start = *start;
                let length = self.engine.now().since(start);
                let row = &mut self.rows[item.0 as usize];
                row.time += length;
                self.span(item, Track::Asynchronous, start, length);
                true
            }
            Some((_, Event::Next)) | None => false,
        }
    }

    /// Until the TensorCore's own event.
    fn wait(&mut self) {
        while self.event() {}
    }

    fn sequence(&mut self, id: SequenceId) {
        let program = self.program;
        for step in &program.sequence(id).steps {
            match step {
                Step::Kernel(item) => self.kernel(*item),
                Step::Start(item, means) => self.start(*item, *means),
                Step::Done(item) => self.done(*item),
                Step::Loop { item, condition, body } => self.repeat(*item, *condition, *body),
                Step::Branch { item, branches } => self.branch(*item, branches),
                Step::Call { item, callee } => {
                    self.call(*item, *callee);
                }
            }
        }
    }

    fn kernel(&mut self, item: ItemId) {
        let kernel = &self.program.item(item).kernel;
        let (start, time) = (self.now(), self.time_of(kernel));
        let bytes = kernel.moving.seconds() * self.hbm_rate;
        if self.transfers == 0 || bytes == 0.0 || time == Duration::ZERO {
            self.engine.after(time, Event::Next);
        } else {
            self.engine.transfer(&[self.hbm], bytes, Some(bytes / time.seconds()), Event::Next);
        }
        self.wait();
        let length = self.now().since(start);
        let row = &mut self.rows[item.0 as usize];
        if row.runs == 0 {
            row.first = start;
        }
        row.runs += 1;
        row.time += length;
        self.span(item, Track::Core, start, length);
    }

    fn time_of(&self, kernel: &Kernel) -> Duration {
        self.options.cost.time_of(kernel, self.clock_mhz)
    }

    fn start(&mut self, item: ItemId, means: Means) {
        let now = self.now();
        let at = item.0 as usize;
        if self.rows[at].runs == 0 {
            self.rows[at].first = now;
        }
        let fetched = self.options.warm && self.program.item(item).across_programs;
        // Its bytes are those that the end of this run fetches for the next.
        if !(fetched && self.program.item(item).refilled) {
            self.rows[at].runs += 1;
        }
        if fetched {
            return; // The run before has fetched it.
        }
        self.pending[at] = (self.pending[at].0 + 1, now);
        self.under_way += 1;
        let kernel = &self.program.item(item).kernel;
        match means {
            Means::Hbm { bytes } => {
                self.transfers += 1;
                self.engine.transfer(&[self.hbm], bytes, None, Event::Moved(item));
            }
            Means::Unit(unit) => {
                self.engine.occupy(self.others[unit as usize], kernel.time, Event::Finished(item));
            }
        }
    }

    fn done(&mut self, item: ItemId) {
        let start = self.now();
        while self.pending[item.0 as usize].0 > 0 {
            if !self.event() {
                break;
            }
        }
        let waited = self.now().since(start);
        self.rows[item.0 as usize].waited += waited;
        if waited > Duration::ZERO {
            self.span(item, Track::Waiting, start, waited);
        }
    }

    /// What a loop, a branch or a call took in all.
    fn group(&mut self, item: ItemId, start: Time, first: Time, runs: u64) {
        let length = self.now().since(start);
        let row = &mut self.rows[item.0 as usize];
        if row.runs == 0 {
            row.first = first;
        }
        row.runs += runs;
        row.time += length;
        self.span(item, Track::Control, start, length);
    }

    fn branch(&mut self, item: ItemId, branches: &[SequenceId]) {
        let taken = self.options.taken(self.program.item(item));
        let taken = taken.filter(|&b| b < branches.len()).unwrap_or_else(|| self.costliest(item, branches));
        let start = self.now();
        if let Some(&branch) = branches.get(taken) {
            self.within(item, |w| w.sequence(branch));
        }
        self.group(item, start, start, 1);
    }

    fn costliest(&mut self, item: ItemId, branches: &[SequenceId]) -> usize {
        if let Some(&known) = self.guessed.get(&item) {
            return known;
        }
        let mut best = (0, -1.0);
        for (i, &b) in branches.iter().enumerate() {
            let cost = self.rough(b);
            if cost > best.1 {
                best = (i, cost);
            }
        }
        self.guessed.insert(item, best.0);
        best.0
    }

    /// Seconds of all kernels of a sequence, one after the other.
    fn rough(&mut self, id: SequenceId) -> f64 {
        if let Some(&known) = self.rough.get(&id.0) {
            return known;
        }
        let program = self.program;
        let mut sum = 0.0;
        for step in &program.sequence(id).steps {
            sum += match step {
                Step::Kernel(item) => self.time_of(&program.item(*item).kernel).seconds(),
                Step::Start(..) | Step::Done(_) => 0.0,
                Step::Loop { item, condition, body } => {
                    let trips = self.trips(*item).0 as f64;
                    self.rough(*condition) * (trips + 1.0) + self.rough(*body) * trips
                }
                Step::Branch { branches, .. } => branches.iter().map(|&b| self.rough(b)).fold(0.0, f64::max),
                Step::Call { callee, .. } => self.rough(*callee),
            };
        }
        self.rough.insert(id.0, sum);
        sum
    }

    fn trips(&self, item: ItemId) -> (u64, Option<TripsFrom>) {
        let from_values = self.options.trips_of(self.program.item(item));
        let from_text = self.program.counted.get(&item).copied();
        match (from_values, from_text, self.options.trips) {
            (Some(n), _, _) => (n, Some(TripsFrom::Values)),
            (_, Some(n), _) => (n, Some(TripsFrom::Text)),
            (_, _, Some(n)) => (n, Some(TripsFrom::Told)),
            _ => (1, None),
        }
    }

    fn call(&mut self, item: ItemId, callee: SequenceId) {
        let start = self.now();
        let key = (Entered::Call(callee), 0);
        if !self.again(key, start) {
            let before = (self.under_way == 0).then(|| self.rows.clone());
            let mark = self.record.marks();
            self.within(item, |w| w.sequence(callee));
            self.remember(key, start, mark, before);
        }
        self.group(item, start, start, 1);
    }

    /// The same as the first time, if nothing is under way and there was one.
    fn again(&mut self, key: (Entered, u64), start: Time) -> bool {
        let known = self.remembered.get(&key).filter(|_| self.under_way == 0);
        let Some(known) = known else { return false };
        let (length, marks, then) = (known.length, known.marks.clone(), known.start);
        for (row, more) in self.rows.iter_mut().zip(&known.rows) {
            add(row, more, 1);
        }
        self.pass(length);
        self.record.again(marks, start.since(then), Duration::ZERO, 1);
        true
    }

    /// `before`: the rows when it began, if nothing was under way then.
    fn remember(&mut self, key: (Entered, u64), start: Time, mark: usize, before: Option<Vec<Row>>) {
        if let Some(before) = before.filter(|_| self.under_way == 0) {
            let rows = self.rows.iter().zip(&before).map(|(now, was)| since(now, was)).collect();
            let marks = mark..self.record.marks();
            let length = self.now().since(start);
            self.remembered.insert(key, Remembered { length, rows, start, marks });
        }
    }

    fn repeat(&mut self, item: ItemId, condition: SequenceId, body: SequenceId) {
        let (trips, from) = self.trips(item);
        self.loops.entry(item).or_insert(Loop { item, trips, from });
        let start = self.now();
        let key = (Entered::Loop(item), trips);
        if self.again(key, start) {
            return;
        }
        let before = (self.under_way == 0).then(|| self.rows.clone());
        let first_mark = self.record.marks();
        self.within(item, |w| w.sequence(condition));
        let mut done = 0;
        // How long the last iteration took, if nothing was under way before and after it.
        let mut last: Option<Duration> = None;
        while done < trips {
            let quiet = self.under_way == 0;
            let rows = (quiet && last.is_some() || done == UNREPEATED).then(|| self.rows.clone());
            let (begin, mark) = (self.now(), self.record.marks());
            self.within(item, |w| {
                w.sequence(body);
                w.sequence(condition);
            });
            done += 1;
            let length = self.now().since(begin);
            let quiet = quiet && self.under_way == 0;
            let left = trips - done;
            if let Some(rows) = rows
                && left > 0
                && (quiet && last == Some(length) || done > UNREPEATED)
            {
                for (row, was) in self.rows.iter_mut().zip(&rows) {
                    let more = since(row, was);
                    add(row, &more, left);
                }
                self.record.again(mark..self.record.marks(), length, length, left);
                self.pass(Duration::from_ps(length.ps().saturating_mul(left)));
                done = trips;
            }
            last = quiet.then_some(length);
        }
        self.group(item, start, start, 1);
        self.remember(key, start, first_mark, before);
    }

    /// Time goes by, and nothing else.
    fn pass(&mut self, length: Duration) {
        self.engine.after(length, Event::Next);
        self.wait();
    }
}

fn since(now: &Row, was: &Row) -> Row {
    Row {
        runs: now.runs - was.runs,
        time: now.time.saturating_sub(was.time),
        waited: now.waited.saturating_sub(was.waited),
        first: now.first,
    }
}

fn add(row: &mut Row, more: &Row, times: u64) {
    if row.runs == 0 {
        row.first = more.first;
    }
    row.runs = row.runs.saturating_add(more.runs.saturating_mul(times));
    row.time += more.time * times;
    row.waited += more.waited * times;
}
