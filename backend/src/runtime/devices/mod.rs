//! Modules of several devices: how many they are for, whether they are divided among them already, how their
//! arguments and results lie, and the run of all devices at once.
//!
//! `num_partitions` and `replica_count` (`mhlo.num_partitions`, `mhlo.num_replicas`) say how many devices. The
//! same two counts stand in programs from before and from after the SPMD partitioner, and nothing in the text says
//! which it is. What is decided, by the first rule that applies ([`View`]):
//!
//! 1. One partition: every device runs the program on inputs of its own.
//! 2. The partitioner gives the entry a name that ends in `_spmd`: each device has its part.
//! 3. Custom calls to `Sharding` and their like, borders of manual regions, Shardy's operations: only a program
//!    from before the partitioner has them. Its shapes are global.
//! 4. A collective or `partition-id` outside of a manual region means that each device has its part.
//! 5. Arguments or results with shardings: global.
//! 6. Nothing of all that: each device runs all of it.
//!
//! A global program runs once, as on one device, which gives the same values. With manual regions in it, every
//! device computes the global part too, takes its shard at the border of a region and hands it back at the end:
//! see `ops::manual`.

mod check;

use super::world::{Member, Traffic, World};
use super::{Executable, HostTransfers, Outside, Process, Value};
use crate::plan::Program;
use crate::sharding::Sharding;
use ici::Grid;
use sim_core::ir::{Attr, Op};
use sim_core::{Ctx, Diagnostic, Result, Tensor};

/// What the shapes of a program are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// Of what one device has: the program is of one device, or was divided among them.
    PerDevice,
    /// Of whole arrays, which are yet to be divided among devices.
    Global,
}

/// How a program is laid out on devices.
#[derive(Clone, Debug)]
pub struct Placement {
    pub grid: Grid,
    pub view: View,
    /// By argument of the entry: how the global array lies on the partitions, if the program says.
    pub arguments: Vec<Option<Sharding>>,
    pub results: Vec<Option<Sharding>>,
    /// What the program says of its arguments and results, and is ignored.
    pub warnings: Vec<Diagnostic>,
    /// Every device has to run: the program holds manual regions, or is per device.
    lockstep: bool,
}

/// What came of a run of all devices.
#[derive(Clone, Debug, Default)]
pub struct DeviceOutputs {
    /// By device (`replica * partitions + partition`), then by result.
    pub outputs: Vec<Vec<Value>>,
    /// What collectives moved.
    pub traffic: Vec<Traffic>,
}

impl Placement {
    /// Does every device run the program by itself, because it holds manual regions or is of one device's shapes? If
    /// not it is run once, on whole arrays.
    pub fn runs_on_each(&self) -> bool {
        self.lockstep
    }

    /// On one device, nothing being said about arguments and results.
    pub(super) fn single() -> Placement {
        let grid = Grid { replicas: 1, partitions: 1 };
        let (arguments, results, warnings) = (Vec::new(), Vec::new(), Vec::new());
        Placement { grid, view: View::PerDevice, arguments, results, warnings, lockstep: false }
    }

    pub(super) fn of(program: &Program) -> Result<Placement> {
        let module = &program.module;
        let function = &program.entry().function;
        let count = |name: &str| match module.attrs.get(name).and_then(Attr::as_int) {
            None => Ok(None),
            Some(n) => usize::try_from(n).ok().filter(|&n| n > 0).map(Some).ok_or_else(|| {
                Diagnostic::invalid(format!("the module's {name} is {n}, and must be positive"))
            }),
        };
        let found = Found::of(program);
        let partitions = match count("mhlo.num_partitions")? {
            Some(n) => n,
            // Written by hand: the mesh of its manual computations says how many devices there are.
            None if found.manual => mesh_size(&module.meshes).unwrap_or(1),
            None => 1,
        };
        let grid = Grid { replicas: count("mhlo.num_replicas")?.unwrap_or(1), partitions };
        if grid.replicas.checked_mul(partitions).is_none() {
            return Err(Diagnostic::invalid("the module is for more devices than can be counted"));
        }
        check::operations(program, grid)?;
        let mut shardings =
            check::Shardings { function, meshes: &module.meshes, partitions, warnings: Vec::new() };
        let arguments = shardings.read("argument", &function.arg_attrs, &function.arg_types)?;
        let results = shardings.read("result", &function.result_attrs, &function.result_types)?;
        let warnings = shardings.warnings;
        let annotated = arguments.iter().chain(&results).any(Option::is_some);
        let view = match () {
            _ if partitions == 1 => View::PerDevice,
            _ if function.name.contains("_spmd") => View::PerDevice,
            _ if found.manual || found.annotations => View::Global,
            _ if found.collectives => View::PerDevice,
            _ if annotated => View::Global,
            _ => View::PerDevice,
        };
        let lockstep = grid.len() > 1 && (view == View::PerDevice || found.manual || grid.replicas > 1);
        Ok(Placement { grid, view, arguments, results, warnings, lockstep })
    }
}

