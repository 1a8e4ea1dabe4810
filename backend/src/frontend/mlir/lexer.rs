//! MLIR's tokens. Works on bytes, one token at a time, without allocation; knows no dialect.

use memchr::{memchr, memchr3};

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Eof,
    /// `func.func`, `i32`, `x`
    Bare,
    /// `@main`, `@"any text"`
    At,
    /// `%0`, `%arg0` (without a `#1` after it)
    Percent,
    /// `#loc3`, `#stablehlo.bounds`
    Hash,
    /// `!quant.uniform`, `!t`
    Bang,
    /// `^bb0`
    Caret,
    /// Decimal, or hexadecimal with `0x`
    Int,
    /// `1.5`, `1.`, `2.5e-3`
    Float,
    /// With its quotes
    Str,
    /// `->`
    Arrow,
    /// `...`
    Ellipsis,
    /// `{-#`
    MetaBegin,
    /// `#-}`
    MetaEnd,
    /// One of `()[]{}<>,:=*+?-/|;`
    Punct(u8),
    /// A string without its closing quote on the same line
    Unclosed,
    /// A character that begins no token
    Bad,
}

/// A token: kind and place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub kind: Kind,
    pub start: usize,
    pub end: usize,
}

/// Continues a bare identifier.
fn bare_char(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | b'.')
}

/// Continues an identifier after `%`, `#`, `!`, `^`, `@`.
pub(super) fn suffix_char(b: u8) -> bool {
    bare_char(b) || b == b'-'
}

fn run(src: &[u8], from: usize, ok: impl Fn(u8) -> bool) -> usize {
    src[from..].iter().position(|&b| !ok(b)).map_or(src.len(), |n| from + n)
}

/// Skips blanks and comments.
pub(super) fn skip_blank(src: &[u8], mut pos: usize) -> usize {
    loop {
        pos = run(src, pos, |b| matches!(b, b' ' | b'\t' | b'\n' | b'\r'));
        if src[pos..].starts_with(b"//") {
            pos = memchr(b'\n', &src[pos..]).map_or(src.len(), |n| pos + n);
        } else {
            return pos;
        }
    }
}

/// The place after the string that opens at `start` (a quote), or `None` when it does not close on its line.
pub(super) fn string_end(src: &[u8], start: usize) -> Option<usize> {
    let mut pos = start + 1;
    loop {
        pos += memchr3(b'"', b'\\', b'\n', src.get(pos..)?)?;
        match src[pos] {
            b'"' => return Some(pos + 1),
            b'\n' => return None,
            _ => pos += 2,
        }
    }
}

/// The token at or after `pos`.
pub(super) fn next(src: &[u8], pos: usize) -> Token {
    let start = skip_blank(src, pos);
    let token = |kind, end| Token { kind, start, end };
    let Some(&b) = src.get(start) else { return token(Kind::Eof, src.len()) };
    match b {
        b'a'..=b'z' | b'A'..=b'Z' | b'_' => token(Kind::Bare, run(src, start, bare_char)),
        b'0'..=b'9' => number(src, start),
        b'"' => match string_end(src, start) {
            Some(end) => token(Kind::Str, end),
            None => {
                let end = memchr(b'\n', &src[start..]).map_or(src.len(), |n| start + n);
                token(Kind::Unclosed, end)
            }
        },
        b'@' if src.get(start + 1) == Some(&b'"') => match string_end(src, start + 1) {
            Some(end) => token(Kind::At, end),
            None => token(Kind::Unclosed, src.len()),
        },
        b'#' if src[start..].starts_with(b"#-}") => token(Kind::MetaEnd, start + 3),
        b'@' | b'%' | b'#' | b'!' | b'^' => {
            let end = match src.get(start + 1) {
                Some(d) if d.is_ascii_digit() => run(src, start + 1, |b| b.is_ascii_digit()),
                _ => run(src, start + 1, suffix_char),
            };
            // `#foo->` is an identifier and an arrow.
            let end = if end > start + 1 && src[end - 1] == b'-' && src.get(end) == Some(&b'>') {
                end - 1
            } else {
                end
            };
            let kind = match b {
                _ if end == start + 1 => Kind::Bad,
                b'@' => Kind::At,
                b'%' => Kind::Percent,
                b'#' => Kind::Hash,
                b'!' => Kind::Bang,
                _ => Kind::Caret,
            };
            token(kind, end)
        }
        b'-' if src.get(start + 1) == Some(&b'>') => token(Kind::Arrow, start + 2),
        b'.' if src[start..].starts_with(b"...") => token(Kind::Ellipsis, start + 3),
        b'{' if src[start..].starts_with(b"{-#") => token(Kind::MetaBegin, start + 3),
        b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'<' | b'>' | b',' | b':' | b'=' | b'*' | b'+' | b'?'
        | b'-' | b'/' | b'|' | b';' => token(Kind::Punct(b), start + 1),
        _ => {
            // A whole character, so that messages can quote it.
            let len = match b {
                0xf0.. => 4,
                0xe0.. => 3,
                0xc0.. => 2,
                _ => 1,
            };
            token(Kind::Bad, (start + len).min(src.len()))
        }
    }
}

fn number(src: &[u8], start: usize) -> Token {
    let digits = |from| run(src, from, |b| b.is_ascii_digit());
    if src[start] == b'0'
        && src.get(start + 1) == Some(&b'x')
        && src.get(start + 2).is_some_and(u8::is_ascii_hexdigit)
    {
        let end = run(src, start + 2, |b| b.is_ascii_hexdigit());
        return Token { kind: Kind::Int, start, end };
    }
    let mut end = digits(start);
    if src.get(end) != Some(&b'.') {
        return Token { kind: Kind::Int, start, end };
    }
    end = digits(end + 1);
    if matches!(src.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(src.get(end + 1), Some(b'+' | b'-')));
        if src.get(end + 1 + sign).is_some_and(u8::is_ascii_digit) {
            end = digits(end + 1 + sign);
        }
    }
    Token { kind: Kind::Float, start, end }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<(Kind, &str)> {
        let (mut pos, mut all) = (0, Vec::new());
        loop {
            let t = next(text.as_bytes(), pos);
            if t.kind == Kind::Eof {
                return all;
            }
            all.push((t.kind, &text[t.start..t.end]));
            pos = t.end;
        }
    }

    #[test]
    fn tokens() {
        use Kind::*;
        assert_eq!(
            kinds(
                "%0#1 -> // c\n #loc3 !quant.uniform @\"a b\" ^bb0 1.5e-3 1.e5 0x1F -2 \"a\\\"b\" ... {-# #-}"
            ),
            [
                (Percent, "%0"),
                (Hash, "#1"),
                (Arrow, "->"),
                (Hash, "#loc3"),
                (Bang, "!quant.uniform"),
                (At, "@\"a b\""),
                (Caret, "^bb0"),
                (Float, "1.5e-3"),
                (Float, "1.e5"),
                (Int, "0x1F"),
                (Punct(b'-'), "-"),
                (Int, "2"),
                (Str, "\"a\\\"b\""),
                (Ellipsis, "..."),
                (MetaBegin, "{-#"),
                (MetaEnd, "#-}"),
            ]
        );
        assert_eq!(kinds("\"open\nx"), [(Unclosed, "\"open"), (Bare, "x")]);
        assert_eq!(kinds("\u{e9}"), [(Bad, "\u{e9}")]);
    }
}
