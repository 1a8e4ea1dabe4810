//! Modules that JAX recorded on real backends with their inputs and outputs
//! (`shared/conformance/backcompat`), one test each: those of CPUs and GPUs under `--numerics ieee`,
//! those of TPUs under `--numerics tpu`.
//!
//! Outputs are compared as JAX's own test does: factorizations that are not unique by what they
//! multiply to, everything else element by element. `backcompat.exceptions` lists what cannot run,
//! each with its reason; an exception that passes is a failure too.

use backend::frontend;
use backend::npy::Archive;
use backend::runtime::{Executable, RunOptions, Value};
use libtest_mimic::{Arguments, Failed, Trial};
use num_complex::Complex;
use sim_core::{Ctx, Numerics, Tensor, Type};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

type C = Complex<f64>;

/// Memory a test program may use.
const LIMIT: u64 = 1 << 30;

fn shared() -> Option<PathBuf> {
    let root = match std::env::var_os("TPUSIM_SHARED") {
        Some(dir) => PathBuf::from(dir),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared"),
    };
    let dir = root.join("conformance/backcompat");
    dir.is_dir().then_some(dir)
}

/// `name: reason` lines; `#` starts a comment.
fn exceptions() -> HashMap<String, String> {
    include_str!("backcompat.exceptions")
        .lines()
        .map(str::trim)
        .filter(|l| !l.is_empty() && !l.starts_with('#'))
        .map(|l| {
            let (name, reason) = l.split_once(": ").expect("backcompat.exceptions: name: reason");
            (name.to_owned(), reason.to_owned())
        })
        .collect()
}

/// A batch of matrices (or of vectors, as matrices of one row) in complex f64.
struct Matrices {
    batch: usize,
    m: usize,
    n: usize,
    data: Vec<C>,
}

fn numbers(t: &Tensor) -> Vec<C> {
    use sim_core::ElementType as E;
    match t.element() {
        E::F32 => t.as_slice::<f32>().iter().map(|&x| C::new(x.into(), 0.0)).collect(),
        E::F64 => t.as_slice::<f64>().iter().map(|&x| C::new(x, 0.0)).collect(),
        E::C64 => t.as_slice::<Complex<f32>>().iter().map(|z| C::new(z.re.into(), z.im.into())).collect(),
        E::C128 => t.as_slice::<C>().to_vec(),
        _ => t.to_i64s().iter().map(|&x| C::new(x as f64, 0.0)).collect(),
    }
}

impl Matrices {
    fn of(t: &Tensor) -> Matrices {
        let [batch @ .., m, n] = t.shape() else { panic!("matrices, not shape {:?}", t.shape()) };
        Matrices { batch: batch.iter().product(), m: *m, n: *n, data: numbers(t) }
    }

    /// Vectors as the diagonals of m by n matrices.
    fn diagonal(t: &Tensor, m: usize, n: usize) -> Matrices {
        let [batch @ .., k] = t.shape() else { panic!("vectors, not a scalar") };
        let batch = batch.iter().product();
        let mut data = vec![C::new(0.0, 0.0); batch * m * n];
        for (i, &x) in numbers(t).iter().enumerate() {
            data[(i / k * m + i % k) * n + i % k] = x;
        }
        Matrices { batch, m, n, data }
    }

    fn times(&self, other: &Matrices) -> Matrices {
        let mut data = Vec::new();
        for b in 0..self.batch {
            for i in 0..self.m {
                for j in 0..other.n {
                    let at = |k: usize| self.data[(b * self.m + i) * self.n + k];
                    data.push((0..self.n).map(|k| at(k) * other.data[(b * other.m + k) * other.n + j]).sum());
                }
            }
        }
        Matrices { batch: self.batch, m: self.m, n: other.n, data }
    }

    fn adjoint(&self) -> Matrices {
        let mut data = Vec::new();
        for b in 0..self.batch {
            for j in 0..self.n {
                data.extend((0..self.m).map(|i| self.data[(b * self.m + i) * self.n + j].conj()));
            }
        }
        Matrices { batch: self.batch, m: self.n, n: self.m, data }
    }
}

