//! A [`Diagnostic`] as text for people: what is wrong, the place in the file with its line and a
//! caret, the location that the module carries, notes, and what to do.

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use backend::frontend::{Encoding, Source};
use sim_core::{Diagnostic, ErrorKind, Span};
use std::io::IsTerminal;

/// Lines of programs can be megabytes long (constants); this much of one is shown.
const EXCERPT: usize = 120;

/// Are colours welcome on stderr?
pub fn colors() -> bool {
    std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty())
}

/// The exit code of a run that ended in this error: 1 when a check of the program failed, 130 (as
/// shells have it) after Ctrl-C, 2 when the input is at fault or not supported, or tpusim itself is.
pub fn exit_code(kind: ErrorKind) -> u8 {
    match kind {
        ErrorKind::CheckFailed => 1,
        ErrorKind::Interrupted => 130,
        ErrorKind::Malformed
        | ErrorKind::Invalid
        | ErrorKind::Unsupported
        | ErrorKind::Resource
        | ErrorKind::Internal => 2,
    }
}

/// For machines, in the JSON summary.
pub fn kind_name(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Malformed => "malformed",
        ErrorKind::Invalid => "invalid",
        ErrorKind::Unsupported => "unsupported",
        ErrorKind::Resource => "resource",
        ErrorKind::CheckFailed => "check_failed",
        ErrorKind::Interrupted => "interrupted",
        ErrorKind::Internal => "internal",
    }
}

/// The error as it stands on the terminal, without a newline at the end.
pub fn render(d: &Diagnostic, source: Option<&Source>, colors: bool) -> String {
    let level = match d.kind() {
        ErrorKind::Unsupported => Level::ERROR.with_name("unsupported"),
        _ => Level::ERROR,
    };
    render_as(level, d, source, colors)
}

/// The same for what does not keep a program from running.
pub fn render_warning(d: &Diagnostic, source: Option<&Source>, colors: bool) -> String {
    render_as(Level::WARNING, d, source, colors)
}

fn render_as(level: Level<'_>, d: &Diagnostic, source: Option<&Source>, colors: bool) -> String {
    let title = match d.op() {
        Some(op) if !d.message().starts_with(op) => format!("{op}: {}", d.message()),
        _ => d.message().to_owned(),
    };
    let mut group = Group::with_title(level.primary_title(title));
    if let (Some(span), Some(source)) = (d.span(), source)
        && span == Span::default()
        && matches!(source.encoding(), Encoding::HloProto | Encoding::HloProtoText)
    {
        // Messages say where they are by name.
        group = group.element(Origin::path(clean(source.name())));
    } else if let (Some(span), Some(source)) = (d.span(), source)
        && !source.encoding().is_text()
    {
        // Bytes have no lines to show.
        let place = format!("{}, byte {} (0x{:x})", clean(source.name()), span.start, span.start);
        group = group.element(Origin::path(place));
    } else if let (Some(span), Some(source)) = (d.span(), source) {
        let (line, column) = source.line_col(span.start);
        let (text, marked, cut) = excerpt(source.bytes(), span);
        let mut snippet = Snippet::source(text)
            .line_start(line as usize)
            .fold(false)
            .annotation(AnnotationKind::Primary.span(marked));
        if cut {
            // The excerpt's columns are not the line's.
            group =
                group.element(Origin::path(source.name()).line(line as usize).char_column(column as usize));
        } else {
            snippet = snippet.path(source.name());
        }
        group = group.element(snippet);
    }
    if !d.loc().is_unknown() {
        group = group.element(Level::NOTE.message(clean(&format!("the operation comes from {}", d.loc()))));
    }
    for note in d.notes() {
        group = group.element(Level::NOTE.message(clean(note)));
    }
    if let Some(help) = d.help_text() {
        group = group.element(Level::HELP.message(clean(help)));
    }
    let renderer = if colors { Renderer::styled() } else { Renderer::plain() };
    renderer.render(&[group])
}

/// Text from files must not steer the terminal.
fn clean(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\n' { '\u{fffd}' } else { c }).collect()
}

/// The line around the span, the bytes to mark in it, and whether its beginning was cut off.
fn excerpt(bytes: &[u8], span: Span) -> (String, std::ops::Range<usize>, bool) {
    let start = (span.start as usize).min(bytes.len());
    let line_start = bytes[..start].iter().rposition(|&b| b == b'\n').map_or(0, |i| i + 1);
    let line_end = bytes[start..].iter().position(|&b| b == b'\n').map_or(bytes.len(), |i| start + i);
    let end = (span.end as usize).clamp(start, line_end);
    // Only windows of the line become strings: it may be megabytes long. Half characters at the
    // windows' edges, like other bytes that are not UTF-8, show as U+FFFD.
    let room = if line_end - line_start <= EXCERPT { EXCERPT } else { EXCERPT / 2 };
    let from = line_start.max(start.saturating_sub(room));
    let marked_end = end.min(start + room);
    let to = line_end.min(marked_end + room);
    let text = |from: usize, to: usize| String::from_utf8_lossy(&bytes[from..to]).into_owned();
    let mut line = String::new();
    if from > line_start {
        line.push_str("...");
    }
    line.push_str(&text(from, start));
    let mark = line.len();
    line.push_str(&text(start, marked_end));
    let marked = mark..line.len();
    line.push_str(text(marked_end, to).trim_end_matches('\r'));
    if to < line_end {
        line.push_str("...");
    }
    (line, marked, from > line_start)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, start: u32, end: u32) -> (String, String) {
        let (line, marked, _) = excerpt(text.as_bytes(), Span { start, end });
        let marked = line[marked].to_owned();
        (line, marked)
    }

    #[test]
    fn short_lines_are_shown_whole() {
        assert_eq!(shown("one\ntwo three\r\nfour", 8, 13), ("two three".into(), "three".into()));
        assert_eq!(shown("one\ntwo", 7, 8), ("two".into(), "".into()));
        assert_eq!(shown("one", 900, 901), ("one".into(), "".into()));
    }

    #[test]
    fn long_lines_are_cut_around_the_mark() {
        let text = format!("{}bad{}", "a".repeat(1000), "z".repeat(1000));
        let (line, marked) = shown(&text, 1000, 1003);
        assert_eq!(marked, "bad");
        assert_eq!(line, format!("...{}bad{}...", "a".repeat(60), "z".repeat(60)));
        let (line, marked) = shown(&text, 0, 2003);
        assert_eq!((line.len(), marked.len()), (60 + 60 + 3, 60));
    }
}
