//! Memories of a device, what lies in them, and what happens when they are full.

use super::status::{Result, Status};
use std::collections::HashMap;
use std::fmt::Write;
use std::sync::{Arc, Mutex, MutexGuard};

/// What a memory is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MemoryKind {
    /// High bandwidth memory of the device.
    Device,
    /// The host's, locked in place so that the device can read it by itself.
    PinnedHost,
    /// The host's.
    UnpinnedHost,
}

impl MemoryKind {
    pub const ALL: [MemoryKind; 3] = [MemoryKind::Device, MemoryKind::PinnedHost, MemoryKind::UnpinnedHost];

    /// As JAX calls it.
    pub fn name(self) -> &'static str {
        match self {
            MemoryKind::Device => "device",
            MemoryKind::PinnedHost => "pinned_host",
            MemoryKind::UnpinnedHost => "unpinned_host",
        }
    }

    /// The number that libtpu 0.0.52 gives the kind, as observed.
    pub fn id(self) -> i32 {
        match self {
            MemoryKind::Device => -569_941_144,
            MemoryKind::PinnedHost => -1_650_963_262,
            MemoryKind::UnpinnedHost => -2_062_524_483,
        }
    }

    pub fn named(name: &str) -> Option<MemoryKind> {
        MemoryKind::ALL.into_iter().find(|k| k.name() == name)
    }
}

/// One memory of one device, and what lies in it. Bytes are those that the device's layouts take.
pub struct Memory {
    /// Unique among all memories of a client.
    pub id: i32,
    pub kind: MemoryKind,
    /// The device's place among the client's devices.
    pub device: usize,
    /// Most bytes it holds; `u64::MAX` for the host's.
    pub limit: u64,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    stats: Stats,
    next: u64,
    live: HashMap<u64, Entry>,
}

struct Entry {
    bytes: u64,
    what: Arc<str>,
}

/// How full a memory is, and was. Bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    pub in_use: u64,
    pub peak: u64,
    /// Allocations so far.
    pub allocations: u64,
    pub largest: u64,
}

/// Bytes taken, until it is dropped.
pub struct Allocation {
    memory: Arc<Memory>,
    bytes: u64,
    key: u64,
}

impl Allocation {
    /// Is it exactly so many bytes of that memory?
    pub fn is_of(&self, memory: &Arc<Memory>, bytes: u64) -> bool {
        Arc::ptr_eq(&self.memory, memory) && self.bytes == bytes
    }
}

impl Memory {
    pub fn new(id: i32, kind: MemoryKind, device: usize, limit: u64) -> Memory {
        Memory { id, kind, device, limit, state: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|e| e.into_inner())
    }

    pub fn stats(&self) -> Stats {
        self.lock().stats
    }

    /// The peak is from here on that of what follows.
    pub fn clear_stats(&self) {
        let mut state = self.lock();
        state.stats = Stats { in_use: state.stats.in_use, peak: state.stats.in_use, ..Stats::default() };
    }

    /// Takes `bytes` for `what` (`f32[1024,1024]`).
    ///
    /// # Errors
    /// `RESOURCE_EXHAUSTED` with what is largest in it.
    pub fn allocate(self: &Arc<Memory>, bytes: u64, what: &Arc<str>) -> Result<Allocation> {
        let mut state = self.lock();
        let in_use = state.stats.in_use.saturating_add(bytes);
        if in_use > self.limit {
            return Err(Status::exhausted(self.full(&state, bytes, what)));
        }
        let stats = &mut state.stats;
        stats.in_use = in_use;
        stats.peak = stats.peak.max(in_use);
        stats.allocations += 1;
        stats.largest = stats.largest.max(bytes);
        let key = state.next;
        state.next += 1;
        state.live.insert(key, Entry { bytes, what: what.clone() });
        Ok(Allocation { memory: self.clone(), bytes, key })
    }

