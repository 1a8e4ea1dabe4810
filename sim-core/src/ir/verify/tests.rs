use super::*;
use crate::ir::op::{Binary, Unary};
use crate::ir::{AttrDict, FunctionBuilder};
use crate::loc::Loc;
use proptest::prelude::*;

fn f32s(dims: &[i64]) -> Type {
    Type::tensor(ElementType::F32, dims)
}

fn close(mut b: FunctionBuilder, results: &[ValueId]) -> Function {
    b.close_region(results, Loc::Unknown, AttrDict::new());
    b.finish()
}

fn message(f: &Function) -> String {
    verify_function(f).unwrap_err().to_string()
}

#[test]
fn a_long_chain_verifies_in_linear_time() {
    let mut b = FunctionBuilder::new("main");
    let mut x = b.open_body(&[f32s(&[8])])[0];
    for _ in 0..50_000 {
        x = b.op(Op::Binary(Binary::Add), &[x, x], f32s(&[8]), &Loc::Unknown);
    }
    verify_function(&close(b, &[x])).unwrap();
}

#[test]
fn a_value_is_defined_before_it_is_used() {
    let mut b = FunctionBuilder::new("main");
    let x = b.open_body(&[f32s(&[2])])[0];
    let y = b.op(Op::Unary(Unary::Negate, None), &[x], f32s(&[2]), &Loc::Unknown);
    let z = b.op(Op::Unary(Unary::Abs, None), &[y], f32s(&[2]), &Loc::Unknown);
    let mut f = close(b, &[z]);
    verify_function(&f).unwrap();
    f.ops[0].operands[0] = z;
    assert!(
        message(&f).contains("stablehlo.negate: operand 0 is used before it is defined"),
        "{}",
        message(&f)
    );
}

/// `if` whose branches use a value of the function; the result of one branch's operation is `inner`.
fn conditional() -> (Function, ValueId) {
    let mut b = FunctionBuilder::new("main");
    let args = b.open_body(&[Type::tensor(ElementType::Pred, &[]), f32s(&[])]);
    let yes = b.open_region([]);
    let inner = b.op(Op::Unary(Unary::Negate, None), &[args[1]], f32s(&[]), &Loc::Unknown);
    b.close_region(&[inner], Loc::Unknown, AttrDict::new());
    let no = b.open_region([]);
    b.close_region(&[args[1]], Loc::Unknown, AttrDict::new());
    let op =
        b.push(Op::If, &args[..1], [f32s(&[])], &[yes, no], AttrDict::new(), Loc::Unknown, Span::default());
    let r = b.function().op(op).results[0];
    (close(b, &[r]), inner)
}

#[test]
fn regions_see_outwards_and_hide_what_they_define() {
    let (mut f, inner) = conditional();
    verify_function(&f).unwrap();
    let no = f.ops[1].regions[1];
    f.regions[no.index()].results[0] = inner;
    assert!(message(&f).contains("outside of the region that defines it"), "{}", message(&f));
}

#[test]
fn a_region_stands_in_one_place() {
    let (mut f, _) = conditional();
    let yes = f.ops[1].regions[0];
    f.ops[1].regions[1] = yes;
    assert!(message(&f).contains("graph is inconsistent"), "{}", message(&f));
}

#[test]
fn isolated_regions_do_not_see_outwards() {
    let mut b = FunctionBuilder::new("main");
    let x = b.open_body(&[f32s(&[4])])[0];
    let body = b.open_region([(f32s(&[4]), Loc::Unknown)]);
    let slice = Op::Slice { start: vec![0], limit: vec![2], strides: vec![1] };
    let y = b.op(slice, &[x], f32s(&[2]), &Loc::Unknown);
    b.close_region(&[y], Loc::Unknown, AttrDict::new());
    let future = Type::Future([f32s(&[2])].into());
    let op = b.push(Op::AsyncStart, &[x], [future], &[body], AttrDict::new(), Loc::Unknown, Span::default());
    let r = b.function().op(op).results[0];
    let mut f = close(b, &[r]);
    assert!(message(&f).contains("may only use its own arguments"), "{}", message(&f));
    f.ops[0].operands[0] = f.regions[body.index()].args[0];
    verify_function(&f).unwrap();
}

