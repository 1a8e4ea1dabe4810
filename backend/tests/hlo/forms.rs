//! Operations that dumps rarely hold, form by form: `scan`, `rng-bit-generator` and sizes known at run time
//! beside XLA:CPU; `rng` by its distribution; feeds of the host by what they say.

use super::cpu::{compare, python, record};
use backend::frontend::{Source, parse};
use backend::runtime::{Executable, RunOptions, Value};
use sim_core::ir::verify::verify_module;
use sim_core::{Ctx, Diagnostic, Numerics, Tensor};
use std::path::Path;
use std::sync::Arc;

/// The entries of a table: their names behind `// ----- `, and what comes before the first one in front of each.
fn table(text: &str) -> Vec<(String, String)> {
    let mut parts = text.split("// ----- ");
    let before = parts.next().unwrap();
    let entry = |part: &str| {
        let (name, body) = part.split_once('\n').unwrap();
        (name.to_owned(), format!("HloModule {name}\n\n{before}\nENTRY e {{\n{body}}}\n"))
    };
    parts.map(entry).collect()
}

/// The same with a size that nobody knows before the program runs: the constant and nothing of `x`.
fn of_data(text: &str) -> Option<String> {
    let (before, rest) = text.split_once("  n = s32[] constant(")?;
    let (size, after) = rest.split_once(")\n")?;
    let dims = if before.contains("x = f32[8] ") { "0" } else { "0,1" };
    Some(format!(
        "{before}  n0 = s32[] constant({size})\n  f0 = f32[] constant(0)\n  \
         f1 = f32[] reduce(x, f0), dimensions={{{dims}}}, to_apply=max\n  f2 = f32[] multiply(f1, f0)\n  \
         n1 = s32[] convert(f2)\n  n = s32[] add(n0, n1)\n{after}"
    ))
}

/// Every algorithm, with states of two and three words, into every type (seen as whole numbers) and into shapes
/// that algorithms fill in their own order.
fn bits() -> Vec<(String, String)> {
    const AS_BITS: [(&str, &str); 15] = [
        ("u2", "u32"),
        ("u4", "u32"),
        ("u8", "u8"),
        ("u16", "u16"),
        ("u32", "u32"),
        ("u64", "u64"),
        ("s8", "u8"),
        ("s16", "u16"),
        ("s32", "u32"),
        ("s64", "u64"),
        ("bf16", "u16"),
        ("f16", "u16"),
        ("f32", "u32"),
        ("f64", "u64"),
        ("f8e5m2", "u8"),
    ];
    const SHAPES: [&str; 9] = ["", "0", "1", "7", "3,5", "2,3,4", "4,3", "2,128", "130,3"];
    let types: Vec<_> = AS_BITS.iter().map(|&(ty, bits)| (ty, bits, "9")).collect();
    let shapes: Vec<_> = SHAPES.iter().flat_map(|&s| [("u32", "u32", s), ("u64", "u64", s)]).collect();
    let mut all = Vec::new();
    for (algorithm, state, value) in [
        ("default", "u64[2]", "{1, 18446744073709551615}"),
        ("default", "u64[3]", "{1, 18446744073709551614, 7}"),
        ("three_fry", "u64[2]", "{1, 18446744073709551615}"),
        ("philox", "u64[2]", "{1, 18446744073709551615}"),
        ("philox", "u64[3]", "{1, 18446744073709551614, 7}"),
    ] {
        for (what, forms) in [("types", &types), ("shapes", &shapes)] {
            let mut body = format!("  s = {state} constant({value})\n");
            let (mut results, mut names) = (Vec::new(), Vec::new());
            for (n, (ty, bits, shape)) in forms.iter().enumerate() {
                let seen = match ty {
                    _ if ty == bits => "copy",
                    &"u2" | &"u4" => "convert",
                    _ => "bitcast-convert",
                };
                body += &format!(
                    "  r{n} = ({state}, {ty}[{shape}]) rng-bit-generator(s), algorithm=rng_{algorithm}\n  \
                     a{n} = {state} get-tuple-element(r{n}), index=0\n  \
                     b{n} = {ty}[{shape}] get-tuple-element(r{n}), index=1\n  \
                     v{n} = {bits}[{shape}] {seen}(b{n})\n"
                );
                results.push(format!("{state}, {bits}[{shape}]"));
                names.push(format!("a{n}, v{n}"));
            }
            let name = format!("{algorithm}_{}_{what}", &state[4..5]);
            let (results, names) = (results.join(", "), names.join(", "));
            let text =
                format!("HloModule m\n\nENTRY e {{\n{body}  ROOT r = ({results}) tuple({names})\n}}\n");
            all.push((name, text));
        }
    }
    all
}

#[test]
fn forms_give_what_xla_gives_on_the_cpu() {
    let Some(python) = python() else { return };
    let dynamic = table(include_str!("forms/dynamic.hlo"));
    let of_data = dynamic.iter().filter_map(|(name, text)| Some((name.clone(), of_data(text)?))).collect();
    let tables = [
        ("scan", table(include_str!("forms/scan.hlo"))),
        ("dynamic", dynamic),
        ("data", of_data),
        ("bits", bits()),
    ];
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hlo_forms");
    std::fs::create_dir_all(&folder).unwrap();
    let mut forms = Vec::new();
    for (family, entries) in tables {
        for (name, text) in entries {
            let path = folder.join(format!("{family}_{name}.hlo"));
            std::fs::write(&path, &text).unwrap();
            forms.push((path, text));
        }
    }
    let out = folder.join("out");
    record(&python, &out, forms.iter().map(|f| f.0.clone()));
    let mut wrong = Vec::new();
    for (path, text) in &forms {
        let name = path.file_name().unwrap().to_str().unwrap();
        let recorded = out.join(format!("{name}.npz"));
        let problem = if recorded.exists() {
            let both = [false, true].map(|refined| compare(text, &recorded, refined));
            both.into_iter().find_map(|r| r.unwrap_or_else(|e| Some(format!("here: {e}"))))
        } else {
            let why = std::fs::read_to_string(out.join(format!("{name}.txt"))).unwrap_or_default();
            Some(format!("XLA:CPU: {why}"))
        };
        wrong.extend(problem.map(|p| format!("{name}: {p}")));
    }
    assert!(forms.len() > 50, "{}", forms.len());
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), forms.len(), wrong.join("\n"));
}

