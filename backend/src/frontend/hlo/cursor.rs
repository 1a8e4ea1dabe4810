//! A place in the text, and the small things that are read there.

use sim_core::{Diagnostic, Result, Span};
use std::borrow::Cow;
use std::sync::Arc;

/// Deeper nesting than this (tuples in tuples, braces in braces) is somebody's attack.
const DEEPEST: u32 = 256;

pub(super) struct Cursor<'a> {
    pub text: &'a str,
    bytes: &'a [u8],
    pub pos: usize,
    depth: u32,
}

impl<'a> Cursor<'a> {
    pub fn new(text: &'a str, pos: usize) -> Cursor<'a> {
        Cursor { text, bytes: text.as_bytes(), pos, depth: 0 }
    }

    /// Past blanks and comments.
    pub fn skip(&mut self) {
        loop {
            match self.bytes.get(self.pos) {
                Some(b' ' | b'\n' | b'\t' | b'\r') => self.pos += 1,
                Some(b'/') => match self.bytes.get(self.pos + 1) {
                    Some(b'*') => {
                        let rest = &self.bytes[self.pos + 2..];
                        let end = memchr::memmem::find(rest, b"*/").map_or(rest.len(), |i| i + 2);
                        self.pos += 2 + end;
                    }
                    Some(b'/') => {
                        let rest = &self.bytes[self.pos..];
                        self.pos += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                    }
                    _ => return,
                },
                _ => return,
            }
        }
    }

    /// The next byte that is not blank; 0 at the end.
    pub fn peek(&mut self) -> u8 {
        self.skip();
        self.here()
    }

    /// The byte here, blank or not; 0 at the end.
    pub fn here(&self) -> u8 {
        self.bytes.get(self.pos).copied().unwrap_or(0)
    }

    pub fn at_end(&mut self) -> bool {
        self.skip();
        self.pos >= self.bytes.len()
    }

    pub fn eat(&mut self, b: u8) -> bool {
        let found = self.peek() == b && self.pos < self.bytes.len();
        self.pos += usize::from(found);
        found
    }

    pub fn eat_str(&mut self, s: &str) -> bool {
        self.skip();
        let found = self.bytes[self.pos..].starts_with(s.as_bytes());
        self.pos += if found { s.len() } else { 0 };
        found
    }

    pub fn expect(&mut self, b: u8) -> Result<()> {
        if self.eat(b) { Ok(()) } else { Err(self.expected(&format!("`{}`", b as char))) }
    }

    pub fn expect_str(&mut self, s: &str) -> Result<()> {
        if self.eat_str(s) { Ok(()) } else { Err(self.expected(&format!("`{s}`"))) }
    }

    /// Letters, digits and the given others; empty if there is none.
    pub fn run(&mut self, others: &[u8]) -> &'a str {
        self.skip();
        let start = self.pos;
        while let Some(b) = self.bytes.get(self.pos)
            && (b.is_ascii_alphanumeric() || others.contains(b))
        {
            self.pos += 1;
        }
        &self.text[start..self.pos]
    }

