//! The kinds of rows, by the words that benchmarks call them.

use super::models::{cache, step};
use super::text::{any, bytes, count, leading, named, shapes};
use super::{Class, Measured, OutOfScope, Part, Quantity, Workload, out};
use crate::program::{self, Chained, Model, Program, Unary};
use crate::row::Row;
use crate::stablehlo::{Array, Element, array};
use sim_core::chip::Chip;

/// Steps of the shorter of two chains whose difference gives the time of a step; the other has twice as many.
const CHAIN: u64 = 64;

/// What all kinds need of a row.
pub(super) struct Asked<'a> {
    pub row: &'a Row,
    /// Its workload in lower case.
    pub workload: &'a str,
    chip: &'static Chip,
}

pub(super) type Answer = Result<Workload, OutOfScope>;

pub(super) fn workload(row: &Row, workload: &str, chip: &'static Chip) -> Answer {
    let r = Asked { row, workload, chip };
    let product = any(workload, &["gemm", "matmul"]);
    if workload.contains("copy-done") {
        prefetch(&r)
    } else if any(workload, &[" step", "class time"]) && Model::named(workload).is_some() {
        step(&r)
    } else if workload.contains("decode variant") {
        cache(&r)
    } else if product && any(workload, &["chained", "chain"]) {
        chained_product(&r)
    } else if product {
        one_product(&r)
    } else if any(workload, &["gather", "jnp.take"]) {
        gather(&r)
    } else if any(workload, &["norm"]) {
        norm(&r)
    } else if any(workload, &["copy", "stream", "triad"]) {
        stream(&r)
    } else if any(workload, &["elementwise", "x+1"]) {
        elementwise(&r)
    } else {
        out("no program is known for such a row: what ran is not said, or is a whole application")
    }
}

impl Asked<'_> {
    /// The elements of its arrays.
    pub(super) fn element(&self) -> Result<Element, OutOfScope> {
        match Element::named(&self.row.dtype) {
            Some(element) => Ok(element),
            // The benchmark's repository has float16 in every configuration of two-dimensional kernels.
            None if self.row.dtype == "see repo" && self.row.source.contains("SCALE-SIM_Validation") => {
                Ok(Element::F16)
            }
            None => out(format!("the element type is not one that is known (`{}`)", self.row.dtype)),
        }
    }

    /// Was a clock on the host read?
    fn wall(&self) -> bool {
        let row = self.row;
        any(&row.metric.to_ascii_lowercase(), &["wall", "host"])
            || any(self.workload, &["wall", "host timing"])
            || row.unit.contains("wall clock")
    }

    /// The host's time for one call, where it was measured with the program.
    pub(super) fn floor(&self) -> f64 {
        if self.wall() { self.chip.units().host.dispatch_us } else { 0.0 }
    }

    pub(super) fn quantity(&self, flops: Option<f64>, bytes: Option<f64>) -> Result<Quantity, OutOfScope> {
        let unit = &self.row.unit;
        match Quantity::of(unit, flops, bytes, peak_tflops(self.chip)) {
            Some(quantity) => Ok(quantity),
            None => out(format!("not a time, nor work over a time that is known here (`{unit}`)")),
        }
    }

    fn one(&self, class: Class, program: Program, flops: Option<f64>, bytes: Option<f64>) -> Answer {
        let parts = vec![Part { program, times: 1.0, measured: Measured::Whole }];
        self.made(class, parts, self.floor(), self.quantity(flops, bytes)?)
    }

    pub(super) fn made(&self, class: Class, parts: Vec<Part>, floor_us: f64, quantity: Quantity) -> Answer {
        let chip = self.chip.name.clone();
        Ok(Workload { chip, class, parts, floor_us, quantity, reference: Vec::new(), note: None })
    }

    /// A step of a chain: the difference of two lengths, or one call's share where a row says of how many steps it was.
    pub(super) fn chain(
        &self,
        class: Class,
        flops: Option<f64>,
        bytes: Option<f64>,
        of: impl Fn(u64) -> Program,
    ) -> Answer {
        let part = |length, times| Part { program: of(length), times, measured: Measured::Whole };
        let (parts, floor) = match self.steps_of_one_call() {
            Some(length) => {
                let share = 1.0 / length as f64;
                (vec![part(length, share)], self.chip.units().host.dispatch_us * share)
            }
            None => (vec![part(2 * CHAIN, 1.0 / CHAIN as f64), part(CHAIN, -1.0 / CHAIN as f64)], 0.0),
        };
        self.made(class, parts, floor, self.quantity(flops, bytes)?)
    }

    /// `chained x16 (per GEMM)`, `(chain 8: ~14us host floor included)`.
    fn steps_of_one_call(&self) -> Option<u64> {
        let source = &self.row.source;
        let (_, after) = self.workload.split_once("chained x").or_else(|| {
            let floor = any(source, &["floor included", "host floor per step"]);
            source.split_once("chain ").filter(|_| floor)
        })?;
        leading(after).filter(|n| *n > 0)
    }
}

