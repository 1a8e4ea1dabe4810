//! Perfetto's protocol buffer: a `Trace` of `TracePacket`s with track events.
//!
//! Messages are declared with those of their fields that are written here; numbers are those of Perfetto's `trace_packet.proto`,
//! `track_descriptor.proto`, `track_event.proto`, `counter_descriptor.proto`, `debug_annotation.proto` and `interned_data.proto`.
//! Times are nanoseconds, Perfetto's unit; shorter ones round.

use super::{Event, Line, Sample, Timeline, source};
use prost::Message;
use sim_core::engine::Time;
use std::collections::HashMap;
use std::io::{self, Write};

#[derive(Clone, PartialEq, Message)]
struct Packet {
    #[prost(uint64, optional, tag = "8")]
    timestamp: Option<u64>,
    #[prost(uint32, optional, tag = "10")]
    trusted_packet_sequence_id: Option<u32>,
    #[prost(message, optional, tag = "11")]
    track_event: Option<TrackEvent>,
    #[prost(message, optional, tag = "12")]
    interned_data: Option<InternedData>,
    #[prost(uint32, optional, tag = "13")]
    sequence_flags: Option<u32>,
    #[prost(message, optional, tag = "60")]
    track_descriptor: Option<TrackDescriptor>,
}

#[derive(Clone, PartialEq, Message)]
struct InternedData {
    #[prost(message, repeated, tag = "2")]
    event_names: Vec<EventName>,
}

#[derive(Clone, PartialEq, Message)]
struct EventName {
    #[prost(uint64, optional, tag = "1")]
    iid: Option<u64>,
    #[prost(string, optional, tag = "2")]
    name: Option<String>,
}

#[derive(Clone, PartialEq, Message)]
struct TrackDescriptor {
    #[prost(uint64, optional, tag = "1")]
    uuid: Option<u64>,
    #[prost(string, optional, tag = "2")]
    name: Option<String>,
    #[prost(uint64, optional, tag = "5")]
    parent_uuid: Option<u64>,
    #[prost(message, optional, tag = "8")]
    counter: Option<CounterDescriptor>,
    #[prost(int32, optional, tag = "11")]
    child_ordering: Option<i32>,
    #[prost(int32, optional, tag = "12")]
    sibling_order_rank: Option<i32>,
}

#[derive(Clone, PartialEq, Message)]
struct CounterDescriptor {
    #[prost(string, optional, tag = "6")]
    unit_name: Option<String>,
}

#[derive(Clone, PartialEq, Message)]
struct TrackEvent {
    #[prost(message, repeated, tag = "4")]
    debug_annotations: Vec<Annotation>,
    #[prost(int32, optional, tag = "9")]
    kind: Option<i32>,
    #[prost(uint64, optional, tag = "10")]
    name_iid: Option<u64>,
    #[prost(uint64, optional, tag = "11")]
    track_uuid: Option<u64>,
    #[prost(double, optional, tag = "44")]
    double_counter_value: Option<f64>,
}

#[derive(Clone, PartialEq, Message)]
struct Annotation {
    #[prost(uint64, optional, tag = "3")]
    uint_value: Option<u64>,
    #[prost(double, optional, tag = "5")]
    double_value: Option<f64>,
    #[prost(string, optional, tag = "6")]
    string_value: Option<String>,
    #[prost(string, optional, tag = "10")]
    name: Option<String>,
}

/// Of `TrackEvent.Type`.
const SLICE_BEGIN: i32 = 1;
const SLICE_END: i32 = 2;
const COUNTER: i32 = 4;
/// Of `TracePacket.SequenceFlags`.
const INCREMENTAL_STATE_CLEARED: u32 = 1;
const NEEDS_INCREMENTAL_STATE: u32 = 2;
/// Of `TrackDescriptor.ChildTracksOrdering`: by `sibling_order_rank`.
const EXPLICIT: i32 = 3;
const SEQUENCE: u32 = 1;
/// The device, and counters; lines have the numbers behind.
const DEVICE: u64 = 1;
const BANDWIDTH: u64 = 2;
const LIVE: u64 = 3;
const LINES: u64 = 1000;

/// `Trace.packet` is field 1, a message.
const PACKET: u8 = 1 << 3 | 2;

struct Writer<'w, W> {
    out: &'w mut W,
    buffer: Vec<u8>,
}

impl<W: Write> Writer<'_, W> {
    fn packet(&mut self, packet: &Packet) -> io::Result<()> {
        self.buffer.clear();
        self.buffer.push(PACKET);
        // A vector takes all that is written.
        prost::encoding::encode_varint(packet.encoded_len() as u64, &mut self.buffer);
        let _ = packet.encode(&mut self.buffer);
        self.out.write_all(&self.buffer)
    }

    fn track(&mut self, track: TrackDescriptor) -> io::Result<()> {
        self.packet(&Packet {
            trusted_packet_sequence_id: Some(SEQUENCE),
            track_descriptor: Some(track),
            ..Packet::default()
        })
    }

    fn event(&mut self, at: Time, event: TrackEvent, interned: Option<EventName>) -> io::Result<()> {
        self.packet(&Packet {
            timestamp: Some(nanoseconds(at)),
            trusted_packet_sequence_id: Some(SEQUENCE),
            interned_data: interned.map(|name| InternedData { event_names: vec![name] }),
            sequence_flags: Some(NEEDS_INCREMENTAL_STATE),
            track_event: Some(event),
            ..Packet::default()
        })
    }

    fn samples(&mut self, track: u64, samples: &[Sample]) -> io::Result<()> {
        for sample in samples {
            let event = TrackEvent {
                kind: Some(COUNTER),
                track_uuid: Some(track),
                double_counter_value: Some(sample.value),
                ..TrackEvent::default()
            };
            self.event(sample.at, event, None)?;
        }
        Ok(())
    }
}

