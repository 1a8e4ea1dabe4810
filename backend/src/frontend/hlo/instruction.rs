//! One instruction of HLO text: name, shape, operation, operands, attributes.

use super::computation::Refs;
use super::cursor::{Cursor, span};
use super::shape::Shapes;
use super::{attributes, literal, names};
use sim_core::Result;
use sim_core::hlo::{Attr, Instruction, InstructionId, Key, Opcode, Value};
use smallvec::SmallVec;

/// `%name = shape opcode(operands), key=value, …`. `before`: those read so far, among which come the
/// get-tuple-elements that it writes as operands.
pub(super) fn instruction<'a>(
    c: &mut Cursor<'a>,
    shapes: &mut Shapes<'a>,
    refs: &mut Refs<'a>,
    before: &mut Vec<Instruction>,
) -> Result<Instruction> {
    c.skip();
    let start = c.pos;
    let name = c.name("an instruction's name")?;
    c.expect(b'=')?;
    let shape = shapes.parse(c)?;
    c.skip();
    let at = c.pos;
    let word = c.run(b"_-");
    let Some((opcode, sugar)) = opcode(word) else {
        c.pos = at;
        return Err(if word.is_empty() {
            c.expected("an operation")
        } else {
            c.pos = at + word.len();
            c.error(at, format!("`{word}` is no operation of HLO"))
        });
    };
    let mut i = Instruction {
        name: name.into(),
        opcode,
        sugar,
        shape,
        operands: SmallVec::new(),
        parameter_number: None,
        literal: None,
        attrs: Vec::new(),
        metadata: None,
        span: span(start, start),
    };
    match opcode {
        Opcode::Parameter => {
            c.expect(b'(')?;
            let at = c.pos;
            let n = c.int("the parameter's number")?;
            if n < 0 {
                return Err(c.error(at, "parameters are numbered from 0"));
            }
            i.parameter_number = Some(n);
            c.expect(b')')?;
        }
        Opcode::Constant => {
            c.expect(b'(')?;
            i.literal = Some(Box::new(literal::literal(c, &i.shape)?));
            c.expect(b')')?;
        }
        _ => c.list(b'(', b')', |c| {
            typed_operand(c, shapes)?;
            let operand = refs.instruction(c)?;
            i.operands.push(if c.here() == b'#' { element(c, operand, before)? } else { operand });
            Ok(())
        })?,
    }
    while c.eat(b',') {
        attribute(c, &mut i, shapes, refs)?;
    }
    names::fill_defaults(&mut i);
    i.span = span(start, c.pos);
    if !refs.define(name, before.len() as u32) {
        c.pos = start + name.len();
        return Err(c.error(start, format!("instruction `{name}` is defined twice")));
    }
    Ok(i)
}

/// `%tuple#1` as an operand: the get-tuple-element that it stands for.
fn element(c: &mut Cursor, of: InstructionId, before: &mut Vec<Instruction>) -> Result<InstructionId> {
    let start = c.pos;
    c.expect(b'#')?;
    let index = c.int("the element's number")?;
    let tuple = before.get(of.0 as usize).and_then(|i| i.shape.as_tuple());
    let shape = tuple.zip(usize::try_from(index).ok()).and_then(|(t, n)| t.get(n)).cloned();
    let shape =
        shape.ok_or_else(|| c.error(start, format!("there is no tuple element {index} before this")))?;
    before.push(Instruction {
        name: Opcode::GetTupleElement.name().into(),
        opcode: Opcode::GetTupleElement,
        sugar: None,
        shape,
        operands: [of].into_iter().collect(),
        parameter_number: None,
        literal: None,
        attrs: vec![Attr { key: Key::Index, value: Value::Int(index) }],
        metadata: None,
        span: span(start, c.pos),
    });
    Ok(InstructionId(before.len() as u32 - 1))
}

/// Past the type before an operand's name, if there is one.
fn typed_operand<'a>(c: &mut Cursor<'a>, shapes: &mut Shapes<'a>) -> Result<()> {
    let is_type = match c.peek() {
        b'(' => true,
        b'%' => false,
        _ => {
            let back = c.pos;
            c.run(b"");
            let bracket = c.here() == b'[';
            c.pos = back;
            bracket
        }
    };
    if is_type {
        shapes.parse(c)?;
    }
    Ok(())
}

/// `add`, or an operation with `-start`, `-update` or `-done` behind: asynchronous.
fn opcode(word: &str) -> Option<(Opcode, Option<Opcode>)> {
    if let Some(op) = Opcode::from_name(word) {
        return Some((op, None));
    }
    for (suffix, op) in
        [("-start", Opcode::AsyncStart), ("-update", Opcode::AsyncUpdate), ("-done", Opcode::AsyncDone)]
    {
        if let Some(base) = word.strip_suffix(suffix).and_then(Opcode::from_name) {
            return Some((op, Some(base)));
        }
    }
    None
}

fn attribute<'a>(
    c: &mut Cursor<'a>,
    i: &mut Instruction,
    shapes: &mut Shapes<'a>,
    refs: &mut Refs<'a>,
) -> Result<()> {
    c.skip();
    let start = c.pos;
    let word = c.word("an attribute")?;
    c.expect(b'=')?;
    if word == "metadata" {
        i.metadata = Some(Box::new(attributes::metadata(c)?));
        return Ok(());
    }
    let key = Key::known(word).unwrap_or_else(|| Key::Other(word.into()));
    if i.attrs.iter().any(|a| a.key == key) {
        c.pos = start + word.len();
        return Err(c.error(start, format!("`{word}` is given twice")));
    }
    let value = attributes::value(c, &key, shapes, refs)?;
    i.attrs.push(Attr { key, value });
    Ok(())
}
