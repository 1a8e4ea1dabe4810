//! Custom calls that are about shapes: JAX's assertions, the dynamic forms that StableHLO has no
//! operation for, and shapes of results among the operands (`indices_of_shape_operands`).

use super::types;
use super::walk::Walk;
use crate::runtime::passes_through;
use sim_core::ir::op::{CustomCall, HloAttr, RngAlgorithm, Window};
use sim_core::ir::{Attr, AttrDict, Op, Operation, RegionId, ValueId};
use sim_core::types::TensorType;
use sim_core::{Diagnostic, ElementType, Result, Type};
use std::sync::Arc;

/// Which operands are the shapes of the results, in order.
const SHAPE_OPERANDS: &str = "indices_of_shape_operands";

impl<'m> Walk<'_, 'm> {
    pub fn custom_call(
        &mut self,
        op: &'m Operation,
        call: &'m CustomCall,
        operands: &[ValueId],
    ) -> Result<Vec<ValueId>> {
        let refined = match &*call.target {
            "shape_assertion" => self.assertion(op, operands)?,
            "stablehlo.dynamic_reduce_window" => self.reduce_window(op, call, operands)?,
            "stablehlo.dynamic_rng_bit_generator" => self.random_bits(op, operands)?,
            "stablehlo.dynamic_top_k" => self.top_k(op, operands)?,
            _ => None,
        };
        match refined {
            Some(results) => Ok(results),
            None => self.other(op, call, operands),
        }
    }

    /// One that holds is left out. One that does not is an error, unless it stands where it may never
    /// run.
    fn assertion(&mut self, op: &Operation, operands: &[ValueId]) -> Result<Option<Vec<ValueId>>> {
        let values: Option<Vec<_>> = operands.iter().map(|&v| self.known(v).cloned()).collect();
        let holds = operands.first().and_then(|&v| self.known(v)).map(|t| t.bytes() == [1]);
        match (holds, values) {
            (Some(true), _) => Ok(Some(Vec::new())),
            (Some(false), Some(values)) if self.conditional == 0 => {
                self.spec.evaluator.run(&op.op, op.attrs.clone(), &values, &[])?;
                Ok(Some(Vec::new()))
            }
            _ => Ok(None),
        }
    }

    /// `reduce_window`, with the body of the called computation.
    fn reduce_window(
        &mut self,
        op: &Operation,
        call: &'m CustomCall,
        operands: &[ValueId],
    ) -> Result<Option<Vec<ValueId>>> {
        let Some(count) = operands.len().checked_sub(5) else { return Ok(None) };
        let (data, shape) = operands.split_at(count);
        let lists: Option<Vec<Vec<i64>>> = shape.iter().map(|&v| self.numbers(v)).collect();
        let (Some(lists), [path]) = (lists, &call.called_computations[..]) else { return Ok(None) };
        let Ok([dimensions, strides, base_dilations, window_dilations, padding]) =
            <[Vec<i64>; 5]>::try_from(lists)
        else {
            return Ok(None);
        };
        let padding = padding.chunks_exact(2).map(|p| (p[0], p[1])).collect();
        let window = Window { dimensions, strides, base_dilations, window_dilations, padding };
        let region = self.body_of(path)?;
        let form = Op::ReduceWindow(window);
        let signature = self.signature(region);
        let results = types::results(&form, &self.types_of(data), &[signature], &self.declared(op))?;
        Ok(Some(self.push(form, data, results, &[region], op.attrs.clone(), op)))
    }

    /// The body of a function as a region.
    fn body_of(&mut self, path: &Arc<[Arc<str>]>) -> Result<RegionId> {
        let (scope, f) = self.spec.function(self.scope, path)?;
        let Some(body) = f.body else {
            return Err(Diagnostic::invalid(format!("@{} has no body", f.name)));
        };
        let outer = (self.scope, self.f, std::mem::replace(&mut self.map, vec![None; f.values.len()]));
        (self.scope, self.f) = (scope, f);
        self.conditional += 1;
        let region = self.region(body, &f.arg_types, &[]);
        self.conditional -= 1;
        (self.scope, self.f, self.map) = outer;
        region
    }

    /// `rng_bit_generator`.
    fn random_bits(&mut self, op: &Operation, operands: &[ValueId]) -> Result<Option<Vec<ValueId>>> {
        let (&[state, shape], [declared_state, bits]) = (operands, &self.declared(op)[..]) else {
            return Ok(None);
        };
        let (Some(numbers), Some(ty)) = (self.numbers(shape), bits.as_tensor()) else { return Ok(None) };
        let mut attrs = op.attrs.clone();
        let algorithm = match attrs.take("rng_algorithm") {
            Some(Attr::Hlo(h)) => match *h {
                HloAttr::RngAlgorithm(a) => a,
                _ => return Ok(None),
            },
            Some(_) => return Ok(None),
            None => RngAlgorithm::Default,
        };
        let bits = types::merge(&shaped(ty, &numbers)?, bits)?;
        let results = vec![types::merge(self.b.ty(state), declared_state)?, bits];
        Ok(Some(self.push(Op::RngBitGenerator(algorithm), &[state], results, &[], attrs, op)))
    }

    /// `chlo.top_k`.
    fn top_k(&mut self, op: &Operation, operands: &[ValueId]) -> Result<Option<Vec<ValueId>>> {
        let &[x, k] = operands else { return Ok(None) };
        let Some([k]) = self.numbers(k).as_deref().and_then(|n| <[i64; 1]>::try_from(n).ok()) else {
            return Ok(None);
        };
        let declared = self.declared(op);
        if !matches!(&declared[..], [_, Type::Tensor(t)] if t.element == ElementType::S32) {
            return Ok(None);
        }
        let form = Op::TopK { k, stable: None };
        let results = types::results(&form, &self.types_of(&[x]), &[], &declared)?;
        Ok(Some(self.push(form, &[x], results, &[], op.attrs.clone(), op)))
    }

    /// Any other call: its computations are rewritten as they are declared, shape operands go.
    fn other(&mut self, op: &Operation, call: &CustomCall, operands: &[ValueId]) -> Result<Vec<ValueId>> {
        let mut call = call.clone();
        for path in &mut call.called_computations {
            // A name that nobody defines concerns the target alone.
            if self.scope.function(path).is_some() {
                *path = self.as_declared(path)?;
            }
        }
        let mut attrs = op.attrs.clone();
        let mut results = self.declared(op);
        let mut operands = operands.to_vec();
        if passes_through(&call.target) && operands.len() == results.len() {
            // One that is declared to change the shape (for its shard) is no concern of ours.
            for ((ty, &v), &old) in results.iter_mut().zip(&operands).zip(&op.operands) {
                if ty == self.f.ty(old) {
                    *ty = types::merge(self.b.ty(v), ty)?;
                }
            }
        }
        if let Some(places) = attrs.get(SHAPE_OPERANDS).and_then(Attr::as_i64s) {
            self.shape_operands(&mut call, &mut attrs, &mut operands, &mut results, &places)?;
        }
        if &*call.target == "stablehlo.dynamic_approx_top_k" {
            self.approx_top_k(&mut call, &mut attrs, &mut operands, &mut results);
        }
        Ok(self.push(Op::CustomCall(Box::new(call)), &operands, results, &[], attrs, op))
    }

    fn shape_operands(
        &self,
        call: &mut CustomCall,
        attrs: &mut AttrDict,
        operands: &mut Vec<ValueId>,
        results: &mut [Type],
        places: &[i64],
    ) -> Result<()> {
        let at: Option<Vec<usize>> =
            places.iter().map(|&i| usize::try_from(i).ok().filter(|&i| i < operands.len())).collect();
        let Some(at) = at.filter(|at| at.len() == results.len()) else {
            return Err(Diagnostic::invalid(format!(
                "{SHAPE_OPERANDS} = {places:?} does not name an operand for each of {} results",
                results.len()
            )));
        };
        let shapes: Option<Vec<Vec<i64>>> = at.iter().map(|&i| self.numbers(operands[i])).collect();
        let Some(shapes) = shapes else { return Ok(()) };
        for (ty, numbers) in results.iter_mut().zip(&shapes) {
            if let Some(t) = ty.as_tensor() {
                *ty = types::merge(&shaped(t, numbers)?, ty)?;
            }
        }
        attrs.take(SHAPE_OPERANDS);
        let mut gone = at;
        gone.sort_unstable();
        gone.dedup();
        drop_operands(call, operands, &gone);
        Ok(())
    }

    /// With a k that is known, an `ApproxTopK`: k moves from the last operand to the configuration.
    fn approx_top_k(
        &self,
        call: &mut CustomCall,
        attrs: &mut AttrDict,
        operands: &mut Vec<ValueId>,
        results: &mut [Type],
    ) {
        let k = operands.last().and_then(|&v| self.numbers(v)).filter(|n| n.len() == 1);
        let (Some(k), Some(Attr::Dict(config))) = (k, attrs.get("mhlo.backend_config")) else { return };
        if results.iter().any(super::unknown) {
            return;
        }
        let mut config = (**config).clone();
        config.set("top_k", Attr::Int(k[0], ElementType::S64));
        attrs.set("mhlo.backend_config", Attr::Dict(Arc::new(config)));
        call.target = "ApproxTopK".into();
        let last = operands.len() - 1;
        drop_operands(call, operands, &[last]);
    }
}

/// The tensor with these sizes.
fn shaped(t: &TensorType, numbers: &[i64]) -> Result<Type> {
    Ok(TensorType { dims: super::statics::sizes(numbers)?, ..t.clone() }.into())
}

/// Takes operands out of a call, and what it says of them: layouts, aliases. `gone` is ascending.
fn drop_operands(call: &mut CustomCall, operands: &mut Vec<ValueId>, gone: &[usize]) {
    let stays = |i: usize| gone.binary_search(&i).is_err();
    if let Some(Attr::Array(layouts)) = &call.operand_layouts {
        let kept = layouts.iter().enumerate().filter(|(i, _)| stays(*i)).map(|(_, a)| a.clone());
        call.operand_layouts = Some(Attr::Array(kept.collect()));
    }
    for alias in &mut call.output_operand_aliases {
        let before = gone.iter().filter(|&&g| (g as i64) < alias.operand_index).count();
        alias.operand_index -= before as i64;
    }
    let mut at = 0..;
    operands.retain(|_| at.next().is_some_and(stays));
}
