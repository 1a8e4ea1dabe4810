//! The tokens of the text form, and messages made of them.

use crate::frontend::hlo::proto::message::{Names, Text};
use sim_core::{Diagnostic, Result, Span};

/// Messages in messages: as deep as prost reads them.
const DEPTH: usize = 100;

/// A place in the text.
pub struct Reader<'a> {
    text: &'a str,
    pos: usize,
    depth: usize,
}

impl<'a> Reader<'a> {
    pub fn new(text: &'a str) -> Reader<'a> {
        Reader { text, pos: 0, depth: 0 }
    }

    fn error(&self, start: usize, what: impl Into<String>) -> Diagnostic {
        let end = self.pos.max(start).min(self.text.len());
        let narrow = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Diagnostic::malformed(what.into()).at(Span { start: narrow(start), end: narrow(end) })
    }

    fn expected(&mut self, what: &str) -> Diagnostic {
        let start = self.pos;
        self.pos += self.text[start..].chars().next().map_or(0, char::len_utf8);
        match &self.text[start..self.pos] {
            "" => self.error(start, format!("expected {what}, and the text ends")),
            found => self.error(start, format!("expected {what}, not `{}`", found.escape_debug())),
        }
    }

    /// Past blanks and `#` comments: the next byte, or 0 at the end.
    fn peek(&mut self) -> u8 {
        let bytes = self.text.as_bytes();
        loop {
            match bytes.get(self.pos) {
                Some(b' ' | b'\n' | b'\r' | b'\t' | 0x0b | 0x0c) => self.pos += 1,
                Some(b'#') => {
                    self.pos =
                        memchr::memchr(b'\n', &bytes[self.pos..]).map_or(bytes.len(), |i| self.pos + i);
                }
                Some(&b) => return b,
                None => return 0,
            }
        }
    }

    fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == byte && self.pos < self.text.len();
        self.pos += usize::from(found);
        found
    }

