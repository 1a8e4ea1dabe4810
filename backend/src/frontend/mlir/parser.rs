//! What every part of the parser stands on: the token in view, expectations, errors, the nesting
//! limit, and the aliases and resources that are found before parsing begins.

use super::lexer::{self, Kind, Token};
use sim_core::ir::Attr;
use sim_core::{Diagnostic, Result, Span, Type};
use std::collections::HashMap;
use std::sync::Arc;

/// Regions, types and attributes may nest this deep. Real modules stay below 30; the limit keeps
/// malicious ones from overflowing the stack, here and in everything that walks a module later.
pub(super) const MAX_DEPTH: u32 = 256;

/// What an alias may expand to, in types and attributes (or their text in units of 16 bytes).
/// Aliases of aliases would otherwise double with each definition.
const MAX_ALIAS_WEIGHT: u64 = 1 << 16;

/// A `#name = …` or `!name = …` definition.
#[derive(Clone)]
pub(super) enum Alias {
    /// Not looked at yet: where its value begins.
    Pending(usize),
    /// Being read: a use inside is a cycle.
    Busy,
    Attr(AliasValue<Attr>),
    Type(AliasValue<Type>),
}

#[derive(Clone)]
pub(super) struct AliasValue<T> {
    pub value: T,
    /// The text it was read from.
    pub text: (usize, usize),
    weight: u64,
    /// Nesting of a location, for [`MAX_DEPTH`].
    pub loc_depth: u32,
}

pub(super) struct Parser<'a> {
    pub text: &'a str,
    /// The bytes of `text` up to the end of the chunk.
    pub src: &'a [u8],
    /// After the token in view.
    pub pos: usize,
    /// The token in view.
    pub tok: Token,
    /// Where the last consumed token ended.
    pub last_end: usize,
    depth: u32,
    /// Types and attributes read so far, aliases counted in full.
    weight: u64,
    aliases: HashMap<&'a str, Alias>,
    /// `dense_resource` blobs: name to the place of the quoted hexadecimal text.
    pub resources: HashMap<&'a str, Token>,
    /// Strings that repeat (attribute names, file names), shared.
    names: HashMap<&'a str, Arc<str>>,
    /// Nesting of the location read last.
    pub loc_depth: u32,
}

impl<'a> Parser<'a> {
    /// A parser of `text[range]`; offsets in errors are those of `text`.
    pub fn new(text: &'a str, range: std::ops::Range<usize>) -> Result<Parser<'a>> {
        let src = &text.as_bytes()[..range.end];
        let start = Token { kind: Kind::Eof, start: range.start, end: range.start };
        let mut parser = Parser {
            text,
            src,
            pos: range.start,
            tok: start,
            last_end: range.start,
            depth: 0,
            weight: 0,
            aliases: HashMap::new(),
            resources: HashMap::new(),
            names: HashMap::new(),
            loc_depth: 0,
        };
        parser.scan_lines(range.start)?;
        parser.seek(range.start);
        parser.resolve_locations()?;
        Ok(parser)
    }

    // Tokens

    /// Puts the token at or after `pos` in view.
    pub fn seek(&mut self, pos: usize) {
        self.tok = lexer::next(self.src, pos);
        self.pos = self.tok.end;
    }

    /// Consumes the token in view.
    pub fn bump(&mut self) -> Token {
        let tok = self.tok;
        self.last_end = tok.end;
        self.seek(tok.end);
        tok
    }

    /// Source text between two offsets of tokens.
    pub fn slice(&self, start: usize, end: usize) -> &'a str {
        self.text.get(start..end).unwrap_or_default()
    }

