//! Bytes being written: the inverse of [`Cursor`](super::super::cursor::Cursor).

/// A growing piece of a file.
#[derive(Default)]
pub struct Bytes(pub Vec<u8>);

impl Bytes {
    pub fn byte(&mut self, byte: u8) {
        self.0.push(byte);
    }

    /// The number of further bytes is the number of the first one's trailing zero bits.
    pub fn varint(&mut self, n: u64) {
        let bytes = (u64::BITS - (n | 1).leading_zeros()).div_ceil(7) as usize;
        if bytes > 8 {
            self.0.push(0);
            self.0.extend(n.to_le_bytes());
        } else {
            let tagged = (n << 1 | 1) << (bytes - 1);
            self.0.extend(&tagged.to_le_bytes()[..bytes]);
        }
    }

    /// The sign goes to the lowest bit.
    pub fn signed(&mut self, n: i64) {
        self.varint((n << 1 ^ n >> 63) as u64);
    }

    pub fn with_flag(&mut self, n: u64, flag: bool) {
        self.varint(n << 1 | u64::from(flag));
    }

    /// A number of items that follow.
    pub fn count(&mut self, n: usize) {
        self.varint(n as u64);
    }

    pub fn ints(&mut self, values: &[i64]) {
        self.count(values.len());
        values.iter().for_each(|&n| self.signed(n));
    }

    /// The low `bits` of a number whose width the reader knows: up to eight are a byte.
    pub fn known_width(&mut self, value: u64, bits: u32) {
        let shift = 64 - bits.clamp(1, 64);
        let value = value << shift >> shift;
        if bits <= 8 { self.byte(value as u8) } else { self.signed(value as i64) }
    }

    /// Bytes with their number before them.
    pub fn blob(&mut self, bytes: &[u8]) {
        self.count(bytes.len());
        self.0.extend(bytes);
    }

    pub fn c_string(&mut self, bytes: &[u8]) {
        self.0.extend(bytes);
        self.0.push(0);
    }

    /// A section: its number, its size, its content.
    pub fn section(&mut self, number: usize, content: &[u8]) {
        self.section_head(number, content.len() as u64);
        self.0.extend(content);
    }

    /// What stands before a section's content.
    pub fn section_head(&mut self, number: usize, size: u64) {
        self.byte(number as u8);
        self.varint(size);
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::cursor::Cursor;
    use super::Bytes;

    #[test]
    fn numbers_are_read_back() {
        let mut all = vec![0u64, 1, 2, 63, 64, 127, 128, 255];
        for bits in 7..64 {
            all.extend([(1 << bits) - 1, 1 << bits, (1 << bits) + 1]);
        }
        all.push(u64::MAX);
        let mut bytes = Bytes::default();
        for &n in &all {
            bytes.varint(n);
            bytes.signed(n as i64);
            bytes.signed((n as i64).wrapping_neg());
            bytes.with_flag(n >> 1, n & 1 == 1);
        }
        let mut at = Cursor::new(&bytes.0, 0..bytes.0.len());
        for &n in &all {
            assert_eq!(at.varint("n").expect("a number"), n);
            assert_eq!(at.signed("n").expect("a number"), n as i64);
            assert_eq!(at.signed("n").expect("a number"), (n as i64).wrapping_neg());
            assert_eq!(at.varint_with_flag("n").expect("a number"), (n >> 1, n & 1 == 1));
        }
        assert!(at.is_empty());
    }
}
