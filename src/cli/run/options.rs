//! Options that subcommands share: which arithmetic, what of the machine, in what form.

use super::Args;
use crate::cli::complain;
use backend::runtime::MAX_STEPS;
use clap::ValueEnum;
use sim_core::{Ctx, Diagnostic, Numerics, Result};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How long a run has to end after Ctrl-C.
const GRACE: Duration = Duration::from_secs(5);

/// Which arithmetic.
#[derive(clap::Args, Clone, Copy)]
pub struct NumericsArgs {
    /// Arithmetic: `tpu` is what TPU v4 to v6e do, `ieee` what the StableHLO specification says
    #[arg(long, value_enum, default_value_t = Mode::Tpu)]
    numerics: Mode,
    /// May bf16 and f16 chains keep f32 between operations? [default: on for tpu, off for ieee]
    #[arg(long, value_enum, value_name = "WHEN")]
    excess_precision: Option<Switch>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Mode {
    Tpu,
    Ieee,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Switch {
    On,
    Off,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
pub enum Format {
    /// Text for people: the values of outputs as NumPy prints them
    Text,
    /// One JSON object (docs/run-summary.md)
    Json,
}

/// What of the machine may be used.
#[derive(clap::Args, Clone, Copy)]
pub struct MachineArgs {
    /// Worker threads; results do not depend on it [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Most memory that tensors may take, e.g. 8GiB [default: what the machine has available]
    #[arg(long, value_name = "BYTES", value_parser = backend::client::memory::parse_bytes)]
    memory_limit: Option<u64>,
}

impl NumericsArgs {
    pub fn numerics(self) -> Numerics {
        let mut numerics = match self.numerics {
            Mode::Tpu => Numerics::tpu(),
            Mode::Ieee => Numerics::ieee(),
        };
        if let Some(switch) = self.excess_precision {
            numerics.excess_precision = switch == Switch::On;
        }
        numerics
    }

    pub(super) fn name(self) -> &'static str {
        match self.numerics {
            Mode::Tpu => "tpu",
            Mode::Ieee => "ieee",
        }
    }
}

impl MachineArgs {
    /// Sets up the worker threads, and a context that Ctrl-C stops.
    pub fn context(self, numerics: Numerics) -> Result<Ctx> {
        if let Some(n) = self.threads {
            rayon::ThreadPoolBuilder::new()
                .num_threads(n.into())
                .build_global()
                .map_err(|e| Diagnostic::resource(format!("cannot start {n} threads: {e}")))?;
        }
        let ctx = Ctx::new(numerics, self.memory_limit());
        let (stop, again) = (ctx.clone(), AtomicBool::new(false));
        ctrlc::set_handler(move || {
            if again.swap(true, Ordering::Relaxed) {
                std::process::exit(130); // The second time, at once.
            }
            stop.stop();
            // Most kernels look at the flag; what does not end soon is ended.
            std::thread::spawn(|| {
                std::thread::sleep(GRACE);
                complain("error: interrupted");
                std::process::exit(130);
            });
        })
        .map_err(|e| Diagnostic::resource(format!("cannot listen for Ctrl-C: {e}")))?;
        Ok(ctx)
    }

    pub(super) fn memory_limit(self) -> u64 {
        self.memory_limit.or_else(backend::client::device::host_memory).unwrap_or(u64::MAX)
    }
}

/// # Errors
/// Invalid: an option about values, where `--values off` computes none.
pub(super) fn no_options_of_values(args: &Args) -> Result<()> {
    let given = [
        ("--entry", args.entry.is_some()),
        ("--inputs", args.inputs.is_some()),
        ("--random", args.random.is_some()),
        ("--zeros", args.zeros),
        ("--shape", !args.shapes.is_empty()),
        ("--outputs", args.outputs.is_some()),
        ("--expect", args.expect.is_some()),
        ("--rtol", args.rtol != 0.0),
        ("--atol", args.atol != 0.0),
        ("--sharding", !args.devices.is_empty()),
        ("--numerics", matches!(args.numerics.numerics, Mode::Ieee)),
        ("--excess-precision", args.numerics.excess_precision.is_some()),
        ("--check-nans", args.check_nans),
        ("--max-steps", args.max_steps != MAX_STEPS),
    ];
    let Some((option, _)) = given.into_iter().find(|(_, given)| *given) else { return Ok(()) };
    Err(Diagnostic::invalid(format!("`{option}` is about values, and `--values off` computes none")).help(
        format!("leave out `{option}`; or leave out `--values off`, and the program runs and is timed"),
    ))
}

pub(super) fn parse_tolerance(text: &str) -> std::result::Result<f64, String> {
    match text.parse::<f64>() {
        Ok(x) if x >= 0.0 => Ok(x),
        _ => Err("expected a number that is not negative, such as 1e-5".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::parse_tolerance;

    #[test]
    fn tolerances_are_not_negative() {
        assert_eq!(parse_tolerance("1e-3"), Ok(1e-3));
        assert!(parse_tolerance("-1").is_err());
        assert!(parse_tolerance("nan").is_err());
    }
}
