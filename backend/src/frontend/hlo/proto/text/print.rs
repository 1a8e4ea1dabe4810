//! Messages as text: two blanks a level, lists in brackets.

use crate::frontend::hlo::proto::message::Text;
use std::fmt::{Display, Write};

/// Text so far.
#[derive(Default)]
pub struct Printer {
    pub(super) text: String,
    depth: usize,
}

impl Printer {
    fn start(&mut self, name: &str) {
        (0..self.depth).for_each(|_| self.text.push_str("  "));
        self.text.push_str(name);
    }

    pub fn message<M: Text>(&mut self, name: &str, message: &M) {
        self.start(name);
        self.text.push_str(" {\n");
        self.depth += 1;
        message.print_fields(self);
        self.depth -= 1;
        self.start("}\n");
    }

    pub(super) fn scalar(&mut self, name: &str, value: impl Display) {
        self.start(name);
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, ": {value}");
    }

    pub(super) fn list<T: Display>(&mut self, name: &str, values: impl Iterator<Item = T>) {
        let mut values = values.peekable();
        if values.peek().is_none() {
            return;
        }
        self.start(name);
        self.text.push_str(": [");
        for (i, value) in values.enumerate() {
            let _ = write!(self.text, "{}{value}", if i > 0 { ", " } else { "" });
        }
        self.text.push_str("]\n");
    }
}
