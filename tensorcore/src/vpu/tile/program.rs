//! A compiled region: instructions over tiles, and the assignment of values to tiles.

use super::builder::{Func, Node, Scalar, TileBuilder};
use sim_core::Numerics;
use sim_core::dtype::ElementType;
use sim_core::exec::Combiner;
use sim_core::ir::Binary;
use smallvec::SmallVec;

/// Bytes of level-1 data cache (32 KiB on every x86-64-v3 machine of note) that live tiles may use.
/// The rest is for the inputs and outputs that stream through.
const L1_TILES: usize = 24 << 10;

/// Fewer elements and the call of a kernel costs as much as its work; more and nothing is gained.
const TILE_ELEMENTS: std::ops::RangeInclusive<usize> = 256..=1024;

/// Where an instruction finds an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// An input: in the tensor itself where it is contiguous, else in the tile it was gathered to.
    Input(u32),
    /// A tile filled once with one value.
    Splat(u32),
    Tile(u32),
    /// A part of an output that was written before.
    Output(u32),
}

#[derive(Clone)]
pub(crate) struct Instr {
    pub func: Func,
    pub args: SmallVec<[Place; 3]>,
    /// A tile or an output.
    pub dst: Place,
    /// Bytes of one result element.
    pub width: usize,
}

/// A compiled elementwise region. See the [module's text](super).
#[derive(Clone)]
pub struct TileProgram {
    pub(crate) numerics: Numerics,
    pub(crate) inputs: Vec<ElementType>,
    pub(crate) outputs: Vec<ElementType>,
    /// `iota` inputs: they follow the declared inputs in [`Place::Input`]'s numbering.
    pub(crate) iotas: Vec<(ElementType, u32)>,
    pub(crate) splats: Vec<Scalar>,
    /// Bytes an element of each tile.
    pub(crate) tiles: Vec<usize>,
    pub(crate) code: Vec<Instr>,
    /// Outputs that no instruction writes: they repeat another place.
    pub(crate) copies: Vec<(Place, u32)>,
    /// Elements of a tile: a power of two.
    pub(crate) elements: usize,
    combiner: Option<Combiner>,
}

impl TileProgram {
    pub(super) fn compile(b: TileBuilder) -> TileProgram {
        let canon = canonical(&b.nodes);
        let last_use = last_uses(&b, &canon);
        let mut p = TileProgram {
            numerics: b.numerics,
            outputs: b.outputs.iter().map(|&o| b.nodes[o as usize].1).collect(),
            combiner: combiner(&b, &canon),
            iotas: Vec::new(),
            splats: Vec::new(),
            tiles: Vec::new(),
            code: Vec::new(),
            copies: Vec::new(),
            elements: 0,
            inputs: b.inputs,
        };
        let mut place: Vec<Option<Place>> = vec![None; b.nodes.len()];
        let mut free: Vec<u32> = Vec::new();
        for (i, (node, ty)) in b.nodes.iter().enumerate() {
            let Some(last) = last_use[i] else { continue };
            let width = ty.byte_size();
            place[i] = Some(match node {
                Node::Input(k) => Place::Input(*k),
                Node::Iota(dim) => {
                    p.iotas.push((*ty, *dim));
                    Place::Input((p.inputs.len() + p.iotas.len() - 1) as u32)
                }
                Node::Splat(bytes) => {
                    p.splats.push(bytes.clone());
                    Place::Splat((p.splats.len() - 1) as u32)
                }
                Node::Alias(_) => continue,
                Node::Op { func, args, .. } => {
                    let output = b.outputs.iter().position(|&o| canon[o as usize] == i as u32);
                    let dst = match output {
                        Some(j) => Place::Output(j as u32),
                        None => Place::Tile(take_tile(&mut p.tiles, &mut free, width)),
                    };
                    // The operands' tiles are free only after the result has another: no kernel
                    // may read and write the same tile.
                    let args: SmallVec<[Place; 3]> =
                        args.iter().filter_map(|&a| place[canon[a as usize] as usize]).collect();
                    let Node::Op { args: nodes, .. } = node else { continue };
                    let mut done: SmallVec<[u32; 3]> = nodes
                        .iter()
                        .map(|&a| canon[a as usize])
                        .filter(|&a| last_use[a as usize] == Some(i))
                        .collect();
                    done.sort_unstable();
                    done.dedup();
                    for a in done {
                        if let Some(Place::Tile(t)) = place[a as usize] {
                            free.push(t);
                        }
                    }
                    p.code.push(Instr { func: *func, args, dst, width });
                    debug_assert!(last > i || output.is_some());
                    dst
                }
            });
        }
        for (j, &o) in b.outputs.iter().enumerate() {
            let source = place[canon[o as usize] as usize];
            if let Some(source) = source.filter(|&s| s != Place::Output(j as u32)) {
                p.copies.push((source, j as u32));
            }
        }
        let live: usize = p.tiles.iter().sum::<usize>()
            + p.splats.iter().map(|s| s.len()).sum::<usize>()
            + p.outputs.iter().map(|t| t.byte_size()).sum::<usize>();
        let fit = (L1_TILES / live.max(1)).max(1).ilog2();
        p.elements = (1usize << fit).clamp(*TILE_ELEMENTS.start(), *TILE_ELEMENTS.end());
        p
    }

    /// The types of the inputs, in order.
    pub fn input_types(&self) -> &[ElementType] {
        &self.inputs
    }

