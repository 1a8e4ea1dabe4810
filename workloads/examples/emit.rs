use workloads::program::*;
fn main() {
    let m = Model::named("Qwen3-8B").unwrap();
    let d = "/tmp/wl/em2";
    std::fs::create_dir_all(d).unwrap();
    let mut jobs = Vec::new();
    for p in [
        layers(&m, 2048, 2, Attention::None),
        layers(&m, 2048, 2, Attention::Prefill { length: 2048 }),
        layers(&m, 2048, 2, Attention::Prefill { length: 512 }),
    ] {
        std::fs::write(format!("{d}/{}.mlir", p.name), &p.stablehlo).unwrap();
        jobs.push(serde_json::json!({"stablehlo":format!("{d}/{}.mlir",p.name),"chip":"v6e","options":p.options,"output":format!("{d}/{}.hlo",p.name)}));
    }
    std::fs::write(format!("{d}/jobs.json"), serde_json::to_string(&jobs).unwrap()).unwrap();
}
