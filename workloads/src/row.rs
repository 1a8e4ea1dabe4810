//! Measured rows, from CSV files of two layouts: one row a measurement of anything, or one row a product's device time.

use std::path::Path;

/// A measurement, as its file has it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    pub id: String,
    pub chip: String,
    /// `1`, `0.5 (1 TensorCore)`, `512 (2 slices x v6e-256)`, `-`.
    pub chips: String,
    pub workload: String,
    pub shape: String,
    pub dtype: String,
    pub metric: String,
    /// In `unit`; the middle of a range; `None` where the file has no number.
    pub value: Option<f64>,
    pub unit: String,
    pub source: String,
}

/// The rows of a file.
///
/// # Errors
/// The file is not there, is not CSV, or has the columns of neither layout.
pub fn read(path: &Path) -> Result<Vec<Row>, String> {
    let text = std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let stem = path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
    parse(&text, &stem).map_err(|e| format!("{}: {e}", path.display()))
}

/// The rows of a file's text; `name` becomes part of the ids of rows that have none.
///
/// # Errors
/// As [`read`], without the path.
pub fn parse(text: &[u8], name: &str) -> Result<Vec<Row>, String> {
    // Some editors begin a file with a byte order mark.
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    // Rows may be short or long, and blanks stand around fields where people align them.
    let mut reader = csv::ReaderBuilder::new().flexible(true).trim(csv::Trim::All).from_reader(text);
    let header = reader.headers().map_err(|e| e.to_string())?.clone();
    let column = |wanted: &str| header.iter().position(|h| h.eq_ignore_ascii_case(wanted));
    let has = |wanted: &[&str]| wanted.iter().all(|w| column(w).is_some());
    let of_products = has(&["m", "n", "k"]);
    if !has(&["chip"]) || !(of_products || has(&["workload", "value"])) {
        return Err("the columns are neither chip, workload, value, … nor chip, M, N, K, …".to_owned());
    }
    let mut rows = Vec::new();
    for (index, record) in reader.records().enumerate() {
        let record = record.map_err(|e| e.to_string())?;
        if record.iter().all(str::is_empty) {
            continue;
        }
        let get = |c: &str| column(c).and_then(|i| record.get(i)).unwrap_or("").to_owned();
        let id = match get("id") {
            id if id.is_empty() => format!("{name}:{}", index + 1),
            id => id,
        };
        rows.push(if of_products { product(id, &get) } else { measurement(id, &get) });
    }
    Ok(rows)
}

fn measurement(id: String, get: &dyn Fn(&str) -> String) -> Row {
    Row {
        id,
        chip: get("chip"),
        chips: get("n_chips"),
        workload: get("workload"),
        shape: get("shape"),
        dtype: get("dtype"),
        metric: get("metric"),
        value: number(&get("value")),
        unit: get("unit"),
        source: get("source"),
    }
}

/// A row of `chip,M,N,K,dtype,device_us_avg,…`: a product's device time, in the words of the other layout.
fn product(id: String, get: &dyn Fn(&str) -> String) -> Row {
    let value = ["device_us_avg", "device_us", "value"].iter().find_map(|c| number(&get(c)));
    Row {
        id,
        chip: get("chip"),
        chips: "1".to_owned(),
        workload: "GEMM fusion device time".to_owned(),
        shape: format!("M{} N{} K{}", get("M"), get("N"), get("K")),
        dtype: get("dtype"),
        metric: "device_time".to_owned(),
        value,
        unit: "us".to_owned(),
        source: get("dataset"),
    }
}

/// `1.298`, `1,298.5`, `4.5-5.5` (its middle), `~86`, `0.323 (best)`.
pub fn number(text: &str) -> Option<f64> {
    let text = text.trim().trim_start_matches(['~', '<', '>', '≈']).trim_start();
    let word = text.split(|c: char| c.is_whitespace() || c == '(').next()?.replace(',', "");
    if let Ok(value) = word.parse::<f64>() {
        return value.is_finite().then_some(value);
    }
    // The sign of the first number, or of an exponent, is no dash.
    let dash = word.char_indices().skip(1).find(|&(i, c)| {
        matches!(c, '-' | '–') && word[..i].ends_with(|before: char| before.is_ascii_digit() || before == '.')
    });
    let (at, c) = dash?;
    let (low, high) = (word[..at].parse::<f64>().ok()?, word[at + c.len_utf8()..].parse::<f64>().ok()?);
    (low.is_finite() && high.is_finite()).then_some((low + high) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_as_people_write_them() {
        let cases = [
            ("1.298", Some(1.298)),
            ("4.5-5.5", Some(5.0)),
            ("5–7", Some(6.0)),
            ("1,221.12", Some(1221.12)),
            ("~86 (up to)", Some(86.0)),
            ("-3", Some(-3.0)),
            ("1e-3", Some(0.001)),
            ("", None),
            ("-", None),
            ("see issue", None),
            ("nan", None),
            ("inf", None),
        ];
        for (text, value) in cases {
            assert_eq!(number(text), value, "{text:?}");
        }
    }

    #[test]
    fn columns_may_be_missing_or_more_and_fields_quoted() {
        let text = "\u{feff}id,chip,extra, workload ,value,unit,shape\n\
            a1,v6e,?,\"GEMM, trace timing\",728,TFLOP/s (79.3%),8192x8192x8192\n\
            \n,,,,,,\n\
            a2,v5e,?,short\n\
            ,v4,?,\"a \"\"quoted\"\" one\",4.5-5.5,us,\"(320,640)\",more,than,the header\n";
        let rows = parse(text.as_bytes(), "file").unwrap();
        assert_eq!(rows.len(), 3);
        assert_eq!((rows[0].workload.as_str(), rows[0].value), ("GEMM, trace timing", Some(728.0)));
        assert_eq!((rows[1].id.as_str(), rows[1].value, rows[1].shape.as_str()), ("a2", None, ""));
        assert_eq!(rows[2].workload, "a \"quoted\" one");
        assert_eq!((rows[2].shape.as_str(), rows[2].value), ("(320,640)", Some(5.0)));
        assert!(rows[2].id.starts_with("file:"), "{}", rows[2].id);
    }

    #[test]
    fn products_read_as_the_other_layout() {
        let text = "chip,M,N,K,dtype,device_us_avg,std\nv4,128,256,384,f16,1.89,0.08\n";
        let row = parse(text.as_bytes(), "v4").unwrap().remove(0);
        assert_eq!((row.shape.as_str(), row.value, row.unit.as_str()), ("M128 N256 K384", Some(1.89), "us"));
        assert_eq!((row.id.as_str(), row.dtype.as_str()), ("v4:1", "f16"));
    }

    #[test]
    fn other_files_are_refused() {
        assert!(parse(b"a,b\n1,2\n", "x").unwrap_err().contains("columns"));
        assert!(parse(b"", "x").is_err());
        assert!(read(Path::new("/no/such/file.csv")).unwrap_err().contains("/no/such/file.csv"));
    }
}
