//! Points in simulated time, and the time between them.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Mul, Sub};

/// Picoseconds since the start. The largest is 213 days.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(u64);

/// Picoseconds between two times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Duration(u64);

impl Time {
    pub const ZERO: Time = Time(0);

    pub fn from_ps(ps: u64) -> Time {
        Time(ps)
    }

    pub fn ps(self) -> u64 {
        self.0
    }

    pub fn us(self) -> f64 {
        self.0 as f64 / 1e6
    }

    /// From `earlier` to this; nothing if it is later.
    pub fn since(self, earlier: Time) -> Duration {
        Duration(self.0.saturating_sub(earlier.0))
    }
}

impl Duration {
    pub const ZERO: Duration = Duration(0);

    pub fn from_ps(ps: u64) -> Duration {
        Duration(ps)
    }

    /// Rounded up to whole picoseconds: what takes any time takes at least one.
    pub fn from_seconds(s: f64) -> Duration {
        Duration((s * 1e12).ceil().max(0.0) as u64)
    }

    pub fn from_us(us: f64) -> Duration {
        Duration((us * 1e6).ceil().max(0.0) as u64)
    }

    pub fn from_ns(ns: f64) -> Duration {
        Duration((ns * 1e3).ceil().max(0.0) as u64)
    }

    /// Cycles of a clock.
    pub fn from_cycles(cycles: f64, mhz: f64) -> Duration {
        Duration((cycles * 1e6 / mhz).ceil().max(0.0) as u64)
    }

    pub fn ps(self) -> u64 {
        self.0
    }

    pub fn us(self) -> f64 {
        self.0 as f64 / 1e6
    }

    pub fn seconds(self) -> f64 {
        self.0 as f64 / 1e12
    }

    pub fn saturating_sub(self, other: Duration) -> Duration {
        Duration(self.0.saturating_sub(other.0))
    }
}

impl Add<Duration> for Time {
    type Output = Time;
    fn add(self, length: Duration) -> Time {
        Time(self.0.saturating_add(length.0))
    }
}

impl Add for Duration {
    type Output = Duration;
    fn add(self, other: Duration) -> Duration {
        Duration(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Duration {
    fn add_assign(&mut self, other: Duration) {
        *self = *self + other;
    }
}

impl Sub<Duration> for Time {
    type Output = Time;
    fn sub(self, length: Duration) -> Time {
        Time(self.0.saturating_sub(length.0))
    }
}

impl Mul<u64> for Duration {
    type Output = Duration;
    fn mul(self, n: u64) -> Duration {
        Duration(self.0.saturating_mul(n))
    }
}

impl Sum for Duration {
    fn sum<I: Iterator<Item = Duration>>(all: I) -> Duration {
        all.fold(Duration::ZERO, Add::add)
    }
}

/// In the unit that suits its size: `12 ps`, `3.4 ns`, `5.67 us`, `8.9 ms`, `1.2 s`.
impl fmt::Display for Duration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ps = self.0 as f64;
        let (x, unit) = match self.0 {
            0..1_000 => return write!(f, "{} ps", self.0),
            1_000..1_000_000 => (ps / 1e3, "ns"),
            1_000_000..1_000_000_000 => (ps / 1e6, "us"),
            1_000_000_000..1_000_000_000_000 => (ps / 1e9, "ms"),
            _ => (ps / 1e12, "s"),
        };
        let digits = if x < 10.0 {
            3
        } else if x < 100.0 {
            2
        } else {
            1
        };
        write!(f, "{x:.digits$} {unit}")
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Duration(self.0).fmt(f)
    }
}
