//! Messages declared once: their structs, their binary form (prost's) and the table for their text form.

use super::text::{Field, Printer, Reader};
use sim_core::Result;

/// The values of an enumeration by name. Numbers that have none are kept as numbers.
pub struct Names(pub &'static [(&'static str, i32)]);

impl Names {
    pub fn name(&self, number: i32) -> Option<&'static str> {
        self.0.iter().find(|(_, n)| *n == number).map(|(name, _)| *name)
    }

    pub fn number(&self, name: &str) -> Option<i32> {
        self.0.iter().find(|(n, _)| *n == name).map(|(_, number)| *number)
    }
}

/// A message with a text form.
pub trait Text: Default {
    /// Its name, for messages to people.
    const NAME: &'static str;

    /// Reads the value of a field; `false` when there is none of that name.
    fn read_field(&mut self, name: &str, reader: &mut Reader) -> Result<bool>;

    /// All fields that are set, in the order of their declaration.
    fn print_fields(&self, out: &mut Printer);
}

/// A field's name without the mark of a raw identifier.
pub const fn plain(name: &'static str) -> &'static str {
    match name.as_bytes() {
        [b'r', b'#', ..] => name.split_at(2).1,
        _ => name,
    }
}

/// `Name { number field: kind, … }` becomes a struct that prost encodes. Kinds are those of the protocol
/// buffers' own language; `enum TABLE` is an `i32` with [`Names`].
macro_rules! messages {
    ($($(#[$doc:meta])* $name:ident { $($body:tt)* })*) => {
        $($crate::frontend::hlo::proto::message::messages!(@fields [$(#[$doc])*] $name [] $($body)*);)*
    };

    // One field after the other: its number, name, prost's attribute, type, names.
    (@fields $d:tt $m:ident [$($done:tt)*] $n:tt $f:ident: repeated message $t:ident, $($rest:tt)*) => {
        messages!(@fields $d $m [$($done)* {$n $f [message, repeated] [Vec<$t>] [None]}] $($rest)*);
    };
    (@fields $d:tt $m:ident [$($done:tt)*] $n:tt $f:ident: message $t:ident, $($rest:tt)*) => {
        messages!(@fields $d $m [$($done)* {$n $f [message, optional, boxed] [Option<Box<$t>>] [None]}] $($rest)*);
    };
    (@fields $d:tt $m:ident [$($done:tt)*] $n:tt $f:ident: enum $t:ident, $($rest:tt)*) => {
        messages!(@fields $d $m [$($done)* {$n $f [int32] [i32] [Some(&$t)]}] $($rest)*);
    };
    (@fields $d:tt $m:ident [$($done:tt)*] $n:tt $f:ident: optional enum $t:ident, $($rest:tt)*) => {
        messages!(@fields $d $m [$($done)* {$n $f [int32, optional] [Option<i32>] [Some(&$t)]}] $($rest)*);
    };
    (@fields $d:tt $m:ident [$($done:tt)*] $n:tt $f:ident: repeated enum $t:ident, $($rest:tt)*) => {
        messages!(@fields $d $m [$($done)* {$n $f [int32, repeated] [Vec<i32>] [Some(&$t)]}] $($rest)*);
    };
    (@fields $d:tt $m:ident [$($done:tt)*] $n:tt $f:ident: repeated bytes, $($rest:tt)*) => {
        messages!(@fields $d $m [$($done)* {$n $f [bytes = "vec", repeated] [Vec<Vec<u8>>] [None]}] $($rest)*);
    };
    (@fields $d:tt $m:ident [$($done:tt)*] $n:tt $f:ident: bytes, $($rest:tt)*) => {
        messages!(@fields $d $m [$($done)* {$n $f [bytes = "vec"] [Vec<u8>] [None]}] $($rest)*);
    };
    (@fields $d:tt $m:ident [$($done:tt)*] $n:tt $f:ident: repeated $k:ident, $($rest:tt)*) => {
        messages!(@fields $d $m [$($done)* {$n $f [$k, repeated] [Vec<messages!(@type $k)>] [None]}] $($rest)*);
    };
    (@fields $d:tt $m:ident [$($done:tt)*] $n:tt $f:ident: optional $k:ident, $($rest:tt)*) => {
        messages!(@fields $d $m [$($done)* {$n $f [$k, optional] [Option<messages!(@type $k)>] [None]}] $($rest)*);
    };
    (@fields $d:tt $m:ident [$($done:tt)*] $n:tt $f:ident: $k:ident, $($rest:tt)*) => {
        messages!(@fields $d $m [$($done)* {$n $f [$k] [messages!(@type $k)] [None]}] $($rest)*);
    };

    (@type string) => { String };
    (@type bool) => { bool };
    (@type int32) => { i32 };
    (@type int64) => { i64 };
    (@type uint32) => { u32 };
    (@type uint64) => { u64 };
    (@type float) => { f32 };
    (@type double) => { f64 };

    (@fields [$($doc:tt)*] $m:ident [$({$n:tt $f:ident [$($attr:tt)*] [$t:ty] [$names:expr]})*]) => {
        $($doc)*
        #[derive(Clone, PartialEq, ::prost::Message)]
        pub struct $m {
            $(#[prost($($attr)*, tag = $n)] pub $f: $t,)*
        }

        impl $crate::frontend::hlo::proto::message::Text for $m {
            const NAME: &'static str = stringify!($m);

            fn read_field(
                &mut self,
                name: &str,
                reader: &mut $crate::frontend::hlo::proto::text::Reader,
            ) -> sim_core::Result<bool> {
                let names: Option<&$crate::frontend::hlo::proto::message::Names>;
                $(if name == $crate::frontend::hlo::proto::message::plain(stringify!($f)) {
                    names = $names;
                    $crate::frontend::hlo::proto::text::Field::read(&mut self.$f, reader, names)?;
                    return Ok(true);
                })*
                Ok(false)
            }

            fn print_fields(&self, out: &mut $crate::frontend::hlo::proto::text::Printer) {
                $($crate::frontend::hlo::proto::text::Field::print(
                    &self.$f,
                    $crate::frontend::hlo::proto::message::plain(stringify!($f)),
                    out,
                    $names,
                );)*
            }
        }
    };
}
pub(crate) use messages;

/// `NAME { VALUE = number, … }`: tables of [`Names`].
macro_rules! enumerations {
    ($($(#[$doc:meta])* $name:ident { $($value:ident = $number:literal),* $(,)? })*) => {
        $($(#[$doc])* pub const $name: $crate::frontend::hlo::proto::message::Names =
            $crate::frontend::hlo::proto::message::Names(&[$((stringify!($value), $number)),*]);)*
    };
}
pub(crate) use enumerations;

impl<M: Text> Field for Vec<M> {
    fn read(&mut self, reader: &mut Reader, _: Option<&Names>) -> Result<()> {
        reader.each(|reader| {
            let mut message = M::default();
            reader.message(&mut message)?;
            self.push(message);
            Ok(())
        })
    }

    fn print(&self, name: &str, out: &mut Printer, _: Option<&Names>) {
        self.iter().for_each(|message| out.message(name, message));
    }
}

impl<M: Text> Field for Option<Box<M>> {
    fn read(&mut self, reader: &mut Reader, _: Option<&Names>) -> Result<()> {
        reader.message(&mut **self.get_or_insert_default())
    }

    fn print(&self, name: &str, out: &mut Printer, _: Option<&Names>) {
        if let Some(message) = self {
            out.message(name, &**message);
        }
    }
}
