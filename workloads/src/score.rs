//! The scorecard: every row's measured and simulated value, and how far they are apart by class and chip.

mod text;

use crate::dumps::isolate;
use crate::program::Program;
use crate::row::Row;
use crate::scope::{Class, Measured, Part, Workload, scope};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};

/// Who made what chips run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Compiler {
    /// XLA:TPU, in dumps.
    Xla,
    /// Ours.
    Builtin,
}

impl Compiler {
    pub fn name(self) -> &'static str {
        match self {
            Compiler::Xla => "xla",
            Compiler::Builtin => "builtin",
        }
    }
}

/// A row that was simulated.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Scored {
    pub id: String,
    pub chip: String,
    pub class: Class,
    pub workload: String,
    pub shape: String,
    /// The first of its programs.
    pub program: String,
    /// Who made what was simulated: ours, if it made any of its programs.
    pub compiler: Compiler,
    /// In `unit`, as `simulated`.
    pub measured: f64,
    pub simulated: f64,
    pub unit: String,
    /// Of the time, relative to the measured one: positive where we are slow, whatever the metric.
    pub error: f64,
    /// What the programs leave out of what ran.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<&'static str>,
}

/// A row that was not.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Unscored {
    pub id: String,
    pub chip: String,
    pub workload: String,
    pub shape: String,
    pub reason: String,
}

/// The errors of a class of work on a chip, without their signs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClassErrors {
    pub class: Class,
    pub chip: String,
    /// Of the dumps.
    pub compiler: Compiler,
    pub rows: usize,
    pub median_abs_error: f64,
    pub mean_abs_error: f64,
    /// The largest.
    pub worst: f64,
    /// The row that has it.
    pub worst_row: String,
}

/// All of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Scorecard {
    pub rows: Vec<Scored>,
    pub classes: Vec<ClassErrors>,
    /// Rows that no program for one chip answers, with the reason.
    pub out_of_scope: Vec<Unscored>,
    /// Rows whose programs have no dump.
    pub not_compiled: Vec<Unscored>,
    /// Rows whose dumps could not be simulated.
    pub not_simulated: Vec<Unscored>,
}

/// Which rows are wanted.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// As a chip's file names it.
    pub chip: Option<String>,
    pub class: Option<Class>,
}

impl Wanted {
    /// Is a row with such a workload?
    pub fn takes(&self, workload: &Workload) -> bool {
        self.chip.as_ref().is_none_or(|c| *c == workload.chip)
            && self.class.is_none_or(|c| c == workload.class)
    }
}

/// A chip's program as the chip runs it, as text, if there is one: a dump, or what our compiler makes of it.
pub type DumpOf<'a> = dyn Fn(&str, &Program) -> Result<Option<(Compiler, String)>, String> + 'a;

/// The time in us of a dump on a chip.
pub type Simulate<'a> = dyn Fn(&str, &str) -> Result<f64, String> + 'a;

/// Scores rows. Those out of scope are listed, unless only one class is wanted.
pub fn score(rows: &[Row], wanted: &Wanted, dump: &DumpOf, simulate: &Simulate) -> Scorecard {
    let mut card = Scorecard::default();
    let mut times = Times { dump, simulate, known: HashMap::new(), compiler: Compiler::Xla };
    for row in rows {
        let unscored = |reason: &str| Unscored {
            id: row.id.clone(),
            chip: row.chip.clone(),
            workload: row.workload.clone(),
            shape: row.shape.clone(),
            reason: reason.to_owned(),
        };
        let workload = match scope(row) {
            Ok(workload) => workload,
            Err(out) => {
                let chip_wanted = wanted.chip.as_ref().is_none_or(|c| *c == row.chip);
                if wanted.class.is_none() && chip_wanted {
                    card.out_of_scope.push(unscored(&out.reason));
                }
                continue;
            }
        };
        if !wanted.takes(&workload) {
            continue;
        }
        match times.values(&workload) {
            Ok(times) => card.rows.push(scored(row, &workload, times)),
            Err(Why::NoDump(name)) => {
                let why = format!("no dump of {}/{name}", workload.chip);
                card.not_compiled.push(unscored(&why));
            }
            Err(Why::Failed(why)) => card.not_simulated.push(unscored(&why)),
        }
    }
    card.classes = classes(&card.rows);
    card
}

