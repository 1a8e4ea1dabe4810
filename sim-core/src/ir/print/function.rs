//! Functions, regions and the names of values.

use super::text::{comma, symbol};
use super::{Options, attr, indent, location};
use crate::ir::attr::AttrDict;
use crate::ir::module::{Function, OpId, Region, RegionId, ValueId, Visibility};
use crate::ir::op::Op;
use crate::types::Type;
use std::fmt::{self, Write};

/// How a value is written.
#[derive(Clone, Copy)]
pub(super) enum Name {
    /// Not defined before its use: the function is not valid.
    None,
    /// `%arg3`
    Arg(u32),
    /// `%3`
    Result(u32),
    /// `%3#1`
    Part(u32, u32),
}

/// The form in which an operation with regions is being written.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Form {
    Generic,
    While,
    Reduce,
}

/// A region being written.
struct Frame {
    region: RegionId,
    /// The next operation in it.
    next: usize,
    /// The operation that has the region, which of its regions it is, and its form; none for the
    /// function's body.
    parent: Option<(OpId, usize, Form)>,
}

pub(super) struct Printer<'a, 'f> {
    pub f: &'f mut dyn Write,
    pub options: &'a Options,
    pub function: &'a Function,
    pub style: attr::Style,
    names: Vec<Name>,
    next_arg: u32,
    next_result: u32,
}

impl<'a, 'f> Printer<'a, 'f> {
    pub fn new(f: &'f mut dyn Write, options: &'a Options, function: &'a Function) -> Self {
        Printer {
            f,
            options,
            function,
            style: attr::Style { elide: options.elide_large, ..attr::Style::default() },
            names: vec![Name::None; function.values.len()],
            next_arg: 0,
            next_result: 0,
        }
    }

    /// The whole function, at this depth of indentation.
    pub fn function(mut self, depth: usize) -> fmt::Result {
        let function = self.function;
        indent(self.f, depth)?;
        self.f.write_str("func.func ")?;
        self.f.write_str(match function.visibility {
            Visibility::Public => "",
            Visibility::Private => "private ",
            Visibility::Nested => "nested ",
        })?;
        symbol(self.f, &[&function.name])?;
        self.signature()?;
        if !function.attrs.is_empty() {
            self.f.write_str(" attributes ")?;
            attr::dict(self.f, function.attrs.iter(), self.style)?;
        }
        if let Some(body) = function.body {
            self.f.write_str(" {\n")?;
            self.walk(body, depth + 1)?;
            indent(self.f, depth)?;
            self.f.write_char('}')?;
        }
        location(self.f, &function.loc, self.options)?;
        self.f.write_char('\n')
    }

    /// `(%arg0: tensor<f32> {…}) -> (tensor<f32> {…})`
    fn signature(&mut self) -> fmt::Result {
        let function = self.function;
        let args = function.body.map(|body| &function.region(body).args[..]);
        self.f.write_char('(')?;
        for (i, ty) in function.arg_types.iter().enumerate() {
            if i > 0 {
                self.f.write_str(", ")?;
            }
            let value = args.and_then(|args| args.get(i)).copied();
            if let Some(value) = value {
                self.name_arg(value);
                self.value(value)?;
                self.f.write_str(": ")?;
            }
            self.typed(ty, function.arg_attrs.get(i))?;
            if let Some(value) = value {
                location(self.f, &function.value(value).loc, self.options)?;
            }
        }
        self.f.write_char(')')?;
        let attrs = &function.result_attrs;
        match &function.result_types[..] {
            [] => Ok(()),
            [ty] if attrs.iter().all(AttrDict::is_empty) && !matches!(ty, Type::Function(_)) => {
                write!(self.f, " -> {ty}")
            }
            types => {
                self.f.write_str(" -> (")?;
                for (i, ty) in types.iter().enumerate() {
                    if i > 0 {
                        self.f.write_str(", ")?;
                    }
                    self.typed(ty, attrs.get(i))?;
                }
                self.f.write_char(')')
            }
        }
    }

    fn typed(&mut self, ty: &Type, attrs: Option<&AttrDict>) -> fmt::Result {
        write!(self.f, "{ty}")?;
        match attrs {
            Some(attrs) if !attrs.is_empty() => {
                self.f.write_char(' ')?;
                attr::dict(self.f, attrs.iter(), self.style)
            }
            _ => Ok(()),
        }
    }

    /// The operations of `body` and of all regions inside, then the terminator.
    fn walk(&mut self, body: RegionId, depth: usize) -> fmt::Result {
        let mut stack = vec![Frame { region: body, next: 0, parent: None }];
        while let Some(frame) = stack.last_mut() {
            let region = self.function.region(frame.region);
            if let Some(&id) = region.ops.get(frame.next) {
                frame.next += 1;
                let depth = depth + stack.len() - 1;
                indent(self.f, depth)?;
                match self.begin(id)? {
                    None => self.f.write_char('\n')?,
                    Some(form) => stack.push(self.open(id, 0, form, depth)?),
                }
                continue;
            }
            let parent = frame.parent;
            self.terminator(
                region,
                parent.map(|(id, ..)| &self.function.op(id).op),
                depth + stack.len() - 1,
            )?;
            stack.pop();
            if let Some((id, index, form)) = parent {
                let depth = depth + stack.len() - 1;
                indent(self.f, depth)?;
                self.f.write_char('}')?;
                if index + 1 < self.function.op(id).regions.len() {
                    stack.push(self.open(id, index + 1, form, depth)?);
                } else {
                    self.end(id, form)?;
                    self.f.write_char('\n')?;
                }
            }
        }
        Ok(())
    }

