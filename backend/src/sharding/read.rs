//! From what programs say to [`Sharding`].

use super::{Partial, Reduction, Sharding, Tiling, shardy};
use crate::frontend::hlo::parse_sharding;
use sim_core::hlo::device::SubAxis;
use sim_core::hlo::{MeshAxes, NamedSharding, Sharding as Hlo, TileAssignment};
use sim_core::ir::{Attr, Mesh};
use sim_core::{Diagnostic, Result};
use std::collections::BTreeSet;

/// More devices than this are in no program that could be run here.
const MAX_DEVICES: usize = 1 << 20;

impl Sharding {
    /// What an attribute says: `mhlo.sharding`'s text, or Shardy's with the meshes of the module.
    ///
    /// # Errors
    /// The text is malformed, or its numbers do not fit each other.
    pub fn from_attr(attr: &Attr, meshes: &[Mesh]) -> Result<Sharding> {
        match Self::list_from_attr(attr, meshes)?.as_slice() {
            [one] => Ok(one.clone()),
            many => {
                Err(Diagnostic::invalid(format!("one sharding belongs here, and there are {}", many.len())))
            }
        }
    }

    /// The same for attributes that hold one sharding a value.
    ///
    /// # Errors
    /// As [`Sharding::from_attr`].
    pub fn list_from_attr(attr: &Attr, meshes: &[Mesh]) -> Result<Vec<Sharding>> {
        syntax(attr, meshes)?.iter().map(|s| Self::from_hlo(s, meshes)).collect()
    }

    /// How an array of shape `global` is cut into parts of shape `local` at the border of a manual region: value
    /// `index` of an attribute with one sharding a value. Axes that are not the region's divide its parts further, and
    /// stand behind those that are.
    ///
    /// # Errors
    /// As [`Sharding::from_attr`]; the sharding does not make such parts.
    pub fn at_border(
        attr: &Attr,
        index: usize,
        meshes: &[Mesh],
        global: &[usize],
        local: &[usize],
    ) -> Result<Sharding> {
        let all = syntax(attr, meshes)?;
        let missing = || Diagnostic::invalid(format!("there is no sharding of value {index}"));
        let mut one = all.get(index).cloned().ok_or_else(missing)?;
        if let Hlo::Named(n) = &mut one {
            n.axes.retain(|(key, _)| &**key != "manual");
            let mesh = resolve(&n.mesh, meshes)?;
            for (d, dim) in n.dims.iter_mut().enumerate() {
                let (Some(&whole), Some(&part)) = (global.get(d), local.get(d)) else { continue };
                let fits = |axes: &[SubAxis]| -> Result<bool> {
                    let mut tiles = 1usize;
                    for axis in axes {
                        tiles = tiles.saturating_mul(mesh.strides(&axis.name, axis.part)?.1);
                    }
                    Ok(whole.div_ceil(tiles) == part)
                };
                while !dim.axes.is_empty() && !fits(&dim.axes)? {
                    dim.axes.pop();
                }
            }
        }
        let sharding = Self::from_hlo(&one, meshes)?;
        if !sharding.makes(global, local) {
            return Err(Diagnostic::unsupported(format!(
                "a manual region that takes {local:?} of {global:?}, which its sharding does not make"
            ))
            .help("run the program that XLA has partitioned (dump it after optimizations)"));
        }
        Ok(sharding)
    }

    /// `meshes`: for shardings that name one.
    ///
    /// # Errors
    /// Its numbers do not fit each other; an unknown mesh, axis or word.
    pub fn from_hlo(hlo: &Hlo, meshes: &[Mesh]) -> Result<Sharding> {
        match hlo {
            Hlo::Tuple(_) => Err(Diagnostic::invalid("the sharding of a tuple, where one array's belongs")),
            Hlo::Maximal { device, .. } => device_number(*device).map(Sharding::Maximal),
            Hlo::Word { word, .. } => from_word(word),
            Hlo::Tiled { assignment, last_tile_dim_replicate, last_tile_dims, .. } => {
                let extra = if *last_tile_dim_replicate { 1 } else { last_tile_dims.len() };
                let counts = last_tile_dims.iter().zip(assignment.dims.iter().rev().take(extra).rev());
                let mut partial = vec![false; extra];
                for (i, (kind, &n)) in counts.enumerate() {
                    match &**kind {
                        "unreduced" => partial[i] = true,
                        // Devices that differ in it have arrays of their own.
                        kind if kind != "replicated" && n > 1 => return from_word(kind),
                        _ => {}
                    }
                }
                from_tiles(assignment, &partial)
            }
            Hlo::Named(named) => from_named(named, meshes),
        }
    }
}

