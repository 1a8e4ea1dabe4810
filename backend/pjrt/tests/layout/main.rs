//! The C declarations of `tpusim::ffi` beside PJRT's own headers: a C compiler says how large each struct is,
//! where each field lies, what each constant is worth, and the text says of which type each is. Nothing may
//! be missing on either side.
//!
//! The headers are in `$TPUSIM_PJRT_HEADERS` (where `xla/pjrt/c` is), or in `.venv/pjrt-headers`, where
//! `cargo xtask test` brings them. Without them, or without `cc`, the test is skipped, in CI it fails.

mod header;
mod types;

use header::Header;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use tpusim::ffi;

/// Of what lies in the headers' folder, what is declared here.
const HEADERS: &[&str] = &[
    "xla/pjrt/c/pjrt_c_api.h",
    "xla/pjrt/c/pjrt_c_api_abi_version_extension.h",
    "xla/pjrt/c/pjrt_c_api_callback_extension.h",
    "xla/pjrt/c/pjrt_c_api_device_event.h",
    "xla/pjrt/c/pjrt_c_api_layouts_extension.h",
    "xla/pjrt/c/pjrt_c_api_memory_descriptions_extension.h",
    "xla/pjrt/c/pjrt_c_api_phase_compile_extension.h",
    "xla/pjrt/c/pjrt_c_api_profiler_extension.h",
    "xla/pjrt/c/pjrt_c_api_raw_buffer_extension.h",
    "xla/pjrt/c/pjrt_c_api_shardings_extension.h",
    "xla/pjrt/c/pjrt_c_api_tpu_topology_extension.h",
    "xla/backends/profiler/plugin/profiler_c_api.h",
];

/// Structs whose header no wheel carries, with the sizes that real clients and plugins have.
const WITHOUT_HEADER: &[(&str, usize)] =
    &[("PJRT_HostMemoryAllocator_Allocate_Args", 64), ("PJRT_HostMemoryAllocator_Extension", 32)];

/// Pointers to functions that have a name here, and what the compiler takes them for.
macro_rules! pointers {
    ($($path:path),* $(,)?) => { [$((stringify!($path), std::any::type_name::<$path>()),)*] };
}

fn layouts() -> impl Iterator<Item = &'static ffi::Layout> {
    ffi::ALL_LAYOUTS.iter().copied().flatten()
}

/// Where the headers are; `None` if the test is skipped.
fn folder() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = std::env::var_os("TPUSIM_PJRT_HEADERS")
        .map_or_else(|| root.join(".venv/pjrt-headers"), |folder| root.join(folder));
    let missing: Vec<&str> = HEADERS.iter().copied().filter(|h| !folder.join(h).exists()).collect();
    let why = if !missing.is_empty() {
        format!("{} has no {}", folder.display(), missing.join(", "))
    } else if let Err(e) = Command::new("cc").arg("--version").output() {
        format!("cannot run cc: {e}")
    } else {
        return Some(folder);
    };
    let ci = std::env::var_os("CI").is_some_and(|v| v == "true" || v == "1");
    assert!(!ci, "CI needs PJRT's headers and a C compiler: {why}");
    eprintln!("SKIPPED the layout of PJRT's structs: {why}");
    if let Some(path) = std::env::var_os("TPUSIM_SKIP_LOG")
        && let Ok(mut log) = std::fs::OpenOptions::new().create(true).append(true).open(path)
    {
        let _ =
            std::io::Write::write_all(&mut log, format!("the layout of PJRT's structs: {why}\n").as_bytes());
    }
    None
}

/// What the headers say, once for all tests; `None` if they are skipped.
fn truth() -> Option<&'static (Header, Facts)> {
    static TRUTH: OnceLock<Option<(Header, Facts)>> = OnceLock::new();
    let read = || {
        let folder = folder()?;
        let mut header = Header::default();
        for name in HEADERS {
            header.read(&std::fs::read_to_string(folder.join(name)).expect("a header"));
        }
        let facts = compile(&folder, &header);
        Some((header, facts))
    };
    TRUTH.get_or_init(read).as_ref()
}

/// What the C compiler knows: words, and the numbers that it says of them.
type Facts = BTreeMap<String, Vec<i64>>;

