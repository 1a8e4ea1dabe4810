//! Files: the module in any of the messages, and what a snapshot recorded.

use super::detect::{self, Message};
use super::message::messages;
use super::schema::*;
use super::{literal, read, text, write};
use prost::Message as _;
use sim_core::hlo::{Attr, HloModule, Key, Literal, Shape, Value};
use sim_core::{Diagnostic, Result};
use std::sync::Arc;

/// A value as it was recorded.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedValue {
    pub value: Literal,
    pub shape: Arc<Shape>,
}

/// A run that a snapshot recorded.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    /// The arguments of each partition: one list, but for snapshots of several.
    pub arguments: Vec<Vec<RecordedValue>>,
    /// What the entry gave. Snapshots of modules before optimization have none.
    pub result: Option<RecordedValue>,
    /// Where it ran: `TPU`.
    pub platform: String,
}

/// What a file holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Contents {
    pub module: HloModule,
    pub recording: Option<Recording>,
}

messages! {
    /// A text: one of the messages that hold a module, by the fields it has.
    AnyText {
        1 hlo_module: message HloModuleProto,
        2 hlo: message HloProto,
        3 arguments: repeated message LiteralProto,
        4 result: message LiteralProto,
        5 execution_platform: string,
        6 partitions: repeated message HloInputs,
        7 version: int32,
    }
}

/// Any of the messages in binary form.
///
/// # Errors
/// Malformed: the bytes end early, or what they say makes no sense. See [`read`](super::read).
pub fn parse(bytes: &[u8]) -> Result<Contents> {
    match detect::detect(bytes) {
        Some(Message::Module) => Ok(Contents { module: read::module(&decode(bytes)?)?, recording: None }),
        Some(Message::Proto) => {
            let proto: HloProto = decode(bytes)?;
            Ok(Contents { module: module(proto.hlo_module.as_deref())?, recording: None })
        }
        Some(Message::Snapshot) => snapshot(decode(bytes)?),
        Some(Message::Unoptimized) => unoptimized(decode(bytes)?, &[]),
        Some(Message::Delimited) => {
            let mut rest = bytes;
            let length = prost::decode_length_delimiter(&mut rest).map_err(malformed)?;
            let Some((metadata, arguments)) = rest.split_at_checked(length) else {
                return Err(Diagnostic::malformed(format!(
                    "the snapshot's message has {length} bytes, and {} follow",
                    rest.len()
                )));
            };
            unoptimized(decode(metadata)?, arguments)
        }
        None => Err(Diagnostic::malformed("these bytes are no protocol buffer of HLO")),
    }
}

fn decode<M: prost::Message + Default>(bytes: &[u8]) -> Result<M> {
    M::decode(bytes).map_err(malformed)
}

fn malformed(e: prost::DecodeError) -> Diagnostic {
    let text = e.to_string();
    let text = text.trim_start_matches("failed to decode Protobuf message: ");
    Diagnostic::malformed(format!("the protocol buffer is cut or damaged: {text}"))
}

/// Any of the messages as text.
///
/// # Errors
/// As [`parse`], with the place where it is one of syntax.
pub fn parse_text(source: &str) -> Result<Contents> {
    if detect::is_module_text(source) {
        let module: HloModuleProto = text::parse(source)?;
        return Ok(Contents { module: read::module(&module)?, recording: None });
    }
    let any: AnyText = text::parse(source)?;
    if any.hlo.is_some() {
        let AnyText { hlo, arguments, result, execution_platform, .. } = any;
        return snapshot(HloSnapshot { hlo, arguments, result, execution_platform });
    }
    if any.partitions.is_empty() && any.version == 0 {
        return Ok(Contents { module: module(any.hlo_module.as_deref())?, recording: None });
    }
    let AnyText { hlo_module, partitions, version, .. } = any;
    unoptimized(HloUnoptimizedSnapshot { hlo_module, partitions, version }, &[])
}

fn module(proto: Option<&HloModuleProto>) -> Result<HloModule> {
    match proto {
        Some(proto) => read::module(proto),
        None => Err(Diagnostic::malformed("there is no `hlo_module`")),
    }
}

fn values(protos: &[LiteralProto], field: &str) -> Result<Vec<RecordedValue>> {
    let one = |(n, proto): (usize, &LiteralProto)| {
        let (value, shape) = literal::read(proto).map_err(|e| e.note(format!("in `{field}` {n}")))?;
        Ok(RecordedValue { value, shape })
    };
    protos.iter().enumerate().map(one).collect()
}

fn snapshot(proto: HloSnapshot) -> Result<Contents> {
    let module = module(proto.hlo.as_ref().and_then(|hlo| hlo.hlo_module.as_deref()))?;
    let arguments = vec![values(&proto.arguments, "arguments")?];
    let result = values(proto.result.as_deref().map_or(&[], std::slice::from_ref), "result")?.pop();
    let recording = Recording { arguments, result, platform: proto.execution_platform };
    Ok(Contents { module, recording: Some(recording) })
}

/// The newest form of snapshots before optimization, and of the arguments behind them.
const NEWEST: i32 = 0;

