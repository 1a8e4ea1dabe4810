//! Reads the declarations of PJRT's headers: as much of C as they use.

use crate::types::{self, Function, Tokens};
use std::collections::{BTreeMap, BTreeSet};

/// All that the headers declare.
#[derive(Default)]
pub struct Header {
    pub structs: BTreeMap<String, Struct>,
    /// The constants of each enumeration, in order.
    pub enums: BTreeMap<String, Vec<String>>,
    /// Names of functions' types, and of pointers to functions.
    pub functions: BTreeMap<String, Function>,
}

#[derive(Default)]
pub struct Struct {
    pub fields: Vec<Field>,
    /// Whether the header defines `NAME_STRUCT_SIZE`.
    pub has_size: bool,
}

/// A field, or an anonymous union.
pub struct Field {
    /// Several if it is a union: its members.
    pub names: Vec<String>,
    /// As a Rust type; empty if it is a union.
    pub ty: Tokens,
}

impl Header {
    /// Adds what the text of a header declares.
    pub fn read(&mut self, text: &str) {
        let text = without_preprocessor(text);
        let tokens = tokens(&text);
        let mut sized = BTreeSet::new();
        let mut rest = tokens.as_slice();
        while let Some(first) = rest.first() {
            let statement = statement(rest);
            if let ["PJRT_DEFINE_STRUCT_TRAITS" | "PROFILER_DEFINE_STRUCT_TRAITS", "(", name, ..] = statement
            {
                sized.insert((*name).to_owned());
            } else if first == &"extern" {
                // Only with C++, which is taken out; a brace alone would remain.
                panic!("extern \"C\" outside of #ifdef __cplusplus");
            } else {
                self.declaration(statement, &mut sized);
            }
            rest = &rest[statement.len()..];
        }
        for name in sized {
            self.structs.entry(name).or_default().has_size = true;
        }
    }

    fn declaration(&mut self, statement: &[&str], sized: &mut BTreeSet<String>) {
        let (typedef, words) = match statement {
            ["typedef", words @ ..] => (true, words),
            words => (false, words),
        };
        match words {
            ["struct", name, "{", ..] => {
                let fields = split(body(words), ";").into_iter().map(Field::read).collect();
                self.structs.entry((*name).to_owned()).or_default().fields = fields;
            }
            ["enum", ..] if words.contains(&"{") => {
                let name = if typedef { words.iter().rev().find(|w| **w != ";") } else { words.get(1) };
                let constants: Vec<&str> = split(body(words), ",").iter().map(|c| c[0]).collect();
                if let [one] = constants.as_slice()
                    && let Some(name) = one.strip_suffix("_STRUCT_SIZE")
                {
                    sized.insert(name.to_owned());
                } else if let Some(name) = name {
                    self.enums.insert((*name).to_owned(), constants.into_iter().map(str::to_owned).collect());
                }
            }
            // A pointer to a function, or a function.
            [.., ";"] if typedef && words.contains(&"(") => {
                let (name, ty) = types::function(&words[..words.len() - 1]);
                let pointer = words.windows(2).any(|w| w == ["(", "*"]);
                self.functions.insert(name, Function { ty, pointer });
            }
            // An opaque type, or a struct's second name.
            [.., ";"] if typedef => {}
            [";"] => {}
            other => panic!("not understood: {}", other.join(" ")),
        }
    }
}

impl Field {
    fn read(words: &[&str]) -> Field {
        let words: Vec<&str> = words.iter().copied().filter(|w| *w != "PJRT_NO_DISCARD").collect();
        match words.as_slice() {
            ["union", "{", ..] => {
                let names =
                    split(body(&words), ";").into_iter().filter_map(|m| m.last()).map(|n| (*n).to_owned());
                Field { names: names.collect(), ty: Tokens::new() }
            }
            ["_PJRT_API_STRUCT_FIELD", "(", name, ")"] => {
                Field { names: vec![(*name).to_owned()], ty: vec![(*name).to_owned()] }
            }
            words => {
                let (name, ty) = types::declaration(words);
                Field { names: vec![name], ty }
            }
        }
    }
}

/// The text without comments, macros, and what only C++ sees.
fn without_preprocessor(text: &str) -> String {
    let mut out = String::new();
    let mut lines = without_comments(text);
    // Macros of several lines are one.
    lines = lines.replace("\\\n", " ");
    // Whether each #if that is open hides what follows.
    let mut hidden: Vec<bool> = Vec::new();
    for line in lines.lines() {
        let line = line.trim();
        if let Some(directive) = line.strip_prefix('#') {
            let directive = directive.trim();
            if directive.starts_with("if") {
                hidden.push(directive.contains("__cplusplus"));
            } else if directive.starts_with("else") {
                let last = hidden.last_mut().expect("#else without #if");
                *last = !*last;
            } else if directive.starts_with("endif") {
                hidden.pop().expect("#endif without #if");
            }
        } else if !hidden.contains(&true) {
            out.push_str(line);
            out.push('\n');
        }
    }
    out
}

fn without_comments(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("//").into_iter().chain(rest.find("/*")).min() {
        out.push_str(&rest[..at]);
        let (end, skip) = if rest[at..].starts_with("//") { ("\n", 0) } else { ("*/", 2) };
        rest = rest[at..].find(end).map_or("", |to| &rest[at + to + skip..]);
    }
    out + rest
}

/// Words and signs.
pub fn tokens(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let length = if word(first) {
            rest.find(|c| !word(c)).unwrap_or(rest.len())
        } else if rest.starts_with("->") || rest.starts_with("::") {
            2
        } else {
            first.len_utf8()
        };
        out.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    out
}

/// Up to the first semicolon that no brace holds, and with it.
fn statement<'a, 'b>(tokens: &'a [&'b str]) -> &'a [&'b str] {
    let mut depth = 0;
    for (i, token) in tokens.iter().enumerate() {
        match *token {
            "{" => depth += 1,
            "}" => depth -= 1,
            ";" if depth == 0 => return &tokens[..=i],
            _ => {}
        }
    }
    panic!("no end: {}", tokens.join(" "))
}

/// What stands between the first brace and the last.
fn body<'a, 'b>(tokens: &'a [&'b str]) -> &'a [&'b str] {
    let open = tokens.iter().position(|t| *t == "{").expect("a body");
    let close = tokens.iter().rposition(|t| *t == "}").expect("a body's end");
    &tokens[open + 1..close]
}

/// The parts between separators that no brace or parenthesis holds; none is empty.
pub fn split<'a, 'b>(tokens: &'a [&'b str], separator: &str) -> Vec<&'a [&'b str]> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0, 0);
    for (i, token) in tokens.iter().enumerate() {
        match *token {
            "{" | "(" => depth += 1,
            "}" | ")" => depth -= 1,
            t if t == separator && depth == 0 => {
                parts.push(&tokens[start..i]);
                start = i + 1;
            }
            _ => {}
        }
    }
    parts.push(&tokens[start..]);
    parts.retain(|part| !part.is_empty());
    parts
}
