//! Who talks to whom: a grid of `replicas` x `partitions` processes, and the specification's
//! strategies that turn `replica_groups` into groups of processes
//! (StableHLO specification, "Collective ops").

use sim_core::ir::op::{Collective, ReplicaGroups};
use sim_core::ir::{Attr, Mesh, Module};
use sim_core::{Diagnostic, Result};

/// One process: a replica of a partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProcessId {
    pub replica: usize,
    pub partition: usize,
}

/// All processes of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    pub replicas: usize,
    pub partitions: usize,
}

impl Grid {
    pub fn len(self) -> usize {
        self.replicas * self.partitions
    }

    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Row-major: `replica * partitions + partition`, the specification's flattened id.
    pub fn flat(self, p: ProcessId) -> usize {
        p.replica * self.partitions + p.partition
    }

    pub fn process(self, flat: usize) -> ProcessId {
        ProcessId { replica: flat / self.partitions, partition: flat % self.partitions }
    }
}

/// How ids in `replica_groups` are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// Replica ids; each partition has groups of its own.
    CrossReplica,
    /// Partition ids; each replica has groups of its own.
    CrossPartition,
    /// Replica ids; a group spans all partitions.
    CrossReplicaAndPartition,
    /// Flattened ids.
    FlattenedIds,
}

impl Strategy {
    /// For all_gather, all_reduce, reduce_scatter, collective_reduce.
    ///
    /// # Errors
    /// `use_global_device_ids` without a channel is not allowed by the specification.
    pub fn of(collective: &Collective) -> Result<Strategy> {
        if matches!(collective.replica_groups, ReplicaGroups::MeshAxes { .. }) {
            return Ok(Strategy::FlattenedIds);
        }
        let channel = collective.channel.map_or(0, |c| c.handle);
        match (channel > 0, collective.use_global_device_ids) {
            (false, false) => Ok(Strategy::CrossReplica),
            (true, false) => Ok(Strategy::CrossReplicaAndPartition),
            (true, true) => Ok(Strategy::FlattenedIds),
            (false, true) => {
                Err(Diagnostic::invalid("use_global_device_ids needs a channel_handle with a positive id"))
            }
        }
    }

    /// How many ids there are.
    pub fn ids(self, grid: Grid) -> usize {
        match self {
            Strategy::CrossReplica | Strategy::CrossReplicaAndPartition => grid.replicas,
            Strategy::CrossPartition => grid.partitions,
            Strategy::FlattenedIds => grid.len(),
        }
    }

    /// What an id counts.
    pub fn noun(self) -> &'static str {
        match self {
            Strategy::CrossReplica | Strategy::CrossReplicaAndPartition => "replica",
            Strategy::CrossPartition => "partition",
            Strategy::FlattenedIds => "device",
        }
    }

    /// For all_to_all and collective_broadcast, whose groups may follow from a mesh.
    pub fn of_two(collective: &Collective) -> Strategy {
        match collective.replica_groups {
            ReplicaGroups::MeshAxes { .. } => Strategy::FlattenedIds,
            _ => Strategy::of_simple(collective.channel.map_or(0, |c| c.handle)),
        }
    }

    /// For all_to_all, collective_broadcast and collective_permute, which have two strategies.
    pub fn of_simple(channel: i64) -> Strategy {
        if channel > 0 { Strategy::CrossPartition } else { Strategy::CrossReplica }
    }
}

/// # Errors
/// Invalid: `replica_groups` names a process that is not there.
pub fn check_ids(grid: Grid, groups: &[Vec<i64>], strategy: Strategy) -> Result<()> {
    let limit = strategy.ids(grid);
    match groups.iter().flatten().find(|&&id| usize::try_from(id).map_or(true, |id| id >= limit)) {
        Some(id) => {
            Err(out_of_range(grid, strategy, format_args!("replica_groups names {} {id}", strategy.noun())))
        }
        None => Ok(()),
    }
}

