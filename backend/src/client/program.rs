//! A compiled program, not yet bound to devices: what a client may ask about it, and what runs.

use super::buffer::ArrayType;
use super::hlo;
use super::memory::MemoryKind;
use super::options::CompileOptions;
use super::status::{Result, Status};
use crate::frontend::{self, Source};
use crate::runtime::{Executable, Grid, RunOptions, devices::View, on_big_stack};
use crate::sharding::{Sharding, open_dimensions, propagate};
use rustc_hash::FxHasher;
use sim_core::chip::Chip;
use sim_core::ir::verify::verify_module;
use sim_core::ir::{Attr, AttrDict, Function, Module, Op, Operation};
use sim_core::{ElementType, Numerics, Type};
use std::hash::Hasher;
use std::sync::Arc;

/// An argument or a result of a program, as one device has it.
#[derive(Clone, Debug)]
pub struct Port {
    pub ty: Arc<ArrayType>,
    pub kind: MemoryKind,
    /// How the whole array lies on the partitions; `None` where nothing is said, which is replicated.
    pub sharding: Option<Sharding>,
    /// A token: nothing lies in memory, the order of effects hangs on it.
    pub token: bool,
}

impl Port {
    /// A serialized `OpSharding`.
    ///
    /// # Errors
    /// None that is known of.
    pub fn sharding_proto(&self) -> Result<Vec<u8>> {
        hlo::op_sharding(self.sharding.as_ref().unwrap_or(&Sharding::Replicated))
    }
}

/// Before a serialized program.
const MAGIC: &[u8] = b"tpusim executable 1\n";
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What becomes of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Donation {
    /// The caller keeps it.
    Kept,
    /// The program may compute over it.
    Donated,
    /// This result lies in its place.
    Becomes(usize),
}

/// What a program is compiled for.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    pub chip: &'static Chip,
    /// Bytes of a device's memory.
    pub hbm_limit: u64,
    pub numerics: Numerics,
}

/// A program, compiled for a chip.
pub struct Program {
    pub name: String,
    /// The same for the same program, options and version of tpusim.
    pub fingerprint: String,
    pub grid: Grid,
    pub parameters: Vec<Port>,
    pub results: Vec<Port>,
    pub donations: Vec<Donation>,
    pub options: CompileOptions,
    pub chip: &'static Chip,
    /// What a client handed over: with `option_bytes` all that it takes to compile it again.
    pub source: Arc<[u8]>,
    pub option_bytes: Arc<[u8]>,
    pub module: Arc<Module>,
    pub(super) executable: Executable,
    /// Short enough to be run by whoever asks, on any stack.
    pub(super) light: bool,
}

impl Program {
    /// Compiles what a client hands over: MLIR bytecode or text, or an HLO proto, recognised by content.
    ///
    /// # Errors
    /// The program or the options cannot be read, break a rule, or ask for what is not modelled; arguments and
    /// results do not fit into the device's memory.
    pub fn compile(target: Target, source: &[u8], option_bytes: &[u8]) -> Result<Program> {
        let Target { chip, hbm_limit, numerics } = target;
        let options = CompileOptions::decode(option_bytes)?;
        let mut modules = on_big_stack(|| {
            let modules = frontend::parse(&Source::from_bytes("program", source))?;
            modules.iter().try_for_each(verify_module)?;
            Ok(modules)
        })?;
        let (Some(module), true) = (modules.pop(), modules.is_empty()) else {
            return Err(Status::invalid("the program must be one module"));
        };
        let mut module = module;
        place(&mut module, &options)?;
        let module = Arc::new(module);
        let run = RunOptions { numerics, max_steps: u64::MAX, ..RunOptions::default() };
        let mut executable = Executable::new(module.clone(), run)?;
        executable.check_supported()?;
        propagate(&module, &mut executable);
        let placement = executable.placement().clone();
        let function = &executable.program().entry().function;
        let global = placement.view == View::Global;
        let port = |ty: &Type, attrs: Option<&AttrDict>, sharding: &Option<Sharding>| {
            port(ty, attrs, sharding.as_ref(), global)
        };
        let parameters = ports(&function.arg_types, &function.arg_attrs, &placement.arguments, port)?;
        let results = ports(&function.result_types, &function.result_attrs, &placement.results, port)?;
        let mut donations = donations(function, results.len())?;
        find_places(&mut donations, &parameters, &results);
        let mut hasher = FxHasher::default();
        for bytes in [env!("CARGO_PKG_VERSION").as_bytes(), chip.name.as_bytes(), source, option_bytes] {
            hasher.write_usize(bytes.len());
            hasher.write(bytes);
        }
        hasher.write(format!("{numerics:?}").as_bytes());
        let light = is_light(function) && placement.grid.len() == 1;
        let program = Program {
            name: module.name.as_deref().unwrap_or("main").to_owned(),
            fingerprint: format!("{:016x}", hasher.finish()),
            grid: placement.grid,
            parameters,
            results,
            donations,
            options,
            chip,
            source: source.into(),
            option_bytes: option_bytes.into(),
            module,
            light,
            executable,
        };
        program.check_memory(hbm_limit)?;
        Ok(program)
    }

