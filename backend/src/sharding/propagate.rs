//! How results lie on the devices where the program does not say: as what they are computed from.
//!
//! A walk forward through the program: each value gets, by dimension, the cut of the operand's dimension that it comes
//! from. Values do not depend on it (a program with global shapes is run on whole arrays), so that a rule may give up
//! wherever it likes, which leaves a dimension whole. Much of what Shardy does besides (backward, through conflicts, by
//! cost) is left out.

mod rules;

use super::{Sharding, Tiling, open_dimensions_of_each};
use sim_core::ir::{Attr, Function, Module, Op, Operation, RegionId, ValueId};
use sim_core::{Dim, Type};
use std::cell::Cell;
use std::collections::HashMap;
use std::sync::Arc;

/// Calls nest at most so deep; deeper ones say nothing.
const DEPTH: usize = 32;

/// Most operations that are looked at: a function is walked anew at each of its calls, whose number doubles with each
/// level of a program that calls everything twice.
const STEPS: usize = 1 << 20;

/// How a dimension is cut: into how many tiles, and which of them each device has.
#[derive(Clone, Debug, PartialEq)]
struct Cut {
    tiles: usize,
    tile: Arc<[usize]>,
}

/// By dimension; `None` is whole.
type Cuts = Vec<Option<Cut>>;

/// What the program says of a value, and which dimensions that leaves open.
pub type Said<'a> = (Option<&'a Sharding>, &'a [bool]);

/// Shardings of the results of `function`, whose arguments lie as `arguments` say, on so many devices: what is said of
/// them, and where that is nothing or leaves dimensions open, what is found. `None` where nothing is known.
pub fn results(
    module: &Module,
    function: &Function,
    arguments: &[Option<Sharding>],
    said: &[Said<'_>],
    devices: usize,
) -> Vec<Option<Sharding>> {
    let walk = Walk { module, devices, steps: Cell::new(STEPS) };
    let arguments: Vec<Option<Cuts>> = arguments.iter().map(|s| s.as_ref().and_then(cuts)).collect();
    let found = walk.function(function, &arguments, 0);
    let mut out = Vec::with_capacity(found.len());
    for (i, (found, ty)) in found.into_iter().zip(&function.result_types).enumerate() {
        let (said, open) = said.get(i).copied().unwrap_or((None, &[]));
        out.push(match (said, found) {
            (Some(said), _) if !open.contains(&true) => Some(said.clone()),
            (said, None) => said.cloned(),
            (None, Some(found)) if open.is_empty() => walk.sharding(&found, ty),
            (said, Some(found)) => {
                let closed = said.and_then(cuts).unwrap_or_default();
                walk.sharding(&walk.filled(closed, open, Some(&found)), ty).or_else(|| said.cloned())
            }
        });
    }
    out
}

struct Walk<'a> {
    module: &'a Module,
    devices: usize,
    /// Operations that may still be looked at.
    steps: Cell<usize>,
}

/// What several cuts at once make of an array.
struct Tiles {
    count: usize,
    /// By device.
    tile_of: Vec<usize>,
}

impl Tiles {
    fn one(devices: usize) -> Tiles {
        Tiles { count: 1, tile_of: vec![0; devices] }
    }

    /// Cuts once more, unless that is not independent of the cuts before: tiles are to lie on as many devices each.
    fn take(&mut self, cut: &Cut) -> bool {
        if cut.tile.len() != self.tile_of.len() {
            return false;
        }
        let next: Vec<usize> =
            self.tile_of.iter().zip(&*cut.tile).map(|(&t, &c)| t * cut.tiles + c).collect();
        let mut held = vec![0usize; self.count * cut.tiles];
        next.iter().for_each(|&t| held[t] += 1);
        let even = held.iter().all(|&n| n * held.len() == next.len());
        if even {
            (self.tile_of, self.count) = (next, held.len());
        }
        even
    }
}

/// What is known of a function's values.
type Known = HashMap<ValueId, Cuts>;

fn cuts(sharding: &Sharding) -> Option<Cuts> {
    let Sharding::Tiled(t) = sharding else { return None };
    let mut stride = 1;
    let mut out: Cuts = vec![None; t.tiles.len()];
    for (d, &tiles) in t.tiles.iter().enumerate().rev() {
        if tiles > 1 {
            out[d] = Some(Cut { tiles, tile: t.tile_of.iter().map(|&i| i / stride % tiles).collect() });
        }
        stride *= tiles;
    }
    Some(out)
}

