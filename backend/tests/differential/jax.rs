//! JAX on the CPU, in a process of its own that is fed programs over its standard input.

use serde_json::{Value, json};
use sim_core::ir::Module;
use sim_core::{ElementType, Tensor};
use std::ffi::{OsStr, OsString};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

pub struct Jax {
    python: OsString,
    process: Child,
    requests: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

/// How a message of an aborted process begins.
pub const DIED: &str = "JAX: the process died";

impl Jax {
    /// # Panics
    /// If the interpreter cannot be started.
    pub fn start(python: &OsStr) -> Jax {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scripts/jax_runs.py");
        let mut process = Command::new(python)
            .arg(script)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(if std::env::var_os("TPUSIM_DIFF_LOG").is_some() {
                Stdio::inherit()
            } else {
                Stdio::null()
            })
            .spawn()
            .expect("the Python of TPUSIM_PYTHON starts");
        let requests = process.stdin.take();
        let answers = BufReader::new(process.stdout.take().expect("piped"));
        Jax { python: python.to_owned(), process, requests, answers }
    }

    /// Results of `@main`, or why there are none. XLA may abort its process; then there is a new one.
    pub fn run(&mut self, module: &Module, inputs: &[Tensor]) -> Result<Vec<Tensor>, String> {
        match self.exchange(module, inputs) {
            Ok(answer) => answer,
            Err(e) => {
                let python = self.python.clone();
                *self = Jax::start(&python);
                Err(format!("the process died ({e})"))
            }
        }
    }

    fn exchange(&mut self, module: &Module, inputs: &[Tensor]) -> io::Result<Result<Vec<Tensor>, String>> {
        let text = module.to_string();
        let specs: Vec<Value> = inputs
            .iter()
            .map(|t| json!({"dtype": numpy(t.element()), "shape": t.shape(), "bytes": t.bytes().len()}))
            .collect();
        let request = json!({"text": text.len(), "inputs": specs});
        let pipe = self.requests.as_mut().expect("open until dropped");
        pipe.write_all(format!("{request}\n{text}").as_bytes())?;
        for t in inputs {
            pipe.write_all(t.bytes())?;
        }
        pipe.flush()?;

        let mut line = String::new();
        self.answers.read_line(&mut line)?;
        let answer: Value = serde_json::from_str(&line).map_err(io::Error::other)?;
        if let Some(error) = answer["error"].as_str() {
            return Ok(Err(error.to_owned()));
        }
        let outputs = answer["outputs"].as_array().map_or(&[][..], |o| o);
        Ok(Ok(outputs.iter().map(|spec| self.read(spec)).collect::<io::Result<_>>()?))
    }

    fn read(&mut self, spec: &Value) -> io::Result<Tensor> {
        let name = spec["dtype"].as_str().unwrap_or_default();
        let element = ElementType::all()
            .find(|&e| e != ElementType::Index && numpy(e) == name)
            .ok_or_else(|| io::Error::other(format!("dtype {name}")))?;
        let sizes = spec["shape"].as_array().into_iter().flatten();
        let shape: Vec<usize> = sizes.map(|n| n.as_u64().unwrap_or(0) as usize).collect();
        let mut bytes = vec![0u8; spec["bytes"].as_u64().unwrap_or(0) as usize];
        self.answers.read_exact(&mut bytes)?;
        Ok(Tensor::from_slice_as(ElementType::U8, &[bytes.len()], &bytes).recast(element, &shape))
    }
}

impl Drop for Jax {
    fn drop(&mut self) {
        drop(self.requests.take()); // The end of its input ends it.
        let _ = self.process.wait();
    }
}

/// NumPy's and `ml_dtypes`' name.
fn numpy(element: ElementType) -> String {
    use ElementType as E;
    match element {
        E::Pred => "bool".to_owned(),
        E::BF16 => "bfloat16".to_owned(),
        E::F16 => "float16".to_owned(),
        E::F32 => "float32".to_owned(),
        E::F64 => "float64".to_owned(),
        E::C64 => "complex64".to_owned(),
        E::C128 => "complex128".to_owned(),
        e if e.is_signed() => format!("int{}", e.bits()),
        e if e.is_unsigned() => format!("uint{}", e.bits()),
        E::F8E4M3FN => "float8_e4m3fn".to_owned(),
        E::F8E5M2 => "float8_e5m2".to_owned(),
        other => other.hlo_name().to_owned(), // Not drawn.
    }
}
