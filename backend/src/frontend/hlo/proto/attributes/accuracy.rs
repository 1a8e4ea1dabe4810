//! `result_accuracy`, which a text has in XLA's own braces.

use super::{Out, name_of, number_of};
use crate::frontend::hlo::proto::schema::*;
use sim_core::hlo::print::float_text;
use sim_core::hlo::{Attr, Key, Value};
use sim_core::{Diagnostic, Result};

pub(super) fn read(i: &HloInstructionProto, out: &mut Out) {
    let Some(accuracy) = &i.result_accuracy else { return };
    let text = match (&accuracy.tolerance, accuracy.mode) {
        (Some(t), _) => {
            format!(
                "{{tolerance={{atol={},rtol={},ulps={}}}}}",
                float_text(t.atol),
                float_text(t.rtol),
                t.ulps
            )
        }
        (None, Some(mode)) if mode != 0 => match name_of(&RESULT_ACCURACY_MODE, mode, "mode") {
            Ok(name) => format!("{{mode={}}}", name.to_ascii_lowercase()),
            Err(_) => return,
        },
        _ => return,
    };
    out.push(Key::ResultAccuracy, Value::Raw(text.into()));
}

pub(super) fn write(attr: &Attr, p: &mut HloInstructionProto) -> Result<bool> {
    let text = match (&attr.key, &attr.value) {
        (Key::ResultAccuracy, Value::Raw(text)) => text,
        // Where values came from before passes changed them, and what was measured: for tools, not for meaning.
        (Key::Origin | Key::Statistics, _) => return Ok(true),
        _ => return Ok(false),
    };
    let mut accuracy = ResultAccuracy::default();
    let mut words = text
        .split(|c: char| c.is_ascii_whitespace() || matches!(c, '{' | '}' | ',' | '='))
        .filter(|word| !word.is_empty());
    while let Some(word) = words.next() {
        let mut value = || words.next().unwrap_or_default();
        let number = |text: &str| {
            let wrong = || Diagnostic::invalid(format!("`result_accuracy`: `{text}` is no number"));
            text.parse::<f64>().map_err(|_| wrong())
        };
        match word {
            "mode" => {
                let name = value().to_ascii_uppercase();
                accuracy.mode = Some(number_of(&RESULT_ACCURACY_MODE, &name, "result_accuracy")?);
            }
            "atol" => accuracy.tolerance.get_or_insert_default().atol = number(value())?,
            "rtol" => accuracy.tolerance.get_or_insert_default().rtol = number(value())?,
            "ulps" => accuracy.tolerance.get_or_insert_default().ulps = number(value())? as i64,
            "tolerance" => {}
            _ => return Ok(false),
        }
    }
    p.result_accuracy = Some(Box::new(accuracy));
    Ok(true)
}
