//! Runs of several devices: whose input is what, how their outputs are called, and what the report says of them.

use super::inputs::{Arguments, Inputs, parameter_names};
use super::report::Output;
use super::shapes::Shapes;
use backend::frontend::hlo::parse_sharding;
use backend::npy::Archive;
use backend::runtime::devices::{DeviceOutputs, Placement, View, devices_text};
use backend::runtime::{Executable, Traffic, Value};
use backend::sharding::Sharding;
use serde_json::{Value as Json, json};
use sim_core::ir::Function;
use sim_core::{Ctx, Diagnostic, Dim, Result, Tensor, Type};
use std::path::{Path, PathBuf};

/// Stands for the device's number in the names of files.
const DEVICE: &str = "{device}";

/// What the command line says of devices.
#[derive(clap::Args, Clone, Default)]
pub struct DeviceArgs {
    /// How a parameter (by name or argN) or an output (outN) lies on the devices, where the program does not say:
    /// HLO's text, such as 'x={devices=[8,1]<=[8]}' or 'out0={replicated}'
    #[arg(long = "sharding", value_name = "NAME=SHARDING", value_parser = parse)]
    shardings: Vec<(String, Sharding)>,
}

fn parse(text: &str) -> std::result::Result<(String, Sharding), String> {
    let (name, sharding) =
        text.split_once('=').ok_or("expected NAME=SHARDING, such as x={devices=[2,1]<=[2]}")?;
    let parsed = parse_sharding(sharding).and_then(|s| Sharding::from_hlo(&s, &[]));
    Ok((name.to_owned(), parsed.map_err(|e| e.message().to_owned())?))
}

/// The devices of a run, for the report.
#[derive(Default)]
pub struct DeviceReport {
    pub placement: Option<Placement>,
    pub traffic: Vec<Traffic>,
}

impl DeviceReport {
    /// `null` for a run of one device.
    pub fn json(&self) -> Json {
        let Some(p) = self.placement.as_ref().filter(|p| p.grid.len() > 1) else { return Json::Null };
        let collectives: Vec<Json> = self
            .traffic
            .iter()
            .map(|t| json!({ "operation": t.operation, "exchanges": t.exchanges, "bytes": t.bytes }))
            .collect();
        json!({
            "count": p.grid.len(),
            "replicas": p.grid.replicas,
            "partitions": p.grid.partitions,
            "shapes": match p.view { View::PerDevice => "per device", View::Global => "global" },
            "collectives": collectives,
        })
    }

    /// A line for people, if there is something to say.
    pub fn text(&self) -> Option<String> {
        let p = self.placement.as_ref().filter(|p| p.grid.len() > 1)?;
        let mut text = devices_text(p.grid);
        if p.view == View::Global && self.traffic.is_empty() {
            text.push_str(", not yet divided among them: run as one");
        }
        for (i, t) in self.traffic.iter().enumerate() {
            let times = if t.exchanges == 1 { "" } else { "s" };
            text.push_str(if i == 0 { "; " } else { ", " });
            text.push_str(&format!("{}: {} exchange{times} of {} bytes", t.operation, t.exchanges, t.bytes));
        }
        Some(text)
    }
}

impl DeviceArgs {
    /// Was nothing said?
    pub fn is_empty(&self) -> bool {
        self.shardings.is_empty()
    }

    /// Puts what was said in its place.
    ///
    /// # Errors
    /// A name of nothing; a sharding for another rank or number of devices.
    pub fn apply(&self, function: &Function, placement: &mut Placement) -> Result<()> {
        let names = parameter_names(function, None);
        let partitions = placement.grid.partitions;
        for (name, sharding) in &self.shardings {
            let number =
                |prefix: &str, n: usize| name.strip_prefix(prefix)?.parse::<usize>().ok().filter(|&i| i < n);
            let arguments = function.arg_types.len();
            let argument = names.iter().position(|n| n == name).or_else(|| number("arg", arguments));
            let (slot, ty) = if let Some(i) = argument {
                (&mut placement.arguments[i], &function.arg_types[i])
            } else if let Some(i) = number("out", function.result_types.len()) {
                (&mut placement.results[i], &function.result_types[i])
            } else {
                return Err(Diagnostic::invalid(format!(
                    "--sharding {name}=…: @{} has no parameter and no output of that name",
                    function.name
                ))
                .help(format!("its parameters are {}; its outputs out0, out1, …", names.join(", "))));
            };
            let rank = ty.as_tensor().map_or(0, |t| t.rank());
            sharding.check(rank, partitions).map_err(|e| e.note(format!("in --sharding {name}=…")))?;
            *slot = Some(sharding.clone());
        }
        Ok(())
    }
}

