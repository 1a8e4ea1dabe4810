//! `dense<…> : tensor<…>` and `dense_resource<…> : tensor<…>`, decoded straight from the text into
//! the tensor's buffer.
//!
//! The type stands after the literal, so its end is found first (a search for one character), then
//! the type is read, then the elements, once. Memory is taken only for as many elements as the text
//! can hold.

use super::lexer::{self, Kind, Token};
use super::parser::Parser;
use super::{hex, number};
use num_complex::Complex;
use sim_core::ir::attr::Dense;
use sim_core::types::TensorType;
use sim_core::{Buffer, Diagnostic, ElementType, Result, Tensor, Type};

/// An element literal that is wrong: where, and what was expected.
struct Wrong(usize, String);
type Parsed<T> = std::result::Result<T, Wrong>;

impl<'a> Parser<'a> {
    /// `dense<literal> : type`
    pub fn dense(&mut self) -> Result<Dense> {
        self.bump();
        let open = self.tok;
        if !self.at_punct(b'<') {
            return Err(self.expected("`<`"));
        }
        let close = self.literal_end(open)?;
        self.seek(close + 1);
        self.last_end = close + 1;
        let (ty, dims) = self.dense_type()?;
        self.count(close - open.end);
        let tensor = ty.as_tensor().ok_or_else(|| self.error(open, "expected a tensor type"))?;
        let start = lexer::skip_blank(self.src, open.end);
        let (value, splat) = match self.src[start] {
            b'"' => {
                let end = lexer::string_end(self.src, start).unwrap_or(close);
                let literal = Token { kind: Kind::Str, start, end };
                self.hex_elements(literal, tensor, &dims)?
            }
            _ => self.text_elements(start, close, tensor, &dims)?,
        };
        Ok(Dense { ty, value, splat })
    }

    /// `dense_resource<name> : type`
    pub fn dense_resource(&mut self) -> Result<Dense> {
        self.bump();
        self.expect(b'<')?;
        let tok = self.bump();
        let name = match tok.kind {
            Kind::Bare => self.text_of(tok),
            Kind::Str => self.slice(tok.start + 1, tok.end - 1),
            _ => return Err(self.error(tok, "expected the name of a resource")),
        };
        self.expect(b'>')?;
        let (ty, dims) = self.dense_type()?;
        let tensor = ty.as_tensor().ok_or_else(|| self.error(tok, "expected a tensor type"))?;
        let Some(&blob) = self.resources.get(name) else {
            return Err(self.error(tok, format!("the resource `{name}` is not in the file")).help(
                "its value stands in a section `{-# dialect_resources: … #-}`, which printers can leave out",
            ));
        };
        // The blob begins with its alignment, four bytes.
        let digits = self.slice(blob.start + 1, blob.end - 1);
        if !digits.starts_with("0x") || digits.len() < 10 {
            return Err(self.error(blob, "expected 0x, eight digits of alignment, and the value's bytes"));
        }
        let e = tensor.element;
        let count: usize = dims.iter().product();
        let data = (blob.start + 11, blob.end - 1);
        match self.hex_tensor(data, e, count, &dims)? {
            Some(value) => Ok(Dense { ty, value, splat: false }),
            None => Err(self.wrong_size(blob, (data.1 - data.0) / 2, e, count)),
        }
    }

    /// `: tensor<…>` with static dimensions whose product does not overflow.
    fn dense_type(&mut self) -> Result<(Type, Vec<usize>)> {
        self.expect(b':')?;
        let tok = self.tok;
        let ty = self.parse_type()?;
        let bad = |what: String| Err(self.error(tok, what));
        let Some(t) = ty.as_tensor() else {
            return match &ty {
                Type::Verbatim(text) => Err(self.unsupported(tok, format!("a constant of type {text}"))),
                other => bad(format!("a constant cannot be of type {other}")),
            };
        };
        let Some(dims) = t.static_dims() else {
            return bad(format!("a constant needs a static shape, and this is {ty}"));
        };
        // Zeros count as ones, so that no partial product overflows either.
        let total = dims.iter().try_fold(t.element.byte_size(), |n, &d| n.checked_mul(d.max(1)));
        if total.is_none_or(|n| n > isize::MAX as usize) {
            return Err(Diagnostic::resource(format!(
                "a constant of type {ty} is larger than the address space"
            ))
            .at(self.tok_span(tok)));
        }
        let dims = dims.to_vec();
        Ok((ty, dims))
    }