/// What is written of it as bytecode would be read with the numbers of the region's own values.
#[test]
fn regions_of_shardy_do_not_see_outwards() {
    for op in [Op::SdyManualComputation, Op::SdyNamedComputation { name: "f".into() }] {
        let mut b = FunctionBuilder::new("main");
        let a = b.open_body(&[f32s(&[4])])[0];
        let body = b.open_region([(f32s(&[4]), Loc::Unknown)]);
        b.close_region(&[a], Loc::Unknown, AttrDict::new());
        let op = b.push(op, &[a], [f32s(&[4])], &[body], AttrDict::new(), Loc::Unknown, Span::default());
        let r = b.function().op(op).results[0];
        let f = close(b, &[r]);
        assert!(message(&f).contains("may only use its own arguments"), "{}", message(&f));
    }
}

#[test]
fn deep_nesting_is_an_error_and_not_a_stack_overflow() {
    let mut b = FunctionBuilder::new("main");
    let args = b.open_body(&[Type::tensor(ElementType::S32, &[])]);
    let regions: Vec<_> = (0..2 * MAX_NESTING).map(|_| b.open_region([])).collect();
    for region in regions.iter().rev() {
        b.close_region(&[], Loc::Unknown, AttrDict::new());
        b.push(Op::Case, &args, [], &[*region], AttrDict::new(), Loc::Unknown, Span::default());
    }
    assert!(message(&close(b, &[])).contains("nest deeper"));
}

fn caller(name: &str, callee: &str) -> Function {
    let mut b = FunctionBuilder::new(name);
    b.open_body(&[]);
    let callee = Op::Call { callee: [Arc::from(callee)].into() };
    b.push(callee, &[], [], &[], AttrDict::new(), Loc::Unknown, Span::default());
    close(b, &[])
}

#[test]
fn recursion_is_found_and_told() {
    let mut module = Module { functions: vec![caller("a", "b"), caller("b", "c")], ..Module::default() };
    let missing = verify_module(&module).unwrap_err().to_string();
    assert!(missing.contains("function @c is not defined"), "{missing}");
    module.functions.push(caller("c", "b"));
    let ring = verify_module(&module).unwrap_err().to_string();
    assert!(ring.contains("recursion is not allowed: @b calls @c calls @b"), "{ring}");
}

#[test]
fn nested_modules_resolve_outwards() {
    let inner =
        Module { name: Some("inner".into()), functions: vec![caller("f", "leaf")], ..Module::default() };
    let mut leaf = FunctionBuilder::new("leaf");
    leaf.open_body(&[]);
    let module = Module { functions: vec![close(leaf, &[])], modules: vec![inner], ..Module::default() };
    verify_module(&module).unwrap();
}

#[test]
fn a_result_has_the_inferred_type() {
    let mut b = FunctionBuilder::new("main");
    let x = b.open_body(&[f32s(&[2, 3])])[0];
    let y = b.op(Op::Transpose { permutation: vec![1, 0] }, &[x], f32s(&[2, 3]), &Loc::Unknown);
    let text = message(&close(b, &[y]));
    assert!(
        text.contains("stablehlo.transpose: (C3) the operands make result 0 a tensor<3x2xf32>"),
        "{text}"
    );
}

#[test]
fn unknown_and_bounded_dimensions() {
    let t = |d| Type::from(TensorType::new(ElementType::F32, [d]));
    let program = |a: Dim, b: Dim, out: Dim| {
        let mut builder = FunctionBuilder::new("main");
        let args = builder.open_body(&[t(a), t(b)]);
        let r = builder.op(Op::Binary(Binary::Add), &args, t(out), &Loc::Unknown);
        verify_function(&close(builder, &[r]))
    };
    program(Dim::Dynamic, Dim::Static(4), Dim::Static(4)).unwrap();
    program(Dim::Bounded(4), Dim::Static(4), Dim::Dynamic).unwrap();
    program(Dim::Bounded(3), Dim::Static(4), Dim::Static(4)).unwrap_err();
    program(Dim::Bounded(3), Dim::Dynamic, Dim::Static(4)).unwrap_err();
}

