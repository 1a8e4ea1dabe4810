//! Which message some bytes hold, by the fields at their top: their numbers, and what stands in them.

/// The messages that hold a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Message {
    /// `HloModuleProto`
    Module,
    /// `HloProto`
    Proto,
    /// `HloSnapshot`
    Snapshot,
    /// `HloUnoptimizedSnapshot`
    Unoptimized,
    /// The same with its length before it, and its arguments behind.
    Delimited,
}

/// The message in binary form, `None` for anything else. Bytes may end early: a stream is judged by its
/// beginning, and a file that was cut is still what it was.
pub fn detect(bytes: &[u8]) -> Option<Message> {
    if is_module(bytes) {
        return Some(Message::Module);
    }
    let mut fields = Fields(bytes);
    if let Some((1, Value::Bytes(first))) = fields.next() {
        if is_module(first) {
            // What follows tells them apart: `HloProto` has no field 2, and its field 3 is a message.
            let unoptimized = |(n, value)| matches!((n, value), (2, Value::Bytes(_)) | (3, Value::Number));
            return Some(if fields.any(unoptimized) { Message::Unoptimized } else { Message::Proto });
        }
        if let Some((1, Value::Bytes(module))) = Fields(first).next()
            && is_module(module)
        {
            return Some(Message::Snapshot);
        }
    }
    let (length, rest) = varint(bytes)?;
    let first = Fields(&rest[..rest.len().min(usize::try_from(length).ok()?)]).next();
    matches!(first, Some((1, Value::Bytes(module))) if is_module(module)).then_some(Message::Delimited)
}

/// The first field of a text in protocol buffers' own form, behind comments: what a module, or what holds one, has.
pub fn is_text(bytes: &[u8]) -> bool {
    let (word, rest) = first_field(bytes);
    // A message's field may have a colon too.
    let message = || matches!(rest.strip_prefix(b":").unwrap_or(rest).trim_ascii_start(), [b'{' | b'<', ..]);
    let string = || {
        let value = rest.strip_prefix(b":").map(<[u8]>::trim_ascii_start);
        matches!(value, Some([b'"' | b'\'', ..]))
    };
    match word {
        b"hlo_module" | b"hlo" | b"arguments" | b"partitions" | b"computations" | b"host_program_shape" => {
            message()
        }
        b"name" | b"entry_computation_name" | b"execution_platform" => string(),
        _ => false,
    }
}

/// Does the text hold a module itself, rather than a message around one?
pub(super) fn is_module_text(text: &str) -> bool {
    let around: [&[u8]; 7] =
        [b"hlo_module", b"hlo", b"arguments", b"result", b"execution_platform", b"partitions", b"version"];
    !around.contains(&first_field(text.as_bytes()).0)
}

/// The first word that is not in a comment, and what follows it.
fn first_field(bytes: &[u8]) -> (&[u8], &[u8]) {
    let mut rest = bytes.trim_ascii_start();
    while rest.starts_with(b"#") {
        rest = rest[memchr::memchr(b'\n', rest).unwrap_or(rest.len())..].trim_ascii_start();
    }
    let end = rest.iter().position(|&b| !(b.is_ascii_alphanumeric() || b == b'_')).unwrap_or(rest.len());
    let (word, rest) = rest.split_at(end);
    (word, rest.trim_ascii_start())
}

enum Value<'a> {
    Number,
    Bytes(&'a [u8]),
}

/// The fields of a message, as far as they go: number and value.
struct Fields<'a>(&'a [u8]);

impl<'a> Iterator for Fields<'a> {
    type Item = (u64, Value<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let (key, rest) = varint(self.0)?;
        let skip = |n: usize| rest.get(n..).unwrap_or_default();
        let (value, rest) = match key & 7 {
            0 => (Value::Number, varint(rest)?.1),
            1 => (Value::Number, skip(8)),
            5 => (Value::Number, skip(4)),
            2 => {
                let (n, rest) = varint(rest)?;
                // The last may be cut.
                let (value, rest) = rest.split_at(rest.len().min(usize::try_from(n).ok()?));
                (Value::Bytes(value), rest)
            }
            _ => return None,
        };
        self.0 = rest;
        (key >> 3 > 0).then_some((key >> 3, value))
    }
}

fn varint(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut value = 0u64;
    for (i, &b) in bytes.iter().take(10).enumerate() {
        value |= u64::from(b & 0x7f) << (7 * i);
        if b < 0x80 {
            return Some((value, &bytes[i + 1..]));
        }
    }
    None
}

/// A name, an entry, and a computation with a name and an instruction that has an opcode.
fn is_module(bytes: &[u8]) -> bool {
    let mut before = 0;
    for (number, value) in Fields(bytes) {
        match (number, value) {
            (1 | 2, Value::Bytes(name)) if number >= before && is_name(name) => before = number,
            (3, Value::Bytes(computation)) => return is_computation(computation),
            _ => return false,
        }
    }
    false
}

fn is_computation(bytes: &[u8]) -> bool {
    let mut fields =
        Fields(bytes).skip_while(|(n, value)| *n == 1 && matches!(value, Value::Bytes(s) if is_name(s)));
    let Some((2, Value::Bytes(instruction))) = fields.next() else { return false };
    Fields(instruction).take(2).any(|(n, value)| {
        let opcode = |s: &[u8]| s.iter().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || *b == b'-');
        n == 2 && matches!(value, Value::Bytes(s) if !s.is_empty() && opcode(s))
    })
}

