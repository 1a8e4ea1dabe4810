//! StableHLO's versions, and what came with each of them.
//! (Sources: `VhloOps.td` and `Version.cpp` of StableHLO.)

use sim_core::{Diagnostic, Result};
use std::fmt;
use std::str::FromStr;

/// A version of StableHLO, which is that of VHLO too. Operations, attributes and types only ever
/// change with the first two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    pub major: u32,
    pub minor: u32,
    pub patch: u32,
}

impl Version {
    /// The newest version that is known.
    pub const NEWEST: Version = Version::new(1, 22);
    /// The oldest version that artifacts are of.
    pub const OLDEST: Version = Version::new(0, 9);

    /// `major.minor.0`
    pub const fn new(major: u32, minor: u32) -> Version {
        Version { major, minor, patch: 0 }
    }

    /// Every version, patches aside, oldest first.
    pub fn all() -> impl Iterator<Item = Version> {
        // 0.20 was followed by 1.0.
        let early = (Version::OLDEST.minor..=20).map(|minor| Version::new(0, minor));
        early.chain((0..=Version::NEWEST.minor).map(|minor| Version::new(1, minor)))
    }

    /// The version of MLIR's bytecode format that artifacts of this version are in.
    pub fn format(self) -> u64 {
        match (self.major, self.minor) {
            (0, 0..=9) => 0,
            (0, 10 | 11) => 1,
            (0, 12 | 13) => 3,
            (0, 14) => 4,
            _ => 6,
        }
    }

    /// Can artifacts be written for it?
    ///
    /// # Errors
    /// Invalid: it is older than [`Version::OLDEST`] or newer than [`Version::NEWEST`].
    pub fn check(self) -> Result<()> {
        if Version::OLDEST <= self && self <= Version::NEWEST {
            return Ok(());
        }
        Err(Diagnostic::invalid(format!("artifacts of StableHLO {self} cannot be written")).help(format!(
            "the versions are {} to {}",
            Version::OLDEST,
            Version::NEWEST
        )))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

/// `1.9.3`
impl FromStr for Version {
    type Err = Diagnostic;

    fn from_str(text: &str) -> Result<Version> {
        let number = |part: &str| match part.bytes().all(|b| b.is_ascii_digit()) {
            true => part.parse::<u32>().ok(),
            false => None,
        };
        let parts: Option<Vec<u32>> = text.split('.').map(number).collect();
        match parts.as_deref() {
            Some(&[major, minor, patch]) => Ok(Version { major, minor, patch }),
            _ => Err(Diagnostic::invalid(format!("`{text}` is no version of StableHLO"))
                .help(format!("write three numbers, such as {}", Version::NEWEST))),
        }
    }
}

/// The operations that came after [`Version::OLDEST`], or that replaced an older form of themselves.
const SINCE: [(&str, Version); 31] = [
    ("all_gather_v2", Version::new(1, 5)),
    ("all_reduce_v2", Version::new(1, 5)),
    ("all_to_all_v2", Version::new(1, 5)),
    ("async_done_v1", Version::new(1, 15)),
    ("async_start_v1", Version::new(1, 15)),
    ("cbrt_v2", Version::new(1, 10)),
    ("collective_broadcast_v1", Version::new(0, 16)),
    ("collective_broadcast_v2", Version::new(1, 20)),
    ("collective_reduce_v1", Version::new(1, 19)),
    ("composite_v1", Version::new(0, 19)),
    ("composite_v2", Version::new(1, 14)),
    ("cosine_v2", Version::new(1, 10)),
    ("custom_call_v2", Version::new(1, 18)),
    ("dot_general_v2", Version::new(1, 6)),
    ("dynamic_conv_v2", Version::new(0, 20)),
    ("dynamic_gather_v2", Version::new(1, 1)),
    ("exponential_minus_one_v2", Version::new(1, 10)),
    ("exponential_v2", Version::new(1, 9)),
    ("gather_v2", Version::new(1, 1)),
    ("log_plus_one_v2", Version::new(1, 10)),
    ("log_v2", Version::new(1, 10)),
    ("logistic_v2", Version::new(1, 10)),
    ("recv_v2", Version::new(1, 12)),
    ("rsqrt_v2", Version::new(1, 10)),
    ("scatter_v2", Version::new(1, 1)),
    ("send_v2", Version::new(1, 12)),
    ("sine_v2", Version::new(1, 10)),
    ("sqrt_v2", Version::new(1, 10)),
    ("tan_v1", Version::new(1, 4)),
    ("tan_v2", Version::new(1, 10)),
    ("tanh_v2", Version::new(1, 10)),
];

/// The first version that has `add_v1`.
pub(super) fn since(op: &str) -> Version {
    SINCE.iter().find(|row| row.0 == op).map_or(Version::OLDEST, |row| row.1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::vhlo::{ops::OPS, split};

    #[test]
    fn versions_are_read_and_compared() {
        let v: Version = "1.9.3".parse().expect("a version");
        assert_eq!(v, Version { major: 1, minor: 9, patch: 3 });
        assert_eq!(v.to_string(), "1.9.3");
        assert!(Version::new(0, 20) < Version::new(1, 2) && Version::new(1, 9) < v);
        for bad in ["", "1", "1.2", "1.2.3.4", "1.2.x", "1.2.+3", "-1.0.0", "1.2.99999999999"] {
            assert!(bad.parse::<Version>().is_err(), "{bad}");
        }
        assert!(Version::new(0, 8).check().is_err() && Version::new(99, 0).check().is_err());
        let formats =
            [(0, 9), (0, 11), (0, 13), (0, 14), (0, 15), (1, 0)].map(|(a, b)| Version::new(a, b).format());
        assert_eq!(formats, [0, 1, 3, 4, 6, 6]);
    }

    /// Of every operation that has a second form, the table says since when; and it names no others.
    #[test]
    fn later_forms_have_later_versions() {
        assert!(SINCE.iter().all(|(name, _)| OPS.iter().any(|(op, _)| op == name)));
        for (name, _) in OPS {
            let (base, Some(version)) = split(name) else { panic!("{name}") };
            if version > 1 {
                assert!(since(name) > since(&format!("{base}_v{}", version - 1)), "{name}");
            }
        }
    }
}
