//! How an array lies on devices.
//!
//! Programs say it in three ways: HLO's `sharding=` in two versions, the same text in `mhlo.sharding`, and
//! Shardy's `sdy.sharding` with the meshes of its module. All become a [`Sharding`], which cuts a global array
//! into what each device holds ([`Sharding::cut`]) and puts it together again ([`Sharding::join`]).
//!
//! * `read`: the three ways
//! * `shardy`: Shardy's text
//! * `cut`: boxes of arrays
//! * `propagate`: of results, from those of arguments

mod cut;
pub mod propagate;
mod read;
mod shardy;

pub use read::{as_hlo, mesh_axes, open_dimensions, open_dimensions_of_each, places_along};

use sim_core::{Diagnostic, Result};

/// How one array lies on the devices of a program, which are its partitions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sharding {
    /// Every device holds all of it.
    Replicated,
    /// One device has it. (The program is the same everywhere, so the others have something of its shape.)
    Maximal(usize),
    /// Every device has an array of its own, about which nothing is said.
    Manual,
    Tiled(Tiling),
}

/// An array in tiles of one size. The last tiles of a dimension that does not divide are filled up: what they
/// hold beyond the array is nobody's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tiling {
    /// Into how many tiles each dimension is cut.
    pub tiles: Vec<usize>,
    /// By device: the tile it holds, counted row-major. Several may hold the same.
    pub tile_of: Vec<usize>,
    /// Devices of one tile hold parts of it, which are yet to be reduced.
    pub partial: Option<Partial>,
}

/// What makes a whole of the parts of an unreduced array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partial {
    pub kind: Reduction,
    /// How many parts make a whole.
    pub parts: usize,
    /// By device: which part it holds. Several may hold the same.
    pub part_of: Vec<usize>,
}

/// Shardy's `reduction_op`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    Sum,
    Max,
    Min,
}

impl Tiling {
    /// Nothing of it is to be reduced.
    pub fn plain(tiles: Vec<usize>, tile_of: Vec<usize>) -> Tiling {
        Tiling { tiles, tile_of, partial: None }
    }
}

impl Sharding {
    /// # Errors
    /// The sharding is for arrays of another rank, or for another number of devices.
    pub fn check(&self, rank: usize, devices: usize) -> Result<()> {
        match self {
            Sharding::Replicated | Sharding::Manual => Ok(()),
            Sharding::Maximal(device) if *device < devices => Ok(()),
            Sharding::Maximal(device) => Err(Diagnostic::invalid(format!(
                "the sharding names device {device}, and the program is for {devices}"
            ))),
            Sharding::Tiled(t) if t.tiles.len() != rank => Err(Diagnostic::invalid(format!(
                "the sharding is of {} dimensions, and the array has {rank}",
                t.tiles.len()
            ))),
            Sharding::Tiled(t) if t.tile_of.len() != devices => Err(Diagnostic::invalid(format!(
                "the sharding is over {} devices, and the program is for {devices}",
                t.tile_of.len()
            ))),
            Sharding::Tiled(_) => Ok(()),
        }
    }

    /// Do both devices have the same of every array?
    pub fn same_part(&self, a: usize, b: usize) -> bool {
        match self {
            Sharding::Tiled(t) => {
                let part = |d: usize| t.partial.as_ref().and_then(|p| p.part_of.get(d));
                t.tile_of.get(a) == t.tile_of.get(b) && part(a) == part(b)
            }
            _ => true,
        }
    }

    /// Is each device's part the whole array?
    pub fn is_whole(&self) -> bool {
        match self {
            Sharding::Replicated | Sharding::Maximal(_) => true,
            Sharding::Manual => false,
            Sharding::Tiled(t) => t.partial.is_none() && t.tiles.iter().all(|&n| n == 1),
        }
    }

    /// The shape of what each device holds of an array of this shape.
    pub fn shard_shape(&self, global: &[usize]) -> Vec<usize> {
        match self {
            Sharding::Tiled(t) => global.iter().zip(&t.tiles).map(|(&n, &k)| n.div_ceil(k.max(1))).collect(),
            _ => global.to_vec(),
        }
    }

    /// The shape of the array whose parts are of this shape, if none was filled up.
    pub fn global_shape(&self, shard: &[usize]) -> Vec<usize> {
        match self {
            Sharding::Tiled(t) => shard.iter().zip(&t.tiles).map(|(&n, &k)| n.saturating_mul(k)).collect(),
            _ => shard.to_vec(),
        }
    }

