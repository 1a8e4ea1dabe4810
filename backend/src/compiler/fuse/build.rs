//! Fusions: each cluster becomes an instruction and the computation that it calls.

use super::Cluster;
use crate::compiler::{Cx, graph, ragged};
use rustc_hash::FxHashMap;
use sim_core::hlo::{Computation, ComputationId, Instruction, InstructionId, Key, Opcode, Shape, Value};
use std::sync::Arc;

pub(super) fn rewritten(cx: &mut Cx<'_>, computation: Computation, clusters: &[Cluster]) -> Computation {
    let mut out = computation.instructions.clone();
    for cluster in clusters.iter().filter(|c| is_fusion(&computation, c)) {
        let made = fusion(cx, &computation, cluster);
        if cluster.more_roots.is_empty() {
            out[cluster.root.0 as usize] = made;
            continue;
        }
        // Several results are taken out of a tuple.
        let tuple = InstructionId(out.len() as u32);
        let name = made.name.clone();
        out.push(made);
        for (n, &root) in roots(cluster).iter().enumerate() {
            let old = computation.instruction(root);
            let name = cx.names.fresh(&format!("{name}.element"));
            let mut element =
                graph::instruction(name, Opcode::GetTupleElement, old.shape.clone(), &[tuple], old);
            graph::set(&mut element, Key::Index, Value::Int(n as i64));
            out[root.0 as usize] = element;
        }
    }
    let order = at_products(&out, computation.instructions.len(), clusters);
    // Members that nothing else needs are dropped later.
    let mut rewritten = Computation { instructions: out, ..computation };
    graph::reorder(&mut rewritten, &order);
    rewritten
}

/// The program's order, but that a product's kernel stands where the product did, not where the last did that follows it (a parameter's update, long
/// after), or behind what else it needs.
fn at_products(instructions: &[Instruction], n: usize, clusters: &[Cluster]) -> Vec<usize> {
    let mut products: FxHashMap<usize, usize> = FxHashMap::default();
    for cluster in clusters.iter().filter(|c| c.more_roots.is_empty()) {
        if let Some(product) = cluster.product {
            products.insert(cluster.root.0 as usize, product.0 as usize);
        }
    }
    let there = |i: usize| matches!(instructions[i].opcode, Opcode::Parameter | Opcode::Constant);
    let mut place: Vec<usize> = (0..instructions.len()).map(|i| if there(i) { 0 } else { i }).collect();
    for i in 0..n {
        if let Some(&product) = products.get(&i) {
            let before = instructions[i].operands.iter().map(|o| place[o.0 as usize]);
            place[i] = before.fold(product, usize::max).min(i);
        }
    }
    let mut order: Vec<usize> = (0..instructions.len()).collect();
    order.sort_by_key(|&i| (place[i], i));
    order
}

fn roots(cluster: &Cluster) -> Vec<InstructionId> {
    std::iter::once(cluster.root).chain(cluster.more_roots.iter().copied()).collect()
}

/// One operation alone needs no computation of its own; constants and looks do not count.
fn is_fusion(computation: &Computation, cluster: &Cluster) -> bool {
    let counts = |m: &&InstructionId| {
        !matches!(computation.instruction(**m).opcode, Opcode::Constant | Opcode::Bitcast)
    };
    cluster.members.iter().filter(counts).count() > 1
}

fn fusion(cx: &mut Cx<'_>, computation: &Computation, cluster: &Cluster) -> Instruction {
    let root = computation.instruction(cluster.root);
    let mut inside: Vec<Instruction> = Vec::new();
    let mut place: FxHashMap<InstructionId, InstructionId> = FxHashMap::default();
    let mut operands: Vec<InstructionId> = Vec::new();
    let members = &cluster.members;
    for &m in members {
        for &o in &computation.instruction(m).operands {
            if place.contains_key(&o) || members.binary_search(&o).is_ok() {
                continue;
            }
            let from = computation.instruction(o);
            let mut parameter = graph::instruction(
                cx.names.fresh(&format!("param_{}", operands.len())),
                Opcode::Parameter,
                from.shape.clone(),
                &[],
                from,
            );
            parameter.metadata = None;
            parameter.parameter_number = Some(operands.len() as i64);
            place.insert(o, InstructionId(inside.len() as u32));
            inside.push(parameter);
            operands.push(o);
        }
    }
    for &m in members {
        let mut copy = computation.instruction(m).clone();
        copy.name = cx.names.fresh(&copy.name);
        // The configuration of a ragged product is its kernel's.
        let of_parts = ragged::is_part(&copy);
        copy.attrs
            .retain(|a| a.key != Key::ControlPredecessors && !(of_parts && a.key == Key::BackendConfig));
        copy.operands.iter_mut().for_each(|o| *o = place[o]);
        place.insert(m, InstructionId(inside.len() as u32));
        inside.push(copy);
    }
    let mut leaves = place[&cluster.root];
    let mut shape = root.shape.clone();
    if !cluster.more_roots.is_empty() {
        let all = roots(cluster);
        shape =
            Arc::new(Shape::Tuple(all.iter().map(|&r| computation.instruction(r).shape.clone()).collect()));
        let operands: Vec<InstructionId> = all.iter().map(|r| place[r]).collect();
        leaves = InstructionId(inside.len() as u32);
        inside.push(graph::instruction(
            cx.names.fresh("tuple"),
            Opcode::Tuple,
            shape.clone(),
            &operands,
            root,
        ));
    }
    let id = ComputationId(cx.module.computations.len() as u32);
    let name = cx.names.fresh("fused_computation");
    cx.module.computations.push(Computation {
        name,
        root: leaves,
        instructions: inside,
        execution_thread: None,
        span: root.span,
    });
    let product = cluster.product.map(|p| computation.instruction(p));
    // Where it comes from: the product counts most.
    let like = product.unwrap_or(root);
    let reduces = |m: &InstructionId| computation.instruction(*m).opcode == Opcode::Reduce;
    let name = match cluster.before.iter().any(reduces) {
        true => "online-softmax".to_owned(),
        false => named(product, root),
    };
    let mut made = graph::instruction(cx.names.fresh(&name), Opcode::Fusion, shape, &operands, like);
    let kind = match () {
        _ if product.is_some() => "kOutput",
        _ if cluster.reduces && matches!(root.opcode, Opcode::Reduce | Opcode::Convert) => "kInput",
        _ => "kLoop",
    };
    if let Some(config) = product.filter(|p| ragged::is_part(p)).and_then(|p| p.attr(&Key::BackendConfig)) {
        graph::set(&mut made, Key::BackendConfig, config.clone());
    }
    graph::set(&mut made, Key::Kind, Value::Word(Arc::from(kind)));
    graph::set(&mut made, Key::Calls, Value::Computation(id));
    made
}

/// `dot_add_fusion`, `exponential_fusion`
fn named(product: Option<&Instruction>, root: &Instruction) -> String {
    let name = |i: &Instruction| i.opcode.name().replace('-', "_");
    match product.filter(|p| !Arc::ptr_eq(&p.name, &root.name)) {
        Some(product) => format!("{}_{}_fusion", name(product), name(root)),
        None => format!("{}_fusion", name(root)),
    }
}