    /// Bytes that [`Program::deserialize`] reads.
    pub fn serialize(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        for part in [VERSION.as_bytes(), self.chip.name.as_bytes(), &self.option_bytes, &self.source] {
            out.extend((part.len() as u64).to_le_bytes());
            out.extend(part);
        }
        out
    }

    /// `option_bytes` rule over those that were serialized.
    ///
    /// # Errors
    /// Bytes of something else, of another version of tpusim or another chip; as [`Program::compile`].
    pub fn deserialize(target: Target, bytes: &[u8], option_bytes: Option<&[u8]>) -> Result<Program> {
        let chip = target.chip;
        let foreign = || {
            Status::invalid("these bytes are no executable that tpusim serialized; compile the program again")
        };
        let mut rest = bytes.strip_prefix(MAGIC).ok_or_else(foreign)?;
        let mut part = || {
            let (len, tail) = rest.split_first_chunk::<8>().ok_or_else(foreign)?;
            let len = usize::try_from(u64::from_le_bytes(*len)).map_err(|_| foreign())?;
            let (part, tail) = tail.split_at_checked(len).ok_or_else(foreign)?;
            rest = tail;
            Ok::<&[u8], Status>(part)
        };
        let (version, name, options, source) = (part()?, part()?, part()?, part()?);
        if version != VERSION.as_bytes() || name != chip.name.as_bytes() {
            return Err(Status::invalid(format!(
                "the executable is of tpusim {} for {}, and this is tpusim {VERSION} for {}; compile the program again",
                String::from_utf8_lossy(version),
                String::from_utf8_lossy(name),
                chip.name
            )));
        }
        Program::compile(target, source, option_bytes.unwrap_or(options))
    }

    /// The program as HLO, with its entry's layout: a serialized `HloModuleProtoWithConfig`.
    ///
    /// # Errors
    /// An operation has no HLO.
    pub fn optimized_hlo(&self) -> Result<Vec<u8>> {
        // Regions become computations one inside of the other.
        let mut outcome = Err(Status::internal("the program was not exported"));
        on_big_stack(|| {
            outcome = hlo::with_config(&self.module, &self.options);
            Ok(())
        })?;
        outcome
    }

