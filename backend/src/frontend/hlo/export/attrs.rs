//! Attributes, one by one.

use sim_core::hlo::{Attr, ComputationId, Key, Value};

/// `key=value`s of an instruction.
#[derive(Clone, Debug, Default)]
pub struct Attrs(Vec<Attr>);

impl Attrs {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn with(mut self, key: Key, value: Value) -> Self {
        self.0.push(Attr { key, value });
        self
    }

    pub fn ints(self, key: Key, values: &[i64]) -> Self {
        self.with(key, Value::Ints(values.into()))
    }

    pub fn int(self, key: Key, value: i64) -> Self {
        self.with(key, Value::Int(value))
    }

    /// Only where it is not the default, which is false.
    pub fn flag(self, key: Key, value: bool) -> Self {
        if value { self.with(key, Value::Bool(true)) } else { self }
    }

    pub fn word(self, key: Key, value: &str) -> Self {
        self.with(key, Value::Word(value.into()))
    }

    pub fn string(self, key: Key, value: &str) -> Self {
        self.with(key, Value::String(value.into()))
    }

    pub fn calls(self, key: Key, value: ComputationId) -> Self {
        self.with(key, Value::Computation(value))
    }
}

impl From<Attrs> for Vec<Attr> {
    fn from(a: Attrs) -> Self {
        a.0
    }
}