fn mesh_size(meshes: &[sim_core::ir::Mesh]) -> Option<usize> {
    let sizes = meshes.iter().map(|m| {
        m.axes.iter().try_fold(1usize, |n, a| n.checked_mul(usize::try_from(a.1).ok()?)).filter(|&n| n > 0)
    });
    sizes.flatten().max()
}

/// Operations that tell where a program stands.
#[derive(Default)]
struct Found {
    manual: bool,
    annotations: bool,
    collectives: bool,
}

impl Found {
    fn of(program: &Program) -> Found {
        let mut found = Found::default();
        for op in program.functions.iter().flat_map(|f| &f.function.ops) {
            match &op.op {
                Op::SdyManualComputation => found.manual = true,
                Op::SdyShardingConstraint | Op::SdyReshard | Op::SdyShardingGroup => found.annotations = true,
                Op::CustomCall(c) => match super::custom_call::place_of(&c.target) {
                    Some(true) => found.manual = true,
                    Some(false) => found.annotations |= &*c.target != "annotate_device_placement",
                    None => {}
                },
                Op::PartitionId => found.collectives = true,
                op => found.collectives |= op.is_collective(),
            }
        }
        found
    }
}

impl Executable {
    /// How many devices the program is for, and how its values lie on them.
    pub fn placement(&self) -> &Placement {
        &self.placement
    }

    /// How many devices a run of all of them has.
    ///
    /// # Errors
    /// More than are simulated at once.
    pub fn devices_to_run(&self) -> Result<usize> {
        super::world::check_count(self.placement.grid)
    }

    /// Says how an argument or a result lies on the partitions, where the program does not.
    pub fn placement_mut(&mut self) -> &mut Placement {
        &mut self.placement
    }

    /// Runs all devices at once: `inputs[device]` are the arguments of that device, in order, of the shapes that a
    /// device has; devices count as `replica * partitions + partition`. Of a program with global shapes they are
    /// put together first, and its results are cut.
    ///
    /// # Errors
    /// Inputs that do not fit; whatever goes wrong first on one of the devices, which ends all others; a deadlock.
    pub fn run_devices(&self, ctx: &Ctx, inputs: Vec<Vec<Value>>) -> Result<DeviceOutputs> {
        self.run_devices_outside(ctx, inputs, &Outside::default())
    }

    /// As [`Executable::run_devices`], with a host that the program may talk to.
    ///
    /// # Errors
    /// The same, and those of the host.
    pub fn run_hosted(
        &self,
        ctx: &Ctx,
        inputs: Vec<Vec<Value>>,
        host: &dyn HostTransfers,
    ) -> Result<DeviceOutputs> {
        self.run_devices_outside(ctx, inputs, &Outside { host: Some(host), ..Outside::default() })
    }

    fn run_devices_outside(
        &self,
        ctx: &Ctx,
        inputs: Vec<Vec<Value>>,
        outside: &Outside<'_>,
    ) -> Result<DeviceOutputs> {
        let grid = self.placement.grid;
        if inputs.len() != grid.len() {
            return Err(Diagnostic::invalid(format!(
                "the program is for {}, and inputs of {} were given",
                devices_text(grid),
                inputs.len()
            )));
        }
        if self.placement.view == View::PerDevice {
            return self.lockstep(ctx, inputs, outside);
        }
        let mut by_replica = Vec::new();
        for row in inputs.chunks(grid.partitions) {
            by_replica.push(self.whole(ctx, row)?);
        }
        let run = self.run_global_outside(ctx, by_replica, outside)?;
        let mut outputs = Vec::new();
        for values in run.outputs {
            for partition in 0..grid.partitions {
                outputs.push(self.shards(ctx, &values, partition)?);
            }
        }
        Ok(DeviceOutputs { outputs, traffic: run.traffic })
    }

    /// Runs a program of [`View::Global`] on whole arrays, one list a replica, and gives whole results.
    ///
    /// # Errors
    /// As [`Executable::run_devices`]; the program is per device.
    pub fn run_global(&self, ctx: &Ctx, inputs: Vec<Vec<Value>>) -> Result<DeviceOutputs> {
        self.run_global_outside(ctx, inputs, &Outside::default())
    }

