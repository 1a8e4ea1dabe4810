//! What `jax.export.Exported.serialize()` writes: a flatbuffer around a portable artifact.
//!
//! A flatbuffer is a tree of tables. A table begins with the distance back to its *vtable*, which says
//! at which offset each numbered field of the table is (0: absent); strings, vectors and other tables
//! are reached by distances forward. Only what a run needs is read: the module, the version of its
//! calling convention, and the platforms.
//! (Source: `serialization.fbs` of JAX, serialization versions 2 to 12.)

use super::bytecode;
use sim_core::ir::attr::Dense;
use sim_core::ir::module::{OpId, Operation, ValueDef};
use sim_core::ir::op::Op;
use sim_core::ir::{Attr, AttrDict, Function, Module};
use sim_core::{Diagnostic, ElementType, Loc, Result, Span, Tensor, Type};
use smallvec::smallvec;
use std::ops::Range;
use std::sync::Arc;

/// The fields of `Exported` that are read, by number.
const PLATFORMS: usize = 9;
const MODULE: usize = 13;
const CONVENTION: usize = 14;

/// The calling conventions that are known.
const CONVENTIONS: std::ops::RangeInclusive<u16> = 9..=10;

/// The argument of `main` that says for which platform it runs, where there are several.
const PLATFORM_INDEX: &str = "_platform_index";

/// A table of a flatbuffer.
#[derive(Clone, Copy)]
struct Table<'a> {
    file: &'a [u8],
    at: usize,
    /// Where the vtable is, and how long.
    vtable: usize,
    length: usize,
}

fn u16_at(file: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(file.get(at..at.checked_add(2)?)?.try_into().ok()?))
}

fn u32_at(file: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(file.get(at..at.checked_add(4)?)?.try_into().ok()?))
}

/// The place that a distance at `at` leads to.
fn forward(file: &[u8], at: usize) -> Option<usize> {
    at.checked_add(u32_at(file, at)? as usize)
}

/// The bytes of a vector of bytes, or of a string.
fn bytes_at(file: &[u8], at: usize) -> Option<Range<usize>> {
    let start = at.checked_add(4)?;
    let end = start.checked_add(u32_at(file, at)? as usize)?;
    (end <= file.len()).then_some(start..end)
}

impl<'a> Table<'a> {
    fn root(file: &'a [u8]) -> Option<Table<'a>> {
        let at = forward(file, 0)?;
        let back = u32_at(file, at)? as i32;
        let vtable = usize::try_from(i64::try_from(at).ok()? - i64::from(back)).ok()?;
        let length = usize::from(u16_at(file, vtable)?);
        Some(Table { file, at, vtable, length })
    }

    /// Where a field is, if it is there.
    fn field(&self, number: usize) -> Option<usize> {
        let slot = 4 + 2 * number;
        if slot + 2 > self.length {
            return None;
        }
        match u16_at(self.file, self.vtable.checked_add(slot)?)? {
            0 => None,
            offset => self.at.checked_add(usize::from(offset)),
        }
    }

    fn module(&self) -> Option<Range<usize>> {
        bytes_at(self.file, forward(self.file, self.field(MODULE)?)?)
    }

    fn platforms(&self) -> Option<Vec<&'a str>> {
        let at = forward(self.file, self.field(PLATFORMS)?)?;
        let n = u32_at(self.file, at)? as usize;
        if n > self.file.len() / 4 {
            return None;
        }
        let one = |i: usize| {
            let text = bytes_at(self.file, forward(self.file, at + 4 + 4 * i)?)?;
            std::str::from_utf8(&self.file[text]).ok()
        };
        (0..n).map(one).collect()
    }
}

/// Is it one of these files? Judged by the bytecode that is where a module must be.
pub(super) fn detect(file: &[u8]) -> bool {
    let module = Table::root(file).and_then(|table| table.module());
    module.is_some_and(|module| file[module].starts_with(b"ML\xefR"))
}

/// Can more bytes make it one of these files? The table stands in front, the module may be far behind.
pub(super) fn begins(file: &[u8]) -> bool {
    let place = Table::root(file).and_then(|table| forward(file, table.field(MODULE)?));
    let start = place.and_then(|at| Some(at.checked_add(4)?..at.checked_add(8)?));
    start.is_some_and(|start| file.get(start).is_none_or(|magic| magic == b"ML\xefR"))
}

