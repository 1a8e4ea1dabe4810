//! What a parameter of a chip is: its key, unit and range, its value, and how that is known.
//!
//! The table ([`super::table`]) is all there is: the structs that models read, the keys that files and `--set` may name, and
//! the generated documentation come from it.

use super::file::Entry;

/// How a parameter is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// The vendor's code and documents, and the book of its engineers.
    Official,
    /// By somebody, on hardware or by asking the compiler.
    Measured,
    /// From those, as the parameter's note says.
    Inferred,
    Assumed,
    /// By the user, for this run.
    #[serde(skip)]
    Set,
}

impl Status {
    pub fn word(self) -> &'static str {
        match self {
            Status::Official => "official",
            Status::Measured => "measured",
            Status::Inferred => "inferred",
            Status::Assumed => "assumed",
            Status::Set => "set",
        }
    }
}

/// A parameter's value.
#[derive(Clone, Copy, Debug, PartialEq, serde::Deserialize)]
#[serde(untagged)]
pub enum Value {
    Whole(u64),
    Real(f64),
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Whole(n) => write!(f, "{n}"),
            Value::Real(x) => write!(f, "{x}"),
        }
    }
}

/// What a key may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Whole,
    /// Finite, and not below 0.
    Real,
}

/// What else a number must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Range {
    Any,
    /// At least 1, or 1e-15 where it is real: something is divided by it, or without it there is no chip.
    Positive,
    /// From 1e-6 to 1.
    Fraction,
}

/// A row of the table.
#[derive(Debug, PartialEq, Eq)]
pub struct Key {
    /// `mxu.columns`.
    pub name: &'static str,
    pub kind: Kind,
    pub range: Range,
    pub unit: &'static str,
    /// May a chip's file leave it out, because the chip has no such thing or nothing is known?
    pub optional: bool,
    /// The paragraph that documents it.
    pub about: &'static [&'static str],
}

/// No parameter is larger: what is computed with it stays finite.
pub const LARGEST: u64 = 1_000_000_000_000_000;

impl Key {
    /// The value, of the key's kind.
    ///
    /// # Errors
    /// In words, what the key takes: the value is of another kind or out of range.
    pub fn check(&self, value: Value) -> Result<Value, String> {
        let value = match (self.kind, value) {
            (Kind::Real, Value::Whole(n)) => Value::Real(n as f64),
            (_, value) => value,
        };
        let fits = match (self.kind, value, self.range) {
            (Kind::Whole, Value::Whole(n), Range::Any) => n <= LARGEST,
            (Kind::Whole, Value::Whole(n), _) => (1..=LARGEST).contains(&n),
            (Kind::Real, Value::Real(x), Range::Any) => (0.0..=LARGEST as f64).contains(&x),
            (Kind::Real, Value::Real(x), Range::Positive) => {
                (1.0 / LARGEST as f64..=LARGEST as f64).contains(&x)
            }
            (Kind::Real, Value::Real(x), Range::Fraction) => (1e-6..=1.0).contains(&x),
            _ => false,
        };
        if fits { Ok(value) } else { Err(self.wanted()) }
    }

    /// `a whole number from 1 to 1e15 (columns)`
    pub fn wanted(&self) -> String {
        let what = match (self.kind, self.range) {
            (Kind::Whole, Range::Any) => "a whole number from 0 to 1e15",
            (Kind::Whole, _) => "a whole number from 1 to 1e15",
            (Kind::Real, Range::Any) => "a number from 0 to 1e15",
            (Kind::Real, Range::Positive) => "a number from 1e-15 to 1e15",
            (Kind::Real, Range::Fraction) => "a number from 1e-6 to 1",
        };
        format!("{what} ({})", self.unit)
    }
}

/// Types of fields.
pub(super) trait Field: Sized {
    const KIND: Kind;
    const OPTIONAL: bool = false;
    fn of(value: Option<Value>) -> Option<Self>;
}

impl Field for u64 {
    const KIND: Kind = Kind::Whole;
    fn of(value: Option<Value>) -> Option<u64> {
        if let Some(Value::Whole(n)) = value { Some(n) } else { None }
    }
}

impl Field for f64 {
    const KIND: Kind = Kind::Real;
    fn of(value: Option<Value>) -> Option<f64> {
        match value {
            Some(Value::Real(x)) => Some(x),
            Some(Value::Whole(n)) => Some(n as f64),
            _ => None,
        }
    }
}

impl<T: Field> Field for Option<T> {
    const KIND: Kind = T::KIND;
    const OPTIONAL: bool = true;
    fn of(value: Option<Value>) -> Option<Option<T>> {
        match value {
            None => Some(None),
            value => T::of(value).map(Some),
        }
    }
}

/// From the table: the structs, [`KEYS`](super::KEYS), and how the first are made of entries in the order of the second.
macro_rules! parameters {
    ($(
        $(#[doc = $about_section:literal])*
        $section:ident: $Section:ident {
            $( $(#[doc = $about:literal])* $field:ident: $ty:ty = $unit:literal $($range:ident)?, )*
        }
    )*) => {
        $(
            $(#[doc = $about_section])*
            #[derive(Clone, Debug, PartialEq)]
            pub struct $Section {
                $( $(#[doc = $about])* #[doc = concat!("Unit: ", $unit, ".")] pub $field: $ty, )*
            }
        )*

        /// All parameters of a chip, by unit.
        #[derive(Clone, Debug, PartialEq)]
        pub struct Units {
            $( $(#[doc = $about_section])* pub $section: $Section, )*
        }

        /// The keys that a chip's file and `--set` may name, in the order of the table.
        pub static KEYS: &[Key] = &[$($(
            Key {
                name: concat!(stringify!($section), ".", stringify!($field)),
                kind: <$ty as Field>::KIND,
                range: [$(Range::$range,)? Range::Any][0],
                unit: $unit,
                optional: <$ty as Field>::OPTIONAL,
                about: &[$($about),*],
            },
        )*)*];

        impl Units {
            /// # Errors
            /// The key of a parameter that must be there and is not, or is of another kind.
            pub(super) fn new(entries: &[Option<Entry>]) -> Result<Units, &'static str> {
                let mut rows = KEYS.iter().zip(entries);
                Ok(Units {
                    $( $section: $Section {
                        $( $field: next(&mut rows)?, )*
                    }, )*
                })
            }
        }
    };
}

pub(super) use parameters;

pub(super) fn next<'a, T: Field>(
    rows: &mut impl Iterator<Item = (&'static Key, &'a Option<Entry>)>,
) -> Result<T, &'static str> {
    let (key, entry) = rows.next().ok_or("at the end")?;
    T::of(entry.as_ref().map(|e| e.value)).ok_or(key.name)
}
