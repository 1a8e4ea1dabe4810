//! The discrete-event engine: what happens when, on units that are used by one at a time and on memories and links that are
//! shared.
//!
//! Time is a whole number of picoseconds ([`Time`]). A model puts its own events (`E`) on the agenda and takes them off in
//! order of time, those of one time in the order in which they were put there: a run has one outcome. Three things take time:
//!
//! * waiting: [`Engine::after`];
//! * a unit: [`Engine::occupy`] gives it to one user after the other, in the order in which they ask;
//! * a transfer: [`Engine::transfer`] moves bytes over one or more [`Pipe`]s, whose bandwidth all that are under way share
//!   max-min fairly.
//!
//! What the engine holds is what is under way: a finished event, use or transfer leaves nothing behind.

mod agenda;
mod fluid;
#[cfg(test)]
mod tests;
mod time;

pub use fluid::Pipe;
pub use time::{Duration, Time};

use agenda::Agenda;
use fluid::{End, Fluid};

/// A unit that one user at a time has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Unit(u32);

/// When a unit is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Use {
    pub start: Time,
    pub end: Time,
}

/// What a unit did so far.
#[derive(Clone, Copy, Debug, Default)]
struct Occupied {
    free: Time,
    busy: Duration,
}

/// Units, pipes, and the agenda. `E` is the model's event.
pub struct Engine<E> {
    now: Time,
    agenda: Agenda<Item<E>>,
    units: Vec<Occupied>,
    fluid: Fluid<E>,
    events: u64,
}

enum Item<E> {
    Event(E),
    Ends(End),
}

impl<E> Default for Engine<E> {
    fn default() -> Self {
        Engine {
            now: Time::ZERO,
            agenda: Agenda::default(),
            units: Vec::new(),
            fluid: Fluid::default(),
            events: 0,
        }
    }
}

impl<E> Engine<E> {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn now(&self) -> Time {
        self.now
    }

    /// Events taken off the agenda so far.
    pub fn events(&self) -> u64 {
        self.events
    }

    pub fn unit(&mut self) -> Unit {
        self.units.push(Occupied::default());
        Unit(self.units.len() as u32 - 1)
    }

    /// A memory or link of so many bytes a second.
    pub fn pipe(&mut self, bytes_per_second: f64) -> Pipe {
        self.fluid.pipe(bytes_per_second)
    }

    /// `event` at `time`, or now if that is past.
    pub fn at(&mut self, time: Time, event: E) {
        self.agenda.put(time.max(self.now), Item::Event(event));
    }

    pub fn after(&mut self, wait: Duration, event: E) {
        self.agenda.put(self.now + wait, Item::Event(event));
    }

    /// Takes `unit` for `length` as soon as those who asked before are done; `event` when that is over.
    pub fn occupy(&mut self, unit: Unit, length: Duration, event: E) -> Use {
        let used = self.reserve(unit, self.now, length);
        self.agenda.put(used.end, Item::Event(event));
        used
    }

    /// Takes `unit` for `length`, not before `earliest`, without an event.
    pub fn reserve(&mut self, unit: Unit, earliest: Time, length: Duration) -> Use {
        let occupied = &mut self.units[unit.0 as usize];
        let start = occupied.free.max(earliest).max(self.now);
        let end = start + length;
        *occupied = Occupied { free: end, busy: occupied.busy + length };
        Use { start, end }
    }

    /// When those who asked for `unit` so far are done with it.
    pub fn free(&self, unit: Unit) -> Time {
        self.units[unit.0 as usize].free
    }

    /// How long `unit` was given away, what is to come included.
    pub fn busy(&self, unit: Unit) -> Duration {
        self.units[unit.0 as usize].busy
    }

    /// Bytes a second that go through `pipe` now.
    pub fn rate(&self, pipe: Pipe) -> f64 {
        self.fluid.rate(pipe)
    }

    /// Bytes that went through `pipe` until now.
    pub fn carried(&self, pipe: Pipe) -> f64 {
        self.fluid.carried(pipe, self.now)
    }

    /// Moves `bytes` over all of `route` at once, no faster than `limit` bytes a second if there is one; `event` when the
    /// last byte has arrived. A pipe that is in `route` twice takes each byte twice, as a copy within a memory does. A
    /// transfer of nothing ends at once.
    pub fn transfer(&mut self, route: &[Pipe], bytes: f64, limit: Option<f64>, event: E) {
        match self.fluid.start(self.now, route, bytes, limit, event) {
            Some(event) => self.agenda.put(self.now, Item::Event(event)),
            None => self.put_ends(),
        }
    }

    fn put_ends(&mut self) {
        for end in self.fluid.ends() {
            self.agenda.put(end.time, Item::Ends(end));
        }
    }

    /// The next event, which is then now.
    pub fn next_event(&mut self) -> Option<(Time, E)> {
        loop {
            let (time, item) = self.agenda.take()?;
            let event = match item {
                Item::Event(event) => event,
                // Something else may have changed the transfer's rate since.
                Item::Ends(end) => match self.fluid.end(time, end) {
                    Some(event) => {
                        self.put_ends();
                        event
                    }
                    None => continue,
                },
            };
            self.now = time;
            self.events += 1;
            return Some((time, event));
        }
    }
}
