//! What `exported_program_to_stablehlo(…).save(DIR)` of PyTorch/XLA writes: a folder with the functions
//! of a `torch.export`, their weights, and which of both is which parameter.
//!
//! ```text
//! DIR/functions/forward.bytecode   a portable artifact
//!               forward.mlir       the same as text (optional)
//!               forward.meta       JSON: for each parameter of @main, where its value comes from
//! DIR/data/a.weight                the state dictionary, one .npy array a file
//! DIR/constants/0                  tensors that the export made, likewise
//! ```
//! (Source: `torch_xla/stablehlo.py`, `StableHLOFunctionMeta` and `_save_program_bundle`.)

use super::Source;
use serde_json::Value as Json;
use sim_core::{Diagnostic, Result};
use std::path::{Component, Path, PathBuf};

/// Where the value of a parameter comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The argument of that number of the Python function.
    Argument(usize),
    /// An array in the folder.
    File(PathBuf),
}

/// One parameter of `@main`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// `a.weight`; `arg0`, `arg1`, … of the function's arguments; `constant0`, ….
    pub name: String,
    pub origin: Origin,
}

impl Parameter {
    /// Which argument of the Python function it is.
    pub fn argument(&self) -> Option<usize> {
        match self.origin {
            Origin::Argument(n) => Some(n),
            Origin::File(_) => None,
        }
    }
}

/// A function of the folder.
pub struct Export {
    pub source: Source,
    /// In the order of `@main`.
    pub parameters: Vec<Parameter>,
    /// How many arguments the Python function takes, also those that it does not use.
    pub arguments: usize,
}

/// A folder is tried as one of these; so is a `.meta` file in one.
pub fn detect(path: &Path) -> bool {
    path.is_dir() || (path.is_file() && path.extension().is_some_and(|e| e == "meta"))
}

/// Opens the only function of a folder, or the one whose `.meta` file is named.
///
/// # Errors
/// Resource: files that are not there. Malformed: a `.meta` file that is not as above. Invalid: several
/// functions.
pub fn open(path: &Path) -> Result<Export> {
    let meta = if path.is_dir() { only_function(path)? } else { path.to_owned() };
    let functions = meta.parent().unwrap_or(Path::new(""));
    let root = functions.parent().unwrap_or(Path::new(""));
    let bytecode = meta.with_extension("bytecode");
    let text_form = meta.with_extension("mlir");
    let program = match (bytecode.is_file(), text_form.is_file()) {
        (true, _) => bytecode,
        (_, true) => text_form,
        _ => {
            return Err(Diagnostic::resource(format!("there is no file {}", bytecode.display()))
                .note(format!("nor {}", text_form.display()))
                .help("the export is incomplete: save it again"));
        }
    };
    let text = std::fs::read(&meta)
        .map_err(|e| Diagnostic::resource(format!("cannot read {}: {e}", meta.display())))?;
    let json: Json = serde_json::from_slice(&text)
        .map_err(|e| Diagnostic::malformed(format!("{} is not JSON: {e}", meta.display())))?;
    let (parameters, arguments) =
        read_meta(&json, root).map_err(|e| e.note(format!("in {}", meta.display())))?;
    Ok(Export { source: Source::open(&program)?, parameters, arguments })
}

fn only_function(dir: &Path) -> Result<PathBuf> {
    let functions = dir.join("functions");
    let entries = std::fs::read_dir(&functions).map_err(|_| {
        Diagnostic::resource(format!("cannot read {}: it is a directory", dir.display())).help(
            "a directory is read if it is what PyTorch/XLA's \
             `exported_program_to_stablehlo(…).save(DIR)` writes, with a folder `functions` in it",
        )
    })?;
    let mut found: Vec<PathBuf> = entries
        .flatten()
        .map(|e| e.path())
        .filter(|p| p.extension().is_some_and(|e| e == "meta") && p.is_file())
        .collect();
    found.sort();
    match &found[..] {
        [one] => Ok(one.clone()),
        [] => Err(Diagnostic::resource(format!("there is no .meta file in {}", functions.display()))),
        several => {
            let names: Vec<String> = several.iter().map(|p| p.display().to_string()).collect();
            Err(Diagnostic::invalid(format!("{} holds {} functions", dir.display(), several.len()))
                .note(names.join(", "))
                .help("name the .meta file of one"))
        }
    }
}