/// Within `tolerance`, relative to the largest number there.
fn near(what: &str, got: &[C], want: &[C], tolerance: f64) -> Result<(), String> {
    if got.len() != want.len() {
        return Err(format!("{what}: {} elements, not {}", got.len(), want.len()));
    }
    let scale = want.iter().filter(|z| z.is_finite()).fold(1.0f64, |m, z| m.max(z.re.abs()).max(z.im.abs()));
    for (i, (a, b)) in got.iter().zip(want).enumerate() {
        let part =
            |x: f64, y: f64| x == y || (x.is_nan() && y.is_nan()) || (x - y).abs() <= tolerance * scale;
        if !part(a.re, b.re) || !part(a.im, b.im) {
            return Err(format!("{what}: element {i} is {a}, not {b}"));
        }
    }
    Ok(())
}

/// What JAX's test allows.
fn tolerance(t: &Tensor) -> f64 {
    use sim_core::ElementType as E;
    match t.element() {
        E::F64 | E::C128 => 1e-12,
        E::F32 | E::C64 => 3e-5,
        _ => 0.0,
    }
}

fn equal(what: &str, got: &Tensor, want: &Tensor) -> Result<(), String> {
    near(what, &numbers(got), &numbers(want), tolerance(want))
}

/// The columns of each matrix are orthonormal.
fn orthonormal(what: &str, t: &Tensor) -> Result<(), String> {
    let q = Matrices::of(t);
    let g = q.adjoint().times(&q);
    let one: Vec<C> =
        (0..g.data.len()).map(|at| C::new((at / g.n % g.n == at % g.n) as u8 as f64, 0.0)).collect();
    near(what, &g.data, &one, tolerance(t))
}

fn compare(name: &str, got: &[Tensor], want: &[Tensor]) -> Result<(), String> {
    let (outs, tol) = ([got, want], want.first().map_or(0.0, tolerance));
    let same =
        |what: &str, f: &dyn Fn(&[Tensor]) -> Matrices| near(what, &f(outs[0]).data, &f(outs[1]).data, tol);
    let m = Matrices::of;
    if name.contains("_eig_") {
        return eigenvectors(got, want);
    }
    if name.contains("_eigh_") || name.starts_with("tpu_Eigh") {
        orthonormal("v", &got[0])?;
        equal("w", &got[1], &want[1])?;
        return same("v w vᴴ", &|o| {
            let v = m(&o[0]);
            v.times(&Matrices::diagonal(&o[1], v.n, v.n)).times(&v.adjoint())
        });
    }
    if name.contains("_qr_") || name.starts_with("tpu_Qr") {
        orthonormal("q", &got[0])?;
        return same("q r", &|o| m(&o[0]).times(&m(&o[1])));
    }
    if name.contains("_schur_") {
        orthonormal("z", &got[1])?;
        return same("z t zᴴ", &|o| m(&o[1]).times(&m(&o[0])).times(&m(&o[1]).adjoint()));
    }
    if name.contains("_svd_") {
        orthonormal("u", &got[0])?;
        equal("s", &got[1], &want[1])?;
        return same("u s vᴴ", &|o| {
            let (u, vh) = (m(&o[0]), m(&o[2]));
            u.times(&Matrices::diagonal(&o[1], u.n, vh.m)).times(&vh)
        });
    }
    for (i, (g, w)) in got.iter().zip(want).enumerate() {
        equal(&format!("output {i}"), g, w)?;
    }
    Ok(())
}

/// Values, left and right vectors of `iota`, reshaped to a square: what all of these recordings took.
fn eigenvectors(got: &[Tensor], want: &[Tensor]) -> Result<(), String> {
    let tol = tolerance(&want[0]);
    let n = want[0].len();
    let sorted = |t: &Tensor| {
        let mut w = numbers(t);
        w.sort_by(|a, b| a.re.total_cmp(&b.re));
        w
    };
    // The double eigenvalue zero is known to the square root of the precision at best.
    near("w", &sorted(&got[0]), &sorted(&want[0]), tol.sqrt())?;
    let a = Matrices { batch: 1, m: n, n, data: (0..n * n).map(|x| C::new(x as f64, 0.0)).collect() };
    let (w, left, right) = (Matrices::diagonal(&got[0], n, n), Matrices::of(&got[1]), Matrices::of(&got[2]));
    let scale = 30.0; // The largest eigenvalue.
    near("a v", &a.times(&right).data, &right.times(&w).data, tol * scale)?;
    near("uᴴ a", &left.adjoint().times(&a).data, &w.times(&left.adjoint()).data, tol * scale)?;
    for v in [&left, &right] {
        let g = v.adjoint().times(v);
        let lengths: Vec<C> = (0..n).map(|i| g.data[i * n + i]).collect();
        near("lengths", &lengths, &vec![C::new(1.0, 0.0); n], tol)?;
    }
    Ok(())
}

