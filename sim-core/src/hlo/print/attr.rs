//! Attributes as text.

use super::{device, index_comment, number::float_text, shape};
use crate::hlo::attr::{AliasEntry, Attr, Key, Value, WindowDim};
use crate::hlo::module::{Computation, HloModule, Instruction, Metadata};
use crate::hlo::opcode::Opcode;
use crate::ir::op::ConvDims;
use std::fmt::{self, Write};

/// Does XLA leave it out because it says what would hold anyway?
pub fn is_default(a: &Attr, of: Option<(&Computation, &Instruction)>) -> bool {
    use Key as K;
    let opcode = of.map(|(_, i)| i.sugar.unwrap_or(i.opcode));
    match (&a.key, &a.value) {
        (K::IsReverse | K::IsAssociative | K::Largest, _) => false,
        (K::IsStable, _) if opcode == Some(Opcode::TopK) => false,
        (K::LeftSide | K::Lower | K::UnitDiagonal, Value::Bool(v)) => !v,
        (
            K::IsStable
            | K::IndicesAreSorted
            | K::UniqueIndices
            | K::UseGlobalDeviceIds
            | K::ConstrainLayout
            | K::IsHostTransfer
            | K::CustomCallHasSideEffect
            | K::IsComposite
            | K::IsScheduled,
            Value::Bool(v),
        ) => !v,
        (K::FeatureGroupCount | K::BatchGroupCount | K::ReplicaCount | K::NumPartitions, Value::Int(1)) => {
            true
        }
        (
            K::LhsBatchDims
            | K::RhsBatchDims
            | K::OperandBatchingDims
            | K::StartIndicesBatchingDims
            | K::InputBatchingDims
            | K::ScatterIndicesBatchingDims,
            Value::Ints(v),
        ) => v.is_empty(),
        (K::OperandPrecision, Value::Words(v)) => v.iter().all(|w| &**w == "default"),
        (K::Window, Value::Window(v)) => v.is_empty(),
        (K::FrontendAttributes, Value::Dict(v)) => v.is_empty(),
        (K::ControlPredecessors, Value::Instructions(v)) => v.is_empty(),
        (K::InputOutputAlias | K::BufferDonor | K::OutputToOperandAliasing, Value::Aliases(v)) => {
            v.is_empty()
        }
        (K::BackendConfig, Value::String(s)) => s.is_empty(),
        (K::ApiVersion, Value::Word(w)) => &**w == "API_VERSION_ORIGINAL",
        (K::PaddingType, Value::Word(w)) => &**w == "PADDING_INVALID",
        (K::Schedule, Value::Word(w)) => &**w == "SCHEDULE_NONE",
        (K::Kind, _) if opcode != Some(Opcode::Fusion) => true,
        (K::ComparisonType | K::Order, Value::Word(w)) => {
            let Some((c, i)) = of else { return false };
            let Some(array) = i.operands.first().and_then(|&o| c.instruction(o).shape.as_array()) else {
                return false;
            };
            let e = array.element;
            let implied = match () {
                () if e.is_float() || e.is_complex() => "FLOAT",
                () if e.is_signed() => "SIGNED",
                () => "UNSIGNED",
            };
            &**w == implied || (a.key == K::Order && &**w != "TOTALORDER")
        }
        _ => false,
    }
}