    pub fn text_of(&self, tok: Token) -> &'a str {
        self.slice(tok.start, tok.end)
    }

    pub fn at_punct(&self, c: u8) -> bool {
        self.tok.kind == Kind::Punct(c)
    }

    pub fn eat(&mut self, c: u8) -> bool {
        let hit = self.at_punct(c);
        if hit {
            self.bump();
        }
        hit
    }

    pub fn at_word(&self, word: &str) -> bool {
        self.tok.kind == Kind::Bare && self.text_of(self.tok) == word
    }

    pub fn eat_word(&mut self, word: &str) -> bool {
        let hit = self.at_word(word);
        if hit {
            self.bump();
        }
        hit
    }

    pub fn expect(&mut self, c: u8) -> Result<Token> {
        if self.at_punct(c) {
            return Ok(self.bump());
        }
        Err(self.expected(&format!("`{}`", c as char)))
    }

    pub fn expect_word(&mut self, word: &str) -> Result<()> {
        if self.eat_word(word) { Ok(()) } else { Err(self.expected(&format!("`{word}`"))) }
    }

    pub fn expect_arrow(&mut self) -> Result<()> {
        if self.tok.kind == Kind::Arrow {
            self.bump();
            return Ok(());
        }
        Err(self.expected("`->`"))
    }

    /// A bare word; `what` describes it for the message.
    pub fn word(&mut self, what: &str) -> Result<&'a str> {
        if self.tok.kind == Kind::Bare {
            let tok = self.bump();
            return Ok(self.text_of(tok));
        }
        Err(self.expected(what))
    }

    /// `open item, item close`, or `open close`.
    pub fn list(&mut self, open: u8, close: u8, mut item: impl FnMut(&mut Self) -> Result<()>) -> Result<()> {
        self.expect(open)?;
        if self.eat(close) {
            return Ok(());
        }
        loop {
            item(self)?;
            if self.eat(close) {
                return Ok(());
            }
            if !self.eat(b',') {
                return Err(self.expected(&format!("`,` or `{}`", close as char)));
            }
        }
    }

    // Errors

    pub fn span(&self, start: usize, end: usize) -> Span {
        Span { start: start as u32, end: end as u32 }
    }

    pub fn tok_span(&self, tok: Token) -> Span {
        self.span(tok.start, tok.end)
    }

    /// "expected X, found Y" at the token in view.
    pub fn expected(&self, what: &str) -> Diagnostic {
        let tok = self.tok;
        if tok.kind == Kind::Unclosed {
            return self.error(tok, "a string that is not closed on its line");
        }
        let found = match tok.kind {
            Kind::Eof => "the end of the text".to_owned(),
            _ => {
                let text = self.text_of(tok);
                match text.char_indices().nth(40) {
                    Some((cut, _)) => format!("`{}…`", &text[..cut]),
                    None => format!("`{text}`"),
                }
            }
        };
        self.error(tok, format!("expected {what}, found {found}"))
    }

    pub fn error(&self, tok: Token, message: impl Into<String>) -> Diagnostic {
        Diagnostic::malformed(message).at(self.tok_span(tok))
    }

    pub fn error_at(&self, start: usize, end: usize, message: impl Into<String>) -> Diagnostic {
        Diagnostic::malformed(message).at(self.span(start, end))
    }

    // Limits

    /// Runs `f` one level deeper.
    pub fn nested<T>(&mut self, f: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth >= MAX_DEPTH {
            return Err(self.error(self.tok, format!("nested more than {MAX_DEPTH} levels deep")));
        }
        self.depth += 1;
        let result = f(self);
        self.depth -= 1;
        result
    }

    /// Counts one type or attribute (or a text of `bytes`) toward the alias being read.
    pub fn count(&mut self, bytes: usize) {
        self.weight += 1 + bytes as u64 / 16;
    }

    // Names and strings

    /// A shared copy of a piece of the source.
    pub fn intern(&mut self, name: &'a str) -> Arc<str> {
        if name.len() > 256 {
            return name.into();
        }
        self.names.entry(name).or_insert_with(|| name.into()).clone()
    }

    /// The value of a string token (its escapes resolved).
    pub fn string_value(&mut self, tok: Token) -> Result<Arc<str>> {
        let body = self.slice(tok.start + 1, tok.end - 1);
        if memchr::memchr(b'\\', body.as_bytes()).is_none() {
            return Ok(self.intern(body));
        }
        let mut bytes = Vec::with_capacity(body.len());
        let mut rest = body.as_bytes();
        while let Some(n) = memchr::memchr(b'\\', rest) {
            bytes.extend_from_slice(&rest[..n]);
            let hex = |b: Option<&u8>| b.and_then(|&b| (b as char).to_digit(16));
            let used = match (rest.get(n + 1), rest.get(n + 2)) {
                (Some(b'n'), _) => {
                    bytes.push(b'\n');
                    2
                }
                (Some(b't'), _) => {
                    bytes.push(b'\t');
                    2
                }
                (Some(&c @ (b'"' | b'\\')), _) => {
                    bytes.push(c);
                    2
                }
                (a, b) => match (hex(a), hex(b)) {
                    (Some(hi), Some(lo)) => {
                        bytes.push((hi * 16 + lo) as u8);
                        3
                    }
                    _ => {
                        return Err(self
                            .error(tok, "an unknown escape in a string")
                            .help("strings take \\n, \\t, \\\", \\\\ and two hexadecimal digits (\\0A)"));
                    }
                },
            };
            rest = &rest[n + used..];
        }
        bytes.extend_from_slice(rest);
        Ok(sim_core::ir::attr::text_of_bytes(&bytes).into())
    }

    /// The string in view.
    pub fn string(&mut self, what: &str) -> Result<Arc<str>> {
        if self.tok.kind != Kind::Str {
            return Err(self.expected(what));
        }
        let tok = self.bump();
        self.string_value(tok)
    }

    /// `@name` or `@"name"`, without the `@`.
    pub fn symbol_name(&mut self) -> Result<Arc<str>> {
        if self.tok.kind != Kind::At {
            return Err(self.expected("a symbol (`@name`)"));
        }
        let tok = self.bump();
        if self.src.get(tok.start + 1) == Some(&b'"') {
            self.string_value(Token { start: tok.start + 1, ..tok })
        } else {
            let name = self.slice(tok.start + 1, tok.end);
            Ok(self.intern(name))
        }
    }

    // Aliases and resources

    /// Finds alias definitions and the resource section: they may come after their uses. Both begin
    /// a line (that is how they are printed), and no other construct begins a line so.
    fn scan_lines(&mut self, start: usize) -> Result<()> {
        let mut line = start;
        loop {
            let mut at = line;
            while matches!(self.src.get(at), Some(b' ' | b'\t' | b'\r')) {
                at += 1;
            }
            match self.src.get(at) {
                Some(b'#' | b'!') => {
                    let tok = lexer::next(self.src, at);
                    let equals = lexer::next(self.src, tok.end);
                    if matches!(tok.kind, Kind::Hash | Kind::Bang) && equals.kind == Kind::Punct(b'=') {
                        self.define_alias(tok, equals.end)?;
                    }
                }
                Some(b'{') if self.src[at..].starts_with(b"{-#") => {
                    self.seek(at);
                    let after = self.metadata()?;
                    line = after;
                }
                _ => {}
            }
            match memchr::memchr(b'\n', &self.src[line..]) {
                Some(n) => line += n + 1,
                None => return Ok(()),
            }
        }
    }

    fn define_alias(&mut self, name: Token, value: usize) -> Result<()> {
        let key = self.text_of(name);
        if key.contains('.') {
            return Err(self.error(name, format!("`{key}` cannot name an alias: it has a dot")));
        }
        if self.aliases.insert(key, Alias::Pending(value)).is_some() {
            return Err(self.error(name, format!("the alias `{key}` is defined twice")));
        }
        Ok(())
    }

    /// `{-# dialect_resources: { builtin: { name: "0x…" } } #-}`. Sections and keys that are not
    /// known are skipped. Returns the offset after it.
    pub fn metadata(&mut self) -> Result<usize> {
        self.bump();
        while self.tok.kind != Kind::MetaEnd {
            let section = self.word("a section of the file's metadata")?;
            self.expect(b':')?;
            self.list(b'{', b'}', |p| {
                p.key()?;
                p.expect(b':')?;
                p.list(b'{', b'}', |p| {
                    let name = p.key()?;
                    p.expect(b':')?;
                    let value = p.bump();
                    match value.kind {
                        Kind::Str if section == "dialect_resources" => {
                            p.resources.insert(name, value);
                            Ok(())
                        }
                        Kind::Str | Kind::Bare | Kind::Int => Ok(()),
                        _ => Err(p.error(value, "expected the text of a resource")),
                    }
                })
            })?;
            self.eat(b',');
        }
        Ok(self.bump().end)
    }

    /// A key of the metadata: a word or a string (without escapes).
    fn key(&mut self) -> Result<&'a str> {
        match self.tok.kind {
            Kind::Bare => self.word("a key"),
            Kind::Str => {
                let tok = self.bump();
                Ok(self.slice(tok.start + 1, tok.end - 1))
            }
            _ => Err(self.expected("a key")),
        }
    }

    /// Reads the location aliases in the order they are written. Printers write what a location
    /// refers to before it, so chains of any length resolve without recursion.
    fn resolve_locations(&mut self) -> Result<()> {
        let mut pending: Vec<(usize, &'a str)> = self
            .aliases
            .iter()
            .filter_map(|(&name, alias)| match alias {
                Alias::Pending(at) if self.src[lexer::skip_blank(self.src, *at)..].starts_with(b"loc") => {
                    Some((*at, name))
                }
                _ => None,
            })
            .collect();
        pending.sort_unstable();
        for (at, name) in pending {
            let tok = Token { kind: Kind::Hash, start: at, end: at };
            self.alias(name, tok)?;
        }
        Ok(())
    }

    /// Is there an alias of this name (with its `#` or `!`)?
    pub fn has_alias(&self, name: &str) -> bool {
        self.aliases.contains_key(name)
    }

    /// The alias's value, read at its first use. `used` is where.
    pub fn alias(&mut self, name: &'a str, used: Token) -> Result<Alias> {
        let at = match self.aliases.get(name) {
            None => return Err(self.error(used, format!("unknown alias `{name}`"))),
            Some(Alias::Busy) => {
                return Err(self.error(used, format!("the alias `{name}` refers to itself")));
            }
            Some(Alias::Pending(at)) => *at,
            Some(done) => {
                let done = done.clone();
                self.weight += match &done {
                    Alias::Attr(a) => a.weight,
                    Alias::Type(t) => t.weight,
                    _ => 0,
                };
                return Ok(done);
            }
        };
        self.aliases.insert(name, Alias::Busy);
        let (tok, pos, last_end, weight) = (self.tok, self.pos, self.last_end, self.weight);
        self.seek(at);
        let start = self.tok.start;
        let is_type = name.starts_with('!');
        self.loc_depth = 0;
        let value = self
            .nested(|p| Ok(if is_type { (None, Some(p.parse_type()?)) } else { (Some(p.attr()?), None) }))?;
        let text = (start, self.last_end);
        let own = self.weight - weight;
        if own > MAX_ALIAS_WEIGHT {
            return Err(self.error_at(text.0, text.1, format!("the alias `{name}` expands to too much")));
        }
        let loc_depth = self.loc_depth;
        (self.tok, self.pos, self.last_end) = (tok, pos, last_end);
        let done = match value {
            (Some(value), _) => Alias::Attr(AliasValue { value, text, weight: own, loc_depth }),
            (_, Some(value)) => Alias::Type(AliasValue { value, text, weight: own, loc_depth }),
            (None, None) => Alias::Busy,
        };
        self.aliases.insert(name, done.clone());
        Ok(done)
    }
}