    fn run_global_outside(
        &self,
        ctx: &Ctx,
        inputs: Vec<Vec<Value>>,
        outside: &Outside<'_>,
    ) -> Result<DeviceOutputs> {
        let Placement { grid, view, lockstep, .. } = self.placement;
        if view == View::PerDevice && grid.partitions > 1 {
            return Err(Diagnostic::invalid(format!(
                "the program is divided among {}: it takes inputs of each",
                devices_text(grid)
            )));
        }
        if inputs.len() != grid.replicas {
            return Err(Diagnostic::invalid(format!(
                "the program has {} replicas, and inputs of {} were given",
                grid.replicas,
                inputs.len()
            )));
        }
        if !lockstep {
            let mut outputs = Vec::new();
            for values in inputs {
                outputs.push(self.run_one(ctx, values, outside)?);
            }
            return Ok(DeviceOutputs { outputs, traffic: Vec::new() });
        }
        let all =
            inputs.iter().flat_map(|values| (0..grid.partitions).map(move |_| values.clone())).collect();
        drop(inputs);
        let mut run = self.lockstep(ctx, all, outside)?;
        // All partitions of a replica have the same.
        let mut at = 0..;
        run.outputs.retain(|_| at.next().is_some_and(|i: usize| i.is_multiple_of(grid.partitions)));
        Ok(run)
    }

    fn lockstep(&self, ctx: &Ctx, inputs: Vec<Vec<Value>>, outside: &Outside<'_>) -> Result<DeviceOutputs> {
        let grid = self.placement.grid;
        for (device, values) in inputs.iter().enumerate() {
            self.check_inputs(values).map_err(|e| match grid.len() {
                1 => e,
                _ => e.note(format!("among the inputs of device {device}")),
            })?;
        }
        if grid.len() == 1 {
            let mut outputs = Vec::new();
            for values in inputs {
                outputs.push(self.run_one(ctx, values, outside)?);
            }
            return Ok(DeviceOutputs { outputs, traffic: Vec::new() });
        }
        let world = World::new(grid, true, &[])?;
        self.watch.start();
        let tasks: Vec<_> = inputs
            .into_iter()
            .map(|values| {
                move |member: &Member<'_>| {
                    Process::new(self, ctx, Some(member), outside).call(self.program.entry(), values, 0)
                }
            })
            .collect();
        let outputs = world.run(tasks)?;
        Ok(DeviceOutputs { outputs, traffic: world.traffic() })
    }

    /// The arguments of one replica as whole arrays.
    fn whole(&self, ctx: &Ctx, devices: &[Vec<Value>]) -> Result<Vec<Value>> {
        let (types, _) = self.signature();
        let mut out = Vec::new();
        for (i, ty) in types.iter().enumerate() {
            let parts: Option<Vec<&Value>> = devices.iter().map(|values| values.get(i)).collect();
            let parts = parts.ok_or_else(|| {
                Diagnostic::invalid(format!(
                    "the program takes {} inputs, and a device has fewer",
                    types.len()
                ))
            })?;
            let tensors: Vec<&Tensor> = match parts.iter().map(|v| v.as_tensor()).collect() {
                Ok(tensors) => tensors,
                Err(_) => {
                    out.extend(parts.first().map(|&v| v.clone()));
                    continue;
                }
            };
            let shape = ty.as_tensor().and_then(|t| t.static_dims());
            let whole = match (&self.placement.arguments[i], shape) {
                (Some(s), Some(shape)) => s.join(ctx, &tensors, &shape),
                _ => Sharding::Replicated.join(ctx, &tensors, tensors.first().map_or(&[], |t| t.shape())),
            };
            out.push(whole.map_err(|e| e.note(format!("putting together input {i}, {ty}")))?.into());
        }
        Ok(out)
    }

    /// What one partition has of the results.
    fn shards(&self, ctx: &Ctx, values: &[Value], partition: usize) -> Result<Vec<Value>> {
        let cut = |(value, sharding): (&Value, &Option<Sharding>)| match (value, sharding) {
            (Value::Tensor(t), Some(s)) => s.cut(ctx, t, partition).map(Value::Tensor),
            _ => Ok(value.clone()),
        };
        values.iter().zip(&self.placement.results).map(cut).collect()
    }
}

/// `8 devices (2 replicas of 4 partitions)`
pub fn devices_text(grid: Grid) -> String {
    let n = grid.len();
    match (grid.replicas, grid.partitions) {
        (1, 1) => "one device".to_owned(),
        (1, _) => format!("{n} devices ({n} partitions)"),
        (_, 1) => format!("{n} devices ({n} replicas)"),
        (r, p) => format!("{n} devices ({r} replicas of {p} partitions)"),
    }
}