proptest! {
    /// The dimensions a dot gives, against the obvious enumeration.
    #[test]
    fn dot_general_shapes(batch in 0usize..3, contract in 0usize..3, l in 0usize..3, r in 0usize..3) {
        let sizes: Vec<i64> = (2..).take(batch + contract + l + r).collect();
        let (b, rest) = sizes.split_at(batch);
        let (k, rest) = rest.split_at(contract);
        let (l, r) = rest.split_at(l);
        // lhs: batch, free, contracting; rhs: contracting, batch, free.
        let lhs: Vec<i64> = [b, l, k].concat();
        let rhs: Vec<i64> = [k, b, r].concat();
        let range = |from: usize, n: usize| (from..from + n).map(|i| i as i64).collect::<Vec<_>>();
        let dims = crate::ir::op::DotDims {
            lhs_batch: range(0, batch),
            rhs_batch: range(contract, batch),
            lhs_contract: range(batch + l.len(), contract),
            rhs_contract: range(0, contract),
        };
        let op = Op::DotGeneral { dims, precision: vec![], algorithm: None };
        let out = infer::infer(&op, &[f32s(&lhs), f32s(&rhs)], &[]).unwrap();
        prop_assert_eq!(out, vec![f32s(&[b, l, r].concat())]);
    }

    /// Attributes from a file are any numbers: an error or a type, never a panic.
    #[test]
    fn any_numbers_are_answered(v in proptest::collection::vec(any::<i64>(), 0..4), d in any::<i64>()) {
        let x = f32s(&[2, 3]);
        let index = Type::tensor(ElementType::S32, &[2]);
        let scalar = Type::tensor(ElementType::S32, &[]);
        let gather = crate::ir::op::GatherDims {
            offset_dims: v.clone(),
            collapsed_slice_dims: v.clone(),
            start_index_map: vec![d],
            index_vector_dim: d,
            ..Default::default()
        };
        let window = crate::ir::op::Window {
            dimensions: v.clone(),
            strides: v.clone(),
            padding: v.iter().map(|&p| (p, d)).collect(),
            ..Default::default()
        };
        let sum = RegionSig { args: vec![f32s(&[]), f32s(&[])], results: vec![f32s(&[])] };
        let two = std::slice::from_ref(&sum);
        let _ = infer::infer(&Op::Slice { start: v.clone(), limit: v.clone(), strides: v.clone() }, std::slice::from_ref(&x), &[]);
        let _ = infer::infer(&Op::Pad { low: v.clone(), high: v.clone(), interior: v.clone() }, &[x.clone(), f32s(&[])], &[]);
        let _ = infer::infer(&Op::Transpose { permutation: v.clone() }, std::slice::from_ref(&x), &[]);
        let _ = infer::infer(&Op::Concatenate { dim: d }, &[x.clone(), x.clone()], &[]);
        let _ = infer::infer(&Op::DynamicSlice { sizes: v.clone() }, &[x.clone(), scalar.clone(), scalar], &[]);
        let _ = infer::infer(&Op::Gather { dims: gather, slice_sizes: v.clone(), sorted: None }, &[x.clone(), index], &[]);
        let _ = infer::infer(&Op::Reduce { dims: v.clone() }, &[x.clone(), f32s(&[])], two);
        let _ = infer::infer(&Op::ReduceWindow(window), &[x.clone(), f32s(&[])], two);
        let _ = infer::infer(&Op::Fft { ty: crate::ir::op::FftType::Rfft, length: v }, std::slice::from_ref(&x), &[]);
        let _ = infer::infer(&Op::TopK { k: d, stable: None }, &[x], &[]);
    }
}