/// Names may hold anything that is text, line breaks too.
fn is_name(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `number: bytes`, of less than 128.
    fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
        [&[number << 3 | 2, bytes.len() as u8], bytes].concat()
    }

    #[test]
    fn messages_are_told_apart_by_their_fields() {
        let instruction = [field(1, b"a"), field(2, b"parameter")].concat();
        let computation = [field(1, b"main"), field(2, &instruction)].concat();
        let module = [field(1, b"m"), field(2, b"main"), field(3, &computation)].concat();
        let proto = field(1, &module);
        let delimited = [vec![proto.len() as u8], proto.clone(), vec![7; 40]].concat();
        for (bytes, message) in [
            (module.clone(), Some(Message::Module)),
            (field(3, &computation), Some(Message::Module)),
            (proto.clone(), Some(Message::Proto)),
            ([proto.clone(), field(3, b"x")].concat(), Some(Message::Proto)),
            ([proto.clone(), field(2, b"")].concat(), Some(Message::Unoptimized)),
            ([proto.clone(), vec![3 << 3, 1]].concat(), Some(Message::Unoptimized)),
            (field(1, &proto), Some(Message::Snapshot)),
            ([field(1, &proto), field(2, b"")].concat(), Some(Message::Snapshot)),
            (delimited, Some(Message::Delimited)),
            (field(3, &field(2, &field(2, b"Not an opcode"))), None),
            (field(1, b"m"), None),
            (b"\x0a\x05hello\x12".to_vec(), None),
            (Vec::new(), None),
        ] {
            assert_eq!(detect(&bytes), message, "{bytes:?}");
        }
    }

    #[test]
    fn names_may_hold_control_characters() {
        let instruction = [field(1, b"a\tb"), field(2, b"parameter")].concat();
        let computation = [field(1, b"main\n\x01"), field(2, &instruction)].concat();
        let module = [field(1, b"a\nb\x7f"), field(2, b"main\0"), field(3, &computation)].concat();
        assert_eq!(detect(&module), Some(Message::Module));
        assert_eq!(detect(&field(1, &module)), Some(Message::Proto));
        let no_text = [field(1, b"\xff\xfe"), field(3, &computation)].concat();
        assert_eq!(detect(&no_text), None);
    }

    /// MLIR bytecode begins with `ML`, an archive with `PK`; a text may begin with a line break, which is what field 1
    /// of a message looks like.
    #[test]
    fn other_files_are_no_protos() {
        let texts: [&[u8]; 12] = [
            b"module {\n  func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {\n    return %a : tensor<2xf32>\n  }\n}",
            b"\n\nmodule @m attributes {a = 1 : i32} {}",
            b"\n// comment\nfunc.func @main() { return }",
            b"\n\x0amodule {}",
            b"HloModule m\n\nENTRY main {\n  ROOT a = f32[2]{0} parameter(0)\n}",
            b"\nHloModule m\nENTRY main { ROOT a = f32[2]{0} parameter(0) }",
            b"\n ENTRY %main (a: f32[2]) -> f32[2] {\n  ROOT %a = f32[2]{0} parameter(0)\n}",
            b"\x12 a text that begins with a strange character, and more of it, and more",
            b"ML\xefR\x0dStableHLO_v1.0.0\0\x01\x19\x05\x01\x03\x01\x03\x05\x03\x09",
            b"PK\x03\x04\x14\0\0\0\0\0\0\0!\0\x12\x34\x56\x78\x88\0\0\0\x88\0\0\0\x08\0\0\0arg0.npy",
            b"\x93NUMPY\x01\0v\0{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }",
            b"\x0a\x00\x12\x00\x1a\x00",
        ];
        for bytes in texts {
            for end in 0..=bytes.len() {
                assert_eq!(detect(&bytes[..end]), None, "{:?}", String::from_utf8_lossy(&bytes[..end]));
            }
        }
        // Random bytes, and the same behind what begins a message.
        let mut state = 1u64;
        let mut random = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 24) as u8
        };
        for _ in 0..100_000 {
            let mut bytes: Vec<u8> = (0..64).map(|_| random()).collect();
            assert_eq!(detect(&bytes), None, "{bytes:?}");
            bytes[..2].copy_from_slice(&[1 << 3 | 2, 60]);
            assert_eq!(detect(&bytes), None, "{bytes:?}");
        }
    }

    #[test]
    fn texts_begin_with_a_field() {
        for text in [
            "hlo_module {",
            "# a comment\n\n#\nhlo_module: <",
            "name: \"m\"",
            "computations {",
            "hlo {\n  hlo_module {",
            "arguments{",
        ] {
            assert!(is_text(text.as_bytes()), "{text}");
        }
        for text in [
            "",
            "#",
            "module {",
            "name",
            "name = \"m\"",
            "hlo_module",
            "HloModule m",
            "#loc = loc(\"a\")\nmodule {}",
        ] {
            assert!(!is_text(text.as_bytes()), "{text}");
        }
    }
}