    fn word(&mut self) -> &'a str {
        self.peek();
        let rest = &self.text[self.pos..];
        let end = rest
            .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '+')))
            .unwrap_or(rest.len());
        self.pos += end;
        &rest[..end]
    }

    /// All fields up to the end of the text.
    pub fn fields<M: Text>(&mut self, message: &mut M) -> Result<()> {
        while self.peek() != 0 || self.pos < self.text.len() {
            self.field(message)?;
        }
        Ok(())
    }

    fn field<M: Text>(&mut self, message: &mut M) -> Result<()> {
        if self.peek() == b'[' {
            // An extension, or the type of an `Any`: not ours.
            self.bracketed()?;
            self.skip_value()?;
        } else {
            let start = self.pos;
            let name = self.word();
            if name.is_empty() {
                return Err(self.expected(&format!("a field of {}", M::NAME)));
            }
            if !message.read_field(name, self).map_err(|e| e.note(format!("in `{name}` of {}", M::NAME)))? {
                if !matches!(self.peek(), b':' | b'{' | b'<') {
                    return Err(
                        self.error(start, format!("`{name}` is no field: neither `:` nor `{{` follows"))
                    );
                }
                self.skip_value()?;
            }
        }
        if !self.eat(b',') {
            self.eat(b';');
        }
        Ok(())
    }

    /// `{ fields }` or `< fields >`, the colon before it or not.
    pub fn message<M: Text>(&mut self, message: &mut M) -> Result<()> {
        self.eat(b':');
        let close = self.open()?;
        while !self.eat(close) {
            if self.peek() == 0 {
                return Err(self.expected(&format!("`{}`", char::from(close))));
            }
            self.field(message)?;
        }
        self.depth -= 1;
        Ok(())
    }

    fn open(&mut self) -> Result<u8> {
        let close = match self.peek() {
            b'{' => b'}',
            b'<' => b'>',
            _ => return Err(self.expected("`{`")),
        };
        if self.depth == DEPTH {
            return Err(self.error(self.pos, format!("messages are nested more than {DEPTH} deep")));
        }
        self.depth += 1;
        self.pos += 1;
        Ok(close)
    }

    /// A repeated message: one, or several in brackets.
    pub fn each(&mut self, mut one: impl FnMut(&mut Self) -> Result<()>) -> Result<()> {
        self.eat(b':');
        match self.peek() {
            b'[' => self.list(one),
            _ => one(self),
        }
    }

    /// The value of a field that is no message.
    pub(super) fn value<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if !self.eat(b':') {
            return Err(self.expected("`:`"));
        }
        read(self)
    }

    /// A repeated field: one value, or several in brackets.
    pub(super) fn values(&mut self, one: impl FnMut(&mut Self) -> Result<()>) -> Result<()> {
        if !self.eat(b':') {
            return Err(self.expected("`:`"));
        }
        self.each(one)
    }

    fn list(&mut self, mut one: impl FnMut(&mut Self) -> Result<()>) -> Result<()> {
        self.pos += 1;
        if self.eat(b']') {
            return Ok(());
        }
        loop {
            one(self)?;
            if self.eat(b']') {
                return Ok(());
            }
            if !self.eat(b',') {
                return Err(self.expected("`,` or `]`"));
            }
        }
    }

    pub(super) fn bool(&mut self) -> Result<bool> {
        self.peek();
        let start = self.pos;
        match self.word() {
            "true" | "True" | "t" | "1" => Ok(true),
            "false" | "False" | "f" | "0" => Ok(false),
            _ => {
                self.pos = start;
                Err(self.expected("`true` or `false`"))
            }
        }
    }

    fn negative(&mut self) -> bool {
        let negative = self.eat(b'-');
        self.peek();
        negative
    }

    /// A number that `fit` takes, or a name of the table.
    pub(super) fn integer<T>(
        &mut self,
        names: Option<&Names>,
        fit: impl Fn(i128) -> Option<T>,
        what: &str,
    ) -> Result<T> {
        self.peek();
        let start = self.pos;
        let negative = self.negative();
        let word = self.word();
        let digits = |text: &str, radix| u64::from_str_radix(text, radix).ok();
        let magnitude = match word.as_bytes() {
            [b'0', b'x' | b'X', ..] => digits(&word[2..], 16),
            [b'0', _, ..] => digits(&word[1..], 8),
            [b'0'..=b'9', ..] => digits(word, 10),
            _ => {
                let known = names.filter(|_| !negative).and_then(|n| n.number(word));
                if names.is_some() && known.is_none() && !word.is_empty() {
                    return Err(self.error(start, format!("`{word}` is no value of this field")));
                }
                known.and_then(|n| u64::try_from(n).ok())
            }
        };
        let value = magnitude.map(|m| if negative { -i128::from(m) } else { i128::from(m) });
        value.and_then(fit).ok_or_else(|| match word {
            "" => self.expected(what),
            _ => self.error(start, format!("expected {what}")),
        })
    }

    pub(super) fn float<T: std::ops::Neg<Output = T>>(
        &mut self,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Result<T> {
        self.peek();
        let start = self.pos;
        let negative = self.negative();
        let from = self.pos;
        let word = self.word();
        // `1e-5`: the sign of an exponent.
        if word.ends_with(['e', 'E'])
            && word.starts_with(|c: char| c.is_ascii_digit() || c == '.')
            && self.text[self.pos..].starts_with('-')
        {
            self.pos += 1;
            self.word();
        }
        let text = self.text[from..self.pos].to_ascii_lowercase();
        let value = match text.as_str() {
            "inf" | "infinity" | "nan" => parse(&text),
            _ if !text.starts_with(|c: char| c.is_ascii_digit() || c == '.') => None,
            // An `f` may stand behind.
            _ => parse(text.trim_end_matches('f')),
        };
        match value {
            Some(v) => Ok(if negative { -v } else { v }),
            None if text.is_empty() => Err(self.expected("a number")),
            None => Err(self.error(start, "expected a number")),
        }
    }

    pub(super) fn string(&mut self) -> Result<String> {
        self.peek();
        let start = self.pos;
        String::from_utf8(self.bytes()?).map_err(|_| self.error(start, "this string is not UTF-8"))
    }

    /// Strings side by side are one.
    pub(super) fn bytes(&mut self) -> Result<Vec<u8>> {
        let mut out = Vec::new();
        if !matches!(self.peek(), b'"' | b'\'') {
            return Err(self.expected("a string"));
        }
        while matches!(self.peek(), b'"' | b'\'') {
            self.quoted(&mut out)?;
        }
        Ok(out)
    }

    fn quoted(&mut self, out: &mut Vec<u8>) -> Result<()> {
        let bytes = self.text.as_bytes();
        let start = self.pos;
        let quote = bytes[start];
        self.pos += 1;
        loop {
            let rest = &bytes[self.pos..];
            let Some(n) = memchr::memchr3(quote, b'\\', b'\n', rest).filter(|&n| rest[n] != b'\n') else {
                self.pos = start + 1;
                return Err(self.error(start, "this string does not end on its line"));
            };
            out.extend_from_slice(&rest[..n]);
            self.pos += n + 1;
            if rest[n] == quote {
                return Ok(());
            }
            self.escape(out)?;
        }
    }

    /// Behind a backslash.
    fn escape(&mut self, out: &mut Vec<u8>) -> Result<()> {
        let start = self.pos - 1;
        let Some(c) = self.text[self.pos..].chars().next() else {
            return Err(self.error(start, "this string does not end"));
        };
        self.pos += c.len_utf8();
        let mut number = |from: usize, most: usize, radix: u32| {
            let rest = self.text.as_bytes().get(from..).unwrap_or_default();
            let n = rest.iter().take(most).take_while(|b| char::from(**b).is_digit(radix)).count();
            self.pos = from + n;
            u32::from_str_radix(&self.text[from..from + n], radix).ok()
        };
        let value = match c {
            'n' => Some(u32::from(b'\n')),
            'r' => Some(u32::from(b'\r')),
            't' => Some(u32::from(b'\t')),
            'a' => Some(7),
            'b' => Some(8),
            'f' => Some(12),
            'v' => Some(11),
            '\\' | '\'' | '"' | '?' => Some(u32::from(c)),
            '0'..='7' => number(start + 1, 3, 8).filter(|v| *v < 256),
            'x' | 'X' => number(start + 2, 2, 16),
            'u' | 'U' => {
                let digits = if c == 'u' { 4 } else { 8 };
                let c = number(start + 2, digits, 16).and_then(char::from_u32);
                let Some(c) = c else { return Err(self.error(start, "this is no character")) };
                out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                return Ok(());
            }
            _ => None,
        };
        match value.and_then(|v| u8::try_from(v).ok()) {
            Some(byte) => out.push(byte),
            None => return Err(self.error(start, "no such escape")),
        }
        Ok(())
    }

    fn bracketed(&mut self) -> Result<()> {
        let start = self.pos;
        let end = self.text[start..].find([']', '\n']).filter(|&i| self.text.as_bytes()[start + i] == b']');
        self.pos = start + 1;
        let end = end.ok_or_else(|| self.error(start, "this bracket is not closed"))?;
        self.pos = start + end + 1;
        Ok(())
    }

    /// Past the value of a field that is not known.
    fn skip_value(&mut self) -> Result<()> {
        self.eat(b':');
        match self.peek() {
            b'{' | b'<' => {
                let close = self.open()?;
                while !self.eat(close) {
                    if self.peek() == b'[' {
                        self.bracketed()?;
                    } else if self.word().is_empty() {
                        return Err(self.expected("a field"));
                    }
                    self.skip_value()?;
                    if !self.eat(b',') {
                        self.eat(b';');
                    }
                }
                self.depth -= 1;
                Ok(())
            }
            b'[' => {
                if self.depth == DEPTH {
                    return Err(self.error(self.pos, format!("messages are nested more than {DEPTH} deep")));
                }
                self.depth += 1;
                self.list(Self::skip_value)?;
                self.depth -= 1;
                Ok(())
            }
            b'"' | b'\'' => self.bytes().map(drop),
            _ => {
                self.negative();
                let word = self.word();
                if word.is_empty() {
                    return Err(self.expected("a value"));
                }
                if word.ends_with(['e', 'E']) && self.text[self.pos..].starts_with('-') {
                    self.pos += 1;
                    self.word();
                }
                Ok(())
            }
        }
    }
}
