use backend::frontend;
fn main() {
    let mut bad = 0; let mut n = 0;
    for path in std::env::args().skip(1) {
        let source = frontend::read_path(&path).unwrap();
        n += 1;
        let t = std::time::Instant::now();
        match frontend::parse(&source) {
            Ok(m) => { let d = t.elapsed().as_secs_f64(); if d > 0.05 { println!("{path}: {} modules {:.3}s {:.1} MB/s", m.len(), d, source.bytes().len() as f64 / d / 1e6); } }
            Err(e) => {
                bad += 1;
                let at = e.span().map_or(0, |s| s.start);
                let (line, col) = source.line_col(at);
                let text: String = source.line_text(at).chars().take(150).collect();
                println!("{path}:{line}:{col}: {}\n    {text}", e.message());
            }
        }
    }
    println!("{n} files, {bad} failed");
}
