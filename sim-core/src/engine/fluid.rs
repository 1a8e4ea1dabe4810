//! Transfers as fluid: what is under way shares each pipe's bandwidth max-min fairly, and rates are found anew whenever a
//! transfer starts or ends.
//!
//! Max-min fair: no transfer can be made faster without making one slower that is not faster than it. Progressive filling
//! finds it: all rates grow together; where a pipe is full, or a transfer is at its own limit, those concerned stay; the
//! others go on (Bertsekas and Gallager, Data Networks, 6.5.2).
//!
//! Who can change when a transfer comes or goes? Those that share a *scarce* pipe with it, or with one that does. A pipe is
//! scarce if its users could take more of it together than there is, each as fast as its own limit and the narrowest pipe of
//! its route let it. Through other pipes nobody hears of anybody, however many use them. Of such a group only the first to
//! end is on the agenda: whatever happens in the group before makes all its rates anew.

use super::{Duration, Time};
use smallvec::SmallVec;

/// A memory or a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pipe(u32);

/// When a transfer ends, unless its rate changes before.
#[derive(Clone, Copy, Debug)]
pub(super) struct End {
    pub time: Time,
    pub slot: u32,
    pub version: u32,
}

struct Transfer<E> {
    /// One that is there twice takes two bytes of it for each that is moved.
    route: SmallVec<[Pipe; 4]>,
    /// What it could move alone: bytes a picosecond.
    cap: f64,
    /// Bytes a picosecond.
    rate: f64,
    /// Bytes that had not arrived at `at`.
    left: f64,
    at: Time,
    /// At this rate.
    end: Time,
    event: E,
}

struct Slot<E> {
    transfer: Option<Transfer<E>>,
    /// Counts changes of rate, over all that were here.
    version: u32,
    /// The version whose end is on the agenda.
    told: Option<u32>,
    /// The last search that came by.
    seen: u64,
}

struct State {
    /// Bytes a picosecond.
    capacity: f64,
    /// Slots of the transfers under way, in the order in which they started.
    users: Vec<u32>,
    /// What they could move together, in bytes a second: whole numbers, so that what is added can be taken away.
    demand: u128,
    /// What they move, a picosecond.
    rate: f64,
    /// What went through until `at`.
    carried: f64,
    at: Time,
    seen: u64,
    /// While rates are looked for: what is left, and how many still grow.
    left: f64,
    growing: u32,
}

impl State {
    fn is_scarce(&self) -> bool {
        self.demand as f64 > self.capacity * 1e12
    }

    /// How much more each that still grows can get of it.
    fn share(&self) -> f64 {
        if self.growing > 0 { self.left / f64::from(self.growing) } else { f64::INFINITY }
    }
}

/// A transfer's part of the demand.
fn demand(cap: f64) -> u128 {
    (cap * 1e12).ceil() as u128
}

/// Transfers that share scarce pipes, and these pipes.
#[derive(Default)]
struct Group {
    pipes: Vec<u32>,
    slots: Vec<u32>,
    growing: Vec<u32>,
}

pub(super) struct Fluid<E> {
    pipes: Vec<State>,
    slots: Vec<Slot<E>>,
    free: Vec<u32>,
    searches: u64,
    /// The last that was looked at.
    group: Group,
    /// New ends, to be put on the agenda.
    ends: Vec<End>,
}

impl<E> Default for Fluid<E> {
    fn default() -> Self {
        Fluid {
            pipes: Vec::new(),
            slots: Vec::new(),
            free: Vec::new(),
            searches: 0,
            group: Group::default(),
            ends: Vec::new(),
        }
    }
}

impl<E> Fluid<E> {
    /// A pipe of so many bytes a second, above 0.
    pub fn pipe(&mut self, bytes_per_second: f64) -> Pipe {
        debug_assert!(bytes_per_second > 0.0, "a pipe of {bytes_per_second} bytes a second");
        self.pipes.push(State {
            capacity: bytes_per_second / 1e12,
            users: Vec::new(),
            demand: 0,
            rate: 0.0,
            carried: 0.0,
            at: Time::ZERO,
            seen: 0,
            left: 0.0,
            growing: 0,
        });
        Pipe(self.pipes.len() as u32 - 1)
    }

