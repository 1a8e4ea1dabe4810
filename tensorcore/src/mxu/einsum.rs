//! The deprecated `einsum` and `unary_einsum`: labels in a string, carried out by [`dot_general`].

use super::dot::dot_general;
use crate::xlu::transpose;
use sim_core::ir::op::DotDims;
use sim_core::numerics::DotF32;
use sim_core::{Ctx, Diagnostic, ElementType, Numerics, Result, Tensor};

/// A parsed `einsum_config`: one list of labels per operand, and the result's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EinsumConfig {
    pub inputs: Vec<Vec<char>>,
    pub output: Vec<char>,
}

/// Parses `ab,bc->ac` and the like. White space is ignored.
///
/// # Errors
/// Anything but letters around commas and one arrow; a label twice in one list; a label of the
/// result that no operand has.
pub fn parse_einsum(config: &str) -> Result<EinsumConfig> {
    let bad = |what: &str| Diagnostic::invalid(format!("einsum config {config:?}: {what}"));
    let (inputs, output) = config.split_once("->").ok_or_else(|| bad("no ->"))?;
    let labels = |list: &str| -> Result<Vec<char>> {
        let list: Vec<char> = list.chars().filter(|c| !c.is_whitespace()).collect();
        if !list.iter().all(|c| c.is_ascii_alphabetic()) {
            return Err(bad("only letters name dimensions"));
        }
        if (1..list.len()).any(|i| list[..i].contains(&list[i])) {
            return Err(Diagnostic::unsupported(format!(
                "einsum config {config:?}: a label twice in one list"
            ))
            .help("write the diagonal with gather or select"));
        }
        Ok(list)
    };
    let inputs = inputs.split(',').map(labels).collect::<Result<Vec<_>>>()?;
    let output = labels(output)?;
    if !output.iter().all(|c| inputs.iter().any(|list| list.contains(c))) {
        return Err(bad("the result has a label that no operand has"));
    }
    Ok(EinsumConfig { inputs, output })
}

fn check(t: &Tensor, labels: &[char]) -> Result<()> {
    if t.rank() == labels.len() {
        return Ok(());
    }
    Err(Diagnostic::invalid(format!("einsum: an operand of rank {} with {} labels", t.rank(), labels.len())))
}

/// Sums the dimensions whose label is not in `keep`, in the arithmetic of a reduce.
fn sum_others(ctx: &Ctx, t: Tensor, labels: &mut Vec<char>, keep: impl Fn(char) -> bool) -> Result<Tensor> {
    let gone: Vec<usize> = (0..labels.len()).filter(|&i| !keep(labels[i])).collect();
    if gone.is_empty() {
        return Ok(t);
    }
    let shape: Vec<usize> = gone.iter().map(|&i| t.shape()[i]).collect();
    let count = sim_core::exec::byte_len(ElementType::S8, &shape)?;
    // A product with ones; as i1 they are exact in any arithmetic.
    let mut ones = ctx.alloc(ElementType::Pred, &shape)?;
    ones.bytes_mut()[..count].fill(1);
    let dims = DotDims {
        lhs_contract: gone.iter().map(|&i| i as i64).collect(),
        rhs_contract: (0..gone.len() as i64).collect(),
        ..DotDims::default()
    };
    let exact = Numerics { dot_f32: DotF32::Native, matvec_on_vpu: false, ..ctx.numerics };
    let out = t.element();
    let result = dot_general(&ctx.with_numerics(exact), &t, &ones, &dims, &[], None, out)?;
    labels.retain(|&c| keep(c));
    Ok(result)
}

fn reorder(ctx: &Ctx, t: &Tensor, have: &[char], want: &[char]) -> Result<Tensor> {
    let order: Option<Vec<i64>> =
        want.iter().map(|c| have.iter().position(|h| h == c).map(|i| i as i64)).collect();
    transpose(ctx, t, &order.ok_or_else(|| Diagnostic::invalid("einsum: a label is missing"))?)
}