/// Dimensions that it leaves to whoever knows better: open, and cut by nothing. Empty where there are none.
pub fn open_dimensions(attr: &Attr, meshes: &[Mesh]) -> Vec<bool> {
    let mut all = open_dimensions_of_each(attr, meshes);
    if all.len() == 1 { all.remove(0) } else { Vec::new() }
}

/// The same for attributes that hold one sharding a value.
pub fn open_dimensions_of_each(attr: &Attr, meshes: &[Mesh]) -> Vec<Vec<bool>> {
    let open = |sharding: &Hlo| match sharding {
        Hlo::Named(n) if n.dims.iter().any(|d| d.open) => {
            n.dims.iter().map(|d| d.open && d.axes.is_empty()).collect()
        }
        _ => Vec::new(),
    };
    syntax(attr, meshes).unwrap_or_default().iter().map(open).collect()
}

/// By device: its place along `axes` of the mesh that the shardings in `attr` name. `None` if they name none.
///
/// # Errors
/// As [`Sharding::from_attr`].
pub fn places_along(attr: &Attr, axes: &[&str], meshes: &[Mesh]) -> Result<Option<Vec<usize>>> {
    for sharding in syntax(attr, meshes)? {
        let Hlo::Named(n) = sharding else { continue };
        let mesh = resolve(&n.mesh, meshes)?;
        let devices = mesh.devices()?;
        let mut places = Parts { kind: Reduction::Sum, count: 1, places: vec![0; devices.len()] };
        for axis in axes {
            let (stride, size) = mesh.strides(axis, None)?;
            places.add(stride, size);
        }
        return by_device(&devices, &places.places).map(Some);
    }
    Ok(None)
}

/// The shardings that an attribute holds as HLO writes them, meshes by their axes.
///
/// # Errors
/// As [`Sharding::from_attr`].
pub fn as_hlo(attr: &Attr, meshes: &[Mesh]) -> Result<Vec<Hlo>> {
    let mut all = syntax(attr, meshes)?;
    for s in &mut all {
        let Hlo::Named(n) = s else { continue };
        if let Some(name) = n.mesh.name.take() {
            let unknown = || Diagnostic::invalid(format!("a sharding names mesh @{name}, which is unknown"));
            let mesh = meshes.iter().find(|m| m.name == name).ok_or_else(unknown)?;
            n.mesh = mesh_axes(mesh);
        }
    }
    Ok(all)
}

/// A mesh by its axes.
pub fn mesh_axes(mesh: &Mesh) -> MeshAxes {
    let order = (!mesh.device_ids.is_empty()).then(|| TileAssignment {
        dims: mesh.axes.iter().map(|a| a.1).collect(),
        devices: mesh.device_ids.clone(),
        ..TileAssignment::default()
    });
    MeshAxes { name: None, axes: mesh.axes.clone(), order }
}

/// One sharding a value, as written.
fn syntax(attr: &Attr, meshes: &[Mesh]) -> Result<Vec<Hlo>> {
    match attr {
        Attr::String(text) if !text.starts_with('#') => match parse_sharding(text)? {
            Hlo::Tuple(items) => Ok(items),
            one => Ok(vec![one]),
        },
        Attr::String(text) | Attr::Verbatim(text) => {
            Ok(shardy::read(text, meshes)?.into_iter().map(|n| Hlo::Named(Box::new(n))).collect())
        }
        other => Err(Diagnostic::invalid(format!("{other} is no sharding"))),
    }
}

fn from_word(word: &str) -> Result<Sharding> {
    let name = word.split(['[', ' ']).next().unwrap_or_default();
    match name {
        "replicated" => Ok(Sharding::Replicated),
        "manual" => Ok(Sharding::Manual),
        "maximal" | "single_device" => {
            let digits: String = word.chars().filter(char::is_ascii_digit).collect();
            Ok(Sharding::Maximal(digits.parse().unwrap_or(0)))
        }
        _ => Err(Diagnostic::unsupported(format!("a sharding that is `{word}`"))
            .help("shardings that are replicated, maximal, manual or tiled say where values lie")),
    }
}