    pub fn carried(&self, pipe: Pipe, now: Time) -> f64 {
        let p = &self.pipes[pipe.0 as usize];
        p.carried + p.rate * now.since(p.at).ps() as f64
    }

    /// Bytes a second that go through now.
    pub fn rate(&self, pipe: Pipe) -> f64 {
        self.pipes[pipe.0 as usize].rate * 1e12
    }

    /// Gives the event back if there is nothing to move, or nothing that would take time.
    pub fn start(
        &mut self,
        now: Time,
        route: &[Pipe],
        bytes: f64,
        limit: Option<f64>,
        event: E,
    ) -> Option<E> {
        if bytes <= 0.0 || route.is_empty() && limit.is_none() {
            return Some(event);
        }
        let alone = |p: &Pipe| {
            let times = route.iter().filter(|&q| q == p).count();
            self.pipes[p.0 as usize].capacity / times as f64
        };
        let cap = route.iter().map(alone).fold(limit.map_or(f64::INFINITY, |l| l / 1e12), f64::min);
        let route: SmallVec<[Pipe; 4]> = route.into();
        let transfer = Transfer { route, cap, rate: 0.0, left: bytes, at: now, end: now, event };
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(Slot { transfer: None, version: 0, told: None, seen: 0 });
            self.slots.len() as u32 - 1
        });
        for pipe in &transfer.route {
            let p = &mut self.pipes[pipe.0 as usize];
            p.users.push(slot);
            p.demand += demand(cap);
        }
        self.slots[slot as usize].transfer = Some(transfer);
        self.searches += 1;
        self.solve(now, slot);
        None
    }

    /// The event of a transfer, if it really ends now.
    pub fn end(&mut self, now: Time, end: End) -> Option<E> {
        let slot = &mut self.slots[end.slot as usize];
        let transfer = slot.transfer.take_if(|_| slot.version == end.version)?;
        slot.version = slot.version.wrapping_add(1);
        self.free.push(end.slot);
        let mut scarce: SmallVec<[Pipe; 4]> = SmallVec::new();
        for &pipe in &transfer.route {
            let p = &mut self.pipes[pipe.0 as usize];
            if p.is_scarce() {
                scarce.push(pipe);
            }
            p.flow(now, -transfer.rate);
            p.demand -= demand(transfer.cap);
            p.users.retain(|&s| s != end.slot);
            if p.users.is_empty() {
                // Sums of many rates are not exact.
                p.rate = 0.0;
            }
        }
        self.searches += 1;
        for pipe in scarce {
            for i in 0..self.pipes[pipe.0 as usize].users.len() {
                let slot = self.pipes[pipe.0 as usize].users[i];
                if self.slots[slot as usize].seen != self.searches {
                    self.solve(now, slot);
                }
            }
        }
        Some(transfer.event)
    }

    #[cfg(test)]
    pub fn slots(&self) -> usize {
        self.slots.len()
    }

    /// Ends that are new since this was last asked.
    pub fn ends(&mut self) -> std::vec::Drain<'_, End> {
        self.ends.drain(..)
    }

    /// Rates anew, of the group of `slot`.
    fn solve(&mut self, now: Time, slot: u32) {
        let mut group = std::mem::take(&mut self.group);
        self.search(slot, &mut group);
        let Group { pipes, slots, growing } = &mut group;
        for &p in &*pipes {
            let p = &mut self.pipes[p as usize];
            (p.left, p.growing) = (p.capacity, p.users.len() as u32);
        }
        growing.clone_from(slots);
        let mut level = 0.0;
        while !growing.is_empty() {
            // How far all can grow together: to the lowest cap, or until a pipe is full.
            let cap = |&s: &u32| self.slots[s as usize].transfer.as_ref().map_or(level, |t| t.cap);
            let cap = growing.iter().map(cap).fold(f64::INFINITY, f64::min);
            let share = |&p: &u32| self.pipes[p as usize].share();
            let step = pipes.iter().map(share).fold(f64::INFINITY, f64::min).min(cap - level);
            for &p in &*pipes {
                let p = &mut self.pipes[p as usize];
                // Exactly, so that rounding leaves nothing over.
                p.left = if p.share() <= step { 0.0 } else { p.left - step * f64::from(p.growing) };
            }
            level = if step == cap - level { cap } else { level + step };
            growing.retain(|&slot| {
                let Some(t) = &self.slots[slot as usize].transfer else { return false };
                let full = |p: &Pipe| {
                    let p = &self.pipes[p.0 as usize];
                    p.seen == self.searches && p.left <= 0.0
                };
                if t.cap > level && !t.route.iter().any(full) {
                    return true;
                }
                self.settle(now, slot, level);
                false
            });
            for &p in &*pipes {
                self.pipes[p as usize].growing = 0;
            }
            for &slot in &*growing {
                if let Some(t) = &self.slots[slot as usize].transfer {
                    t.route.iter().for_each(|p| self.pipes[p.0 as usize].growing += 1);
                }
            }
        }
        self.tell(slots);
        self.group = group;
    }

    /// The rate of a transfer from now on.
    fn settle(&mut self, now: Time, slot: u32, rate: f64) {
        let Slot { transfer: Some(t), version, .. } = &mut self.slots[slot as usize] else { return };
        if t.rate == rate {
            return;
        }
        for pipe in &t.route {
            self.pipes[pipe.0 as usize].flow(now, rate - t.rate);
        }
        t.left = (t.left - t.rate * now.since(t.at).ps() as f64).max(0.0);
        (t.at, t.rate) = (now, rate);
        // Rounded up: nothing arrives early.
        t.end = now + Duration::from_ps((t.left / rate).ceil() as u64);
        *version = version.wrapping_add(1);
    }

    /// Puts the first end of a group on the agenda, unless it is there.
    fn tell(&mut self, slots: &[u32]) {
        let end = |&s: &u32| self.slots[s as usize].transfer.as_ref().map(|t| (t.end, s));
        let first = slots.iter().filter_map(end).min_by_key(|&(time, _)| time);
        let Some((time, slot)) = first else { return };
        let Slot { version, told, .. } = &mut self.slots[slot as usize];
        if *told != Some(*version) {
            *told = Some(*version);
            self.ends.push(End { time, slot, version: *version });
        }
    }

    /// All transfers that share scarce pipes with `slot`, or with one that does, and these pipes.
    fn search(&mut self, slot: u32, group: &mut Group) {
        group.pipes.clear();
        group.slots.clear();
        group.slots.push(slot);
        self.slots[slot as usize].seen = self.searches;
        let mut next = 0;
        while let Some(&slot) = group.slots.get(next) {
            next += 1;
            let Some(t) = &self.slots[slot as usize].transfer else { continue };
            let route = t.route.clone();
            for pipe in route {
                let state = &mut self.pipes[pipe.0 as usize];
                if state.seen == self.searches || !state.is_scarce() {
                    continue;
                }
                state.seen = self.searches;
                group.pipes.push(pipe.0);
                for &user in &state.users {
                    let seen = &mut self.slots[user as usize].seen;
                    if *seen != self.searches {
                        *seen = self.searches;
                        group.slots.push(user);
                    }
                }
            }
        }
    }
}

impl State {
    /// Up to now at the old rate, from now on at another.
    fn flow(&mut self, now: Time, more: f64) {
        self.carried += self.rate * now.since(self.at).ps() as f64;
        self.at = now;
        self.rate = (self.rate + more).max(0.0);
    }
}
