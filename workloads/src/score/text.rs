//! The scorecard for people.

use super::{Scorecard, Unscored};
use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

/// At most so many characters of a text.
fn short(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    text.chars().take(width.saturating_sub(1)).chain(['…']).collect()
}

/// Four significant digits, and all before the point.
fn number(value: f64) -> String {
    let digits = if value == 0.0 { 0.0 } else { value.abs().log10().floor() };
    let decimals = (3.0 - digits).clamp(0.0, 6.0) as usize;
    format!("{value:.decimals$}")
}

fn percent(error: f64) -> String {
    format!("{:+.1} %", 100.0 * error)
}

/// By reason: how many rows, and which.
fn by_reason(f: &mut Formatter<'_>, title: &str, rows: &[Unscored]) -> fmt::Result {
    if rows.is_empty() {
        return Ok(());
    }
    writeln!(f, "\n{title} ({} rows)", rows.len())?;
    let mut reasons: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for row in rows {
        reasons.entry(&row.reason).or_default().push(&row.id);
    }
    for (reason, ids) in reasons {
        writeln!(f, "  {reason}: {}", ids.join(" "))?;
    }
    Ok(())
}

impl Display for Scorecard {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if !self.rows.is_empty() {
            writeln!(
                f,
                "{:<16} {:<5} {:<17} {:<40} {:<26} {:>11} {:>11} {:<14} {:>9}",
                "row", "chip", "class", "workload", "shape", "measured", "simulated", "unit", "error"
            )?;
        }
        let mut rows: Vec<_> = self.rows.iter().collect();
        rows.sort_by(|a, b| (a.class, &a.chip).cmp(&(b.class, &b.chip)));
        for r in rows {
            writeln!(
                f,
                "{:<16} {:<5} {:<17} {:<40} {:<26} {:>11} {:>11} {:<14} {:>9}",
                short(&r.id, 16),
                r.chip,
                r.class.name(),
                short(&r.workload, 40),
                short(&r.shape, 26),
                number(r.measured),
                number(r.simulated),
                short(r.unit.split(" (").next().unwrap_or(""), 14),
                percent(r.error),
            )?;
        }
        if !self.classes.is_empty() {
            writeln!(
                f,
                "\n{:<17} {:<5} {:<8} {:>5} {:>9} {:>9} {:>9}  worst row",
                "class", "chip", "compiler", "rows", "median", "mean", "worst"
            )?;
        }
        for c in &self.classes {
            writeln!(
                f,
                "{:<17} {:<5} {:<8} {:>5} {:>7.1} % {:>7.1} % {:>7.1} %  {}",
                c.class.name(),
                c.chip,
                c.compiler.name(),
                c.rows,
                100.0 * c.median_abs_error,
                100.0 * c.mean_abs_error,
                100.0 * c.worst,
                c.worst_row,
            )?;
        }
        let mut notes: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for row in &self.rows {
            if let Some(note) = row.note {
                notes.entry(note).or_default().push(&row.id);
            }
        }
        for (note, ids) in notes {
            writeln!(f, "\nNote: {note}: {}", ids.join(" "))?;
        }
        by_reason(f, "Not compiled", &self.not_compiled)?;
        by_reason(f, "Not simulated", &self.not_simulated)?;
        by_reason(f, "Out of scope", &self.out_of_scope)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_texts_fit_their_columns() {
        assert_eq!(number(0.05797), "0.05797");
        assert_eq!(number(91835.77), "91836");
        assert_eq!(number(1.4578), "1.458");
        assert_eq!(number(0.0), "0.000");
        assert_eq!(short("héllo wörld", 6), "héllo…");
        assert_eq!(short("abc", 3), "abc");
        assert_eq!(percent(-0.1234), "-12.3 %");
    }
}
