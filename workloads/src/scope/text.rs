//! Numbers in the text of rows: shapes and sizes as people write them.

/// The number after `key`, with or without `=` between: `M=1024`, `M1024`, `ctx=512`. The key is a whole word.
pub fn named(text: &str, key: &str) -> Option<u64> {
    text.match_indices(key).find_map(|(at, _)| {
        let whole = !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let rest = &text[at + key.len()..];
        whole.then(|| leading(rest.strip_prefix('=').unwrap_or(rest))).flatten()
    })
}

/// The digits that a text begins with.
pub fn leading(text: &str) -> Option<u64> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text[..end].parse().ok()
}

/// The shapes in a text: `8192x8192 @ 8192x28672` has two, `(320,640)` one.
pub fn shapes(text: &str) -> Vec<Vec<u64>> {
    let mut all = Vec::new();
    for word in text.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '@' | '[' | ']')) {
        let dims: Option<Vec<u64>> = word.split(['x', '×']).map(|d| d.parse().ok()).collect();
        all.extend(dims.filter(|d| d.len() > 1));
    }
    if let Some((_, rest)) = text.split_once('(') {
        let inside = rest.split(')').next().unwrap_or("");
        let dims: Option<Vec<u64>> =
            inside.split(',').map(str::trim).filter(|d| !d.is_empty()).map(|d| d.parse().ok()).collect();
        all.extend(dims.filter(|d| !d.is_empty()));
    }
    all
}

/// The number before `word`: `268435456 elements`, `4194304 indices`.
pub fn count(text: &str, word: &str) -> Option<u64> {
    let before = text[..text.find(word)?].trim_end();
    let start = before.rfind(|c: char| !c.is_ascii_digit()).map_or(0, |i| i + 1);
    before[start..].parse().ok()
}

/// A size: `2097152 B tensor`, `1.0737 GB`, `64 MiB`. `MB` of whole numbers are 2^20 bytes, as benchmarks that write so mean them.
pub fn bytes(text: &str) -> Option<f64> {
    let mut words = text.split_whitespace();
    while let Some(word) = words.next() {
        let Ok(number) = word.replace(',', "").parse::<f64>() else { continue };
        let unit = words.next().unwrap_or("").trim_end_matches([',', ';']);
        let scale = match unit {
            "B" | "bytes" => 1.0,
            "KiB" => 1024.0,
            "MiB" => 1_048_576.0,
            "GiB" => 1_073_741_824.0,
            "kB" | "KB" => 1e3,
            "MB" if number.fract() == 0.0 => 1_048_576.0,
            "MB" => 1e6,
            "GB" => 1e9,
            _ => continue,
        };
        return Some(number * scale);
    }
    None
}

/// Is any of `words` in `text`, which is of lower case?
pub fn any(text: &str, words: &[&str]) -> bool {
    words.iter().any(|w| text.contains(w))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_as_rows_have_them() {
        assert_eq!(named("M1024 N512 K128", "N"), Some(512));
        assert_eq!(named("M=1024 K=128 N=2048", "K"), Some(128));
        assert_eq!(named("ctx=256 batch=16", "batch"), Some(16));
        assert_eq!(named("GSM8 K4", "M"), None);
        assert_eq!(named("elementwise add n=1048576 (VMEM-resident)", "n"), Some(1_048_576));
        assert_eq!(shapes("8192x8192 @ 8192x28672"), [[8192, 8192], [8192, 28672]]);
        assert_eq!(shapes("4096x128 each"), [[4096, 128]]);
        assert_eq!(shapes("table 4096x128, 4194304 indices"), [[4096, 128]]);
        assert_eq!(shapes("(2,128,1024)"), [[2, 128, 1024]]);
        assert_eq!(shapes("(8192,)"), [[8192]]);
        assert!(shapes("Llama3.1-8B, 1.9 TFLOP").is_empty());
        assert_eq!(count("table 4096x128, 4194304 indices", "indices"), Some(4_194_304));
        assert_eq!(count("268435456 elements", "elements"), Some(268_435_456));
        assert_eq!(count("many elements", "elements"), None);
        assert_eq!(bytes("33554432 B"), Some(33_554_432.0));
        assert_eq!(bytes("1.5 GB"), Some(1.5e9));
        assert_eq!(bytes("64 MB"), Some(67_108_864.0));
        assert_eq!(bytes("524312 B f16"), Some(524_312.0));
        assert_eq!(bytes("S=512 B=1"), None);
    }
}
