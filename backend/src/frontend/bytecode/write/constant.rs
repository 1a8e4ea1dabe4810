//! The elements of constants. They are not copied: a file's writer takes them from where they are.

use crate::frontend::mlir::bits_of_float;
use sim_core::ElementType as E;
use sim_core::ir::attr::Dense;
use std::io::{self, Write};
use std::sync::Arc;

/// Constants of at least this many bytes are entries of their own, written from the program's memory;
/// smaller ones are copied, compared, and written once if they are alike.
pub const LARGE: u64 = 1 << 12;

/// Elements as bytecode has them: raw, or of `i1` eight to a byte, or one for all.
pub struct Constant {
    dense: Arc<Dense>,
    splat: bool,
    empty: bool,
}

impl Constant {
    pub fn new(dense: &Arc<Dense>) -> Constant {
        let one = dense.value.element().byte_size();
        let bytes = dense.value.bytes();
        let count = dense.ty.as_tensor().and_then(|ty| ty.num_elements());
        // All bytes are as those one element before them.
        let alike = || dense.splat || bytes.len() > one && bytes[one..] == bytes[..bytes.len() - one];
        let splat = count != Some(0) && count != Some(1) && alike();
        Constant { dense: dense.clone(), splat, empty: count == Some(0) }
    }

    fn is_packed(&self) -> bool {
        self.dense.value.element() == E::Pred
    }

    fn one(&self) -> &[u8] {
        let value = &self.dense.value;
        &value.bytes()[..value.element().byte_size().min(value.bytes().len())]
    }

    /// Bytes that [`Constant::write`] writes.
    pub fn size(&self) -> u64 {
        if self.empty {
            return 0;
        }
        match (self.splat, self.is_packed()) {
            (true, _) => self.one().len() as u64,
            (false, true) => self.dense.value.len().div_ceil(8) as u64,
            (false, false) => self.dense.value.bytes().len() as u64,
        }
    }

    /// # Errors
    /// Those of `out`.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let bytes = if self.empty { &[] } else { self.dense.value.bytes() };
        match (self.splat, self.is_packed()) {
            // A byte of ones cannot be taken for the bits of a few elements.
            (true, true) => out.write_all(&[if self.one() == [0] { 0 } else { 0xff }]),
            (true, false) => out.write_all(self.one()),
            (false, false) => out.write_all(bytes),
            (false, true) => {
                let pack = |bits: &[u8]| bits.iter().rev().fold(0, |byte, &bit| byte << 1 | (bit & 1));
                for part in bytes.chunks(1 << 16) {
                    let packed: Vec<u8> = part.chunks(8).map(pack).collect();
                    out.write_all(&packed)?;
                }
                Ok(())
            }
        }
    }
}

/// The bits of a float or an integer as attributes keep them.
pub fn bits(value: i64, e: E) -> u64 {
    if e.is_float() { bits_of_float(f64::from_bits(value as u64), e) } else { value as u64 }
}

/// The elements of `array<e: …>`, each in as many bytes as it takes.
pub fn array(values: &[i64], e: E) -> Vec<u8> {
    let size = e.byte_size().min(8);
    values.iter().flat_map(|&v| bits(v, e).to_le_bytes().into_iter().take(size)).collect()
}
