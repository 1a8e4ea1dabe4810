//! `tpusim run --memory report`: what a program takes of the chip's memory, and whether that is there.

use super::TimingArgs;
use crate::cli::chips::table;
use crate::cli::emit;
use backend::memory::report::{shape, source, space, sums};
use backend::memory::{self, Buffer, Memory, help};
use serde_json::{Value as Json, json};
use sim_core::chip::Chip;
use sim_core::hlo::HloModule;
use sim_core::{Diagnostic, Result};
use std::collections::HashSet;
use std::fmt::Write as _;

/// Buffers in the JSON object, the largest first.
const JSON_BUFFERS: usize = 1000;

/// What the memory of a program came to.
pub struct DeviceMemory {
    pub chip: Chip,
    pub memory: Memory,
    /// Buffers in the table.
    shown: usize,
}

impl TimingArgs {
    /// The memory of a module, if that is asked for.
    ///
    /// # Errors
    /// It is not scheduled, or not what it should be.
    pub fn memory(&self, module: &HloModule) -> Result<Option<DeviceMemory>> {
        if self.memory.is_none() {
            return Ok(None);
        }
        let memory = memory::analyze(module)?;
        let shown = if self.kernels == 0 { usize::MAX } else { self.kernels };
        Ok(Some(DeviceMemory { chip: self.chip()?, memory, shown }))
    }
}

impl DeviceMemory {
    /// # Errors
    /// The program is too large for the chip.
    pub fn fits(&self) -> Result<()> {
        self.memory.fits(&self.chip)
    }

    /// Prints it for people.
    ///
    /// # Errors
    /// Standard output does not take it.
    /// As text; behind a program in HLO as a comment.
    pub fn print(&self, comment: bool) -> Result<(), Diagnostic> {
        let text = self.text();
        emit(if comment { super::commented(&text) } else { text })
    }

    fn live_at_peak(&self) -> HashSet<*const Buffer> {
        self.memory.at_peak().map(std::ptr::from_ref).collect()
    }

    fn text(&self) -> String {
        let (memory, live) = (&self.memory, self.live_at_peak());
        let mut out = format!("memory of {}\n", self.chip.name);
        for (name, text) in sums(memory, &self.chip) {
            let _ = writeln!(out, "{name:<10} {text}");
        }
        let mut rows = table(&[
            "buffer", "memory", "for", "bytes", "padding", "from", "until", "at peak", "type", "source",
        ]);
        for i in 3..=6 {
            if let Some(column) = rows.column_mut(i) {
                column.set_cell_alignment(comfy_table::CellAlignment::Right);
            }
        }
        for buffer in memory.buffers.iter().take(self.shown) {
            rows.add_row([
                buffer.name.to_string(),
                space(buffer).to_owned(),
                buffer.role.name().to_owned(),
                buffer.bytes.to_string(),
                if buffer.padding > 0 { buffer.padding.to_string() } else { String::new() },
                buffer.from.to_string(),
                buffer.until.to_string(),
                if live.contains(&std::ptr::from_ref(buffer)) { "yes" } else { "" }.to_owned(),
                shape(buffer),
                source(&buffer.place),
            ]);
        }
        if !memory.buffers.is_empty() {
            let _ = writeln!(out);
            for line in rows.lines() {
                let _ = writeln!(out, "{}", line.trim_end().trim_start_matches(' '));
            }
        }
        if memory.buffers.len() > self.shown {
            let _ = writeln!(
                out,
                "and {} smaller ones (--kernels 0 shows all)",
                memory.buffers.len() - self.shown
            );
        }
        out.truncate(out.trim_end().len());
        out
    }

    /// The object `memory` of a timing (docs/run-summary.md).
    pub fn json(&self) -> Json {
        let (memory, live) = (&self.memory, self.live_at_peak());
        let units = self.chip.units();
        let fits = self.fits().is_ok();
        json!({
            "chip": self.chip.name,
            "capacity_bytes": units.hbm.usable_bytes,
            "fits": fits,
            "peak_bytes": memory.peak,
            "argument_bytes": memory.arguments,
            "output_bytes": memory.outputs,
            "aliased_bytes": memory.aliased,
            "temporary_bytes": memory.temporaries,
            "alive_bytes": memory.alive,
            "constant_bytes": memory.constants,
            "padding_bytes": memory.padding,
            "vmem_bytes": units.vmem.bytes,
            "vmem_peak_bytes": memory.vmem_peak,
            "steps": memory.steps,
            "peak_step": memory.at,
            "peak_instruction": &*memory.running,
            "helps": if fits { Vec::new() } else { help::helps(memory) },
            "unlisted_buffers": memory.buffers.len().saturating_sub(JSON_BUFFERS),
            "buffers": memory.buffers.iter().take(JSON_BUFFERS).map(|b| json!({
                "name": &*b.name,
                "memory": space(b),
                "role": b.role,
                "type": shape(b),
                "bytes": b.bytes,
                "padding_bytes": b.padding,
                "from": b.from,
                "until": b.until,
                "offset": b.offset,
                "at_peak": live.contains(&std::ptr::from_ref(b)),
                "op_name": b.place.operation.as_deref(),
                "source_file": b.place.file.as_deref(),
                "source_line": (b.place.line > 0).then_some(b.place.line),
            })).collect::<Vec<_>>(),
        })
    }
}
