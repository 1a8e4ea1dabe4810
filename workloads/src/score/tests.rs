use super::*;
use crate::row::parse;

const ROWS: &str = "id,chip,n_chips,workload,shape,dtype,metric,value,unit\n\
    a,v6e,1,\"GEMM, trace timing\",8192x8192x8192,bf16,throughput,1000,TFLOP/s\n\
    b,v6e,1,\"GEMM, trace timing\",8192x8192x8192,bf16,device_time,1,ms\n\
    c,v6e,1,\"GEMM, wall timing\",8192x8192x8192,bf16,wall_time,2,ms\n\
    d,v6e,1,\"GEMM, trace timing\",16384x8192x8192,bf16,device_time,1,ms\n\
    e,v6e,256,training step,Llama,bf16,step_time,1,s\n\
    f,v7x,1,GEMM wall,M128 N4096 K4096,bf16,wall_time,231,us\n";

fn card(wanted: &Wanted, simulate: &Simulate) -> Scorecard {
    let rows = parse(ROWS.as_bytes(), "t").unwrap();
    let dump = |_: &str, program: &Program| {
        Ok((!program.name.contains("16384")).then(|| (Compiler::Xla, "HloModule m".to_owned())))
    };
    score(&rows, wanted, &dump, simulate)
}

#[test]
fn errors_are_of_the_time_and_statistics_without_signs() {
    let all = card(&Wanted::default(), &|_, chip| Ok(if chip == "v6e" { 1100.0 } else { 101.0 }));
    let errors: Vec<(&str, f64)> = all.rows.iter().map(|r| (r.id.as_str(), r.error)).collect();
    // 1000 TFLOP/s are 1,099.5 us; a wall time has the host's 113 us in it, 130 on v7x.
    let near = |i: usize, id: &str, e: f64| {
        assert!(errors[i].0 == id && (errors[i].1 - e).abs() < 1e-3, "{errors:?}")
    };
    near(0, "a", 0.0);
    near(1, "b", 0.1);
    near(2, "c", -0.3935);
    near(3, "f", 0.0);
    assert_eq!(all.not_compiled.len(), 1);
    assert_eq!(
        (all.out_of_scope.len(), all.out_of_scope[0].reason.as_str()),
        (1, "256 chips run it together")
    );
    let of = |class, chip: &str| all.classes.iter().find(|c| c.class == class && c.chip == chip).unwrap();
    let gemm = of(Class::Gemm, "v6e");
    assert_eq!((gemm.rows, gemm.worst_row.as_str(), gemm.compiler), (3, "c", Compiler::Xla));
    assert!((gemm.median_abs_error - 0.1).abs() < 1e-3 && (gemm.worst - 0.3935).abs() < 1e-3);
    assert!((gemm.mean_abs_error - 0.1646).abs() < 1e-3, "{}", gemm.mean_abs_error);
    assert_eq!(of(Class::GemmThin, "v7x").rows, 1);
}

#[test]
fn medians() {
    assert_eq!(median(&[]), 0.0);
    assert_eq!(median(&[3.0]), 3.0);
    assert_eq!(median(&[1.0, 2.0]), 1.5);
    assert_eq!(median(&[1.0, 2.0, 9.0]), 2.0);
}

#[test]
fn what_cannot_be_simulated_is_said_and_one_program_is_simulated_once() {
    let none = card(&Wanted::default(), &|_, _| Err("not built yet".to_owned()));
    assert!(none.rows.is_empty() && none.classes.is_empty());
    assert_eq!(none.not_simulated.len(), 4);
    assert!(none.not_simulated[0].reason.ends_with("not built yet"));
    let calls = std::cell::Cell::new(0);
    let wanted = Wanted { chip: Some("v6e".to_owned()), class: Some(Class::Gemm) };
    let some = card(&wanted, &|_, _| {
        calls.set(calls.get() + 1);
        Ok(1.0)
    });
    assert_eq!((some.rows.len(), calls.get(), some.out_of_scope.len()), (3, 1, 0));
}

#[test]
fn reports_have_all_of_it() {
    let all = card(&Wanted::default(), &|_, _| Ok(1000.0));
    let text = all.to_string();
    for part in ["gemm_thin", "v7x", "Not compiled (1 rows)", "Out of scope (1 rows)", "256 chips", " %"] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    let json: serde_json::Value = serde_json::from_str(&all.json()).unwrap();
    let class = &json["classes"][0];
    for key in ["class", "chip", "compiler", "rows", "median_abs_error", "mean_abs_error", "worst"] {
        assert!(!class[key].is_null(), "{key}");
    }
    assert_eq!(json["classes"][0]["class"], "gemm");
    assert_eq!(json["rows"][0]["id"], "a");
    assert!(json["out_of_scope"][0]["reason"].is_string());
}
