//! Which devices: replica groups of collectives, shardings of values.

use std::sync::Arc;

/// `replica_groups=…` in the three forms that XLA writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeviceGroups {
    /// `{{0,1},{2,3}}`; `{}` is one group of everybody.
    Lists(Vec<Vec<i64>>),
    /// `[2,4]<=[8]T(1,0)`: groups by size, over a transposed iota of the devices.
    Iota(TileAssignment),
    /// `mesh['x'=4,'y'=2] {'x'}`: groups along the named axes.
    Mesh { mesh: MeshAxes, axes: Vec<SubAxis> },
}

/// `[2,4]<=[4,2]T(1,0)`: reshape the transposed iota to `dims`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TileAssignment {
    pub dims: Vec<i64>,
    /// Dimensions of the iota before it is transposed. Empty: `devices` lists them.
    pub reshape_dims: Vec<i64>,
    /// Its permutation; empty when there is none.
    pub transpose: Vec<i64>,
    /// `devices=[2,2]0,1,3,2`: the devices one by one.
    pub devices: Vec<i64>,
}

/// `mesh['x'=4,'y'=2]`, with `device_ids=…` where the order is not iota.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MeshAxes {
    /// `@mesh`, where it is named.
    pub name: Option<Arc<str>>,
    pub axes: Vec<(Arc<str>, i64)>,
    /// Order of the devices when it is not row-major: as an assignment, whose `dims` are the axes.
    pub order: Option<TileAssignment>,
}

/// `'x'` or a part of it, `'x':(2)4`: pre-size and size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubAxis {
    pub name: Arc<str>,
    pub part: Option<(i64, i64)>,
}

/// How one dimension of a value is split in the form with named axes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NamedDim {
    pub axes: Vec<SubAxis>,
    /// `?`: propagation may shard further.
    pub open: bool,
}

/// `{mesh['x'=4,'y'=2], [{'x'}, {}], replicated={'y'}}`
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NamedSharding {
    pub mesh: MeshAxes,
    /// Empty with `word` set: `{mesh['x'=1], replicated}`.
    pub dims: Vec<NamedDim>,
    /// `replicated`, `maximal`, … in place of dimensions.
    pub word: Option<Arc<str>>,
    /// `replicated={'y'}`, `unreduced={'z'}`, `manual={…}`: by key.
    pub axes: Vec<(Arc<str>, Vec<SubAxis>)>,
}

/// `sharding=…`
#[derive(Clone, Debug, PartialEq)]
pub enum Sharding {
    /// One for each leaf of a tuple.
    Tuple(Vec<Sharding>),
    Named(Box<NamedSharding>),
    /// `{replicated}`, `{manual}`, `{unknown}`, `{unreduced}`, with metadata and groups behind.
    Word {
        word: Arc<str>,
        rest: Option<Arc<str>>,
    },
    /// `{maximal device=3}`
    Maximal {
        device: i64,
        rest: Option<Arc<str>>,
    },
    Tiled {
        assignment: TileAssignment,
        /// `last_tile_dim_replicate`
        last_tile_dim_replicate: bool,
        /// `last_tile_dims={manual, replicated}`: what the last dimensions of the assignment mean.
        last_tile_dims: Vec<Arc<str>>,
        /// `shard_as 1`, `shard_like 2`, `metadata={…}`: kept as written.
        rest: Option<Arc<str>>,
    },
}

impl TileAssignment {
    /// The devices in order, `None` where the sizes do not fit (or are beyond a million devices).
    pub fn device_list(&self) -> Option<Vec<i64>> {
        let count =
            |dims: &[i64]| dims.iter().try_fold(1usize, |n, &d| n.checked_mul(usize::try_from(d).ok()?));
        // None at all: sizes beside the zero may be anything.
        let total = count(&self.dims).filter(|&n| (1..=1 << 20).contains(&n))?;
        if self.reshape_dims.is_empty() {
            return (self.devices.len() == total).then(|| self.devices.clone());
        }
        if count(&self.reshape_dims)? != total {
            return None;
        }
        let rank = self.reshape_dims.len();
        let identity: Vec<i64> = (0..rank as i64).collect();
        let order = if self.transpose.is_empty() { &identity } else { &self.transpose };
        let mut seen = vec![false; rank];
        for &d in order {
            let slot = seen.get_mut(usize::try_from(d).ok()?)?;
            if std::mem::replace(slot, true) {
                return None;
            }
        }
        if order.len() != rank {
            return None;
        }
        let mut strides = vec![1usize; rank];
        for d in (0..rank.saturating_sub(1)).rev() {
            strides[d] = strides[d + 1] * self.reshape_dims[d + 1] as usize;
        }
        let mut devices = Vec::with_capacity(total);
        let mut index = vec![0i64; rank];
        for _ in 0..total {
            let device: usize = (0..rank).map(|i| index[i] as usize * strides[order[i] as usize]).sum();
            devices.push(device as i64);
            for i in (0..rank).rev() {
                index[i] += 1;
                if index[i] < self.reshape_dims[order[i] as usize] {
                    break;
                }
                index[i] = 0;
            }
        }
        Some(devices)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iota_is_transposed() {
        let t = TileAssignment {
            dims: vec![4, 2],
            reshape_dims: vec![2, 4],
            transpose: vec![1, 0],
            devices: vec![],
        };
        assert_eq!(t.device_list(), Some(vec![0, 4, 1, 5, 2, 6, 3, 7]));
        let wrong = TileAssignment { dims: vec![3], ..t.clone() };
        assert_eq!(wrong.device_list(), None);
        let twice = TileAssignment { transpose: vec![0, 0], ..t };
        assert_eq!(twice.device_list(), None);
    }
}
