//! `../shared/oracle/multi`: what XLA:TPU makes of small programs on 4 to 256 chips.

use super::{ctx, executable, tensors, values};
use sim_core::{Tensor, Type};
use std::path::Path;

fn text(name: &str) -> Option<String> {
    let shared = std::env::var_os("TPUSIM_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared"), Into::into);
    let path = shared.join("oracle/multi").join(format!("{name}.hlo.txt"));
    if !shared.is_dir() {
        eprintln!("SKIPPED {name}: no ../shared (set TPUSIM_SHARED)");
        return None;
    }
    Some(std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display())))
}

/// Runs with one input a device, and gives inputs and outputs.
fn run(name: &str) -> Option<[Vec<Vec<f32>>; 2]> {
    let exe = executable(name, &text(name)?).unwrap();
    let (types, _) = exe.signature();
    let [Type::Tensor(ty)] = types else { panic!("{name}: {types:?}") };
    let dims = ty.static_dims().unwrap();
    let n: usize = dims.iter().product();
    let devices = exe.placement().grid.len();
    // Small whole numbers: sums are exact in any order.
    let x: Vec<Vec<f32>> =
        (0..devices).map(|d| (0..n).map(|i| ((i * 7 + d * 13) % 17) as f32 - 8.0).collect()).collect();
    let inputs = x.iter().map(|x| values(vec![Tensor::from_slice(&dims, x)])).collect();
    let run = exe.run_devices(&ctx(), inputs).unwrap_or_else(|e| panic!("{name}: {e}"));
    let y = run.outputs.into_iter().map(|o| tensors(o)[0].as_slice::<f32>().to_vec()).collect();
    Some([x, y])
}

fn sums(x: &[Vec<f32>]) -> Vec<f32> {
    (0..x[0].len()).map(|i| x.iter().map(|d| d[i]).sum()).collect()
}

#[test]
fn all_reduce() {
    for name in
        ["psum_small.v5e.4", "psum_small.v6e.8", "psum_small.v5p.64", "psum_small.v5e.256", "psum.v5e.8"]
    {
        let Some([x, y]) = run(name) else { return };
        let expected = sums(&x);
        assert!(y.iter().all(|y| *y == expected), "{name}");
    }
}

#[test]
fn all_gather() {
    for name in ["allgather.v5e.4", "allgather.v6e.8"] {
        let Some([x, y]) = run(name) else { return };
        let expected = x.concat();
        assert!(y.iter().all(|y| *y == expected), "{name}");
    }
}

#[test]
fn reduce_scatter() {
    for name in ["rscatter.v5e.8", "rscatter.v5p.4"] {
        let Some([x, y]) = run(name) else { return };
        assert!(y.concat() == sums(&x), "{name}");
    }
}

/// Each to its neighbour.
#[test]
fn permute() {
    for name in ["ppermute.v5e.4", "ppermute.v5p.8", "ppermute.v5e.64"] {
        let Some([x, y]) = run(name) else { return };
        let n = x.len();
        assert!((0..n).all(|d| y[(d + 1) % n] == x[d]), "{name}");
    }
}

/// Rows of 1024: chunk `j` of device `d` is chunk `d` of device `j` afterwards.
#[test]
fn all_to_all() {
    for name in ["a2a.v5e.4", "a2a.v6e.8"] {
        let Some([x, y]) = run(name) else { return };
        let n = x.len();
        let (mut sent, mut received): (Vec<f32>, Vec<f32>) = (x.concat(), y.concat());
        assert!(sent != received, "{name}");
        // Whatever the dimensions: nothing is lost, and every device has something of every other.
        sent.sort_by(f32::total_cmp);
        received.sort_by(f32::total_cmp);
        assert!(sent == received && y.len() == n, "{name}");
    }
}