fn sizes(ty: &Type) -> Option<Vec<i64>> {
    let size = |d: &Dim| match *d {
        Dim::Static(n) | Dim::Bounded(n) => n,
        Dim::Dynamic => -1,
    };
    Some(ty.as_tensor()?.dims.iter().map(size).collect())
}

impl Walk<'_> {
    /// A sharding of those cuts that divide their dimension and are independent of each other.
    fn sharding(&self, cuts: &Cuts, ty: &Type) -> Option<Sharding> {
        let sizes = sizes(ty)?;
        let mut tiles = vec![1; cuts.len()];
        let mut made = Tiles::one(self.devices);
        for (d, cut) in cuts.iter().enumerate() {
            let Some(cut) = cut else { continue };
            if sizes.get(d).is_some_and(|&n| n > 0 && n % cut.tiles as i64 == 0) && made.take(cut) {
                tiles[d] = cut.tiles;
            }
        }
        (made.count > 1).then_some(Sharding::Tiled(Tiling::plain(tiles, made.tile_of)))
    }

    /// What is said, with open dimensions from what is found, if that goes with what is said of the others.
    fn filled(&self, said: Cuts, open: &[bool], found: Option<&Cuts>) -> Cuts {
        let is_open = |d: usize| open.get(d).copied().unwrap_or(false);
        let mut out: Cuts = vec![None; open.len().max(said.len())];
        let mut made = Tiles::one(self.devices);
        for (d, cut) in said.into_iter().enumerate().filter(|(d, _)| !is_open(*d)) {
            out[d] = cut.filter(|cut| made.take(cut));
        }
        for (d, slot) in out.iter_mut().enumerate().filter(|(d, _)| is_open(*d)) {
            *slot = found.and_then(|f| f.get(d).cloned()).flatten().filter(|cut| made.take(cut));
        }
        out
    }

    fn function(&self, f: &Function, arguments: &[Option<Cuts>], depth: usize) -> Vec<Option<Cuts>> {
        let Some(body) = f.body else { return vec![None; f.result_types.len()] };
        self.enter(f, body, arguments, &mut Known::new(), depth)
    }

    fn region(&self, f: &Function, region: RegionId, known: &mut Known, depth: usize) -> Vec<Option<Cuts>> {
        for &id in &f.region(region).ops {
            let Some(left) = self.steps.get().checked_sub(1) else { break };
            self.steps.set(left);
            let op = f.op(id);
            for (&v, cuts) in op.results.iter().zip(self.operation(f, op, known, depth)) {
                if let Some(cuts) = cuts.filter(|c| c.iter().any(Option::is_some)) {
                    known.insert(v, cuts);
                }
            }
        }
        f.region(region).results.iter().map(|v| known.get(v).cloned()).collect()
    }

    /// The results of a region whose arguments lie as is said.
    fn enter(
        &self,
        f: &Function,
        region: RegionId,
        arguments: &[Option<Cuts>],
        known: &mut Known,
        depth: usize,
    ) -> Vec<Option<Cuts>> {
        let entries = f.region(region).args.iter().zip(arguments);
        known.extend(entries.filter_map(|(&v, c)| Some((v, c.clone()?))));
        self.region(f, region, known, depth + 1)
    }

    /// By result.
    fn operation(&self, f: &Function, op: &Operation, known: &mut Known, depth: usize) -> Vec<Option<Cuts>> {
        let meshes = &self.module.meshes;
        let said = |attr: Option<&Attr>| -> Vec<Option<Cuts>> {
            let list = attr.and_then(|a| Sharding::list_from_attr(a, meshes).ok()).unwrap_or_default();
            // `Some` of nothing: it was said that the value is whole.
            list.iter().map(|s| Some(cuts(s).unwrap_or_default())).collect()
        };
        // The same, with open dimensions from what is found.
        let filled = |attr: Option<&Attr>, found: &[Option<Cuts>]| -> Vec<Option<Cuts>> {
            let open = attr.map(|a| open_dimensions_of_each(a, meshes)).unwrap_or_default();
            let each = said(attr).into_iter().zip(open).enumerate();
            each.map(|(i, (said, open))| match open.contains(&true) {
                true => {
                    let found = found.get(i).and_then(Option::as_ref);
                    Some(self.filled(said.unwrap_or_default(), &open, found))
                }
                false => said,
            })
            .collect()
        };
        let operands = |known: &Known| -> Vec<Option<Cuts>> {
            op.operands.iter().map(|v| known.get(v).cloned()).collect()
        };
        match &op.op {
            Op::Call { callee, .. } if depth < DEPTH => {
                let Some(callee) = self.module.lookup(callee) else { return Vec::new() };
                self.function(callee, &operands(known), depth)
            }
            Op::SdyShardingConstraint | Op::SdyReshard => filled(op.attr("sharding"), &operands(known)),
            // Axes that are not the region's cut within it as they do outside.
            Op::SdyManualComputation => {
                let inside = match op.regions.first() {
                    Some(&body) if depth < DEPTH => {
                        let arguments = filled(op.attr("in_shardings"), &operands(known));
                        self.enter(f, body, &arguments, known, depth)
                    }
                    _ => Vec::new(),
                };
                filled(op.attr("out_shardings"), &inside)
            }
            Op::CustomCall(c) if matches!(&*c.target, "Sharding" | "SPMDShardToFullShape") => {
                said(op.attr("mhlo.sharding"))
            }
            // What an iteration leaves the next one takes, and who comes after.
            Op::While => {
                let before = operands(known);
                let after = match op.regions.get(1) {
                    Some(&body) if depth < DEPTH => self.enter(f, body, &before, known, depth),
                    _ => Vec::new(),
                };
                let after = after.into_iter().chain(std::iter::repeat(None));
                before.into_iter().zip(after).map(|(before, after)| after.or(before)).collect()
            }
            Op::If | Op::Case if depth < DEPTH => {
                let mut branches = op.regions.iter().map(|&r| self.region(f, r, known, depth + 1));
                let first = branches.next().unwrap_or_default();
                branches.fold(first, |all, other| all.into_iter().zip(other).map(|(a, b)| a.or(b)).collect())
            }
            _ => op.results.iter().map(|&v| rules::result(f, op, f.ty(v), known)).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::{Source, parse};

    /// Of `@main`, whose arguments carry `mhlo.sharding`, on four devices.
    fn of(text: &str) -> Vec<Option<Sharding>> {
        let module = parse(&Source::from_bytes("t.mlir", text)).unwrap().remove(0);
        let f = module.entry().unwrap();
        let read =
            |a: &sim_core::ir::AttrDict| a.get("mhlo.sharding").map(|a| Sharding::from_attr(a, &[]).unwrap());
        let arguments: Vec<_> = f.arg_attrs.iter().map(read).collect();
        results(&module, f, &arguments, &[], 4)
    }

    fn tiled(tiles: &[usize], tile_of: &[usize]) -> Option<Sharding> {
        Some(Sharding::Tiled(Tiling::plain(tiles.into(), tile_of.into())))
    }

    const ARGS: &str = r#"%a: tensor<8x4xf32> {mhlo.sharding = "{devices=[2,2]<=[4]}"}"#;

    #[test]
    fn elementwise_transposed_and_reduced() {
        let got = of(&format!(
            "func.func @main({ARGS}, %z: tensor<f32>) -> (tensor<8x4xf32>, tensor<4x8xf32>, tensor<4xf32>, tensor<32xf32>, tensor<f32>) {{
               %0 = stablehlo.add %a, %a : tensor<8x4xf32>
               %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
               %2 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [0] : (tensor<8x4xf32>, tensor<f32>) -> tensor<4xf32>
               %3 = stablehlo.reshape %0 : (tensor<8x4xf32>) -> tensor<32xf32>
               return %0, %1, %2, %3, %z : tensor<8x4xf32>, tensor<4x8xf32>, tensor<4xf32>, tensor<32xf32>, tensor<f32>
             }}"
        ));
        assert_eq!(got[0], tiled(&[2, 2], &[0, 1, 2, 3]));
        assert_eq!(got[1], tiled(&[2, 2], &[0, 2, 1, 3]));
        assert_eq!(got[2], tiled(&[2], &[0, 1, 0, 1]));
        assert_eq!(got[3], tiled(&[2], &[0, 0, 1, 1]));
        assert_eq!(got[4], None);
    }

    #[test]
    fn products_take_free_dimensions_and_drop_what_conflicts() {
        let got = of(&format!(
            r#"func.func @main({ARGS}, %b: tensor<4x8xf32> {{mhlo.sharding = "{{devices=[1,2,2]<=[4] last_tile_dim_replicate}}"}}) -> (tensor<8x8xf32>, tensor<8x8xf32>) {{
               %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
               %1 = stablehlo.transpose %a, dims = [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
               %2 = stablehlo.dot_general %a, %1, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
               return %0, %2 : tensor<8x8xf32>, tensor<8x8xf32>
             }}"#
        ));
        // Both cut by the first axis of the mesh: only the first can.
        assert_eq!(got[0], tiled(&[2, 1], &[0, 0, 1, 1]));
        assert_eq!(got[1], tiled(&[2, 1], &[0, 0, 1, 1]));
    }

    #[test]
    fn open_dimensions_are_filled_and_closed_ones_stay() {
        let got = of(r#"module {
               sdy.mesh @mesh = <["x"=2, "y"=2]>
               func.func @main(%a: tensor<8x4xf32> {mhlo.sharding = "{devices=[2,2]<=[4]}"}) -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) {
                 %0 = sdy.sharding_constraint %a <@mesh, [{?}, {}]> : tensor<8x4xf32>
                 %1 = sdy.sharding_constraint %a <@mesh, [{}, {"x"}]> : tensor<8x4xf32>
                 // Cut along `x` already.
                 %2 = sdy.sharding_constraint %a <@mesh, [{?}, {"x"}]> : tensor<8x4xf32>
                 return %0, %1, %2 : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>
               }
             }"#);
        assert_eq!(got[0], tiled(&[2, 1], &[0, 0, 1, 1]));
        assert_eq!(got[1], tiled(&[1, 2], &[0, 0, 1, 1]));
        assert_eq!(got[2], tiled(&[1, 2], &[0, 0, 1, 1]));
    }

    #[test]
    fn regions_say_how_what_leaves_them_lies() {
        let got = of(r#"module {
               sdy.mesh @mesh = <["x"=2, "y"=2]>
               func.func @main(%a: tensor<8x4xf32>, %p: tensor<i1>) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
                 %0 = stablehlo.while(%v = %a) : tensor<8x4xf32>
                 cond { stablehlo.return %p : tensor<i1> }
                 do {
                   %2 = sdy.sharding_constraint %v <@mesh, [{"y"}, {}]> : tensor<8x4xf32>
                   stablehlo.return %2 : tensor<8x4xf32>
                 }
                 %1 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{?}, {?}]>] out_shardings=[<@mesh, [{?}, {?}]>] manual_axes={"y"} (%v: tensor<8x4xf32>) {
                   %2 = sdy.sharding_constraint %v <@mesh, [{"x"}, {}]> : tensor<8x4xf32>
                   sdy.return %2 : tensor<8x4xf32>
                 } : (tensor<8x4xf32>) -> tensor<8x4xf32>
                 return %0, %1 : tensor<8x4xf32>, tensor<8x4xf32>
               }
             }"#);
        assert_eq!(got[0], tiled(&[2, 1], &[0, 1, 0, 1]));
        assert_eq!(got[1], tiled(&[2, 1], &[0, 0, 1, 1]));
    }

    #[test]
    fn calls_that_double_end() {
        let mut text = String::from(
            "func.func private @f0(%a: tensor<8x4xf32>) -> tensor<8x4xf32> { return %a : tensor<8x4xf32> }\n",
        );
        for i in 1..=31 {
            let (f, g) = (i - 1, if i == 31 { "main".into() } else { format!("f{i}") });
            text += &format!(
                "func.func @{g}(%a: tensor<8x4xf32> {{mhlo.sharding = \"{{devices=[2,2]<=[4]}}\"}}) -> tensor<8x4xf32> {{
                   %0 = func.call @f{f}(%a) : (tensor<8x4xf32>) -> tensor<8x4xf32>
                   %1 = func.call @f{f}(%0) : (tensor<8x4xf32>) -> tensor<8x4xf32>
                   return %1 : tensor<8x4xf32>
                 }}\n"
            );
        }
        // Nothing is known of it, and that soon.
        assert_eq!(of(&text), [None]);
    }

    #[test]
    fn sizes_that_do_not_divide_stay_whole() {
        let got = of(&format!(
            "func.func @main({ARGS}) -> tensor<7x4xf32> {{
               %0 = stablehlo.slice %a [0:7, 0:4] : (tensor<8x4xf32>) -> tensor<7x4xf32>
               return %0 : tensor<7x4xf32>
             }}"
        ));
        assert_eq!(got[0], tiled(&[1, 2], &[0, 1, 0, 1]));
    }
}