fn scored(row: &Row, workload: &Workload, (us, reference, compiler): (f64, f64, Compiler)) -> Scored {
    let measured = row.value.unwrap_or(f64::NAN);
    let simulated = workload.quantity.value(us, reference);
    Scored {
        id: row.id.clone(),
        chip: workload.chip.clone(),
        class: workload.class,
        workload: row.workload.clone(),
        shape: row.shape.clone(),
        program: workload.name().to_owned(),
        compiler,
        measured,
        simulated,
        unit: row.unit.clone(),
        error: workload.quantity.error(measured, simulated),
        note: workload.note,
    }
}

/// Why a workload has no time.
enum Why {
    NoDump(String),
    Failed(String),
}

/// Simulated times, each program's once.
struct Times<'a> {
    dump: &'a DumpOf<'a>,
    simulate: &'a Simulate<'a>,
    known: HashMap<(String, String, u8), (Compiler, f64)>,
    /// Of the row at hand.
    compiler: Compiler,
}

impl Times<'_> {
    /// The time of what a row measured, with the host's share, that of its reference, and who made what runs.
    fn values(&mut self, workload: &Workload) -> Result<(f64, f64, Compiler), Why> {
        self.compiler = Compiler::Xla;
        let us = self.sum(&workload.chip, &workload.parts)? + workload.floor_us;
        if !(us.is_finite() && us > 0.0) {
            return Err(Why::Failed(format!("its time is {us} us")));
        }
        Ok((us, self.sum(&workload.chip, &workload.reference)?, self.compiler))
    }

    fn sum(&mut self, chip: &str, parts: &[Part]) -> Result<f64, Why> {
        let mut sum = 0.0;
        for part in parts {
            sum += self.of(chip, part)? * part.times;
        }
        Ok(sum)
    }

    fn of(&mut self, chip: &str, part: &Part) -> Result<f64, Why> {
        let name = &part.program.name;
        let measured = match part.measured {
            Measured::Whole => 0,
            Measured::Kernels => 1,
            Measured::Copies => 2,
            Measured::OnChip => 3,
        };
        let key = (chip.to_owned(), name.clone(), measured);
        if let Some(&(by, us)) = self.known.get(&key) {
            self.compiler = self.compiler.max(by);
            return Ok(us);
        }
        let failed = |why: String| Why::Failed(format!("{name}: {why}"));
        let (by, text) =
            (self.dump)(chip, &part.program).map_err(failed)?.ok_or_else(|| Why::NoDump(name.clone()))?;
        let text = isolate(&text, part.measured).map_err(failed)?;
        let us = (self.simulate)(&text, chip).map_err(failed)?;
        self.known.insert(key, (by, us));
        self.compiler = self.compiler.max(by);
        Ok(us)
    }
}

/// By class, then by chip, then by compiler.
fn classes(rows: &[Scored]) -> Vec<ClassErrors> {
    let mut groups: BTreeMap<(Class, &str, Compiler), Vec<&Scored>> = BTreeMap::new();
    for row in rows {
        groups.entry((row.class, &row.chip, row.compiler)).or_default().push(row);
    }
    groups
        .into_iter()
        .map(|((class, chip, compiler), mut rows)| {
            rows.sort_by(|a, b| a.error.abs().total_cmp(&b.error.abs()));
            let errors: Vec<f64> = rows.iter().map(|r| r.error.abs()).collect();
            ClassErrors {
                class,
                chip: chip.to_owned(),
                compiler,
                rows: rows.len(),
                median_abs_error: median(&errors),
                mean_abs_error: errors.iter().sum::<f64>() / errors.len() as f64,
                worst: errors.last().copied().unwrap_or(0.0),
                worst_row: rows.last().map_or_else(String::new, |r| r.id.clone()),
            }
        })
        .collect()
}

/// Of sorted numbers.
fn median(sorted: &[f64]) -> f64 {
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => 0.0,
        n if n % 2 == 1 => sorted[middle],
        _ => (sorted[middle - 1] + sorted[middle]) / 2.0,
    }
}

impl Scorecard {
    /// As JSON.
    pub fn json(&self) -> String {
        // Numbers and strings only.
        serde_json::to_string_pretty(self).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests;
