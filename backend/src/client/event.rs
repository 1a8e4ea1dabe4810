//! Something that will have happened: set once, waited for by any number, and told to callbacks.

use super::status::{Result, Status};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock};

/// Called once with how it ended, on the thread that set the event, or at once if it is set already.
pub type Callback = Box<dyn FnOnce(&Result<(), Status>) + Send>;

/// Clones share what they stand for.
#[derive(Clone, Default)]
pub struct Event(Arc<Inner>);

#[derive(Default)]
struct Inner {
    outcome: OnceLock<Result<(), Status>>,
    waiting: Mutex<Waiting>,
    set: Condvar,
}

#[derive(Default)]
struct Waiting {
    callbacks: Vec<Callback>,
    /// Threads in [`Event::wait`]: most events have none, and to wake nobody is a system call too.
    threads: usize,
}

impl Inner {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(|e| e.into_inner())
    }
}

impl Event {
    /// One that has not happened.
    pub fn new() -> Event {
        Event::default()
    }

    /// One that is over.
    pub fn done(outcome: Result<()>) -> Event {
        let event = Event::new();
        event.set(outcome);
        event
    }

    /// How it ended, if it has.
    pub fn outcome(&self) -> Option<&Result<()>> {
        self.0.outcome.get()
    }

    pub fn is_ready(&self) -> bool {
        self.outcome().is_some()
    }

    /// Says how it ended. Only the first time counts; `false` afterwards.
    pub fn set(&self, outcome: Result<()>) -> bool {
        let (callbacks, threads) = {
            // The lock orders this with `on_ready`: a callback is either in the list or sees the outcome.
            let mut waiting = self.0.waiting();
            if self.0.outcome.set(outcome).is_err() {
                return false;
            }
            (std::mem::take(&mut waiting.callbacks), waiting.threads)
        };
        if threads > 0 {
            self.0.set.notify_all();
        }
        if let Some(outcome) = self.outcome() {
            callbacks.into_iter().for_each(|f| f(outcome));
        }
        true
    }

    /// Blocks until it is set.
    pub fn wait(&self) -> Result<()> {
        if let Some(outcome) = self.outcome() {
            return outcome.clone();
        }
        let mut waiting = self.0.waiting();
        waiting.threads += 1;
        loop {
            if let Some(outcome) = self.outcome() {
                waiting.threads -= 1;
                return outcome.clone();
            }
            waiting = self.0.set.wait(waiting).unwrap_or_else(|e| e.into_inner());
        }
    }

    /// Calls `f` when it is set.
    pub fn on_ready(&self, f: Callback) {
        {
            let mut waiting = self.0.waiting();
            if self.outcome().is_none() {
                waiting.callbacks.push(f);
                return;
            }
        }
        if let Some(outcome) = self.outcome() {
            f(outcome);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn callbacks_run_once_before_and_after() {
        let (event, count) = (Event::new(), Arc::new(AtomicUsize::new(0)));
        let add = || {
            let count = count.clone();
            Box::new(move |o: &Result<()>| {
                assert!(o.is_err());
                count.fetch_add(1, Ordering::Relaxed);
            })
        };
        event.on_ready(add());
        assert!(!event.is_ready());
        assert!(event.set(Err(Status::internal("x"))));
        assert!(!event.set(Ok(())));
        event.on_ready(add());
        assert_eq!(count.load(Ordering::Relaxed), 2);
        assert!(event.wait().is_err());
    }

    #[test]
    fn waiting_threads_wake() {
        let event = Event::new();
        std::thread::scope(|s| {
            let threads: Vec<_> = (0..4).map(|_| s.spawn(|| event.wait())).collect();
            event.set(Ok(()));
            assert!(threads.into_iter().all(|t| t.join().is_ok_and(|o| o.is_ok())));
        });
    }
}
