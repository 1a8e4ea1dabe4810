//! Chips, hosts and their coordinates. "Logi" devices are what a client sees as devices.

use crate::ffi::*;
use std::ffi::c_char;

c_structs! {
    /// The caller owns the new topology.
    PJRT_TpuTopology_Subslice_Args: sized {
        topology: *const PJRT_TopologyDescription, chips_per_host_bounds: *const i32,
        chips_per_host_bounds_num_dims: usize, host_bounds: *const i32, host_bounds_num_dims: usize
        => subslice_topology: *mut PJRT_TopologyDescription,
    }
    PJRT_TpuTopology_IsSubsliceTopology_Args: sized {
        topology: *const PJRT_TopologyDescription
        => is_subslice_topology: u8,
    }
    PJRT_TpuTopology_SubsliceDeviceIdFromFullDeviceId_Args: sized {
        client_topology: *const PJRT_TopologyDescription, subslice_topology: *const PJRT_TopologyDescription,
        subslice_origin: *const i32, subslice_origin_dim_num: usize, full_device_id: i32
        => subslice_device_id: i32,
    }
    /// The caller owns the new topology.
    PJRT_TpuTopology_ReplaceHostBounds_Args: sized {
        topology: *const PJRT_TopologyDescription, host_bounds: *const i32, host_bounds_dim_num: usize
        => new_topology: *mut PJRT_TopologyDescription,
    }
    PJRT_TpuTopology_IsEnhancedBarrierEnabled_Args: sized {
        topology: *const PJRT_TopologyDescription
        => is_enhanced_barrier_enabled: u8,
    }
    PJRT_TpuTopology_HasLimitedIciConnectivity_Args: sized {
        topology: *const PJRT_TopologyDescription
        => has_limited_ici_connectivity: u8,
    }
    PJRT_TpuTopology_IsReachableOverLimitedIci_Args: sized {
        topology: *const PJRT_TopologyDescription, source_chip_id: i32, dest_chip_id: i32
        => is_reachable_over_limited_ici: u8,
    }
    PJRT_TpuTopology_ProcessCount_Args: sized {
        topology: *const PJRT_TopologyDescription
        => process_count: i32,
    }
    PJRT_TpuTopology_ChipsPerProcess_Args: sized {
        topology: *const PJRT_TopologyDescription
        => chips_per_process: i32,
    }
    PJRT_TpuTopology_CoreCountPerChip_Args: sized {
        topology: *const PJRT_TopologyDescription
        => core_count_of_default_type_per_chip: i32,
    }
    PJRT_TpuTopology_ChipCount_Args: sized { topology: *const PJRT_TopologyDescription => chip_count: i32 }
    PJRT_TpuTopology_CoreCount_Args: sized {
        topology: *const PJRT_TopologyDescription
        => core_count_of_default_type: i32,
    }
    PJRT_TpuTopology_LogiDeviceCount_Args: sized {
        topology: *const PJRT_TopologyDescription
        => logical_device_count_of_default_type: i32,
    }
    PJRT_TpuTopology_LogiDeviceCountPerProcess_Args: sized {
        topology: *const PJRT_TopologyDescription
        => logical_device_count_of_default_type_per_process: i32,
    }
    PJRT_TpuTopology_LogiDeviceCountPerChip_Args: sized {
        topology: *const PJRT_TopologyDescription
        => logical_device_count_of_default_type_per_chip: i32,
    }
    PJRT_TpuTopology_CoreCountPerProcess_Args: sized {
        topology: *const PJRT_TopologyDescription
        => core_count_of_default_type_per_process: i32,
    }
    /// The caller's list has room for `max_process_ids`; an error if there are more.
    PJRT_TpuTopology_ProcessIds_Args: sized {
        topology: *const PJRT_TopologyDescription, max_process_ids: i32, process_ids: *mut i32
        => num_process_ids: usize,
    }
    /// The caller's list has room for `max_logical_device_ids`; an error if there are more.
    PJRT_TpuTopology_LogiDeviceIdsOnProcess_Args: sized {
        topology: *const PJRT_TopologyDescription, process_id: i32, max_logical_device_ids: i32,
        logical_device_of_default_type_ids: *mut i32
        => num_logical_device_ids: usize,
    }
    PJRT_TpuTopology_ProcIdAndIdxOnProcForChip_Args: sized {
        topology: *const PJRT_TopologyDescription, chip_id: i32
        => process_id: i32, index_on_process: i32,
    }
    PJRT_TpuTopology_ProcIdAndIdxOnProcForLogiDevice_Args: sized {
        topology: *const PJRT_TopologyDescription, device_id: i32
        => process_id: i32, index_on_process: i32,
    }
    /// The caller's list has room for `coords_max_dims`, as below: an error if there are more.
    PJRT_TpuTopology_ProcessCoordFromId_Args: sized {
        topology: *const PJRT_TopologyDescription, process_id: i32, coords_max_dims: usize, coords: *mut i32
        => coords_num_dims: usize,
    }
    PJRT_TpuTopology_ChipIdFromCoord_Args: sized {
        topology: *const PJRT_TopologyDescription, coords: *const i32, coords_num_dims: usize
        => chip_id: i32,
    }
    PJRT_TpuTopology_LogiDeviceIdFromChipCoordAndIdx_Args: sized {
        topology: *const PJRT_TopologyDescription, chip_coords: *const i32, chip_coords_num_dims: usize,
        logical_device_index_on_chip: i32
        => logical_device_of_default_type_id: i32,
    }
    PJRT_TpuTopology_ChipCoordAndIdxForLogiDevice_Args: sized {
        topology: *const PJRT_TopologyDescription, device_id: i32, chip_coords_max_dims: usize,
        chip_coords: *mut i32
        => chip_coords_num_dims: usize, device_index_on_chip: i32,
    }
    PJRT_TpuTopology_ChipsPerProcessBounds_Args: sized {
        topology: *const PJRT_TopologyDescription, chip_per_process_bounds_max_dims: usize,
        chip_per_process_bounds: *mut i32
        => chip_per_process_bounds_num_dims: usize,
    }
    PJRT_TpuTopology_ChipBounds_Args: sized {
        topology: *const PJRT_TopologyDescription, chip_bounds_max_dims: usize, chip_bounds: *mut i32
        => chip_bounds_num_dims: usize,
    }
    PJRT_TpuTopology_ProcessBounds_Args: sized {
        topology: *const PJRT_TopologyDescription, process_bounds_max_dims: usize, process_bounds: *mut i32
        => process_bounds_num_dims: usize,
    }
    PJRT_TpuTopology_GetRoutingStrategy_Args: sized {
        topology: *const PJRT_TopologyDescription,
        /// The caller's room, and its size; filled in.
        routing_strategy: *mut c_char,
        routing_strategy_len: usize,
    }
    /// The shape of a slice: `dim_size` says how many dimensions hold.
    PJRT_TpuTopology_SliceConfig: plain { dim_size: usize, dimensions: [i32; 4], wrap: [u8; 4], twist: u8 }
    PJRT_TpuTopology_GetSliceConfig_Args: sized {
        platform_type_name: *const c_char, platform_type_name_len: usize, slice_name: *const c_char,
        slice_name_len: usize, slice_config: *mut PJRT_TpuTopology_SliceConfig,
    }
    /// The caller's list has room for `max_slice_configs`.
    PJRT_TpuTopology_GetSliceConfigs_Args: sized {
        platform_type_name: *const c_char, platform_type_name_len: usize,
        slice_configs: *mut PJRT_TpuTopology_SliceConfig, max_slice_configs: usize
        => num_slice_configs: usize,
    }
    PJRT_TpuTopology_GetDefaultPlatformConfig_Args: sized {
        platform_type_name: *const c_char, platform_type_name_len: usize
        => num_chips_per_tray: i64, num_trays: i64,
    }
    PJRT_TpuTopology_Extension: extension {
        subslice: Function<PJRT_TpuTopology_Subslice_Args>,
        is_subslice_topology: Function<PJRT_TpuTopology_IsSubsliceTopology_Args>,
        subslice_device_id_from_full_device_id:
            Function<PJRT_TpuTopology_SubsliceDeviceIdFromFullDeviceId_Args>,
        replace_host_bounds: Function<PJRT_TpuTopology_ReplaceHostBounds_Args>,
        is_enhanced_barrier_enabled: Function<PJRT_TpuTopology_IsEnhancedBarrierEnabled_Args>,
        has_limited_ici_connectivity: Function<PJRT_TpuTopology_HasLimitedIciConnectivity_Args>,
        is_reachable_over_limited_ici: Function<PJRT_TpuTopology_IsReachableOverLimitedIci_Args>,
        process_count: Function<PJRT_TpuTopology_ProcessCount_Args>,
        chips_per_process: Function<PJRT_TpuTopology_ChipsPerProcess_Args>,
        core_count_per_chip: Function<PJRT_TpuTopology_CoreCountPerChip_Args>,
        chip_count: Function<PJRT_TpuTopology_ChipCount_Args>,
        core_count: Function<PJRT_TpuTopology_CoreCount_Args>,
        logical_device_count_per_process: Function<PJRT_TpuTopology_LogiDeviceCountPerProcess_Args>,
        logical_device_count: Function<PJRT_TpuTopology_LogiDeviceCount_Args>,
        logical_device_count_per_chip: Function<PJRT_TpuTopology_LogiDeviceCountPerChip_Args>,
        core_count_per_process: Function<PJRT_TpuTopology_CoreCountPerProcess_Args>,
        process_ids: Function<PJRT_TpuTopology_ProcessIds_Args>,
        logical_device_ids_on_process: Function<PJRT_TpuTopology_LogiDeviceIdsOnProcess_Args>,
        proc_id_and_idx_on_proc_for_chip: Function<PJRT_TpuTopology_ProcIdAndIdxOnProcForChip_Args>,
        proc_id_and_idx_on_proc_for_logi_device:
            Function<PJRT_TpuTopology_ProcIdAndIdxOnProcForLogiDevice_Args>,
        process_coord_from_id: Function<PJRT_TpuTopology_ProcessCoordFromId_Args>,
        chip_id_from_coord: Function<PJRT_TpuTopology_ChipIdFromCoord_Args>,
        logical_device_id_from_chip_coord_and_idx:
            Function<PJRT_TpuTopology_LogiDeviceIdFromChipCoordAndIdx_Args>,
        chip_coord_and_idx_for_logi_device: Function<PJRT_TpuTopology_ChipCoordAndIdxForLogiDevice_Args>,
        chips_per_process_bounds: Function<PJRT_TpuTopology_ChipsPerProcessBounds_Args>,
        chip_bounds: Function<PJRT_TpuTopology_ChipBounds_Args>,
        process_bounds: Function<PJRT_TpuTopology_ProcessBounds_Args>,
        get_routing_strategy: Function<PJRT_TpuTopology_GetRoutingStrategy_Args>,
        get_slice_config: Function<PJRT_TpuTopology_GetSliceConfig_Args>,
        get_slice_configs: Function<PJRT_TpuTopology_GetSliceConfigs_Args>,
        get_default_platform_config: Function<PJRT_TpuTopology_GetDefaultPlatformConfig_Args>,
    }
}
