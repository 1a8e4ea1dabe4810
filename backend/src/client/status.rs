//! Errors as clients know them: a code of `absl::StatusCode` and a message.

use sim_core::{Diagnostic, ErrorKind};
use std::fmt;

/// `absl::StatusCode`, the values that are used here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Code {
    Cancelled = 1,
    Unknown = 2,
    InvalidArgument = 3,
    NotFound = 5,
    ResourceExhausted = 8,
    FailedPrecondition = 9,
    Aborted = 10,
    OutOfRange = 11,
    Unimplemented = 12,
    Internal = 13,
    Unavailable = 14,
}

/// What went wrong, in words that a user of JAX or PyTorch can act on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    pub code: Code,
    pub message: String,
}

/// What may fail towards a client.
pub type Result<T, E = Status> = std::result::Result<T, E>;

impl Status {
    pub fn new(code: Code, message: impl Into<String>) -> Status {
        Status { code, message: message.into() }
    }

    pub fn invalid(message: impl Into<String>) -> Status {
        Status::new(Code::InvalidArgument, message)
    }

    pub fn unimplemented(message: impl Into<String>) -> Status {
        Status::new(Code::Unimplemented, message)
    }

    pub fn internal(message: impl Into<String>) -> Status {
        Status::new(Code::Internal, message)
    }

    pub fn exhausted(message: impl Into<String>) -> Status {
        Status::new(Code::ResourceExhausted, message)
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Status {}

/// The message says the operation, where somebody's Python asked for it, and what to do.
impl From<Diagnostic> for Status {
    fn from(d: Diagnostic) -> Status {
        let code = match d.kind() {
            ErrorKind::Malformed | ErrorKind::Invalid => Code::InvalidArgument,
            ErrorKind::Unsupported => Code::Unimplemented,
            ErrorKind::Resource => Code::ResourceExhausted,
            ErrorKind::CheckFailed => Code::FailedPrecondition,
            ErrorKind::Interrupted => Code::Cancelled,
            ErrorKind::Internal => Code::Internal,
        };
        let mut message = String::new();
        if let Some(op) = d.op() {
            message.push_str(op);
            message.push_str(": ");
        }
        message.push_str(d.message());
        let mut line = |head: &str, text: &str| {
            message.push_str("\n  ");
            message.push_str(head);
            message.push_str(text);
        };
        if !d.loc().is_unknown() {
            line("at ", &d.loc().to_string());
        }
        for note in d.notes() {
            line("note: ", note);
        }
        if let Some(help) = d.help_text() {
            line("help: ", help);
        }
        Status { code, message }
    }
}
