use super::*;
use proptest::prelude::*;
use sim_core::{Ctx, ElementType, ErrorKind, Numerics, Tensor};
use std::io::Cursor;

fn ctx() -> Ctx {
    Ctx::new(Numerics::ieee(), 1 << 26)
}

fn npy(dict: &str, data: &[u8]) -> Vec<u8> {
    let mut out = b"\x93NUMPY\x01\x00".to_vec();
    out.extend((dict.len() as u16).to_le_bytes());
    out.extend(dict.as_bytes());
    out.extend(data);
    out
}

fn read(bytes: Vec<u8>, element: ElementType) -> sim_core::Result<Tensor> {
    Archive::from_bytes(bytes)?.read(0, element, &ctx())
}

/// A tensor of any type with bytes that its storage allows.
fn tensors() -> impl Strategy<Value = Tensor> {
    let elements: Vec<ElementType> = ElementType::all().collect();
    (prop::sample::select(elements), prop::collection::vec(0usize..5, 0..4), any::<u64>()).prop_map(
        |(element, shape, seed)| {
            let count: usize = shape.iter().product();
            let mut state = seed;
            let bytes: Vec<u8> = (0..count * element.byte_size())
                .map(|_| {
                    state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                    let byte = (state >> 56) as u8;
                    let shift = 8 - element.bits().min(8);
                    if element.is_signed() { (((byte << shift) as i8) >> shift) as u8 } else { byte >> shift }
                })
                .collect();
            let mut t = Tensor::from_slice_as(ElementType::U8, &[bytes.len()], &bytes);
            let mut out = ctx().alloc(element, &shape).unwrap();
            out.bytes_mut().copy_from_slice(t.bytes_mut());
            out
        },
    )
}

proptest! {
    #[test]
    fn what_is_written_is_read(t in tensors(), u in tensors()) {
        let mut bytes = Vec::new();
        write_npy(&mut bytes, &t).unwrap();
        let expected = t.clone();
        prop_assert_eq!(read(bytes, t.element()).unwrap(), expected);

        let mut npz = NpzWriter::new(Cursor::new(Vec::new()));
        npz.add("first", &t).unwrap();
        npz.add("second/third", &u).unwrap();
        let mut archive = Archive::from_bytes(npz.finish().unwrap().into_inner()).unwrap();
        prop_assert_eq!(&archive.entries()[1].name, "second/third");
        prop_assert_eq!(archive.read(1, u.element(), &ctx()).unwrap(), u);
        prop_assert_eq!(archive.read(0, t.element(), &ctx()).unwrap(), t);
    }

    #[test]
    fn no_bytes_panic(mut bytes in prop::collection::vec(any::<u8>(), 0..200), cut in 0usize..200, npz in any::<bool>()) {
        let t = Tensor::from_slice(&[2, 3], &[1f32, 2., 3., 4., 5., 6.]);
        let mut good = Vec::new();
        if npz {
            let mut w = NpzWriter::new(Cursor::new(Vec::new()));
            w.add("x", &t).unwrap();
            good = w.finish().unwrap().into_inner();
        } else {
            write_npy(&mut good, &t).unwrap();
        }
        // A good file with a few bytes replaced, and the random bytes by themselves.
        for (i, chunk) in bytes.chunks(3).enumerate() {
            if let [a, b, c] = chunk && i % 7 == 0 {
                let at = (*a as usize * 256 + *b as usize) % good.len();
                good[at] = *c;
            }
        }
        good.truncate(good.len().saturating_sub(cut / 20));
        for input in [good, std::mem::take(&mut bytes)] {
            if let Ok(mut archive) = Archive::from_bytes(input) {
                for i in 0..archive.entries().len() {
                    let _ = archive.read(i, ElementType::F32, &ctx());
                }
            }
        }
    }
}

#[test]
fn fortran_order_and_big_endian() {
    let data: Vec<u8> = [1i32, 4, 2, 5, 3, 6].iter().flat_map(|x| x.to_be_bytes()).collect();
    let bytes = npy("{'descr': '>i4', 'fortran_order': True, 'shape': (2, 3), }\n", &data);
    let t = read(bytes, ElementType::S32).unwrap();
    assert_eq!(t, Tensor::from_slice(&[2, 3], &[1i32, 2, 3, 4, 5, 6]));
}

#[test]
fn narrow_integers() {
    // ml_dtypes keeps -1 as 0x0f.
    let raw = npy("{'descr': '<V1', 'fortran_order': False, 'shape': (3,), }", &[0x0f, 0x08, 0x07]);
    assert_eq!(read(raw, ElementType::S4).unwrap().to_i64s(), [-1, -8, 7]);
    let int8 = |x: i8| npy("{'descr': '|i1', 'fortran_order': False, 'shape': (), }", &[x as u8]);
    assert_eq!(read(int8(-8), ElementType::S4).unwrap().to_i64s(), [-8]);
    let e = read(int8(9), ElementType::S4).unwrap_err();
    assert_eq!(e.message(), "'' holds 9, which is out of the range of i4");
}

