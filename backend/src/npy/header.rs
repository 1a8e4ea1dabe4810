//! The header of a `.npy` file: magic, version, and a Python dictionary literal
//! (`{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }`), as
//! `numpy/lib/format.py` describes versions 1.0 to 3.0.

use sim_core::{Diagnostic, ElementType, Result};
use std::fmt;
use std::io::Read;

/// More than NumPy's own limit (10 000), and little enough to read without a thought.
const MAX_HEADER: usize = 1 << 16;

/// NumPy has at most 64 dimensions.
const MAX_RANK: usize = 64;

/// What a file says of its elements: a `descr` string such as `<f4`, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Descr {
    pub big_endian: bool,
    /// NumPy's kind: `b` bool, `i`, `u`, `f`, `c`, or `V` for bytes without a meaning.
    pub kind: u8,
    /// Bytes of one element.
    pub size: usize,
    /// As written in the file.
    pub text: String,
}

/// A parsed header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    pub descr: Descr,
    /// The first dimension varies fastest.
    pub fortran_order: bool,
    pub shape: Vec<usize>,
    /// Bytes before the data.
    pub data_offset: u64,
}

impl Descr {
    /// From NumPy's array-interface string, or the name of one of `ml_dtypes`' types.
    fn parse(text: &str) -> Result<Descr> {
        let unsupported = || {
            Diagnostic::unsupported(format!("element type '{text}' is not one that a tensor can have"))
                .help("save the array as a bool, integer, float or complex type of NumPy or ml_dtypes")
        };
        let descr = |big_endian, kind, size| {
            Ok(Descr { big_endian, kind, size, text: text.chars().take(64).collect() })
        };
        match text {
            "bfloat16" => return descr(false, b'V', 2),
            name if name.starts_with("float8_")
                || name.starts_with("float6_")
                || name.starts_with("float4_")
                || matches!(name, "int4" | "uint4" | "int2" | "uint2") =>
            {
                return descr(false, b'V', 1);
            }
            _ => {}
        }
        let (big_endian, rest) = match text.as_bytes() {
            [b'>', rest @ ..] => (true, rest),
            [b'<' | b'|' | b'=', rest @ ..] => (false, rest),
            rest => (false, rest),
        };
        let [kind, digits @ ..] = rest else { return Err(unsupported()) };
        let size = std::str::from_utf8(digits).ok().and_then(|d| d.parse::<usize>().ok());
        match (kind, size) {
            (b'?', None) => descr(big_endian, b'b', 1),
            (b'b' | b'i' | b'u' | b'f' | b'c' | b'V', Some(size @ (1 | 2 | 4 | 8 | 16))) => {
                descr(big_endian, *kind, size)
            }
            _ => Err(unsupported()),
        }
    }

    /// The element type that NumPy itself would give these elements; `None` for `V`.
    pub fn element(&self) -> Option<ElementType> {
        use ElementType as E;
        Some(match (self.kind, self.size) {
            (b'b', 1) => E::Pred,
            (b'i', 1) => E::S8,
            (b'i', 2) => E::S16,
            (b'i', 4) => E::S32,
            (b'i', 8) => E::S64,
            (b'u', 1) => E::U8,
            (b'u', 2) => E::U16,
            (b'u', 4) => E::U32,
            (b'u', 8) => E::U64,
            (b'f', 1) => E::F8E5M2,
            (b'f', 2) => E::F16,
            (b'f', 4) => E::F32,
            (b'f', 8) => E::F64,
            (b'c', 8) => E::C64,
            (b'c', 16) => E::C128,
            _ => return None,
        })
    }