/// What is wrong with an id; `what` says whose it is.
pub fn out_of_range(grid: Grid, strategy: Strategy, what: std::fmt::Arguments<'_>) -> Diagnostic {
    let (limit, noun) = (strategy.ids(grid), strategy.noun());
    let plural = if limit == 1 { "" } else { "s" };
    let all = match grid.len() {
        1 => "one device".to_owned(),
        n => format!("{n} devices: replicas {}, partitions {}", grid.replicas, grid.partitions),
    };
    Diagnostic::invalid(format!("{what}, and this run has {limit} {noun}{plural} ({all})")).help(
        "the module says how many devices it is for: `replica_count` and `num_partitions` in HLO, \
         `mhlo.num_replicas` and `mhlo.num_partitions` in StableHLO",
    )
}

/// The group that `me` belongs to, in group order, or `None` if it is in none.
pub fn group_of(
    grid: Grid,
    me: ProcessId,
    groups: &[Vec<i64>],
    strategy: Strategy,
) -> Result<Option<Vec<ProcessId>>> {
    check_ids(grid, groups, strategy)?;
    let limit = strategy.ids(grid);
    // An empty list means one group of everybody.
    let everybody: Vec<i64> = (0..limit as i64).collect();
    let groups: Vec<&[i64]> = if groups.iter().all(|g| g.is_empty()) {
        vec![&everybody]
    } else {
        groups.iter().map(|g| &g[..]).collect()
    };
    for group in groups {
        let members: Vec<ProcessId> = match strategy {
            Strategy::CrossReplica => {
                group.iter().map(|&r| ProcessId { replica: r as usize, partition: me.partition }).collect()
            }
            Strategy::CrossPartition => {
                group.iter().map(|&p| ProcessId { replica: me.replica, partition: p as usize }).collect()
            }
            // The specification's order: partitions outside, replicas inside.
            Strategy::CrossReplicaAndPartition => (0..grid.partitions)
                .flat_map(|p| group.iter().map(move |&r| ProcessId { replica: r as usize, partition: p }))
                .collect(),
            Strategy::FlattenedIds => group.iter().map(|&id| grid.process(id as usize)).collect(),
        };
        if members.contains(&me) {
            return Ok(Some(members));
        }
    }
    Ok(None)
}

/// `replica_groups` as lists of ids; mesh axes are expanded with the module's mesh.
///
/// # Errors
/// Unknown mesh or axis, sub-axes that don't divide.
pub fn expand(groups: &ReplicaGroups, module: &Module) -> Result<Vec<Vec<i64>>> {
    if let Some(lists) = groups.lists() {
        return Ok(lists);
    }
    let ReplicaGroups::MeshAxes { mesh, axes } = groups else { return Ok(Vec::new()) };
    let name = match mesh {
        Attr::Symbol(path) => path.last().cloned(),
        _ => None,
    };
    let found: Option<&Mesh> = name.as_ref().and_then(|n| module.meshes.iter().find(|m| m.name == *n));
    let Some(found) = found else {
        return Err(Diagnostic::invalid(format!(
            "replica_groups names mesh {mesh}, which the module does not define with sdy.mesh"
        )));
    };
    let selected: Vec<(&str, Option<(i64, i64)>)> = axes.iter().map(|a| (&*a.name, a.sub_axis)).collect();
    mesh_groups(found, &selected)
}

