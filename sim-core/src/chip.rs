//! Chips as a program sees them from outside: names, devices, memory, how many make a slice.
//!
//! Everything here is data. Where nothing else is said, a value was read from libtpu 0.0.52 through topology descriptions (no
//! hardware); `largest` and `wrap` are from Google Cloud's documentation and the scaling book (shared/facts/FACTS.md, section 1).

/// A generation of TPU.
#[derive(Debug, PartialEq)]
pub struct Chip {
    /// What it is called here: `v5e`.
    pub name: &'static str,
    /// What else it is called: by libtpu (`TPU v5e` is `v5e` after the vendor's name), JAX and Google Cloud. Lower case.
    pub aliases: &'static [&'static str],
    /// Its name in names of topologies that libtpu takes too: `tpu7x` of `tpu7x:2x2x1`.
    pub topology: &'static str,
    /// `device_kind`, by which JAX and its kernels tell generations apart.
    pub kind: &'static str,
    /// The devices of a chip on a machine.
    pub machine: Devices,
    /// As topology descriptions have them, for compiling ahead of time. Other than those of a machine for v4 alone.
    pub described: Devices,
    /// Cores of a chip as Google Cloud counts them in names of machine types (`v5p-8` has four chips).
    pub cores_in_name: usize,
    /// Dimensions of the torus: 2 or 3.
    pub torus: usize,
    /// The largest slice, from the shortest side to the longest.
    pub largest: [usize; 3],
    /// Chips of a host along x, y and z.
    pub host: [usize; 3],
    /// Which sides have a link from the last chip back to the first.
    pub wrap: Wrap,
}

/// What a client sees of a chip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Devices {
    pub per_chip: usize,
    /// The attribute `num_cores`: TensorCores that a device has.
    pub num_cores: i64,
    /// Bytes of HBM that programs may use, on a device of a slice of one chip.
    pub hbm_limit: i64,
    /// What each further chip of the slice takes from that, on every device.
    pub hbm_taken_by_each_chip: i64,
}

impl Devices {
    const fn new(per_chip: usize, num_cores: i64, hbm_limit: i64, hbm_taken_by_each_chip: i64) -> Devices {
        Devices { per_chip, num_cores, hbm_limit, hbm_taken_by_each_chip }
    }
}

/// When a side of a slice is a ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrap {
    /// A side as long as the pod's is a ring, whatever the others are.
    FullSide(usize),
    /// All sides are rings, once the slice consists of whole cubes of this side, joined by optical switches.
    WholeCubes(usize),
}

/// All chips, from the oldest.
pub static CHIPS: [Chip; 5] = [
    Chip {
        name: "v4",
        aliases: &["tpu v4"],
        topology: "v4",
        kind: "TPU v4",
        // Both TensorCores are one device ("megacore"): JAX refuses to make a mesh of others.
        machine: Devices::new(1, 2, 33_014_414_848, 512),
        described: Devices::new(2, 1, 32_745_977_856, 2048),
        cores_in_name: 2,
        torus: 3,
        largest: [16, 16, 16],
        host: [2, 2, 1],
        wrap: Wrap::WholeCubes(4),
    },
    Chip {
        name: "v5e",
        aliases: &["tpu v5e", "v5 lite", "tpu v5 lite", "v5litepod", "v5lite"],
        topology: "v5e",
        kind: "TPU v5 lite",
        machine: Devices::new(1, 1, 16_909_336_064, 512),
        described: Devices::new(1, 1, 16_909_336_064, 512),
        cores_in_name: 1,
        torus: 2,
        largest: [1, 16, 16],
        host: [2, 2, 1],
        wrap: Wrap::FullSide(16),
    },
    Chip {
        name: "v5p",
        aliases: &["tpu v5p", "v5", "tpu v5"],
        topology: "v5p",
        kind: "TPU v5",
        machine: Devices::new(1, 2, 102_786_661_888, 512),
        described: Devices::new(1, 2, 102_786_661_888, 512),
        cores_in_name: 2,
        torus: 3,
        largest: [16, 20, 28],
        host: [2, 2, 1],
        wrap: Wrap::WholeCubes(4),
    },
    Chip {
        name: "v6e",
        aliases: &["tpu v6e", "v6 lite", "tpu v6 lite"],
        topology: "v6e",
        kind: "TPU v6 lite",
        machine: Devices::new(1, 1, 33_546_042_880, 512),
        described: Devices::new(1, 1, 33_546_042_880, 512),
        cores_in_name: 1,
        torus: 2,
        largest: [1, 16, 16],
        host: [2, 2, 1],
        wrap: Wrap::FullSide(16),
    },
    Chip {
        name: "v7x",
        aliases: &["tpu7x", "tpu v7x", "tpu7", "tpu v7", "v7", "7x"],
        topology: "tpu7x",
        kind: "TPU7x",
        machine: Devices::new(2, 1, 101_724_453_888, 1024),
        described: Devices::new(2, 1, 101_724_453_888, 1024),
        cores_in_name: 2,
        torus: 3,
        largest: [16, 16, 36],
        host: [2, 2, 1],
        // By analogy with v4 and v5p; not read anywhere.
        wrap: Wrap::WholeCubes(4),
    },
];

