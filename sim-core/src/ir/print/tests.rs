//! Small modules and their text.

use super::*;
use crate::dtype::ElementType as E;
use crate::ir::op::*;
use crate::ir::{Attr, AttrDict, Function, FunctionBuilder, Op, ValueId, attr::Dense};
use crate::loc::{LocData, Span};
use crate::tensor::Tensor;
use crate::types::{Dim, QuantType, TensorType, Type};
use std::sync::Arc;

fn f32s(dims: &[i64]) -> Type {
    Type::tensor(E::F32, dims)
}

fn splat(ty: Type, value: f32) -> Op {
    Op::Constant(Arc::new(Dense { ty, value: Tensor::scalar(value), splat: true }))
}

fn text_of(function: Function, options: Options) -> String {
    let module = Module { functions: vec![function], ..Module::default() };
    assert_eq!(crate::ir::same(&module, &module.clone()), Ok(()));
    module.display(options).to_string()
}

fn push_with_regions(
    b: &mut FunctionBuilder,
    op: Op,
    operands: &[ValueId],
    results: &[Type],
    regions: &[crate::ir::RegionId],
) -> Vec<ValueId> {
    let loc = crate::Loc::Unknown;
    let id = b.push(op, operands, results.to_vec(), regions, AttrDict::new(), loc, Span::default());
    b.function().op(id).results.to_vec()
}

fn add_region(b: &mut FunctionBuilder) -> crate::ir::RegionId {
    let scalar = || (f32s(&[]), crate::Loc::Unknown);
    let region = b.open_region([scalar(), scalar()]);
    let args = b.function().region(region).args.clone();
    let sum = b.op(Op::Binary(Binary::Add), &args, f32s(&[]), &crate::Loc::Unknown);
    b.close_region(&[sum], crate::Loc::Unknown, AttrDict::new())
}

fn sample() -> Function {
    let loc = crate::Loc::new(LocData::File { file: "a.py".into(), line: 3, col: 7, end: None });
    let mut b = FunctionBuilder::new("main");
    let args = b.open_body(&[f32s(&[4, 8]), Type::tensor(E::S32, &[])]);
    let zero = b.op(splat(f32s(&[]), 0.0), &[], f32s(&[]), &loc);
    let body = add_region(&mut b);
    let sum =
        push_with_regions(&mut b, Op::Reduce { dims: vec![1] }, &[args[0], zero], &[f32s(&[4])], &[body])[0];

    let state = (f32s(&[4]), crate::Loc::Unknown);
    let cond = b.open_region([state.clone()]);
    let yes = Op::Constant(Arc::new(Dense::new(Tensor::from_slice_as(E::Pred, &[], &[1u8]))));
    let yes = b.op(yes, &[], Type::tensor(E::Pred, &[]), &crate::Loc::Unknown);
    b.close_region(&[yes], crate::Loc::Unknown, AttrDict::new());
    let step = b.open_region([state]);
    let old = b.function().region(step).args[0];
    let new = b.op(Op::Unary(Unary::Negate, None), &[old], f32s(&[4]), &crate::Loc::Unknown);
    b.close_region(&[new], crate::Loc::Unknown, AttrDict::new());
    let looped = push_with_regions(&mut b, Op::While, &[sum], &[f32s(&[4])], &[cond, step])[0];

    let branch = b.open_region([]);
    b.close_region(&[looped, zero], crate::Loc::Unknown, AttrDict::new());
    let types = [f32s(&[4]), f32s(&[])];
    let both = push_with_regions(&mut b, Op::Case, &[args[1]], &types, &[branch]);
    b.close_region(&[both[1], both[0]], crate::Loc::Unknown, AttrDict::new());
    let mut f = b.finish();
    f.arg_attrs[0].set("mhlo.sharding", Attr::string("{devices=[2,1]<=[2]}"));
    f
}

#[test]
fn pretty_forms_and_regions() {
    let want = r#"module {
  func.func @main(%arg0: tensor<4x8xf32> {mhlo.sharding = "{devices=[2,1]<=[2]}"}, %arg1: tensor<i32>) -> (tensor<f32>, tensor<4xf32>) {
    %0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%arg0 init: %0) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
    %2 = stablehlo.while(%arg2 = %1) : tensor<4xf32>
    cond {
      %3 = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %3 : tensor<i1>
    } do {
      %4 = stablehlo.negate %arg2 : tensor<4xf32>
      stablehlo.return %4 : tensor<4xf32>
    }
    %5:2 = "stablehlo.case"(%arg1) ({
      stablehlo.return %2, %0 : tensor<4xf32>, tensor<f32>
    }) : (tensor<i32>) -> (tensor<4xf32>, tensor<f32>)
    func.return %5#1, %5#0 : tensor<f32>, tensor<4xf32>
  }
}
"#;
    assert_eq!(text_of(sample(), Options::default()), want);
}

