//! Snapshots of HLO: a module with a run of it.

use super::proto::{field, small};
use super::sorted;
use backend::frontend::hlo::parse_text;
use backend::frontend::hlo::proto::{self, Form, RecordedValue, Recording};
use backend::frontend::{Encoding, Source};
use sim_core::hlo::Literal;
use sim_core::{ElementType, Tensor};

fn recording() -> Recording {
    let value = |text: &str| {
        let text = format!("HloModule m\n\nENTRY e {{\n ROOT c = {text}\n}}\n");
        let module = parse_text(&text, true).unwrap().remove(0);
        let c = module.entry().root();
        RecordedValue { value: (**c.literal.as_ref().unwrap()).clone(), shape: c.shape.clone() }
    };
    Recording {
        arguments: vec![vec![
            value("f32[2,2]{0,1} constant({ { 1, 2 }, { 3, 4 } })"),
            value("(s4[3]{0}, pred[]) constant(({1, -2, 3}, true))"),
        ]],
        result: Some(value("f32[] constant(5)")),
        platform: "TPU".to_owned(),
    }
}

#[test]
fn snapshots_hold_a_run() {
    // Written once, fused instructions are in order.
    let module = proto::parse(&proto::encode(&small(), Form::Binary).unwrap()).unwrap().module;
    let recording = recording();
    for form in [Form::Binary, Form::Text] {
        let bytes = proto::encode_snapshot(&module, &recording, form).unwrap();
        let read = match form {
            Form::Text => proto::parse_text(std::str::from_utf8(&bytes).unwrap()),
            _ => proto::parse(&bytes),
        }
        .unwrap();
        // Of a NaN, the text form says no more than that.
        let expected = match form {
            Form::Text => sorted(module.clone()).replace("nan(0x12)", "nan"),
            _ => sorted(module.clone()),
        };
        assert_eq!(super::print::first_difference(&expected, &sorted(read.module)), None);
        let read = read.recording.unwrap();
        assert_eq!((&read.platform, read.result.is_some()), (&recording.platform, true));
        let values =
            |r: &Recording| r.arguments.iter().flatten().map(|v| v.value.clone()).collect::<Vec<_>>();
        assert_eq!(values(&read), values(&recording));
    }
}

/// A snapshot before optimization, with its arguments behind it: built byte by byte.
#[test]
fn arguments_behind_a_snapshot_are_read() {
    let module = proto::encode(&small(), Form::Module).unwrap();
    // PRIMITIVE_TYPE numbers, sizes, orders of the dimensions.
    let shape = |ty: u8, dims: &[u8], order: &[u8]| {
        [vec![2 << 3, ty], field(3, dims), field(5, &field(1, order))].concat()
    };
    let literal =
        |shape: Vec<u8>, data: &[u8]| [&(shape.len() as u64).to_le_bytes()[..], &shape, data].concat();
    let floats: Vec<u8> = [1f32, 3.0, 2.0, 4.0].iter().flat_map(|v| v.to_le_bytes()).collect();
    let a = literal(shape(11, &[2, 2], &[0, 1]), &floats);
    let b = literal(shape(21, &[3], &[0]), &[0xe1, 0x03]); // s4: 1, -2, 3
    let c = literal(shape(1, &[9], &[0]), &[0b0000_0101, 1]); // pred
    let described = |l: &[u8]| field(2, &[2 << 3, l.len() as u8]);
    let partitions = [
        field(2, &[described(&a), described(&b)].concat()),
        field(2, &[described(&c), described(&b)].concat()),
    ]
    .concat();
    let message = [field(1, &module), partitions].concat();
    let whole = [&field(1, &message)[1..], &a, &b, &c, &b].concat();
    let read = proto::parse(&whole).unwrap();
    let arguments = read.recording.unwrap().arguments;
    let tensors = |p: usize| -> Vec<Tensor> {
        arguments[p]
            .iter()
            .map(|v| match &v.value {
                Literal::Array(t) => t.clone(),
                other => panic!("{other:?}"),
            })
            .collect()
    };
    let b = Tensor::from_slice_as(ElementType::S4, &[3], &[1i8, -2, 3]);
    assert_eq!(tensors(0), [Tensor::from_slice(&[2, 2], &[1f32, 2.0, 3.0, 4.0]), b.clone()]);
    assert_eq!(
        tensors(1),
        [Tensor::from_slice_as(ElementType::Pred, &[9], &[1u8, 0, 1, 0, 0, 0, 0, 0, 1]), b]
    );
    for end in 0..whole.len() {
        assert!(proto::parse(&whole[..end]).is_err(), "cut at {end}");
    }
    let e = proto::parse(&[&whole[..], &[0]].concat()).unwrap_err();
    assert!(e.message().contains("1 bytes follow the snapshot's last argument"), "{e}");
}

/// Of several partitions, as XLA records a module before its optimizations.
#[test]
fn snapshots_before_optimization_hold_arguments() {
    let module = proto::parse(&proto::encode(&small(), Form::Binary).unwrap()).unwrap().module;
    let one = recording().arguments.remove(0);
    let recording = Recording {
        arguments: vec![one.clone(), one.into_iter().rev().collect(), Vec::new()],
        result: None,
        platform: String::new(),
    };
    for form in [Form::Binary, Form::Text] {
        let bytes = proto::encode_unoptimized_snapshot(&module, &recording, form).unwrap();
        if form == Form::Binary {
            assert_eq!(proto::detect(&bytes), Some(proto::Message::Unoptimized));
        }
        let source = Source::from_bytes("snapshot", bytes);
        let kind = if form == Form::Text { Encoding::HloProtoText } else { Encoding::HloProto };
        assert_eq!(source.encoding(), kind);
        let read = match form {
            Form::Text => proto::parse_text(source.text().unwrap()),
            _ => proto::parse(source.bytes()),
        };
        let read = read.unwrap().recording.unwrap();
        let values = |r: &Recording| -> Vec<Vec<_>> {
            r.arguments.iter().map(|p| p.iter().map(|v| v.value.clone()).collect()).collect()
        };
        assert_eq!(values(&read), values(&recording));
        assert!(read.result.is_none());
    }
    let e = proto::encode_snapshot(&module, &recording, Form::Binary).unwrap_err();
    assert!(e.message().contains("one partition, not of 3"), "{e}");
    let with_result = self::recording();
    let e = proto::encode_unoptimized_snapshot(&module, &with_result, Form::Binary).unwrap_err();
    assert!(e.message().contains("holds no result"), "{e}");
}
