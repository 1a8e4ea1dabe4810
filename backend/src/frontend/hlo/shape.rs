//! Shapes: `(bf16[8,<=16]{1,0:T(8,128)(2,1)S(1)}, token[])`.

use super::cursor::Cursor;
use rustc_hash::FxHashMap;
use sim_core::hlo::{ArrayShape, Layout, Shape, Tile};
use sim_core::types::Dim;
use sim_core::{Diagnostic, ElementType, Result};
use std::sync::Arc;

/// A layout by itself: `{1,0:T(8,128)(2,1)}`.
pub fn parse_layout(text: &str) -> Result<Layout> {
    let mut c = Cursor::new(text, 0);
    let layout = Shapes::default().layout(&mut c);
    let whole =
        layout.and_then(|l| if c.at_end() { Ok(l) } else { Err(c.expected("the end of the layout")) });
    whole.map_err(|e| Diagnostic::malformed(format!("in the layout `{text}`: {}", e.message())))
}

/// Shapes by their text: a module repeats few of them thousands of times.
#[derive(Default)]
pub(super) struct Shapes<'a>(FxHashMap<&'a str, Arc<Shape>>);

impl<'a> Shapes<'a> {
    pub fn parse(&mut self, c: &mut Cursor<'a>) -> Result<Arc<Shape>> {
        match c.peek() {
            b'(' => {
                let mut items = Vec::new();
                c.list(b'(', b')', |c| {
                    items.push(self.parse(c)?);
                    Ok(())
                })?;
                Ok(Arc::new(Shape::Tuple(items)))
            }
            _ => self.leaf(c),
        }
    }

    fn leaf(&mut self, c: &mut Cursor<'a>) -> Result<Arc<Shape>> {
        let start = c.pos;
        if let Some(end) = extent(&c.text.as_bytes()[start..])
            && let Some(known) = self.0.get(&c.text[start..start + end])
        {
            c.pos = start + end;
            return Ok(known.clone());
        }
        let shape = Arc::new(self.leaf_anew(c)?);
        self.0.insert(&c.text[start..c.pos], shape.clone());
        Ok(shape)
    }

    fn leaf_anew(&mut self, c: &mut Cursor<'a>) -> Result<Shape> {
        let start = c.pos;
        let word = c.run(b"");
        if word == "b" && c.here() == b'(' {
            c.pos += 1;
            let start = c.pos;
            let inner = c.nested(|c| self.leaf_anew(c))?;
            c.expect(b')')?;
            return match inner {
                Shape::Array(a) => Ok(Shape::Buffer(a)),
                _ => Err(c.error(start, "a buffer holds an array")),
            };
        }
        if c.here() != b'[' {
            c.pos = start;
            return Err(c.expected("a shape, as `f32[8,128]` or `(f32[], s32[2])`"));
        }
        match word {
            "token" | "opaque" => {
                c.expect(b'[')?;
                c.expect(b']')?;
                return Ok(if word == "token" { Shape::Token } else { Shape::Opaque });
            }
            _ => {}
        }
        let Some(element) = ElementType::from_hlo_name(word) else {
            return Err(c.error(start, format!("`{word}` is no element type of HLO")));
        };
        let mut array = ArrayShape::new(element, []);
        c.list(b'[', b']', |c| {
            array.dims.push(dimension(c)?);
            Ok(())
        })?;
        if c.here() == b'{' {
            let start = c.pos;
            let layout = self.layout(c)?;
            if layout.minor_to_major.len() != array.rank() {
                return Err(c.error(
                    start,
                    format!(
                        "this layout orders {} dimensions, the shape has {}",
                        layout.minor_to_major.len(),
                        array.rank()
                    ),
                ));
            }
            array.layout = Some(Arc::new(layout));
        }
        Ok(Shape::Array(array))
    }

    /// `{1,0:T(8,128)(2,1)S(1)}`
    pub fn layout(&mut self, c: &mut Cursor<'a>) -> Result<Layout> {
        let mut l = Layout::default();
        let start = c.pos;
        c.expect(b'{')?;
        while c.peek().is_ascii_digit() {
            l.minor_to_major.push(c.int("a dimension")?);
            if !c.eat(b',') {
                break;
            }
        }
        let rank = l.minor_to_major.len();
        let mut seen = vec![false; rank];
        for &d in &l.minor_to_major {
            let slot = usize::try_from(d).ok().and_then(|d| seen.get_mut(d));
            if slot.is_none_or(|slot| std::mem::replace(slot, true)) {
                return Err(c.error(start, "a layout names each dimension once"));
            }
        }
        if c.eat(b':') {
            self.layout_parts(c, &mut l)?;
        }
        c.expect(b'}')?;
        Ok(l)
    }

