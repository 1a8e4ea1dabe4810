//! Which devices there are: slices of chips, and names for them such as `v5e:2x4`.
//!
//! What a client reads here is what libtpu 0.0.52 says of the same slice: ids that count x fastest, coordinates, kinds,
//! memory limits, attributes and their texts, to the byte. A machine ([`Topology::parse`]) is one process that has all devices; a
//! description for compiling ahead of time ([`Topology::describe`]) has the hosts that the real slice has.

mod name;

use super::status::{Result, Status};
use name::{parse_name, possible, sides};
use sim_core::chip::{Chip, Devices, Slices, Wrap};
use std::fmt;

/// What an attribute or an option is.
#[derive(Clone, Debug, PartialEq)]
pub enum Attribute {
    String(String),
    Int(i64),
    Ints(Vec<i64>),
    Float(f32),
    Bool(bool),
}

/// Attributes by name, in libtpu's order.
pub type Attributes = Vec<(&'static str, Attribute)>;

/// More devices than this are somebody's slip: the largest real slice has 18432.
const MOST_DEVICES: usize = 1 << 18;

/// What one device says of itself.
#[derive(Clone, Debug, PartialEq)]
pub struct DeviceDescription {
    pub id: i64,
    pub process_index: i64,
    /// Its place among its process's devices.
    pub local_hardware_id: i64,
    /// x, y, z of its chip.
    pub coords: [i64; 3],
    pub core_on_chip: i64,
    /// TensorCores that it has.
    pub num_cores: i64,
    pub slice_index: i64,
    pub kind: &'static str,
    /// Bytes of HBM that programs may use.
    pub hbm_limit: i64,
    /// Of several slices: its id and its process within its own.
    within_slice: Option<(i64, i64)>,
    has_slice_index: bool,
}

/// Slices of chips, and their devices.
#[derive(Clone, Debug, PartialEq)]
pub struct Topology {
    pub chip: &'static Chip,
    /// How such chips make slices.
    of: &'static Slices,
    /// The devices of each chip.
    pub of_chip: Devices,
    /// Chips along x, y and z of one slice.
    pub shape: [usize; 3],
    /// Sides that are rings.
    pub wrap: [bool; 3],
    pub twisted: bool,
    pub slices: usize,
    /// Chips of a host along x, y, z. `None`: one process has all.
    host: Option<[usize; 3]>,
    /// In a machine by id, in a description host by host, as libtpu lists them.
    pub devices: Vec<DeviceDescription>,
}

impl Topology {
    /// The machine of that name (`v5e:2x4`, `TPU v6 lite=1x1`, `v5p:4x4x8_twisted`; `v5litepod-8` as Google Cloud
    /// calls machine types): one process that has every device.
    ///
    /// # Errors
    /// Invalid argument, with the nearest names that are none.
    pub fn parse(name: &str) -> Result<Topology> {
        let (chip, of, shape, twisted) = parse_name(name)?;
        possible(name, chip, of, shape)?;
        Topology {
            of_chip: chip.machine(),
            wrap: of.rings(shape),
            twisted,
            ..Topology::plain(chip, of, shape)
        }
        .finish(name)
    }

    /// The slice of that name as compilers see it ahead of time. Options are those that JAX's
    /// `get_topology_desc` passes on: `num_slices`, `chips_per_host_bounds`, `wrap`, `chip_config_name`.
    ///
    /// # Errors
    /// Invalid argument: as [`Topology::parse`], and for options by their names.
    pub fn describe<S: AsRef<str>>(name: &str, options: &[(S, Attribute)]) -> Result<Topology> {
        let (chip, of, shape, twisted) = parse_name(name)?;
        let mut topology = Topology { twisted, ..Topology::plain(chip, of, shape) };
        let mut hosts_given = false;
        let mut unknown = Vec::new();
        for (key, value) in options {
            match (key.as_ref(), value) {
                ("num_slices", &Attribute::Int(n)) => {
                    topology.slices = usize::try_from(n.max(1)).unwrap_or(usize::MAX);
                }
                ("num_slices", _) => return Err(wrong("num_slices", "an integer")),
                ("chips_per_host_bounds", value) => {
                    let bounds = three("chips_per_host_bounds", value)?;
                    topology.host = Some(bounds.map(|n| usize::try_from(n).unwrap_or(0)));
                    hosts_given = true;
                }
                ("wrap", value) => topology.wrap = three("wrap", value)?.map(|n| n == 1),
                ("chip_config_name", Attribute::String(config)) if config == "default" => {}
                // libtpu's name for it.
                ("chip_config_name", Attribute::String(config))
                    if config == "megacore" && chip.machine().num_cores > 1 =>
                {
                    topology.of_chip = chip.machine();
                }
                ("chip_config_name", _) => {
                    return Err(Status::invalid(format!(
                        "topology {name:?}: `chip_config_name` is \"default\", or \"megacore\" for v4 and v5p"
                    )));
                }
                (other, _) => unknown.push(format!("`{other}`")),
            }
        }
        if !unknown.is_empty() {
            return Err(Status::invalid(format!(
                "topology {name:?}: unknown options {}; known are `num_slices`, `chips_per_host_bounds`, \
                 `wrap` and `chip_config_name`",
                unknown.join(", ")
            )));
        }
        if !hosts_given {
            possible(name, chip, of, shape)?;
            // A host's square is cut where the slice is thinner.
            topology.host = Some([0, 1, 2].map(|i| of.host[i].min(shape[i])));
        }
        topology.finish(name)
    }

    fn plain(chip: &'static Chip, of: &'static Slices, shape: [usize; 3]) -> Topology {
        Topology {
            chip,
            of,
            of_chip: chip.described(),
            shape,
            wrap: [false; 3],
            twisted: false,
            slices: 1,
            host: None,
            devices: Vec::new(),
        }
    }

    /// Checks what the parts must be to each other, and lists the devices.
    fn finish(mut self, name: &str) -> Result<Topology> {
        let shape = self.shape;
        let text = self.of.shape_text(shape);
        if let Some(host) = self.host
            && (0..3).any(|i| host[i] == 0 || !shape[i].is_multiple_of(host[i]))
        {
            return Err(Status::invalid(format!(
                "topology {name:?}: hosts of {}x{}x{} chips (`chips_per_host_bounds`) do not make a slice of {text}",
                host[0], host[1], host[2]
            )));
        }
        if self.twisted {
            let mut sides = shape;
            sides.sort_unstable();
            let [a, b, c] = sides;
            if !matches!(self.of.wrap, Wrap::WholeCubes(_))
                || !(a.checked_mul(2) == Some(c) && (b == a || b == c))
            {
                return Err(Status::invalid(format!(
                    "topology {name:?}: a twisted torus has three sides, in the ratio 1:1:2 or 1:2:2, as v5p:4x4x8"
                )));
            }
            if self.wrap != [true; 3] {
                return Err(Status::invalid(format!(
                    "topology {name:?}: a twisted torus wraps in all dimensions: add wrap=(True, True, True)"
                )));
            }
        }
        let per_slice =
            shape.iter().chain([&self.of_chip.per_chip]).try_fold(1usize, |n, &d| n.checked_mul(d));
        match per_slice.and_then(|n| n.checked_mul(self.slices)) {
            Some(1..=MOST_DEVICES) => {}
            _ => {
                return Err(Status::invalid(format!(
                    "topology {name:?}: {} slices of {text} chips are more than {MOST_DEVICES} devices",
                    self.slices
                )));
            }
        }
        self.devices = self.list();
        Ok(self)
    }

    fn list(&self) -> Vec<DeviceDescription> {
        let (chip, shape) = (self.chip, self.shape);
        let host = self.host.unwrap_or(shape);
        let hosts = [0, 1, 2].map(|i| shape[i] / host[i]);
        let mut devices = Vec::new();
        for slice in 0..self.slices {
            for process in 0..hosts.iter().product() {
                let corner = place(process, hosts);
                for local in 0..host.iter().product::<usize>() {
                    let within = place(local, host);
                    let at = [0, 1, 2].map(|i| corner[i] * host[i] + within[i]);
                    let number = (at[2] * shape[1] + at[1]) * shape[0] + at[0];
                    for core in 0..self.of_chip.per_chip {
                        let id = (number * self.of_chip.per_chip + core) as i64;
                        let several = self.slices > 1;
                        let process_index = match self.host {
                            Some(_) => slice * hosts.iter().product::<usize>() + process,
                            None => 0,
                        };
                        devices.push(DeviceDescription {
                            id: if several { 100_000 * (slice as i64 + 1) + id } else { id },
                            process_index: process_index as i64,
                            local_hardware_id: match self.host {
                                Some(_) => (local * self.of_chip.per_chip + core) as i64,
                                None => devices.len() as i64,
                            },
                            coords: at.map(|n| n as i64),
                            core_on_chip: core as i64,
                            num_cores: self.of_chip.num_cores,
                            slice_index: slice as i64,
                            kind: &chip.kind,
                            hbm_limit: self.hbm_limit(),
                            within_slice: several.then_some((id, process as i64)),
                            has_slice_index: several || self.host.is_none(),
                        });
                    }
                }
            }
        }
        devices
    }

    /// Always `tpu`.
    pub fn platform_name(&self) -> &'static str {
        "tpu"
    }

    /// As libtpu says it: what runs the devices, then what was built.
    pub fn platform_version(&self) -> String {
        let several = if self.slices > 1 { "megascale+" } else { "" };
        format!(
            "{several}TFRT {}\ntpusim {} (simulated devices; no libtpu)",
            self.chip.kind,
            env!("CARGO_PKG_VERSION")
        )
    }

    /// Bytes of HBM that programs may use on each device.
    pub fn hbm_limit(&self) -> i64 {
        let others = self.shape.iter().product::<usize>() as i64 - 1;
        let each = self.of_chip.hbm_taken_by_each_chip;
        (self.of_chip.hbm_limit - others.saturating_mul(each)).max(0)
    }

    /// What the topology says of itself.
    pub fn attributes(&self) -> Attributes {
        vec![
            ("device_memory_bytes_limit", Attribute::Int(self.hbm_limit())),
            ("twist", Attribute::Int(self.twisted.into())),
            ("wrap", Attribute::Ints(self.wrap.map(i64::from).to_vec())),
        ]
    }

    /// The place in `devices` of the one with that id.
    pub fn device_index(&self, id: i64) -> Option<usize> {
        let known = |&i: &usize| self.devices[i].id == id;
        // In a machine of one slice the id is the place.
        let guess = usize::try_from(id).ok().filter(|&i| i < self.devices.len()).filter(known);
        guess.or_else(|| (0..self.devices.len()).find(known))
    }

    /// Its name in the form that is parsed: `v5e:2x4`.
    pub fn name(&self) -> String {
        let twisted = if self.twisted { "_twisted" } else { "" };
        format!("{}:{}{twisted}", self.of.topology, self.of.shape_text(self.shape))
    }

    /// The same for the same topology in any version and on any machine.
    pub fn fingerprint(&self) -> u64 {
        // FNV-1a.
        self.serialize()
            .iter()
            .fold(0xcbf2_9ce4_8422_2325, |h: u64, &b| (h ^ u64::from(b)).wrapping_mul(0x0000_0100_0000_01b3))
    }

    /// Bytes for [`Topology::deserialize`].
    pub fn serialize(&self) -> Vec<u8> {
        let host = self.host.map_or_else(|| "-".into(), |h| h.map(|n| n.to_string()).join("x"));
        let wrap = self.wrap.map(|w| if w { "1" } else { "0" }).concat();
        let cores = self.of_chip.num_cores;
        format!("{HEAD}{} cores={cores} slices={} host={host} wrap={wrap}", self.name(), self.slices)
            .into_bytes()
    }

    /// # Errors
    /// Invalid argument: not the bytes of [`Topology::serialize`].
    pub fn deserialize(bytes: &[u8]) -> Result<Topology> {
        let bad = |what: &str| Status::invalid(format!("serialized topology: {what}"));
        let text = std::str::from_utf8(bytes).map_err(|_| bad("not one of tpusim's"))?;
        let Some(body) = text.strip_prefix(HEAD) else {
            return Err(bad("not one of tpusim's, or of another version of it"));
        };
        let parts: Vec<&str> = body.split(' ').collect();
        let [name, cores, slices, host, wrap] = parts[..] else { return Err(bad("cut short")) };
        let field = |text: &str, key: &str| {
            text.strip_prefix(key).map(str::to_owned).ok_or_else(|| bad(&format!("no `{key}`")))
        };
        let (chip, of, shape, twisted) = parse_name(name)?;
        let mut topology = Topology { twisted, ..Topology::plain(chip, of, shape) };
        let cores = field(cores, "cores=")?;
        topology.of_chip = [chip.described(), chip.machine()]
            .into_iter()
            .find(|d| d.num_cores.to_string() == cores)
            .ok_or_else(|| bad("cores"))?;
        topology.slices = field(slices, "slices=")?.parse().map_err(|_| bad("slices"))?;
        let host = field(host, "host=")?;
        if host != "-" {
            topology.host = Some(sides(&host).ok_or_else(|| bad("host"))?);
        }
        topology.wrap = match field(wrap, "wrap=")?.as_bytes() {
            &[x, y, z] => [x == b'1', y == b'1', z == b'1'],
            _ => return Err(bad("wrap")),
        };
        topology.finish(name)
    }
}

