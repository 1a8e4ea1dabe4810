//! A program's bytes, where they came from, and how they are encoded.

use super::hlo::proto;
use super::{jax_export, map};
use sim_core::{Diagnostic, Result, Span};
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

/// Files of at least this many bytes are mapped; smaller ones are copied, which is as fast and does
/// not depend on nobody truncating the file.
const MAP_FROM: u64 = 4 << 20;

/// A stream is judged by this much of it.
const JUDGED: u64 = 1 << 20;

/// The most that is read from what has no length: a pipe, a device.
const STREAM_LIMIT: u64 = u32::MAX as u64;

/// What a file holds, judged by its first bytes and never by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// MLIR as text: pretty or generic.
    MlirText,
    /// MLIR bytecode (`ML\xefR`), which includes StableHLO portable artifacts.
    MlirBytecode,
    /// A serialized `jax.export.Exported`.
    JaxExport,
    /// XLA's HLO text (`HloModule …`).
    HloText,
    /// A zip archive (`PK`): PyTorch's `.pt2`, numpy's `.npz`.
    Zip,
    /// A TensorFlow Lite flatbuffer.
    TfLite,
    /// A protocol buffer of HLO: `HloModuleProto`, `HloProto`, `HloSnapshot`, `HloUnoptimizedSnapshot`.
    HloProto,
    /// The same in protocol buffers' text form.
    HloProtoText,
    /// Something binary that is none of the above.
    Binary,
}

impl Encoding {
    /// Judges by content.
    pub fn detect(bytes: &[u8]) -> Encoding {
        if bytes.starts_with(b"ML\xefR") {
            return Encoding::MlirBytecode;
        }
        if bytes.starts_with(b"PK\x03\x04") {
            return Encoding::Zip;
        }
        if bytes.get(4..8) == Some(b"TFL3") {
            return Encoding::TfLite;
        }
        if jax_export::detect(bytes) {
            return Encoding::JaxExport;
        }
        if proto::detect(bytes).is_some() {
            return Encoding::HloProto;
        }
        // Control characters that no text has, near the start.
        let head = &bytes[..bytes.len().min(4096)];
        if head.iter().any(|&b| b < 0x20 && !matches!(b, b'\n' | b'\r' | b'\t' | 0x0c)) {
            return Encoding::Binary;
        }
        if proto::is_text(bytes) {
            return Encoding::HloProtoText;
        }
        // Computations without a header say what only HLO says.
        let head = &bytes[..bytes.len().min(1 << 16)];
        let computations = || {
            [&b"\nENTRY "[..], b" parameter(", b" ROOT "]
                .iter()
                .any(|s| memchr::memmem::find(head, s).is_some())
                && !memchr::memmem::find_iter(head, b"func.func").any(|at| {
                    // Comments in HLO may speak of MLIR.
                    let line = memchr::memrchr(b'\n', &head[..at]).map_or(0, |n| n + 1);
                    !head[line..at].trim_ascii_start().starts_with(b"//")
                })
        };
        match first_word(bytes) {
            b"HloModule" | b"ENTRY" => Encoding::HloText,
            b"module" | b"func" | b"builtin" => Encoding::MlirText,
            _ if computations() => Encoding::HloText,
            _ => Encoding::MlirText,
        }
    }

    /// Does it have lines and columns?
    pub fn is_text(self) -> bool {
        matches!(self, Encoding::MlirText | Encoding::HloText | Encoding::HloProtoText)
    }

    /// For messages.
    pub fn describe(self) -> &'static str {
        match self {
            Encoding::MlirText => "MLIR text",
            Encoding::MlirBytecode => "MLIR bytecode",
            Encoding::JaxExport => "an export of JAX",
            Encoding::HloText => "HLO text",
            Encoding::HloProto => "a protocol buffer of HLO",
            Encoding::HloProtoText => "a protocol buffer of HLO as text",
            Encoding::Zip => "a zip archive",
            Encoding::TfLite => "a TensorFlow Lite flatbuffer",
            Encoding::Binary => "binary data of an unknown format",
        }
    }
}

