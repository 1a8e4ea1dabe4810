//! Memory as text for people.

use super::help::helps;
use super::{Buffer, Memory, Role};
use crate::time::Place;
use crate::time::arrays::Memory as Space;
use sim_core::chip::Chip;
use sim_core::hlo::Shape;
use sim_core::hlo::print::shape_text;
use sim_core::{Diagnostic, ErrorKind};

/// `1.23 GiB`, binary, as XLA's own messages have them.
pub fn gib(bytes: u64) -> String {
    for (shift, unit) in [(30, "GiB"), (20, "MiB"), (10, "KiB")] {
        if bytes >= 1 << shift {
            return format!("{:.2} {unit}", bytes as f64 / (1u64 << shift) as f64);
        }
    }
    format!("{bytes} B")
}

impl Role {
    pub fn name(self) -> &'static str {
        match self {
            Role::Argument => "argument",
            Role::Output => "output",
            Role::Aliased => "aliased",
            Role::Temporary => "temporary",
            Role::Constant => "constant",
            Role::Scratch => "scratch",
        }
    }
}

/// `f32[8,128]{1,0:T(8,128)}`; nothing of scratch.
pub fn shape(buffer: &Buffer) -> String {
    buffer.array.as_ref().map_or(String::new(), |a| shape_text(&Shape::Array(a.clone())))
}

/// `model.py:12`: the end of the path is what people look for.
pub fn source(place: &Place) -> String {
    let Some(file) = &place.file else {
        return place.operation.as_deref().unwrap_or_default().to_owned();
    };
    let short = file.rsplit('/').next().unwrap_or(file);
    if place.line > 0 { format!("{short}:{}", place.line) } else { short.to_owned() }
}

/// The sums, one a line: a word, and what it says.
pub fn sums(memory: &Memory, chip: &Chip) -> Vec<(&'static str, String)> {
    let units = chip.units();
    let (capacity, vmem) = (units.hbm.usable_bytes, units.vmem.bytes);
    let percent = |part: u64, of: u64| format!("{:.1} %", 100.0 * part as f64 / of.max(1) as f64);
    let running = match source(&memory.running_place) {
        place if place.is_empty() => format!("%{}", memory.running),
        place => format!("%{}, {place}", memory.running),
    };
    let mut lines = vec![
        (
            "peak",
            format!(
                "{} of {} that programs may have ({})",
                gib(memory.peak),
                gib(capacity),
                percent(memory.peak, capacity)
            ),
        ),
        ("arguments", gib(memory.arguments)),
        (
            "outputs",
            format!("{}, of which {} lie in donated arguments", gib(memory.outputs), gib(memory.aliased)),
        ),
        (
            "temporary",
            format!(
                "{}; {} live at once, at step {} of {} ({running})",
                gib(memory.temporaries),
                gib(memory.alive),
                memory.at,
                memory.steps
            ),
        ),
        ("padding", format!("{} of what is there at the peak", gib(memory.padding))),
        ("constants", gib(memory.constants)),
        ("VMEM", format!("{} of {} at once", gib(memory.vmem_peak), gib(vmem))),
    ];
    if memory.constants == 0 {
        lines.retain(|l| l.0 != "constants");
    }
    lines
}

/// What XLA's compiler says when a program is too large, and more.
pub fn does_not_fit(memory: &Memory, chip: &Chip, capacity: u64, over: u64) -> Diagnostic {
    let mut error = Diagnostic::new(
        ErrorKind::CheckFailed,
        format!(
            "RESOURCE_EXHAUSTED: the program needs {} of HBM, and programs may have {} on a device of {}: {} too much",
            gib(memory.peak),
            gib(capacity),
            chip.name,
            gib(over)
        ),
    )
    .note(format!(
        "arguments {}, outputs {} (of which {} lie in donated arguments), temporaries {}",
        gib(memory.arguments),
        gib(memory.outputs),
        gib(memory.aliased),
        gib(memory.temporaries)
    ));
    for (i, buffer) in memory.at_peak().take(10).enumerate() {
        let place = source(&buffer.place);
        let place = if place.is_empty() { String::new() } else { format!(", {place}") };
        error = error.note(format!(
            "{}. {} {} %{} {}{place}",
            i + 1,
            gib(buffer.bytes),
            buffer.role.name(),
            buffer.name,
            shape(buffer)
        ));
    }
    error.help(helps(memory).join("; "))
}

/// `HBM` or `VMEM`.
pub fn space(buffer: &Buffer) -> &'static str {
    if buffer.space == Space::Vmem { "VMEM" } else { "HBM" }
}
