//! VHLO, the versioned form of StableHLO that portable artifacts hold: every operation, attribute and
//! type carries a version in its name, and none ever changes. A reader upgrades what it finds to the
//! StableHLO of today.
//!
//! Attributes and types arrive here as the StableHLO ones they stand for (whoever reads an encoding
//! sees to that); what is left are the operations: their names, the attributes that VHLO takes apart
//! (`lhs_batching_dimensions`, … for one `dot_dimension_numbers`), symbols that VHLO keeps as strings,
//! and the values that VHLO always writes and StableHLO leaves out.
//! `downgrade` is the way back, to any version.
//!
//! (Source of the rules: StableHLO's `VhloLegalizeToStablehlo.cpp` and `VhloToVersion.cpp`.)

mod defaults;
mod downgrade;
mod ops;
mod upgrade;
mod version;

pub(super) use downgrade::{Lowered, Shape, downgrade, is_known, too_new};
pub(super) use upgrade::upgrade;
pub use version::Version;

use ops::OPS;
use sim_core::{Diagnostic, Result};
use std::collections::HashMap;
use std::sync::LazyLock;

/// What stands in programs between VHLO and the operations of dialects that it leaves alone: the two
/// types are the same here.
pub(super) const CAST: &str = "builtin.unrealized_conversion_cast";

static BY_NAME: LazyLock<HashMap<&'static str, &'static str>> = LazyLock::new(|| OPS.into_iter().collect());

/// The attributes of `vhlo.name_v1`, separated by spaces, in the order of the alphabet; `None` if there
/// is no such operation.
pub(super) fn attributes(name: &str) -> Option<&'static str> {
    BY_NAME.get(name.strip_prefix("vhlo.")?).copied()
}

/// Is the operation known, in this version? `producer` is what wrote the program (`StableHLO_v2.0.0`).
///
/// # Errors
/// Unsupported, with the versions there are.
pub(super) fn check(name: &str, producer: &str) -> Result<()> {
    if !name.starts_with("vhlo.") || attributes(name).is_some() {
        return Ok(());
    }
    let (base, version) = split(name);
    let newest = OPS.iter().filter(|(op, _)| split(op).0 == base).filter_map(|(op, _)| split(op).1).max();
    let producer =
        if producer.is_empty() { String::new() } else { format!(", and the file is of {producer}") };
    let message = match (version, newest) {
        (Some(version), Some(newest)) => format!(
            "{name}: version {version} of the operation is not known, only up to version {newest} \
             (VHLO {}){producer}",
            Version::NEWEST
        ),
        _ => format!("{name}: no such operation up to VHLO {}{producer}", Version::NEWEST),
    };
    Err(Diagnostic::unsupported(message).help("write the artifact for an older version of StableHLO"))
}

/// `vhlo.add_v1` is `add` and 1.
fn split(name: &str) -> (&str, Option<u32>) {
    let name = name.strip_prefix("vhlo.").unwrap_or(name);
    match name.rsplit_once("_v") {
        Some((base, version)) => (base, version.parse().ok()),
        None => (name, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_stands_once_with_sorted_attributes() {
        assert_eq!(BY_NAME.len(), OPS.len());
        for (name, attributes) in OPS {
            assert!(split(name).1.is_some(), "{name}");
            assert!(attributes.split_ascii_whitespace().is_sorted(), "{name}");
        }
    }

    #[test]
    fn versions_to_come_are_refused_with_both() {
        let e = check("vhlo.constant_v99", "StableHLO_v2.0.0").unwrap_err().to_string();
        for part in ["vhlo.constant_v99", "version 99", "version 1", "1.22.0", "StableHLO_v2.0.0"] {
            assert!(e.contains(part), "{e}");
        }
        assert!(check("vhlo.all_reduce_v2", "").is_ok());
        assert!(check("vhlo.nothing_v1", "").unwrap_err().to_string().contains("no such operation"));
    }
}