/// The first word that is not in a `//` comment.
fn first_word(bytes: &[u8]) -> &[u8] {
    let mut rest = bytes;
    loop {
        rest = rest.trim_ascii_start();
        if rest.starts_with(b"//") {
            let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            rest = &rest[end..];
            continue;
        }
        let end = rest.iter().position(|b| !b.is_ascii_alphanumeric()).unwrap_or(rest.len());
        return &rest[..end];
    }
}

enum Data {
    Owned(Vec<u8>),
    Mapped(memmap2::Mmap),
}

/// The bytes that a module is read from. Positions in them are byte offsets ([`Span`]).
pub struct Source {
    name: Arc<str>,
    data: Data,
}

impl Source {
    /// Bytes that are already in memory; `name` is what diagnostics call them.
    pub fn from_bytes(name: &str, bytes: impl Into<Vec<u8>>) -> Source {
        Source { name: name.into(), data: Data::Owned(bytes.into()) }
    }

    /// Opens a file: maps it when it is large, reads it when it is small or not a regular file.
    ///
    /// # Errors
    /// [`sim_core::ErrorKind::Resource`] with the system's reason.
    pub fn open(path: &Path) -> Result<Source> {
        let shown = path.display();
        let failed = |e: std::io::Error| Diagnostic::resource(format!("cannot read {shown}: {e}"));
        let mut file = File::open(path).map_err(failed)?;
        let meta = file.metadata().map_err(failed)?;
        if meta.is_dir() {
            return Err(Diagnostic::resource(format!("cannot read {shown}: it is a directory")));
        }
        let data = if meta.is_file() && meta.len() >= MAP_FROM {
            Data::Mapped(map::map(&file).map_err(failed)?)
        } else {
            return Source::read(&shown.to_string(), &mut file);
        };
        Ok(Source { name: shown.to_string().into(), data })
    }

    /// Reads a stream to its end; `name` is what diagnostics call it. What cannot be a program by what
    /// it begins with is not read further: `/dev/urandom` has no end.
    ///
    /// # Errors
    /// [`sim_core::ErrorKind::Resource`] with the system's reason, or when it is longer than
    /// [`STREAM_LIMIT`].
    pub fn read(name: &str, stream: &mut dyn Read) -> Result<Source> {
        Self::read_within(name, stream, JUDGED, STREAM_LIMIT)
    }

    fn read_within(name: &str, stream: &mut dyn Read, judged: u64, limit: u64) -> Result<Source> {
        let failed = |e: std::io::Error| Diagnostic::resource(format!("cannot read {name}: {e}"));
        let mut bytes = Vec::new();
        stream.take(judged).read_to_end(&mut bytes).map_err(failed)?;
        if Encoding::detect(&bytes) != Encoding::Binary || jax_export::begins(&bytes) {
            let left = (limit + 1).saturating_sub(bytes.len() as u64);
            stream.take(left).read_to_end(&mut bytes).map_err(failed)?;
            if bytes.len() as u64 > limit {
                return Err(Diagnostic::resource(format!("{name} gives more than {limit} bytes"))
                    .help("of a program as large as that, name the file"));
            }
        }
        Ok(Source::from_bytes(name, bytes))
    }

    /// The path, or what the caller named it.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn bytes(&self) -> &[u8] {
        match &self.data {
            Data::Owned(bytes) => bytes,
            Data::Mapped(map) => map,
        }
    }

    pub fn encoding(&self) -> Encoding {
        Encoding::detect(self.bytes())
    }

    /// The whole as text.
    ///
    /// # Errors
    /// [`sim_core::ErrorKind::Malformed`] at the first byte that is not UTF-8;
    /// [`sim_core::ErrorKind::Resource`] above 4 GiB, where offsets do not fit a [`Span`].
    pub fn text(&self) -> Result<&str> {
        let bytes = self.bytes();
        if u32::try_from(bytes.len()).is_err() {
            return Err(Diagnostic::resource(format!(
                "{} has {} bytes; text of 4 GiB or more is not supported",
                self.name,
                bytes.len()
            ))
            .help("write the module as MLIR bytecode, which keeps constants out of the text"));
        }
        std::str::from_utf8(bytes).map_err(|e| {
            let at = e.valid_up_to();
            Diagnostic::malformed(format!("byte {at} (0x{:02x}) is not UTF-8 text", bytes[at]))
                .at(Span { start: at as u32, end: at as u32 + 1 })
        })
    }

    /// Line and column, both from 1; the column counts characters. Offsets past the end give the
    /// position after the last character.
    pub fn line_col(&self, offset: u32) -> (u32, u32) {
        let before = self.before(offset);
        let line = memchr::memchr_iter(b'\n', before).count() as u32 + 1;
        let start = memchr::memrchr(b'\n', before).map_or(0, |i| i + 1);
        let column = String::from_utf8_lossy(&before[start..]).chars().count() as u32 + 1;
        (line, column)
    }

    /// The line that holds `offset`, without its end. Bytes that are not UTF-8 are replaced.
    pub fn line_text(&self, offset: u32) -> std::borrow::Cow<'_, str> {
        let before = self.before(offset);
        let start = memchr::memrchr(b'\n', before).map_or(0, |i| i + 1);
        let rest = &self.bytes()[start..];
        let line = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
        String::from_utf8_lossy(line.strip_suffix(b"\r").unwrap_or(line))
    }

    fn before(&self, offset: u32) -> &[u8] {
        let bytes = self.bytes();
        &bytes[..(offset as usize).min(bytes.len())]
    }
}

