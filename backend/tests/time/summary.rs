//! What a timing comes to.

use backend::frontend::{self, ParseOptions, Source};
use backend::time::{self, CostModel, Options, Timing};
use sim_core::chip::Chip;

/// A product and a million exponentials of its result; the compiler takes a microsecond for both.
const DUMP: &str = r#"HloModule m, is_scheduled=true

%f (a: bf16[1024,1024], b: bf16[1024,1024]) -> bf16[1024,1024] {
  %a = bf16[1024,1024]{1,0:T(8,128)(2,1)} parameter(0)
  %b = bf16[1024,1024]{1,0:T(8,128)(2,1)} parameter(1)
  %p = bf16[1024,1024]{1,0:T(8,128)(2,1)} convolution(%a, %b), dim_labels=bf_io->bf
  ROOT %e = bf16[1024,1024]{1,0:T(8,128)(2,1)} exponential(%p)
}

ENTRY %main (x: bf16[1024,1024], w: bf16[1024,1024]) -> bf16[1024,1024] {
  %x = bf16[1024,1024]{1,0:T(8,128)(2,1)} parameter(0)
  %w = bf16[1024,1024]{1,0:T(8,128)(2,1)} parameter(1)
  ROOT %both = bf16[1024,1024]{1,0:T(8,128)(2,1)} fusion(%x, %w), kind=kOutput, calls=%f, backend_config={"window_config":{"output_window_bounds":["64","4"],"estimated_cycles":"1751","iteration_bounds":["2","2","1"]}}
}
"#;

fn timed(text: &str, chip: &str, cost: CostModel) -> Timing {
    let source = Source::from_bytes("dump", text.to_owned());
    let module = frontend::parse_hlo(&source, &ParseOptions::default()).unwrap().unwrap().remove(0);
    let options = Options { cost, warm: true, ..Options::default() };
    time::simulate(&module, Chip::named(chip).unwrap(), &options).unwrap()
}

#[test]
fn mfu_is_of_products_alone() {
    let timing = timed(DUMP, "v6e", CostModel::Model);
    let s = timing.summary();
    let product = 2.0 * f64::from(1 << 30);
    assert_eq!(s.flops, product + f64::from(1 << 20));
    let mfu = product / timing.peak_flops / s.total.seconds();
    assert!((s.mfu - mfu).abs() < 1e-12, "{} {mfu}", s.mfu);
    assert_eq!(s.mxu_padding, 0.0);
}

#[test]
fn no_unit_is_busy_for_longer_than_its_kernel_runs() {
    for cost in [CostModel::Model, CostModel::Compiler] {
        let timing = timed(DUMP, "v6e", cost);
        let s = timing.summary();
        let row = &s.kernels[0];
        assert_eq!(row.alone, row.time);
        let busy = row.busy;
        for seconds in [busy.mxu, busy.vpu, busy.xlu, busy.hbm] {
            assert!(seconds <= row.time.seconds(), "{cost:?}: {busy:?} in {}", row.time);
        }
        assert!(busy.mxu > 0.0 && (s.mxu - busy.mxu / s.total.seconds()).abs() < 1e-12);
    }
}

#[test]
fn a_core_idles_where_nothing_is_shared() {
    assert!(!timed(DUMP, "v6e", CostModel::Model).idles());
    assert!(timed(DUMP, "v5p", CostModel::Model).idles());
    let shared = DUMP.replace("}}\n", "},\"megacore_config\":{\"megacore_split_dim\":\"0\"}}\n");
    assert!(!timed(&shared, "v5p", CostModel::Model).idles());
}