/// `rest`: the bytes behind the message, which hold the arguments that it describes.
fn unoptimized(proto: HloUnoptimizedSnapshot, mut rest: &[u8]) -> Result<Contents> {
    let version = |n: i32| match n {
        ..=NEWEST => Ok(()),
        _ => Err(Diagnostic::unsupported(format!(
            "version {n} of snapshots is not known, {NEWEST} is the newest"
        ))),
    };
    version(proto.version)?;
    let mut module = module(proto.hlo_module.as_deref())?;
    // XLA's protos do not say for how many devices a module is; the arguments do.
    if proto.partitions.len() > 1 && module.attr(&Key::NumPartitions).is_none() {
        let count = Value::Int(proto.partitions.len() as i64);
        module.attrs.push(Attr { key: Key::NumPartitions, value: count });
    }
    let mut arguments = Vec::new();
    for (p, inputs) in proto.partitions.iter().enumerate() {
        let note = |e: Diagnostic| e.note(format!("in partition {p}"));
        let mut list = values(&inputs.arguments, "arguments").map_err(note)?;
        for (n, described) in inputs.arguments_descriptors.iter().enumerate() {
            version(described.version).map_err(note)?;
            let length = usize::try_from(described.argument_size_bytes).ok();
            let Some((bytes, behind)) = length.and_then(|n| rest.split_at_checked(n)) else {
                return Err(note(Diagnostic::malformed(format!(
                    "argument {n} has {} bytes (`argument_size_bytes`), and {} follow",
                    described.argument_size_bytes,
                    rest.len()
                ))));
            };
            rest = behind;
            let (value, shape) =
                super::serialized::read(bytes).map_err(|e| note(e.note(format!("in argument {n}"))))?;
            list.push(RecordedValue { value, shape });
        }
        arguments.push(list);
    }
    if !rest.is_empty() {
        return Err(Diagnostic::malformed(format!(
            "{} bytes follow the snapshot's last argument",
            rest.len()
        )));
    }
    Ok(Contents { module, recording: Some(Recording { arguments, result: None, platform: String::new() }) })
}

/// What to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `HloProto`, as XLA dumps it: `module_0000.hlo.pb`.
    Binary,
    /// The same as text.
    Text,
    /// `HloModuleProto` alone, which programs hand to each other.
    Module,
}

/// The module in that form.
///
/// # Errors
/// See [`write`](super::write).
pub fn encode(module: &HloModule, form: Form) -> Result<Vec<u8>> {
    let module = write::module(module)?;
    if form == Form::Module {
        return Ok(module.encode_to_vec());
    }
    let proto = HloProto { hlo_module: Some(Box::new(module)) };
    Ok(if form == Form::Binary { proto.encode_to_vec() } else { text::print(&proto).into_bytes() })
}

/// The module and a run of it as `HloSnapshot`, which is of one partition.
///
/// # Errors
/// See [`write`](super::write); unsupported, where the recording is of several partitions.
pub fn encode_snapshot(module: &HloModule, recording: &Recording, form: Form) -> Result<Vec<u8>> {
    let [arguments] = &recording.arguments[..] else {
        return Err(Diagnostic::unsupported(format!(
            "a snapshot holds the arguments of one partition, not of {}",
            recording.arguments.len()
        ))
        .help("a snapshot of a module before optimization holds those of several"));
    };
    let hlo = HloProto { hlo_module: Some(Box::new(write::module(module)?)) };
    let snapshot = HloSnapshot {
        hlo: Some(Box::new(hlo)),
        arguments: written(arguments)?,
        result: recording.result.as_ref().map(written_one).transpose()?.map(Box::new),
        execution_platform: recording.platform.clone(),
    };
    Ok(encoded(&snapshot, form))
}

/// The module and the arguments of every partition as `HloUnoptimizedSnapshot`, which has no place for a result or a
/// platform. The arguments stand in the message itself, not behind it.
///
/// # Errors
/// See [`write`](super::write); unsupported, where the recording has a result.
pub fn encode_unoptimized_snapshot(module: &HloModule, recording: &Recording, form: Form) -> Result<Vec<u8>> {
    if recording.result.is_some() {
        return Err(Diagnostic::unsupported("a snapshot of a module before optimization holds no result")
            .help("a snapshot of one partition does"));
    }
    let inputs = |arguments: &Vec<RecordedValue>| -> Result<HloInputs> {
        Ok(HloInputs { arguments: written(arguments)?, ..HloInputs::default() })
    };
    let snapshot = HloUnoptimizedSnapshot {
        hlo_module: Some(Box::new(write::module(module)?)),
        partitions: recording.arguments.iter().map(inputs).collect::<Result<_>>()?,
        version: NEWEST,
    };
    Ok(encoded(&snapshot, form))
}

fn written_one(v: &RecordedValue) -> Result<LiteralProto> {
    literal::write(&v.value, &v.shape).ok_or_else(|| Diagnostic::invalid("a recorded value was left out"))
}

fn written(values: &[RecordedValue]) -> Result<Vec<LiteralProto>> {
    values.iter().map(written_one).collect()
}

fn encoded<M: super::message::Text + prost::Message>(message: &M, form: Form) -> Vec<u8> {
    if form == Form::Text { text::print(message).into_bytes() } else { message.encode_to_vec() }
}
