//! Scalar regions (the bodies of `reduce`, `scatter`, `sort`, `map`, …) as programs over lanes.

use super::access::Access;
use super::exec::{Exec, Out};
use super::program::TileProgram;
use sim_core::dtype::ElementType;
use sim_core::exec::{Combiner, RegionFn};
use smallvec::SmallVec;

impl RegionFn for TileProgram {
    fn signature(&self) -> (&[ElementType], &[ElementType]) {
        (&self.inputs, &self.outputs)
    }

    fn eval(&self, args: &[&[u8]], outs: &mut [&mut [u8]], n: usize) {
        if n == 0 {
            return;
        }
        let access = Access::lanes(self, args, n);
        let local = SmallVec::<[bool; 4]>::from_elem(false, outs.len());
        let mut exec = Exec::new(self, &access, &local, &[]);
        let mut pos = 0;
        while pos < n {
            let len = access.tile_len(pos, n);
            let mut now: SmallVec<[Out<'_>; 4]> = SmallVec::new();
            for (out, ty) in outs.iter_mut().zip(&self.outputs) {
                let w = ty.byte_size();
                now.push(&mut out[pos * w..(pos + len) * w]);
            }
            exec.eval(pos, len, &mut now);
            pos += len;
        }
    }

    fn combiner(&self) -> Option<Combiner> {
        self.known_combiner()
    }
}