    /// Can these elements be read as `wanted` without changing a value?
    ///
    /// Bytes without a meaning (`V`) are read as any type of `ml_dtypes` of their width; `int8` and
    /// `uint8` also as the 2- and 4-bit integers, whose range is checked when they are read.
    pub fn holds(&self, wanted: ElementType) -> bool {
        use ElementType as E;
        match wanted {
            E::Index => self.element() == Some(E::S64),
            E::S2 | E::S4 if self.element() == Some(E::S8) => true,
            E::U2 | E::U4 if self.element() == Some(E::U8) => true,
            _ if self.kind == b'V' => numpy_descr(wanted).is_none() && self.size == wanted.byte_size(),
            _ => self.element() == Some(wanted),
        }
    }

    /// NumPy's name where it has one (`float32`), else the text of the file (`<V2`).
    pub fn name(&self) -> String {
        let family = match self.kind {
            b'b' => return "bool".to_owned(),
            b'i' => "int",
            b'u' => "uint",
            b'f' => "float",
            b'c' => "complex",
            _ => return self.text.clone(),
        };
        format!("{family}{}", self.size * 8)
    }
}

/// The `descr` with which NumPy itself writes a type; `None` for those of `ml_dtypes`.
pub(super) fn numpy_descr(element: ElementType) -> Option<&'static str> {
    use ElementType as E;
    Some(match element {
        E::Pred => "|b1",
        E::S8 => "|i1",
        E::S16 => "<i2",
        E::S32 => "<i4",
        E::S64 | E::Index => "<i8",
        E::U8 => "|u1",
        E::U16 => "<u2",
        E::U32 => "<u4",
        E::U64 => "<u8",
        E::F16 => "<f2",
        E::F32 => "<f4",
        E::F64 => "<f8",
        E::C64 => "<c8",
        E::C128 => "<c16",
        _ => return None,
    })
}

impl Header {
    /// Reads up to the first byte of data.
    ///
    /// # Errors
    /// Malformed when it is not a `.npy` header; unsupported for element types that tensors do not
    /// have (text, dates, records, objects).
    pub fn read(reader: &mut impl Read) -> Result<Header> {
        let mut start = [0u8; 8];
        read_exact(reader, &mut start)?;
        if &start[..6] != b"\x93NUMPY" {
            return Err(Diagnostic::malformed("this is not a .npy array: it does not begin with \\x93NUMPY"));
        }
        let (len, prefix) = match start[6] {
            1 => {
                let mut len = [0u8; 2];
                read_exact(reader, &mut len)?;
                (u16::from_le_bytes(len) as usize, 10)
            }
            2 | 3 => {
                let mut len = [0u8; 4];
                read_exact(reader, &mut len)?;
                (u32::from_le_bytes(len) as usize, 12)
            }
            version => {
                return Err(Diagnostic::unsupported(format!(".npy format version {version} is not known"))
                    .help("versions 1, 2 and 3 are read; save the array again with numpy.save"));
            }
        };
        if len > MAX_HEADER {
            return Err(Diagnostic::malformed(format!(
                "a .npy header of {len} bytes; at most {MAX_HEADER} are read"
            )));
        }
        let mut text = vec![0u8; len];
        read_exact(reader, &mut text)?;
        // Version 1 and 2 are latin-1, version 3 is UTF-8; what we understand is ASCII.
        let mut literal = Literal { text: &text, at: 0 };
        let (descr, fortran_order, shape) = literal.header()?;
        Ok(Header { descr, fortran_order, shape, data_offset: (prefix + len) as u64 })
    }

    /// Bytes of data that the shape and the type declare; `None` when that overflows.
    pub fn data_len(&self) -> Option<u64> {
        if self.shape.contains(&0) {
            return Some(0);
        }
        self.shape.iter().try_fold(self.descr.size as u64, |n, &d| n.checked_mul(d as u64))
    }
}

/// `float32 (2, 3)`, as NumPy's users know it.
impl fmt::Display for Header {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (", self.descr.name())?;
        for (i, n) in self.shape.iter().enumerate() {
            if i > 0 {
                f.write_str(", ")?;
            }
            write!(f, "{n}")?;
        }
        f.write_str(if self.shape.len() == 1 { ",)" } else { ")" })
    }
}

