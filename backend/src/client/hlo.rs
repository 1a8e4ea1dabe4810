//! Programs and shardings in XLA's protocol buffers, as clients read them back.

use super::options::{CompileOptions, HloModuleConfigProto, HloModuleProtoWithConfig};
use super::status::{Result, Status};
use crate::frontend::hlo::export::export;
use crate::frontend::hlo::proto::{self, Form, schema::HloModuleProto};
use crate::sharding::{Reduction, Sharding, Tiling};
use prost::Message;
use sim_core::hlo::{Sharding as Hlo, TileAssignment};
use sim_core::ir::Module;

/// A serialized `HloModuleProtoWithConfig` of the program, with the layout of its entry.
///
/// # Errors
/// An operation has no HLO.
pub fn with_config(module: &Module, options: &CompileOptions) -> Result<Vec<u8>> {
    let bytes = proto::encode(&export(module)?, Form::Module)?;
    let module = HloModuleProto::decode(bytes.as_slice())
        .map_err(|e| Status::internal(format!("the program's HLO cannot be read back: {e}")))?;
    // Without a layout of the entry jaxlib ends its process.
    let entry = module.host_program_shape.as_deref().cloned().unwrap_or_default();
    let config = HloModuleConfigProto::new(options, entry);
    Ok(HloModuleProtoWithConfig { hlo_module: Some(module), config: Some(config) }.encode_to_vec())
}

/// The serialized module inside a serialized `HloModuleProtoWithConfig`.
///
/// # Errors
/// The bytes are something else.
pub fn module_of(bytes: &[u8]) -> Result<Vec<u8>> {
    let both = HloModuleProtoWithConfig::decode(bytes)
        .map_err(|e| Status::invalid(format!("the program is no HloModuleProtoWithConfig: {e}")))?;
    let module = both.hlo_module.ok_or_else(|| Status::invalid("the program's hlo_module is missing"))?;
    Ok(module.encode_to_vec())
}

/// A serialized `OpSharding`: devices one by one, those that hold the same in ascending order.
///
/// # Errors
/// None that is known of.
pub fn op_sharding(sharding: &Sharding) -> Result<Vec<u8>> {
    let word = |word: &str| Hlo::Word { word: word.into(), rest: None };
    let (hlo, reduction) = match sharding {
        Sharding::Replicated => (word("replicated"), None),
        Sharding::Manual => (word("manual"), None),
        Sharding::Maximal(device) => (Hlo::Maximal { device: *device as i64, rest: None }, None),
        Sharding::Tiled(t) if t.partial.as_ref().is_some_and(|p| p.parts == t.tile_of.len()) => {
            (word("unreduced"), reduction(t))
        }
        Sharding::Tiled(t) => (tiles(t), reduction(t)),
    };
    Ok(proto::encode_sharding(&hlo, reduction)?)
}

/// Behind the tiles, devices that hold the same, then those that hold parts of it, as XLA orders them.
fn tiles(t: &Tiling) -> Hlo {
    let count: usize = t.tiles.iter().product();
    let parts = t.partial.as_ref().map_or(1, |p| p.parts);
    let copies = t.tile_of.len() / (count * parts).max(1);
    let part_of = |d: usize| t.partial.as_ref().map_or(0, |p| p.part_of[d]);
    let mut places: Vec<(usize, usize, i64)> =
        (0..t.tile_of.len()).map(|d| (t.tile_of[d], part_of(d), d as i64)).collect();
    places.sort_unstable();
    let mut devices = Vec::with_capacity(places.len());
    for tile in 0..count {
        for copy in 0..copies {
            devices.extend((0..parts).map(|part| places[(tile * parts + part) * copies + copy].2));
        }
    }
    let mut dims: Vec<i64> = t.tiles.iter().map(|&n| n as i64).collect();
    let mut last_tile_dims = Vec::new();
    for (n, kind) in [(copies, "replicated"), (parts, "unreduced")] {
        if n > 1 {
            dims.push(n as i64);
            last_tile_dims.push(kind.into());
        }
    }
    let last_tile_dim_replicate = parts == 1 && copies > 1;
    if last_tile_dim_replicate {
        last_tile_dims.clear();
    }
    let assignment = TileAssignment { dims, devices, ..TileAssignment::default() };
    Hlo::Tiled { assignment, last_tile_dim_replicate, last_tile_dims, rest: None }
}

/// As XLA writes it into the metadata of a sharding.
fn reduction(t: &Tiling) -> Option<&'static str> {
    Some(match t.partial.as_ref()?.kind {
        Reduction::Sum => "SUM",
        Reduction::Max => "MAX",
        Reduction::Min => "MIN",
    })
}