    /// Arguments and results must lie in the device's memory together.
    fn check_memory(&self, limit: u64) -> Result<()> {
        let bytes = |p: &Port| if p.kind == MemoryKind::Device { p.ty.device_bytes } else { 0 };
        let aliased: Vec<usize> = self.donations.iter().filter_map(Donation::result).collect();
        let arguments: u64 = self.parameters.iter().map(bytes).fold(0, u64::saturating_add);
        let fresh = self.results.iter().enumerate().filter(|(i, _)| !aliased.contains(i));
        let results: u64 = fresh.map(|(_, p)| bytes(p)).fold(0, u64::saturating_add);
        let used = arguments.saturating_add(results);
        if used <= limit {
            return Ok(());
        }
        use super::memory::gib;
        let mut largest: Vec<(u64, String)> = Vec::new();
        for (what, ports) in [("argument", &self.parameters), ("result", &self.results)] {
            largest.extend(
                ports.iter().enumerate().map(|(i, p)| (bytes(p), format!("{what} {i}: {}", p.ty.text))),
            );
        }
        largest.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        let mut text = format!(
            "Ran out of memory in memory space hbm. Used {} of {} hbm ({} arguments, {} results). Exceeded hbm capacity by {}.\n  the largest:",
            gib(used),
            gib(limit),
            gib(arguments),
            gib(results),
            gib(used - limit)
        );
        for (bytes, what) in largest.iter().take(10) {
            text.push_str(&format!("\n    {:>10}  {what}", gib(*bytes)));
        }
        text.push_str("\n  help: donate arguments, shard them over more devices, or simulate a larger chip (TPUSIM_TOPOLOGY)");
        Err(Status::exhausted(text))
    }
}

impl Donation {
    pub fn result(&self) -> Option<usize> {
        match self {
            Donation::Becomes(result) => Some(*result),
            _ => None,
        }
    }

    pub fn is_donated(&self) -> bool {
        *self != Donation::Kept
    }
}

/// The numbers of replicas and partitions are the options'; the module must not say otherwise.
fn place(module: &mut Module, options: &CompileOptions) -> Result<()> {
    for (name, n) in
        [("mhlo.num_replicas", options.num_replicas), ("mhlo.num_partitions", options.num_partitions)]
    {
        let said = module.attrs.get(name).and_then(Attr::as_int);
        match said {
            Some(said) if said != n as i64 && said != 1 && n != 1 => {
                return Err(Status::invalid(format!(
                    "the module is for {name} = {said}, and the compile options ask for {n}"
                )));
            }
            // Options that say nothing say 1.
            Some(said) if said != 1 && n == 1 => {}
            _ => module.attrs.set(name, Attr::Int(n as i64, ElementType::S32)),
        }
    }
    Ok(())
}

/// Results that the program says nothing about lie as what they are computed from.
fn propagate(module: &Module, executable: &mut Executable) {
    let placement = executable.placement_mut();
    let Some(entry) = module.entry().filter(|_| placement.view == View::Global) else { return };
    let open = |attrs: &AttrDict| {
        attrs.get("sdy.sharding").map(|a| open_dimensions(a, &module.meshes)).unwrap_or_default()
    };
    let open: Vec<Vec<bool>> = (0..placement.results.len())
        .map(|i| entry.result_attrs.get(i).map(open).unwrap_or_default())
        .collect();
    let decided = |(said, open): (&Option<Sharding>, &Vec<bool>)| said.is_some() && !open.contains(&true);
    if placement.results.iter().zip(&open).all(decided) {
        return;
    }
    let said: Vec<propagate::Said<'_>> =
        placement.results.iter().zip(&open).map(|(s, o)| (s.as_ref(), &**o)).collect();
    let found = propagate::results(module, entry, &placement.arguments, &said, placement.grid.partitions);
    placement.results = found;
}

fn ports(
    types: &[Type],
    attrs: &[AttrDict],
    shardings: &[Option<Sharding>],
    port: impl Fn(&Type, Option<&AttrDict>, &Option<Sharding>) -> Result<Port>,
) -> Result<Vec<Port>> {
    let none = None;
    types
        .iter()
        .enumerate()
        .map(|(i, ty)| port(ty, attrs.get(i), shardings.get(i).unwrap_or(&none)))
        .collect()
}