    /// Are arrays of shape `global` cut into parts of shape `shard`?
    pub fn makes(&self, global: &[usize], shard: &[usize]) -> bool {
        let rank_fits = match self {
            Sharding::Tiled(t) => t.tiles.len() == global.len(),
            _ => true,
        };
        rank_fits && self.shard_shape(global) == shard
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::hlo::parse_sharding;
    use sim_core::{Ctx, Numerics, Tensor};

    fn hlo(text: &str) -> Sharding {
        Sharding::from_hlo(&parse_sharding(text).unwrap(), &[]).unwrap()
    }

    #[test]
    fn forms_of_hlo() {
        assert_eq!(hlo("{replicated}"), Sharding::Replicated);
        assert_eq!(hlo("{maximal device=3}"), Sharding::Maximal(3));
        assert_eq!(hlo("{manual}"), Sharding::Manual);
        let tiled =
            |tiles: &[usize], tile_of: &[usize]| Sharding::Tiled(Tiling::plain(tiles.into(), tile_of.into()));
        assert_eq!(hlo("{devices=[2,2]<=[4]}"), tiled(&[2, 2], &[0, 1, 2, 3]));
        assert_eq!(hlo("{devices=[2,2]<=[2,2]T(1,0)}"), tiled(&[2, 2], &[0, 2, 1, 3]));
        assert_eq!(hlo("{devices=[2,1]1,0}"), tiled(&[2, 1], &[1, 0]));
        assert_eq!(hlo("{devices=[2,2]<=[4] last_tile_dim_replicate}"), tiled(&[2], &[0, 0, 1, 1]));
        assert_eq!(
            hlo("{devices=[2,1,2]<=[4] last_tile_dims={replicated}}"),
            hlo("{devices=[2,1,2]<=[4] last_tile_dim_replicate}")
        );
        assert_eq!(hlo("{mesh['x'=2,'y'=2], [{'y'}, {}]}"), tiled(&[2, 1], &[0, 1, 0, 1]));
        assert_eq!(hlo("{mesh['x'=2,'y'=2], [{'y', 'x'}, {?}]}"), tiled(&[4, 1], &[0, 2, 1, 3]));
        assert_eq!(hlo("{mesh['x'=4], [{'x':(2)2}]}"), tiled(&[2], &[0, 1, 0, 1]));
        assert_eq!(hlo("{mesh['x'=4,'y'=2], manual}"), Sharding::Manual);
        assert_eq!(hlo("{mesh['x'=4,'y'=2], replicated}"), Sharding::Replicated);
    }

    #[test]
    fn wrong_shardings_are_errors() {
        for text in [
            "{devices=[2,2]<=[3]}",
            "{devices=[2]0,0}",
            "{devices=[2]0,7}",
            "{mesh['x'=2], [{'z'}]}",
            "{mesh['x'=4], [{'x':(3)2}]}",
            "{mesh['x'=2], [{'x'}, {'x'}]}",
            "{mesh['x'=2], [{'x'}], unreduced={'x'}}",
            "{nonsense}",
            "{unreduced}",
            "{devices=[4294967296,4294967296,4294967296]<=[8]}",
        ] {
            let parsed = parse_sharding(text).unwrap();
            assert!(Sharding::from_hlo(&parsed, &[]).is_err(), "{text}");
        }
    }

    #[test]
    fn parts_of_unreduced_arrays_are_reduced() {
        let ctx = Ctx::new(Numerics::ieee(), 1 << 20);
        let s = hlo("{mesh['x'=2,'y'=2], [{'x'}, {}], unreduced={'y'}}");
        assert_eq!(s, hlo("{devices=[2,1,2]<=[4] last_tile_dims={unreduced}}"));
        let whole = Tensor::from_slice(&[2, 2], &[1f32, 2.0, 3.0, 4.0]);
        let parts: Vec<Tensor> = (0..4).map(|d| s.cut(&ctx, &whole, d).unwrap()).collect();
        assert_eq!(parts[2].as_slice::<f32>(), [3.0, 4.0]);
        assert_eq!(parts[3].as_slice::<f32>(), [0.0, 0.0]);
        let refs: Vec<&Tensor> = parts.iter().collect();
        assert_eq!(s.join(&ctx, &refs, &[2, 2]).unwrap(), whole);
        let one = Tensor::from_slice(&[1, 2], &[1f32, 5.0]);
        let sums = s.join(&ctx, &[&one, &one, &one, &one], &[2, 2]).unwrap();
        assert_eq!(sums.as_slice::<f32>(), [2.0, 10.0, 2.0, 10.0]);
        let Sharding::Tiled(mut t) = s else { panic!() };
        t.partial.as_mut().unwrap().kind = Reduction::Max;
        let most = Sharding::Tiled(t).join(&ctx, &[&one, &one, &one, &one], &[2, 2]).unwrap();
        assert_eq!(most.as_slice::<f32>(), [1.0, 5.0, 1.0, 5.0]);
    }

    #[test]
    fn uneven_tiles_are_filled_up_and_taken_off_again() {
        let ctx = Ctx::new(Numerics::ieee(), 1 << 20);
        let s = hlo("{devices=[2,2]<=[4]}");
        let whole = Tensor::from_slice(&[3, 3], &[1, 2, 3, 4, 5, 6, 7, 8, 9]);
        let parts: Vec<Tensor> = (0..4).map(|d| s.cut(&ctx, &whole, d).unwrap()).collect();
        assert_eq!(parts[1].as_slice::<i32>(), [3, 0, 6, 0]);
        assert_eq!(parts[3].as_slice::<i32>(), [9, 0, 0, 0]);
        let refs: Vec<&Tensor> = parts.iter().collect();
        assert_eq!(s.join(&ctx, &refs, &[3, 3]).unwrap(), whole);
    }
}
