//! A program on its devices: what it takes to run it, and the run.

use super::buffer::{Buffer, Slot};
use super::device::Client;
use super::event::Event;
use super::options::DeviceAssignment;
use super::program::{Donation, Port, Program};
use super::queue::DeviceSet;
use super::status::{Code, Result, Status};
use crate::runtime::{HostTransfers, Value, on_this_stack};
use sim_core::Tensor;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The host's side of one run, kept until the run is over.
pub type Host = Box<dyn HostTransfers + Send + Sync>;

/// Clones share the program.
#[derive(Clone)]
pub struct Loaded(Arc<Inner>);

struct Inner {
    program: Arc<Program>,
    client: Client,
    /// Places in the topology's list, by `replica * partitions + partition`.
    devices: Vec<usize>,
    set: DeviceSet,
    deleted: AtomicBool,
}

/// What a run is given.
pub struct Launch<'a> {
    /// By device, in the order of [`Loaded::devices`], and by argument.
    pub arguments: Vec<Vec<&'a Buffer>>,
    /// Arguments that are kept, whatever the program says.
    pub keep: Vec<usize>,
    pub host: Option<Host>,
    /// Where somebody's Python asked for the run.
    pub location: Option<String>,
    /// For programs of one device that are compiled for no device in particular.
    pub on: Option<usize>,
}

/// What a run gives: at once, however long it takes.
pub struct Launched {
    /// By device and by result.
    pub results: Vec<Vec<Buffer>>,
    /// By device: the run is over.
    pub done: Vec<Event>,
}

/// A result, and where its value will be put.
type Place = (Buffer, Arc<Slot>);

/// A run on its way.
struct Run {
    loaded: Loaded,
    arguments: Vec<Vec<Arc<Slot>>>,
    results: Vec<Vec<Arc<Slot>>>,
    done: Event,
    /// With the devices of the run.
    host: Option<(Host, DeviceSet)>,
    location: Option<String>,
}

impl Loaded {
    /// # Errors
    /// The device assignment names devices that there are not, or the machine has too few.
    pub fn new(client: &Client, program: Arc<Program>) -> Result<Loaded> {
        let n = program.grid.len();
        let ids: Vec<i64> = match &program.options.device_assignment {
            Some(assignment) => assignment.ids().to_vec(),
            None => (0..n as i64).collect(),
        };
        if ids.len() != n {
            return Err(Status::invalid(format!(
                "the device assignment names {} devices, and the program is for {n}",
                ids.len()
            )));
        }
        let mut devices = Vec::with_capacity(n);
        for id in ids {
            let device = client.device_by_id(id).ok_or_else(|| {
                Status::invalid(format!(
                    "the program is for device {id}, and {} has {} devices\n  help: simulate a larger machine, such as TPUSIM_TOPOLOGY=v5e:2x4",
                    client.topology().name(),
                    client.device_count()
                ))
            })?;
            if devices.contains(&device) {
                return Err(Status::invalid(format!("the device assignment names device {id} twice")));
            }
            devices.push(device);
        }
        let set = devices.iter().copied().collect();
        let deleted = AtomicBool::new(false);
        Ok(Loaded(Arc::new(Inner { program, client: client.clone(), devices, set, deleted })))
    }

    pub fn program(&self) -> &Arc<Program> {
        &self.0.program
    }

    /// Ids of devices, by replica and partition.
    pub fn device_assignment(&self) -> DeviceAssignment {
        let devices = &self.0.client.topology().devices;
        let ids: Vec<i64> = self.0.devices.iter().map(|&d| devices[d].id).collect();
        let grid = self.0.program.grid;
        DeviceAssignment::new(grid.replicas, grid.partitions, ids)
    }

    /// Places in the topology's list, by `replica * partitions + partition`.
    pub fn devices(&self) -> &[usize] {
        &self.0.devices
    }

    /// From here on it runs no more.
    pub fn delete(&self) {
        self.0.deleted.store(true, Ordering::Relaxed);
    }

    pub fn is_deleted(&self) -> bool {
        self.0.deleted.load(Ordering::Relaxed)
    }

    /// Starts a run. Its results are there at once, and their values when the devices come to it.
    ///
    /// # Errors
    /// Arguments that do not fit, were deleted, or would be donated twice; the memory for results is full.
    pub fn launch(&self, mut launch: Launch<'_>) -> Result<Launched> {
        let mut location = launch.location.take();
        self.start(launch, &mut location).map_err(|e| in_call(e, location.as_deref()))
    }

