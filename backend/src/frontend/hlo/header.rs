//! `HloModule name, key=value, …` and the stack tables behind it.

use super::attributes;
use super::computation::Refs;
use super::cursor::Cursor;
use super::shape::Shapes;
use sim_core::Result;
use sim_core::hlo::module::{FileLocation, StackFrame};
use sim_core::hlo::{Attr, Key, StackTables, Value};
use std::sync::Arc;

pub(super) fn header<'a>(
    c: &mut Cursor<'a>,
    shapes: &mut Shapes<'a>,
    refs: &mut Refs<'a>,
) -> Result<(Arc<str>, Vec<Attr>)> {
    let name: Arc<str> = match c.peek() {
        b'"' => c.string()?,
        _ => c.name("the module's name")?.into(),
    };
    let mut attrs: Vec<Attr> = Vec::new();
    while c.eat(b',') {
        let start = c.pos;
        let word = c.word("an attribute of the module")?;
        c.expect(b'=')?;
        let key = Key::known(word).unwrap_or_else(|| Key::Other(word.into()));
        if attrs.iter().any(|a| a.key == key) {
            return Err(c.error(start, format!("`{word}` is given twice")));
        }
        let mut value = attributes::value(c, &key, shapes, refs)?;
        if let (Key::InputOutputAlias, Value::Aliases(entries)) = (&key, &mut value) {
            for e in entries.iter_mut() {
                e.kind.get_or_insert_with(|| "may-alias".into());
            }
        }
        attrs.push(Attr { key, value });
    }
    Ok((name, attrs))
}

/// `FileNames`, `FunctionNames`, `FileLocations`, `StackFrames`, each followed by numbered lines.
pub(super) fn tables(c: &mut Cursor) -> Result<StackTables> {
    let mut t = StackTables::default();
    loop {
        let start = c.pos;
        match c.run(b"") {
            "FileNames" => t.file_names = names(c)?,
            "FunctionNames" => t.function_names = names(c)?,
            "FileLocations" => {
                t.locations = rows(c, |c| {
                    let v = fields(
                        c,
                        &["file_name_id", "function_name_id", "line", "end_line", "column", "end_column"],
                    )?;
                    Ok(FileLocation {
                        file_name_id: v[0],
                        function_name_id: v[1],
                        line: v[2],
                        end_line: v[3],
                        column: v[4],
                        end_column: v[5],
                    })
                })?;
            }
            "StackFrames" => {
                t.frames = rows(c, |c| {
                    let v = fields(c, &["file_location_id", "parent_frame_id"])?;
                    Ok(StackFrame { file_location_id: v[0], parent_frame_id: v[1] })
                })?;
            }
            _ => {
                c.pos = start;
                return Ok(t);
            }
        }
    }
}

fn names(c: &mut Cursor) -> Result<Vec<Arc<str>>> {
    rows(c, |c| c.string())
}

fn rows<T>(c: &mut Cursor, mut row: impl FnMut(&mut Cursor) -> Result<T>) -> Result<Vec<T>> {
    let mut all = Vec::new();
    while c.peek().is_ascii_digit() {
        let start = c.pos;
        if c.int("a number")? != all.len() as i64 + 1 {
            return Err(c.error(start, format!("expected row {} of the table", all.len() + 1)));
        }
        all.push(row(c)?);
    }
    Ok(all)
}

/// `{line=3 column=4}`, in any order; what is absent is 0.
fn fields(c: &mut Cursor, keys: &[&str]) -> Result<Vec<i64>> {
    let mut values = vec![0; keys.len()];
    c.expect(b'{')?;
    while !c.eat(b'}') {
        let start = c.pos;
        let key = c.word("a field")?;
        c.expect(b'=')?;
        let value = c.int("a number")?;
        match keys.iter().position(|k| *k == key) {
            Some(i) => values[i] = value,
            None => return Err(c.error(start, format!("`{key}` is no field of this table"))),
        }
        c.eat(b',');
    }
    Ok(values)
}
