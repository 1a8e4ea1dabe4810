//! Boxes of arrays: what a device holds of a whole, and back.

use super::{Reduction, Sharding, Tiling};
use sim_core::ir::Binary;
use sim_core::{Ctx, Diagnostic, Result, Tensor};
use tensorcore::vpu;

impl Sharding {
    /// What `device` holds of `whole`. Beyond the array are zeros.
    ///
    /// # Errors
    /// The sharding does not fit the array or has no such device; the memory budget is exceeded.
    pub fn cut(&self, ctx: &Ctx, whole: &Tensor, device: usize) -> Result<Tensor> {
        let Sharding::Tiled(t) = self else {
            return match self {
                Sharding::Manual => Err(unknown()),
                _ => Ok(whole.clone()),
            };
        };
        self.check(whole.rank(), t.tile_of.len())?;
        if self.is_whole() {
            return Ok(whole.clone());
        }
        let tile = *t.tile_of.get(device).ok_or_else(|| {
            Diagnostic::invalid(format!(
                "the sharding has no device {device}: it is over {}",
                t.tile_of.len()
            ))
        })?;
        let shape = self.shard_shape(whole.shape());
        let mut out = ctx.alloc_zeroed(whole.element(), &shape)?;
        // Of a sum, the first part is all of it. Of an extreme value, each is.
        if t.partial.as_ref().is_some_and(|p| p.kind == Reduction::Sum && p.part_of.get(device) != Some(&0)) {
            return Ok(out);
        }
        let at = origin(t, tile, &shape);
        let extent = inside(&at, &shape, whole.shape());
        let (zero, size) = (vec![0; at.len()], whole.element().byte_size());
        move_box(&extent, size, (whole.bytes(), whole.shape(), &at), (out.bytes_mut(), &shape, &zero));
        Ok(out)
    }

    /// The array of shape `global` whose parts the devices hold: `parts[device]`. Where several hold the same
    /// tile, the first is believed.
    ///
    /// # Errors
    /// The parts are not of the shape that the sharding makes; nothing is known of how they lie; the memory
    /// budget is exceeded.
    pub fn join(&self, ctx: &Ctx, parts: &[&Tensor], global: &[usize]) -> Result<Tensor> {
        let (Some(first), false) = (parts.first(), *self == Sharding::Manual) else {
            return Err(unknown());
        };
        self.check(global.len(), parts.len())?;
        let shape = self.shard_shape(global);
        if let Some(t) = parts.iter().find(|t| t.shape() != shape || t.element() != first.element()) {
            return Err(Diagnostic::invalid(format!(
                "parts of {shape:?} make up the array of {global:?}, and one is {}",
                t.ty()
            )));
        }
        let t = match self {
            Sharding::Maximal(device) => return Ok(parts[*device].clone()),
            Sharding::Tiled(t) if !self.is_whole() => t,
            _ => return Ok((*first).clone()),
        };
        let mut out = ctx.alloc_zeroed(first.element(), global)?;
        let (zero, size) = (vec![0; shape.len()], first.element().byte_size());
        let mut seen = vec![false; t.tiles.iter().product()];
        for (device, &tile) in t.tile_of.iter().enumerate() {
            match seen.get_mut(tile) {
                Some(seen) if !*seen => *seen = true,
                _ => continue,
            }
            let part = &reduced(ctx, t, tile, parts[device], parts)?;
            let at = origin(t, tile, &shape);
            let extent = inside(&at, &shape, global);
            move_box(&extent, size, (part.bytes(), &shape, &zero), (out.bytes_mut(), global, &at));
        }
        Ok(out)
    }
}

/// A tile, of which one device has `first`, and others may have other parts.
fn reduced(ctx: &Ctx, t: &Tiling, tile: usize, first: &Tensor, parts: &[&Tensor]) -> Result<Tensor> {
    let Some(partial) = &t.partial else { return Ok(first.clone()) };
    let op = match partial.kind {
        Reduction::Sum => Binary::Add,
        Reduction::Max => Binary::Maximum,
        Reduction::Min => Binary::Minimum,
    };
    let element = first.element();
    let kernel = vpu::binary(op, element, &ctx.numerics)
        .ok_or_else(|| Diagnostic::unsupported(format!("reducing parts of type {element}")))?;
    let mut total: Option<Tensor> = None;
    for part in 0..partial.parts {
        let holds = |&d: &usize| t.tile_of[d] == tile && partial.part_of[d] == part;
        let Some(device) = (0..t.tile_of.len()).find(holds) else { continue };
        total = Some(match total {
            None => parts[device].clone(),
            Some(before) => {
                let mut out = ctx.alloc(element, before.shape())?;
                kernel(before.bytes(), parts[device].bytes(), out.bytes_mut());
                out
            }
        });
    }
    Ok(total.unwrap_or_else(|| first.clone()))
}

fn unknown() -> Diagnostic {
    Diagnostic::invalid("each device has an array of its own here: how they make up a whole is not known")
}

/// Where a tile begins.
fn origin(t: &Tiling, mut tile: usize, shape: &[usize]) -> Vec<usize> {
    let mut at = vec![0; shape.len()];
    for d in (0..shape.len()).rev() {
        at[d] = (tile % t.tiles[d]) * shape[d];
        tile /= t.tiles[d];
    }
    at
}

/// How much of a tile lies within the array.
fn inside(at: &[usize], shape: &[usize], global: &[usize]) -> Vec<usize> {
    at.iter().zip(shape).zip(global).map(|((&at, &n), &end)| end.saturating_sub(at).min(n)).collect()
}

/// Copies a box of `extent` elements of `size` bytes from one array to another, each given by its bytes, its
/// shape and where the box begins.
fn move_box(
    extent: &[usize],
    size: usize,
    (src, src_shape, src_at): (&[u8], &[usize], &[usize]),
    (dst, dst_shape, dst_at): (&mut [u8], &[usize], &[usize]),
) {
    let rank = extent.len();
    if extent.contains(&0) {
        return;
    }
    let offset = |shape: &[usize], at: &[usize], index: &[usize]| {
        (0..rank).fold(0, |o, d| o * shape[d] + at[d] + index[d]) * size
    };
    let row = extent.last().map_or(1, |&n| n) * size;
    let mut index = vec![0; rank];
    loop {
        let (from, to) = (offset(src_shape, src_at, &index), offset(dst_shape, dst_at, &index));
        dst[to..to + row].copy_from_slice(&src[from..from + row]);
        // The next row.
        let Some(d) = (0..rank.saturating_sub(1)).rev().find(|&d| index[d] + 1 < extent[d]) else { return };
        index[d] += 1;
        index[d + 1..].fill(0);
    }
}