/// Is the program run on inputs of each device? Otherwise as on one.
pub fn many(placement: &Placement) -> bool {
    placement.grid.len() > 1 && (placement.view == View::PerDevice || placement.grid.replicas > 1)
}

/// `name.npz` of one device.
pub fn file_of(path: &Path, device: usize) -> PathBuf {
    path.to_string_lossy().replace(DEVICE, &device.to_string()).into()
}

pub fn is_per_device(path: &Path) -> bool {
    path.to_string_lossy().contains(DEVICE)
}

/// The inputs of all devices: by device, then in order.
///
/// # Errors
/// Inputs that do not fit.
pub fn inputs(
    exe: &Executable,
    function: &Function,
    source: &Inputs<'_>,
    sizes: &Shapes,
    ctx: &Ctx,
) -> Result<Vec<Vec<Value>>> {
    let placement = exe.placement();
    // Before anything is made for each of them.
    let devices = exe.devices_to_run()?;
    let on = |device: usize| move |e: Diagnostic| e.note(format!("among the inputs of device {device}"));
    if let Inputs::Recorded(partitions) = source
        && partitions.len() == devices
    {
        let one = |(d, values): (usize, &Vec<Tensor>)| {
            let source = Inputs::Recorded(vec![values.clone()]);
            Arguments::find(function, None, &source, sizes).and_then(|a| a.values(ctx)).map_err(on(d))
        };
        return partitions.iter().enumerate().map(one).collect();
    }
    if let Inputs::File(path) = source {
        if is_per_device(path) {
            return (0..devices)
                .map(|d| {
                    let path = file_of(path, d);
                    Arguments::find(function, None, &Inputs::File(&path), sizes)?.values(ctx).map_err(on(d))
                })
                .collect();
        }
        if Archive::open(path)?.entries().iter().any(|e| e.name.starts_with("device0/")) {
            return (0..devices)
                .map(|d| {
                    let prefix = format!("device{d}/");
                    let found = Arguments::find(function, None, &Inputs::Part(path, &prefix), sizes);
                    found.and_then(|a| a.values(ctx)).map_err(on(d))
                })
                .collect();
        }
    }
    // Global arrays: those that are not cut have the shape of a device's.
    let mut global = function.clone();
    if placement.view == View::PerDevice {
        for (ty, sharding) in global.arg_types.iter_mut().zip(&placement.arguments) {
            if let (Some(t), Some(s)) = (ty.as_tensor(), sharding)
                && let Some(dims) = t.static_dims()
            {
                let mut t = t.clone();
                let whole = s.global_shape(&dims);
                for ((d, &n), &part) in t.dims.iter_mut().zip(&whole).zip(&dims) {
                    // A tile that was filled up came of a smaller array.
                    *d = if n == part || matches!(source, Inputs::Random(_) | Inputs::Zeros) {
                        Dim::Static(n as i64)
                    } else {
                        Dim::Dynamic
                    };
                }
                *ty = t.into();
            }
        }
    }
    let whole = Arguments::find(&global, None, source, sizes)
        .map_err(|e| {
            let e = e.note(format!(
                "the program is for {}: these are inputs for all of them",
                devices_text(placement.grid)
            ));
            if placement.view == View::Global {
                return e;
            }
            e.note(
                "where --sharding says how a parameter lies on the devices, it takes a global array; \
                 device0/arg0, device1/arg0, … give each device its own",
            )
        })?
        .values(ctx)?;
    let mut out: Vec<Vec<Value>> = Vec::with_capacity(devices);
    for device in 0..devices {
        let partition = placement.grid.process(device).partition;
        let mut values = Vec::with_capacity(whole.len());
        for (i, value) in whole.iter().enumerate() {
            values.push(match (value, &placement.arguments[i], source) {
                (Value::Tensor(t), Some(s), _) if *s != Sharding::Manual => {
                    if placement.view == View::Global {
                        values.push(s.cut(ctx, t, partition)?.into());
                        continue;
                    }
                    part(t, s, &function.arg_types[i], partition, ctx)
                        .map_err(|e| e.note(format!("in input {i}")))?
                }
                // Of its own: device 0 has what a run of one device would have.
                (Value::Tensor(t), _, Inputs::Random(seed))
                    if device > 0 && placement.view == View::PerDevice =>
                {
                    let ty = function.arg_types[i].as_tensor();
                    let ty = ty.ok_or_else(|| Diagnostic::invalid("an input that is no tensor"))?;
                    let number = device.saturating_mul(whole.len()).saturating_add(i);
                    crate::values::random::tensor(ty, t.shape(), *seed, number, ctx)?.into()
                }
                (value, ..) => value.clone(),
            });
        }
        out.push(values);
    }
    Ok(out)
}