    /// What stands before a region's operations, from the text before its brace on.
    fn open(&mut self, id: OpId, index: usize, form: Form, depth: usize) -> Result<Frame, fmt::Error> {
        let op = self.function.op(id);
        let region = op.regions[index];
        let args = &self.function.region(region).args;
        match form {
            Form::Generic => {
                self.f.write_str(if index == 0 { "{\n" } else { ", {\n" })?;
                if !args.is_empty() {
                    for &arg in args {
                        self.name_arg(arg);
                    }
                    indent(self.f, depth)?;
                    self.f.write_str("^bb0(")?;
                    self.block_args(args)?;
                    self.f.write_str("):\n")?;
                }
            }
            Form::While => {
                if index == 0 {
                    self.f.write_char('\n')?;
                    indent(self.f, depth)?;
                }
                self.f.write_str(if index == 0 { "cond {\n" } else { " do {\n" })?;
            }
            Form::Reduce => {
                self.f.write_char('\n')?;
                indent(self.f, depth)?;
                self.f.write_str("reducer")?;
                for &arg in args {
                    self.name_arg(arg);
                }
                // The pairs of accumulator and input, each in its own parentheses.
                let (accumulators, inputs) = args.split_at(args.len() / 2);
                for (&a, &b) in accumulators.iter().zip(inputs) {
                    self.f.write_char('(')?;
                    self.block_args(&[a, b])?;
                    self.f.write_str(") ")?;
                }
                self.f.write_str("{\n")?;
            }
        }
        Ok(Frame { region, next: 0, parent: Some((id, index, form)) })
    }

    /// `%arg0: tensor<f32>, %arg1: tensor<f32>`
    fn block_args(&mut self, args: &[ValueId]) -> fmt::Result {
        for (i, &arg) in args.iter().enumerate() {
            if i > 0 {
                self.f.write_str(", ")?;
            }
            self.value(arg)?;
            let value = self.function.value(arg);
            write!(self.f, ": {}", value.ty)?;
            location(self.f, &value.loc, self.options)?;
        }
        Ok(())
    }

    /// `stablehlo.return %0 : tensor<f32>`. `parent` is none for a function.
    fn terminator(&mut self, region: &Region, parent: Option<&Op>, depth: usize) -> fmt::Result {
        let name = match parent {
            None => "func.return",
            Some(Op::SdyManualComputation | Op::SdyNamedComputation { .. }) => "sdy.return",
            Some(_) => "stablehlo.return",
        };
        indent(self.f, depth)?;
        // Dialects disagree on where the dictionary goes; the generic form has one place.
        if self.options.generic || !region.return_attrs.is_empty() {
            write!(self.f, "\"{name}\"(")?;
            self.values(&region.results)?;
            self.f.write_char(')')?;
            if !region.return_attrs.is_empty() {
                self.f.write_char(' ')?;
                attr::dict(self.f, region.return_attrs.iter(), self.style)?;
            }
            self.f.write_str(" : (")?;
            self.types(&region.results)?;
            self.f.write_str(") -> ()")?;
        } else {
            self.f.write_str(name)?;
            if !region.results.is_empty() {
                self.f.write_char(' ')?;
                self.values(&region.results)?;
                self.f.write_str(" : ")?;
                self.types(&region.results)?;
            }
        }
        location(self.f, &region.return_loc, self.options)?;
        self.f.write_char('\n')
    }

    fn name_arg(&mut self, value: ValueId) {
        self.set_name(value, Name::Arg(self.next_arg));
        self.next_arg += 1;
    }

    /// The same name for the arguments of both regions of a `while`.
    pub fn name_args_alike(&mut self, lists: [&[ValueId]; 2]) {
        for i in 0..lists[0].len() {
            for list in lists {
                if let Some(&value) = list.get(i) {
                    self.set_name(value, Name::Arg(self.next_arg));
                }
            }
            self.next_arg += 1;
        }
    }

    fn set_name(&mut self, value: ValueId, name: Name) {
        if let Some(slot) = self.names.get_mut(value.index()) {
            *slot = name;
        }
    }

    /// Names the results of an operation and writes `%0 = ` or `%0:2 = `.
    pub fn results(&mut self, results: &[ValueId]) -> fmt::Result {
        let number = self.next_result;
        match results {
            [] => return Ok(()),
            &[one] => {
                self.set_name(one, Name::Result(number));
                write!(self.f, "%{number} = ")?;
            }
            many => {
                for (i, &value) in many.iter().enumerate() {
                    self.set_name(value, Name::Part(number, i as u32));
                }
                write!(self.f, "%{number}:{} = ", many.len())?;
            }
        }
        self.next_result += 1;
        Ok(())
    }

    pub fn value(&mut self, value: ValueId) -> fmt::Result {
        match self.names.get(value.index()).copied().unwrap_or(Name::None) {
            Name::Arg(n) => write!(self.f, "%arg{n}"),
            Name::Result(n) => write!(self.f, "%{n}"),
            Name::Part(n, i) => write!(self.f, "%{n}#{i}"),
            Name::None => write!(self.f, "%undefined{}", value.0),
        }
    }

    /// `%0, %1`
    pub fn values(&mut self, values: &[ValueId]) -> fmt::Result {
        for (i, &value) in values.iter().enumerate() {
            if i > 0 {
                self.f.write_str(", ")?;
            }
            self.value(value)?;
        }
        Ok(())
    }

    /// The values' types.
    pub fn types(&mut self, values: &[ValueId]) -> fmt::Result {
        let function = self.function;
        comma(self.f, values, |f, &v| write!(f, "{}", function.ty(v)))
    }
}