/// The published peak of a device in bf16, which benchmarks divide by. (The chip's own clock may be lower than the one it is of.)
fn peak_tflops(chip: &Chip) -> Option<f64> {
    let chip_peak = match chip.name.as_str() {
        "v4" => 275.0,
        "v5e" => 197.0,
        "v5p" => 459.0,
        "v6e" => 918.0,
        "v7x" => 2307.0,
        _ => return None,
    };
    Some(chip_peak / chip.units().chip.devices.max(1) as f64)
}

/// `m x k x n` of a row of products.
fn mkn(r: &Asked) -> Result<[u64; 3], OutOfScope> {
    let shape = &r.row.shape;
    let by_name = ["M", "K", "N"].map(|k| named(shape, k));
    let found = match (by_name, &shapes(shape)[..]) {
        ([Some(m), Some(k), Some(n)], _) => Some([m, k, n]),
        (_, [a, b]) if a.len() == 2 && b.len() == 2 && a[1] == b[0] => Some([a[0], a[1], b[1]]),
        // JAX's documents call it m x k x n, everybody else m x n x k.
        (_, [s]) if s.len() == 3 && r.row.source.starts_with("jax-ml/jax") => Some([s[0], s[1], s[2]]),
        (_, [s]) if s.len() == 3 => Some([s[0], s[2], s[1]]),
        _ => None,
    };
    match found.filter(|s| s.iter().all(|&d| d > 0)) {
        Some(found) => Ok(found),
        None => out(format!("the shape is not stated (`{shape}`)")),
    }
}

fn flops([m, k, n]: [u64; 3]) -> f64 {
    2.0 * m as f64 * k as f64 * n as f64
}

fn one_product(r: &Asked) -> Answer {
    if any(r.workload, &["sparse", "block-masked"]) {
        return out("a Pallas kernel");
    }
    let (mkn, element) = (mkn(r)?, r.element()?);
    let class = Class::of_product(mkn[0]);
    let of = || {
        if any(r.workload, &["mask"]) {
            program::masked_product(element, mkn)
        } else if r.workload.contains("relu") {
            program::product_relu(element, mkn)
        } else if r.workload.contains("gemm_multiple_run") {
            program::product_in_f32(element, mkn)
        } else {
            program::product(element, mkn)
        }
    };
    if r.workload.contains("fusion device time") {
        // The kernel alone, from a trace. Where there is CMEM, both operands were in it before the kernel began.
        let (program, measured) = match r.chip.units().cmem.bytes {
            0 => (of(), Measured::Kernels),
            _ => (of().with_operands_on_chip(), Measured::OnChip),
        };
        let parts = vec![Part { program, times: 1.0, measured }];
        return r.made(class, parts, 0.0, r.quantity(Some(flops(mkn)), None)?);
    }
    let limit = scoped_vmem(r.workload);
    let limited = match limit {
        Some(kib) => of().with_scoped_vmem(kib),
        None => of(),
    };
    if r.row.metric == "speed_ratio" && r.row.unit.contains("default") && limit.is_some() {
        let part = |program| vec![Part { program, times: 1.0, measured: Measured::Whole }];
        let mut made = r.made(class, part(limited), 0.0, Quantity::SpeedUp)?;
        made.reference = part(of());
        return Ok(made);
    }
    r.one(class, limited, Some(flops(mkn)), None)
}