    /// A bare word: `kLoop`, `rng_uniform`.
    pub fn word(&mut self, what: &str) -> Result<&'a str> {
        let word = self.run(b"_.-");
        if word.is_empty() { Err(self.expected(what)) } else { Ok(word) }
    }

    /// The name of an instruction or computation, with `%` or without.
    pub fn name(&mut self, what: &str) -> Result<&'a str> {
        self.eat(b'%');
        let start = self.pos;
        if self.here() == b'"' {
            return Err(self.expected(what));
        }
        while let Some(b) = self.bytes.get(self.pos)
            && (b.is_ascii_alphanumeric() || b"_.-:$".contains(b) || *b >= 0x80)
        {
            // `a->b` and `-> shape`: the arrow ends a name.
            if *b == b'-' && self.bytes.get(self.pos + 1) == Some(&b'>') {
                break;
            }
            // `name: shape` in signatures.
            if *b == b':' && !self.bytes.get(self.pos + 1).is_some_and(|n| n.is_ascii_alphanumeric()) {
                break;
            }
            self.pos += 1;
        }
        if start == self.pos { Err(self.expected(what)) } else { Ok(&self.text[start..self.pos]) }
    }

    pub fn int(&mut self, what: &str) -> Result<i64> {
        self.skip();
        let start = self.pos;
        let negative = self.here() == b'-';
        self.pos += usize::from(negative);
        let digits = self.pos;
        let mut value: i64 = 0;
        while let Some(b @ b'0'..=b'9') = self.bytes.get(self.pos) {
            let digit = i64::from(b - b'0');
            let next = value.checked_mul(10);
            value = match if negative {
                next.and_then(|n| n.checked_sub(digit))
            } else {
                next.and_then(|n| n.checked_add(digit))
            } {
                Some(n) => n,
                None => return Err(self.error(start, "this number does not fit 64 bits")),
            };
            self.pos += 1;
        }
        if self.pos == digits {
            self.pos = start;
            return Err(self.expected(what));
        }
        Ok(value)
    }

    pub fn bool(&mut self) -> Result<bool> {
        let start = self.pos;
        match self.run(b"_") {
            "true" | "1" => Ok(true),
            "false" | "0" => Ok(false),
            _ => {
                self.pos = start;
                Err(self.expected("`true` or `false`"))
            }
        }
    }

    /// `"…"`, with C's escapes resolved.
    pub fn string(&mut self) -> Result<Arc<str>> {
        self.skip();
        let start = self.pos;
        if self.here() != b'"' {
            return Err(self.expected("a string"));
        }
        self.pass_string()?;
        let inner = &self.text[start + 1..self.pos - 1];
        Ok(match inner.contains('\\') || !inner.is_ascii() {
            false => inner.into(),
            true => sim_core::ir::attr::text_of_bytes(&unescape(inner)).into(),
        })
    }

    /// Past a string, without looking into it.
    fn pass_string(&mut self) -> Result<()> {
        let start = self.pos;
        self.pos += 1;
        loop {
            match memchr::memchr2(b'"', b'\\', &self.bytes[self.pos.min(self.bytes.len())..]) {
                Some(i) if self.bytes[self.pos + i] == b'"' => {
                    self.pos += i + 1;
                    return Ok(());
                }
                Some(i) => self.pos += i + 2,
                None => {
                    self.pos = self.bytes.len();
                    return Err(self.error(start, "this string does not end"));
                }
            }
        }
    }

    /// Everything up to a `,` or a line's end outside of brackets and strings: the value of an
    /// attribute that is kept as it is.
    pub fn verbatim(&mut self) -> Result<&'a str> {
        self.skip();
        let start = self.pos;
        let mut open: Vec<(u8, usize)> = Vec::new();
        while let Some(&b) = self.bytes.get(self.pos) {
            match b {
                b'"' => {
                    self.pass_string()?;
                    continue;
                }
                b'(' | b'[' | b'{' => open.push((b, self.pos)),
                b')' | b']' | b'}' => {
                    let matches =
                        |(o, _): &(u8, usize)| matches!((*o, b), (b'(', b')') | (b'[', b']') | (b'{', b'}'));
                    match open.pop() {
                        Some(o) if matches(&o) => {}
                        Some((_, at)) => return Err(self.error(at, "this bracket is not closed by its like")),
                        None => break,
                    }
                }
                b',' | b'\n' if open.is_empty() => break,
                _ => {}
            }
            self.pos += 1;
        }
        if let Some((_, at)) = open.pop() {
            return Err(self.error(at, "this bracket is not closed"));
        }
        Ok(self.text[start..self.pos].trim_end())
    }

    /// `open item, item, … close`.
    pub fn list(&mut self, open: u8, close: u8, mut item: impl FnMut(&mut Self) -> Result<()>) -> Result<()> {
        self.expect(open)?;
        if self.eat(close) {
            return Ok(());
        }
        loop {
            self.nested(&mut item)?;
            if self.eat(close) {
                return Ok(());
            }
            if !self.eat(b',') {
                return Err(self.expected(&format!("`,` or `{}`", close as char)));
            }
        }
    }

    /// `{1,2,3}`
    pub fn ints(&mut self, open: u8, close: u8) -> Result<Vec<i64>> {
        let mut values = Vec::new();
        self.list(open, close, |c| {
            values.push(c.int("a number")?);
            Ok(())
        })?;
        Ok(values)
    }

    /// Runs `f` one level deeper.
    pub fn nested<T>(&mut self, mut f: impl FnMut(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth >= DEEPEST {
            return Err(self.error(self.pos, format!("nested deeper than {DEEPEST}")));
        }
        self.depth += 1;
        let result = f(self);
        self.depth -= 1;
        result
    }

    /// What is here instead of `what`.
    pub fn expected(&mut self, what: &str) -> Diagnostic {
        self.skip();
        let rest = &self.text[self.pos.min(self.text.len())..];
        let found: Cow<str> = match rest.chars().next() {
            None => "the end of the text".into(),
            Some('"') => "a string".into(),
            Some(c) if c.is_ascii_alphanumeric() || c == '%' || c == '_' => {
                let word = |c: char| !(c.is_ascii_alphanumeric() || "_.-%".contains(c));
                format!(
                    "`{}`",
                    rest.split(word).next().unwrap_or_default().chars().take(40).collect::<String>()
                )
                .into()
            }
            Some(c) => format!("`{c}`").into(),
        };
        let end = (self.pos + 1).min(self.text.len());
        Diagnostic::malformed(format!("expected {what}, found {found}")).at(span(self.pos, end))
    }

    /// About the text from `start` to here.
    pub fn error(&self, start: usize, message: impl Into<String>) -> Diagnostic {
        Diagnostic::malformed(message).at(span(start, self.pos.max(start + 1).min(self.text.len())))
    }
}

pub(super) fn span(start: usize, end: usize) -> Span {
    // Texts of 4 GiB are refused before anything is read.
    Span { start: start as u32, end: end.max(start) as u32 }
}

/// C's escapes; a backslash before anything else is dropped.
fn unescape(text: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let bytes = text.as_bytes();
    let mut i = 0;
    while i < bytes.len() {
        if bytes[i] != b'\\' {
            out.push(bytes[i]);
            i += 1;
            continue;
        }
        i += 1;
        let digits = |from: usize, most: usize, radix: u32| {
            let n = bytes[from..].iter().take(most).take_while(|b| (**b as char).is_digit(radix)).count();
            (n, u32::from_str_radix(&text[from..from + n], radix).unwrap_or(0) as u8)
        };
        match bytes.get(i) {
            Some(b'n') => out.push(b'\n'),
            Some(b't') => out.push(b'\t'),
            Some(b'r') => out.push(b'\r'),
            Some(b'a') => out.push(7),
            Some(b'b') => out.push(8),
            Some(b'f') => out.push(12),
            Some(b'v') => out.push(11),
            Some(b'0'..=b'7') => {
                let n = bytes[i..].iter().take(3).take_while(|b| (b'0'..=b'7').contains(*b)).count();
                let value = bytes[i..i + n].iter().fold(0u32, |v, b| v * 8 + u32::from(b - b'0'));
                out.push(value as u8);
                i += n - 1;
            }
            Some(b'x' | b'X') => {
                let (n, value) = digits(i + 1, 2, 16);
                out.push(value);
                i += n;
            }
            Some(&b) => out.push(b),
            None => {}
        }
        i += 1;
    }
    out
}