fn device_number(n: i64) -> Result<usize> {
    usize::try_from(n)
        .ok()
        .filter(|&n| n < MAX_DEVICES)
        .ok_or_else(|| Diagnostic::invalid(format!("a sharding names device {n}")))
}

fn misfit() -> Diagnostic {
    Diagnostic::invalid("the tiles of a sharding do not fit its devices")
}

/// The last dimensions, as many as `partial`, count devices that hold the same tile, or parts of it.
fn from_tiles(t: &TileAssignment, partial: &[bool]) -> Result<Sharding> {
    let devices = t.device_list().ok_or_else(misfit)?;
    let rank = t.dims.len().checked_sub(partial.len()).ok_or_else(misfit)?;
    // `device_list` has seen to it that their product is small.
    let tiles: Vec<usize> = t.dims[..rank].iter().map(|&n| n as usize).collect();
    let same: usize = t.dims[rank..].iter().map(|&n| n as usize).product();
    let places: Vec<usize> = (0..devices.len()).map(|at| at / same.max(1)).collect();
    let mut parts = Parts { kind: Reduction::Sum, count: 1, places: vec![0; devices.len()] };
    let mut stride = same;
    for (&n, &partial) in t.dims[rank..].iter().zip(partial) {
        stride /= (n as usize).max(1);
        if partial {
            parts.add(stride, n as usize);
        }
    }
    tiled(tiles, &devices, &places, parts)
}

/// Which part of its tile each place of a mesh has.
struct Parts {
    kind: Reduction,
    count: usize,
    places: Vec<usize>,
}

impl Parts {
    /// Places differ along another dimension of the mesh, of `size`, whose neighbours are `stride` apart.
    fn add(&mut self, stride: usize, size: usize) {
        self.count *= size;
        for (at, place) in self.places.iter_mut().enumerate() {
            *place = *place * size + at / stride.max(1) % size.max(1);
        }
    }
}

/// `places[i]`: the tile that `devices[i]` holds.
fn tiled(tiles: Vec<usize>, devices: &[i64], places: &[usize], parts: Parts) -> Result<Sharding> {
    let tile_of = by_device(devices, places)?;
    let partial = match parts.count {
        1 => None,
        n => Some(Partial { kind: parts.kind, parts: n, part_of: by_device(devices, &parts.places)? }),
    };
    Ok(Sharding::Tiled(Tiling { tiles, tile_of, partial }))
}

/// What is given by place in a mesh, by device.
fn by_device(devices: &[i64], places: &[usize]) -> Result<Vec<usize>> {
    let mut out = vec![None; devices.len()];
    for (&device, &place) in devices.iter().zip(places) {
        let slot = usize::try_from(device).ok().and_then(|d| out.get_mut(d)).ok_or_else(misfit)?;
        if slot.replace(place).is_some() {
            return Err(misfit());
        }
    }
    out.into_iter().collect::<Option<_>>().ok_or_else(misfit)
}