fn run(text: &str) -> Result<Vec<Value>, Diagnostic> {
    let mut modules = parse(&Source::from_bytes("m.hlo", text.as_bytes()))?;
    let module = Arc::new(modules.remove(0));
    verify_module(&module)?;
    let numerics = Numerics::ieee();
    let ctx = Ctx::new(numerics, 1 << 30);
    let exe = Executable::new(module, RunOptions { numerics, ..RunOptions::default() })?;
    let inputs = exe.signature().0.iter().map(|ty| {
        let ty = ty.as_tensor().unwrap();
        ctx.alloc_zeroed(ty.element, &ty.static_dims().unwrap()).unwrap()
    });
    let inputs: Vec<Tensor> = inputs.collect();
    exe.run(&ctx, inputs)
}

/// The generator is nobody's business, the distribution is: mean, deviation, the least and the greatest.
#[test]
fn random_numbers_have_their_distribution() {
    let cases = [
        ("uniform", "f32", "-3", "5", 0.0),
        ("uniform", "f64", "-3", "5", 0.0),
        ("uniform", "bf16", "-3", "5", 0.0),
        ("uniform", "f16", "-3", "5", 0.0),
        ("uniform", "s32", "-3", "5", 1.0),
        ("uniform", "s8", "-3", "5", 1.0),
        ("uniform", "u32", "1", "9", 1.0),
        ("uniform", "s64", "-3", "5", 1.0),
        ("normal", "f32", "2", "3", 0.0),
        ("normal", "f64", "2", "3", 0.0),
        ("normal", "bf16", "2", "3", 0.0),
        ("normal", "f16", "2", "3", 0.0),
    ];
    for (distribution, ty, a, b, step) in cases {
        let text = format!(
            "HloModule m\n\nENTRY e {{\n a = {ty}[] constant({a})\n b = {ty}[] constant({b})\n \
             r = {ty}[30,1000]{{0,1}} rng(a, b), distribution=rng_{distribution}\n \
             ROOT x = f64[30,1000] convert(r)\n}}\n"
        );
        let about = format!("{distribution} {ty}");
        let got = run(&text).unwrap_or_else(|e| panic!("{about}: {e}")).remove(0).tensor().unwrap();
        assert_eq!(got.shape(), [30, 1000], "{about}");
        let x = got.as_slice::<f64>();
        let n = x.len() as f64;
        let mean = x.iter().sum::<f64>() / n;
        let deviation = (x.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n).sqrt();
        let (a, b): (f64, f64) = (a.parse().unwrap(), b.parse().unwrap());
        // Whole numbers below b: the middle is half a step lower, and of n steps the variance (n² - 1) / 12.
        let (middle, spread) = match distribution {
            "normal" => (a, b),
            _ => ((a + b - step) / 2.0, (((b - a).powi(2) - step) / 12.0).sqrt()),
        };
        assert!((mean - middle).abs() < 5.0 * spread / n.sqrt() + 0.01, "{about}: mean {mean}");
        assert!((deviation / spread - 1.0).abs() < 0.02, "{about}: deviation {deviation}, not {spread}");
        if distribution == "uniform" {
            // bf16 may round up to b.
            let inside = |&x: &f64| x >= a && (x < b || x == b && ty.ends_with("f16"));
            assert!(x.iter().all(inside), "{about}");
            assert!(step == 0.0 || x.iter().all(|x| x.fract() == 0.0), "{about}");
        }
        // Neighbours know nothing of each other.
        let products: f64 = x.windows(2).map(|w| (w[0] - mean) * (w[1] - mean)).sum();
        assert!((products / n / spread.powi(2)).abs() < 0.03, "{about}: neighbours");
    }
}

/// XLA:CPU waits for a host for ever, and we say that there is none. What goes out is heard by nobody.
#[test]
fn feeds_of_the_host() {
    let text = "HloModule m\n\nENTRY e {\n t = token[] after-all()\n \
                i = ((f32[2,3]{0,1:T(8,128)}, s32[4]), token[]) infeed(t), infeed_config=\"x\"\n \
                d = (f32[2,3]{0,1:T(8,128)}, s32[4]) get-tuple-element(i), index=0\n \
                ROOT r = f32[2,3]{0,1} get-tuple-element(d), index=0\n}\n";
    let e = run(text).unwrap_err();
    assert!(format!("{e}").contains("no host feeds this run"), "{e}");
    assert!(e.span().is_some(), "{e}");

    let text = "HloModule m\n\nENTRY e {\n x = f32[2,3]{1,0} parameter(0)\n n = s32[4] constant({1, 2, 3, 4})\n \
                p = (f32[2,3]{1,0}, s32[4]) tuple(x, n)\n t = token[] after-all()\n \
                o = token[] outfeed(p, t), outfeed_shape=(f32[2,3]{0,1}, s32[4]{0:T(128)}), outfeed_config=\"y\"\n \
                u = token[] after-all(o)\n ROOT r = f32[2,3]{0,1} cosine(x)\n}\n";
    let got = run(text).unwrap().remove(0).tensor().unwrap();
    assert_eq!(got, Tensor::from_slice(&[2, 3], &[1f32; 6]));
}
