//! Programs of several devices: all of them run in one process, in lockstep.
//!
//! * `collectives`: each operation, in each of its forms
//! * `errors`: what cannot work ends with a message, on all devices
//! * `global`: programs with global shapes and manual regions
//! * `jax`: JAX on as many devices of its CPU backend as the reference
//! * `misfits`: what names devices that are not there
//! * `slices`: `collective-permute` in place
//! * `shared`: programs that XLA has partitioned for 4 to 256 chips

mod collectives;
mod errors;
mod global;
mod jax;
mod misfits;
mod shared;
mod slices;

use backend::frontend::{Source, parse};
use backend::runtime::devices::DeviceOutputs;
use backend::runtime::{Executable, RunOptions, Value};
use sim_core::{Ctx, Numerics, Result, Tensor};
use std::sync::Arc;

fn ctx() -> Ctx {
    Ctx::new(Numerics::ieee(), 4 << 30)
}

fn executable(name: &str, text: &str) -> Result<Executable> {
    let mut modules = parse(&Source::from_bytes(name, text.as_bytes()))?;
    let module = Arc::new(modules.remove(0));
    sim_core::ir::verify::verify_module(&module)?;
    Executable::new(module, RunOptions { numerics: Numerics::ieee(), ..RunOptions::default() })
}

fn values(tensors: Vec<Tensor>) -> Vec<Value> {
    tensors.into_iter().map(Value::Tensor).collect()
}

fn tensors(values: Vec<Value>) -> Vec<Tensor> {
    values.into_iter().filter_map(|v| v.tensor().ok()).collect()
}

/// Runs all devices of a text, HLO or StableHLO.
fn run(text: &str, inputs: Vec<Vec<Tensor>>) -> Result<DeviceOutputs> {
    let exe = executable("test", text)?;
    exe.run_devices(&ctx(), inputs.into_iter().map(values).collect())
}

/// The same, with one output of integers a device.
fn run_ints(text: &str, inputs: &[Vec<i32>], shape: &[usize]) -> Vec<Vec<i32>> {
    let inputs = inputs.iter().map(|x| vec![Tensor::from_slice(shape, x)]).collect();
    let run = run(text, inputs).unwrap_or_else(|e| panic!("{e}\n{text}"));
    run.outputs.into_iter().map(|out| tensors(out)[0].as_slice::<i32>().to_vec()).collect()
}

/// A module of HLO for `replicas` times `partitions` devices, with an `add` to reduce with.
fn hlo(replicas: usize, partitions: usize, body: &str) -> String {
    format!(
        "HloModule m, replica_count={replicas}, num_partitions={partitions}\n\n\
         add {{\n  a = s32[] parameter(0)\n  b = s32[] parameter(1)\n  ROOT c = s32[] add(a, b)\n}}\n\n{body}\n"
    )
}
