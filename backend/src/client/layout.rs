//! Layouts as clients see them: libtpu's default for an array ([`hbm::layout`]), and their text.

use super::status::{Result, Status};
pub use hbm::layout::{default_layout, device_bytes};
use sim_core::hlo::Layout;
use sim_core::hlo::print::layout_text;

/// `{1,0:T(8,128)(2,1)}`
pub fn to_text(layout: &Layout) -> String {
    layout_text(layout)
}

/// The layout of such a text.
///
/// # Errors
/// Invalid argument: no layout, with what was expected and where.
pub fn parse(text: &str) -> Result<Layout> {
    crate::frontend::hlo::parse_layout(text).map_err(Status::from)
}

#[cfg(test)]
mod tests;
