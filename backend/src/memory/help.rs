//! What would make a program smaller: only what applies to it.

use super::{Memory, Role};
use sim_core::ElementType;

/// Sentences without a capital, the most helpful first.
pub fn helps(memory: &Memory) -> Vec<String> {
    let mut all = Vec::new();
    all.extend(donate(memory));
    all.extend(long_lived(memory));
    all.extend(padding(memory));
    all.extend(wide(memory));
    let shares = if memory.partitions > 1 { "over more devices" } else { "over several devices" };
    let most = if memory.arguments >= memory.temporaries { "arguments" } else { "temporaries" };
    all.push(format!(
        "shard the program {shares}: {most} take {} of each now",
        super::report::gib(memory.arguments.max(memory.temporaries))
    ));
    all
}

/// Arguments of an output's shape and layout that are not donated.
fn donate(memory: &Memory) -> Option<String> {
    let mut free: Vec<_> = memory.at_peak().filter(|b| b.role == Role::Output).collect();
    let (mut bytes, mut names) = (0u64, Vec::new());
    // Which of the arguments are donated shows in what is aliased; of alike ones, so many are.
    let mut donated: Vec<_> = memory.buffers.iter().filter(|b| b.role == Role::Aliased).collect();
    for argument in memory.at_peak().filter(|b| b.role == Role::Argument) {
        if let Some(i) = donated.iter().position(|b| b.array == argument.array) {
            donated.swap_remove(i);
        } else if let Some(i) = free.iter().position(|b| b.array == argument.array) {
            free.swap_remove(i);
            bytes = bytes.saturating_add(argument.bytes);
            names.push(&*argument.name);
        }
    }
    let shown = names.iter().take(3).copied().collect::<Vec<_>>().join(", ");
    let more = if names.len() > 3 { format!(" and {} more", names.len() - 3) } else { String::new() };
    (bytes > memory.peak / 100).then(|| {
        format!(
            "donate {shown}{more} (jax.jit's donate_argnums): outputs of their shapes could lie in them, which saves {}",
            super::report::gib(bytes)
        )
    })
}

/// Temporaries that are kept for a quarter of the program: what checkpointing computes again.
fn long_lived(memory: &Memory) -> Option<String> {
    // In a handful of steps nothing is kept long.
    let long = (memory.steps / 4).max(8);
    let kept = memory.at_peak().filter(|b| b.role == Role::Temporary && b.until - b.from >= long);
    let bytes = kept.fold(0u64, |n, b| n.saturating_add(b.bytes));
    (bytes > memory.peak / 10).then(|| {
        format!(
            "compute again what is kept long (jax.checkpoint): {} of what lives at the peak lives for a quarter of the program or more",
            super::report::gib(bytes)
        )
    })
}

fn padding(memory: &Memory) -> Option<String> {
    let worst = memory.at_peak().max_by_key(|b| b.padding)?;
    (memory.padding > memory.peak / 10).then(|| {
        format!(
            "{} is padding, most of it of %{}: make its minor dimensions multiples of the tile, or put a larger one last",
            super::report::gib(memory.padding),
            worst.name
        )
    })
}

fn wide(memory: &Memory) -> Option<String> {
    let is_wide = |e: ElementType| e.is_float() && e.bits() >= 32;
    let wide = memory.at_peak().filter(|b| b.array.as_ref().is_some_and(|a| is_wide(a.element)));
    let bytes = wide.fold(0u64, |n, b| n.saturating_add(b.bytes));
    (bytes > memory.peak / 4).then(|| {
        format!(
            "use bf16 where f32 is not needed: {} of what lives at the peak is f32",
            super::report::gib(bytes)
        )
    })
}
