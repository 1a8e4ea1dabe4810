//! What a run's control flow did: trips of loops, branches taken. Time depends on it.

use sim_core::Span;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

/// By the place of the operation in the program's text. All devices together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Observations {
    /// Of a loop: how often it was entered, and its trips in all.
    pub loops: HashMap<Span, (u64, u64)>,
    /// Of a conditional: how often each of its regions was taken, in their order.
    pub branches: HashMap<Span, Vec<u64>>,
}

/// Observations of a run that is under way.
#[derive(Clone, Debug, Default)]
pub struct Observer(Arc<Mutex<Observations>>);

impl Observer {
    /// What was seen so far.
    pub fn seen(&self) -> Observations {
        self.0.lock().map(|o| o.clone()).unwrap_or_default()
    }

    pub(super) fn ended(&self, span: Span, trips: u64) {
        if let Ok(mut seen) = self.0.lock() {
            let entry = seen.loops.entry(span).or_default();
            *entry = (entry.0 + 1, entry.1 + trips);
        }
    }

    pub(super) fn took(&self, span: Span, branch: usize, of: usize) {
        if let Ok(mut seen) = self.0.lock() {
            let counts = seen.branches.entry(span).or_insert_with(|| vec![0; of]);
            if let Some(n) = counts.get_mut(branch) {
                *n += 1;
            }
        }
    }
}
