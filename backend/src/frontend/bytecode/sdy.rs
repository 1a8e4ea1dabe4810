//! The encodings of Shardy's attributes, read as the text they have in MLIR. Programs here keep
//! shardings as text (they mean nothing on one device and must survive), so an attribute that others
//! are made of is read to its text too, and stripped of its name where it is used.
//! (The codes: `bytecode.td` of Shardy.)

use super::cursor::Cursor;
use super::tables::Tables;
use sim_core::Result;
use sim_core::ir::Attr;
use std::fmt::Write;

/// The name that stands before each attribute's body, by code.
const NAMES: [&str; 18] = [
    "#sdy<manual_axes",
    "#sdy<mesh_axis",
    "#sdy.mesh",
    "#sdy<sub_axis_info",
    "#sdy<axis_ref",
    "#sdy<dimension_sharding",
    "#sdy.sharding",
    "#sdy.sharding_per_value",
    "#sdy<dim_mapping",
    "#sdy<tensor_mapping",
    "#sdy.op_sharding_rule",
    "#sdy<axis_ref_list",
    "#sdy<list_of_axis_ref_lists",
    "#sdy<all_to_all_param",
    "#sdy<all_to_all_param_list",
    "#sdy.sharding",
    "#sdy.sharding_per_value",
    "#sdy.sharding",
];

pub(super) fn attr<'a>(t: &mut Tables<'a>, at: &mut Cursor<'a>) -> Result<Attr> {
    let start = at.at();
    let code = at.index(NAMES.len(), "the code of an attribute of Shardy")?;
    let body = match code {
        0 => {
            let n = at.count("the number of axes")?;
            let names = (0..n).map(|_| Ok(quoted(t.string_attr(at)?))).collect::<Result<Vec<_>>>()?;
            format!("{{{}}}", names.join(", "))
        }
        1 => format!("{}={}", quoted(t.string(at)?), at.signed("the size of an axis")?),
        2 => {
            let axes = list(t, at)?;
            let ids = t.ints(at)?;
            let ids = if ids.is_empty() { String::new() } else { format!(", device_ids={ids:?}") };
            format!("<[{axes}]{ids}>")
        }
        3 => format!("({}){}", at.signed("a size")?, at.signed("a size")?),
        4 => {
            let name = quoted(t.string(at)?);
            match t.optional_attr(at)? {
                Some(part) => format!("{name}:{}", body(&part, at, start)?),
                None => name,
            }
        }
        5 => {
            let axes = list(t, at)?;
            let closed = at.byte("a boolean")? != 0;
            let priority = match at.varint_with_flag("a priority")? {
                (n, true) => format!("p{n}"),
                (_, false) => String::new(),
            };
            let open = match (closed, axes.is_empty()) {
                (true, _) => "",
                (false, true) => "?",
                (false, false) => ", ?",
            };
            format!("{{{axes}{open}}}{priority}")
        }
        6 | 15 | 17 => sharding(t, at, code, start)?,
        7 | 16 => format!("<[{}]>", list(t, at)?),
        8 => t.ints(at)?.into_iter().map(factor).collect(),
        9 => format!("[{}]", list(t, at)?),
        10 => rule(t, at)?,
        11 => format!("{{{}}}", list(t, at)?),
        12 | 14 => format!("[{}]", list(t, at)?),
        _ => {
            let axes = list(t, at)?;
            format!("{{{axes}}}: {}->{}", at.signed("a dimension")?, at.signed("a dimension")?)
        }
    };
    let name = NAMES[code];
    let close = if name.contains('<') { ">" } else { "" };
    t.made_text(at, format!("{name}{body}{close}"))
}

fn quoted(name: std::sync::Arc<str>) -> String {
    Attr::String(name).to_string()
}

/// What stands after the name of an attribute.
fn body<'t>(attr: &'t Attr, at: &Cursor, start: usize) -> Result<&'t str> {
    let text = match attr {
        Attr::Verbatim(text) => &**text,
        _ => "",
    };
    // The longest name first: one may be the beginning of another.
    let name = NAMES.iter().filter(|name| text.starts_with(**name)).max_by_key(|name| name.len());
    match name {
        Some(name) if name.contains('<') => Ok(&text[name.len()..text.len() - 1]),
        Some(name) => Ok(&text[name.len()..]),
        None => Err(at.error_at(start, "expected an attribute of Shardy")),
    }
}

/// The bodies of a list of attributes.
fn list<'a>(t: &mut Tables<'a>, at: &mut Cursor<'a>) -> Result<String> {
    let n = at.count("the number of attributes in a list")?;
    let mut text = String::new();
    for i in 0..n {
        let start = at.at();
        let attr = t.attr(at)?;
        if i > 0 {
            text.push_str(", ");
        }
        text.push_str(body(&attr, at, start)?);
    }
    Ok(text)
}

/// `<@mesh, [{"x"}, {}], replicated={"y"}, unreduced={"z"}>`
fn sharding<'a>(t: &mut Tables<'a>, at: &mut Cursor<'a>, code: usize, start: usize) -> Result<String> {
    let mut text = String::from("<");
    match t.attr(at)? {
        mesh @ Attr::Symbol(_) => text.push_str(&mesh.to_string()),
        mesh => {
            text.push_str("mesh");
            text.push_str(body(&mesh, at, start)?);
        }
    }
    let _ = write!(text, ", [{}]", list(t, at)?);
    let replicated = list(t, at)?;
    if !replicated.is_empty() {
        let _ = write!(text, ", replicated={{{replicated}}}");
    }
    if code != 6 {
        let unreduced = list(t, at)?;
        let by = match code {
            17 => match at.signed("a reduction")? {
                0 => "",
                1 => "max",
                2 => "min",
                n => return Err(at.error_at(start, format_args!("{n} is no reduction"))),
            },
            _ => "",
        };
        if !unreduced.is_empty() {
            let _ = write!(text, ", unreduced={by}{{{unreduced}}}");
        }
    }
    text.push('>');
    Ok(text)
}

/// The letter of a factor: i to z, then z_1 and on.
fn factor(n: i64) -> String {
    match n {
        0..=17 => char::from(b'i' + n as u8).to_string(),
        _ => format!("z_{}", n.wrapping_sub(17)),
    }
}

/// `<([i, j], [j, k])->([i, k]) {i=2, j=3, k=4} reduction={j}>`
fn rule<'a>(t: &mut Tables<'a>, at: &mut Cursor<'a>) -> Result<String> {
    let sizes = t.ints(at)?;
    let mut text = format!("<({})->({})", list(t, at)?, list(t, at)?);
    if !sizes.is_empty() {
        let sizes: Vec<String> =
            sizes.iter().enumerate().map(|(i, n)| format!("{}={n}", factor(i as i64))).collect();
        let _ = write!(text, " {{{}}}", sizes.join(", "));
    }
    for kind in ["reduction", "need_replication", "permutation", "blocked_propagation"] {
        let factors: Vec<String> = t.ints(at)?.into_iter().map(factor).collect();
        if !factors.is_empty() {
            let _ = write!(text, " {kind}={{{}}}", factors.join(", "));
        }
    }
    if at.byte("a boolean")? != 0 {
        text.push_str(", custom");
    }
    text.push('>');
    Ok(text)
}
