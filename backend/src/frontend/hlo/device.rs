//! Replica groups and shardings.

use super::cursor::Cursor;
use sim_core::hlo::device::{NamedDim, SubAxis};
use sim_core::hlo::{DeviceGroups, MeshAxes, NamedSharding, Sharding, TileAssignment};
use sim_core::{Diagnostic, Result};
use std::sync::Arc;

/// `{{0,1},{2,3}}`, `[2,4]<=[8]T(1,0)`, `mesh['x'=4] {'x'}`.
pub(super) fn groups(c: &mut Cursor) -> Result<DeviceGroups> {
    match c.peek() {
        b'{' => {
            let mut lists = Vec::new();
            c.list(b'{', b'}', |c| {
                lists.push(c.ints(b'{', b'}')?);
                Ok(())
            })?;
            Ok(DeviceGroups::Lists(lists))
        }
        b'[' => Ok(DeviceGroups::Iota(assignment(c)?)),
        b'm' | b'@' => {
            let mesh = mesh(c)?;
            let axes = axes(c)?;
            Ok(DeviceGroups::Mesh { mesh, axes })
        }
        _ => Err(c.expected("replica groups: `{{0,1},…}`, `[2,4]<=[8]` or `mesh['x'=4] {'x'}`")),
    }
}

/// `[2,4]<=[8]T(1,0)`, or `[2,2]0,1,2,3`.
fn assignment(c: &mut Cursor) -> Result<TileAssignment> {
    let mut t = TileAssignment { dims: c.ints(b'[', b']')?, ..TileAssignment::default() };
    if c.eat_str("<=") {
        t.reshape_dims = c.ints(b'[', b']')?;
        if c.here() == b'T' {
            c.pos += 1;
            t.transpose = c.ints(b'(', b')')?;
        }
    } else if c.peek().is_ascii_digit() {
        loop {
            t.devices.push(c.int("a device")?);
            // A comma may also end the attribute.
            if c.here() != b',' || !c.text.as_bytes().get(c.pos + 1).is_some_and(u8::is_ascii_digit) {
                break;
            }
            c.pos += 1;
        }
    }
    Ok(t)
}

/// `mesh['x'=4,'y'=2]` or `@name`.
fn mesh(c: &mut Cursor) -> Result<MeshAxes> {
    let mut m = MeshAxes::default();
    if c.eat(b'@') {
        m.name = Some(c.name("the name of a mesh")?.into());
        return Ok(m);
    }
    c.expect_str("mesh")?;
    c.list(b'[', b']', |c| {
        let name = quoted(c)?;
        c.expect(b'=')?;
        m.axes.push((name, c.int("the size of an axis")?));
        Ok(())
    })?;
    let back = c.pos;
    if c.eat(b',') && c.eat_str("device_ids=") {
        c.expect(b'(')?;
        m.order = Some(match c.peek() {
            b'[' => assignment(c)?,
            _ => {
                c.pos -= 1;
                TileAssignment { devices: c.ints(b'(', b')')?, ..TileAssignment::default() }
            }
        });
        if m.order.as_ref().is_some_and(|o| !o.dims.is_empty()) {
            c.expect(b')')?;
        }
    } else {
        c.pos = back;
    }
    Ok(m)
}

/// `'x'`
fn quoted(c: &mut Cursor) -> Result<Arc<str>> {
    c.expect(b'\'')?;
    let rest = &c.text[c.pos..];
    let Some(end) = rest.find(['\'', '\n']).filter(|&i| rest.as_bytes()[i] == b'\'') else {
        return Err(c.error(c.pos, "this name does not end with `'`"));
    };
    c.pos += end + 1;
    Ok(rest[..end].into())
}

/// `{'x', 'y':(2)4}`
fn axes(c: &mut Cursor) -> Result<Vec<SubAxis>> {
    let mut found = Vec::new();
    c.list(b'{', b'}', |c| {
        found.push(axis(c)?);
        Ok(())
    })?;
    Ok(found)
}

fn axis(c: &mut Cursor) -> Result<SubAxis> {
    let name = quoted(c)?;
    let mut part = None;
    if c.eat(b':') {
        c.expect(b'(')?;
        let pre = c.int("a size")?;
        c.expect(b')')?;
        part = Some((pre, c.int("a size")?));
    }
    Ok(SubAxis { name, part })
}

/// The text of a sharding by itself, as `mhlo.sharding` holds it.
///
/// # Errors
/// Malformed text.
pub fn parse_sharding(text: &str) -> Result<Sharding> {
    let mut c = Cursor::new(text, 0);
    let parsed = sharding(&mut c);
    let whole =
        parsed.and_then(|s| if c.at_end() { Ok(s) } else { Err(c.expected("the end of the sharding")) });
    whole.map_err(|e| Diagnostic::malformed(format!("in the sharding `{text}`: {}", e.message())))
}

