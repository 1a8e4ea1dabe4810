//! The MLIR text frontend: StableHLO, CHLO, `func`, Shardy and StableHLO's test dialects, in pretty and
//! generic form.
//!
//! | file | what |
//! |---|---|
//! | `lexer` | tokens |
//! | `parser` | the token in view, errors, limits, aliases, resources |
//! | `types`, `attrs`, `hlo_attrs`, `loc` | types, attributes, dialect attributes, locations |
//! | `dense`, `hex`, `number` | constants, decoded into tensors |
//! | `module`, `func` | modules, functions, regions, operations in generic form |
//! | `vhlo` | VHLO's attributes and types |
//! | `pretty` | the operations' own syntaxes, most of them as rows of a table |
//!
//! Nothing in a text can panic, recurse without limit or allocate more than the text justifies.

mod attrs;
mod dense;
mod func;
mod hex;
mod hlo_attrs;
mod lexer;
mod loc;
mod module;
pub(in crate::frontend) mod number;
mod parser;
mod pretty;
mod types;
mod vhlo;

pub(super) use dense::normalize;
pub(super) use func::is_terminator;
pub(super) use module::mesh_of_text;
pub(super) use number::{bits_of_float, float_of_bits};

use parser::Parser;
use sim_core::ir::{Attr, Module};
use sim_core::{Result, Type};

/// The modules in a text: one for each chunk between `// -----` lines if `split`, else one.
pub(super) fn parse_text(text: &str, split: bool) -> Result<Vec<Module>> {
    let mut modules = Vec::new();
    for range in chunks(text, split) {
        let mut parser = Parser::new(text, range)?;
        if !parser.at_end() {
            modules.push(parser.module_file()?);
        }
    }
    // A text of comments is an empty module, as MLIR has it.
    if modules.is_empty() {
        modules.push(Module::default());
    }
    Ok(modules)
}

/// The ranges between lines that are `// -----`.
fn chunks(text: &str, split: bool) -> Vec<std::ops::Range<usize>> {
    const SEPARATOR: &str = "// -----";
    let mut ranges = Vec::new();
    let mut start = 0;
    if split {
        let mut at = 0;
        while let Some(n) = memchr::memmem::find(&text.as_bytes()[at..], SEPARATOR.as_bytes()) {
            let (from, to) = (at + n, at + n + SEPARATOR.len());
            at = to;
            // A line of its own.
            let mut before = text.as_bytes()[start..from].iter().rev().take_while(|&&b| b != b'\n');
            if !before.all(u8::is_ascii_whitespace) {
                continue;
            }
            let line_end = memchr::memchr(b'\n', &text.as_bytes()[to..]).map_or(text.len(), |n| to + n);
            if text.as_bytes()[to..line_end].trim_ascii().iter().all(|&b| b == b'-') {
                ranges.push(start..from);
                start = line_end;
            }
        }
    }
    ranges.push(start..text.len());
    ranges
}

/// One attribute that stands alone: what bytecode holds where a dialect has no encoding.
pub(super) fn attr_of_text(text: &str) -> Result<Attr> {
    alone(text, Parser::attr)
}

/// One type that stands alone.
pub(super) fn type_of_text(text: &str) -> Result<Type> {
    alone(text, Parser::parse_type)
}

fn alone<'a, T>(text: &'a str, parse: impl FnOnce(&mut Parser<'a>) -> Result<T>) -> Result<T> {
    let mut parser = Parser::new(text, 0..text.len())?;
    let value = parse(&mut parser)?;
    if parser.at_end() { Ok(value) } else { Err(parser.expected("the end of the text")) }
}
