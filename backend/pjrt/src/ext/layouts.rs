//! Layouts, as HLO writes them.

use super::{Shared, base};
use crate::calls::buffer::BufferHandle;
use crate::calls::executable::{ExecutableHandle, LayoutHandle, Layouts};
use crate::entry::{functions, list};
use crate::ffi::ext::layouts::*;
use crate::ffi::*;
use crate::handle::{Bytes, Handle, delete_bytes};
use crate::machine::{ClientHandle, TopologyHandle};
use crate::values::{element, sizes};
use backend::client::layout::{default_layout, to_text};

pub static EXTENSION: Shared<PJRT_Layouts_Extension> = Shared(PJRT_Layouts_Extension {
    base: base::<PJRT_Layouts_Extension>(PJRT_Extension_Type::Layouts, super::shardings::EXTENSION.pointer()),
    PJRT_Layouts_MemoryLayout_Destroy: Some(PJRT_Layouts_MemoryLayout_Destroy),
    PJRT_Layouts_MemoryLayout_Serialize: Some(PJRT_Layouts_MemoryLayout_Serialize),
    PJRT_Layouts_PJRT_Client_GetDefaultLayout: Some(PJRT_Layouts_PJRT_Client_GetDefaultLayout),
    PJRT_Layouts_PJRT_Buffer_MemoryLayout: Some(PJRT_Layouts_PJRT_Buffer_MemoryLayout),
    PJRT_Layouts_PJRT_Topology_GetDefaultLayout: Some(PJRT_Layouts_PJRT_Topology_GetDefaultLayout),
    PJRT_Layouts_PJRT_Executable_GetOutputLayouts: Some(PJRT_Layouts_PJRT_Executable_GetOutputLayouts),
    PJRT_Layouts_PJRT_Executable_GetParameterLayouts: Some(PJRT_Layouts_PJRT_Executable_GetParameterLayouts),
});

functions! {
    fn PJRT_Layouts_MemoryLayout_Destroy(args: PJRT_Layouts_MemoryLayout_Destroy_Args) {
        LayoutHandle::destroy(args.layout);
    }

    fn PJRT_Layouts_MemoryLayout_Serialize(args: PJRT_Layouts_MemoryLayout_Serialize_Args) {
        let bytes = LayoutHandle::borrow(args.layout)?.0.clone().into_bytes();
        (args.serialized_bytes, args.serialized_bytes_size, args.serialized_layout) = Bytes::give(bytes);
        args.serialized_layout_deleter = Some(delete_bytes);
    }

    fn PJRT_Layouts_PJRT_Buffer_MemoryLayout(args: PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args) {
        let layout = &BufferHandle::borrow(args.buffer)?.buffer.ty.layout;
        args.layout = LayoutHandle(to_text(layout)).into_raw();
    }

    fn PJRT_Layouts_PJRT_Client_GetDefaultLayout(args: PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args) {
        ClientHandle::borrow(args.client)?;
        let layout = default_layout(element(args.r#type)?, &sizes(list(args.dims, args.num_dims))?);
        args.layout = LayoutHandle(to_text(&layout)).into_raw();
    }

    fn PJRT_Layouts_PJRT_Topology_GetDefaultLayout(args: PJRT_Layouts_PJRT_Topology_GetDefaultLayout_Args) {
        TopologyHandle::borrow(args.topology_description)?;
        let layout = default_layout(element(args.r#type)?, &sizes(list(args.dims, args.num_dims))?);
        args.layout = LayoutHandle(to_text(&layout)).into_raw();
    }

    fn PJRT_Layouts_PJRT_Executable_GetOutputLayouts(args: PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args) {
        let executable = ExecutableHandle::borrow(args.executable)?;
        let layouts = executable.layouts[1].get_or_init(|| Layouts::of(&executable.program.results));
        args.num_outputs = layouts.pointers.len();
        args.layouts = layouts.pointers.as_ptr().cast_mut().cast();
    }

    fn PJRT_Layouts_PJRT_Executable_GetParameterLayouts(args: PJRT_Layouts_PJRT_Executable_GetParameterLayouts_Args) {
        let executable = ExecutableHandle::borrow(args.executable)?;
        let layouts = executable.layouts[0].get_or_init(|| Layouts::of(&executable.program.parameters));
        args.num_parameters = layouts.pointers.len();
        args.layouts = layouts.pointers.as_ptr().cast_mut().cast();
    }
}