    /// The offset of the `>` that ends the literal opened by `open`.
    fn literal_end(&self, open: Token) -> Result<usize> {
        let unclosed = || self.error(open, "this literal is never closed");
        let mut at = lexer::skip_blank(self.src, open.end);
        if self.src.get(at) == Some(&b'"') {
            let after = lexer::string_end(self.src, at).ok_or_else(unclosed)?;
            let close = lexer::skip_blank(self.src, after);
            return match self.src.get(close) {
                Some(b'>') => Ok(close),
                _ => Err(self.error_at(close, close + 1, "expected `>` after the text of a constant")),
            };
        }
        loop {
            let n =
                memchr::memchr2(b'>', b'/', self.src.get(at..).unwrap_or_default()).ok_or_else(unclosed)?;
            at += n;
            if self.src[at] == b'>' {
                return Ok(at);
            }
            // A comment may hold anything.
            let next = lexer::skip_blank(self.src, at);
            at = if next == at { at + 1 } else { next };
        }
    }

    fn wrong_size(&self, tok: Token, bytes: usize, e: ElementType, count: usize) -> Diagnostic {
        let wanted = count.saturating_mul(e.byte_size());
        self.error(
            tok,
            format!("the constant has {bytes} bytes, and {count} elements of {e} are {wanted} bytes"),
        )
    }

    /// A quoted `"0x…"`: the raw bytes of all elements, or of one for a splat.
    fn hex_elements(&self, literal: Token, ty: &TensorType, dims: &[usize]) -> Result<(Tensor, bool)> {
        let e = ty.element;
        let text = self.slice(literal.start + 1, literal.end - 1);
        if !text.starts_with("0x") {
            return Err(self.error(literal, "expected hexadecimal digits after 0x"));
        }
        let range = (literal.start + 3, literal.end - 1);
        let count: usize = dims.iter().product();
        if let Some(value) = self.hex_tensor(range, e, count, dims)? {
            return Ok((value, false));
        }
        let size = e.byte_size();
        if range.1 - range.0 == 2 * size
            && let Some(value) = self.hex_tensor(range, e, 1, &[])?
        {
            return Ok((value, true));
        }
        Err(self.wrong_size(literal, (range.1 - range.0) / 2, e, count))
    }

    /// The bytes in `src[range]`; `None` if they are not as many as the elements take.
    /// `i1` comes as a byte an element (now) or packed eight to a byte (before 2026).
    fn hex_tensor(
        &self,
        range: (usize, usize),
        e: ElementType,
        count: usize,
        dims: &[usize],
    ) -> Result<Option<Tensor>> {
        let digits = &self.src[range.0..range.1];
        let bytes = digits.len() / 2;
        let wanted = count * e.byte_size();
        let packed = e == ElementType::Pred && bytes == count.div_ceil(8) && bytes != count;
        if !digits.len().is_multiple_of(2) || (bytes != wanted && !packed) {
            return Ok(None);
        }
        let mut buffer = Buffer::zeroed(bytes).map_err(|d| d.at(self.span(range.0, range.1)))?;
        hex::decode(digits, buffer.bytes_mut()).map_err(|i| {
            let at = range.0 + i;
            let end = at + self.text.get(at..).and_then(|t| t.chars().next()).map_or(1, char::len_utf8);
            self.error_at(at, end, format!("`{}` is not a hexadecimal digit", self.slice(at, end)))
        })?;
        if packed {
            // One bit is the splat's only bit too; a lone byte of ones is the splat of true.
            let bits = buffer;
            buffer = Buffer::zeroed(count)?;
            for (i, out) in buffer.bytes_mut().iter_mut().enumerate() {
                *out = bits.bytes()[i / 8] >> (i % 8) & 1;
            }
        }
        normalize(buffer.bytes_mut(), e);
        Ok(Some(Tensor::from_buffer(e, dims, buffer)))
    }

    /// `1.0` (a splat), `[[1, 2], [3, 4]]`, `(1.0, 2.0)`, or nothing for no elements.
    fn text_elements(
        &self,
        start: usize,
        close: usize,
        ty: &TensorType,
        dims: &[usize],
    ) -> Result<(Tensor, bool)> {
        let e = ty.element;
        let count: usize = dims.iter().product();
        let mut cursor = Cursor { src: &self.src[..close], at: start };
        let is_list = self.src[start] == b'[';
        if start == close {
            if count != 0 {
                return Err(self.error_at(
                    start,
                    close + 1,
                    format!("no elements for a constant of type {ty}"),
                ));
            }
            return Ok((Tensor::from_buffer(e, dims, Buffer::zeroed(0)?), false));
        }
        // An element takes a character and a separator, so the text bounds what is allocated.
        if is_list && count > (close - start) / 2 + 1 {
            return Err(self.error_at(
                start,
                close,
                format!("the literal is too short for the {count} elements of {ty}"),
            ));
        }
        let (shape, n) = if is_list { (dims, count) } else { (&[][..], 1) };
        let mut buffer = Buffer::zeroed(n * e.byte_size()).map_err(|d| d.at(self.span(start, close)))?;
        fill(&mut cursor, e, shape, buffer.bytes_mut())
            .and_then(|()| {
                cursor.blank();
                if cursor.at < close { Err(cursor.wrong("`>`")) } else { Ok(()) }
            })
            .map_err(|Wrong(at, message)| self.error_at(at, (at + 1).min(self.src.len()), message))?;
        let splat = !is_list && !dims.is_empty();
        Ok((Tensor::from_buffer(e, shape, buffer), splat))
    }
}