fn compile(folder: &Path, header: &Header) -> Facts {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pjrt-layout");
    // One header is C++ in two places: an enumeration's name without `enum`, and one with a size, which C
    // has since 2023 only.
    let callback = "xla/pjrt/c/pjrt_c_api_callback_extension.h";
    let text = std::fs::read_to_string(folder.join(callback)).expect("a header");
    let text = text.replace("SliceFailureType : int32_t {", "SliceFailureType {");
    std::fs::create_dir_all(scratch.join(callback).parent().expect("a folder")).expect("a folder");
    std::fs::write(scratch.join(callback), text).expect("the header's copy");

    let mut program = String::from("#include <stdio.h>\n");
    for name in ["PJRT_Callback_Type", "PJRT_Callback_Tpu_SliceFailureType"] {
        let _ = writeln!(program, "typedef enum {name} {name};");
    }
    for name in HEADERS {
        let _ = writeln!(program, "#include \"{name}\"");
    }
    program.push_str(
        "#define SAY(name, a, b) printf(\"%s %lld %lld\\n\", name, (long long)(a), (long long)(b));\n",
    );
    program.push_str("int main(void) {\n");
    for (name, it) in &header.structs {
        let size = if it.has_size { format!("{name}_STRUCT_SIZE") } else { "-1".to_owned() };
        let _ = writeln!(program, "SAY(\"{name}\", sizeof(struct {name}), {size})");
        for field in it.fields.iter().flat_map(|f| &f.names) {
            let place = format!("offsetof(struct {name}, {field}), sizeof(((struct {name}*)0)->{field})");
            let _ = writeln!(program, "SAY(\"{name}.{field}\", {place})");
        }
    }
    for (name, constants) in &header.enums {
        let _ = writeln!(program, "SAY(\"{name}\", sizeof({name}), 0)");
        for constant in constants {
            let _ = writeln!(program, "SAY(\"{constant}\", {constant}, 0)");
        }
    }
    for version in ["PJRT_API_MAJOR", "PJRT_API_MINOR"] {
        let _ = writeln!(program, "SAY(\"{version}\", {version}, 0)");
    }
    program.push_str("return 0;\n}\n");
    std::fs::write(scratch.join("layout.c"), program).expect("the program");

    let mut cc = Command::new("cc");
    cc.arg("-I").arg(&scratch).arg("-I").arg(folder);
    let built = cc.arg(scratch.join("layout.c")).arg("-o").arg(scratch.join("layout")).output().expect("cc");
    assert!(built.status.success(), "cc: {}", String::from_utf8_lossy(&built.stderr));
    let said = Command::new(scratch.join("layout")).output().expect("the program runs");
    let said = String::from_utf8(said.stdout).expect("text");
    said.lines()
        .map(|line| {
            let mut words = line.split(' ');
            let name = words.next().unwrap_or_default().to_owned();
            (name, words.map(|w| w.parse().expect("a number")).collect())
        })
        .collect()
}

/// All that differs.
#[derive(Default)]
struct Differences(Vec<String>);

impl Differences {
    fn check<T: PartialEq + std::fmt::Debug>(&mut self, what: &str, here: T, header: T) {
        if here != header {
            self.0.push(format!("{what}: here {here:?}, in the header {header:?}"));
        }
    }

    fn none(&self) {
        assert!(self.0.is_empty(), "{} differences:\n{}", self.0.len(), self.0.join("\n"));
    }
}

#[test]
fn structs_lie_as_c_lays_them() {
    let Some((header, facts)) = truth() else { return };
    let mut differences = Differences::default();
    let without_header: BTreeMap<&str, usize> = WITHOUT_HEADER.iter().copied().collect();
    for here in layouts() {
        let name = here.name;
        if let Some(size) = without_header.get(name) {
            differences.check(name, here.size, *size);
            continue;
        }
        let Some(there) = header.structs.get(name) else {
            differences.0.push(format!("{name} is not in the header"));
            continue;
        };
        differences.check(&format!("size of {name}"), here.size as i64, facts[name][0]);
        if there.has_size {
            differences.check(&format!("{name}_STRUCT_SIZE"), here.end() as i64, facts[name][1]);
        }
        differences.check(&format!("number of fields of {name}"), here.fields.len(), there.fields.len());
        for (field, other) in here.fields.iter().zip(&there.fields) {
            let what = format!("{name}.{}", field.name);
            let places: Vec<&Vec<i64>> = other.names.iter().map(|n| &facts[&format!("{name}.{n}")]).collect();
            let (offset, size) = (places[0][0], places.iter().map(|p| p[1]).max().unwrap_or(0));
            differences.check(&format!("offset of {what}"), field.offset as i64, offset);
            differences.check(&format!("size of {what}"), field.size as i64, size);
            // An anonymous union has neither a name nor a type there.
            if let [only] = other.names.as_slice() {
                differences.check(&what, field.name.trim_start_matches("r#"), only);
                let ty = types::written_out(&types::parse(field.ty), header);
                differences.check(&format!("type of {what}"), ty, types::written_out(&other.ty, header));
            }
        }
    }
    let here: BTreeSet<&str> = layouts().map(|l| l.name).collect();
    for name in header.structs.keys() {
        if !here.contains(name.as_str()) {
            differences.0.push(format!("{name} is only in the header"));
        }
    }
    differences.none();
}

