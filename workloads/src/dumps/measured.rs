//! The part of a dump that was measured.

use crate::scope::Measured;

/// The text of a module that has only what was measured: without asynchronous copies of arguments, whose results become arguments;
/// or the largest of them alone.
///
/// # Errors
/// There is nothing of the kind in the dump.
pub fn isolate(text: &str, measured: Measured) -> Result<String, String> {
    match measured {
        Measured::Whole => Ok(text.to_owned()),
        Measured::Kernels => Ok(kernels(text)),
        Measured::OnChip => Ok(on_chip(&kernels(text))),
        Measured::Copies => largest_copy(text),
    }
}

/// One instruction's line: `[ROOT ]%name = type opcode(%operand)…`.
struct Line<'a> {
    name: &'a str,
    ty: &'a str,
    opcode: &'a str,
    operand: &'a str,
}

fn line(text: &str) -> Option<Line<'_>> {
    let text = text.trim_start();
    let (name, rest) = text.strip_prefix("ROOT ").unwrap_or(text).split_once(" = ")?;
    // A tuple's type has blanks inside.
    let end = if rest.starts_with('(') { closing(rest)? + 1 } else { rest.find(' ')? };
    let (ty, rest) = rest.split_at(end);
    let (opcode, rest) = rest.trim_start().split_once('(')?;
    Some(Line { name, ty, opcode, operand: rest.split([',', ')']).next()? })
}

/// Where the bracket that a text begins with is closed.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    text.char_indices().find_map(|(i, c)| {
        match c {
            '(' | '{' => depth += 1,
            ')' | '}' => depth -= 1,
            _ => {}
        }
        (depth == 0).then_some(i)
    })
}

/// An asynchronous copy of an argument: the lines of the argument, of the start and of the end.
struct Copied {
    parameter: usize,
    start: usize,
    done: usize,
}

/// The lines of the entry, from its head to its end, and the copies in it.
fn copies(lines: &[&str]) -> (usize, usize, Vec<Copied>) {
    let head = lines.iter().position(|l| l.starts_with("ENTRY ")).unwrap_or(lines.len());
    let end = (head..lines.len()).find(|&i| lines[i] == "}").unwrap_or(lines.len());
    let at = |name: &str, opcode: &str| {
        (head..end).find(|&i| line(lines[i]).is_some_and(|l| l.name == name && l.opcode == opcode))
    };
    let copied = |done: usize| {
        let start = line(lines[done]).filter(|l| l.opcode == "copy-done")?.operand;
        let start = at(start, "copy-start")?;
        let parameter = at(line(lines[start])?.operand, "parameter")?;
        Some(Copied { parameter, start, done })
    };
    (head, end, (head..end).filter_map(copied).collect())
}

/// The module's head without the layouts of an entry that is no more, and the entry's without its signature.
fn heads(module: &str, entry: &str) -> (String, String) {
    let module = match module.split_once(", entry_computation_layout=") {
        Some((before, after)) => {
            format!("{before}{}", &after[closing(after).map_or(after.len(), |i| i + 1)..])
        }
        None => module.to_owned(),
    };
    let name = entry.split([' ', '(']).nth(1).unwrap_or("%main");
    (module, format!("ENTRY {name} {{"))
}

fn kernels(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let (head, end, all) = copies(&lines);
    if all.is_empty() || head == lines.len() {
        return text.to_owned();
    }
    let mut out: Vec<String> = lines.iter().map(|l| (*l).to_owned()).collect();
    let mut free = lines[head..end].iter().filter(|l| l.contains(" parameter(")).count();
    for c in &all {
        let (Some(done), Some(parameter)) = (line(lines[c.done]), line(lines[c.parameter])) else { continue };
        // The argument itself goes, unless something else reads it.
        let used = (head..end).filter(|&i| i != c.parameter && mentions(lines[i], parameter.name)).count();
        let number = if used > 1 {
            free += 1;
            (free - 1).to_string()
        } else {
            out[c.parameter].clear();
            parameter.operand.to_owned()
        };
        out[c.start].clear();
        out[c.done] = format!("  {} = {} parameter({number})", done.name, done.ty);
    }
    (out[0], out[head]) = heads(lines[0], lines[head]);
    out.retain(|l| !l.is_empty());
    out.join("\n") + "\n"
}

/// With the arrays that the entry takes and gives in CMEM: rows of v4 take no time for the way of results, which is an event of its own.
fn on_chip(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let head = lines.iter().position(|l| l.starts_with("ENTRY ")).unwrap_or(lines.len());
    let mut out: Vec<String> = lines.iter().map(|l| (*l).to_owned()).collect();
    for i in head..lines.len() {
        let Some(l) = line(lines[i]) else { continue };
        let outside = l.opcode == "parameter" || lines[i].trim_start().starts_with("ROOT ");
        if outside && !l.ty.starts_with('(') && !l.ty.contains("S(") && l.ty.contains(":T(") {
            let there = l.ty.replacen('}', "S(3)}", 1);
            out[i] = out[i].replacen(l.ty, &there, 1);
        }
    }
    if head < lines.len() {
        (out[0], out[head]) = heads(lines[0], lines[head]);
    }
    out.join("\n") + "\n"
}