/// Brings raw bytes into the form tensors have: 0 or 1 for `i1`, the sign extended or the unused bits
/// cleared below a byte.
pub(in crate::frontend) fn normalize(bytes: &mut [u8], e: ElementType) {
    let bits = e.bits();
    if e == ElementType::Pred {
        bytes.iter_mut().for_each(|b| *b = u8::from(*b != 0));
    } else if bits < 8 {
        let shift = 8 - bits;
        if e.is_signed() {
            bytes.iter_mut().for_each(|b| *b = ((*b << shift) as i8 >> shift) as u8);
        } else {
            bytes.iter_mut().for_each(|b| *b = *b << shift >> shift);
        }
    }
}

/// Reads all elements into the buffer.
fn fill(cursor: &mut Cursor, e: ElementType, shape: &[usize], out: &mut [u8]) -> Parsed<()> {
    use ElementType as E;
    /// Bytes of a buffer as elements. Buffers are aligned to 64.
    fn cast<T: bytemuck::Pod>(out: &mut [u8]) -> &mut [T] {
        bytemuck::cast_slice_mut(out)
    }
    match e {
        E::Pred => elements(cursor, shape, out, |c| c.boolean()),
        E::F32 => elements(cursor, shape, cast::<f32>(out), |c| {
            c.float(e).map(|f| match f {
                Float::Value(x) => x as f32,
                Float::Bits(b) => f32::from_bits(b as u32),
            })
        }),
        E::F64 => elements(cursor, shape, cast::<f64>(out), |c| {
            c.float(e).map(|f| match f {
                Float::Value(x) => x,
                Float::Bits(b) => f64::from_bits(b),
            })
        }),
        E::C64 => elements(cursor, shape, cast::<Complex<f32>>(out), |c| {
            c.pair(|c| {
                c.float(E::F32).map(|f| match f {
                    Float::Value(x) => x as f32,
                    Float::Bits(b) => f32::from_bits(b as u32),
                })
            })
        }),
        E::C128 => elements(cursor, shape, cast::<Complex<f64>>(out), |c| {
            c.pair(|c| {
                c.float(E::F64).map(|f| match f {
                    Float::Value(x) => x,
                    Float::Bits(b) => f64::from_bits(b),
                })
            })
        }),
        E::F16 | E::BF16 => {
            elements(cursor, shape, cast::<u16>(out), |c| c.float(e).map(|f| f.bits(e) as u16))
        }
        _ if e.is_float() => elements(cursor, shape, out, |c| c.float(e).map(|f| f.bits(e) as u8)),
        _ => match e.byte_size() {
            1 => elements(cursor, shape, out, |c| c.int(e).map(|n| n as u8)),
            2 => elements(cursor, shape, cast::<u16>(out), |c| c.int(e).map(|n| n as u16)),
            4 => elements(cursor, shape, cast::<u32>(out), |c| c.int(e).map(|n| n as u32)),
            _ => elements(cursor, shape, cast::<i64>(out), |c| c.int(e)),
        },
    }
}

/// Reads nested lists of exactly this shape, or one element for an empty shape.
fn elements<T>(
    cursor: &mut Cursor,
    shape: &[usize],
    out: &mut [T],
    mut one: impl FnMut(&mut Cursor) -> Parsed<T>,
) -> Parsed<()> {
    let mut out = out.iter_mut();
    let rank = shape.len();
    // Items seen so far at each level that is open.
    let mut seen: Vec<usize> = Vec::with_capacity(rank);
    loop {
        // An item: open lists down to the elements.
        cursor.blank();
        while seen.len() < rank {
            if !cursor.eat(b'[') {
                return Err(cursor.wrong(&format!("`[`: the type has {rank} dimensions")));
            }
            seen.push(0);
            cursor.blank();
            if shape[seen.len() - 1] == 0 {
                break;
            }
        }
        let empty = seen.last().is_some_and(|_| shape[seen.len() - 1] == 0);
        if !empty {
            match out.next() {
                Some(slot) => *slot = one(cursor)?,
                None => return Err(cursor.wrong("no more elements than the type has")),
            }
            cursor.blank();
        }
        // What follows an item: a comma, or the ends of lists.
        let mut first = empty;
        loop {
            let Some(level) = seen.len().checked_sub(1) else { return Ok(()) };
            if !first {
                seen[level] += 1;
            }
            first = false;
            if seen[level] < shape[level] {
                if !cursor.eat(b',') {
                    return Err(cursor.wrong(&format!(
                        "`,`: dimension {level} has {} elements, and this list {}",
                        shape[level], seen[level]
                    )));
                }
                break;
            }
            if !cursor.eat(b']') {
                return Err(cursor.wrong(&format!("`]`: dimension {level} has {} elements", shape[level])));
            }
            seen.pop();
            cursor.blank();
        }
    }
}

