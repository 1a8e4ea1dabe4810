//! C's types as Rust's, and Rust's in a form that can be compared.

use crate::header::{Header, split, tokens};

/// The words and signs of a Rust type.
pub type Tokens = Vec<String>;

fn rust(text: &str) -> Tokens {
    // "C" is no sign of the headers.
    tokens(&text.replace("\"C\"", "C")).into_iter().map(str::to_owned).collect()
}

/// What stands behind a name.
pub struct Function {
    pub ty: Tokens,
    /// Whether it is a pointer already.
    pub pointer: bool,
}

/// Name and type of a field or a parameter: `const T* name`, `T name[4]`, `R (*name)(P, …)`. Parameters may
/// have no name.
pub fn declaration(words: &[&str]) -> (String, Tokens) {
    if words.contains(&"(") {
        return function(words);
    }
    if let [ty @ .., name, "[", count, "]"] = words {
        return ((*name).to_owned(), rust(&format!("[{}; {count}]", plain(ty).join(" "))));
    }
    match words {
        [ty @ .., name] if !ty.is_empty() && *name != "*" && *name != "const" => {
            ((*name).to_owned(), plain(ty))
        }
        ty => (String::new(), plain(ty)),
    }
}

/// Name and type of a function or a pointer to one: `R (*name)(P, …)`, `R name(P, …)`.
pub fn function(words: &[&str]) -> (String, Tokens) {
    let open = words.iter().position(|w| *w == "(").expect("a function");
    let (result, name, parameters) = match &words[open..] {
        ["(", "*", name, ")", "(", parameters @ .., ")"] => (&words[..open], *name, parameters),
        ["(", "*", ")", "(", parameters @ .., ")"] => (&words[..open], "", parameters),
        ["(", parameters @ .., ")"] => (&words[..open - 1], words[open - 1], parameters),
        _ => panic!("not a function: {}", words.join(" ")),
    };
    let parameters: Vec<String> =
        split(parameters, ",").into_iter().map(|p| declaration(p).1.join(" ")).collect();
    let result = match result {
        ["void"] => String::new(),
        other => format!("-> {}", plain(other).join(" ")),
    };
    let ty = rust(&format!("Option<unsafe extern \"C\" fn({}) {result}>", parameters.join(", ")));
    (name.to_owned(), ty)
}

/// `const T* const*` and the like.
fn plain(words: &[&str]) -> Tokens {
    let mut constant = false;
    let mut ty = String::new();
    for word in words {
        match *word {
            "struct" => {}
            "const" => constant = true,
            "*" => {
                ty = format!("*{} {ty}", if constant { "const" } else { "mut" });
                constant = false;
            }
            base => {
                ty = match base {
                    "bool" | "uint8_t" => "u8",
                    "char" => "c_char",
                    "int" | "int32_t" => "i32",
                    "int64_t" => "i64",
                    "uint64_t" => "u64",
                    "float" => "f32",
                    "size_t" | "uintptr_t" => "usize",
                    "intptr_t" => "isize",
                    "void" => "c_void",
                    other => other,
                }
                .to_owned();
            }
        }
    }
    rust(&ty)
}

/// A type as this crate writes it, or as the compiler names it.
pub fn parse(text: &str) -> Tokens {
    let mut ty = rust(text);
    // Without the paths of names.
    ty.retain(|t| t != "$");
    while let Some(at) = ty.iter().position(|t| t == "::") {
        ty.drain(at - 1..=at);
    }
    ty
}

/// The type with all that only has a name written out, as one line.
pub fn written_out(ty: &[String], header: &Header) -> String {
    let mut ty = ty.to_vec();
    let mut i = 0;
    while i < ty.len() {
        let generic = match ty[i].as_str() {
            "Function" => Some("-> *mut PJRT_Error"),
            "ProfilerFunction" => Some("-> *mut PLUGIN_Profiler_Error"),
            "Procedure" | "Deleter" => Some(""),
            _ => None,
        };
        if let Some(result) = generic {
            let text = format!("Option<unsafe extern \"C\" fn(*mut {}) {result}>", ty[i + 2]);
            ty.splice(i..i + 4, rust(&text));
        } else if ty[i] == "UserArg" {
            ty.splice(i..=i, rust("*mut c_void"));
        } else if ty[i] == "c_char" {
            ty[i] = std::any::type_name::<std::ffi::c_char>().to_owned();
        } else if let Some(function) = header.functions.get(&ty[i]) {
            // A pointer to a function is one in Rust as it is.
            let pointer = if !function.pointer && i >= 2 && ty[i - 2] == "*" { 2 } else { 0 };
            ty.splice(i - pointer..=i, function.ty.iter().cloned());
            i -= pointer;
        } else {
            i += 1;
        }
    }
    // A comma at the end of a list says nothing.
    let ends = |j: usize| ty.get(j + 1).is_some_and(|t| t == ")" || t == ">");
    let words: Vec<&str> =
        ty.iter().enumerate().filter(|(j, t)| *t != "," || !ends(*j)).map(|(_, t)| t.as_str()).collect();
    words.join(" ")
}
