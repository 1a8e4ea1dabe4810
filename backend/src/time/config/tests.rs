use super::*;
use crate::frontend::{ParseOptions, Source, parse_hlo};
use sim_core::ErrorKind;
use sim_core::hlo::HloModule;
use std::path::{Path, PathBuf};

fn module(text: &str) -> HloModule {
    parse_hlo(&Source::from_bytes("test.hlo", text), &ParseOptions::default()).unwrap().unwrap().remove(0)
}

fn config(json: &str) -> Result<BackendConfig> {
    let text = format!("HloModule m\nENTRY e {{\n  ROOT p = f32[] add(a, a), backend_config={json}\n}}\n");
    let text = text.replace("  ROOT", "  a = f32[] parameter(0)\n  ROOT");
    BackendConfig::of(module(&text).entry().instructions.last().unwrap())
}

#[test]
fn what_the_compiler_writes() {
    let c = config(
        r#"{"flag_configs":[],"window_config":{"kernel_window_bounds":["512","8"],"output_window_bounds":["32","8"],
        "input_window_bounds":["32",32],"estimated_cycles":"45768","iteration_bounds":["4","1","1"],
        "cost_model_type":"COST_MODEL_TYPE_CLASSIC","buffering_level":"2","output_reverse_dimensions":[]},
        "used_scoped_memory_configs":[{"memory_space":"1","offset":"0","size":"18792448"},{"memory_space":"0","size":"5"}],
        "convolution_algorithm_config":{"emitter":"EmitAllBatchInSublanes"},"aliasing_operands":{"lists":[{"indices":["0","2"]}]}}"#,
    )
    .unwrap();
    let w = c.window_config.as_ref().unwrap();
    assert_eq!((&w.kernel_window_bounds[..], &w.input_window_bounds[..]), (&[512, 8][..], &[32, 32][..]));
    assert_eq!((&w.iteration_bounds[..], w.buffering_level), (&[4, 1, 1][..], 2));
    assert_eq!((c.estimated_cycles(), c.scoped_vmem()), (Some(45768), 18_792_448));
    assert_eq!(c.convolution_algorithm_config.unwrap().emitter, "EmitAllBatchInSublanes");
    assert_eq!(c.aliasing_operands.unwrap().lists[0].indices, [0, 2]);
    // Nothing, or nothing of ours.
    assert_eq!(config("{}").unwrap(), BackendConfig::default());
    assert_eq!(config("\"opaque\"").unwrap(), BackendConfig::default());
    assert_eq!(config(r#"{"window_config":{"estimated_cycles":"0"}}"#).unwrap().estimated_cycles(), None);
}

#[test]
fn custom_calls_have_configurations_of_their_own() {
    let text = |target: &str| {
        format!(
            "HloModule m\nENTRY e {{\n  a = f32[] parameter(0)\n  ROOT p = f32[] custom-call(a), custom_call_target=\"{target}\", \
             backend_config={{rate = 0.5 : f32}}\n}}\n"
        )
    };
    let of = |target| BackendConfig::of(module(&text(target)).entry().instructions.last().unwrap());
    assert_eq!(of("te_fused_attn_forward_ffi").unwrap(), BackendConfig::default());
    assert!(of("tpu_custom_call").is_err());
}

#[test]
fn mistakes_name_the_instruction() {
    for (json, what) in [
        (
            r#"{"window_config":{"estimated_cycles":"many"}}"#,
            r#"backend_config of %p: invalid value: string "many""#,
        ),
        (r#"{"window_config":{"iteration_bounds":["-1"]}}"#, "expected a number of at least 0"),
        (r#"{"window_config":{"iteration_bounds":[-1]}}"#, "expected a number of at least 0"),
        (r#"{"window_config":{"iteration_bounds":7}}"#, "expected a list of numbers"),
        (r#"{"used_scoped_memory_configs":{}}"#, "expected a sequence"),
    ] {
        let error = config(json).expect_err(json);
        assert!(error.message().contains(what), "{error}");
        assert_eq!(error.kind(), ErrorKind::Malformed);
        assert!(error.span().is_some());
    }
}

/// Every instruction of every shared dump reads, and as many have estimates as their text says.
#[test]
fn dumps_of_the_compiler() {
    let shared = std::env::var_os("TPUSIM_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared"), PathBuf::from);
    let mut files = Vec::new();
    for folder in ["oracle/zoo/v6e", "oracle/multi", "oracle/corpus"] {
        let Ok(entries) = std::fs::read_dir(shared.join(folder)) else {
            return eprintln!("SKIPPED configurations of dumps: no ../shared (set TPUSIM_SHARED)");
        };
        files.extend(
            entries.flatten().map(|f| f.path()).filter(|f| f.to_string_lossy().ends_with(".hlo.txt")),
        );
    }
    let mut estimates = 0;
    for file in &files {
        let text = std::fs::read_to_string(file).unwrap();
        let mut count = 0;
        for c in &module(&text).computations {
            for i in &c.instructions {
                let config = BackendConfig::of(i).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
                count += usize::from(config.estimated_cycles().is_some());
                if let Some(w) = &config.window_config {
                    assert!(w.buffering_level <= 8, "{}: %{}", file.display(), i.name);
                }
            }
        }
        let written = text.matches("\"estimated_cycles\":\"").count();
        // Nothing, and what SparseCore programs have: the largest number there is.
        let none = ["0", "9223372036854775807"]
            .map(|n| text.matches(&format!("\"estimated_cycles\":\"{n}\"")).count());
        let none: usize = none.iter().sum();
        assert_eq!(count, written - none, "{}", file.display());
        estimates += count;
    }
    assert!(files.len() > 60 && estimates > 1100, "{} files, {estimates} estimates", files.len());
}
