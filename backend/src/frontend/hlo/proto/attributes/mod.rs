//! Fields of an instruction as the attributes that the text has, by family.
//!
//! XLA prints a field where the operation has it, so reading asks for the operation; writing goes by key.

mod accuracy;
pub(super) mod call;
mod collective;
mod contraction;
mod index;
mod simple;

use super::message::Names;
use super::schema::HloInstructionProto;
use sim_core::hlo::{Attr, ComputationId, Instruction, InstructionId, Key, Opcode, Value};
use sim_core::{Diagnostic, ElementType, Result};
use std::sync::Arc;

/// What ids mean, when an instruction is read.
pub(super) struct Ids<'a> {
    pub computation: &'a dyn Fn(i64) -> Result<ComputationId>,
    pub instruction: &'a dyn Fn(i64) -> Result<InstructionId>,
    /// Of the first operand.
    pub element: Option<ElementType>,
}

/// The attributes of an instruction of that operation (of an asynchronous one: what it does).
pub(super) fn read(opcode: Opcode, i: &HloInstructionProto, ids: &Ids) -> Result<Vec<Attr>> {
    let mut out = Out(Vec::new());
    simple::read(opcode, i, ids, &mut out)?;
    index::read(opcode, i, &mut out)?;
    contraction::read(opcode, i, &mut out)?;
    collective::read(opcode, i, &mut out)?;
    call::read(opcode, i, ids, &mut out)?;
    accuracy::read(i, &mut out);
    Ok(out.0)
}

/// Ids of what an instruction refers to, when it is written.
pub(super) struct Numbers<'a> {
    pub computation: &'a dyn Fn(ComputationId) -> i64,
    pub instruction: &'a dyn Fn(InstructionId) -> i64,
}

/// Sets the fields that the attributes of the instruction say.
pub(super) fn write(i: &Instruction, proto: &mut HloInstructionProto, numbers: &Numbers) -> Result<()> {
    simple::defaults(i, proto);
    for attr in &i.attrs {
        let known = simple::write(attr, proto)?
            || index::write(attr, proto)
            || contraction::write(attr, proto)?
            || collective::write(attr, proto)?
            || call::write(i, attr, proto, numbers)
            || accuracy::write(attr, proto)?;
        if !known {
            return Err(Diagnostic::unsupported(format!(
                "no field of a protocol buffer holds `{}`",
                attr.key.name()
            )));
        }
    }
    Ok(())
}

/// Attributes as they are found.
struct Out(Vec<Attr>);

impl Out {
    fn push(&mut self, key: Key, value: Value) {
        self.0.push(Attr { key, value });
    }

    fn flag(&mut self, key: Key, set: bool) {
        if set {
            self.push(key, Value::Bool(true));
        }
    }

    fn ints(&mut self, key: Key, values: &[i64]) {
        self.push(key, Value::Ints(values.into()));
    }

    fn ints_if_any(&mut self, key: Key, values: &[i64]) {
        if !values.is_empty() {
            self.ints(key, values);
        }
    }

    fn word(&mut self, key: Key, text: &str) {
        self.push(key, Value::Word(text.into()));
    }

    fn bytes(&mut self, key: Key, bytes: &[u8]) {
        if !bytes.is_empty() {
            self.push(key, Value::String(text(bytes)));
        }
    }
}

fn text(bytes: &[u8]) -> Arc<str> {
    sim_core::ir::attr::text_of_bytes(bytes).into()
}

fn bytes(text: &str) -> Vec<u8> {
    sim_core::ir::attr::bytes_of_text(text)
}

fn name_of(names: &Names, number: i32, field: &str) -> Result<&'static str> {
    names.name(number).ok_or_else(|| Diagnostic::malformed(format!("{number} is no value of `{field}`")))
}

fn number_of(names: &Names, word: &str, field: &str) -> Result<i32> {
    names
        .number(word)
        .ok_or_else(|| Diagnostic::unsupported(format!("`{field}`: no protocol buffer says `{word}`")))
}