fn from_named(n: &NamedSharding, meshes: &[Mesh]) -> Result<Sharding> {
    if let Some(word) = &n.word {
        return from_word(word);
    }
    let known = |key: &str| key == "replicated" || reduction(key).is_some();
    if let Some((key, _)) = n.axes.iter().find(|(key, axes)| !known(key) && !axes.is_empty()) {
        return from_word(key);
    }
    let mesh = resolve(&n.mesh, meshes)?;
    let devices = mesh.devices()?;
    if mesh.axes.is_empty() {
        // A mesh without axes stands for one device.
        return match devices[..] {
            [device] => device_number(device).map(Sharding::Maximal),
            _ => Err(misfit()),
        };
    }
    let mut used = BTreeSet::new();
    let mut once = |axis: &SubAxis| match used.insert((axis.name.clone(), axis.part)) {
        true => Ok(()),
        false => Err(Diagnostic::invalid(format!("axis \"{}\" is used twice in a sharding", axis.name))),
    };
    let mut parts = Parts { kind: Reduction::Sum, count: 1, places: vec![0; devices.len()] };
    for (kind, axes) in n.axes.iter().filter_map(|(key, axes)| Some((reduction(key)?, axes))) {
        parts.kind = kind;
        for axis in axes {
            once(axis)?;
            let (stride, size) = mesh.strides(&axis.name, axis.part)?;
            parts.add(stride, size);
        }
    }
    if n.dims.iter().all(|d| d.axes.is_empty()) && parts.count == 1 {
        return Ok(Sharding::Replicated);
    }
    let mut tiles = Vec::new();
    let mut places = vec![0usize; devices.len()];
    for dim in &n.dims {
        let mut count = 1usize;
        let mut index = vec![0usize; devices.len()];
        for axis in &dim.axes {
            once(axis)?;
            let (stride, size) = mesh.strides(&axis.name, axis.part)?;
            count = count.checked_mul(size).filter(|&n| n <= MAX_DEVICES).ok_or_else(misfit)?;
            for (at, index) in index.iter_mut().enumerate() {
                *index = *index * size + at / stride % size;
            }
        }
        tiles.push(count);
        for (place, index) in places.iter_mut().zip(index) {
            *place = *place * count + index;
        }
    }
    tiled(tiles, &devices, &places, parts)
}

/// How axes under this key are reduced, if they are.
fn reduction(key: &str) -> Option<Reduction> {
    match key {
        "unreduced" => Some(Reduction::Sum),
        "unreduced=max" => Some(Reduction::Max),
        "unreduced=min" => Some(Reduction::Min),
        _ => None,
    }
}

/// A mesh whose numbers fit.
struct Resolved {
    axes: Vec<(String, usize)>,
    order: Vec<i64>,
}

fn resolve(m: &MeshAxes, meshes: &[Mesh]) -> Result<Resolved> {
    let (axes, order) = match &m.name {
        None => {
            let order = match &m.order {
                Some(t) if t.reshape_dims.is_empty() => t.devices.clone(),
                Some(t) => t.device_list().ok_or_else(misfit)?,
                None => Vec::new(),
            };
            (m.axes.clone(), order)
        }
        Some(name) => {
            let found = meshes.iter().find(|mesh| mesh.name == *name);
            let found = found.ok_or_else(|| {
                Diagnostic::invalid(format!("a sharding names mesh @{name}, which is unknown"))
            })?;
            (found.axes.clone(), found.device_ids.clone())
        }
    };
    let mut out = Vec::new();
    let mut total = 1usize;
    for (name, size) in axes {
        let size =
            usize::try_from(size).ok().filter(|&n| (1..=MAX_DEVICES).contains(&n)).ok_or_else(misfit)?;
        total = total.checked_mul(size).filter(|&n| n <= MAX_DEVICES).ok_or_else(misfit)?;
        out.push((name.to_string(), size));
    }
    if !order.is_empty() && order.len() != total {
        return Err(misfit());
    }
    Ok(Resolved { axes: out, order })
}

impl Resolved {
    fn devices(&self) -> Result<Vec<i64>> {
        if !self.order.is_empty() {
            return Ok(self.order.clone());
        }
        let total: usize = self.axes.iter().map(|a| a.1).product();
        Ok((0..total as i64).collect())
    }

    /// How far apart neighbours along an axis (or a part of it) are in the mesh, and how many there are.
    fn strides(&self, name: &str, part: Option<(i64, i64)>) -> Result<(usize, usize)> {
        let at = self.axes.iter().position(|(n, _)| n == name);
        let at = at.ok_or_else(|| {
            Diagnostic::invalid(format!("a sharding names axis \"{name}\", which its mesh lacks"))
        })?;
        let size = self.axes[at].1;
        let inner: usize = self.axes[at + 1..].iter().map(|a| a.1).product();
        let Some((before, n)) = part else { return Ok((inner, size)) };
        let known = |n: i64| usize::try_from(n).ok().filter(|&n| n > 0);
        let fits = known(before).zip(known(n)).and_then(|(before, n)| {
            let both = before.checked_mul(n).filter(|both| size.is_multiple_of(*both))?;
            Some((inner * (size / both), n))
        });
        fits.ok_or_else(|| {
            Diagnostic::invalid(format!(
                "sub-axis ({before}){n} does not divide axis \"{name}\" of size {size}"
            ))
        })
    }
}