    fn full(&self, state: &State, bytes: u64, what: &str) -> String {
        let free = self.limit.saturating_sub(state.stats.in_use);
        let mut text = format!(
            "out of {} memory on device {}: {what} takes {}, and {} of {} are free",
            self.kind.name(),
            self.device,
            gib(bytes),
            gib(free),
            gib(self.limit)
        );
        let mut live: Vec<&Entry> = state.live.values().collect();
        live.sort_by(|a, b| b.bytes.cmp(&a.bytes).then_with(|| a.what.cmp(&b.what)));
        if !live.is_empty() {
            let _ = write!(text, "\n  the largest of {} buffers in it:", live.len());
        }
        for e in live.iter().take(10) {
            let _ = write!(text, "\n    {:>10}  {}", gib(e.bytes), e.what);
        }
        text.push_str(
            "\n  help: delete or donate what is not needed, or simulate a larger machine (TPUSIM_TOPOLOGY)",
        );
        text
    }
}

impl Drop for Allocation {
    fn drop(&mut self) {
        let mut state = self.memory.lock();
        if let Some(e) = state.live.remove(&self.key) {
            state.stats.in_use -= e.bytes;
        }
    }
}

/// `15.75 GiB`, `1.50 MiB`, `12 B`
pub fn gib(bytes: u64) -> String {
    const UNITS: [(&str, u32); 3] = [("GiB", 30), ("MiB", 20), ("KiB", 10)];
    match UNITS.into_iter().find(|u| bytes >> u.1 > 0) {
        Some((unit, shift)) => format!("{:.2} {unit}", bytes as f64 / (1u64 << shift) as f64),
        None => format!("{bytes} B"),
    }
}

/// A limit of memory as people write it: `1000000`, `512MiB`, `8G`: units are powers of 1024.
///
/// # Errors
/// In words, what was expected.
pub fn parse_bytes(text: &str) -> std::result::Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let unit = match text[digits.len()..].trim().to_ascii_lowercase().as_str() {
        "" | "b" => 0,
        "k" | "kb" | "kib" => 10,
        "m" | "mb" | "mib" => 20,
        "g" | "gb" | "gib" => 30,
        "t" | "tb" | "tib" => 40,
        other => return Err(format!("unknown unit '{other}': use KiB, MiB, GiB or TiB")),
    };
    let n: u64 = digits.parse().map_err(|_| "expected a number of bytes, such as 8GiB".to_owned())?;
    n.checked_mul(1 << unit).ok_or_else(|| "more than 2^64 bytes".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::status::Code;

    #[test]
    fn full_memories_say_what_is_largest() {
        let memory = Arc::new(Memory::new(0, MemoryKind::Device, 3, 1 << 20));
        let (small, large): (Arc<str>, Arc<str>) = ("f32[1024]".into(), "f32[512,384]".into());
        let _a = memory.allocate(4096, &small).expect("fits");
        let b = memory.allocate(786_432, &large).expect("fits");
        let e = memory.allocate(786_432, &large).err().expect("does not fit");
        assert_eq!(e.code, Code::ResourceExhausted);
        assert!(
            e.message.starts_with("out of device memory on device 3: f32[512,384] takes 768.00 KiB"),
            "{e}"
        );
        assert!(e.message.find("f32[512,384]\n") < e.message.find("f32[1024]"), "{e}");
        drop(b);
        let stats = memory.stats();
        assert_eq!((stats.in_use, stats.peak, stats.allocations, stats.largest), (4096, 790_528, 2, 786_432));
        memory.clear_stats();
        assert_eq!(memory.stats().peak, 4096);
    }

    #[test]
    fn sizes_with_units() {
        assert_eq!(parse_bytes("123"), Ok(123));
        assert_eq!(parse_bytes("8GiB"), Ok(8 << 30));
        assert_eq!(parse_bytes("2k"), Ok(2048));
        assert!(parse_bytes("99999999999T").is_err());
        assert!(parse_bytes("GiB").is_err());
        assert!(parse_bytes("1 parsec").is_err());
    }
}
