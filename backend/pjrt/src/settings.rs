//! What the environment says of the machine to simulate.

use backend::client::device::{Client, ClientOptions};
use backend::client::status::{Result, Status};
use backend::client::topology::Topology;
use sim_core::Numerics;
use std::env::VarError;
use std::io::Write as _;
use std::sync::Once;

/// The machine where nothing is said.
const DEFAULT: &str = "v6e:1x1";

/// What a client is made of.
pub struct Settings {
    pub topology: Topology,
    pub options: ClientOptions,
}

/// `None` where it is not set, or set to nothing.
fn variable(name: &str) -> Result<Option<String>> {
    match std::env::var(name) {
        Ok(value) => Ok(Some(value.trim().to_owned()).filter(|v| !v.is_empty())),
        Err(VarError::NotPresent) => Ok(None),
        Err(VarError::NotUnicode(value)) => {
            Err(Status::invalid(format!("{name} is {value:?}, which is no text")))
        }
    }
}

/// `TPUSIM_TOPOLOGY`, `TPUSIM_NUMERICS`, `TPUSIM_MEMORY_LIMIT`.
///
/// # Errors
/// A value that means nothing, with those that do.
pub fn from_environment() -> Result<Settings> {
    let name = variable("TPUSIM_TOPOLOGY")?.map(|name| name.to_ascii_lowercase());
    let topology = Topology::parse(name.as_deref().unwrap_or(DEFAULT)).map_err(|e| match name {
        Some(_) => Status::new(e.code, format!("TPUSIM_TOPOLOGY: {}", e.message)),
        None => e,
    })?;
    Ok(Settings { topology, options: ClientOptions { numerics: numerics()?, memory_limit: memory_limit()? } })
}

/// `TPUSIM_NUMERICS`: `tpu` (as the hardware computes, the default) or `ieee` (as the specification says).
///
/// # Errors
/// Another value.
pub fn numerics() -> Result<Numerics> {
    match variable("TPUSIM_NUMERICS")?.as_deref() {
        None | Some("tpu") => Ok(Numerics::tpu()),
        Some("ieee") => Ok(Numerics::ieee()),
        Some(other) => Err(Status::invalid(format!("TPUSIM_NUMERICS is {other:?}; it can be tpu or ieee"))),
    }
}

/// `TPUSIM_MEMORY_LIMIT`, bytes of the host for all that the devices hold and compute; without it what the host has.
fn memory_limit() -> Result<u64> {
    let Some(text) = variable("TPUSIM_MEMORY_LIMIT")? else {
        return Ok(backend::client::device::host_memory().unwrap_or(u64::MAX));
    };
    backend::client::memory::parse_bytes(&text).map_err(|why| {
        Status::invalid(format!(
            "TPUSIM_MEMORY_LIMIT is {text:?}; it is a number of bytes, such as 8000000000 or 8GiB: {why}"
        ))
    })
}

/// Says why there is no client, where nobody else would: without `JAX_PLATFORMS`, JAX goes on with the next platform and drops the
/// error.
pub fn lament(error: &Status) {
    if std::env::var_os("JAX_PLATFORMS").is_none_or(|v| v.is_empty()) {
        // There is nowhere to complain when that fails.
        let _ = writeln!(std::io::stderr(), "tpusim: {}", error.message);
    }
}

/// Says once a process that these devices are simulated, unless `TPUSIM_QUIET` is set.
pub fn announce(client: &Client) {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        if std::env::var_os("TPUSIM_QUIET").is_some_and(|v| !v.is_empty() && v != "0") {
            return;
        }
        let topology = client.topology();
        let n = client.device_count();
        let devices = if n == 1 { "device" } else { "devices" };
        eprintln!(
            "tpusim {}: {n} simulated {} {devices} ({}); TPUSIM_TOPOLOGY chooses others, TPUSIM_QUIET=1 hides this line",
            env!("CARGO_PKG_VERSION"),
            topology.chip.kind,
            topology.name()
        );
    });
}