    /// The types of the outputs, in order.
    pub fn output_types(&self) -> &[ElementType] {
        &self.outputs
    }

    /// Number of kernel calls for each tile.
    pub fn instructions(&self) -> usize {
        self.code.len()
    }

    /// The same program with outputs converted to these types: `None` where there is no conversion.
    pub(crate) fn with_outputs_as(&self, types: &[ElementType]) -> Option<TileProgram> {
        let mut p = self.clone();
        for (j, (&from, &to)) in self.outputs.iter().zip(types).enumerate() {
            if from == to {
                continue;
            }
            let own = Place::Output(j as u32);
            let kernel = crate::vpu::convert(from, to, &self.numerics)?;
            // What the output was becomes a tile, unless it only repeats another place.
            let source = match p.copies.iter().position(|c| c.1 == j as u32) {
                Some(at) => p.copies.remove(at).0,
                None => {
                    p.tiles.push(from.byte_size());
                    let tile = Place::Tile((p.tiles.len() - 1) as u32);
                    let renamed = |place: &mut Place| {
                        if *place == own {
                            *place = tile;
                        }
                    };
                    for instr in &mut p.code {
                        renamed(&mut instr.dst);
                        instr.args.iter_mut().for_each(renamed);
                    }
                    p.copies.iter_mut().for_each(|c| renamed(&mut c.0));
                    tile
                }
            };
            p.code.push(Instr {
                func: Func::One(kernel),
                args: SmallVec::from_slice(&[source]),
                dst: own,
                width: to.byte_size(),
            });
            p.outputs[j] = to;
        }
        p.combiner = None;
        Some(p)
    }

    /// The program whose outputs are its inputs.
    pub(crate) fn identity(types: &[ElementType], numerics: &Numerics) -> TileProgram {
        let mut b = TileBuilder::new(numerics);
        for &ty in types {
            let input = b.input(ty);
            b.output(input);
        }
        b.finish()
    }

    /// Each result `j` of `n` is one known function of arguments `j` and `n + j`.
    pub(crate) fn known_combiner(&self) -> Option<Combiner> {
        self.combiner
    }
}

/// Takes a tile of exactly this width from the free ones, or makes one.
fn take_tile(tiles: &mut Vec<usize>, free: &mut Vec<u32>, width: usize) -> u32 {
    if let Some(at) = free.iter().rposition(|&t| tiles[t as usize] == width) {
        return free.remove(at);
    }
    tiles.push(width);
    (tiles.len() - 1) as u32
}

/// The node that holds each node's bits: itself, but for aliases.
fn canonical(nodes: &[(Node, ElementType)]) -> Vec<u32> {
    let mut canon: Vec<u32> = Vec::with_capacity(nodes.len());
    for (i, (node, _)) in nodes.iter().enumerate() {
        canon.push(match node {
            Node::Alias(a) => canon[*a as usize],
            _ => i as u32,
        });
    }
    canon
}

/// The last node that reads each node; `usize::MAX` for outputs, `None` for what is not needed.
fn last_uses(b: &TileBuilder, canon: &[u32]) -> Vec<Option<usize>> {
    let mut last = vec![None; b.nodes.len()];
    for &o in &b.outputs {
        last[canon[o as usize] as usize] = Some(usize::MAX);
    }
    for (i, (node, _)) in b.nodes.iter().enumerate().rev() {
        if let (Some(_), Node::Op { args, .. }) = (last[i], node) {
            for &a in args {
                last[canon[a as usize] as usize].get_or_insert(i);
            }
        }
    }
    last
}

/// Recognizes reduction bodies: see [`Combiner`].
fn combiner(b: &TileBuilder, canon: &[u32]) -> Option<Combiner> {
    let n = b.outputs.len();
    if n == 0 || b.inputs.len() != 2 * n {
        return None;
    }
    let input = |node: u32| match b.nodes[canon[node as usize] as usize].0 {
        Node::Input(k) => Some(k as usize),
        _ => None,
    };
    let one = |j: usize| -> Option<Combiner> {
        let out = b.outputs[j];
        if b.nodes[out as usize].1 != b.inputs[j] || b.inputs[j] != b.inputs[n + j] {
            return None;
        }
        match input(out) {
            Some(k) if k == j => return Some(Combiner::First),
            Some(k) if k == n + j => return Some(Combiner::Second),
            Some(_) => return None,
            None => {}
        }
        let (_, op, l, r) = b.meaning.iter().find(|m| m.0 == canon[out as usize])?;
        // Not through a bitcast: that would be the operation of another type.
        if b.nodes[*l as usize].1 != b.inputs[j] || b.nodes[*r as usize].1 != b.inputs[j] {
            return None;
        }
        match (input(*l)?, input(*r)?) {
            (l, r) if (l, r) == (j, n + j) => Some(Combiner::Binary(*op)),
            (l, r) if (r, l) == (j, n + j) && commutes(*op) => Some(Combiner::Binary(*op)),
            _ => None,
        }
    };
    let first = one(0)?;
    (1..n).all(|j| one(j) == Some(first)).then_some(first)
}

/// `op(a, b) == op(b, a)`. (For `maximum` and `minimum` up to the sign of zero and the payload of
/// NaN, which the order of a reduction does not define anyway.)
pub(crate) fn commutes(op: Binary) -> bool {
    use Binary as B;
    matches!(op, B::Add | B::Multiply | B::Maximum | B::Minimum | B::And | B::Or | B::Xor)
}