pub fn write(f: &mut String, module: &HloModule, c: Option<&Computation>, a: &Attr) -> fmt::Result {
    if matches!(a.key, Key::ComparisonType | Key::Order) && a.value == Value::Word("TOTALORDER".into()) {
        return f.write_str("order=TOTAL");
    }
    f.push_str(a.key.name());
    f.push('=');
    match &a.value {
        Value::Bool(v) => write!(f, "{v}"),
        Value::Int(v) => write!(f, "{v}"),
        Value::Float(v) => f.write_str(&float_text(*v)),
        Value::Word(w) | Value::Raw(w) => f.write_str(w),
        Value::String(s) => {
            string(f, s);
            Ok(())
        }
        Value::Ints(v) => braced(f, |f| shape::list(f, v)),
        Value::Bools(v) => braced(f, |f| separated(f, v, ",", |f, b| write!(f, "{b}"))),
        Value::Words(v) => braced(f, |f| f.write_str(&v.join(","))),
        Value::Lists(v) => {
            braced(f, |f| separated(f, v, ",", |f, items| braced(f, |f| shape::list(f, items))))
        }
        Value::Window(w) => braced(f, |f| window(f, w)),
        Value::Padding(p) => {
            let interior = p.iter().any(|d| d.2 != 0);
            separated(f, p, "x", |f, &(low, high, inside)| {
                write!(f, "{low}_{high}")?;
                if interior { write!(f, "_{inside}") } else { Ok(()) }
            })
        }
        Value::Slice(s) => braced(f, |f| {
            let strided = s.iter().any(|d| d.stride != 1);
            separated(f, s, ", ", |f, d| {
                write!(f, "[{}:{}", d.start, d.limit)?;
                if strided {
                    write!(f, ":{}", d.stride)?;
                }
                f.push(']');
                Ok(())
            })
        }),
        Value::DimLabels(d) => dim_labels(f, d),
        Value::Computation(id) => write!(f, "%{}", module.computation(*id).name),
        Value::Computations(ids) => {
            braced(f, |f| separated(f, ids, ", ", |f, &id| write!(f, "%{}", module.computation(id).name)))
        }
        Value::Instructions(ids) => braced(f, |f| {
            separated(f, ids, ", ", |f, &id| match c {
                Some(c) => write!(f, "%{}", c.instruction(id).name),
                None => Ok(()),
            })
        }),
        Value::Shape(s) => shape::write(f, s, true),
        Value::Shapes(s) => braced(f, |f| separated(f, s, ", ", |f, s| shape::write(f, s, true))),
        Value::Layouts(l) => braced(f, |f| {
            f.push('(');
            for (i, s) in l.parameters.iter().enumerate() {
                if i > 0 {
                    f.push_str(", ");
                }
                index_comment(f, i)?;
                shape::write(f, s, true)?;
            }
            f.push_str(")->");
            shape::write(f, &l.result, true)
        }),
        Value::Groups(g) => device::groups(f, g),
        Value::Sharding(s) => device::sharding(f, s),
        Value::Domain(d) => {
            f.push_str("{kind=\"sharding\", entry=");
            device::sharding(f, &d.0)?;
            f.push_str(", exit=");
            device::sharding(f, &d.1)?;
            f.push('}');
            Ok(())
        }
        Value::Aliases(entries) => match a.key {
            Key::InputOutputAlias | Key::BufferDonor => {
                f.push_str("{ ");
                separated(f, entries, ", ", |f, e| alias(f, e, a.key == Key::InputOutputAlias))?;
                f.push_str(" }");
                Ok(())
            }
            _ => braced(f, |f| separated(f, entries, ", ", |f, e| alias(f, e, true))),
        },
        Value::Dict(items) => {
            let mut sorted: Vec<_> = items.iter().collect();
            sorted.sort();
            braced(f, |f| {
                separated(f, &sorted, ",", |f, (key, value)| {
                    write!(f, "{key}=")?;
                    if is_json_dict(value) {
                        return f.write_str(value);
                    }
                    string(f, value);
                    Ok(())
                })
            })
        }
    }
}

/// XLA prints such a value without quotes. Its lexer asks whether braces and strings close; that other brackets
/// close too lets readers find its end that know nothing of JSON.
pub fn is_json_dict(text: &str) -> bool {
    if !text.starts_with('{') {
        return false;
    }
    let (mut open, mut quoted, mut escaped) = (Vec::new(), false, false);
    for (i, b) in text.bytes().enumerate() {
        match (quoted, b) {
            (true, _) if escaped => escaped = false,
            (true, b'\\') => escaped = true,
            (_, b'"') => quoted = !quoted,
            (false, b'{') => open.push(b'}'),
            (false, b'[') => open.push(b']'),
            (false, b'(') => open.push(b')'),
            (false, b'}' | b']' | b')') => {
                if open.pop() != Some(b) {
                    return false;
                }
                if open.is_empty() {
                    return i + 1 == text.len();
                }
            }
            _ => {}
        }
    }
    false
}

/// `frame`: the stack frame's number in the tables that are printed, or 0.
pub fn metadata(f: &mut String, m: &Metadata, frame: i64) -> fmt::Result {
    f.push_str("metadata={");
    let start = f.len();
    let text = |f: &mut String, key: &str, value: &Option<std::sync::Arc<str>>| {
        if let Some(value) = value {
            f.push_str(if f.len() > start { " " } else { "" });
            f.push_str(key);
            f.push('=');
            string(f, value);
        }
    };
    text(f, "op_type", &m.op_type);
    text(f, "op_name", &m.op_name);
    text(f, "source_file", &m.source_file);
    for (key, value) in [
        ("source_line", m.source_line),
        ("source_end_line", m.source_end_line),
        ("source_column", m.source_column),
        ("source_end_column", m.source_end_column),
        ("stack_frame_id", frame),
    ] {
        if value != 0 {
            write!(f, "{}{key}={value}", if f.len() > start { " " } else { "" })?;
        }
    }
    if let Some(v) = m.profile_type {
        write!(f, "{}profile_type={{{v}}}", if f.len() > start { " " } else { "" })?;
    }
    text(f, "deduplicated_name", &m.deduplicated_name);
    if m.preserve_layout {
        write!(f, "{}preserve_layout=true", if f.len() > start { " " } else { "" })?;
    }
    text(f, "scheduling_name", &m.scheduling_name);
    for (key, value) in &m.other {
        write!(f, "{}{key}={value}", if f.len() > start { " " } else { "" })?;
    }
    f.push('}');
    Ok(())
}

