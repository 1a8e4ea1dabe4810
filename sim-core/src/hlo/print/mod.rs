//! HLO as text, as XLA prints it: with `%`, results with layouts, operands without types, attributes
//! in XLA's order, defaults left out.

mod attr;
mod device;
mod literal;
mod number;
pub mod order;
mod shape;
mod tables;

pub use attr::is_json_dict;
pub use number::float_text;

/// A sharding by itself: `{devices=[2,1]<=[2]}`.
pub fn sharding_text(s: &super::Sharding) -> String {
    let mut text = String::new();
    let _ = device::sharding(&mut text, s); // A string takes everything.
    text
}

use crate::hlo::attr::Key;
use crate::hlo::literal::Literal;
use crate::hlo::module::{Computation, HloModule, Instruction, InstructionId, StackTables};
use crate::hlo::opcode::Opcode;
use crate::hlo::shape::Shape;
use std::fmt::{self, Write};

/// What to leave out.
#[derive(Clone, Copy, Debug)]
pub struct PrintOptions {
    /// Constants of more than ten elements as `{...}`, which is XLA's default for its dumps. They
    /// cannot be run again.
    pub elide_large_constants: bool,
    /// Computations and (in a module that is not scheduled) instructions in the order in which XLA
    /// prints them: each after what it uses. Else in the order of the module.
    pub xla_order: bool,
    pub metadata: bool,
    pub backend_config: bool,
}

impl Default for PrintOptions {
    fn default() -> Self {
        PrintOptions { elide_large_constants: false, xla_order: true, metadata: true, backend_config: true }
    }
}

/// The whole module.
pub fn module_text(module: &HloModule, options: &PrintOptions) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let (tables, frames) = match options.xla_order {
        true => tables::by_use(module),
        false => (module.tables.clone(), (0..=module.tables.frames.len() as i64).collect()),
    };
    let _ = Printer { module, options, frames }.module(&mut out, &tables);
    out
}

/// A shape as instructions have it, with its layout.
pub fn shape_text(shape: &Shape) -> String {
    let mut out = String::new();
    let _ = shape::write(&mut out, shape, true);
    out
}

/// A layout by itself: `{1,0:T(8,128)(2,1)}`, and `{}` where there is nothing to say.
pub fn layout_text(layout: &super::Layout) -> String {
    let mut out = String::new();
    let _ = shape::layout(&mut out, layout);
    if out.is_empty() { "{}".into() } else { out }
}

/// A constant's value as it stands between its parentheses.
pub fn literal_text(value: &Literal) -> String {
    let mut out = String::new();
    let _ = literal::write(&mut out, value);
    out
}

impl fmt::Display for HloModule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&module_text(self, &PrintOptions::default()))
    }
}

struct Printer<'a> {
    module: &'a HloModule,
    options: &'a PrintOptions,
    /// The number under which each stack frame is printed.
    frames: Vec<i64>,
}

