//! The plugin as a whole.

use super::*;

c_structs! {
    /// Called once, before anything else.
    PJRT_Plugin_Initialize_Args {}
    /// The attributes live as long as the plugin.
    PJRT_Plugin_Attributes_Args { => attributes: *const PJRT_NamedValue, num_attributes: usize }
}
