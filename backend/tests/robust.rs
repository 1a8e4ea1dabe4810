//! What a run may not do, whatever the program: hang, take its caller down, or depend on who else
//! runs. (Random programs: `run_mutations.rs`.)

use backend::frontend::{self, Source};
use backend::runtime::{Executable, RunOptions, Value};
use sim_core::{Ctx, Diagnostic, ErrorKind, Numerics, Tensor};
use std::sync::Arc;
use std::time::Duration;

fn plan(text: &str) -> Result<Executable, Diagnostic> {
    let mut modules = frontend::parse(&Source::from_bytes("test", text))?;
    let module = modules.swap_remove(0);
    sim_core::ir::verify::verify_module(&module)?;
    Executable::new(Arc::new(module), RunOptions { numerics: Numerics::ieee(), ..RunOptions::default() })
}

fn ctx() -> Ctx {
    Ctx::new(Numerics::ieee(), 1 << 28)
}

/// `@main` calls `@f0`, and each `@f` the next, `times` times.
fn calls(functions: usize, times: usize) -> String {
    let t = "tensor<i32>";
    let mut text = format!(
        "func.func @main(%0: {t}) -> {t} {{\n %1 = func.call @f0(%0) : ({t}) -> {t}\n return %1 : {t}\n}}\n"
    );
    for i in 0..functions {
        text += &format!("func.func private @f{i}(%0: {t}) -> {t} {{\n");
        for k in 0..times {
            text += &format!(" %{} = func.call @f{}(%{k}) : ({t}) -> {t}\n", k + 1, i + 1);
        }
        text += &format!(" return %{times} : {t}\n}}\n");
    }
    text + &format!("func.func private @f{functions}(%0: {t}) -> {t} {{ return %0 : {t} }}\n")
}

const ENDLESS: &str = "func.func @main(%0: tensor<i32>) -> tensor<i32> {
  %1 = stablehlo.while(%a = %0) : tensor<i32> cond {
    %t = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %t : tensor<i1>
  } do {
    stablehlo.return %a : tensor<i32>
  }
  return %1 : tensor<i32>
}";

fn stopped_after_a_moment(text: &str) {
    let (exe, ctx) = (plan(text).unwrap(), ctx());
    let result = std::thread::scope(|s| {
        let run = s.spawn(|| exe.run(&ctx, vec![Tensor::scalar(1i32)]));
        std::thread::sleep(Duration::from_millis(200));
        ctx.stop();
        run.join().unwrap()
    });
    assert_eq!(result.unwrap_err().kind(), ErrorKind::Interrupted);
}

#[test]
fn an_endless_loop_stops_from_another_thread() {
    stopped_after_a_moment(ENDLESS);
}

/// Sixty functions that call the next twice: small, and longer than the age of the universe.
#[test]
fn calls_that_double_are_planned_and_can_be_stopped() {
    stopped_after_a_moment(&calls(60, 2));
}

#[test]
fn long_chains_of_calls_run() {
    let exe = plan(&calls(500, 1)).unwrap();
    match exe.run(&ctx(), vec![Tensor::scalar(7i32)]).unwrap().as_slice() {
        [Value::Tensor(t)] => assert_eq!(*t, Tensor::scalar(7i32)),
        other => panic!("{} values", other.len()),
    }
}

const PRINTS: &str = "func.func @p(%0: tensor<i32>) -> tensor<i32> {
  \"interpreter.print\"(%0) : (tensor<i32>) -> ()
  %1 = \"stablehlo.all_reduce\"(%0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %2 = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %2 : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return %1 : tensor<i32>
}
func.func @main() -> (tensor<i32>, tensor<i32>) {
  %0 = stablehlo.constant dense<1> : tensor<i32>
  %1 = stablehlo.constant dense<2> : tensor<i32>
  %2:2 = \"interpreter.run_parallel\"(%0, %1) <{programs = [[@p], [@p]]}> : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
  return %2#0, %2#1 : tensor<i32>, tensor<i32>
}";

/// A panic in one of two processes: an error that names the operation, and nobody waits forever.
#[test]
fn a_panic_is_an_error() {
    let exe = plan(PRINTS).unwrap().with_print(Arc::new(|value, _| {
        if let Value::Tensor(t) = value {
            assert_ne!(*t, Tensor::scalar(2i32), "the sink fails on purpose");
        }
    }));
    let e = exe.run(&ctx(), Vec::new()).unwrap_err();
    assert_eq!(e.kind(), ErrorKind::Internal, "{e}");
    assert_eq!(e.op(), Some("interpreter.print"));
    assert!(e.to_string().contains("the sink fails on purpose"));
}

/// One executable, many threads: the same bits as alone, and all memory given back.
#[test]
fn an_executable_is_shared_between_threads() {
    let exe = plan(
        "func.func @main(%x: tensor<96x96xf32>) -> (tensor<96x96xf32>, tensor<96xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : (tensor<96x96xf32>, tensor<96x96xf32>) -> tensor<96x96xf32>
  %1 = stablehlo.tanh %0 : tensor<96x96xf32>
  %2 = stablehlo.add %1, %x : tensor<96x96xf32>
  %3 = stablehlo.reduce(%2 init: %z) applies stablehlo.add across dimensions = [0] : (tensor<96x96xf32>, tensor<f32>) -> tensor<96xf32>
  %4 = \"stablehlo.sort\"(%3) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %5 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %5 : tensor<i1>
  }) : (tensor<96xf32>) -> tensor<96xf32>
  return %2, %4 : tensor<96x96xf32>, tensor<96xf32>
}",
    )
    .unwrap();
    let shared = ctx();
    let input = |k: usize| -> Tensor {
        let values: Vec<f32> = (0..96 * 96).map(|i| ((i * 31 + k) % 97) as f32 / 97.0 - 0.5).collect();
        Tensor::from_slice(&[96, 96], &values)
    };
    let tensors = |values: Vec<Value>| -> Vec<Tensor> {
        values.into_iter().map(|v| v.as_tensor().unwrap().clone()).collect()
    };
    let alone: Vec<Vec<Tensor>> = (0..4).map(|k| tensors(exe.run(&ctx(), vec![input(k)]).unwrap())).collect();
    std::thread::scope(|s| {
        for k in 0..16 {
            let (exe, shared, alone) = (&exe, &shared, &alone[k % 4]);
            s.spawn(move || {
                for _ in 0..8 {
                    assert_eq!(tensors(exe.run(shared, vec![input(k % 4)]).unwrap()), *alone);
                }
            });
        }
    });
    assert_eq!(shared.memory().0, 0);
}
