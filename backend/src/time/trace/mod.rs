//! Timelines: what ran when, on which unit, with counters beside it.
//!
//! [`Timeline`] is what both formats write: `chrome` the JSON that Chrome's tracing and Perfetto read, `perfetto` the protocol buffer
//! that is smaller and faster to open.

mod chrome;
mod perfetto;

use super::kernel::Unit;
use super::record::Track;
use super::{Item, Timing};
use sim_core::engine::{Duration, Time};
use std::fmt::Write as _;

/// Spans of a timeline beyond which the rest is left out.
pub const MOST_SPANS: usize = 500_000;

/// One line of a timeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Line {
    /// Loops, branches and calls, around what is in them.
    Program,
    /// What the TensorCore does, whatever unit it is for.
    Core,
    Of(Unit),
    /// Asynchronous transfers; several at once have a line each.
    Transfers(u16),
    Waiting,
}

impl Line {
    fn name(self) -> String {
        match self {
            Line::Program => "program".into(),
            Line::Core => "TensorCore".into(),
            Line::Of(unit) => unit.name().into(),
            Line::Transfers(n) => format!("asynchronous {}", n + 1),
            Line::Waiting => "waiting".into(),
        }
    }

    /// From top to bottom.
    fn rank(self) -> u64 {
        match self {
            Line::Program => 1,
            Line::Core => 2,
            Line::Waiting => 3,
            Line::Of(unit) => 10 + unit as u64,
            Line::Transfers(n) => 100 + u64::from(n),
        }
    }
}

/// Something on a line.
#[derive(Clone, Copy, Debug)]
struct Event<'a> {
    line: Line,
    item: &'a Item,
    start: Time,
    length: Duration,
}

/// A value that holds from a time on.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Sample {
    at: Time,
    value: f64,
}

/// A recorded timing, ready to be written.
pub struct Timeline<'a> {
    events: Vec<Event<'a>>,
    lines: Vec<Line>,
    /// GB/s.
    bandwidth: Vec<Sample>,
    /// Bytes of HBM that hold arguments and values that are still needed.
    live: Vec<Sample>,
    /// Not all of it is here.
    pub cut: bool,
}

impl<'a> Timeline<'a> {
    /// Of a timing that was recorded; the first `most` spans.
    pub fn new(timing: &'a Timing, most: usize) -> Timeline<'a> {
        let (spans, cut) = timing.record.spans(most);
        let mut events = Vec::with_capacity(spans.len() * 2);
        let mut changes: Vec<(Time, f64)> = Vec::new();
        let base = timing.program.arguments as f64;
        let mut live = vec![Sample { at: Time::ZERO, value: base }];
        let mut free: Vec<Time> = Vec::new();
        for span in &spans {
            let item = timing.program.item(span.item);
            let (start, length, end) = (span.start, span.length, span.start + span.length);
            let line = match span.track {
                Track::Core => Line::Core,
                Track::Waiting => Line::Waiting,
                Track::Control => Line::Program,
                Track::Asynchronous => {
                    // The first line that is free by then.
                    let n = free.iter().position(|&f| f <= start).unwrap_or_else(|| {
                        free.push(Time::ZERO);
                        free.len() - 1
                    });
                    free[n] = end;
                    Line::Transfers(u16::try_from(n).unwrap_or(u16::MAX))
                }
            };
            events.push(Event { line, item, start, length });
            if span.track == Track::Core {
                events.push(Event { line: Line::Of(item.kernel.unit), item, start, length });
            }
            if span.track == Track::Core {
                live.push(Sample { at: start, value: base + span.held as f64 });
            }
            let bytes = item.kernel.read as f64 + item.kernel.written as f64;
            if matches!(span.track, Track::Core | Track::Asynchronous)
                && bytes > 0.0
                && length > Duration::ZERO
            {
                let rate = bytes / length.seconds() / 1e9;
                changes.extend([(start, rate), (end, -rate)]);
            }
        }
        live.sort_by_key(|s| s.at);
        live.dedup_by(|next, before| next.value == before.value);
        let mut lines: Vec<Line> = events.iter().map(|e| e.line).collect();
        lines.sort();
        lines.dedup();
        lines.sort_by_key(|l| l.rank());
        // Whoever encloses others comes first, as nested slices must.
        events.sort_by_key(|e| (e.start, e.line.rank(), std::cmp::Reverse(e.length)));
        Timeline { events, lines, bandwidth: sum(changes, 0.0), live, cut }
    }
}

/// The running sum of changes, one sample a time.
fn sum(mut changes: Vec<(Time, f64)>, mut value: f64) -> Vec<Sample> {
    changes.sort_by_key(|c| c.0);
    let mut out = vec![Sample { at: Time::ZERO, value }];
    for (at, change) in changes {
        value += change;
        // What adding and subtracting leaves behind is nothing.
        let shown = if value.abs() < 1e-6 { 0.0 } else { value };
        match out.last_mut() {
            Some(last) if last.at == at => last.value = shown,
            _ => out.push(Sample { at, value: shown }),
        }
    }
    out
}

/// `layers.py:42`, where the dump says it.
fn source(item: &Item) -> Option<String> {
    let file = item.place.file.as_deref()?;
    let mut text = file.to_owned();
    if item.place.line > 0 {
        let _ = write!(text, ":{}", item.place.line);
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_become_levels() {
        let at = Time::from_ps;
        let samples = sum(vec![(at(5), 2.0), (at(1), 1.0), (at(9), -2.0), (at(9), -1.0)], 0.0);
        let levels: Vec<(u64, f64)> = samples.iter().map(|s| (s.at.ps(), s.value)).collect();
        assert_eq!(levels, [(0, 0.0), (1, 1.0), (5, 3.0), (9, 0.0)]);
    }
}
