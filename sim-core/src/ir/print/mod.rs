//! Modules as MLIR text, which our own frontend and JAX's parser read back.
//!
//! Operations print in the pretty form of their dialect where it has one and nothing is lost by it,
//! else in the generic form (`"stablehlo.case"(%0) ({ … }) : …`). The test dialects `check` and
//! `interpreter` always print generically: no other program registers their syntax. Values are
//! renumbered in the order they are written: `%arg0`, `%0`, `%1:2`, …
//!
//! The text is written in one pass, in time linear in the program. Regions are walked with a stack
//! of their own, so deep nesting costs no machine stack; attributes, types and locations recurse,
//! and whoever builds them bounds their nesting.

mod attr;
mod compute;
mod dense;
mod function;
mod loc;
mod op;
mod pretty;
#[cfg(test)]
mod tests;
mod text;

use crate::ir::module::{Mesh, Module};
use crate::loc::Loc;
use function::Printer;
use std::fmt::{self, Write};

/// What to print, and how. The default: everything but locations, pretty.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Constants with more elements than this lose their values (`dense_resource<__elided__>`): for
    /// people; such a text reads back only in part.
    pub elide_large: Option<usize>,
    /// Source locations after each operation.
    pub locations: bool,
    /// Every operation in generic form. (Modules and functions keep theirs.)
    pub generic: bool,
}

/// A module with options, to be formatted.
pub struct Printed<'a> {
    module: &'a Module,
    options: Options,
}

impl Module {
    /// The module's text with these options: `module.display(options).to_string()`.
    pub fn display(&self, options: Options) -> Printed<'_> {
        Printed { module: self, options }
    }
}

impl fmt::Display for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.display(Options::default()).fmt(f)
    }
}

impl fmt::Display for Printed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        module(f, self.module, &self.options, 0)
    }
}

fn module(f: &mut dyn Write, m: &Module, options: &Options, depth: usize) -> fmt::Result {
    let style = attr::Style { elide: options.elide_large, ..attr::Style::default() };
    indent(f, depth)?;
    f.write_str("module ")?;
    if let Some(name) = &m.name {
        text::symbol(f, &[name])?;
        f.write_char(' ')?;
    }
    if !m.attrs.is_empty() {
        f.write_str("attributes ")?;
        attr::dict(f, m.attrs.iter(), style)?;
        f.write_char(' ')?;
    }
    f.write_str("{\n")?;
    for mesh in &m.meshes {
        indent(f, depth + 1)?;
        print_mesh(f, mesh, style)?;
        location(f, &mesh.loc, options)?;
        f.write_char('\n')?;
    }
    for inner in &m.modules {
        module(f, inner, options, depth + 1)?;
    }
    for function in &m.functions {
        Printer::new(f, options, function).function(depth + 1)?;
    }
    indent(f, depth)?;
    f.write_char('}')?;
    location(f, &m.loc, options)?;
    f.write_char('\n')
}

/// `sdy.mesh @mesh = <["x"=2, "y"=4], device_ids=[1, 0]>`
fn print_mesh(f: &mut dyn Write, mesh: &Mesh, style: attr::Style) -> fmt::Result {
    f.write_str("sdy.mesh ")?;
    text::symbol(f, &[&mesh.name])?;
    f.write_str(" = <[")?;
    text::comma(f, &mesh.axes, |f, (name, size)| {
        text::string(f, name)?;
        write!(f, "={size}")
    })?;
    f.write_char(']')?;
    if !mesh.device_ids.is_empty() {
        f.write_str(", device_ids=")?;
        text::ints(f, &mesh.device_ids)?;
    }
    f.write_char('>')?;
    if !mesh.attrs.is_empty() {
        f.write_char(' ')?;
        attr::dict(f, mesh.attrs.iter(), style)?;
    }
    Ok(())
}

fn indent(f: &mut dyn Write, depth: usize) -> fmt::Result {
    const BLANKS: &str = "                                                                ";
    let mut left = 2 * depth;
    while left > 0 {
        let n = left.min(BLANKS.len());
        f.write_str(&BLANKS[..n])?;
        left -= n;
    }
    Ok(())
}

/// ` loc(…)`, when asked for and known.
fn location(f: &mut dyn Write, value: &Loc, options: &Options) -> fmt::Result {
    if options.locations && !value.is_unknown() {
        f.write_char(' ')?;
        loc::loc(f, value)?;
    }
    Ok(())
}
