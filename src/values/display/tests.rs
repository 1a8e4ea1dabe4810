use super::*;
use crate::testing::python;
use num_complex::Complex;

#[test]
fn short_arrays() {
    let t = Tensor::from_slice(&[2, 2], &[0.17405128f32, 0.09669876, 0.21180916, 0.10805416]);
    assert_eq!(array(&t), "[[0.17405128 0.09669876]\n [0.21180916 0.10805416]]");
    assert_eq!(array(&Tensor::from_slice(&[3], &[1i32, -20, 300])), "[  1 -20 300]");
    assert_eq!(array(&Tensor::from_slice_as(ElementType::Pred, &[2], &[1u8, 0])), "[ True False]");
    assert_eq!(array(&Tensor::scalar(1.5f32)), "1.5");
    assert_eq!(array(&Tensor::from_slice::<f32>(&[0, 3], &[])), "[]");
    let nan = [1.0f32, f32::NAN, f32::NEG_INFINITY];
    assert_eq!(array(&Tensor::from_slice(&[3], &nan)), "[  1.  nan -inf]");
    let bf16 = [half::bf16::from_f32(0.1), half::bf16::from_f32(2.0)];
    assert_eq!(array(&Tensor::from_slice(&[2], &bf16)), "[0.10009766 2.        ]");
}

#[test]
fn long_arrays_are_summarized() {
    let t = Tensor::from_slice(&[1001], &(0..1001).collect::<Vec<i32>>());
    assert_eq!(array(&t), "[   0    1    2 ...  998  999 1000]");
    let t = Tensor::from_slice(&[40, 40], &vec![0f32; 1600]);
    let row = "[0. 0. 0. ... 0. 0. 0.]";
    assert_eq!(array(&t), format!("[{row}\n {row}\n {row}\n ...\n {row}\n {row}\n {row}]"));
}

/// The same arrays through NumPy: many shapes, types, magnitudes, special values.
#[test]
fn numpy_prints_the_same() {
    const SCRIPT: &str = r#"
import sys, numpy as np
for i, a in enumerate(np.load(sys.argv[1]).values()):
    sys.stdout.write(str(a) + "\n\0")
"#;
    let Some(python) = python("display: numpy_prints_the_same") else { return };
    let path = std::env::temp_dir().join(format!("tpusim-display-{}.npz", std::process::id()));
    let mut npz = backend::npy::NpzWriter::new(std::fs::File::create(&path).unwrap());
    let tensors = samples();
    for (i, t) in tensors.iter().enumerate() {
        npz.add(&format!("a{i:05}"), t).unwrap();
    }
    npz.finish().unwrap();
    let out = std::process::Command::new(python).args(["-c", SCRIPT]).arg(&path).output().unwrap();
    std::fs::remove_file(&path).unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let text = String::from_utf8(out.stdout).unwrap();
    let theirs: Vec<&str> = text.split("\n\0").collect();
    assert_eq!(theirs.len(), tensors.len() + 1);
    let mut bad = 0;
    for (t, theirs) in tensors.iter().zip(theirs) {
        let ours = array(t);
        if ours != theirs {
            bad += 1;
            if bad < 10 {
                eprintln!("{} {:?}\nours:\n{ours}\nnumpy:\n{theirs}\n", t.element(), t.shape());
            }
        }
    }
    assert_eq!(bad, 0, "of {} arrays", tensors.len());
}

fn samples() -> Vec<Tensor> {
    let mut state = 1u64;
    let mut next = move || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        state >> 11
    };
    let shapes: [&[usize]; 9] =
        [&[], &[1], &[5], &[40], &[3, 4], &[2, 3, 30], &[1200], &[7, 9, 20], &[1, 1001]];
    let mut out = Vec::new();
    for round in 0..160 {
        for shape in shapes {
            let n: usize = shape.iter().product();
            // Magnitudes: all alike, or spread over many decades.
            let spread = [0, 1, 3, 8, 30][round % 5];
            let digits = [1.0, 100.0, 1e9][round % 3];
            let special = round % 4 == 3;
            let mut float = || -> f64 {
                if special && next() % 5 == 0 {
                    return [0.0, -0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY][(next() % 5) as usize];
                }
                let mantissa = ((next() as f64 / (1u64 << 52) as f64 - 1.0) * digits).round() / digits;
                mantissa * 10f64.powi((next() % (2 * spread + 1)) as i32 - spread as i32)
            };
            let t = match round % 8 {
                0 | 1 => Tensor::from_slice(shape, &(0..n).map(|_| float() as f32).collect::<Vec<_>>()),
                2 | 3 => Tensor::from_slice(shape, &(0..n).map(|_| float()).collect::<Vec<_>>()),
                4 => Tensor::from_slice(
                    shape,
                    &(0..n).map(|_| half::f16::from_f64(float())).collect::<Vec<_>>(),
                ),
                5 => Tensor::from_slice(shape, &(0..n).map(|_| (float() * 100.0) as i32).collect::<Vec<_>>()),
                6 => {
                    let parts = (0..n).map(|_| Complex::new(float() as f32, float() as f32));
                    Tensor::from_slice(shape, &parts.collect::<Vec<_>>())
                }
                _ => {
                    let bits = (0..n).map(|_| (float() > 0.0) as u8).collect::<Vec<_>>();
                    Tensor::from_slice_as(ElementType::Pred, shape, &bits)
                }
            };
            out.push(t);
        }
    }
    out
}
