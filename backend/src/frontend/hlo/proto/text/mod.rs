//! The text form of protocol buffers: `name: "f" shape { element_type: F32 dimensions: [2, 3] }`.
//!
//! Written for messages of `message::messages!`, whose tables of fields drive both directions. Fields of other names
//! are passed over, with whatever they hold. The one thing that the form does not hold is the payload of a NaN.

mod print;
mod read;
mod scalar;

pub use print::Printer;
pub use read::Reader;

use super::message::{Names, Text};
use sim_core::Result;

/// A field's value in text.
pub trait Field {
    /// Reads what stands behind the field's name.
    fn read(&mut self, reader: &mut Reader, names: Option<&Names>) -> Result<()>;

    /// Prints it with its name, unless it has its default.
    fn print(&self, name: &str, out: &mut Printer, names: Option<&Names>);
}

/// A whole text as one message.
///
/// # Errors
/// Malformed, with the place.
pub fn parse<M: Text>(text: &str) -> Result<M> {
    let mut message = M::default();
    Reader::new(text).fields(&mut message)?;
    Ok(message)
}

/// The message as a whole text.
pub fn print<M: Text>(message: &M) -> String {
    let mut out = Printer::default();
    message.print_fields(&mut out);
    out.text
}