#[test]
fn constants_have_their_values() {
    let Some((header, facts)) = truth() else { return };
    let mut differences = Differences::default();
    // `PJRT_Buffer_Type_S8` is `S8` here, `PJRT_NamedValue_kInt64` is `Int64`.
    let plain = |name: &str| name.replace('_', "").to_lowercase();
    let mut here = BTreeSet::new();
    for it in ffi::ALL_ENUMS.iter().copied().flatten() {
        here.insert(it.name);
        let Some(there) = header.enums.get(it.name) else {
            differences.0.push(format!("{} is not in the header", it.name));
            continue;
        };
        differences.check(&format!("size of {}", it.name), 4, facts[it.name][0]);
        let first = there[0].as_str();
        let shared = (0..first.len())
            .rev()
            .find(|i| first.as_bytes()[*i] == b'_' && there.iter().all(|n| n.starts_with(&first[..=*i])))
            .map_or(0, |i| i + 1);
        let k = there.iter().all(|n| n[shared..].starts_with('k'));
        let shared = shared + usize::from(k);
        differences.check(&format!("number of constants of {}", it.name), it.constants.len(), there.len());
        for ((name, value), other) in it.constants.iter().zip(there) {
            let theirs = (plain(&other[shared..]), facts[other][0]);
            differences.check(it.name, (plain(name), i64::from(*value)), theirs);
        }
    }
    for name in header.enums.keys().filter(|n| !here.contains(n.as_str())) {
        differences.0.push(format!("{name} is only in the header"));
    }
    differences.check("PJRT_API_MAJOR", i64::from(ffi::PJRT_API_MAJOR), facts["PJRT_API_MAJOR"][0]);
    differences.check("PJRT_API_MINOR", i64::from(ffi::PJRT_API_MINOR), facts["PJRT_API_MINOR"][0]);
    differences.none();
}

#[test]
fn pointers_to_functions_take_and_return_the_same() {
    let Some((header, _)) = truth() else { return };
    let mut differences = Differences::default();
    let here = pointers![
        ffi::PJRT_CallbackError,
        ffi::PJRT_Error_PayloadVisitor,
        ffi::PJRT_Event_OnReadyCallback,
        ffi::PJRT_HloOutputCallback,
        ffi::PJRT_KeyValueGetCallback,
        ffi::PJRT_KeyValueGetCallback_ValueDeleter,
        ffi::PJRT_KeyValuePutCallback,
        ffi::PJRT_KeyValueTryGetCallback,
        ffi::PJRT_KeyValueTryGetCallback_ValueDeleter,
        ffi::PJRT_RecvCallback,
        ffi::PJRT_SendCallback,
        ffi::ext::callback::PJRT_Callback_Function,
        ffi::ext::device_event::PJRT_DeviceEvent_AndThen,
    ];
    let mut named = BTreeSet::new();
    for (path, ty) in here {
        let name = path.replace(' ', "").rsplit("::").next().unwrap_or_default().to_owned();
        let there = header.functions.get(&name).map(|f| types::written_out(&f.ty, header));
        differences.check(&name, Some(types::written_out(&types::parse(ty), header)), there);
        named.insert(name);
    }
    for (name, _) in header.functions.iter().filter(|(n, f)| f.pointer && !named.contains(*n)) {
        differences.0.push(format!("{name} is only in the header"));
    }
    differences.none();
}

#[test]
fn the_table_is_that_of_version_0_117() {
    let table = ffi::PJRT_Api::LAYOUT;
    assert_eq!(table.size, 1144);
    // The size, the chain and the version come first, of 16 and 24 bytes; every word after is a function.
    let functions = &table.fields[3..];
    assert_eq!(functions.len(), 138);
    for (i, field) in functions.iter().enumerate() {
        assert_eq!((field.offset, field.size), (40 + 8 * i, 8), "{}", field.name);
    }
    let Some((header, _)) = truth() else { return };
    let there: Vec<&str> = header.structs["PJRT_Api"].fields.iter().map(|f| f.names[0].as_str()).collect();
    let here: Vec<&str> = table.fields.iter().map(|f| f.name).collect();
    assert_eq!(here, there);
}
