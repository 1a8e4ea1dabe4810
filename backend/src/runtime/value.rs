//! What an SSA value holds at run time.

use sim_core::{Diagnostic, Result, Tensor};

/// A run-time value. Clones share tensors' bytes.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Tensor(Tensor),
    Token,
    Tuple(Vec<Value>),
    /// The results of an `async_start`, ready when asked for.
    Future(Vec<Value>),
}

impl Value {
    /// # Errors
    /// If the value is not a tensor (the verifier allows that nowhere it is called).
    pub fn tensor(self) -> Result<Tensor> {
        match self {
            Value::Tensor(t) => Ok(t),
            other => Err(Diagnostic::invalid(format!("expected a tensor, got {}", other.kind()))),
        }
    }

    pub fn as_tensor(&self) -> Result<&Tensor> {
        match self {
            Value::Tensor(t) => Ok(t),
            other => Err(Diagnostic::invalid(format!("expected a tensor, got {}", other.kind()))),
        }
    }

    pub fn kind(&self) -> &'static str {
        match self {
            Value::Tensor(_) => "a tensor",
            Value::Token => "a token",
            Value::Tuple(_) => "a tuple",
            Value::Future(_) => "a future",
        }
    }

    /// Every tensor in it, tuples flattened.
    pub fn leaves(&self) -> Vec<&Tensor> {
        match self {
            Value::Tensor(t) => vec![t],
            Value::Token => Vec::new(),
            Value::Tuple(vs) | Value::Future(vs) => vs.iter().flat_map(|v| v.leaves()).collect(),
        }
    }
}

impl From<Tensor> for Value {
    fn from(t: Tensor) -> Value {
        Value::Tensor(t)
    }
}