#[test]
fn generic_form_and_locations() {
    let text = text_of(sample(), Options { generic: true, locations: true, ..Options::default() });
    for line in [
        r#"    %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc("a.py":3:7)"#,
        r#"    %1 = "stablehlo.reduce"(%arg0, %0) <{dimensions = array<i64: 1>}> ({"#,
        "    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):",
        r#"    }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>"#,
        "    }, {",
        r#"    "func.return"(%6#1, %6#0) : (tensor<f32>, tensor<4xf32>) -> ()"#,
    ] {
        assert!(text.lines().any(|l| l == line), "{line}\nis not in\n{text}");
    }
}

#[test]
fn a_reducer_that_is_no_single_operation_keeps_its_region() {
    let mut b = FunctionBuilder::new("f");
    let args = b.open_body(&[f32s(&[4]), f32s(&[])]);
    let scalar = || (f32s(&[]), crate::Loc::Unknown);
    let region = b.open_region([scalar(), scalar()]);
    let first = b.function().region(region).args[0];
    let body = b.close_region(&[first], crate::Loc::Unknown, AttrDict::new());
    let r = push_with_regions(&mut b, Op::Reduce { dims: vec![0] }, &args, &[f32s(&[])], &[body]);
    b.close_region(&r, crate::Loc::Unknown, AttrDict::new());
    let text = text_of(b.finish(), Options::default());
    let want = "across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    reducer(%arg2: tensor<f32>, %arg3: tensor<f32>) {
      stablehlo.return %arg2 : tensor<f32>
    }
";
    assert!(text.contains(want), "{text}");
}

fn dense<T: crate::dtype::Native>(shape: &[usize], values: &[T]) -> String {
    Attr::Dense(Arc::new(Dense::new(Tensor::from_slice(shape, values)))).to_string()
}

#[test]
fn constants() {
    assert_eq!(dense(&[2, 2], &[1i64, -2, 3, 4]), "dense<[[1, -2], [3, 4]]> : tensor<2x2xi64>");
    assert_eq!(dense(&[], &[7u64]), "dense<7> : tensor<ui64>");
    assert_eq!(dense::<f32>(&[0, 3], &[]), "dense<> : tensor<0x3xf32>");
    assert_eq!(dense(&[2], &[f32::NAN, 0.5]), "dense<[0x7FC00000, 5.000000e-01]> : tensor<2xf32>");
    assert_eq!(dense(&[1, 1], &[u64::MAX]), "dense<[[18446744073709551615]]> : tensor<1x1xui64>");
    let c = num_complex::Complex::new(1.0f32, -0.5);
    assert_eq!(dense(&[1], &[c]), "dense<[(1.000000e+00,-5.000000e-01)]> : tensor<1xcomplex<f32>>");
    let many: Vec<i16> = (0..101).collect();
    let text = dense(&[101], &many);
    assert!(
        text.starts_with("dense<\"0x000001000200") && text.ends_with("6400\"> : tensor<101xi16>"),
        "{text}"
    );
    let i4 = Tensor::from_slice_as(E::S4, &[2], &[-8i8, 7]);
    assert_eq!(Attr::Dense(Arc::new(Dense::new(i4))).to_string(), "dense<[-8, 7]> : tensor<2xi4>");
}

#[test]
fn a_splat_of_a_million_million_is_short() {
    let ty = f32s(&[1_000_000, 1_000_000]);
    let huge = Dense { ty, value: Tensor::scalar(1.5f32), splat: true };
    let text = Attr::Dense(Arc::new(huge)).to_string();
    assert_eq!(text, "dense<1.500000e+00> : tensor<1000000x1000000xf32>");
}

#[test]
fn large_constants_can_be_elided() {
    let mut b = FunctionBuilder::new("f");
    b.open_body(&[]);
    let value = Dense::new(Tensor::from_slice(&[20], &[1i32; 20]));
    let ty = value.ty.clone();
    let c = b.op(Op::Constant(Arc::new(value)), &[], ty, &crate::Loc::Unknown);
    b.close_region(&[c], crate::Loc::Unknown, AttrDict::new());
    let text = text_of(b.finish(), Options { elide_large: Some(16), ..Options::default() });
    assert!(text.contains("stablehlo.constant dense_resource<__elided__> : tensor<20xi32>"), "{text}");
}

