//! Calls that no recording of a real backend holds, and calls that must fail in order.

use crate::frontend::{self, Source};
use crate::runtime::{Executable, RunOptions, Value};
use sim_core::{Ctx, Numerics, Result, Tensor};
use std::sync::Arc;

fn run(text: &str, inputs: &[Tensor]) -> Result<Vec<Tensor>> {
    let source = Source::from_bytes("call.mlir", text.as_bytes().to_vec());
    let module = frontend::parse(&source)?.remove(0);
    sim_core::ir::verify::verify_module(&module)?;
    let options = RunOptions { numerics: Numerics::ieee(), ..RunOptions::default() };
    let exe = Executable::new(Arc::new(module), options)?;
    exe.run(&Ctx::new(Numerics::ieee(), 1 << 28), inputs.to_vec())?.into_iter().map(Value::tensor).collect()
}

/// One call: its attributes, its type, its operands.
fn call(target: &str, attrs: &str, ty: &str, inputs: &[Tensor]) -> Result<Vec<Tensor>> {
    let (args, results) = ty.split_once(" -> ").unwrap();
    let args: Vec<&str> = args.trim_matches(['(', ')']).split(", ").collect();
    let results: Vec<&str> = results.trim_matches(['(', ')']).split(", ").collect();
    let names: Vec<String> = (0..args.len()).map(|i| format!("%a{i}")).collect();
    let params: Vec<String> = names.iter().zip(&args).map(|(n, t)| format!("{n}: {t}")).collect();
    let out: Vec<String> = (0..results.len()).map(|i| format!("%r#{i}")).collect();
    let text = format!(
        "func.func @main({}) -> ({r}) {{
           %r:{} = \"stablehlo.custom_call\"({}) {{call_target_name = \"{target}\"{attrs}}} : ({}) -> ({r})
           func.return {} : {r}
         }}
         func.func private @max(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {{
           %0 = stablehlo.maximum %a, %b : tensor<f32>
           func.return %0 : tensor<f32>
         }}
         func.func private @less(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>) -> tensor<i1> {{
           %0 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
           func.return %0 : tensor<i1>
         }}",
        params.join(", "),
        results.len(),
        names.join(", "),
        args.join(", "),
        out.join(", "),
        r = results.join(", "),
    );
    run(&text, inputs)
}

fn f32s(shape: &[usize], values: &[f32]) -> Tensor {
    Tensor::from_slice(shape, values)
}

fn i32s(values: &[i32]) -> Tensor {
    Tensor::from_slice(&[values.len()], values)
}

#[test]
fn windows_from_operands() {
    let ty = "(tensor<4xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, \
              tensor<1x2xi32>) -> tensor<?xf32>";
    let inputs = |window: i32| {
        let one = i32s(&[1]);
        let padding = Tensor::from_slice(&[1, 2], &[window - 1, 0]);
        let low = Tensor::scalar(f32::NEG_INFINITY);
        [f32s(&[4], &[1.0, 3.0, 2.0, 0.0]), low, i32s(&[window]), one.clone(), one.clone(), one, padding]
    };
    let max = ", called_computations = [@max]";
    let out = call("stablehlo.dynamic_reduce_window", max, ty, &inputs(2)).unwrap();
    assert_eq!(out[0].as_slice::<f32>(), [1.0, 3.0, 3.0, 2.0]);
    assert!(call("stablehlo.dynamic_reduce_window", max, ty, &inputs(0)).is_err());
    assert!(call("stablehlo.dynamic_reduce_window", "", ty, &inputs(2)).is_err());
    let wrong = ", called_computations = [@less]";
    assert!(call("stablehlo.dynamic_reduce_window", wrong, ty, &inputs(2)).is_err());
}