fn arrays(archive: &mut Archive, prefix: &str, types: &[Type], ctx: &Ctx) -> Result<Vec<Tensor>, String> {
    types
        .iter()
        .enumerate()
        .map(|(i, ty)| {
            let name = format!("{prefix}{i}");
            let at = archive.entries().iter().position(|e| e.name == name);
            let at = at.ok_or_else(|| format!("there is no array {name}"))?;
            let ty = ty.as_tensor().ok_or_else(|| format!("{name} is {ty}"))?;
            archive.read(at, ty.element, ctx).map_err(|e| e.to_string())
        })
        .collect()
}

fn check(dir: &Path, name: &str, numerics: Numerics) -> Result<(), String> {
    let source = frontend::read_path(dir.join(format!("{name}.mlir"))).map_err(|e| e.to_string())?;
    let module = frontend::parse(&source).map_err(|e| e.to_string())?.remove(0);
    sim_core::ir::verify::verify_module(&module).map_err(|e| e.to_string())?;
    let options = RunOptions { numerics, ..RunOptions::default() };
    let exe = Executable::new(Arc::new(module), options).map_err(|e| e.to_string())?;
    let ctx = Ctx::new(numerics, LIMIT);
    let mut archive = Archive::open(&dir.join(format!("{name}.npz"))).map_err(|e| e.to_string())?;
    let (args, results) = exe.signature();
    let inputs = arrays(&mut archive, "in", args, &ctx)?;
    let want = arrays(&mut archive, "out", results, &ctx)?;
    let got = exe.run(&ctx, inputs).map_err(|e| e.to_string())?;
    let got: Vec<Tensor> =
        got.into_iter().map(Value::tensor).collect::<Result<_, _>>().map_err(|e| e.to_string())?;
    for (i, (g, w)) in got.iter().zip(&want).enumerate() {
        if g.shape() != w.shape() || g.element() != w.element() {
            return Err(format!("output {i} is {}, not {}", g.ty(), w.ty()));
        }
    }
    compare(name, &got, &want)
}

fn recordings(dir: PathBuf) -> Vec<Trial> {
    let index = std::fs::read_to_string(dir.join("index.json")).expect("index.json");
    let index: serde_json::Value = serde_json::from_str(&index).expect("index.json is JSON");
    let exceptions = Arc::new(exceptions());
    index
        .as_array()
        .expect("index.json is a list")
        .iter()
        .map(|entry| {
            let text = |key: &str| entry[key].as_str().expect("index.json: texts").to_owned();
            let (name, platform) = (text("name"), text("platform"));
            let (dir, exceptions) = (dir.clone(), exceptions.clone());
            let numerics = if platform == "tpu" { Numerics::tpu() } else { Numerics::ieee() };
            Trial::test(name.clone(), move || match (check(&dir, &name, numerics), exceptions.get(&name)) {
                (Ok(()), None) | (Err(_), Some(_)) => Ok(()),
                (Err(e), None) => Err(Failed::from(e)),
                (Ok(()), Some(_)) => {
                    Err("passes, but is listed in backcompat.exceptions: take it out".into())
                }
            })
        })
        .collect()
}

fn main() {
    let args = Arguments::from_args();
    let trials = match shared() {
        Some(dir) => recordings(dir),
        None => {
            eprintln!("SKIPPED: backcompat: no shared/conformance/backcompat (set TPUSIM_SHARED)");
            vec![Trial::test("shared data is absent", || Ok(())).with_ignored_flag(true)]
        }
    };
    libtest_mimic::run(&args, trials).exit();
}