/// `xla_tpu_scoped_vmem_limit_kib=65536`, `scoped vmem 65536 KiB`
fn scoped_vmem(workload: &str) -> Option<u64> {
    ["scoped_vmem_limit_kib=", "scoped vmem ", "scoped_vmem="]
        .iter()
        .find_map(|before| leading(workload.split_once(before)?.1))
}

fn chained_product(r: &Asked) -> Answer {
    let (mkn, element) = (mkn(r)?, r.element()?);
    r.chain(Class::of_product(mkn[0]), Some(flops(mkn)), None, |length| {
        program::chained_product(element, mkn, length)
    })
}

/// An argument's copy to on-chip memory before the kernel that reads it.
fn prefetch(r: &Asked) -> Answer {
    let element = r.element()?;
    let Some(size) = bytes(&r.row.shape) else { return out("the size is not stated") };
    // Traces count the copy's descriptor of 24 bytes too. A matrix of at least 128 columns that is about square.
    let count = (size - 24.0).max(0.0) as u64 / element.bytes();
    let mut columns = 128;
    while columns * columns < count && count.is_multiple_of(2 * columns) {
        columns *= 2;
    }
    if count == 0 || !count.is_multiple_of(columns) {
        return out(format!("{size} bytes are no matrix of whole tiles"));
    }
    let program = program::product(element, [count / columns, columns, 128]);
    let parts = vec![Part { program, times: 1.0, measured: Measured::Copies }];
    r.made(Class::Copy, parts, 0.0, r.quantity(None, Some(size))?)
}

/// The type of a row's arrays: `(320,640)`, `4096x128`, `n=1048576`, `268435456 elements`.
fn arrays(r: &Asked, element: Element) -> Result<Array, OutOfScope> {
    let shape = &r.row.shape;
    let dims = shapes(shape)
        .into_iter()
        .next()
        .or_else(|| count(shape, "elements").or_else(|| named(r.workload, "n")).map(|n| vec![n]))
        .or_else(|| bytes(shape).map(|b| vec![b as u64 / element.bytes()]))
        .or_else(|| {
            let dims: Vec<u64> = ["B", "S", "D"].iter().filter_map(|k| named(shape, k)).collect();
            (dims.len() == 3).then_some(dims)
        });
    match dims.filter(|d| d.iter().all(|&n| n > 0)) {
        Some(dims) => Ok(array(&dims, element)),
        None => out(format!("the shape is not stated (`{shape}`)")),
    }
}

fn size(of: &Array) -> f64 {
    of.dims.iter().map(|&d| d as f64).product::<f64>() * of.element.bytes() as f64
}

