//! Cases as `maker.py` writes them, one after the other.

use serde_json::Value;
use sim_core::{ElementType, Tensor};
use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

/// A program with its inputs, and what it gives on JAX.
pub struct Case {
    pub name: String,
    pub function: String,
    pub family: String,
    /// `forward` or `gradient`.
    pub direction: String,
    /// See `compare.rs`.
    pub tolerance: String,
    /// What JAX said when it could not make the case.
    pub error: Option<String>,
    /// There is no gradient: nothing of floating point goes in or comes out.
    pub none: bool,
    /// A serialized `jax.export.Exported`.
    pub artifact: Vec<u8>,
    pub inputs: Vec<Tensor>,
    pub outputs: Vec<Tensor>,
}

pub struct Maker {
    process: Child,
    cases: BufReader<ChildStdout>,
}

impl Maker {
    /// Starts the process, and says how many cases it will make.
    ///
    /// # Panics
    /// If it does not start, with what it said above.
    pub fn start(python: &OsStr, shard: usize, shards: usize, part: &str, only: &str) -> (Maker, usize) {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sweep/maker.py");
        let mut process = Command::new(python)
            .arg(script)
            .args([shard.to_string(), shards.to_string(), part.to_owned()])
            .args(only.split_whitespace())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the Python of TPUSIM_PYTHON starts");
        let cases = BufReader::with_capacity(1 << 20, process.stdout.take().expect("piped"));
        let mut maker = Maker { process, cases };
        let total = maker.line()["total"].as_u64().expect("a number of cases");
        (maker, total as usize)
    }

    fn line(&mut self) -> Value {
        let mut line = String::new();
        self.cases.read_line(&mut line).expect("a line from maker.py");
        assert!(!line.is_empty(), "maker.py ended early: see what it says above");
        serde_json::from_str(&line).expect("JSON from maker.py")
    }

    fn bytes(&mut self, count: &Value) -> Vec<u8> {
        let mut bytes = vec![0; count.as_u64().expect("a number of bytes") as usize];
        self.cases.read_exact(&mut bytes).expect("bytes from maker.py");
        bytes
    }

    /// # Panics
    /// If the process ended.
    pub fn next(&mut self) -> Case {
        let head = self.line();
        let text = |key: &str| head[key].as_str().unwrap_or_default().to_owned();
        let artifact = self.bytes(&head["artifact"]);
        let mut arrays = |key: &str| -> Vec<Tensor> {
            head[key].as_array().into_iter().flatten().map(|spec| self.tensor(spec)).collect()
        };
        let (inputs, outputs) = (arrays("inputs"), arrays("outputs"));
        Case {
            name: text("name"),
            function: text("function"),
            family: text("family"),
            direction: text("direction"),
            tolerance: text("tolerance"),
            error: head["error"].as_str().map(str::to_owned),
            none: head["none"].as_bool().unwrap_or(false),
            artifact,
            inputs,
            outputs,
        }
    }

    fn tensor(&mut self, spec: &Value) -> Tensor {
        let name = spec["dtype"].as_str().unwrap_or_default();
        let element = element(name).unwrap_or_else(|| panic!("dtype {name}"));
        let sizes = spec["shape"].as_array().into_iter().flatten();
        let shape: Vec<usize> = sizes.map(|n| n.as_u64().unwrap_or(0) as usize).collect();
        let bytes = self.bytes(&spec["bytes"]);
        Tensor::from_slice_as(ElementType::U8, &[bytes.len()], &bytes).recast(element, &shape)
    }
}

impl Drop for Maker {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// By NumPy's and `ml_dtypes`' name.
fn element(name: &str) -> Option<ElementType> {
    use ElementType as E;
    Some(match name {
        "bool" => E::Pred,
        "bfloat16" => E::BF16,
        "float16" => E::F16,
        "float32" => E::F32,
        "float64" => E::F64,
        "complex64" => E::C64,
        "complex128" => E::C128,
        "int8" => E::S8,
        "int16" => E::S16,
        "int32" => E::S32,
        "int64" => E::S64,
        "uint8" => E::U8,
        "uint16" => E::U16,
        "uint32" => E::U32,
        "uint64" => E::U64,
        _ => return None,
    })
}
