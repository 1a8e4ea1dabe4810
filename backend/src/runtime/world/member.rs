//! What one process does with the others: it meets them, sends and waits.

use super::{Handed, Meeting, Member, Path, State};
use crate::runtime::Value;
use ici::{Grid, ProcessId};
use sim_core::{Diagnostic, Result, Tensor};
use std::sync::Arc;
use std::sync::atomic::Ordering;

impl Member<'_> {
    pub(in crate::runtime) fn grid(&self) -> Grid {
        self.world.grid
    }

    pub(in crate::runtime) fn id(&self) -> ProcessId {
        self.id
    }

    pub(in crate::runtime) fn same_program(&self) -> bool {
        self.world.same_program
    }

    fn me(&self) -> usize {
        self.world.grid.flat(self.id)
    }

    /// # Errors
    /// What ended the run, if something did.
    pub(in crate::runtime) fn check(&self) -> Result<()> {
        if self.world.ended.load(Ordering::Relaxed) { self.over(&self.world.lock()) } else { Ok(()) }
    }

    fn over(&self, state: &State) -> Result<()> {
        let Some(e) = &state.over else { return Ok(()) };
        // A deadlock befalls everybody who waits.
        if !state.deadlocked {
            self.ended_by_others.store(true, Ordering::Relaxed);
        }
        Err(e.clone())
    }

    /// Waits until `ready` gives something. When every process waits, nobody can help: a deadlock.
    fn wait<T>(
        &self,
        what: impl Fn() -> String,
        mut ready: impl FnMut(&mut State) -> Option<T>,
    ) -> Result<T> {
        let (world, me) = (self.world, self.me());
        let mut state = world.lock();
        loop {
            self.over(&state)?;
            if let Some(value) = ready(&mut state) {
                return Ok(value);
            }
            state.waits[me] = Some(what());
            if let Some(e) = state.deadlock(world.grid) {
                state.deadlocked = true;
                world.end(&mut state, e.clone());
                return Err(e);
            }
            state.free += 1;
            world.turn.notify_one();
            while state.waits[me].is_some() {
                state = world.wakeup[me].wait(state).unwrap_or_else(|e| e.into_inner());
            }
            state = world.take_turn(state);
        }
    }

    /// Brings `operands` to the group's meeting. The last to come makes of everybody's, in group order, what
    /// all of them get.
    pub(in crate::runtime) fn meet(
        &self,
        name: String,
        place: impl Fn() -> String,
        group: &[ProcessId],
        operands: Vec<Tensor>,
        make: impl FnOnce(Vec<Vec<Tensor>>) -> Result<Vec<Vec<Tensor>>>,
    ) -> Result<Handed> {
        let (world, me) = (self.world, self.me());
        let index = group.iter().position(|&p| p == self.id);
        let index = index.ok_or_else(|| Diagnostic::invalid("the process is not in its own group"))?;
        let key = (name, group.to_vec());
        let complete = {
            let mut state = world.lock();
            let meeting = state
                .meetings
                .entry(key.clone())
                .or_insert_with(|| Meeting { brought: vec![None; group.len()], missing: group.len() });
            if meeting.brought[index].replace(operands).is_some() {
                return Err(Diagnostic::invalid("a group names a process twice"));
            }
            meeting.missing -= 1;
            if meeting.missing == 0 { state.meetings.remove(&key) } else { None }
        };
        let Some(meeting) = complete else {
            return self.wait(place, |state| state.inbox[me].take());
        };
        // Nobody else is in this meeting any more: what is made of it needs no lock.
        let handed = Arc::new(make(meeting.brought.into_iter().flatten().collect())?);
        let mut state = world.lock();
        for &p in group.iter().filter(|&&p| p != self.id) {
            let p = world.grid.flat(p);
            state.inbox[p] = Some(handed.clone());
            world.wake(&mut state, p);
        }
        Ok(handed)
    }

    /// Counts an exchange of a group; each is to be counted by one of its members.
    pub(in crate::runtime) fn count(&self, operation: &str, bytes: u64) {
        let mut traffic = self.world.traffic.lock().unwrap_or_else(|e| e.into_inner());
        let t = traffic.entry(operation.to_owned()).or_default();
        t.exchanges += 1;
        t.bytes += bytes;
    }

    pub(in crate::runtime) fn post(&self, channel: i64, target: usize, values: Vec<Value>) {
        let mut state = self.world.lock();
        state.mail.entry((channel, self.me(), target)).or_default().push_back(values);
        self.world.wake(&mut state, target);
    }

    pub(in crate::runtime) fn fetch(&self, channel: i64, source: usize) -> Result<Vec<Value>> {
        let key = (channel, source, self.me());
        let what = || format!("recv on channel {channel} from process {source}");
        self.wait(what, |state| state.mail.get_mut(&key)?.pop_front())
    }

    pub(in crate::runtime) fn post_to_host(&self, channel: i64, values: Vec<Value>) {
        let mut state = self.world.lock();
        state.host.entry(channel).or_default().push_back(values);
        for p in 0..self.world.grid.len() {
            self.world.wake(&mut state, p);
        }
    }

    pub(in crate::runtime) fn fetch_from_host(&self, channel: i64) -> Result<Vec<Value>> {
        let what = || format!("recv on channel {channel} from the host");
        self.wait(what, |state| state.host.get_mut(&channel)?.pop_front())
    }

    pub(in crate::runtime) fn next_infeed(&self) -> Option<Path> {
        self.world.infeed.lock().unwrap_or_else(|e| e.into_inner()).pop_front()
    }
}
