//! The VMEM that a kernel's windows take.
//!
//! XLA:TPU looks for windows as if nothing lay in VMEM yet and nothing were fused behind the product: two buffers for each window that moves and
//! one for each that stays, the result's in its own type and once more in f32 for the sums, and a copy of the left side's
//! window in the order and type in which it streams into the matrix units. A left side in VMEM is only copied. That is read from dumps of
//! libtpu 0.0.52, not documented: counted so, the largest windows there take all of the limit (8192 x 4096 x 4096 and 1024 x 4096 x 4096 in bf16
//! on v7x: 32 MiB of 32). It is not exact: some products of v6e whose weights lie in VMEM have windows of some 100 KiB more. What the
//! kernel has for itself in the end (`used_scoped_memory_configs`) is less: windows of what lies in HBM, sums where the contracted
//! dimension is cut, and the copy.

use super::grid::Windows;
use crate::time::arrays::{self, Memory};
use crate::time::kernel::choice::{Choosable, Moves};
use sim_core::ElementType;
use sim_core::hlo::ArrayShape;
use tensorcore::vmem::pipeline::Direction;

/// Bytes of VMEM.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Needed {
    /// What has to fit.
    pub searched: u64,
    /// What the kernel has in the end.
    pub used: u64,
}

/// What windows are made of, whatever their sizes.
pub(super) struct Room {
    /// Bytes of whole arrays, with what their windows move, what lies in HBM among them.
    arrays: Vec<(u64, Moves, bool)>,
    /// Of the product's result in f32, if that is not written anyway.
    sums: u64,
    /// Bytes of a value that streams into the matrix units.
    streams_as: f64,
}

impl Room {
    pub fn new(choosable: &Choosable<'_>) -> Room {
        let result = choosable.site.result.as_array();
        let mut all = Vec::new();
        for (access, moves) in choosable.touched() {
            match access.memory {
                Memory::Vmem | Memory::Cmem if moves == Moves::Left => {}
                Memory::Hbm => all.push((access.bytes, moves, true)),
                Memory::Vmem | Memory::Cmem => all.push((access.bytes, moves, false)),
                Memory::Scalar | Memory::Host => {}
            }
        }
        let elements = result.map_or(0.0, arrays::elements);
        let is_whole = |a: &ArrayShape| arrays::elements(a) == elements;
        let whole = |(a, _): &(&crate::time::kernel::Access<'_>, Moves)| {
            a.direction == Direction::Out && is_whole(a.array)
        };
        // What is fused behind the product may leave less of its result.
        if let (Some(result), None) = (result, choosable.touched().find(whole)) {
            all.push((arrays::bytes(result), Moves::Result, false));
        }
        let wide = choosable.touched().filter(whole).any(|(a, _)| a.array.element.bits() >= 32);
        let streams_as = match choosable.site.operand {
            ElementType::F32 => 2.0,
            element => f64::from(element.bits().clamp(1, 16)) / 8.0,
        };
        Room { arrays: all, sums: if wide { 0 } else { (elements * 4.0) as u64 }, streams_as }
    }

    /// With these windows.
    pub fn needed(&self, windows: &Windows) -> Needed {
        let mut needed = Needed::default();
        for &(bytes, moves, in_hbm) in &self.arrays {
            let (of, places) = windows.share(moves);
            let buffers = share(bytes, of).saturating_mul(if places > 1 { 2 } else { 1 });
            needed.searched = needed.searched.saturating_add(buffers);
            needed.used = needed.used.saturating_add(if in_hbm { buffers } else { 0 });
        }
        let sums = share(self.sums, windows.share(Moves::Result).0);
        needed.searched = needed.searched.saturating_add(sums);
        let copy = (windows.streamed * windows.contracted as f64 * self.streams_as) as u64;
        needed.searched = needed.searched.saturating_add(copy);
        needed.used =
            needed.used.saturating_add(copy).saturating_add(if windows.parts > 1 { sums } else { 0 });
        needed
    }
}

/// Bytes of a window that has a share of an array.
fn share(bytes: u64, of: f64) -> u64 {
    (bytes as f64 * of).ceil() as u64
}