impl Printer<'_> {
    fn module(&self, f: &mut String, stack: &StackTables) -> fmt::Result {
        write!(f, "HloModule {}", self.module.name)?;
        let mut attrs: Vec<_> = self.module.attrs.iter().collect();
        attrs.sort_by_key(|a| &a.key);
        for a in attrs {
            if attr::is_default(a, None) {
                continue;
            }
            f.push_str(", ");
            attr::write(f, self.module, None, a)?;
        }
        f.push_str("\n\n");
        stack_tables(f, stack)?;
        let all: Vec<usize> = match self.options.xla_order {
            true => order::computations(self.module),
            false => (0..self.module.computations.len()).collect(),
        };
        for c in all {
            if c == self.module.entry.0 as usize {
                f.push_str("ENTRY ");
            }
            self.computation(f, &self.module.computations[c])?;
        }
        Ok(())
    }

    fn computation(&self, f: &mut String, c: &Computation) -> fmt::Result {
        write!(f, "%{} (", c.name)?;
        for (i, id) in c.parameters().into_iter().flatten().enumerate() {
            if i > 0 {
                f.push_str(", ");
            }
            let p = c.instruction(id);
            write!(f, "{}: ", p.name)?;
            shape::write(f, &p.shape, false)?;
        }
        f.push_str(") -> ");
        shape::write(f, &c.root().shape, false)?;
        f.push_str(" {\n");
        if self.options.xla_order && !self.module.is_scheduled() {
            for id in order::instructions(c) {
                self.instruction(f, c, id)?;
            }
        } else {
            for id in 0..c.instructions.len() as u32 {
                self.instruction(f, c, InstructionId(id))?;
            }
        }
        f.push('}');
        if let Some(thread) = &c.execution_thread {
            f.push_str(", execution_thread=");
            attr::string(f, thread);
        }
        f.push_str("\n\n");
        Ok(())
    }

    fn instruction(&self, f: &mut String, c: &Computation, id: InstructionId) -> fmt::Result {
        let i = c.instruction(id);
        f.push_str("  ");
        if id == c.root {
            f.push_str("ROOT ");
        }
        write!(f, "%{} = ", i.name)?;
        shape::write(f, &i.shape, true)?;
        write!(f, " {}(", i.written_name())?;
        self.operands(f, c, i)?;
        f.push(')');
        let mut attrs: Vec<_> = i.attrs.iter().filter(|a| !attr::is_default(a, Some((c, i)))).collect();
        let opcode = i.sugar.unwrap_or(i.opcode);
        attrs.sort_by_cached_key(|a| a.key.rank(opcode));
        let (late, early): (Vec<_>, Vec<_>) =
            attrs.into_iter().partition(|a| matches!(a.key, Key::BackendConfig | Key::Other(_)));
        for a in early {
            f.push_str(", ");
            attr::write(f, self.module, Some(c), a)?;
        }
        if self.options.metadata
            && let Some(m) = &i.metadata
        {
            f.push_str(", ");
            let frame = usize::try_from(m.stack_frame_id).ok().and_then(|i| self.frames.get(i));
            attr::metadata(f, m, frame.copied().unwrap_or(0))?;
        }
        for a in late {
            if a.key == Key::BackendConfig && !self.options.backend_config {
                continue;
            }
            f.push_str(", ");
            attr::write(f, self.module, Some(c), a)?;
        }
        f.push('\n');
        Ok(())
    }

    fn operands(&self, f: &mut String, c: &Computation, i: &Instruction) -> fmt::Result {
        if let Some(n) = i.parameter_number {
            return write!(f, "{n}");
        }
        if let Some(literal) = &i.literal {
            let large = |l: &Literal| match l {
                Literal::Array(t) => t.len() > 10 && t.rank() > 0,
                Literal::Tuple(_) => true,
                Literal::Token | Literal::Elided => false,
            };
            if self.options.elide_large_constants && i.opcode == Opcode::Constant && large(literal) {
                f.push_str("{...}");
                return Ok(());
            }
            return literal::write(f, literal);
        }
        for (k, &operand) in i.operands.iter().enumerate() {
            if k > 0 {
                f.push_str(", ");
            }
            index_comment(f, k)?;
            write!(f, "%{}", c.instruction(operand).name)?;
        }
        Ok(())
    }
}

/// `/*index=5*/` before every fifth element, for people who count.
fn index_comment(f: &mut String, i: usize) -> fmt::Result {
    if i > 0 && i.is_multiple_of(5) {
        write!(f, "/*index={i}*/")?;
    }
    Ok(())
}

fn stack_tables(f: &mut String, t: &StackTables) -> fmt::Result {
    if *t == StackTables::default() {
        return Ok(());
    }
    for (title, names) in [("FileNames", &t.file_names), ("FunctionNames", &t.function_names)] {
        writeln!(f, "{title}")?;
        for (i, name) in names.iter().enumerate() {
            write!(f, "{} ", i + 1)?;
            attr::string(f, name);
            f.push('\n');
        }
        f.push('\n');
    }
    f.push_str("FileLocations\n");
    for (i, l) in t.locations.iter().enumerate() {
        writeln!(
            f,
            "{} {{file_name_id={} function_name_id={} line={} end_line={} column={} end_column={}}}",
            i + 1,
            l.file_name_id,
            l.function_name_id,
            l.line,
            l.end_line,
            l.column,
            l.end_column
        )?;
    }
    f.push_str("\nStackFrames\n");
    for (i, s) in t.frames.iter().enumerate() {
        writeln!(
            f,
            "{} {{file_location_id={} parent_frame_id={}}}",
            i + 1,
            s.file_location_id,
            s.parent_frame_id
        )?;
    }
    f.push_str("\n\n");
    Ok(())
}