#[test]
fn between_bounded_and_static_shapes() {
    let ty = "(tensor<?x2xf32>) -> (tensor<3x2xf32>, tensor<i32>, tensor<i32>)";
    let out = call("PadToStatic", "", ty, &[f32s(&[1, 2], &[5.0, 6.0])]).unwrap();
    assert_eq!(out[0].as_slice::<f32>(), [5.0, 6.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!((out[1].to_i64s(), out[2].to_i64s()), (vec![1], vec![2]));
    let back = "(tensor<3x2xf32>, tensor<i32>, tensor<i32>) -> tensor<?x2xf32>";
    let inner = call("SliceToDynamic", "", back, &out).unwrap();
    assert_eq!(inner[0].shape(), [1, 2]);
    let large = [out[0].clone(), Tensor::scalar(4i32), out[2].clone()];
    assert!(call("SliceToDynamic", "", back, &large).is_err());
    assert!(call("PadToStatic", "", ty, &[f32s(&[4, 2], &[0.0; 8])]).is_err());
}

#[test]
fn the_best_by_a_comparison() {
    let ty = "(tensor<4xf32>, tensor<4xi32>, tensor<f32>, tensor<i32>) -> (tensor<K>, tensor<L>)";
    let inputs = [
        f32s(&[4], &[3.0, 1.0, 2.0, 0.0]),
        i32s(&[0, 1, 2, 3]),
        Tensor::scalar(f32::INFINITY),
        Tensor::scalar(-1i32),
    ];
    let config = ", called_computations = [@less], backend_config = {reduction_dim = 0 : i64, top_k = 2 : i64, \
                  aggregate_to_topk = AGG}, api_version = 4 : i32";
    let of = |k: usize, aggregate: &str| {
        let ty = ty.replace("<K>", &format!("<{k}xf32>")).replace("<L>", &format!("<{k}xi32>"));
        call("ApproxTopK", &config.replace("AGG", aggregate), &ty, &inputs)
    };
    let out = of(2, "true").unwrap();
    assert_eq!(out[0].as_slice::<f32>(), [0.0, 1.0]);
    assert_eq!(out[1].as_slice::<i32>(), [3, 1]);
    // More places than elements are filled with the initial values.
    let out = of(5, "false").unwrap();
    assert_eq!(out[1].as_slice::<i32>(), [3, 1, 2, 0, -1]);
    assert!(of(3, "true").is_err());
    let wrong = ty.replace("<K>", "<2xf32>").replace("<L>", "<2xi32>");
    let max = config.replace("AGG", "true").replace("@less", "@max");
    assert!(call("ApproxTopK", &max, &wrong, &inputs).is_err());

    let top = "(tensor<4xf32>) -> (tensor<2xf32>, tensor<2xi32>)";
    let out =
        call("mhlo.topk", ", mhlo.attributes = {k = 2 : i64, largest = true}", top, &inputs[..1]).unwrap();
    assert_eq!(out[0].as_slice::<f32>(), [3.0, 2.0]);
    let out = call("TopK", ", called_computations = [@less]", top, &inputs[..1]).unwrap();
    assert_eq!(out[1].as_slice::<i32>(), [3, 1]);
}

#[test]
fn lapack_with_options_as_operands() {
    // Batch, rows, columns, then the matrix; workspace among the results.
    let ty = "(tensor<i32>, tensor<i32>, tensor<i32>, tensor<2x2xf32>) -> \
              (tensor<2x2xf32>, tensor<2xi32>, tensor<i32>)";
    let size = Tensor::scalar(2i32);
    let a = f32s(&[2, 2], &[0.0, 1.0, 2.0, 0.0]);
    let inputs = [Tensor::scalar(1i32), size.clone(), size, a];
    let out = call("lapack_sgetrf", "", ty, &inputs).unwrap();
    assert_eq!(out[0].as_slice::<f32>(), [2.0, 0.0, 0.0, 1.0]);
    assert_eq!(out[1].as_slice::<i32>(), [2, 2]);
    let ty = ty.replace("tensor<2xi32>, tensor<i32>)", "tensor<2xf32>, tensor<i32>, tensor<64xf32>)");
    let out = call("lapack_sgeqrf", "", &ty, &inputs).unwrap();
    assert_eq!(out[3].as_slice::<f32>(), [0.0; 64]);
}

#[test]
fn calls_that_do_not_fit_are_errors() {
    let square = f32s(&[2, 2], &[1.0, 2.0, 3.0, 4.0]);
    let wide = f32s(&[1, 2], &[1.0, 2.0]);
    let row = f32s(&[2], &[1.0, 2.0]);
    let fails = |target: &str, ty: &str, inputs: &[Tensor]| {
        let e = call(target, "", ty, inputs).unwrap_err().to_string();
        assert!(e.contains("stablehlo.custom_call"), "{target}: {e}");
    };
    // Fewer results than there are, of other shapes, of other types.
    fails("Qr", "(tensor<2x2xf32>) -> tensor<2x2xf32>", std::slice::from_ref(&square));
    fails("Qr", "(tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<3xf32>)", std::slice::from_ref(&square));
    fails("Eigh", "(tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xf64>)", std::slice::from_ref(&square));
    for target in
        ["Qr", "Eigh", "LuDecomposition", "lapack_sgees_ffi", "cusolver_syevd_ffi", "lapack_sgehrd_ffi"]
    {
        fails(target, "(tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)", std::slice::from_ref(&row));
        fails(
            target,
            "(tensor<1x2xf32>, tensor<1x2xf32>) -> (tensor<2xf32>, tensor<2xf32>)",
            &[wide.clone(), wide.clone()],
        );
    }
    for target in [
        "lapack_sgeev_ffi",
        "lapack_sgesdd_ffi",
        "lapack_spotrf_ffi",
        "lapack_ssytrd_ffi",
        "cusolver_gesvdj_ffi",
    ] {
        fails(target, "(tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)", std::slice::from_ref(&row));
    }
    fails("lapack_strsm_ffi", "(tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>", &[row.clone(), row.clone()]);
    fails("lapack_sgtsv_ffi", "(tensor<2xf32>) -> tensor<2xf32>", std::slice::from_ref(&row));
    fails("cu_threefry2x32_ffi", "(tensor<2xf32>) -> tensor<2xf32>", std::slice::from_ref(&row));
    fails("SPMDFullToShardShape", "(tensor<2x2xf32>) -> tensor<1x2xf32>", std::slice::from_ref(&square));
    let e = call("my_kernel", "", "(tensor<2xf32>) -> tensor<2xf32>", &[row]).unwrap_err().to_string();
    assert!(e.contains("\"my_kernel\""), "{e}");
}

#[test]
fn a_shape_assertion_tells_its_numbers() {
    let text = "func.func @main(%p: tensor<i1>, %n: tensor<i32>) {
      stablehlo.custom_call @shape_assertion(%p, %n) {error_message = \"b is {0}\", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
      func.return
    }";
    let pred = |x: u8| Tensor::from_slice_as(sim_core::ElementType::Pred, &[], &[x]);
    assert!(run(text, &[pred(1), Tensor::scalar(3i32)]).unwrap().is_empty());
    let e = run(text, &[pred(0), Tensor::scalar(3i32)]).unwrap_err();
    assert!(e.to_string().contains("b is 3"), "{e}");
}