#[test]
fn headers_that_lie_allocate_nothing() {
    for dict in [
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1000000000000,), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296, 4294967296), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999999,), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2,",
        "{'descr': '<f4', 'shape': (0,)}",
        "{'descr",
        "",
    ] {
        let e = Archive::from_bytes(npy(dict, &[0; 16])).map(|_| ()).unwrap_err();
        assert_eq!(e.kind(), ErrorKind::Malformed, "{dict}: {e}");
    }
    for dict in [
        "{'descr': '<U5', 'fortran_order': False, 'shape': (0,), }",
        "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (0,), }",
        "{'descr': '|O', 'fortran_order': False, 'shape': (0,), }",
    ] {
        let e = Archive::from_bytes(npy(dict, &[])).map(|_| ()).unwrap_err();
        assert_eq!(e.kind(), ErrorKind::Unsupported, "{dict}: {e}");
    }
    // A long header, of version 2.
    let mut bytes = b"\x93NUMPY\x02\x00\xff\xff\xff\xff".to_vec();
    bytes.resize(200, b' ');
    assert!(Archive::from_bytes(bytes).is_err());
}

#[test]
fn a_type_that_does_not_fit_is_refused() {
    let bytes = npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }", &[0; 4]);
    let e = read(bytes, ElementType::F64).unwrap_err();
    assert_eq!(e.message(), "'' is float32 (1,), which cannot be read as f64");
    let raw = npy("{'descr': '<V2', 'fortran_order': False, 'shape': (1,), }", &[0; 2]);
    assert!(read(raw.clone(), ElementType::BF16).is_ok());
    assert!(read(raw, ElementType::F16).is_err());
}

/// Against NumPy itself: `TPUSIM_PYTHON` names an interpreter with numpy and ml_dtypes.
#[test]
fn numpy_reads_and_writes_the_same() {
    const SCRIPT: &str = r#"
import sys, numpy as np, ml_dtypes
d = sys.argv[1]
names = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32",
    "float64", "complex64", "complex128", "bfloat16", "float8_e4m3fn", "float8_e5m2", "float8_e8m0fnu",
    "float4_e2m1fn", "float6_e3m2fn", "int4", "uint4", "int2"]
arrays = {}
for i, n in enumerate(names):
    t = getattr(ml_dtypes, n, None) or np.dtype(n)
    a = (np.arange(6) % 2 + (i % 2)).reshape(2, 3).astype(t)
    arrays[n] = np.asfortranarray(a) if i % 3 == 0 else a
if sys.argv[2] == "write":
    np.savez_compressed(d + "/numpy.npz", **arrays)
else:
    ours = np.load(d + "/ours.npz")
    for n, a in arrays.items():
        got = ours[n]
        if got.dtype.kind == "V": got = got.view(a.dtype)
        assert got.dtype == a.dtype and got.shape == a.shape and np.array_equal(got, a), (n, got, a)
"#;
    let Some(python) = std::env::var_os("TPUSIM_PYTHON") else {
        skipped("npy: numpy_reads_and_writes_the_same: TPUSIM_PYTHON is not set");
        return;
    };
    let dir = std::env::temp_dir().join(format!("tpusim-npy-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let run = |mode: &str| {
        let out =
            std::process::Command::new(&python).args(["-c", SCRIPT]).arg(&dir).arg(mode).output().unwrap();
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    };
    run("write");
    let mut archive = Archive::open(&dir.join("numpy.npz")).unwrap();
    let mut ours = NpzWriter::new(std::fs::File::create(dir.join("ours.npz")).unwrap());
    for i in 0..archive.entries().len() {
        let name = archive.entries()[i].name.clone();
        let element = match name.as_str() {
            "bfloat16" => ElementType::BF16,
            "float8_e4m3fn" => ElementType::F8E4M3FN,
            "float8_e8m0fnu" => ElementType::F8E8M0FNU,
            "float4_e2m1fn" => ElementType::F4E2M1FN,
            "float6_e3m2fn" => ElementType::F6E3M2FN,
            "int4" => ElementType::S4,
            "uint4" => ElementType::U4,
            "int2" => ElementType::S2,
            _ => archive.entries()[i].header.descr.element().unwrap(),
        };
        let tensor = archive.read(i, element, &ctx()).unwrap();
        ours.add(&name, &tensor).unwrap();
    }
    assert_eq!(archive.entries().len(), 23);
    ours.finish().unwrap();
    run("read");
    std::fs::remove_dir_all(&dir).unwrap();
}

/// Says on stderr, and in the log that `cargo xtask test` counts, that a test did not run.
fn skipped(what: &str) {
    eprintln!("SKIPPED {what}");
    if let Some(path) = std::env::var_os("TPUSIM_SKIP_LOG")
        && let Ok(mut log) = std::fs::OpenOptions::new().append(true).create(true).open(path)
    {
        let _ = std::io::Write::write_all(&mut log, format!("{what}\n").as_bytes());
    }
}
