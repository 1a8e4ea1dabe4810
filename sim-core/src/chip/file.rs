//! The files of chips (`sim-core/chips/*.toml`), and what a user sets beside them.

use super::Chip;
use super::parameters::{Kind, Status, Value};
use super::slice::Slices;
use super::table::{KEYS, Units};
use crate::{Diagnostic, Result};
use serde::Deserialize;
use std::collections::BTreeMap;

/// A parameter as its file has it.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    pub value: Value,
    pub status: Status,
    /// One of [`Chip::sources`](super::Chip::sources), or `--set`.
    pub source: String,
    /// How it was derived, or what other sources say.
    pub note: Option<String>,
}

/// A chip's parameters: what its file says of each of [`KEYS`], in their order, and the units made of that.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Parameters {
    pub entries: Vec<Option<Entry>>,
    pub units: Units,
}

#[derive(Deserialize)]
struct File {
    name: String,
    aliases: Vec<String>,
    kind: String,
    sources: BTreeMap<String, String>,
    slice: Option<Slices>,
    #[serde(flatten)]
    sections: BTreeMap<String, BTreeMap<String, Row>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    value: Value,
    unit: String,
    status: Status,
    source: String,
    note: Option<String>,
}

/// Reads a chip's file. `what` is its name in messages.
///
/// # Errors
/// Kind `Malformed`: no TOML, or not of this form. Kind `Invalid`: a key is unknown, in another unit, out of range, or missing;
/// a source is not in the list; numbers contradict each other.
pub(super) fn parse(what: &str, text: &str) -> Result<Chip> {
    let mut file: File = toml::from_str(text).map_err(|e| Diagnostic::malformed(format!("{what}: {e}")))?;
    let wrong = |message: String| Diagnostic::invalid(format!("{what}: {message}"));
    let mut entries: Vec<Option<Entry>> = vec![None; KEYS.len()];
    for (section, rows) in std::mem::take(&mut file.sections) {
        for (field, row) in rows {
            let name = format!("{section}.{field}");
            let i = position(&name)?;
            let key = &KEYS[i];
            if row.unit != key.unit {
                return Err(wrong(format!("{name} is in {}, not in {}", key.unit, row.unit)));
            }
            if !file.sources.contains_key(&row.source) {
                return Err(wrong(format!("{name} is from {}, which is not in [sources]", row.source)));
            }
            let value = key.check(row.value).map_err(|wanted| wrong(format!("{name} is {wanted}")))?;
            entries[i] = Some(Entry { value, status: row.status, source: row.source, note: row.note });
        }
    }
    let units = units(&entries).map_err(&wrong)?;
    if let Some(slices) = &file.slice {
        slices.check().map_err(|e| wrong(e.to_owned()))?;
    }
    let parameters = Parameters { entries, units };
    let File { name, aliases, kind, sources, slice, .. } = file;
    Ok(Chip { name, aliases, kind, sources, slices: slice, parameters })
}

/// What the entries say together; in words, what contradicts.
fn units(entries: &[Option<Entry>]) -> Result<Units, String> {
    let units = Units::new(entries).map_err(|key| format!("{key} is missing"))?;
    let chip = &units.chip;
    if !chip.tensorcores.is_multiple_of(chip.devices) {
        return Err(format!(
            "chip.devices is {}, which does not divide chip.tensorcores, {}",
            chip.devices, chip.tensorcores
        ));
    }
    if units.vmem.scoped_bytes > units.vmem.bytes {
        return Err(format!(
            "vmem.scoped_bytes is {}, and the whole of it, vmem.bytes, is {}",
            units.vmem.scoped_bytes, units.vmem.bytes
        ));
    }
    let (device, chip) = (units.hbm.usable_bytes, units.hbm.bytes / chip.devices);
    if device > chip {
        return Err(format!("hbm.usable_bytes is {device}, and a device's part of hbm.bytes is {chip}"));
    }
    Ok(units)
}

impl Parameters {
    /// `mxu.columns=256`, `vmem.bytes=64_000_000`, several: other values for this run.
    ///
    /// # Errors
    /// There is no such key (the message names the nearest), the value is not what it takes, or contradicts others.
    pub fn set<S: AsRef<str>>(&mut self, assignments: &[S]) -> Result<()> {
        let mut entries = self.entries.clone();
        for assignment in assignments {
            let assignment = assignment.as_ref();
            let (name, text) = assignment.split_once('=').ok_or_else(|| {
                Diagnostic::invalid(format!("`{assignment}` sets nothing"))
                    .help("write KEY=VALUE, such as mxu.columns=256")
            })?;
            let (name, text) = (name.trim(), text.trim());
            let i = position(name)?;
            let key = &KEYS[i];
            let value = read(key.kind, text).ok_or_else(|| key.wanted()).and_then(|v| key.check(v));
            let value = value
                .map_err(|wanted| Diagnostic::invalid(format!("{name} takes {wanted}, not `{text}`")))?;
            let before = self.entries[i].as_ref().map(|e| format!("{} in the chip's file", e.value));
            entries[i] = Some(Entry { value, status: Status::Set, source: "--set".to_owned(), note: before });
        }
        let units = units(&entries).map_err(|e| Diagnostic::invalid(e).help("set both"))?;
        *self = Parameters { entries, units };
        Ok(())
    }
}

fn read(kind: Kind, text: &str) -> Option<Value> {
    let plain = text.replace('_', "");
    match kind {
        Kind::Whole => plain.parse().ok().map(Value::Whole),
        Kind::Real => plain.parse().ok().map(Value::Real),
    }
}

/// The place of a key among [`KEYS`].
fn position(name: &str) -> Result<usize> {
    if let Some(i) = KEYS.iter().position(|k| k.name == name) {
        return Ok(i);
    }
    let error = Diagnostic::invalid(format!("chips have no parameter `{name}`"));
    if name.is_empty() {
        return Err(Diagnostic::invalid("a value without a parameter")
            .help("write KEY=VALUE, such as mxu.columns=256"));
    }
    // Its section alone was forgotten, or letters are wrong.
    let fields: Vec<&str> =
        KEYS.iter().map(|k| k.name).filter(|k| k.rsplit('.').next() == Some(name)).collect();
    let near = KEYS.iter().min_by_key(|k| strsim::damerau_levenshtein(k.name, name));
    let near = near.filter(|k| strsim::damerau_levenshtein(k.name, name) <= k.name.len() / 2);
    Err(match (&fields[..], near) {
        ([], None) => error.help("`tpusim chips show v6e` lists all"),
        ([], Some(key)) => {
            error.help(format!("did you mean `{}`? `tpusim chips show v6e` lists all", key.name))
        }
        (fields, _) => error.help(format!("did you mean `{}`?", fields.join("` or `"))),
    })
}
