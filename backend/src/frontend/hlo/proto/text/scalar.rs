//! Numbers, strings, enumerations.

use super::{Field, Printer, Reader};
use crate::frontend::hlo::proto::message::Names;
use sim_core::Result;
use std::fmt::{self, Display};

/// A value of one token.
trait Scalar: Default + PartialEq {
    fn token(reader: &mut Reader, names: Option<&Names>) -> Result<Self>;

    fn shown<'a>(&'a self, names: Option<&'a Names>) -> impl Display + 'a;
}

macro_rules! integers {
    ($($t:ty),*) => {$(
        impl Scalar for $t {
            fn token(reader: &mut Reader, names: Option<&Names>) -> Result<$t> {
                let what = concat!("a number of ", stringify!($t));
                reader.integer(names, |n| <$t>::try_from(n).ok(), what)
            }

            fn shown<'a>(&'a self, names: Option<&'a Names>) -> impl Display + 'a {
                Named(i128::from(*self), names)
            }
        }
    )*};
}
integers!(i32, i64, u32, u64);

/// An enumeration's value by its name, where it has one.
struct Named<'a>(i128, Option<&'a Names>);

impl Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.1.and_then(|names| names.name(i32::try_from(self.0).ok()?));
        match name {
            Some(name) => f.write_str(name),
            None => write!(f, "{}", self.0),
        }
    }
}

impl Scalar for bool {
    fn token(reader: &mut Reader, _: Option<&Names>) -> Result<bool> {
        reader.bool()
    }

    fn shown<'a>(&'a self, _: Option<&'a Names>) -> impl Display + 'a {
        self
    }
}

macro_rules! floats {
    ($($t:ty),*) => {$(
        impl Scalar for $t {
            fn token(reader: &mut Reader, _: Option<&Names>) -> Result<$t> {
                // Once, and to the nearest.
                reader.float(|text| text.parse::<$t>().ok())
            }

            fn shown<'a>(&'a self, _: Option<&'a Names>) -> impl Display + 'a {
                FloatText(*self)
            }
        }

        impl Display for FloatText<$t> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self.0 {
                    v if v.is_nan() && v.is_sign_negative() => f.write_str("-nan"),
                    v if v.is_nan() => f.write_str("nan"),
                    v if v.is_infinite() => f.write_str(if v > 0.0 { "inf" } else { "-inf" }),
                    v => write!(f, "{v:?}"),
                }
            }
        }
    )*};
}

struct FloatText<T>(T);
floats!(f32, f64);

impl Scalar for String {
    fn token(reader: &mut Reader, _: Option<&Names>) -> Result<String> {
        reader.string()
    }

    fn shown<'a>(&'a self, _: Option<&'a Names>) -> impl Display + 'a {
        Quoted(self.as_bytes())
    }
}

/// Bytes in quotes: what is not printable ASCII in octal.
struct Quoted<'a>(&'a [u8]);

impl Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"")?;
        for chunk in self.0.chunk_by(|a, b| plain(*a) && plain(*b)) {
            match chunk {
                b"\n" => f.write_str("\\n")?,
                b"\r" => f.write_str("\\r")?,
                b"\t" => f.write_str("\\t")?,
                b"\"" => f.write_str("\\\"")?,
                b"'" => f.write_str("\\'")?,
                b"\\" => f.write_str("\\\\")?,
                [b] if !plain(*b) => write!(f, "\\{b:03o}")?,
                // Plain bytes are ASCII.
                _ => f.write_str(std::str::from_utf8(chunk).unwrap_or_default())?,
            }
        }
        f.write_str("\"")
    }
}

fn plain(b: u8) -> bool {
    matches!(b, 0x20..0x7f) && !matches!(b, b'"' | b'\'' | b'\\')
}

impl Field for Vec<u8> {
    fn read(&mut self, reader: &mut Reader, _: Option<&Names>) -> Result<()> {
        *self = reader.value(Reader::bytes)?;
        Ok(())
    }

    fn print(&self, name: &str, out: &mut Printer, _: Option<&Names>) {
        if !self.is_empty() {
            out.scalar(name, Quoted(self));
        }
    }
}

impl Field for Vec<Vec<u8>> {
    fn read(&mut self, reader: &mut Reader, _: Option<&Names>) -> Result<()> {
        reader.values(|reader| {
            self.push(reader.bytes()?);
            Ok(())
        })
    }

    fn print(&self, name: &str, out: &mut Printer, _: Option<&Names>) {
        out.list(name, self.iter().map(|bytes| Quoted(bytes)));
    }
}

macro_rules! fields {
    ($($t:ty),*) => {$(
        impl Field for $t {
            fn read(&mut self, reader: &mut Reader, names: Option<&Names>) -> Result<()> {
                *self = reader.value(|reader| Scalar::token(reader, names))?;
                Ok(())
            }

            fn print(&self, name: &str, out: &mut Printer, names: Option<&Names>) {
                if *self != <$t>::default() {
                    out.scalar(name, self.shown(names));
                }
            }
        }

        impl Field for Option<$t> {
            fn read(&mut self, reader: &mut Reader, names: Option<&Names>) -> Result<()> {
                *self = Some(reader.value(|reader| Scalar::token(reader, names))?);
                Ok(())
            }

            fn print(&self, name: &str, out: &mut Printer, names: Option<&Names>) {
                if let Some(value) = self {
                    out.scalar(name, value.shown(names));
                }
            }
        }

        impl Field for Vec<$t> {
            fn read(&mut self, reader: &mut Reader, names: Option<&Names>) -> Result<()> {
                reader.values(|reader| {
                    self.push(Scalar::token(reader, names)?);
                    Ok(())
                })
            }

            fn print(&self, name: &str, out: &mut Printer, names: Option<&Names>) {
                out.list(name, self.iter().map(|value| value.shown(names)));
            }
        }
    )*};
}
fields!(bool, i32, i64, u32, u64, f32, f64, String);