/// A float literal.
enum Float {
    Value(f64),
    Bits(u64),
}

impl Float {
    fn bits(self, ty: ElementType) -> u64 {
        match self {
            Float::Value(x) => number::bits_of_float(x, ty),
            Float::Bits(bits) => bits,
        }
    }
}

/// Characters of a literal. `src` ends where the literal does.
struct Cursor<'s> {
    src: &'s [u8],
    at: usize,
}

impl Cursor<'_> {
    #[inline]
    fn blank(&mut self) {
        if matches!(self.src.get(self.at), Some(b' ' | b'\n' | b'\t' | b'\r' | b'/')) {
            self.at = lexer::skip_blank(self.src, self.at);
        }
    }

    #[inline]
    fn eat(&mut self, c: u8) -> bool {
        let hit = self.src.get(self.at) == Some(&c);
        self.at += usize::from(hit);
        hit
    }

    fn wrong(&self, expected: &str) -> Wrong {
        let rest = self.src.get(self.at..).unwrap_or_default();
        let found = match rest.first() {
            None => "the end of the literal".to_owned(),
            Some(_) => {
                let end = rest
                    .iter()
                    .position(|b| matches!(b, b',' | b']' | b' ' | b'\n' | b')'))
                    .unwrap_or(rest.len())
                    .clamp(1, 24);
                format!("`{}`", String::from_utf8_lossy(&rest[..end.min(rest.len())]))
            }
        };
        Wrong(self.at, format!("expected {expected}, found {found}"))
    }

    /// Characters from here on that belong to a number, without its sign.
    fn number(&self) -> &[u8] {
        let rest = &self.src[self.at..];
        let mut end = 0;
        while let Some(&b) = rest.get(end) {
            let exponent_sign = matches!(b, b'+' | b'-') && end > 0 && matches!(rest[end - 1], b'e' | b'E');
            if !(b.is_ascii_alphanumeric() || b == b'.' || exponent_sign) {
                break;
            }
            end += 1;
        }
        &rest[..end]
    }

    fn boolean(&mut self) -> Parsed<u8> {
        let rest = &self.src[self.at..];
        for (word, value) in [(&b"true"[..], 1), (b"false", 0)] {
            if rest.starts_with(word) && !rest.get(word.len()).is_some_and(u8::is_ascii_alphanumeric) {
                self.at += word.len();
                return Ok(value);
            }
        }
        match self.int(ElementType::Pred) {
            Ok(n) => Ok(u8::from(n != 0)),
            Err(_) => Err(self.wrong("true or false")),
        }
    }

    fn int(&mut self, ty: ElementType) -> Parsed<i64> {
        let start = self.at;
        let negative = self.eat(b'-');
        let text = self.number();
        let len = text.len();
        let value = number::magnitude(text).and_then(|m| number::signed(m, negative, ty));
        match value {
            Some(n) => {
                self.at += len;
                Ok(n)
            }
            None => {
                self.at = start;
                Err(self.wrong(&format!("an integer that fits {ty}")))
            }
        }
    }

    fn float(&mut self, ty: ElementType) -> Parsed<Float> {
        let start = self.at;
        let negative = self.eat(b'-');
        let text = self.number();
        let len = text.len();
        let value = if text.starts_with(b"0x") {
            let width = ty.bits();
            number::magnitude(text)
                .filter(|bits| !negative && (width == 64 || bits >> width == 0))
                .map(Float::Bits)
        } else if text.first().is_some_and(u8::is_ascii_digit) && text.contains(&b'.') {
            let text = std::str::from_utf8(text).unwrap_or_default();
            number::float(text, negative).map(Float::Value)
        } else {
            None
        };
        match value {
            Some(x) => {
                self.at += len;
                Ok(x)
            }
            None => {
                self.at = start;
                Err(self.wrong(&format!("a number of type {ty} (with a point, or its bits in hexadecimal)")))
            }
        }
    }

    /// `(re, im)`
    fn pair<T>(&mut self, mut part: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Complex<T>> {
        if !self.eat(b'(') {
            return Err(self.wrong("`(`: a complex number is a pair"));
        }
        self.blank();
        let re = part(self)?;
        self.blank();
        if !self.eat(b',') {
            return Err(self.wrong("`,`"));
        }
        self.blank();
        let im = part(self)?;
        self.blank();
        if !self.eat(b')') {
            return Err(self.wrong("`)`"));
        }
        Ok(Complex::new(re, im))
    }
}