impl std::fmt::Debug for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Source({}, {} bytes)", self.name, self.bytes().len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_encoding_is_judged_by_content() {
        use Encoding as E;
        for (bytes, encoding) in [
            (&b"module {}"[..], E::MlirText),
            (b"", E::MlirText),
            (b"// HloModule\nfunc.func @f() { return }", E::MlirText),
            (b"ML\xefR\x0dStableHLO_v1", E::MlirBytecode),
            (b"// a comment\n\nHloModule m, entry_computation_layout={}", E::HloText),
            (b"# a comment\nhlo_module {\n  name: \"m\"\n", E::HloProtoText),
            (b"name: \"m\"\ncomputations {", E::HloProtoText),
            (b"#loc = loc(\"a\")\nmodule {}", E::MlirText),
            (b"\x0a\x01m\x12\x01e\x1a\x08\x0a\x01e\x12\x05\x12\x03add", E::HloProto),
            (b"// CHECK: func.func @f\nf {\n ROOT p = f32[] parameter(0)\n}", E::HloText),
            (b"#map = 1\nfunc.func @f() { } // ROOT parameter(", E::MlirText),
            (b"PK\x03\x04abcd", E::Zip),
            (b"\x1c\0\0\0TFL3", E::TfLite),
            (b"\x0a\x05hello\x12", E::Binary),
        ] {
            assert_eq!(E::detect(bytes), encoding, "{bytes:?}");
        }
    }

    #[test]
    fn lines_and_columns() {
        let source = Source::from_bytes("t", "a\nb\u{e9}c\r\nd".as_bytes());
        assert_eq!(source.line_col(0), (1, 1));
        assert_eq!(source.line_col(2), (2, 1));
        assert_eq!(source.line_col(5), (2, 3));
        assert_eq!(source.line_text(5), "b\u{e9}c");
        assert_eq!(source.line_col(1000), (3, 2));
        assert_eq!(source.line_text(1000), "d");
    }

    #[test]
    fn streams_without_end_are_not_read_to_it() {
        let endless = Source::read("zeros", &mut std::io::repeat(0)).unwrap();
        assert_eq!(endless.encoding(), Encoding::Binary);
        assert_eq!(endless.bytes().len() as u64, JUDGED);
        // The table in front says that the module comes.
        let export = include_bytes!("../../tests/bytecode/export.jaxexport");
        let source = Source::read_within("export", &mut &export[..], 200, 1 << 20).unwrap();
        assert_eq!((source.encoding(), source.bytes()), (Encoding::JaxExport, &export[..]));
        let text = |limit| Source::read_within("text", &mut &b"module {}"[..], 4, limit);
        assert_eq!(text(9).unwrap().bytes(), b"module {}");
        assert!(text(8).unwrap_err().message().contains("more than 8 bytes"));
    }

    #[test]
    fn bytes_that_are_not_utf8_are_named() {
        let e = Source::from_bytes("t", &b"module \xff {}"[..]).text().unwrap_err();
        assert_eq!(e.span(), Some(Span { start: 7, end: 8 }));
    }
}
