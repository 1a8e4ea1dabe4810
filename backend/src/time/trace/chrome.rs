//! Chrome's trace events: `{"traceEvents":[…]}`, times in microseconds
//! (<https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU>, "Trace Event Format").

use super::{Event, Sample, Timeline, source};
use crate::time::trace::Line;
use serde_json::json;
use sim_core::engine::Time;
use std::io::{self, Write};

impl Timeline<'_> {
    /// Writes the JSON form.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_chrome(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(b"{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n")?;
        let name = json!({"ph":"M","pid":1,"name":"process_name","args":{"name":"TPU (simulated)"}});
        write!(out, "{name}")?;
        for line in &self.lines {
            let tid = line.rank();
            let name = json!({"ph":"M","pid":1,"tid":tid,"name":"thread_name","args":{"name":line.name()}});
            let order =
                json!({"ph":"M","pid":1,"tid":tid,"name":"thread_sort_index","args":{"sort_index":tid}});
            write!(out, ",\n{name},\n{order}")?;
        }
        for event in &self.events {
            write!(out, ",\n{}", slice(event))?;
        }
        for (name, samples) in [("HBM GB/s", &self.bandwidth), ("live bytes", &self.live)] {
            for sample in samples {
                write!(out, ",\n{}", counter(name, sample))?;
            }
        }
        out.write_all(b"\n]}\n")
    }
}

/// Picoseconds are kept: a double holds them up to some hours.
fn us(time: Time) -> f64 {
    time.us()
}

fn slice(event: &Event<'_>) -> serde_json::Value {
    let kernel = &event.item.kernel;
    let control = event.line == Line::Program;
    let mut args = json!({ "opcode": event.item.opcode });
    if let Some(args) = args.as_object_mut() {
        if let Some(operation) = &event.item.place.operation {
            args.insert("op_name".into(), json!(**operation));
        }
        if let Some(source) = source(event.item) {
            args.insert("source".into(), json!(source));
        }
        if !control {
            args.insert("bound".into(), json!(kernel.bound.name()));
            args.insert("flops".into(), json!(kernel.flops));
            args.insert("hbm_read_bytes".into(), json!(kernel.read));
            args.insert("hbm_written_bytes".into(), json!(kernel.written));
        }
        if let Some(estimate) = kernel.estimate {
            args.insert("estimated".into(), json!(estimate));
        }
    }
    json!({
        "ph": "X", "pid": 1, "tid": event.line.rank(), "name": &*event.item.name,
        "ts": us(event.start), "dur": event.length.us(), "args": args,
    })
}

fn counter(name: &str, sample: &Sample) -> serde_json::Value {
    json!({"ph":"C","pid":1,"name":name,"ts":us(sample.at),"args":{"value":sample.value}})
}
