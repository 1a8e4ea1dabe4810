//! Rows of attention, of caches of keys and values, and of steps of whole models.

use super::kinds::{Answer, Asked};
use super::text::{leading, named};
use super::{Class, Measured, Part, out};
use crate::program::{self, Attention, Model, Read};

/// Reads of a cache of keys and values, and attention to it without a kernel: `S=2048 B=32 GQA 32/8 hd128 page16`.
pub(super) fn cache(r: &Asked) -> Answer {
    let (shape, element) = (&r.row.shape, r.element()?);
    let (Some(s), Some(b)) = (named(shape, "S"), named(shape, "B")) else {
        return out(format!("the shape is not stated (`{shape}`)"));
    };
    let heads =
        shape.split_once("GQA ").and_then(|(_, t)| Some((leading(t)?, leading(t.split_once('/')?.1)?)));
    let (heads, kv) = heads.unwrap_or((32, 8));
    let (head, page) = (named(shape, "hd").unwrap_or(128), named(shape, "page").unwrap_or(16));
    if [s, b, heads, kv, head, page].contains(&0) || heads % kv != 0 {
        return out(format!("the shape is not one of grouped heads (`{shape}`)"));
    }
    let bytes = [b, kv, s, head, element.bytes()].map(|n| n as f64).iter().product::<f64>();
    let bytes = Some(2.0 * bytes);
    let read = |how| {
        r.chain(if how == Read::Contiguous { Class::Reduction } else { Class::Copy }, None, bytes, |length| {
            program::read_cache(how, element, [b, s, kv, head, page], length)
        })
    };
    if r.workload.contains("dense") {
        r.chain(Class::Attention, None, bytes, |length| {
            program::dense_attention(element, [b, s, heads, kv, head], length)
        })
    } else if r.workload.contains("contiguous_read") {
        read(Read::Contiguous)
    } else if r.workload.contains("gather_only") {
        read(Read::Table)
    } else if r.workload.contains("gather_seq") {
        read(Read::Sequential)
    } else {
        out("no program is known for this variant")
    }
}

/// Layers of the program that stands for a model's: enough that what one fetches while another computes is in it.
const LAYERS: u64 = 4;

/// Tokens that one program of vLLM takes at most.
const TOKENS_AT_ONCE: u64 = 8192;

/// `Qwen3-8B prefill step`, `…: MLP class time`: `ctx=512 batch=4`.
pub(super) fn step(r: &Asked) -> Answer {
    let shape = &r.row.shape;
    let Some(model) = Model::named(r.workload) else { return out("the model is not known here") };
    let (Some(context), Some(batch)) = (named(shape, "ctx"), named(shape, "batch")) else {
        return out(format!("the shape is not stated (`{shape}`)"));
    };
    if context == 0 || batch == 0 || context.max(batch) > 1 << 24 {
        return out(format!("the shape is not one of tokens (`{shape}`)"));
    }
    let decode = r.workload.contains("decode");
    // Tokens are padded to a bucket, and a prompt of more than fit one program is run in pieces.
    let all = if decode { batch } else { context * batch };
    let tokens = all.min(TOKENS_AT_ONCE).next_power_of_two().max(16);
    let pieces = all.div_ceil(TOKENS_AT_ONCE) as f64;
    let part = |program, times| Part { program, times, measured: Measured::Whole };
    if r.workload.contains("mlp class") {
        let parts = vec![part(program::mlp(&model, tokens, model.layers), pieces)];
        return r.made(Class::Step, parts, 0.0, r.quantity(None, None)?);
    }
    if r.workload.contains("class") {
        return out("no program is known for this class of a step's work");
    }
    // Prompts are padded too, and one of more than a program's tokens is attended to in pieces of that many.
    let attention = if decode {
        Attention::Decode { sequences: batch, cached: context }
    } else {
        Attention::Prefill { length: context.next_power_of_two().min(tokens) }
    };
    let runs = pieces * model.layers as f64 / LAYERS as f64;
    let parts = vec![
        part(program::layers(&model, tokens, LAYERS, attention), runs),
        part(program::head(&model, batch.next_power_of_two().max(8)), 1.0),
    ];
    let mut made = r.made(Class::Step, parts, r.floor(), r.quantity(None, None)?)?;
    made.note = Some(if decode {
        "attention is plain XLA on caches that lie in one piece, where a kernel on pages ran"
    } else {
        "attention is plain XLA in blocks whose scores stay in VMEM, where a kernel ran"
    });
    Ok(made)
}