/// The module, its `main` bound to the platform `tpu` (or to the first, if that is not among them).
///
/// # Errors
/// Malformed: no such file. Unsupported: a calling convention that is not known.
pub(super) fn parse(file: &[u8]) -> Result<Module> {
    let malformed = |what: &str| Diagnostic::malformed(format!("export of JAX: expected {what}"));
    let table = Table::root(file).ok_or_else(|| malformed("a flatbuffer"))?;
    let module = table.module().ok_or_else(|| malformed("a module"))?;
    let platforms = table.platforms().ok_or_else(|| malformed("the platforms"))?;
    let at = table.field(CONVENTION).unwrap_or(table.at);
    let convention = table.field(CONVENTION).and_then(|at| u16_at(file, at)).unwrap_or(0);
    if !CONVENTIONS.contains(&convention) {
        let cut = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        return Err(Diagnostic::unsupported(format!(
            "export of JAX: calling convention {convention} is not supported, only {} to {}",
            CONVENTIONS.start(),
            CONVENTIONS.end()
        ))
        .at(Span { start: cut(at), end: cut(at + 2) })
        .help("export it again with a JAX of 2024 or later"));
    }
    let mut module = bytecode::parse_at(file, module)?;
    let platform = platforms.iter().position(|&p| p == "tpu").unwrap_or(0);
    if let Some(main) = module.functions.iter_mut().find(|f| &*f.name == "main") {
        bind_platform(main, platform as i32);
    }
    take_names(&mut module);
    Ok(module)
}

/// `main` wraps the function that was exported, and its arguments have no names: they take those of the arguments that they
/// become in a call.
fn take_names(module: &mut Module) {
    let Some(at) = module.functions.iter().position(|f| &*f.name == "main") else { return };
    let main = &module.functions[at];
    let Some(body) = main.body else { return };
    let mut named = Vec::new();
    for op in main.region(body).ops.iter().map(|&id| main.op(id)) {
        let Op::Call { callee } = &op.op else { continue };
        let Some(callee) = module.lookup(callee) else { continue };
        let Some(arguments) = callee.body.map(|body| &callee.region(body).args) else { continue };
        for (&value, &argument) in op.operands.iter().zip(arguments) {
            let unnamed =
                matches!(main.value(value).def, ValueDef::Arg(..)) && main.value(value).loc.name().is_none();
            if unnamed && callee.value(argument).loc.name().is_some() {
                named.push((value, callee.value(argument).loc.clone()));
            }
        }
    }
    for (value, loc) in named {
        module.functions[at].values[value.index()].loc = loc;
    }
}

/// Makes a constant of the first argument if it is the platform's index.
fn bind_platform(main: &mut Function, platform: i32) {
    let is_index = main.arg_attrs.first().and_then(|attrs| attrs.get("jax.global_constant"))
        == Some(&Attr::string(PLATFORM_INDEX));
    let Some(body) = main.body.filter(|_| is_index) else { return };
    let ty = &main.arg_types[0];
    let scalar = ty.as_tensor().filter(|t| t.rank() == 0).map(|t| t.element);
    let value = match scalar {
        Some(ElementType::S32) => Tensor::scalar(platform),
        Some(ElementType::S64) => Tensor::scalar(i64::from(platform)),
        _ => return,
    };
    let constant = Dense { ty: Type::clone(ty), value, splat: false };
    main.arg_types.remove(0);
    main.arg_attrs.remove(0);
    let id = OpId(main.ops.len() as u32);
    let region = &mut main.regions[body.index()];
    let index = region.args.remove(0);
    region.ops.insert(0, id);
    for (i, arg) in region.args.iter().enumerate() {
        main.values[arg.index()].def = ValueDef::Arg(body, i as u32);
    }
    main.values[index.index()].def = ValueDef::Result(id, 0);
    main.ops.push(Operation {
        op: Op::Constant(Arc::new(constant)),
        operands: smallvec![],
        results: smallvec![index],
        regions: smallvec![],
        attrs: AttrDict::new(),
        loc: Loc::Unknown,
        span: Span::default(),
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::{Source, parse};

    #[test]
    fn the_wrapper_takes_the_names_of_what_it_wraps() {
        let text = r#"
func.func public @main(%arg0: tensor<2xf32> loc(unknown), %arg1: tensor<f32> loc("own"), %arg2: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.abs %arg2 : tensor<f32>
  %1 = call @wrapped(%0, %arg1, %arg0) : (tensor<f32>, tensor<f32>, tensor<2xf32>) -> tensor<f32>
  return %1 : tensor<f32>
}
func.func private @wrapped(%a: tensor<f32> loc("scale"), %b: tensor<f32> loc("bias"), %c: tensor<2xf32> loc("x")) -> tensor<f32> {
  return %a : tensor<f32>
}"#;
        let mut module = parse(&Source::from_bytes("export", text)).expect("a module").remove(0);
        take_names(&mut module);
        let main = &module.functions[0];
        let args = &main.region(main.body.expect("a body")).args;
        let names: Vec<_> = args.iter().map(|&a| main.value(a).loc.name()).collect();
        // What is not handed on as it is keeps no name.
        assert_eq!(names, [Some("x".into()), Some("own".into()), None]);
    }
}