    /// `location` goes with the run, once there is one.
    fn start(&self, launch: Launch<'_>, location: &mut Option<String>) -> Result<Launched> {
        let inner = &*self.0;
        if self.is_deleted() {
            return Err(Status::new(Code::FailedPrecondition, "the executable was deleted"));
        }
        let moved;
        let (devices, set): (&[usize], &DeviceSet) = match launch.on {
            Some(device) if inner.devices.len() == 1 => {
                moved = ([device], std::iter::once(device).collect::<DeviceSet>());
                (&moved.0, &moved.1)
            }
            Some(_) => {
                return Err(Status::invalid("a program for several devices cannot run on one of them"));
            }
            None => (&inner.devices, &inner.set),
        };
        self.check(devices, &launch)?;
        let program = &inner.program;
        let donated = |i: usize| if launch.keep.contains(&i) { Donation::Kept } else { program.donations[i] };
        let in_place: Vec<Option<usize>> = {
            let mut by_result = vec![None; program.results.len()];
            for i in 0..program.parameters.len() {
                if let Donation::Becomes(result) = donated(i) {
                    by_result[result] = Some(i);
                }
            }
            by_result
        };
        // What can fail comes first: a donated argument cannot be given back.
        let mut rows: Vec<Vec<Option<Place>>> = Vec::with_capacity(devices.len());
        for &device in devices {
            let fresh = |(port, donor): (&Port, &Option<usize>)| match donor {
                Some(_) => Ok(None),
                None => Buffer::pending(port.ty.clone(), inner.client.memory(device, port.kind)).map(Some),
            };
            rows.push(program.results.iter().zip(&in_place).map(fresh).collect::<Result<_>>()?);
        }
        let mut arguments: Vec<Vec<Arc<Slot>>> = Vec::with_capacity(devices.len());
        for row in &launch.arguments {
            let slot =
                |(i, b): (usize, &&Buffer)| if donated(i).is_donated() { b.donate() } else { b.slot() };
            arguments.push(row.iter().enumerate().map(slot).collect::<Result<_>>()?);
        }
        let mut launched = Launched { results: Vec::with_capacity(devices.len()), done: Vec::new() };
        let mut slots = Vec::with_capacity(devices.len());
        for ((row, &device), taken) in rows.into_iter().zip(devices).zip(&arguments) {
            let (mut buffers, mut made) = (Vec::with_capacity(row.len()), Vec::with_capacity(row.len()));
            for ((cell, port), donor) in row.into_iter().zip(&program.results).zip(&in_place) {
                let (buffer, slot) = match (cell, donor) {
                    (Some(fresh), _) => fresh,
                    (None, Some(i)) => {
                        let memory = inner.client.memory(device, port.kind);
                        Buffer::in_place_of(&taken[*i], port.ty.clone(), memory)?
                    }
                    (None, None) => return Err(Status::internal("a result without a place")),
                };
                buffers.push(buffer);
                made.push(slot);
            }
            launched.results.push(buffers);
            slots.push(made);
        }
        let done = Event::new();
        launched.done = vec![done.clone(); devices.len()];
        let run = Run {
            loaded: self.clone(),
            arguments,
            results: slots,
            done,
            host: launch.host.map(|host| (host, set.clone())),
            location: location.take(),
        };
        run.start(set);
        Ok(launched)
    }

    fn check(&self, devices: &[usize], launch: &Launch<'_>) -> Result<()> {
        let program = &self.0.program;
        let parameters = &program.parameters;
        if launch.arguments.len() != devices.len() {
            return Err(Status::invalid(format!(
                "the program runs on {} devices, and arguments of {} were given",
                devices.len(),
                launch.arguments.len()
            )));
        }
        for (row, &device) in launch.arguments.iter().zip(devices) {
            if row.len() != parameters.len() {
                return Err(Status::invalid(format!(
                    "the program takes {} arguments, and {} were given",
                    parameters.len(),
                    row.len()
                )));
            }
            for (i, (buffer, port)) in row.iter().zip(parameters).enumerate() {
                if !Arc::ptr_eq(&buffer.ty, &port.ty)
                    && (buffer.ty.element != port.ty.element || buffer.ty.dims != port.ty.dims)
                    && !port.token
                {
                    return Err(Status::invalid(format!(
                        "argument {i} is {}, and a buffer of {} was given",
                        port.ty.text, buffer.ty.text
                    )));
                }
                if buffer.memory.device != device {
                    return Err(Status::invalid(format!(
                        "argument {i} lies on device {}, and the program runs on device {device}",
                        buffer.memory.device
                    )));
                }
                if buffer.is_deleted() {
                    return Err(Status::invalid(format!(
                        "argument {i} ({}) was deleted or donated",
                        buffer.ty.text
                    )));
                }
            }
            for (i, donation) in program.donations.iter().enumerate() {
                if !donation.is_donated() || launch.keep.contains(&i) {
                    continue;
                }
                if let Some(j) = row.iter().enumerate().position(|(j, b)| j != i && std::ptr::eq(*b, row[i]))
                {
                    let twice = program.donations[j].is_donated() && !launch.keep.contains(&j);
                    let what = if twice {
                        "donate the same buffer twice"
                    } else {
                        "donate a buffer which is also used by the same call"
                    };
                    return Err(Status::invalid(format!(
                        "Attempt to {what} to Execute() (arguments {} and {}, {})",
                        i.min(j),
                        i.max(j),
                        row[i].ty.text
                    )));
                }
            }
        }
        Ok(())
    }
}

