//! What happened when, for timelines. What repeats is kept once.

use super::program::ItemId;
use sim_core::engine::{Duration, Time};
use std::ops::Range;

/// Where a span belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Track {
    /// A kernel on the TensorCore.
    Core,
    /// The TensorCore waits for something asynchronous.
    Waiting,
    /// Loops, branches, calls.
    Control,
    Asynchronous,
}

/// Something that took from `start` for `length`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    pub item: ItemId,
    pub track: Track,
    pub start: Time,
    pub length: Duration,
    /// Bytes of HBM that values hold, arguments aside.
    pub held: u64,
}

#[derive(Clone, Debug)]
enum Mark {
    Span(Span),
    /// Those marks again: `times` times, the first `shift` later, each `period` after the one before.
    Again {
        marks: Range<usize>,
        shift: Duration,
        period: Duration,
        times: u64,
    },
}

/// Marks in the order in which they ended.
#[derive(Clone, Debug, Default)]
pub struct Record {
    on: bool,
    marks: Vec<Mark>,
}

impl Record {
    pub(super) fn new(on: bool) -> Record {
        Record { on, marks: Vec::new() }
    }

    pub(super) fn marks(&self) -> usize {
        self.marks.len()
    }

    pub(super) fn span(&mut self, span: Span) {
        if self.on {
            self.marks.push(Mark::Span(span));
        }
    }

    pub(super) fn again(&mut self, marks: Range<usize>, shift: Duration, period: Duration, times: u64) {
        if self.on && !marks.is_empty() {
            self.marks.push(Mark::Again { marks, shift, period, times });
        }
    }

    /// All spans, what repeats written out; the first `most` of them. `true`: there were more.
    pub fn spans(&self, most: usize) -> (Vec<Span>, bool) {
        let mut out = Vec::new();
        let more = !self.write(0..self.marks.len(), Duration::ZERO, most, &mut out, 0);
        (out, more)
    }

    fn write(
        &self,
        marks: Range<usize>,
        shift: Duration,
        most: usize,
        out: &mut Vec<Span>,
        depth: u32,
    ) -> bool {
        for mark in &self.marks[marks] {
            if out.len() >= most || depth > 2000 {
                return false;
            }
            match mark {
                Mark::Span(span) => out.push(Span { start: span.start + shift, ..*span }),
                Mark::Again { marks, shift: first, period, times } => {
                    for i in 0..*times {
                        let later = shift + *first + *period * i;
                        if !self.write(marks.clone(), later, most, out, depth + 1) {
                            return false;
                        }
                    }
                }
            }
        }
        true
    }
}