fn part(whole: &Tensor, sharding: &Sharding, ty: &Type, partition: usize, ctx: &Ctx) -> Result<Value> {
    let wanted = ty.as_tensor().and_then(|t| t.static_dims()).unwrap_or_default();
    if !sharding.makes(whole.shape(), &wanted) {
        return Err(Diagnostic::invalid(format!(
            "an array of shape {:?} lies on the devices in parts of {:?}, and the program takes {ty}",
            whole.shape(),
            sharding.shard_shape(whole.shape())
        )));
    }
    sharding.cut(ctx, whole, partition).map(Value::Tensor)
}

/// Outputs by name: put together where it is known how they lie (`out0`), else `device0/out0`, `device1/out0`, ….
/// Of several replicas each has its own.
///
/// # Errors
/// The memory budget is exceeded.
pub fn outputs(
    placement: &Placement,
    run: &DeviceOutputs,
    types: &[Type],
    apart: bool,
    ctx: &Ctx,
    name: impl Fn(&[Value], &[Type]) -> Vec<Output>,
) -> Result<Vec<Output>> {
    let mut joined: Vec<Option<Value>> = vec![None; types.len()];
    if placement.grid.replicas == 1 && !apart {
        for (i, slot) in joined.iter_mut().enumerate() {
            let Some(sharding) = placement.results[i].as_ref().filter(|s| **s != Sharding::Manual) else {
                continue;
            };
            let parts =
                run.outputs.iter().map(|values| values[i].as_tensor()).collect::<Result<Vec<&Tensor>>>();
            let Ok(parts) = parts else { continue };
            let shape = parts.first().map_or_else(Vec::new, |t| sharding.global_shape(t.shape()));
            *slot = Some(sharding.join(ctx, &parts, &shape)?.into());
        }
    }
    let mut out = Vec::new();
    // Numbers are of all results; those of the other kind are skipped as tokens are.
    let only = |values: &[Value], whole: bool| -> Vec<Value> {
        let keep = |(value, joined): (&Value, &Option<Value>)| match (joined, whole) {
            (Some(joined), true) => joined.clone(),
            (None, false) => value.clone(),
            _ => Value::Token,
        };
        values.iter().zip(&joined).map(keep).collect()
    };
    if let Some(first) = run.outputs.first() {
        // As declared, a whole would have the type of a part.
        out.extend(name(&only(first, true), &[]));
    }
    for (device, values) in run.outputs.iter().enumerate() {
        for mut output in name(&only(values, false), types) {
            output.name = format!("device{device}/{}", output.name);
            out.push(output);
        }
    }
    Ok(out)
}
