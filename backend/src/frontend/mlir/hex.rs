//! Hexadecimal digits to bytes, as fast as memory allows: large constants are written this way.

use rayon::prelude::*;

/// Output bytes per task when decoding in parallel.
const CHUNK: usize = 1 << 18;

/// Decodes two digits a byte.
///
/// # Errors
/// The index of the first character that is not a digit.
///
/// # Panics
/// If `digits` is not twice as long as `out`.
pub(super) fn decode(digits: &[u8], out: &mut [u8]) -> Result<(), usize> {
    assert_eq!(digits.len(), out.len() * 2, "two digits a byte");
    let good = if out.len() > CHUNK {
        out.par_chunks_mut(CHUNK)
            .zip(digits.par_chunks(2 * CHUNK))
            .map(|(out, digits)| chunk(digits, out))
            .reduce(|| true, |a, b| a & b)
    } else {
        chunk(digits, out)
    };
    if good {
        return Ok(());
    }
    Err(digits.iter().position(|b| !b.is_ascii_hexdigit()).unwrap_or(0))
}

/// Are all characters digits? Decodes them either way. No branch and no table, so both loops become
/// vector code.
fn chunk(digits: &[u8], out: &mut [u8]) -> bool {
    let mut bad = 0u8;
    for (pairs, out) in digits.chunks(128).zip(out.chunks_mut(64)) {
        for &c in pairs {
            let decimal = c.wrapping_sub(b'0') < 10;
            let letter = (c | 0x20).wrapping_sub(b'a') < 6;
            bad |= u8::from(!(decimal | letter));
        }
        for (pair, out) in pairs.chunks_exact(2).zip(out) {
            // Both digits in one 16-bit lane: the low half is the high digit.
            let x = u16::from_le_bytes([pair[0], pair[1]]);
            let nibbles = (x & 0x0f0f) + ((x >> 6) & 0x0101) * 9;
            *out = (nibbles << 4 | nibbles >> 8) as u8;
        }
    }
    bad == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_in_both_cases() {
        let all: Vec<u8> = (0..=255).collect();
        for text in [
            all.iter().map(|b| format!("{b:02x}")).collect::<String>(),
            all.iter().map(|b| format!("{b:02X}")).collect::<String>(),
        ] {
            let mut out = vec![0; 256];
            decode(text.as_bytes(), &mut out).unwrap();
            assert_eq!(out, all);
        }
    }

    #[test]
    fn every_other_character_is_found() {
        for c in (0u8..=255).filter(|c| !c.is_ascii_hexdigit()) {
            for at in [0, 1, 127, 199] {
                let mut text = vec![b'7'; 200];
                text[at] = c;
                assert_eq!(decode(&text, &mut [0; 100]), Err(at), "{c:#x}");
            }
        }
    }

    #[test]
    fn large_inputs_decode_in_chunks() {
        let n = 3 * CHUNK + 17;
        let text: Vec<u8> = (0..2 * n).map(|i| b"0123456789abcdef"[(i * 7 + i / 13) % 16]).collect();
        let mut out = vec![0; n];
        decode(&text, &mut out).unwrap();
        for (i, b) in out.iter().enumerate().step_by(997) {
            let pair = std::str::from_utf8(&text[2 * i..2 * i + 2]).unwrap();
            assert_eq!(*b, u8::from_str_radix(pair, 16).unwrap());
        }
        let mut bad = text;
        bad[2 * CHUNK + 5] = b'g';
        assert_eq!(decode(&bad, &mut out), Err(2 * CHUNK + 5));
    }
}
