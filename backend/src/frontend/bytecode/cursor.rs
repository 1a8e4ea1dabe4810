//! A place in the file: bytes, variable-length integers, nested sections.
//!
//! A *varint* holds the number of its further bytes in the trailing zero bits of its first byte:
//! `xxxxxxx1` is seven bits, `xxxxxx10` and a byte are fourteen, and so on; a first byte of zero is
//! followed by eight plain bytes. Signed numbers fold the sign into the lowest bit (0, -1, 1, -2, …),
//! and a number "with a flag" keeps a boolean there.

use sim_core::{Diagnostic, Result, Span};

/// What alignment is filled with.
const PADDING: u8 = 0xcb;

/// A range of the file that is being read, and the section it belongs to.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'a> {
    file: &'a [u8],
    /// Where the bytecode begins, which alignment counts from.
    base: usize,
    at: usize,
    end: usize,
    section: &'static str,
}

impl<'a> Cursor<'a> {
    /// The bytecode in a range of a file.
    ///
    /// # Panics
    /// If the range is not in the file.
    pub fn new(file: &'a [u8], range: std::ops::Range<usize>) -> Cursor<'a> {
        assert!(range.start <= range.end && range.end <= file.len(), "a range of the file");
        Cursor { file, base: range.start, at: range.start, end: range.end, section: "header" }
    }

    /// The same place, called otherwise in messages.
    pub fn named(self, section: &'static str) -> Cursor<'a> {
        Cursor { section, ..self }
    }

    /// Offset in the file.
    pub fn at(&self) -> usize {
        self.at
    }

    pub fn remaining(&self) -> usize {
        self.end - self.at
    }

    pub fn is_empty(&self) -> bool {
        self.at >= self.end
    }

    pub fn rest(&self) -> &'a [u8] {
        &self.file[self.at..self.end]
    }

    /// `expected …` at the place of the cursor.
    pub fn expected(&self, what: impl std::fmt::Display) -> Diagnostic {
        let found = match self.rest().first() {
            Some(byte) => format!("0x{byte:02x}"),
            None => "the end of the section".to_owned(),
        };
        self.error_at(self.at, format_args!("expected {what}, found {found}"))
    }

    /// An error about something that began at `at`.
    pub fn error_at(&self, at: usize, message: impl std::fmt::Display) -> Diagnostic {
        Diagnostic::malformed(format!("bytecode, {} section, byte {at}: {message}", self.section))
            .at(span(at, at + 1))
    }

    pub fn byte(&mut self, what: &str) -> Result<u8> {
        match self.rest().first() {
            Some(&byte) => {
                self.at += 1;
                Ok(byte)
            }
            None => Err(self.expected(what)),
        }
    }

    pub fn bytes(&mut self, n: u64, what: &str) -> Result<&'a [u8]> {
        let taken = self.take(n, what)?;
        Ok(taken.rest())
    }