fn nanoseconds(at: Time) -> u64 {
    (at.ps() + 500) / 1000
}

fn uuid(line: Line) -> u64 {
    LINES + line.rank()
}

impl Timeline<'_> {
    /// Writes the protocol buffer.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_perfetto(&self, out: &mut impl Write) -> io::Result<()> {
        let mut writer = Writer { out, buffer: Vec::new() };
        writer.packet(&Packet {
            trusted_packet_sequence_id: Some(SEQUENCE),
            sequence_flags: Some(INCREMENTAL_STATE_CLEARED),
            ..Packet::default()
        })?;
        let device = TrackDescriptor {
            uuid: Some(DEVICE),
            name: Some("TPU (simulated)".into()),
            child_ordering: Some(EXPLICIT),
            ..TrackDescriptor::default()
        };
        writer.track(device)?;
        for (i, &line) in self.lines.iter().enumerate() {
            writer.track(TrackDescriptor {
                uuid: Some(uuid(line)),
                name: Some(line.name()),
                parent_uuid: Some(DEVICE),
                sibling_order_rank: Some(i as i32),
                ..TrackDescriptor::default()
            })?;
        }
        for (id, name, unit, samples) in
            [(BANDWIDTH, "HBM", "GB/s", &self.bandwidth), (LIVE, "live bytes", "B", &self.live)]
        {
            writer.track(TrackDescriptor {
                uuid: Some(id),
                name: Some(name.into()),
                parent_uuid: Some(DEVICE),
                counter: Some(CounterDescriptor { unit_name: Some(unit.into()) }),
                sibling_order_rank: Some(1000 + id as i32),
                ..TrackDescriptor::default()
            })?;
            writer.samples(id, samples)?;
        }
        self.slices(&mut writer)
    }

    fn slices<W: Write>(&self, writer: &mut Writer<'_, W>) -> io::Result<()> {
        let mut names: HashMap<&str, u64> = HashMap::new();
        // Ends come before beginnings of the same time and line, inner ones first.
        let mut ends: std::collections::BinaryHeap<
            std::cmp::Reverse<(Time, std::cmp::Reverse<usize>, Line)>,
        > = std::collections::BinaryHeap::new();
        for (i, event) in self.events.iter().enumerate() {
            while let Some(&std::cmp::Reverse((at, _, line))) = ends.peek().filter(|e| e.0.0 <= event.start) {
                ends.pop();
                end(writer, at, line)?;
            }
            let next = names.len() as u64 + 1;
            let id = *names.entry(&event.item.name).or_insert(next);
            let interned =
                (id == next).then(|| EventName { iid: Some(id), name: Some(event.item.name.to_string()) });
            let begin = TrackEvent {
                debug_annotations: annotations(event),
                kind: Some(SLICE_BEGIN),
                name_iid: Some(id),
                track_uuid: Some(uuid(event.line)),
                ..TrackEvent::default()
            };
            writer.event(event.start, begin, interned)?;
            ends.push(std::cmp::Reverse((event.start + event.length, std::cmp::Reverse(i), event.line)));
        }
        while let Some(std::cmp::Reverse((at, _, line))) = ends.pop() {
            end(writer, at, line)?;
        }
        Ok(())
    }
}

fn end<W: Write>(writer: &mut Writer<'_, W>, at: Time, line: Line) -> io::Result<()> {
    let event = TrackEvent { kind: Some(SLICE_END), track_uuid: Some(uuid(line)), ..TrackEvent::default() };
    writer.event(at, event, None)
}

fn annotations(event: &Event<'_>) -> Vec<Annotation> {
    let text = |name: &str, value: String| Annotation {
        name: Some(name.into()),
        string_value: Some(value),
        ..Annotation::default()
    };
    let count = |name: &str, value: u64| Annotation {
        name: Some(name.into()),
        uint_value: Some(value),
        ..Annotation::default()
    };
    let kernel = &event.item.kernel;
    let mut all = Vec::new();
    // The units' lines repeat what the core's line says.
    if matches!(event.line, Line::Of(_)) {
        return all;
    }
    all.extend(source(event.item).map(|s| text("source", s)));
    all.extend(event.item.place.operation.as_ref().map(|o| text("op_name", o.to_string())));
    if event.line != Line::Program {
        all.push(text("bound", kernel.bound.name().into()));
        all.push(count("hbm_read_bytes", kernel.read));
        all.push(count("hbm_written_bytes", kernel.written));
        all.push(Annotation {
            name: Some("flops".into()),
            double_value: Some(kernel.flops),
            ..Annotation::default()
        });
        all.extend(kernel.estimate.map(|e| text("estimated", e.into())));
    }
    all
}
