//! Topologies of machines that need not be there.

use crate::calls::client::PLATFORM;
use crate::calls::device::give;
use crate::entry::{functions, list, text};
use crate::ffi::*;
use crate::handle::{Bytes, Handle, delete_bytes};
use crate::machine::TopologyHandle;
use crate::values;
use backend::client::memory::MemoryKind;
use backend::client::status::Status;
use backend::client::topology::Topology;
use std::sync::LazyLock;

static KINDS: LazyLock<[i32; 3]> = LazyLock::new(|| MemoryKind::ALL.map(MemoryKind::id));

functions! {
    fn PJRT_TopologyDescription_Create(args: PJRT_TopologyDescription_Create_Args) {
        let name = text(args.topology_name, args.topology_name_size)?;
        let options = values::read(args.create_options, args.num_options)?;
        args.topology = TopologyHandle::new(Topology::describe(name, &options)?).into_raw();
    }

    fn PJRT_TopologyDescription_Destroy(args: PJRT_TopologyDescription_Destroy_Args) {
        TopologyHandle::destroy(args.topology);
    }

    fn PJRT_TopologyDescription_PlatformName(args: PJRT_TopologyDescription_PlatformName_Args) {
        TopologyHandle::borrow(args.topology)?;
        give!(PLATFORM => args.platform_name, platform_name_size);
    }

    fn PJRT_TopologyDescription_PlatformVersion(args: PJRT_TopologyDescription_PlatformVersion_Args) {
        let topology = TopologyHandle::borrow(args.topology)?;
        give!(&topology.platform_version => args.platform_version, platform_version_size);
    }

    fn PJRT_TopologyDescription_GetDeviceDescriptions(args: PJRT_TopologyDescription_GetDeviceDescriptions_Args) {
        let descriptions = &TopologyHandle::borrow(args.topology)?.description_pointers;
        args.descriptions = descriptions.as_ptr().cast();
        args.num_descriptions = descriptions.len();
    }

    fn PJRT_TopologyDescription_Attributes(args: PJRT_TopologyDescription_Attributes_Args) {
        let attributes = &TopologyHandle::borrow(args.topology)?.attributes;
        (args.attributes, args.num_attributes) = (attributes.as_ptr(), attributes.count());
    }

    fn PJRT_TopologyDescription_Fingerprint(args: PJRT_TopologyDescription_Fingerprint_Args) {
        args.fingerprint = TopologyHandle::borrow(args.topology)?.topology.fingerprint();
    }

    fn PJRT_TopologyDescription_Serialize(args: PJRT_TopologyDescription_Serialize_Args) {
        let bytes = TopologyHandle::borrow(args.topology)?.topology.serialize();
        (args.serialized_bytes, args.serialized_bytes_size, args.serialized_topology) = Bytes::give(bytes);
        args.serialized_topology_deleter = Some(delete_bytes);
    }

    fn PJRT_TopologyDescription_Deserialize(args: PJRT_TopologyDescription_Deserialize_Args) {
        let bytes = list(args.serialized_topology.cast::<u8>(), args.serialized_topology_size);
        args.topology = TopologyHandle::new(Topology::deserialize(bytes)?).into_raw();
    }

    fn PJRT_TopologyDescription_GetMemorySpaceKindIds(args: PJRT_TopologyDescription_GetMemorySpaceKindIds_Args) {
        TopologyHandle::borrow(args.topology)?;
        (args.memory_space_kind_ids, args.num_memory_space_kind_ids) = (KINDS.as_ptr(), KINDS.len());
    }

    fn PJRT_TopologyDescription_MakeCanonicalShapeForMemorySpace(
        args: PJRT_TopologyDescription_MakeCanonicalShapeForMemorySpace_Args
    ) {
        TopologyHandle::borrow(args.topology)?;
        return Err(Status::unimplemented(
            "PJRT_TopologyDescription_MakeCanonicalShapeForMemorySpace; the layouts extension gives default layouts",
        ));
    }
}