/// Is `name` one of the operands on a line? Names may be prefixes of others.
fn mentions(line: &str, name: &str) -> bool {
    line.match_indices(name).any(|(at, _)| {
        !line[at + name.len()..].starts_with(|c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-'))
    })
}

fn largest_copy(text: &str) -> Result<String, String> {
    let lines: Vec<&str> = text.lines().collect();
    let (head, _, all) = copies(&lines);
    let elements = |c: &Copied| line(lines[c.done]).map_or(0, |l| elements(l.ty));
    let Some(c) = all.iter().max_by_key(|c| elements(c)) else {
        return Err("the dump copies no argument beside its kernels".to_owned());
    };
    let (module, entry) = heads(lines[0], lines[head]);
    let parameter = line(lines[c.parameter])
        .map_or(lines[c.parameter].to_owned(), |l| format!("  {} = {} parameter(0)", l.name, l.ty));
    let done = lines[c.done].trim_start().trim_start_matches("ROOT ");
    // Alone, nothing before it has started it.
    let start = match lines[c.start].split_once(", cross_program_prefetch_index=") {
        Some((before, after)) => {
            format!("{before}{}", after.trim_start_matches(|c: char| c.is_ascii_digit()))
        }
        None => lines[c.start].to_owned(),
    };
    Ok(format!("{module}\n\n{entry}\n{parameter}\n{start}\n  ROOT {done}\n}}\n"))
}

/// Of `f16[512,128]{…}`.
fn elements(ty: &str) -> u64 {
    let dims = ty.split_once('[').and_then(|(_, t)| t.split_once(']')).map_or("", |(d, _)| d);
    dims.split(',').filter_map(|d| d.parse::<u64>().ok()).product()
}

#[cfg(test)]
mod tests {
    use super::*;
    use backend::frontend::{ParseOptions, Source, parse_hlo};

    const DUMP: &str = "\
HloModule m, is_scheduled=true, entry_computation_layout={(f16[8,128]{1,0}, f16[8,128]{1,0})->f16[8,128]{1,0}}, num_partitions=1

%f (p: f16[8,128], q: f16[8,128]) -> f16[8,128] {
  %p = f16[8,128]{1,0:T(8,128)(2,1)S(3)} parameter(0)
  %q = f16[8,128]{1,0:T(8,128)(2,1)S(3)} parameter(1)
  ROOT %s = f16[8,128]{1,0:T(8,128)(2,1)} add(%p, %q)
}

ENTRY %main.1 (a: f16[8,128], a.1: f16[8,128]) -> f16[8,128] {
  %a = f16[8,128]{1,0:T(8,128)(2,1)} parameter(0)
  %copy-start = (f16[8,128]{1,0:T(8,128)(2,1)S(3)}, f16[8,128]{1,0:T(8,128)(2,1)}, u32[]{:S(2)}) copy-start(%a), cross_program_prefetch_index=0
  %a.1 = f16[8,128]{1,0:T(8,128)(2,1)} parameter(1)
  %copy-done = f16[8,128]{1,0:T(8,128)(2,1)S(3)} copy-done(%copy-start)
  ROOT %fusion = f16[8,128]{1,0:T(8,128)(2,1)} fusion(%copy-done, %a.1), kind=kLoop, calls=%f
}
";

    fn opcodes(text: &str) -> Vec<String> {
        let source = Source::from_bytes("test.hlo", text);
        let module = parse_hlo(&source, &ParseOptions::default()).unwrap().unwrap().remove(0);
        module.entry().instructions.iter().map(|i| i.opcode.to_string()).collect()
    }

    #[test]
    fn kernels_have_their_operands_where_copies_put_them() {
        let text = isolate(DUMP, Measured::Kernels).unwrap();
        assert_eq!(opcodes(&text), ["parameter", "parameter", "fusion"]);
        assert!(text.contains("%copy-done = f16[8,128]{1,0:T(8,128)(2,1)S(3)} parameter(0)"), "{text}");
        assert_eq!(isolate(DUMP, Measured::Whole).unwrap(), DUMP);
    }

    #[test]
    fn all_in_cmem() {
        let text = isolate(DUMP, Measured::OnChip).unwrap();
        let entry = text.split("ENTRY").nth(1).unwrap();
        assert_eq!(entry.matches("S(3)}").count(), 3, "{text}");
        assert_eq!(opcodes(&text), ["parameter", "parameter", "fusion"]);
    }

    #[test]
    fn a_copy_alone() {
        let text = isolate(DUMP, Measured::Copies).unwrap();
        assert_eq!(opcodes(&text), ["parameter", "copy-start", "copy-done"]);
        let none = isolate(DUMP, Measured::Kernels).unwrap();
        assert!(isolate(&none, Measured::Copies).is_err());
        assert_eq!(isolate(&none, Measured::Kernels).unwrap(), none);
    }
}