impl Run {
    /// At once on this thread if that is all it takes; when its turn comes otherwise.
    fn start(self, set: &DeviceSet) {
        let queue = self.loaded.0.client.queue().clone();
        let mut missing: Vec<Event> = Vec::new();
        for slot in self.arguments.iter().flatten() {
            if !slot.ready().is_ready() {
                missing.push(slot.ready().clone());
            }
        }
        let run = if missing.is_empty() && self.loaded.program().light && self.host.is_none() {
            match queue.run_here(set, move || on_this_stack(|| self.run())) {
                Ok(()) => return,
                Err(job) => {
                    // Somebody is before us on these devices.
                    let ticket = queue.submit(set.clone(), Box::new(job));
                    queue.ready(ticket);
                    return;
                }
            }
        } else {
            self
        };
        let ticket = queue.submit(set.clone(), Box::new(move || run.run()));
        if missing.is_empty() {
            queue.ready(ticket);
            return;
        }
        let left = Arc::new(AtomicUsize::new(missing.len()));
        let ticket = Arc::new(std::sync::Mutex::new(Some(ticket)));
        for event in missing {
            let (left, ticket, queue) = (left.clone(), ticket.clone(), queue.clone());
            event.on_ready(Box::new(move |_| {
                if left.fetch_sub(1, Ordering::AcqRel) == 1
                    && let Some(ticket) = ticket.lock().unwrap_or_else(|e| e.into_inner()).take()
                {
                    queue.ready(ticket);
                }
            }));
        }
    }

    /// Everything that waits for this run hears how it ended, whatever happens in it.
    fn run(self) {
        let Run { loaded, arguments, results, done, host, location } = self;
        let host = host.as_ref().map(|(host, on)| Aside { host: &**host, loaded: &loaded, on });
        let outcome = compute(&loaded, arguments, host.as_ref());
        let outcome = outcome.map_err(|e| in_call(e, location.as_deref()));
        match outcome {
            Ok(values) => {
                for (slots, values) in results.iter().zip(values) {
                    slots.iter().zip(values).for_each(|(slot, value)| slot.fill(Ok(value)));
                }
                done.set(Ok(()));
            }
            Err(e) => {
                results.iter().flatten().for_each(|slot| slot.fill(Err(e.clone())));
                done.set(Err(e));
            }
        }
    }
}

/// With the place in the client's source that called.
fn in_call(mut error: Status, location: Option<&str>) -> Status {
    if let Some(location) = location {
        error.message.push_str(&format!("\n  in the call at {location}"));
    }
    error
}

/// The host of a run whose devices take other work while they wait for it: callbacks of JAX may run programs on the
/// very devices that called them.
struct Aside<'a> {
    host: &'a (dyn HostTransfers + Send + Sync),
    loaded: &'a Loaded,
    /// Devices of the run.
    on: &'a DeviceSet,
}

impl Aside<'_> {
    fn wait<T>(&self, device: usize, transfer: impl FnOnce() -> T) -> T {
        let queue = self.loaded.0.client.queue();
        // Where every device runs by itself the others go on.
        match self.loaded.0.devices.get(device) {
            Some(&place)
                if self.loaded.0.devices.len() > 1
                    && self.loaded.program().executable.placement().runs_on_each() =>
            {
                queue.aside(&std::iter::once(place).collect(), transfer)
            }
            _ => queue.aside(self.on, transfer),
        }
    }
}

impl HostTransfers for Aside<'_> {
    fn send(&self, device: usize, channel: i64, values: Vec<Tensor>) -> sim_core::Result<()> {
        self.wait(device, || self.host.send(device, channel, values))
    }

    fn recv(&self, device: usize, channel: i64, types: &[&sim_core::Type]) -> sim_core::Result<Vec<Tensor>> {
        self.wait(device, || self.host.recv(device, channel, types))
    }
}

fn compute(
    loaded: &Loaded,
    arguments: Vec<Vec<Arc<Slot>>>,
    host: Option<&Aside<'_>>,
) -> Result<Vec<Vec<Tensor>>> {
    let program = loaded.program();
    let ctx = loaded.0.client.ctx();
    let mut inputs: Vec<Vec<Value>> = Vec::with_capacity(arguments.len());
    for row in arguments {
        let value = |(slot, port): (Arc<Slot>, &Port)| match port.token {
            true => slot.get().map(|_| Value::Token),
            false => slot.take().map(Value::Tensor),
        };
        inputs.push(row.into_iter().zip(&program.parameters).map(value).collect::<Result<_>>()?);
    }
    let outputs = match host {
        Some(host) => program.executable.run_hosted(ctx, inputs, host)?.outputs,
        None if inputs.len() == 1 => {
            vec![program.executable.run_values(ctx, inputs.pop().unwrap_or_default())?]
        }
        None => program.executable.run_devices(ctx, inputs)?.outputs,
    };
    let mut out = Vec::with_capacity(outputs.len());
    for row in outputs {
        let tensor = |(value, port): (Value, &Port)| match value {
            Value::Tensor(t) => Ok(t),
            _ if port.token => Ok(ctx.alloc(port.ty.element, &[0])?),
            other => Err(Status::internal(format!("a result is {}", other.kind()))),
        };
        out.push(row.into_iter().zip(&program.results).map(tensor).collect::<Result<_>>()?);
    }
    Ok(out)
}
