//! Errors that a person can act on: what is wrong, where, and what to do.

use crate::loc::{Loc, Span};
use std::fmt;

/// The class of an error; it decides the exit code of the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// The input does not follow its format's grammar.
    Malformed,
    /// The input parses, but breaks a rule of the specification.
    Invalid,
    /// The input is right, and tpusim does not model it.
    Unsupported,
    /// Memory, files, or another limit of the machine or of the caller's settings.
    Resource,
    /// A check or an expectation in the program or on the command line does not hold.
    CheckFailed,
    /// The user stopped the run.
    Interrupted,
    /// A bug in tpusim itself: a panic that was caught.
    Internal,
}

/// One error. Cheap to pass in a `Result`: everything is behind one box.
#[derive(Clone, PartialEq, Eq)]
pub struct Diagnostic(Box<Inner>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Inner {
    kind: ErrorKind,
    message: String,
    op: Option<String>,
    span: Option<Span>,
    loc: Loc,
    notes: Vec<String>,
    help: Option<String>,
}

pub type Result<T, E = Diagnostic> = std::result::Result<T, E>;

impl Diagnostic {
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Diagnostic(Box::new(Inner {
            kind,
            message: message.into(),
            op: None,
            span: None,
            loc: Loc::Unknown,
            notes: Vec::new(),
            help: None,
        }))
    }

    pub fn malformed(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Malformed, message)
    }

    pub fn invalid(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Invalid, message)
    }

    pub fn unsupported(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Unsupported, message)
    }

    pub fn resource(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Resource, message)
    }

    /// What a caught panic is to the caller: an error that asks for a report.
    pub fn internal(panic: &(dyn std::any::Any + Send)) -> Self {
        let message = match (panic.downcast_ref::<&str>(), panic.downcast_ref::<String>()) {
            (Some(s), _) => s,
            (_, Some(s)) => s.as_str(),
            _ => "panic",
        };
        Self::new(ErrorKind::Internal, format!("internal error: {message}"))
            .help("this is a bug in tpusim: please report it, together with the program")
    }

    pub fn check_failed(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::CheckFailed, message)
    }

    /// The byte range in the source that was read. The innermost caller wins: a span already there stays.
    pub fn at(mut self, span: Span) -> Self {
        self.0.span.get_or_insert(span);
        self
    }

    /// The operation (its full name, `stablehlo.add`) and its location. What is already there stays.
    pub fn in_op(mut self, op: &str, loc: &Loc) -> Self {
        if self.0.op.is_none() {
            self.0.op = Some(op.to_owned());
            self.0.loc = loc.clone();
        }
        self
    }

    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.0.notes.push(note.into());
        self
    }

    /// What to do about it.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.0.help = Some(help.into());
        self
    }

    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    pub fn message(&self) -> &str {
        &self.0.message
    }

    pub fn op(&self) -> Option<&str> {
        self.0.op.as_deref()
    }

    pub fn span(&self) -> Option<Span> {
        self.0.span
    }

    pub fn loc(&self) -> &Loc {
        &self.0.loc
    }

    pub fn notes(&self) -> &[String] {
        &self.0.notes
    }

    pub fn help_text(&self) -> Option<&str> {
        self.0.help.as_deref()
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let d = &*self.0;
        if let Some(op) = &d.op {
            write!(f, "{op}: ")?;
        }
        f.write_str(&d.message)?;
        if !d.loc.is_unknown() {
            write!(f, "\n  at {}", d.loc)?;
        }
        for note in &d.notes {
            write!(f, "\n  note: {note}")?;
        }
        if let Some(help) = &d.help {
            write!(f, "\n  help: {help}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {self}", self.0.kind)
    }
}

impl std::error::Error for Diagnostic {}