    /// The next `n` bytes as a cursor of their own.
    pub fn take(&mut self, n: u64, what: &str) -> Result<Cursor<'a>> {
        if n > self.remaining() as u64 {
            return Err(self.error_at(
                self.at,
                format_args!("expected {what} of {n} bytes, and {} are left", self.remaining()),
            ));
        }
        let taken = Cursor { end: self.at + n as usize, ..*self };
        self.at = taken.end;
        Ok(taken)
    }

    pub fn varint(&mut self, what: &str) -> Result<u64> {
        let start = self.at;
        let first = self.byte(what)?;
        let more = first.trailing_zeros().min(8) as usize;
        if more == 0 {
            return Ok(u64::from(first >> 1));
        }
        let Some(bytes) = self.rest().get(..more) else {
            return Err(self.error_at(start, format_args!("expected {what}, and the number is cut off")));
        };
        self.at += more;
        let mut raw = [0; 8];
        raw[..more].copy_from_slice(bytes);
        let high = u64::from_le_bytes(raw);
        // Of the first byte, what is above the zeros and their one.
        Ok(if more == 8 { high } else { (high << (7 - more)) | (u64::from(first) >> (more + 1)) })
    }

    pub fn signed(&mut self, what: &str) -> Result<i64> {
        let n = self.varint(what)?;
        Ok((n >> 1) as i64 ^ -((n & 1) as i64))
    }

    pub fn varint_with_flag(&mut self, what: &str) -> Result<(u64, bool)> {
        let n = self.varint(what)?;
        Ok((n >> 1, n & 1 == 1))
    }

    /// A number of items that follow, each of at least a byte: more than there are bytes left is an
    /// error, so that nothing is allocated for them.
    pub fn count(&mut self, what: &str) -> Result<usize> {
        let at = self.at;
        let n = self.varint(what)?;
        self.check_count(n, at, what)
    }

    pub fn check_count(&self, n: u64, at: usize, what: &str) -> Result<usize> {
        match usize::try_from(n) {
            Ok(n) if n <= self.remaining() => Ok(n),
            _ => {
                Err(self
                    .error_at(at, format_args!("{what} is {n}, and only {} bytes follow", self.remaining())))
            }
        }
    }

    /// An index below `len`.
    pub fn index(&mut self, len: usize, what: &str) -> Result<usize> {
        let at = self.at;
        let n = self.varint(what)?;
        self.check_index(n, len, at, what)
    }

    pub fn check_index(&self, n: u64, len: usize, at: usize, what: &str) -> Result<usize> {
        match usize::try_from(n) {
            Ok(n) if n < len => Ok(n),
            _ => Err(self.error_at(at, format_args!("{what} is number {n}, and there are {len}"))),
        }
    }

    /// Bytes up to a zero, which is consumed.
    pub fn c_string(&mut self, what: &str) -> Result<&'a [u8]> {
        match memchr::memchr(0, self.rest()) {
            Some(n) => {
                let text = &self.rest()[..n];
                self.at += n + 1;
                Ok(text)
            }
            None => Err(self.expected(format_args!("{what} that ends with a zero byte"))),
        }
    }

    /// Skips the padding up to a multiple of `alignment`.
    pub fn align(&mut self, alignment: u64, what: &str) -> Result<()> {
        let at = self.at;
        let Some(alignment) = usize::try_from(alignment).ok().filter(|a| a.is_power_of_two()) else {
            return Err(
                self.error_at(at, format_args!("the alignment of {what} is {alignment}, not a power of two"))
            );
        };
        while !(self.at - self.base).is_multiple_of(alignment) {
            if self.rest().first() != Some(&PADDING) {
                return Err(self.expected(format_args!("padding (0xcb) before {what}")));
            }
            self.at += 1;
        }
        Ok(())
    }

    /// A section: its number and its contents.
    pub fn section(&mut self) -> Result<(u8, Cursor<'a>)> {
        let head = self.byte("a section")?;
        let length = self.varint("the length of a section")?;
        if head & 0x80 != 0 {
            let alignment = self.varint("the alignment of a section")?;
            self.align(alignment, "a section")?;
        }
        Ok((head & 0x7f, self.take(length, "a section")?))
    }
}

/// Offsets past 4 GiB do not fit a span; they are cut to its largest.
pub(super) fn span(start: usize, end: usize) -> Span {
    let cut = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    Span { start: cut(start), end: cut(end) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(bytes: &[u8]) -> Cursor<'_> {
        Cursor::new(bytes, 0..bytes.len())
    }

    fn varint(bytes: &[u8]) -> Result<u64> {
        all(bytes).varint("a number")
    }

    #[test]
    fn varints() {
        assert_eq!(varint(&[0x01]).unwrap(), 0);
        assert_eq!(varint(&[0xff]).unwrap(), 127);
        assert_eq!(varint(&[0x02, 0x02]).unwrap(), 128);
        assert_eq!(varint(&[0xfe, 0xff]).unwrap(), 0x3fff);
        assert_eq!(varint(&[0x80, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]).unwrap(), (1 << 56) - 1);
        assert_eq!(varint(&[0, 1, 2, 3, 4, 5, 6, 7, 8]).unwrap(), 0x0807_0605_0403_0201);
        assert!(varint(&[]).is_err());
        assert!(varint(&[0, 1, 2]).is_err());
        let mut c = all(&[0x03, 0x05, 0x07, 0x09]);
        assert_eq!([(); 4].map(|()| c.signed("").unwrap()), [-1, 1, -2, 2]);
    }

    #[test]
    fn counts_are_bounded_by_what_follows() {
        let e = all(&[0xff, 1, 2]).count("the number of things").unwrap_err();
        assert!(e.to_string().contains("the number of things is 127, and only 2 bytes follow"), "{e}");
    }

    #[test]
    fn alignment() {
        let mut c = all(&[1, PADDING, PADDING, PADDING, 7]);
        c.byte("").unwrap();
        c.align(4, "x").unwrap();
        assert_eq!(c.byte("").unwrap(), 7);
        assert!(c.align(3, "x").is_err());
        assert!(Cursor { at: 1, ..all(&[1, 2, 3]) }.align(4, "x").is_err());
    }
}
