//! How chips make slices: shapes, rings, names.

use serde::Deserialize;

/// What a generation's slices can be.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Slices {
    /// The chip's name in names of topologies that libtpu takes too: `tpu7x` of `tpu7x:2x2x1`.
    pub topology: String,
    /// Dimensions of the torus: 2 or 3.
    pub torus: usize,
    /// The largest slice, from the shortest side to the longest.
    pub largest: [usize; 3],
    /// Chips of a host along x, y and z.
    pub host: [usize; 3],
    /// Which sides have a link from the last chip back to the first.
    pub wrap: Wrap,
    /// Cores of a chip as Google Cloud counts them in names of machine types (`v5p-8` has four chips).
    pub cores_in_name: usize,
    /// What descriptions for compiling ahead of time have other than machines.
    pub(super) described: Option<Described>,
}

/// When a side of a slice is a ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wrap {
    /// A side as long as the pod's is a ring, whatever the others are.
    FullSide(usize),
    /// All sides are rings, once the slice consists of whole cubes of this side, joined by optical switches.
    WholeCubes(usize),
}

/// The parameters of the same names, for descriptions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Described {
    pub devices: u64,
    pub usable_bytes: u64,
    pub taken_by_chip_bytes: u64,
}

impl Slices {
    /// What cannot be.
    pub(super) fn check(&self) -> Result<(), &'static str> {
        let (Wrap::FullSide(side) | Wrap::WholeCubes(side)) = self.wrap;
        let sides = self.largest.iter().chain(&self.host).chain([&side, &self.cores_in_name]);
        if !(2..=3).contains(&self.torus) {
            return Err("slice.torus is 2 or 3");
        }
        if sides.copied().any(|n| n == 0 || n > 1 << 16) {
            return Err("a side or count of [slice] is 0, or far too large");
        }
        if self.described.is_some_and(|d| d.devices == 0) {
            return Err("slice.described.devices is 0");
        }
        Ok(())
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
    pub fn of_at_most(&self, chips: usize) -> Vec<[usize; 3]> {
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
