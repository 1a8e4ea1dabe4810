//! What a chip's units can do. Every parameter that a model reads, with its unit; values are in `sim-core/chips/*.toml`.

use super::file::Entry;
use super::parameters::{Field, Key, Range, next, parameters};

parameters! {
    /// The chip as a whole.
    chip: ChipUnits {
        /// TensorCores on a chip.
        tensorcores: u64 = "cores" Positive,
        /// Devices that a client sees on a chip. A device of two cores is a megacore: kernels split their grids over them.
        devices: u64 = "devices" Positive,
    }

    /// A TensorCore.
    tensorcore: TensorCore {
        /// The clock of MXU, VPU and XLU.
        clock_mhz: f64 = "MHz" Positive,
        /// What a kernel takes besides its steps.
        kernel_cycles: f64 = "cycles a kernel",
        /// An operation of the scalar unit.
        scalar_cycles: f64 = "cycles an operation",
        /// A row of VMEM that is gathered or scattered: index, address, load, store.
        row_cycles: f64 = "cycles a row",
        /// The fewest rows of which XLA:TPU sorts where they go, before they are scattered into a large array.
        sorted_rows: u64 = "rows" Positive,
    }

    /// The matrix units of a core: weight-stationary systolic arrays.
    mxu: Mxu {
        /// Matrix units of a core.
        count: u64 = "MXUs a core" Positive,
        /// Columns of the array, which a product's right-hand columns fill.
        columns: u64 = "columns" Positive,
        /// Rows of the array, which the contracted dimension fills.
        rows: u64 = "rows" Positive,
        /// Rows of the left-hand side that enter an array in a cycle, in bf16.
        lhs_rows_per_cycle: u64 = "rows a cycle" Positive,
        /// How much faster than bf16 int8 is multiplied; 0 where it is not native.
        int8_rate: f64 = "x bf16",
        /// How much faster than bf16 int4 is multiplied; 0 where it is not native.
        int4_rate: f64 = "x bf16",
        /// How much faster than bf16 fp8 is multiplied; 0 where operands are converted first.
        fp8_rate: f64 = "x bf16",
        /// How fast f32 is multiplied at default precision, as bf16 after all: it is loaded and converted on the way.
        f32_rate: f64 = "x bf16" Positive,
        /// 1: products with a single row or column are the matrix units' too; 0: they are multiplied and added in the vector unit.
        vectors: u64 = "0 or 1",
        /// What a step of a kernel's grid takes besides its multiplications.
        step_us: f64 = "us",
        /// What a kernel with a product takes beyond its parts, once.
        start_us: f64 = "us",
        /// Registers of the right-hand side that enter an array in a cycle, on their way to the next tile.
        load_registers: f64 = "registers a cycle" Positive,
        /// Results of eight rows that an array holds in f32.
        accumulators: u64 = "buffers of 8 rows" Positive,
    }

    /// The vector unit of a core.
    vpu: Vpu {
        /// Columns of a register.
        lanes: u64 = "lanes" Positive,
        /// Rows of a register.
        sublanes: u64 = "sublanes" Positive,
        /// Vector operations that start in a cycle.
        alus: u64 = "ALUs a lane and sublane" Positive,
        /// Loads from VMEM that start in a cycle.
        loads: u64 = "registers a cycle" Positive,
        /// Stores to VMEM that start in a cycle.
        stores: u64 = "registers a cycle" Positive,
        /// Transcendental functions that the EUP starts in a cycle.
        transcendentals: u64 = "registers a cycle" Positive,
        /// Vector registers.
        registers: u64 = "registers of lanes x sublanes x 32 bits" Positive,
        /// 1: there is arithmetic of bf16; 0: it is computed in f32.
        bf16: u64 = "0 or 1",
        /// Slots of the ALUs that compiled loops fill.
        issue_efficiency: f64 = "of the slots" Fraction,
        /// ALU operations that make f32 of 1,024 values of f16, a type that the unit does not know.
        f16_widen_operations: f64 = "operations a register",
        /// ALU operations that make of 1,024 values of f16 what the matrix units take.
        f16_unpack_operations: f64 = "operations a register",
        /// ALU operations for 1,024 values of f16 of a window that a product comes back to.
        f16_again_operations: f64 = "operations a register",
        /// ALU operations that make f16 of f32.
        f16_pack_operations: f64 = "operations a register",
    }

    /// The units that move values across lanes.
    xlu: Xlu {
        /// Units for transposes and for sums across lanes.
        count: u64 = "XLUs a core" Positive,
        /// Until a unit takes the next register.
        register_cycles: f64 = "cycles a register" Positive,
    }

    /// The scratchpad of a core.
    vmem: Vmem {
        /// All of it.
        bytes: u64 = "B a core" Positive,
        /// What one kernel may take of it.
        scoped_bytes: u64 = "B a core" Positive,
        /// What the compiler leaves free of the rest.
        reserved_bytes: u64 = "B a core",
        /// What the compiler fetches whole of the operands of a Mosaic kernel, right before it.
        mosaic_operand_bytes: u64 = "B a core",
    }

    /// The scalar memory of a core.
    smem: Smem {
        /// All of it.
        bytes: u64 = "B a core",
    }

    /// Memory on the chip between VMEM and HBM, where there is such.
    cmem: Cmem {
        /// All of it; 0 where there is none.
        bytes: u64 = "B",
        /// From HBM into it.
        bandwidth_gbps: Option<f64> = "GB/s",
        /// From asking for bytes of it to having the first of them in VMEM.
        read_latency_us: Option<f64> = "us",
    }

    /// The chip's main memory.
    hbm: Hbm {
        /// All of it, on the chip.
        bytes: u64 = "B" Positive,
        /// What programs may use of it, on a device of a slice of one chip.
        usable_bytes: u64 = "B a device" Positive,
        /// What each further chip of the slice takes from that, on every device.
        taken_by_chip_bytes: u64 = "B a device",
        /// As the data sheet has it, for the chip.
        bandwidth_gbps: f64 = "GB/s" Positive,
        /// What streams of reads reach.
        read_efficiency: f64 = "of the bandwidth" Fraction,
        /// What reads and writes together reach.
        mixed_efficiency: f64 = "of the bandwidth" Fraction,
        /// What kernels reach that read and write one array.
        in_place_efficiency: f64 = "of the bandwidth" Fraction,
        /// What rows of a strided transfer should be aligned to.
        granule_bytes: u64 = "B" Positive,
        /// What rows reach that are not.
        unaligned_efficiency: f64 = "of the rate" Fraction,
    }

    /// Transfers between HBM and VMEM.
    dma: Dma {
        /// From asking for bytes of HBM to having the first of them in VMEM.
        read_latency_us: f64 = "us",
        /// From the last byte on its way to HBM to knowing that it is there.
        write_latency_us: f64 = "us",
        /// Between two transfers that one core starts.
        issue_ns: f64 = "ns",
    }

    /// Between host and chip.
    pcie: Pcie {
        /// One direction, for a chip.
        bandwidth_gbps: f64 = "GB/s each way" Positive,
    }

    /// The host.
    host: Host {
        /// A call of a compiled program, from the call to its result, beyond the device's time.
        dispatch_us: f64 = "us a call",
    }

    /// The network of a slice.
    ici: Ici {
        /// Links to neighbours, each with both directions.
        links: u64 = "links a chip",
        /// A link, one direction.
        link_gbps: f64 = "GB/s each way" Positive,
        /// From a chip to its neighbour.
        hop_us: f64 = "us",
    }

    /// The network between slices.
    dcn: Dcn {
        /// Out of a chip.
        bandwidth_gbps: f64 = "GB/s a chip" Positive,
    }

    /// The SparseCores of a chip.
    sparsecore: SparseCore {
        /// SparseCores.
        count: u64 = "SparseCores a chip",
        /// Vector cores of a SparseCore.
        tiles: Option<u64> = "tiles a SparseCore",
        /// Lanes of such a core.
        lanes: Option<u64> = "lanes",
        /// Memory of such a core.
        tile_bytes: Option<u64> = "B a tile",
        /// The least that its transfers move.
        dma_granule_bytes: Option<u64> = "B",
        /// 1: XLA:TPU hands them gathers, and scatters of single values; 0: it does not.
        gathers: u64 = "0 or 1",
        /// 1: gathers of rows of less than 32 bits a value, too, out of tables of any size; 0: out of large ones.
        narrow_tables: u64 = "0 or 1",
        /// 1: XLA:TPU hands them scatters of rows, too.
        row_scatters: u64 = "0 or 1",
        /// The least copy from one layout to another that XLA:TPU hands them; 0: none.
        formats_bytes: u64 = "B",
    }
}