/// The first line of what is serialized: whose it is and in which version.
const HEAD: &str = "tpusim topology 1\n";

/// The `n`-th place of a box, x fastest.
fn place(n: usize, size: [usize; 3]) -> [usize; 3] {
    [n % size[0], n / size[0] % size[1], n / size[0] / size[1]]
}

fn wrong(option: &str, what: &str) -> Status {
    Status::invalid(format!("topology: `{option}` is {what}"))
}

fn three(option: &str, value: &Attribute) -> Result<[i64; 3]> {
    match value {
        Attribute::Ints(list) => list[..].try_into().ok(),
        _ => None,
    }
    .ok_or_else(|| wrong(option, "a list of three integers"))
}

impl DeviceDescription {
    /// What the device says of itself.
    pub fn attributes(&self) -> Attributes {
        let mut list = vec![
            ("coords", Attribute::Ints(self.coords.to_vec())),
            ("core_on_chip", Attribute::Int(self.core_on_chip)),
            ("num_cores", Attribute::Int(self.num_cores)),
            ("device_memory_bytes_limit", Attribute::Int(self.hbm_limit)),
        ];
        if self.has_slice_index {
            list.push(("slice_index", Attribute::Int(self.slice_index)));
        }
        list
    }

    /// `TPU_3(process=0,(1,1,0,0))`: x, y, z and the core.
    pub fn debug_string(&self) -> String {
        let ([x, y, z], core) = (self.coords, self.core_on_chip);
        self.wrapped(|id, process| format!("TPU_{id}(process={process},({x},{y},{z},{core}))"))
    }

    /// Devices of several slices name the one of their own slice within.
    fn wrapped(&self, text: impl Fn(i64, i64) -> String) -> String {
        match self.within_slice {
            None => text(self.id, self.process_index),
            Some((id, process)) => {
                format!("MegaScalePjRtDevice(wrapped={}, slice_id={})", text(id, process), self.slice_index)
            }
        }
    }
}

/// `TpuDevice(id=3, process_index=0, coords=(1,1,0), core_on_chip=0)`
impl fmt::Display for DeviceDescription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([x, y, z], core) = (self.coords, self.core_on_chip);
        f.write_str(&self.wrapped(|id, process| {
            format!("TpuDevice(id={id}, process_index={process}, coords=({x},{y},{z}), core_on_chip={core})")
        }))
    }
}

#[cfg(test)]
mod tests;