/// In quotes, escaped as C does.
pub fn string(f: &mut String, s: &str) {
    f.push('"');
    for b in crate::ir::attr::bytes_of_text(s) {
        match b {
            b'\n' => f.push_str("\\n"),
            b'\r' => f.push_str("\\r"),
            b'\t' => f.push_str("\\t"),
            b'"' => f.push_str("\\\""),
            b'\'' => f.push_str("\\'"),
            b'\\' => f.push_str("\\\\"),
            0x20..0x7f => f.push(b as char),
            _ => {
                let _ = write!(f, "\\{b:03o}"); // Into a string: cannot fail.
            }
        }
    }
    f.push('"');
}

fn braced(f: &mut String, inner: impl FnOnce(&mut String) -> fmt::Result) -> fmt::Result {
    f.push('{');
    inner(f)?;
    f.push('}');
    Ok(())
}

fn separated<T>(
    f: &mut String,
    items: &[T],
    by: &str,
    mut write: impl FnMut(&mut String, &T) -> fmt::Result,
) -> fmt::Result {
    for (i, item) in items.iter().enumerate() {
        if i > 0 {
            f.push_str(by);
        }
        write(f, item)?;
    }
    Ok(())
}

fn alias(f: &mut String, e: &AliasEntry, with_output: bool) -> fmt::Result {
    if with_output {
        braced(f, |f| path(f, &e.output))?;
        f.push_str(": ");
    }
    write!(f, "({}, ", e.parameter)?;
    braced(f, |f| path(f, &e.path))?;
    if let Some(kind) = &e.kind {
        write!(f, ", {kind}")?;
    }
    f.push(')');
    Ok(())
}

fn path(f: &mut String, items: &[i64]) -> fmt::Result {
    shape::list(f, items)
}

fn window(f: &mut String, w: &[WindowDim]) -> fmt::Result {
    if w.is_empty() {
        return Ok(());
    }
    f.push_str("size=");
    separated(f, w, "x", |f, d| write!(f, "{}", d.size))?;
    let mut part = |key: &str, any: bool, each: &dyn Fn(&mut String, &WindowDim) -> fmt::Result| {
        if !any {
            return Ok(());
        }
        write!(f, " {key}=")?;
        separated(f, w, "x", each)
    };
    part("stride", w.iter().any(|d| d.stride != 1), &|f, d| write!(f, "{}", d.stride))?;
    part("pad", w.iter().any(|d| (d.pad_low, d.pad_high) != (0, 0)), &|f, d| {
        write!(f, "{}_{}", d.pad_low, d.pad_high)
    })?;
    part("lhs_dilate", w.iter().any(|d| d.base_dilation != 1), &|f, d| write!(f, "{}", d.base_dilation))?;
    part("rhs_dilate", w.iter().any(|d| d.window_dilation != 1), &|f, d| write!(f, "{}", d.window_dilation))?;
    part("rhs_reversal", w.iter().any(|d| d.reversal), &|f, d| write!(f, "{}", i32::from(d.reversal)))
}

/// `b01f_01io->b01f`: a letter or the number of a spatial dimension at each place.
fn dim_labels(f: &mut String, d: &ConvDims) -> fmt::Result {
    let one = |f: &mut String, spatial: &[i64], a: (i64, char), b: (i64, char)| {
        for at in 0..(spatial.len() + 2) as i64 {
            match spatial.iter().position(|&s| s == at) {
                _ if at == a.0 => f.push(a.1),
                _ if at == b.0 => f.push(b.1),
                Some(i) => write!(f, "{i}")?,
                None => f.push('?'),
            }
        }
        Ok(())
    };
    one(f, &d.input_spatial, (d.input_batch, 'b'), (d.input_feature, 'f'))?;
    f.push('_');
    one(f, &d.kernel_spatial, (d.kernel_input_feature, 'i'), (d.kernel_output_feature, 'o'))?;
    f.push_str("->");
    one(f, &d.output_spatial, (d.output_batch, 'b'), (d.output_feature, 'f'))
}
