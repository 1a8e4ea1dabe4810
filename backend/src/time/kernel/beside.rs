//! What the vector units do for a product, beside the matrix units, before and after them.

use super::{Access, Busy, Subject};
use crate::time::arrays;
use crate::time::contents::f16;
use crate::time::product::Site;
use sim_core::ElementType;
use sim_core::engine::Duration;
use tensorcore::vmem::pipeline::Direction;
use tensorcore::vpu::cost::Work;

/// What of a product's kernel is not multiplied, whatever its windows.
pub(super) struct Vector {
    stores: Work,
    /// Results of f16.
    packs: Work,
    /// Operands of f16: what converts a register, and registers of the left and of the right side.
    unpacked: Option<(Work, f64, f64)>,
}

impl Vector {
    pub fn new(subject: &Subject<'_>, site: &Site) -> Vector {
        Vector { stores: stores(subject), packs: packed(subject), unpacked: unpacked(subject, site) }
    }

    /// How long one of all cores takes, with so many windows of columns and of rows, which cores share or not.
    pub fn busy(&self, subject: &Subject<'_>, [columns, rows]: [u64; 2], shared: bool) -> Busy {
        // What goes into one side is computed again for each window of the other.
        let [left, right, rest] = subject.contents.work;
        let mut work = left * columns as f64 + right * rows as f64 + rest + subject.contents.sorts;
        work += self.stores;
        // What is converted by many operations is converted before and after the matrix units work, not beside them.
        work.alu = (work.alu - self.packs.alu).max(0.0);
        let before =
            Busy::of(self.unpacks(subject, [columns, rows], shared) + self.packs, &subject.machine).vpu;
        let start = Duration::from_us(subject.machine.units.mxu.start_us);
        // What is said of one of all cores is what a core that works alone takes, divided.
        let start = if shared { start } else { Duration::from_ps(start.ps() / subject.machine.cores.max(1)) };
        Busy { before: before + start, ..Busy::of(work, &subject.machine) }
    }

    /// Each core converts what it needs, and cores share the dimension that leaves the least to convert twice. Windows that the grid comes
    /// back to cost a little each time. (Of the ways to count that, it explains 426 products on v4 best.)
    fn unpacks(&self, subject: &Subject<'_>, [columns, rows]: [u64; 2], shared: bool) -> Work {
        let Some((one, left, right)) = self.unpacked else { return Work::NONE };
        let again = Work { alu: subject.machine.units.vpu.f16_again_operations, ..Work::NONE };
        let cores = if shared { subject.machine.cores as f64 } else { 1.0 };
        let twice = left.min(right) * (cores - 1.0);
        let windows = left * columns as f64 + right * rows as f64;
        let first = left + right + twice;
        one * first + again * (windows - first).max(0.0)
    }
}

/// Operands of f16 become a type that the matrix units take before they are multiplied: what converts a register, and registers of each side.
fn unpacked(subject: &Subject<'_>, site: &Site) -> Option<(Work, f64, f64)> {
    if site.operand != ElementType::F16 {
        return None;
    }
    let one = Work { alu: subject.machine.units.vpu.f16_unpack_operations, ..Work::NONE };
    let (mut left, mut right) = (0.0, 0.0);
    for access in subject.accesses.iter().filter(|a| a.direction == Direction::In) {
        let bit = 1u64 << access.operand.min(63);
        match subject.contents.sides.map(|s| s & bit != 0) {
            [true, false] => left += arrays::registers(access.array),
            [false, true] => right += arrays::registers(access.array),
            _ => {}
        }
    }
    Some((one, left, right))
}

/// Results of f16.
fn packed(subject: &Subject<'_>) -> Work {
    let outs = subject.accesses.iter().filter(|a| a.direction == Direction::Out);
    let of = |a: &Access<'_>| {
        f16(ElementType::F32, a.array.element, subject.machine.units)
            .map(|one| one * arrays::registers(a.array))
    };
    outs.filter_map(of).fold(Work::NONE, |sum, w| sum + w)
}

/// Results that go to VMEM.
fn stores(subject: &Subject<'_>) -> Work {
    let of = |a: &Access<'_>| arrays::registers(a.array) * f64::from(a.array.element.bits().min(32)) / 32.0;
    let stores = subject.accesses.iter().filter(|a| a.direction == Direction::Out).map(of).sum();
    Work { stores, ..Work::NONE }
}