#[test]
fn attributes() {
    let show = |h: HloAttr| h.to_string();
    assert_eq!(show(HloAttr::Precision(Precision::Highest)), "#stablehlo<precision HIGHEST>");
    let dot = DotDims { lhs_contract: vec![1], rhs_contract: vec![0], ..DotDims::default() };
    assert_eq!(
        show(HloAttr::Dot(dot.clone())),
        "#stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>"
    );
    let ragged = RaggedDotDims { dot: DotDims::default(), lhs_ragged: vec![0], rhs_group: vec![] };
    assert_eq!(show(HloAttr::RaggedDot(ragged)), "#chlo.ragged_dot<lhs_ragged_dimensions = [0]>");
    let conv = ConvDims {
        input_batch: 0,
        input_feature: 3,
        input_spatial: vec![1, 2],
        kernel_input_feature: 2,
        kernel_output_feature: 3,
        kernel_spatial: vec![0, 1],
        output_batch: 0,
        output_feature: 3,
        output_spatial: vec![1, 2],
    };
    assert_eq!(show(HloAttr::Conv(conv)), "#stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>");
    assert!(
        show(HloAttr::Conv(ConvDims::default())).starts_with("#stablehlo.conv<raw input_batch_dimension")
    );
    let accuracy = ResultAccuracy { atol: 1e-5, rtol: 0.0, ulps: 1, mode: "TOLERANCE".into() };
    assert_eq!(
        show(HloAttr::ResultAccuracy(accuracy)),
        "#stablehlo.result_accuracy<atol = 1.000000e-05, ulps = 1, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>"
    );
    let dict = AttrDict(vec![
        ("a".into(), Attr::Unit),
        ("b c".into(), Attr::Array([Attr::Int(-1, E::S64), Attr::Bool(true)].into())),
        ("d".into(), Attr::DenseArray(E::Pred, [0, 1].into())),
        ("e".into(), Attr::i64s(&[])),
        ("f".into(), Attr::Symbol(["g".into(), "h i".into()].into())),
    ]);
    assert_eq!(
        dict.to_string(),
        r#"{a, "b c" = [-1 : i64, true], d = array<i1: false, true>, e = array<i64>, f = @g::@"h i"}"#
    );
}

#[test]
fn types() {
    let bounded = TensorType::new(E::F32, [Dim::Bounded(4), Dim::Dynamic, Dim::Static(2)]);
    assert_eq!(Type::from(bounded).to_string(), "tensor<?x?x2xf32, #stablehlo.bounds<4, ?, ?>>");
    let quant = QuantType {
        storage: E::U8,
        expressed: E::F32,
        storage_min: 1,
        storage_max: 255,
        axis: Some(0),
        scales: vec![0.5, 1e-7],
        zero_points: vec![0, 3],
    };
    assert_eq!(quant.to_string(), "!quant.uniform<u8<1:255>:f32:0, {0.5,1.0e-7:3}>");
}

#[test]
fn differences_are_told() {
    let base = Module { functions: vec![sample()], ..Module::default() };
    let change = |edit: &dyn Fn(&mut Function)| {
        let mut other = base.clone();
        edit(&mut other.functions[0]);
        crate::ir::same(&base, &other).unwrap_err()
    };
    let e = change(&|f| f.ops[0].op = splat(f32s(&[]), -0.0));
    assert!(e.starts_with("function @main: operation 0 (stablehlo.constant): attributes: `value` is"), "{e}");
    let e = change(&|f| f.ops[0].loc = crate::Loc::Unknown);
    assert!(e.contains("operation 0 (stablehlo.constant): location"), "{e}");
    let e = change(&|f| f.arg_attrs[0] = AttrDict::new());
    assert!(e.contains("`mhlo.sharding` is missing in the second"), "{e}");
    let e = change(&|f| {
        let results = &mut f.regions[0].results;
        results.swap(0, 1);
    });
    assert!(e.contains("returned value 0 is another value"), "{e}");
}

#[test]
fn a_splat_is_the_same_as_its_elements() {
    let with = |value: Tensor, splat: bool| {
        let ty = f32s(&[3]);
        let mut b = FunctionBuilder::new("f");
        b.open_body(&[]);
        let op = Op::Constant(Arc::new(Dense { ty: ty.clone(), value, splat }));
        let c = b.op(op, &[], ty, &crate::Loc::Unknown);
        b.close_region(&[c], crate::Loc::Unknown, AttrDict::new());
        Module { functions: vec![b.finish()], ..Module::default() }
    };
    let one = with(Tensor::scalar(f32::NAN), true);
    let all = with(Tensor::from_slice(&[3], &[f32::NAN; 3]), false);
    assert_eq!(crate::ir::same(&one, &all), Ok(()));
    assert_eq!(crate::ir::same(&all, &one), Ok(()));
    assert_eq!(crate::ir::same(&all, &all), Ok(()));
    let two = with(Tensor::from_slice(&[3], &[f32::NAN, f32::NAN, 0.0]), false);
    assert!(crate::ir::same(&one, &two).is_err());
}