/// The parameters, and how many arguments there are.
fn read_meta(json: &Json, root: &Path) -> Result<(Vec<Parameter>, usize)> {
    let malformed = |what: &str| Diagnostic::malformed(format!("expected {what}"));
    let locations = json["input_locations"].as_array().ok_or_else(|| malformed("a list input_locations"))?;
    let mut arguments = 0;
    let mut parameters = Vec::with_capacity(locations.len());
    for location in locations {
        let position = || {
            let n = location["position"].as_u64().and_then(|n| usize::try_from(n).ok());
            n.ok_or_else(|| malformed("a position that is not negative"))
        };
        parameters.push(match location["type_"].as_str() {
            Some("input_arg") => {
                let n = position()?;
                arguments = arguments.max(n.saturating_add(1));
                Parameter { name: format!("arg{n}"), origin: Origin::Argument(n) }
            }
            Some("parameter") => {
                let name = location["name"].as_str().ok_or_else(|| malformed("the name of a parameter"))?;
                Parameter { name: name.to_owned(), origin: Origin::File(inside(root, "data", name)?) }
            }
            Some("constant") => {
                let n = position()?;
                let file = inside(root, "constants", &n.to_string())?;
                Parameter { name: format!("constant{n}"), origin: Origin::File(file) }
            }
            _ => return Err(malformed("a type_ of input_arg, parameter or constant")),
        });
    }
    // `unused_inputs` is a list of pairs: a location and a type.
    for unused in json["unused_inputs"].as_array().into_iter().flatten() {
        let n = unused[0]["position"].as_u64().and_then(|n| usize::try_from(n).ok());
        arguments = arguments.max(n.map_or(0, |n| n.saturating_add(1)));
    }
    Ok((parameters, arguments))
}

/// A file of one of the folders; its name leads nowhere else.
fn inside(root: &Path, folder: &str, name: &str) -> Result<PathBuf> {
    let mut parts = Path::new(name).components();
    match (parts.next(), parts.next()) {
        (Some(Component::Normal(_)), None) => Ok(root.join(folder).join(name)),
        _ => Err(Diagnostic::malformed(format!("'{name}' is not the name of a file in {folder}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_export_without_its_program_is_incomplete() {
        let dir = std::env::temp_dir().join(format!("tpusim-torch-{}", std::process::id()));
        let functions = dir.join("functions");
        std::fs::create_dir_all(functions.join("forward.bytecode")).unwrap();
        std::fs::write(functions.join("forward.meta"), "{}").unwrap();
        let e = open(&dir).err().unwrap();
        assert!(
            e.message().ends_with("forward.bytecode") && e.message().starts_with("there is no file"),
            "{e}"
        );
        std::fs::remove_dir_all(dir).unwrap();
    }

    fn read(json: Json) -> Result<(Vec<Parameter>, usize)> {
        read_meta(&json, Path::new("dir"))
    }

    #[test]
    fn locations_in_order() {
        let (parameters, arguments) = read(json!({
            "input_locations": [
                { "type_": "input_arg", "position": 1, "name": "" },
                { "type_": "parameter", "position": -1, "name": "a.weight" },
                { "type_": "constant", "position": 0, "name": "" },
            ],
            "unused_inputs": [[{ "type_": "input_arg", "position": 2, "name": "" }, {}]],
        }))
        .unwrap();
        let names: Vec<&str> = parameters.iter().map(|p| &*p.name).collect();
        assert_eq!(names, ["arg1", "a.weight", "constant0"]);
        assert_eq!(parameters[0].origin, Origin::Argument(1));
        assert_eq!(parameters[1].origin, Origin::File("dir/data/a.weight".into()));
        assert_eq!(parameters[2].origin, Origin::File("dir/constants/0".into()));
        assert_eq!(arguments, 3);
    }

    #[test]
    fn names_stay_inside() {
        for name in ["../secret", "/etc/passwd", "a/b", "", ".."] {
            let e = read(json!({ "input_locations": [{ "type_": "parameter", "name": name }] })).unwrap_err();
            assert!(e.message().contains("is not the name of a file"), "{e}");
        }
    }

    #[test]
    fn what_is_missing_is_said() {
        assert!(read(json!({})).unwrap_err().message().contains("input_locations"));
        let bad = json!({ "input_locations": [{ "type_": "input_arg", "position": -1 }] });
        assert!(read(bad).unwrap_err().message().contains("position"));
        assert!(read(json!({ "input_locations": [{}] })).unwrap_err().message().contains("type_"));
    }
}