fn read_exact(reader: &mut impl Read, out: &mut [u8]) -> Result<()> {
    reader.read_exact(out).map_err(|e| Diagnostic::malformed(format!("a .npy header ends early: {e}")))
}

/// A reader of the little Python that headers are written in.
struct Literal<'a> {
    text: &'a [u8],
    at: usize,
}

impl Literal<'_> {
    fn error<T>(&self, what: &str) -> Result<T> {
        Err(Diagnostic::malformed(format!("bad .npy header: {what} at byte {} of its dictionary", self.at)))
    }

    fn peek(&mut self) -> Option<u8> {
        while self.text.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
        self.text.get(self.at).copied()
    }

    fn eat(&mut self, byte: u8) -> bool {
        let hit = self.peek() == Some(byte);
        self.at += hit as usize;
        hit
    }

    fn expect(&mut self, byte: u8) -> Result<()> {
        if self.eat(byte) { Ok(()) } else { self.error(&format!("expected '{}'", byte as char)) }
    }

    fn string(&mut self) -> Result<String> {
        let Some(quote @ (b'\'' | b'"')) = self.peek() else { return self.error("expected a string") };
        let start = self.at + 1;
        let Some(len) = self.text[start..].iter().position(|&b| b == quote) else {
            return self.error("a string without an end");
        };
        self.at = start + len + 1;
        match std::str::from_utf8(&self.text[start..start + len]) {
            Ok(s) if s.is_ascii() => Ok(s.to_owned()),
            _ => self.error("a string that is not ASCII"),
        }
    }

    fn word(&mut self) -> &[u8] {
        self.peek();
        let start = self.at;
        while self.text.get(self.at).is_some_and(u8::is_ascii_alphanumeric) {
            self.at += 1;
        }
        &self.text[start..self.at]
    }

    fn size(&mut self) -> Result<usize> {
        // Python 2 wrote long integers with an L behind.
        let word = self.word();
        let digits = word.strip_suffix(b"L").unwrap_or(word);
        match std::str::from_utf8(digits).ok().and_then(|d| d.parse().ok()) {
            Some(n) => Ok(n),
            None => self.error("expected the size of a dimension"),
        }
    }

    fn shape(&mut self) -> Result<Vec<usize>> {
        self.expect(b'(')?;
        let mut shape = Vec::new();
        while !self.eat(b')') {
            if shape.len() == MAX_RANK {
                return self.error("more than 64 dimensions");
            }
            shape.push(self.size()?);
            if !self.eat(b',') {
                self.expect(b')')?;
                break;
            }
        }
        Ok(shape)
    }

    fn header(&mut self) -> Result<(Descr, bool, Vec<usize>)> {
        let (mut descr, mut fortran, mut shape) = (None, None, None);
        self.expect(b'{')?;
        while !self.eat(b'}') {
            let key = self.string()?;
            self.expect(b':')?;
            match key.as_str() {
                "descr" => {
                    if self.peek() == Some(b'[') {
                        return Err(Diagnostic::unsupported("the array has records (a structured dtype)")
                            .help("save each field as an array of its own"));
                    }
                    descr = Some(Descr::parse(&self.string()?)?);
                }
                "fortran_order" => {
                    fortran = match self.word() {
                        b"True" => Some(true),
                        b"False" => Some(false),
                        _ => return self.error("fortran_order is True or False"),
                    };
                }
                "shape" => shape = Some(self.shape()?),
                _ => return self.error("a key that is not descr, fortran_order or shape"),
            }
            if !self.eat(b',') {
                self.expect(b'}')?;
                break;
            }
        }
        match (descr, fortran, shape) {
            (Some(d), Some(f), Some(s)) => Ok((d, f, s)),
            _ => self.error("descr, fortran_order or shape is missing"),
        }
    }
}