fn elementwise(r: &Asked) -> Answer {
    let of = arrays(r, r.element()?)?;
    let one = size(&of);
    if r.workload.contains("x+1") {
        return r.one(Class::ElementwiseHbm, program::add_one(&of), None, Some(2.0 * one));
    }
    let words: Vec<&str> = r.workload.split([' ', '(', ',']).collect();
    let binary = [("add", "add"), ("mul", "multiply"), ("sub", "subtract"), ("div", "divide")]
        .into_iter()
        .find_map(|(word, op)| words.contains(&word).then_some(op));
    let unary = words.iter().find_map(|w| Unary::named(w));
    let on_trace = words.contains(&"device") && r.row.source.contains("SCALE-SIM_Validation");
    // A row of a chain is a device's time of a step; a single call is a wall time, or one kernel's of a trace.
    if r.wall() || on_trace {
        let (program, arrays) = match (binary, unary) {
            (Some(op), _) => (program::add(op, &of), 3.0),
            (_, Some(op)) => (program::map(op, &of), 2.0),
            _ => return out("no program is known for this operation"),
        };
        // The products of the same source have their operands there.
        let on_chip = on_trace && r.chip.units().cmem.bytes > 0;
        let program = if on_chip { program.with_operands_on_chip() } else { program };
        let mut made = r.one(Class::ElementwiseHbm, program, None, Some(arrays * one))?;
        if on_trace {
            made.parts[0].measured = if on_chip { Measured::OnChip } else { Measured::Kernels };
        }
        return Ok(made);
    }
    let (what, arrays, class) = if any(r.workload, &["reduce", "read only", "read_only"]) {
        (Chained::Read, 1.0, Class::Reduction)
    } else {
        let fits = 2.0 * one <= r.chip.units().vmem.bytes as f64;
        let class = if fits { Class::ElementwiseVmem } else { Class::ElementwiseHbm };
        match (binary, unary) {
            (Some("add"), _) => (Chained::Add, 3.0, class),
            (_, Some(Unary::Exp)) => (Chained::Exp, 2.0, class),
            _ => return out("no program is known for a chain of this operation"),
        }
    };
    r.chain(class, None, Some(arrays * one), |length| program::chained(what, &of, length))
}

/// Copies and streams from HBM, in one call.
fn stream(r: &Asked) -> Answer {
    let element = r.element()?;
    // `2-stream copy` and `3-stream` rows state what all arrays move, the others the size of one.
    let total = [("2-stream", 2.0), ("3-stream", 3.0)].into_iter().find(|(w, _)| r.workload.contains(w));
    let of = match total {
        Some((_, arrays)) => match bytes(&r.row.shape) {
            // Rounded to gigabytes with four decimals: the next whole number of 2^20 elements.
            Some(all) => {
                let count = all / arrays / element.bytes() as f64 / 1_048_576.0;
                array(&[(count.round().max(1.0) * 1_048_576.0) as u64], element)
            }
            None => return out("the size is not stated"),
        },
        None => arrays(r, element)?,
    };
    let one = size(&of);
    if r.workload.contains("triad") {
        r.one(Class::ElementwiseHbm, program::triad(&of), None, Some(3.0 * one))
    } else if r.workload.contains("scale") {
        r.one(Class::ElementwiseHbm, program::scale(&of), None, Some(2.0 * one))
    } else if r.workload.contains("3-stream") {
        r.one(Class::ElementwiseHbm, program::add("add", &of), None, Some(3.0 * one))
    } else {
        r.one(Class::Copy, program::copy(&of), None, Some(2.0 * one))
    }
}

fn norm(r: &Asked) -> Answer {
    let of = arrays(r, r.element()?)?;
    let bytes = Some(2.0 * size(&of));
    if any(r.workload, &["layer_norm", "layernorm", "layer norm"]) {
        r.one(Class::Reduction, program::layer_norm(&of), None, bytes)
    } else if any(r.workload, &["rmsnorm", "rms_norm", "rms norm"]) {
        r.one(Class::Reduction, program::rms_norm(&of), None, bytes)
    } else {
        out("no program is known for this norm")
    }
}

fn gather(r: &Asked) -> Answer {
    let table = arrays(r, r.element()?)?;
    let Some(count) = count(&r.row.shape, "indices").filter(|_| table.dims.len() == 2) else {
        return out("the number of indices is not stated");
    };
    let bytes = count as f64 * table.dims[1] as f64 * table.element.bytes() as f64;
    // The benchmark's clock is the host's.
    r.one(Class::Copy, program::gather(&table, count), None, Some(2.0 * bytes))
}