impl Chip {
    /// By any of its names, in any case.
    pub fn named(name: &str) -> Option<&'static Chip> {
        let name = name.trim().to_ascii_lowercase();
        CHIPS.iter().find(|c| c.name == name || c.aliases.contains(&name.as_str()))
    }

    /// Chips of the largest slice.
    pub fn largest_slice(&self) -> usize {
        self.largest.iter().product()
    }

    /// Whether a slice can have this shape: part of a pod or cube whose sides are powers of two, or whole cubes.
    pub fn can_be(&self, shape: [usize; 3]) -> bool {
        let fits = shape
            .iter()
            .try_fold(1usize, |n, &side| n.checked_mul(side))
            .is_some_and(|n| (1..=self.largest_slice()).contains(&n));
        let sides = |most: usize| shape.iter().all(|&n| n <= most && n.is_power_of_two());
        fits && match self.wrap {
            Wrap::FullSide(side) => shape[self.torus..].iter().all(|&n| n == 1) && sides(side),
            Wrap::WholeCubes(side) => sides(side) || shape.iter().all(|&n| n.is_multiple_of(side)),
        }
    }

    /// Which sides of a slice are rings.
    pub fn rings(&self, shape: [usize; 3]) -> [bool; 3] {
        match self.wrap {
            Wrap::FullSide(side) => shape.map(|n| n == side),
            Wrap::WholeCubes(side) => [shape.iter().all(|&n| n > 0 && n.is_multiple_of(side)); 3],
        }
    }

    /// The usual slice of that many chips: the sides as alike as powers of two can be, the longer ones last.
    pub fn usual_shape(&self, chips: usize) -> Option<[usize; 3]> {
        if !chips.is_power_of_two() {
            return None;
        }
        let bits = chips.trailing_zeros() as usize;
        let mut shape = [1; 3];
        if self.torus == 3 && bits < 5 {
            // Within a cube a host's square is filled first: 2x2x1, 2x2x2, 2x2x4.
            let flat = bits.min(2);
            shape = [1 << (flat - flat / 2), 1 << (flat / 2), 1 << (bits - flat)];
        } else {
            for (i, side) in shape[..self.torus].iter_mut().enumerate() {
                *side = 1 << ((bits + i) / self.torus);
            }
        }
        self.can_be(shape).then_some(shape)
    }

    /// Slices of at most so many chips, smallest first.
    pub fn slices(&self, chips: usize) -> Vec<[usize; 3]> {
        (0..usize::BITS)
            .map_while(|bits| 1usize.checked_shl(bits))
            .take_while(|&n| n <= chips)
            .filter_map(|n| self.usual_shape(n))
            .collect()
    }

    /// A shape as names of topologies have it: `2x4`, `2x2x1`.
    pub fn shape_text(&self, shape: [usize; 3]) -> String {
        let used = if shape[2] == 1 { self.torus } else { 3 };
        shape[..used.min(3)].iter().map(usize::to_string).collect::<Vec<_>>().join("x")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        let mut names: Vec<&str> =
            CHIPS.iter().flat_map(|c| c.aliases.iter().copied().chain([c.name])).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
        assert!(names.iter().all(|n| *n == n.to_ascii_lowercase()));
        for chip in &CHIPS {
            assert_eq!(Chip::named(chip.kind), Some(chip), "{}", chip.kind);
        }
        assert_eq!(Chip::named("TPU7x").map(|c| c.name), Some("v7x"));
        assert_eq!(Chip::named("v5LitePod").map(|c| c.name), Some("v5e"));
        assert_eq!(Chip::named("v9"), None);
    }

    #[test]
    fn shapes() {
        let chip = |name| Chip::named(name).unwrap();
        let text = |name, chips| chip(name).usual_shape(chips).map(|s| chip(name).shape_text(s));
        for (chips, shape) in [(1, "1x1"), (4, "2x2"), (8, "2x4"), (16, "4x4"), (32, "4x8"), (256, "16x16")] {
            assert_eq!(text("v5e", chips).as_deref(), Some(shape));
        }
        for (chips, shape) in [
            (1, "1x1x1"),
            (4, "2x2x1"),
            (8, "2x2x2"),
            (16, "2x2x4"),
            (32, "2x4x4"),
            (64, "4x4x4"),
            (128, "4x4x8"),
            (256, "4x8x8"),
            (4096, "16x16x16"),
        ] {
            assert_eq!(text("v5p", chips).as_deref(), Some(shape));
        }
        assert_eq!(text("v6e", 512), None);
        assert_eq!(text("v6e", 3), None);
        for (name, shape, can) in [
            ("v5e", [1, 4, 1], true),
            ("v5e", [2, 2, 2], false),
            ("v5e", [3, 3, 1], false),
            ("v6e", [32, 8, 1], false),
            ("v5p", [4, 4, 12], true),
            ("v5p", [4, 4, 2], true),
            ("v5p", [6, 6, 6], false),
            ("v4", [4, 4, 256], true),
            ("v4", [4, 8, 256], false),
            ("v7x", [16, 16, 36], true),
            ("v4", [0, 1, 1], false),
            ("v4", [usize::MAX, 8, 4], false),
        ] {
            assert_eq!(chip(name).can_be(shape), can, "{name} {shape:?}");
        }
        assert_eq!(chip("v5e").rings([8, 16, 1]), [false, true, false]);
        assert_eq!(chip("v4").rings([4, 4, 8]), [true; 3]);
        assert_eq!(chip("v4").rings([2, 2, 4]), [false; 3]);
        assert_eq!(chip("v6e").slices(9).len(), 4);
    }
}