    fn layout_parts(&mut self, c: &mut Cursor<'a>, l: &mut Layout) -> Result<()> {
        loop {
            let start = c.pos;
            match c.peek() {
                b'T' => {
                    c.pos += 1;
                    while c.here() == b'(' {
                        l.tiles.push(tile(c)?);
                    }
                }
                b'D' => {
                    c.pos += 1;
                    c.list(b'(', b')', |c| {
                        l.dim_level_types.push(c.run(b"+~").into());
                        Ok(())
                    })?;
                }
                b'S' if c.text[c.pos..].starts_with("SC(") => {
                    c.pos += 2;
                    while c.here() == b'(' {
                        c.expect(b'(')?;
                        let dim = c.int("a dimension")?;
                        c.expect(b':')?;
                        let mut at = vec![c.int("an index")?];
                        while c.eat(b',') {
                            at.push(c.int("an index")?);
                        }
                        c.expect(b')')?;
                        l.splits.push((dim, at));
                    }
                }
                b'L' => l.tail_padding_alignment = number(c)?,
                b'E' => l.element_size_in_bits = number(c)?,
                b'S' => l.memory_space = number(c)?,
                b'M' => l.dynamic_shape_metadata_prefix_bytes = number(c)?,
                b'#' => l.index_type = Some(integer_type(c)?),
                b'*' => l.pointer_type = Some(integer_type(c)?),
                b'P' => {
                    c.pos += 1;
                    c.expect(b'(')?;
                    let shape = c.nested(|c| self.parse(c))?;
                    l.physical_shape = Some(Box::new((*shape).clone()));
                    c.expect(b')')?;
                }
                b'}' => return Ok(()),
                _ => return Err(c.expected("a part of a layout (`T(…)`, `S(…)`, `E(…)`, …)")),
            }
            if c.pos == start {
                return Err(c.expected("a part of a layout"));
            }
        }
    }
}

fn dimension(c: &mut Cursor) -> Result<Dim> {
    if c.eat(b'?') {
        return Ok(Dim::Dynamic);
    }
    let bounded = c.eat_str("<=");
    let start = c.pos;
    let n = c.int("a size")?;
    if n < 0 {
        return Err(c.error(start, "a size is not negative"));
    }
    Ok(if bounded { Dim::Bounded(n) } else { Dim::Static(n) })
}

fn tile(c: &mut Cursor) -> Result<Tile> {
    let mut tile = Tile(Default::default());
    c.list(b'(', b')', |c| {
        if c.eat(b'*') {
            tile.0.push(Tile::COMBINE);
            return Ok(());
        }
        let start = c.pos;
        let n = c.int("the size of a tile")?;
        if n <= 0 {
            return Err(c.error(start, "a tile's size is positive"));
        }
        tile.0.push(n);
        Ok(())
    })?;
    Ok(tile)
}

/// `S(1)`, past its letter.
fn number(c: &mut Cursor) -> Result<i64> {
    c.pos += 1;
    c.expect(b'(')?;
    let n = c.int("a number")?;
    c.expect(b')')?;
    Ok(n)
}

fn integer_type(c: &mut Cursor) -> Result<ElementType> {
    c.pos += 1;
    c.expect(b'(')?;
    let start = c.pos;
    let word = c.run(b"");
    let Some(element) = ElementType::from_hlo_name(word).filter(|e| e.is_integer()) else {
        return Err(c.error(start, format!("`{word}` is no integer type of HLO")));
    };
    c.expect(b')')?;
    Ok(element)
}

/// How far a shape without blanks goes: letters, brackets, and a layout right behind.
fn extent(bytes: &[u8]) -> Option<usize> {
    let end = memchr::memchr(b']', bytes.get(..256.min(bytes.len()))?)? + 1;
    if bytes.get(end) != Some(&b'{') {
        return Some(end);
    }
    let layout = &bytes[end..bytes.len().min(end + 256)];
    let close = memchr::memchr(b'}', layout)?;
    // A physical shape has braces of its own: rare, and not worth remembering.
    (!layout[1..close].contains(&b'{')).then_some(end + close + 1)
}