/// `stablehlo.einsum`. Labels in both operands and the result are batch dimensions, labels in both
/// operands only are contracted, and labels in one operand only are summed.
///
/// # Errors
/// A config that does not parse or does not fit the operands; and as [`dot_general`].
pub fn einsum(ctx: &Ctx, lhs: &Tensor, rhs: &Tensor, config: &str, out: ElementType) -> Result<Tensor> {
    let EinsumConfig { inputs, output } = parse_einsum(config)?;
    let Ok([mut a, mut b]) = <[Vec<char>; 2]>::try_from(inputs) else {
        return Err(Diagnostic::invalid(format!("einsum config {config:?} is not one for two operands")));
    };
    check(lhs, &a)?;
    check(rhs, &b)?;
    let (all_a, all_b) = (a.clone(), b.clone());
    let lhs = sum_others(ctx, lhs.clone(), &mut a, |c| all_b.contains(&c) || output.contains(&c))?;
    let rhs = sum_others(ctx, rhs.clone(), &mut b, |c| all_a.contains(&c) || output.contains(&c))?;
    let shared: Vec<char> = a.iter().copied().filter(|c| b.contains(c)).collect();
    let (batch, contract): (Vec<char>, Vec<char>) = shared.iter().partition(|c| output.contains(c));
    let places = |of: &[char], list: &[char]| -> Vec<i64> {
        of.iter().filter_map(|c| list.iter().position(|x| x == c)).map(|i| i as i64).collect()
    };
    let dims = DotDims {
        lhs_batch: places(&batch, &a),
        rhs_batch: places(&batch, &b),
        lhs_contract: places(&contract, &a),
        rhs_contract: places(&contract, &b),
    };
    let result = dot_general(ctx, &lhs, &rhs, &dims, &[], None, out)?;
    let free = |list: &[char]| list.iter().copied().filter(|c| !shared.contains(c)).collect::<Vec<_>>();
    let have = [batch, free(&a), free(&b)].concat();
    reorder(ctx, &result, &have, &output)
}

/// `stablehlo.unary_einsum`: sums the labels that the result lacks, and permutes the rest.
///
/// # Errors
/// A config that does not parse or does not fit the operand.
pub fn unary_einsum(ctx: &Ctx, operand: &Tensor, config: &str) -> Result<Tensor> {
    let EinsumConfig { mut inputs, output } = parse_einsum(config)?;
    let (Some(mut labels), true) = (inputs.pop(), inputs.is_empty()) else {
        return Err(Diagnostic::invalid(format!("einsum config {config:?} is not one for one operand")));
    };
    check(operand, &labels)?;
    let t = sum_others(ctx, operand.clone(), &mut labels, |c| output.contains(&c))?;
    reorder(ctx, &t, &labels, &output)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matrices() {
        let ctx = Ctx::new(Numerics::ieee(), 1 << 30);
        let a = Tensor::from_slice(&[2, 3], &[1f32, 2., 3., 4., 5., 6.]);
        let b = Tensor::from_slice(&[3, 2], &[1f32, 0., 0., 1., 1., 1.]);
        let run = |config| einsum(&ctx, &a, &b, config, ElementType::F32).unwrap();
        assert_eq!(run("ab,bc->ac").as_slice::<f32>(), [4., 5., 10., 11.]);
        assert_eq!(run("ab, bc -> ca").as_slice::<f32>(), [4., 10., 5., 11.]);
        assert_eq!(run("ab,bc->abc").shape(), [2, 3, 2]);
        assert_eq!(run("ab,bc->a").as_slice::<f32>(), [9., 21.]);
        let unary = |config| unary_einsum(&ctx, &a, config).unwrap();
        assert_eq!(unary("ab->ba").as_slice::<f32>(), [1., 4., 2., 5., 3., 6.]);
        assert_eq!(unary("ab->b").as_slice::<f32>(), [5., 7., 9.]);
        assert_eq!(unary("ab->").as_slice::<f32>(), [21.]);
    }

    #[test]
    fn configs_that_are_refused() {
        let ctx = Ctx::new(Numerics::ieee(), 1 << 30);
        let a = Tensor::from_slice(&[2, 2], &[1f32; 4]);
        for config in ["ab,bc", "ab,b1->a", "aa,bc->abc", "ab,bc->ad", "ab->ab", "abc,bc->a"] {
            assert!(einsum(&ctx, &a, &a, config, ElementType::F32).is_err(), "{config}");
        }
        assert!(unary_einsum(&ctx, &a, "ab,bc->ac").is_err());
    }
}
