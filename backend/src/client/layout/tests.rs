use super::*;
use proptest::prelude::*;
use sim_core::ElementType;

fn text(element: ElementType, dims: &[usize]) -> String {
    to_text(&default_layout(element, dims))
}

/// `bf16[8,<=3]`, without bounds: element type and sizes.
fn array(text: &str) -> Option<(ElementType, Vec<usize>)> {
    let (element, dims) = text.strip_suffix(']')?.split_once('[')?;
    let dims = dims.split(',').filter(|d| !d.is_empty()).map(|d| d.parse().ok()).collect::<Option<_>>()?;
    Some((ElementType::from_hlo_name(element)?, dims))
}

#[test]
fn libtpus_answers() {
    let mut count = 0;
    for line in include_str!("libtpu.txt").lines().filter(|l| !l.starts_with('#')) {
        let (shape, layout) = line.split_once(' ').unwrap();
        let (element, dims) = array(shape).unwrap();
        assert_eq!(text(element, &dims), layout, "{shape}");
        assert_eq!(to_text(&parse(layout).unwrap()), layout);
        count += 1;
    }
    assert!(count > 600, "{count} lines");
}

/// The layouts that XLA:TPU gave the parameters and results of whole programs, but for the memory they are in. Results may differ:
/// the compiler is free to choose them.
#[test]
fn entry_layouts_of_dumps() {
    let shared = std::env::var_os("TPUSIM_SHARED").map_or_else(
        || std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared"),
        std::path::PathBuf::from,
    );
    // Parameters and results: how many agree, which do not.
    let mut found = [(0, Vec::new()), (0, Vec::new())];
    for folder in ["oracle/zoo/v6e", "oracle/multi", "oracle/corpus"] {
        let Ok(files) = std::fs::read_dir(shared.join(folder)) else {
            return eprintln!("SKIPPED entry layouts of dumps: no ../shared (set TPUSIM_SHARED)");
        };
        for file in files.flatten().map(|f| f.path()).filter(|f| f.to_string_lossy().ends_with(".hlo.txt")) {
            let module = std::fs::read_to_string(&file).unwrap();
            let head = module.lines().next().unwrap_or_default();
            let Some((_, entry)) = head.split_once("entry_computation_layout={") else { continue };
            let Some((parameters, results)) = entry.split_once(")->") else { continue };
            let results = results.split_once("}}").map_or(results, |(r, _)| r);
            for (i, part) in [parameters, results].into_iter().enumerate() {
                for piece in part.split('}') {
                    let Some((shape, layout)) = piece.split_once('{') else { continue };
                    let shape = shape.rsplit([' ', '/', '(']).next().unwrap();
                    let Some((element, dims)) = array(shape) else { continue };
                    let mut real = parse(&format!("{{{layout}}}")).unwrap();
                    real.memory_space = 0;
                    match real == default_layout(element, &dims) {
                        true => found[i].0 += 1,
                        false => found[i].1.push(format!("{}: {shape}{{{layout}}}", file.display())),
                    }
                }
            }
        }
    }
    let [(parameters, other), (results, others)] = found;
    eprintln!("entry layouts of dumps: {parameters} parameters agree, {} do not", other.len());
    eprintln!("  {results} results agree, {} do not:\n{}", others.len(), others.join("\n"));
    assert!(parameters > 400 && results > 150);
    assert_eq!(other, [""; 0]);
}

#[test]
fn bytes_in_memory() {
    use ElementType as E;
    for (element, dims, bytes) in [
        (E::F32, &[8, 128][..], 4096),
        (E::BF16, &[1024, 1024], 1 << 21),
        (E::S2, &[], 512),
        (E::F32, &[0, 5], 0),
        (E::F32, &[usize::MAX, usize::MAX], u64::MAX),
        (E::S4, &[usize::MAX / 2, 3, usize::MAX], u64::MAX),
    ] {
        let layout = default_layout(element, dims);
        assert_eq!(device_bytes(element, dims, &layout), bytes, "{element} {dims:?} {}", to_text(&layout));
    }
    // What XLA:TPU's `memory_analysis` says of a program with that argument (v6e).
    for (element, dims, bytes) in [
        (E::F32, &[][..], 512),
        (E::F32, &[5], 512),
        (E::BF16, &[1, 1], 512),
        (E::F32, &[3, 5], 2048),
        (E::S8, &[33, 129], 10240),
        (E::Pred, &[1], 512),
        (E::S4, &[3], 512),
        (E::S4, &[64, 128], 4096),
        (E::F64, &[8, 128], 8192),
        (E::C64, &[], 1024),
        (E::F32, &[7, 9, 100], 36864),
        (E::F32, &[1000, 2], 8192),
        (E::BF16, &[300], 1024),
        (E::S4, &[3, 5], 512),
        (E::U8, &[5, 7, 9], 5120),
        (E::F32, &[1025], 8192),
        (E::S2, &[5, 5], 512),
    ] {
        assert_eq!(device_bytes(element, dims, &default_layout(element, dims)), bytes, "{element} {dims:?}");
    }
    let bytes = |element, dims: &[usize], layout| device_bytes(element, dims, &parse(layout).unwrap());
    assert_eq!(bytes(E::S4, &[3, 5], "{1,0}"), 15);
    assert_eq!(bytes(E::S4, &[3, 5], "{1,0:E(4)}"), 8);
    assert_eq!(bytes(E::S32, &[10], "{0:T(1)L(128)S(4)}"), 512);
    assert_eq!(bytes(E::F32, &[3, 5], "{1,0:T(8,128)(*,1)}"), 4096);
    assert_eq!(bytes(E::F32, &[3, 5, 7], "{2,1,0:T(*,8,128)}"), 16 * 128 * 4);
    assert_eq!(bytes(E::F32, &[5], "{0:T(8,128)}"), 4096);
}

#[test]
fn texts() {
    assert_eq!(to_text(&Layout::default()), "{}");
    for good in ["{}", "{1,0:T(8,128)(2,1)}", "{:T(256)}", "{0:T(1024)S(1)}", "{3,0,2,1}"] {
        assert_eq!(to_text(&parse(good).unwrap()), good);
    }
    for bad in ["", "{", "{1,0", "{1,0}x", "{1,1}", "{0:T(0)}", "{0:Q(1)}", "1,0"] {
        let e = parse(bad).unwrap_err();
        assert_eq!(e.code, crate::client::status::Code::InvalidArgument, "{bad}");
    }
}

proptest! {
    /// Nothing panics, every dimension is there once, and no order of two dimensions would take less room.
    #[test]
    fn defaults_are_the_least(
        element in proptest::sample::select(ElementType::all().collect::<Vec<_>>()),
        dims in proptest::collection::vec(prop_oneof![0usize..300, Just(usize::MAX), Just(1usize << 40)], 0..7),
    ) {
        let layout = default_layout(element, &dims);
        let mut order = layout.minor_to_major.to_vec();
        order.sort_unstable();
        prop_assert_eq!(order, (0..dims.len() as i64).collect::<Vec<_>>());
        let bytes = device_bytes(element, &dims, &layout);
        let dense = device_bytes(element, &dims, &Layout {
            tiles: Default::default(),
            ..layout.clone()
        });
        prop_assert!(bytes >= dense);
        prop_assert_eq!(parse(&to_text(&layout)).unwrap(), layout);
    }
}