fn port(ty: &Type, attrs: Option<&AttrDict>, sharding: Option<&Sharding>, global: bool) -> Result<Port> {
    let token = *ty == Type::Token;
    let kind = match attrs.and_then(|a| a.get("mhlo.memory_kind")).and_then(Attr::as_str) {
        Some(name) => MemoryKind::named(name).ok_or_else(|| {
            Status::invalid(format!(
                "there is no memory kind {name:?}; there are device, pinned_host, unpinned_host"
            ))
        })?,
        None => MemoryKind::Device,
    };
    let (element, dims) = match ty {
        Type::Token => (ElementType::Pred, vec![0]),
        Type::Tensor(t) => match t.bounded_dims() {
            Some(dims) => (t.element, dims.to_vec()),
            None => {
                return Err(Status::unimplemented(format!(
                    "the program takes or gives {ty}, whose sizes are not known when it is compiled; give them a bound"
                )));
            }
        },
        other => return Err(Status::unimplemented(format!("a program that takes or gives {other}"))),
    };
    let dims = match sharding {
        Some(s) if global => s.shard_shape(&dims),
        _ => dims,
    };
    let dims: Vec<i64> = dims.into_iter().map(|d| d as i64).collect();
    let ty = Arc::new(ArrayType::new(element, &dims));
    Ok(Port { ty, kind, sharding: sharding.cloned(), token })
}

fn donations(function: &Function, results: usize) -> Result<Vec<Donation>> {
    let of = |attrs: Option<&AttrDict>| {
        let Some(attrs) = attrs else { return Ok(Donation::Kept) };
        if let Some(result) = attrs.get("tf.aliasing_output").and_then(Attr::as_int) {
            return match usize::try_from(result) {
                Ok(result) if result < results => Ok(Donation::Becomes(result)),
                _ => Err(Status::invalid(format!(
                    "tf.aliasing_output names result {result}, and the program has {results}"
                ))),
            };
        }
        let donor = attrs.get("jax.buffer_donor").and_then(Attr::as_bool) == Some(true);
        Ok(if donor { Donation::Donated } else { Donation::Kept })
    };
    (0..function.arg_types.len()).map(|i| of(function.arg_attrs.get(i))).collect()
}

/// An argument that the program may compute over becomes a result that takes as many bytes of the same memory, as XLA's
/// `OptimizeInputOutputBufferAlias` has it. One that fits none is kept: nothing would be gained.
fn find_places(donations: &mut [Donation], parameters: &[Port], results: &[Port]) {
    let mut free: Vec<bool> = vec![true; results.len()];
    donations.iter().filter_map(Donation::result).for_each(|i| free[i] = false);
    for (donation, port) in donations.iter_mut().zip(parameters) {
        if *donation != Donation::Donated {
            continue;
        }
        let fits = |r: &Port| !r.token && r.kind == port.kind && r.ty.device_bytes == port.ty.device_bytes;
        *donation = match (0..results.len()).find(|&i| free[i] && fits(&results[i])) {
            Some(i) => {
                free[i] = false;
                Donation::Becomes(i)
            }
            None => Donation::Kept,
        };
    }
}

/// Most operations, and most elements of one value, of a program that is not worth another thread.
const LIGHT: (usize, u64) = (64, 1 << 14);

/// Few small operations in a row, none of which calls, loops, waits or nests.
fn is_light(function: &Function) -> bool {
    let small = |ty: &Type| ty.as_tensor().and_then(|t| t.num_elements()).is_some_and(|n| n <= LIGHT.1);
    let simple = |op: &Operation| {
        let costly = matches!(
            op.op,
            Op::Call { .. } | Op::CustomCall(_) | Op::DotGeneral { .. } | Op::Convolution(_) | Op::Fft { .. }
        );
        let nests = !op.regions.is_empty() && !matches!(op.op, Op::Reduce { .. });
        !costly && !nests && !op.op.has_side_effect()
    };
    function.ops.len() <= LIGHT.0
        && function.ops.iter().all(|op| simple(op) && op.results.iter().all(|&v| small(function.ty(v))))
        && function.arg_types.iter().all(small)
}