/// Groups along `axes` of a mesh: one group for each setting of the other axes, members in the
/// order of `axes` (first major).
pub fn mesh_groups(mesh: &Mesh, axes: &[(&str, Option<(i64, i64)>)]) -> Result<Vec<Vec<i64>>> {
    // Every axis is split into (pre, size, post) pieces so that sub-axes are whole pieces.
    let total: i64 = mesh.axes.iter().map(|a| a.1).product();
    let mut stride = total;
    let mut chosen: Vec<(usize, i64, i64)> = Vec::new(); // (order in `axes`, size, stride)
    let mut rest: Vec<(i64, i64)> = Vec::new(); // (size, stride)
    for (name, size) in &mesh.axes {
        stride /= (*size).max(1);
        let mut here: Vec<(usize, i64, i64)> = Vec::new(); // (order, pre, size)
        for (order, (axis, sub)) in axes.iter().enumerate() {
            if *axis == &**name {
                let (pre, n) = sub.unwrap_or((1, *size));
                if pre <= 0 || n <= 0 || size % pre.saturating_mul(n) != 0 {
                    return Err(Diagnostic::invalid(format!(
                        "sub-axis ({pre}){n} does not divide axis \"{name}\" of size {size}"
                    )));
                }
                here.push((order, pre, n));
            }
        }
        here.sort_by_key(|h| h.1);
        let mut major = 1;
        for (order, pre, n) in here {
            if pre > major {
                rest.push((pre / major, stride * (size / pre)));
            }
            chosen.push((order, n, stride * (size / (pre * n))));
            major = pre * n;
        }
        if *size > major {
            rest.push((size / major, stride));
        }
    }
    if let Some((axis, _)) = axes.iter().find(|(a, _)| !mesh.axes.iter().any(|(n, _)| &**n == *a)) {
        return Err(Diagnostic::invalid(format!("mesh @{} has no axis \"{axis}\"", mesh.name)));
    }
    chosen.sort_by_key(|c| c.0);
    let offsets = |dims: &[(i64, i64)]| {
        dims.iter().fold(vec![0i64], |acc, &(n, s)| {
            acc.iter().flat_map(|&base| (0..n).map(move |i| base + i * s)).collect()
        })
    };
    let inner = offsets(&chosen.iter().map(|c| (c.1, c.2)).collect::<Vec<_>>());
    let device = |logical: i64| mesh.device_ids.get(logical as usize).copied().unwrap_or(logical);
    Ok(offsets(&rest).iter().map(|&o| inner.iter().map(|&i| device(o + i)).collect()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mesh() -> Mesh {
        Mesh {
            name: "m".into(),
            axes: vec![("x".into(), 4), ("y".into(), 2)],
            device_ids: Vec::new(),
            attrs: Default::default(),
            loc: Default::default(),
        }
    }

    #[test]
    fn groups_along_mesh_axes() {
        assert_eq!(mesh_groups(&mesh(), &[("y", None)]).unwrap(), [[0, 1], [2, 3], [4, 5], [6, 7]]);
        assert_eq!(mesh_groups(&mesh(), &[("x", None)]).unwrap(), [[0, 2, 4, 6], [1, 3, 5, 7]]);
        assert_eq!(mesh_groups(&mesh(), &[("x", Some((1, 2)))]).unwrap(), [[0, 4], [1, 5], [2, 6], [3, 7]]);
        assert_eq!(mesh_groups(&mesh(), &[("x", Some((2, 2)))]).unwrap(), [[0, 2], [1, 3], [4, 6], [5, 7]]);
        assert_eq!(
            mesh_groups(&mesh(), &[("y", None), ("x", Some((1, 2)))]).unwrap(),
            [[0, 4, 1, 5], [2, 6, 3, 7]]
        );
        assert!(mesh_groups(&mesh(), &[("z", None)]).is_err());
        assert!(mesh_groups(&mesh(), &[("x", Some((3, 2)))]).is_err());
    }

    #[test]
    fn strategies() {
        let grid = Grid { replicas: 2, partitions: 2 };
        let me = ProcessId { replica: 1, partition: 0 };
        let all = |s| group_of(grid, me, &[vec![0, 1]], s).unwrap().unwrap();
        let p = |replica, partition| ProcessId { replica, partition };
        assert_eq!(all(Strategy::CrossReplica), [p(0, 0), p(1, 0)]);
        assert_eq!(all(Strategy::CrossPartition), [p(1, 0), p(1, 1)]);
        assert_eq!(all(Strategy::CrossReplicaAndPartition), [p(0, 0), p(1, 0), p(0, 1), p(1, 1)]);
        assert_eq!(
            group_of(grid, me, &[vec![0, 1], vec![2, 3]], Strategy::FlattenedIds).unwrap().unwrap(),
            [p(1, 0), p(1, 1)]
        );
        assert!(group_of(grid, me, &[vec![7]], Strategy::CrossReplica).is_err());
    }
}
