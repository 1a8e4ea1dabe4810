//! The order in which programs run: each device takes one at a time, in the order in which they were handed over,
//! and a program starts when all it reads is there. Several devices may be busy at once. While a program waits for the
//! host its devices are not: they go on with the next ([`Queue::aside`]).
//!
//! Work runs on threads of its own with stacks for deep programs; there are as many as were ever busy at once.

use crate::runtime::spawn_on_big_stack;
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// Devices, by their place among the client's, as bits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeviceSet(smallvec::SmallVec<[u64; 2]>);

impl DeviceSet {
    pub fn insert(&mut self, device: usize) {
        let (word, bit) = (device / 64, device % 64);
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << bit;
    }

    fn meets(&self, other: &DeviceSet) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    fn add(&mut self, other: &DeviceSet) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a |= b);
    }

    fn remove(&mut self, other: &DeviceSet) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a &= !b);
    }
}

impl FromIterator<usize> for DeviceSet {
    fn from_iter<I: IntoIterator<Item = usize>>(devices: I) -> DeviceSet {
        let mut set = DeviceSet::default();
        devices.into_iter().for_each(|d| set.insert(d));
        set
    }
}

/// What is to be done. It must not panic.
pub type Job = Box<dyn FnOnce() + Send>;

/// Clones share the queue.
#[derive(Clone)]
pub struct Queue(Arc<Shared>);

struct Shared {
    state: Mutex<State>,
    work: Condvar,
    idle: Condvar,
    /// A device was given back.
    back: Condvar,
}

#[derive(Default)]
struct State {
    next: u64,
    waiting: VecDeque<Waiting>,
    /// Devices that run something.
    busy: DeviceSet,
    /// Devices that [`Queue::aside`] wants back.
    wanted: Vec<DeviceSet>,
    running: usize,
    threads: usize,
    threads_idle: usize,
    /// Threads in [`Queue::drain`]. To wake nobody is a system call too.
    draining: usize,
    /// Threads end when nothing waits.
    closed: bool,
}

struct Waiting {
    id: u64,
    devices: DeviceSet,
    ready: bool,
    job: Job,
}

/// Work that was handed over, to be told when what it reads is there.
pub struct Ticket(u64);

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|e| e.into_inner())
    }
}

impl State {
    /// The first that may start: nothing before it wants one of its devices.
    fn startable(&self) -> Option<usize> {
        let mut taken = self.busy.clone();
        self.wanted.iter().for_each(|devices| taken.add(devices));
        for (i, w) in self.waiting.iter().enumerate() {
            if w.ready && !w.devices.meets(&taken) {
                return Some(i);
            }
            taken.add(&w.devices);
        }
        None
    }
}

impl Queue {
    /// A queue with a thread.
    ///
    /// # Errors
    /// The system gives none.
    pub fn start() -> std::io::Result<Queue> {
        let state = State { threads: 1, ..State::default() };
        let shared = Shared {
            state: Mutex::new(state),
            work: Condvar::new(),
            idle: Condvar::new(),
            back: Condvar::new(),
        };
        let queue = Queue(Arc::new(shared));
        let worker = queue.clone();
        spawn_on_big_stack("tpusim-device", move || worker.work())?;
        Ok(queue)
    }

    /// Runs `job` on the calling thread if its devices are free and nothing waits for them; gives it back
    /// otherwise. What it reads must be there.
    ///
    /// # Errors
    /// The job itself, not run.
    pub fn run_here<F: FnOnce()>(&self, devices: &DeviceSet, job: F) -> Result<(), F> {
        {
            let mut state = self.0.lock();
            let behind = state.waiting.iter().any(|w| w.devices.meets(devices));
            let wanted = state.wanted.iter().any(|w| w.meets(devices));
            if behind || wanted || state.busy.meets(devices) {
                return Err(job);
            }
            state.busy.add(devices);
            state.running += 1;
        }
        job();
        self.finished(devices);
        Ok(())
    }

    fn finished(&self, devices: &DeviceSet) {
        let mut state = self.0.lock();
        state.busy.remove(devices);
        state.running -= 1;
        if !state.wanted.is_empty() {
            self.0.back.notify_all();
        }
        if !state.waiting.is_empty() {
            self.wake(&mut state);
        } else if state.running == 0 && state.draining > 0 {
            self.0.idle.notify_all();
        }
    }

    /// Waits for somebody else, a callback of the host say, in the midst of a job that has `devices`: meanwhile they
    /// take other work, on which that somebody may wait in turn.
    pub fn aside<T>(&self, devices: &DeviceSet, wait: impl FnOnce() -> T) -> T {
        {
            let mut state = self.0.lock();
            state.busy.remove(devices);
            self.wake(&mut state);
        }
        // Also where `wait` panics: who ends the job gives the devices back.
        let _again = Again { queue: self, devices };
        wait()
    }

    fn take_again(&self, devices: &DeviceSet) {
        let mut state = self.0.lock();
        if state.busy.meets(devices) {
            state.wanted.push(devices.clone());
            while state.busy.meets(devices) {
                state = self.0.back.wait(state).unwrap_or_else(|e| e.into_inner());
            }
            if let Some(i) = state.wanted.iter().position(|w| w == devices) {
                state.wanted.swap_remove(i);
            }
        }
        state.busy.add(devices);
    }

