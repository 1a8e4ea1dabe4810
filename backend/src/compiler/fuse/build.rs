//! Fusions: each cluster becomes an instruction and the computation that it calls.

use super::Cluster;
use crate::compiler::Cx;
use crate::compiler::graph;
use rustc_hash::FxHashMap;
use sim_core::hlo::{Attr, Computation, ComputationId, Instruction, InstructionId, Key, Opcode, Value};
use std::sync::Arc;

pub(super) fn rewritten(cx: &mut Cx<'_>, computation: Computation, clusters: &[Cluster]) -> Computation {
    let n = computation.instructions.len();
    let mut by_root: Vec<Option<&Cluster>> = vec![None; n];
    for cluster in clusters.iter().filter(|c| is_fusion(&computation, c)) {
        by_root[cluster.root.0 as usize] = Some(cluster);
    }
    let mut place: Vec<InstructionId> = Vec::with_capacity(n);
    let mut out: Vec<Instruction> = Vec::with_capacity(n);
    for (i, instruction) in computation.instructions.iter().enumerate() {
        let mut new = match by_root[i] {
            Some(cluster) => fusion(cx, &computation, cluster),
            None => instruction.clone(),
        };
        // Members that nothing else needs are dropped later.
        new.operands.iter_mut().for_each(|o| *o = place[o.0 as usize]);
        for Attr { key, value } in &mut new.attrs {
            if let (Key::ControlPredecessors, Value::Instructions(ids)) = (key, value) {
                ids.iter_mut().for_each(|o| *o = place[o.0 as usize]);
            }
        }
        place.push(InstructionId(out.len() as u32));
        out.push(new);
    }
    let root = place[computation.root.0 as usize];
    Computation { instructions: out, root, ..computation }
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
        copy.attrs.retain(|a| a.key != Key::ControlPredecessors);
        copy.operands.iter_mut().for_each(|o| *o = place[o]);
        place.insert(m, InstructionId(inside.len() as u32));
        inside.push(copy);
    }
    let id = ComputationId(cx.module.computations.len() as u32);
    let name = cx.names.fresh("fused_computation");
    cx.module.computations.push(Computation {
        name,
        root: place[&cluster.root],
        instructions: inside,
        execution_thread: None,
        span: root.span,
    });
    let product = cluster.product.map(|p| computation.instruction(p));
    // Where it comes from: the product counts most.
    let like = product.unwrap_or(root);
    let mut made = graph::instruction(
        cx.names.fresh(&named(product, root)),
        Opcode::Fusion,
        root.shape.clone(),
        &operands,
        like,
    );
    let kind = match () {
        _ if product.is_some() => "kOutput",
        _ if root.opcode == Opcode::Reduce => "kInput",
        _ => "kLoop",
    };
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