/// `{replicated}`, `{devices=[2,1]<=[2]}`, `{mesh['x'=2], [{'x'}, {}]}`, `{{…}, {…}}`.
pub(super) fn sharding(c: &mut Cursor) -> Result<Sharding> {
    c.expect(b'{')?;
    match c.peek() {
        b'{' => {
            let mut items = Vec::new();
            loop {
                items.push(c.nested(sharding)?);
                if c.eat(b'}') {
                    return Ok(Sharding::Tuple(items));
                }
                c.expect(b',')?;
            }
        }
        b'}' => {
            c.pos += 1;
            return Ok(Sharding::Tuple(Vec::new()));
        }
        b'@' => return named(c),
        _ => {}
    }
    let start = c.pos;
    let word = c.word("a sharding")?;
    match word {
        "mesh" => {
            c.pos = start;
            named(c)
        }
        "devices" => {
            c.expect(b'=')?;
            tiled(c)
        }
        "maximal" => {
            c.expect_str("device")?;
            c.expect(b'=')?;
            let device = c.int("a device")?;
            Ok(Sharding::Maximal { device, rest: rest(c)? })
        }
        _ => {
            // `replicated`, `manual`, `single_device[device_id=0]`.
            let mut text = word.to_owned();
            if c.here() == b'[' {
                let from = c.pos;
                let end =
                    c.text[from..].find(']').ok_or_else(|| c.error(from, "this bracket is not closed"))?;
                text.push_str(&c.text[from..from + end + 1]);
                c.pos = from + end + 1;
            }
            Ok(Sharding::Word { word: text.into(), rest: rest(c)? })
        }
    }
}

/// What stands before the closing brace, as written: `shard_as 1 metadata={…}`.
fn rest(c: &mut Cursor) -> Result<Option<Arc<str>>> {
    c.skip();
    let start = c.pos;
    while c.peek() != b'}' {
        if c.at_end() {
            return Err(c.error(start, "this sharding does not end"));
        }
        // Commas separate inside braces only.
        let before = c.pos;
        c.verbatim()?;
        if c.pos == before {
            return Err(c.expected("`}`"));
        }
    }
    let text = c.text[start..c.pos].trim_end();
    c.expect(b'}')?;
    Ok((!text.is_empty()).then(|| text.into()))
}

fn tiled(c: &mut Cursor) -> Result<Sharding> {
    let mut assignment = assignment(c)?;
    let mut replicate = c.eat_str("last_tile_dim_replicate");
    let mut dims: Vec<Arc<str>> = Vec::new();
    if c.eat_str("last_tile_dims=") {
        c.list(b'{', b'}', |c| {
            dims.push(c.word("the meaning of a dimension")?.into());
            Ok(())
        })?;
        // Said in two ways; XLA prints one.
        if !dims.is_empty()
            && dims.iter().all(|d| &**d == "replicated")
            && let Some(merged) = merge_last(&assignment, dims.len())
        {
            assignment = merged;
            (replicate, dims) = (true, Vec::new());
        }
    }
    Ok(Sharding::Tiled {
        assignment,
        last_tile_dim_replicate: replicate,
        last_tile_dims: dims,
        rest: rest(c)?,
    })
}

/// The last `n` dimensions as one.
fn merge_last(t: &TileAssignment, n: usize) -> Option<TileAssignment> {
    let keep = t.dims.len().checked_sub(n)?;
    let last = t.dims[keep..].iter().try_fold(1i64, |p, &d| p.checked_mul(d))?;
    let mut merged = t.clone();
    merged.dims.truncate(keep);
    merged.dims.push(last);
    Some(merged)
}

fn named(c: &mut Cursor) -> Result<Sharding> {
    let mut n = NamedSharding { mesh: mesh(c)?, ..NamedSharding::default() };
    c.expect(b',')?;
    match c.peek() {
        b'[' => c.list(b'[', b']', |c| {
            let mut dim = NamedDim::default();
            c.list(b'{', b'}', |c| {
                match c.eat(b'?') {
                    true => dim.open = true,
                    false => dim.axes.push(axis(c)?),
                }
                Ok(())
            })?;
            n.dims.push(dim);
            Ok(())
        })?,
        _ => n.word = Some(c.word("a sharding")?.into()),
    }
    while c.eat(b',') {
        let key = c.word("`replicated=` and the like")?;
        c.expect(b'=')?;
        let list = axes(c)?;
        n.axes.push((key.into(), list));
    }
    c.expect(b'}')?;
    Ok(Sharding::Named(Box::new(n)))
}
