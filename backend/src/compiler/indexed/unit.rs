//! Who runs a gather or scatter, and what it wants of its indices.
//!
//! As libtpu 0.0.52 does it: each rule follows from dumps of small programs that differ in one size, type or chip. The sizes at which it
//! changes its mind are named beside the constants.

use super::rows::sizes;
use crate::compiler::Cx;
use crate::time::arrays;
use sim_core::ElementType;
use sim_core::chip::Chip;
use sim_core::hlo::{ArrayShape, HloModule, Instruction, Key, Opcode, Value};

/// Windows that a SparseCore is started for: 1,024 are gathered by the TensorCore, 1,025 by a SparseCore (v6e).
const FEWEST_WINDOWS: i64 = 1_025;
/// Bytes of a table, as it lies, that a SparseCore takes from whatever is taken: f32[65536,64] of 32 MiB is its, f32[50000,64] of 24 MiB is
/// not (v6e; f32[4096,2048] on v5p and v7x); bf16[32768,512] is, bf16[32000,512] is not.
const LARGE: u64 = 32 << 20;
/// Values of a row that a SparseCore scatters: 768 are, 1,024 are not (v7x, f32 and bf16).
const WIDEST_UPDATE: i64 = 1_023;
/// Values of an array, filled up to lanes, for which the TensorCore sorts what it scatters into it: of 8,192 rows, those into f32[8192,1024],
/// f32[100000,64] and bf16[4096,2048] are sorted, those into f32[40000,128] and f32[4096,1024] are not (v6e).
const LARGE_UPDATED: i64 = 8 << 20;

fn product(sizes: &[i64]) -> i64 {
    sizes.iter().fold(1i64, |n, &d| n.saturating_mul(d))
}

/// A gather of `count` windows.
pub(super) struct Gather<'a> {
    pub table: &'a ArrayShape,
    pub count: i64,
    /// Sizes of a window without the dimensions that are looked up.
    pub window: &'a [i64],
    /// Places that can be looked up.
    pub places: i64,
    /// Windows are all there is at a place.
    pub whole: bool,
}

impl Gather<'_> {
    /// Is it a SparseCore's?
    pub(super) fn on_sparsecore(&self, chip: &Chip) -> bool {
        let sparsecore = &chip.units().sparsecore;
        if sparsecore.count == 0 || sparsecore.gathers == 0 || !self.whole || self.count < FEWEST_WINDOWS {
            return false;
        }
        let single = product(self.window) == 1;
        let narrow = self.table.element.bits() < 32 && sparsecore.narrow_tables == 0 && !single;
        // Of what is small and looked up often, the TensorCore reads all.
        arrays::bytes(self.table) >= LARGE || (!narrow && self.places.saturating_mul(2) > self.count)
    }
}

/// In which order the windows of a scatter come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    AsItIs,
    /// Ascending, the updates sorted with their places.
    WithUpdates,
    /// Ascending; where each update is, is sorted with its place, clamped where the TensorCore takes it.
    WithPlaces {
        clamped: bool,
    },
}

/// What is known of a scatter.
pub(super) struct Scatter {
    element: ElementType,
    /// What it does with what is there and what comes: the operation, if it is one.
    combines: Option<Opcode>,
    count: i64,
    /// Values of a window, and of the array that is changed, in rows that fill lanes.
    window: i64,
    all: i64,
}

impl Scatter {
    pub(super) fn of(
        cx: &Cx<'_>,
        i: &Instruction,
        operand: &ArrayShape,
        count: i64,
        window: &[i64],
    ) -> Scatter {
        let all = product(&sizes(operand).unwrap_or_default());
        let lanes = cx.chip.units().vpu.lanes as i64;
        let row = window.last().map_or(1, |&n| n.max(1));
        let filled = |n: i64| (n as u64).next_multiple_of(lanes as u64) as i64;
        Scatter {
            element: operand.element,
            combines: combines(&cx.module, i),
            count,
            window: product(window),
            all: (all / row).saturating_mul(filled(row)),
        }
    }

    /// Is it a SparseCore's?
    pub(super) fn on_sparsecore(&self, chip: &Chip) -> bool {
        let sparsecore = &chip.units().sparsecore;
        // Others (what comes replaces what is there, products) are the TensorCore's, and so are single values of 16 bits.
        let combines = matches!(self.combines, Some(Opcode::Add | Opcode::Maximum | Opcode::Minimum));
        let takes = match self.window {
            1 => self.element.bits() == 32,
            n => sparsecore.row_scatters > 0 && n <= WIDEST_UPDATE,
        };
        sparsecore.count > 0 && sparsecore.gathers > 0 && combines && takes
    }

    pub(super) fn order(&self, chip: &Chip) -> Order {
        let many = self.count >= chip.units().tensorcore.sorted_rows as i64 && self.all >= LARGE_UPDATED;
        match (self.on_sparsecore(chip), self.window) {
            (true, 1) if self.element.is_integer() => Order::AsItIs,
            (true, 1) => Order::WithUpdates,
            (true, _) => Order::WithPlaces { clamped: false },
            (false, 2..) if many => Order::WithPlaces { clamped: true },
            (false, _) => Order::AsItIs,
        }
    }
}

/// The operation that a scatter's computation is, of what is there and what comes.
pub(super) fn combines(module: &HloModule, i: &Instruction) -> Option<Opcode> {
    let Some(Value::Computation(id)) = i.attr(&Key::ToApply) else { return None };
    let computation = module.computation(*id);
    let root = computation.root();
    let mut of: Vec<i64> =
        root.operands.iter().filter_map(|&o| computation.instruction(o).parameter_number).collect();
    of.sort_unstable();
    (of == [0, 1]).then_some(root.opcode)
}