    /// Hands work over; it starts after [`Queue::ready`] was called with its ticket.
    pub fn submit(&self, devices: DeviceSet, job: Job) -> Ticket {
        let mut state = self.0.lock();
        let id = state.next;
        state.next += 1;
        state.waiting.push_back(Waiting { id, devices, ready: false, job });
        Ticket(id)
    }

    /// All that the work reads is there.
    pub fn ready(&self, ticket: Ticket) {
        let mut state = self.0.lock();
        if let Ok(i) = state.waiting.binary_search_by_key(&ticket.0, |w| w.id) {
            state.waiting[i].ready = true;
            self.wake(&mut state);
        }
    }

    /// Sees to it that somebody takes what may start.
    fn wake(&self, state: &mut State) {
        if state.startable().is_none() {
            return;
        }
        if state.threads_idle > 0 {
            self.0.work.notify_one();
            return;
        }
        let queue = self.clone();
        // Where the system gives no other thread, those that there are come to it in time.
        if spawn_on_big_stack("tpusim-device", move || queue.work()).is_ok() {
            state.threads += 1;
        }
    }

    fn work(&self) {
        let mut state = self.0.lock();
        loop {
            if let Some(i) = state.startable()
                && let Some(next) = state.waiting.remove(i)
            {
                state.busy.add(&next.devices);
                state.running += 1;
                // Something else may start beside it.
                self.wake(&mut state);
                drop(state);
                (next.job)();
                self.finished(&next.devices);
                state = self.0.lock();
                continue;
            }
            if state.closed && state.waiting.is_empty() {
                state.threads -= 1;
                return;
            }
            state.threads_idle += 1;
            state = self.0.work.wait(state).unwrap_or_else(|e| e.into_inner());
            state.threads_idle -= 1;
        }
    }

    /// Waits until nothing runs and nothing waits, at most so long.
    pub fn drain(&self, patience: Duration) {
        let end = Instant::now() + patience;
        let mut state = self.0.lock();
        state.draining += 1;
        while state.running > 0 || !state.waiting.is_empty() {
            let Some(left) = end.checked_duration_since(Instant::now()) else { break };
            state = self.0.idle.wait_timeout(state, left).unwrap_or_else(|e| e.into_inner()).0;
        }
        state.draining -= 1;
    }

    /// Ends the threads after what was handed over.
    pub fn close(&self) {
        self.0.lock().closed = true;
        self.0.work.notify_all();
    }
}

struct Again<'a> {
    queue: &'a Queue,
    devices: &'a DeviceSet,
}

impl Drop for Again<'_> {
    fn drop(&mut self) {
        self.queue.take_again(self.devices);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    const LONG: Duration = Duration::from_secs(60);

    fn set(devices: &[usize]) -> DeviceSet {
        devices.iter().copied().collect()
    }

    #[test]
    fn a_device_keeps_the_order_and_others_go_on() {
        let queue = Queue::start().unwrap();
        let (tell, hear) = channel();
        let job = |name: &'static str| -> Job {
            let tell = tell.clone();
            Box::new(move || tell.send(name).unwrap())
        };
        let first = queue.submit(set(&[0]), job("first on 0"));
        let both = queue.submit(set(&[0, 70]), job("both"));
        let other = queue.submit(set(&[1]), job("on 1"));
        let last = queue.submit(set(&[70]), job("last on 70"));
        queue.ready(last);
        queue.ready(both);
        queue.ready(other);
        assert_eq!(hear.recv_timeout(LONG), Ok("on 1"));
        assert!(queue.run_here(&set(&[70]), || panic!("it is behind others")).is_err());
        queue.ready(first);
        for name in ["first on 0", "both", "last on 70"] {
            assert_eq!(hear.recv_timeout(LONG), Ok(name));
        }
        queue.drain(LONG);
        let mut ran = false;
        assert!(queue.run_here(&set(&[70]), || ran = true).is_ok());
        assert!(ran);
        queue.close();
    }

    #[test]
    fn who_waits_aside_lets_others_have_the_device() {
        let queue = Queue::start().unwrap();
        let (tell, hear) = channel();
        let (inner, outer_tell) = (queue.clone(), tell.clone());
        let ticket = queue.submit(
            set(&[0]),
            Box::new(move || {
                inner.aside(&set(&[0]), || {
                    // A program that the callback starts, and waits for.
                    let (done, wait) = channel();
                    let job: Job = Box::new(move || done.send(()).unwrap());
                    let ticket = inner.submit(set(&[0]), job);
                    inner.ready(ticket);
                    wait.recv_timeout(LONG).unwrap();
                    outer_tell.send("inner").unwrap();
                });
                assert!(inner.run_here(&set(&[0]), || ()).is_err(), "the device is the job's again");
                outer_tell.send("outer").unwrap();
            }),
        );
        queue.ready(ticket);
        assert_eq!(hear.recv_timeout(LONG), Ok("inner"));
        assert_eq!(hear.recv_timeout(LONG), Ok("outer"));
        queue.drain(LONG);
        queue.close();
    }

    #[test]
    fn work_on_several_devices_runs_at_once() {
        let queue = Queue::start().unwrap();
        let barrier = Arc::new(std::sync::Barrier::new(4));
        for device in 0..4 {
            let barrier = barrier.clone();
            let job: Job = Box::new(move || {
                barrier.wait();
            });
            let ticket = queue.submit(set(&[device]), job);
            queue.ready(ticket);
        }
        // Each waits for the other three: one after the other they would wait forever.
        queue.drain(LONG);
        assert!(queue.0.lock().waiting.is_empty());
        queue.close();
    }
}
