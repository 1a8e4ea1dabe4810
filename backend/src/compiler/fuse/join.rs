//! What joins a kernel.

use super::kinds::Kind;
use super::{Cluster, MOST_MEMBERS, MOST_OPERANDS, elements, moved, updates};
use crate::compiler::{graph, ragged};
use crate::time::arrays;
use crate::time::product::{Role, Site};
use sim_core::hlo::{Computation, Instruction, InstructionId, Key, Opcode, Shape};

/// Does the cluster take what its members need?
pub(super) fn joins(computation: &Computation, cluster: &Cluster, id: InstructionId, kind: Kind) -> bool {
    let instruction = computation.instruction(id);
    let root = computation.instruction(cluster.root);
    if cluster.members.len() >= MOST_MEMBERS {
        return false;
    }
    if root.opcode == Opcode::Copy {
        return false;
    }
    // What fills an array is there before: it would be computed for each value that it fills. (All 1,654 arrays that are broadcast within fusions
    // of libtpu 0.0.52's dumps are parameters of theirs.)
    if cluster.filled.contains(&id) && !cluster.rows && elements(instruction) > 1.0 {
        return false;
    }
    // Nothing follows a ragged product in its kernel, and its mask is made before.
    if ragged::is_part(root) != ragged::is_part(instruction) && !matches!(kind, Kind::Scalar | Kind::Look) {
        return false;
    }
    if kind != Kind::Scalar && updates::disturbs(computation, cluster, id) {
        return false;
    }
    if operands(cluster, instruction) > MOST_OPERANDS {
        return false;
    }
    // Slices take from arrays that are there, pads and concatenations put such together (all 716 slices, 326 dynamic slices and 631 pads in fusions of
    // libtpu 0.0.52's dumps, but for slices of pads).
    if cluster.moved.contains(&id) && !matches!(kind, Kind::Scalar | Kind::Look | Kind::Move) {
        return false;
    }
    // A single value is taken out of an array before: it would be for each value that it fills (none of 16 in dumps of libtpu 0.0.52 is).
    if kind == Kind::Move && elements(instruction) <= 1.0 && cluster.elements > 1.0 {
        return false;
    }
    match kind {
        Kind::Scalar | Kind::Look => true,
        Kind::Elementwise | Kind::Fill | Kind::Move | Kind::Join => true,
        Kind::Update => false,
        // Nothing follows a reduction in its kernel (none of 702 in fusions of libtpu 0.0.52's dumps), but that it leaves in a narrower type.
        Kind::Reduce => leaves_narrower(computation, cluster, id),
        Kind::Product => {
            let follows = cluster.reduces || elements(instruction) == cluster.elements;
            follows
                && cluster.product.is_none()
                && !cluster.moves
                && (cluster.rows || !fans_out_of(computation, cluster, id))
                && reduces_sides(computation, cluster, instruction)
        }
        Kind::Outside => false,
    }
}

/// Is the cluster nothing but the conversion of what is reduced to narrower floats? (XLA:TPU reduces to those, and adds up in f32.)
fn leaves_narrower(computation: &Computation, cluster: &Cluster, reduce: InstructionId) -> bool {
    let [only] = cluster.members[..] else { return false };
    let convert = computation.instruction(only);
    let element = |i: &Instruction| i.shape.as_array().map(|a| a.element);
    let (Some(from), Some(to)) = (element(computation.instruction(reduce)), element(convert)) else {
        return false;
    };
    let narrower = from.is_float() && to.is_float() && to.bits() < from.bits();
    convert.opcode == Opcode::Convert && narrower && cluster.more_roots.is_empty()
}

pub(super) fn join(
    cluster: &mut Cluster,
    instruction: &Instruction,
    users: &[InstructionId],
    id: InstructionId,
    kind: Kind,
) {
    // Users come in order.
    let used = |by: &InstructionId| users.binary_search(by).is_ok();
    let for_product = cluster.product.iter().chain(&cluster.before).any(used);
    cluster.inside += usize::from(cluster.touched.contains(&id));
    cluster.touched.extend(instruction.operands.iter().copied());
    if instruction.opcode == Opcode::Broadcast {
        cluster.filled.extend(instruction.operands.iter().copied());
    }
    cluster.moved.extend(moved(instruction, kind).iter().copied());
    if for_product {
        cluster.before.push(id);
    }
    match kind {
        // Of two, the last is the one that others are computed for.
        Kind::Product => {
            cluster.product.get_or_insert(id);
        }
        Kind::Reduce => cluster.reduces = true,
        // What goes into a product's operands does not change what it can be followed by.
        Kind::Move | Kind::Join if !for_product => cluster.moves = true,
        _ => {}
    }
    cluster.members.push(id);
}

/// Arrays that the cluster would read with `more` in it.
fn operands(cluster: &Cluster, more: &Instruction) -> usize {
    if cluster.members.len() < MOST_OPERANDS / 3 {
        return 0;
    }
    // What it reads comes before all members, and is none.
    let mut new = more.operands.clone();
    new.retain(|o| !cluster.touched.contains(o));
    new.sort_unstable();
    new.dedup();
    cluster.touched.len() - cluster.inside + new.len()
}

/// Are all rows of the product's result reduced, or none, and so for columns? What has several dimensions of either is one to the matrix units,
/// and laid otherwise before a part of them is reduced.
fn reduces_sides(computation: &Computation, cluster: &Cluster, product: &Instruction) -> bool {
    let shapes: Vec<&Shape> = product.operands.iter().map(|&o| &*computation.instruction(o).shape).collect();
    let (Some(site), Some(result)) = (Site::of(product, &shapes), product.shape.as_array()) else {
        return true;
    };
    let sizes = arrays::sizes(result);
    let whole = |reduced: &[i64], role: Role| {
        let of = |d: &usize| site.roles[*d] == role && sizes[*d] > 1;
        let mut all = (0..sizes.len()).filter(of).map(|d| reduced.contains(&(d as i64)));
        let first = all.next();
        first.is_none_or(|first| all.all(|is| is == first))
    };
    let alike = |m: &&InstructionId| {
        let i = computation.instruction(**m);
        let from = i.operands.first().and_then(|&o| computation.instruction(o).shape.as_array());
        i.opcode == Opcode::Reduce && from.is_some_and(|a| a.dims == result.dims)
    };
    cluster.members.iter().filter(alike).all(|&m| {
        let reduced = graph::dims(computation.instruction(m), &Key::Dimensions);
        whole(reduced, Role::Rows) && whole(reduced, Role::Columns)
    })
}

/// Does the value of `id` reach a broadcast in the cluster?
fn fans_out_of(computation: &Computation, cluster: &Cluster, id: InstructionId) -> bool {
    let mut from = vec![id];
    let mut members = cluster.members.clone();
    members.sort_unstable();
    for m in members {
        let i = computation.instruction(m);
        if i.operands.iter().any(|o| from.contains(o)) {
            if i.opcode == Opcode::Broadcast {
                return true;
            }
            from.push(m);
        }
    }
    false
}
