//! Writing: what `numpy.save` and `numpy.savez` write for the same arrays.

use super::header::numpy_descr;
use sim_core::{Diagnostic, ElementType, Result, Tensor};
use std::fmt::Write as _;
use std::io::{Seek, Write};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

fn io_error(e: impl std::fmt::Display) -> Diagnostic {
    Diagnostic::resource(format!("cannot write the array: {e}"))
}

/// Magic, version 1.0, and the dictionary, padded so that the data begins at a multiple of 64.
fn header(tensor: &Tensor) -> Vec<u8> {
    let element = tensor.element();
    let descr = numpy_descr(element).unwrap_or(if element.byte_size() == 2 { "<V2" } else { "<V1" });
    let mut dict = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': (");
    for (i, n) in tensor.shape().iter().enumerate() {
        let _ = write!(dict, "{}{n}", if i > 0 { ", " } else { "" });
    }
    dict.push_str(if tensor.rank() == 1 { ",), }" } else { "), }" });
    let padding = (64 - (10 + dict.len() + 1) % 64) % 64;
    dict.extend(std::iter::repeat_n(' ', padding));
    dict.push('\n');
    let mut out = b"\x93NUMPY\x01\x00".to_vec();
    // 65 535 bytes are enough: a shape has at most a few dozen sizes of at most 20 digits.
    out.extend((dict.len().min(u16::MAX as usize) as u16).to_le_bytes());
    out.extend(dict.into_bytes());
    out
}

/// One array as `numpy.save` writes it; types that NumPy does not have as `ml_dtypes` writes them
/// (`<V2`, `<V1`: load, then `.view(ml_dtypes.bfloat16)`).
///
/// # Errors
/// Resource when the writer fails.
pub fn write_npy(out: &mut impl Write, tensor: &Tensor) -> Result<()> {
    use ElementType as E;
    out.write_all(&header(tensor)).map_err(io_error)?;
    match tensor.element() {
        // ml_dtypes keeps the bits above a narrow integer clear; tensors extend the sign.
        element @ (E::S2 | E::S4) => {
            let mask = (1u8 << element.bits()) - 1;
            for chunk in tensor.bytes().chunks(1 << 16) {
                let clear: Vec<u8> = chunk.iter().map(|b| b & mask).collect();
                out.write_all(&clear).map_err(io_error)?;
            }
            Ok(())
        }
        _ => out.write_all(tensor.bytes()).map_err(io_error),
    }
}

/// Writes a `.npz`, array by array, uncompressed as `numpy.savez` does.
pub struct NpzWriter<W: Write + Seek>(Option<ZipWriter<W>>);

impl<W: Write + Seek> NpzWriter<W> {
    pub fn new(out: W) -> Self {
        NpzWriter(Some(ZipWriter::new(out)))
    }

    /// # Errors
    /// Resource when the writer fails or the name is already taken.
    pub fn add(&mut self, name: &str, tensor: &Tensor) -> Result<()> {
        let options = SimpleFileOptions::default()
            .compression_method(zip::CompressionMethod::Stored)
            .large_file(tensor.bytes().len() >= u32::MAX as usize - (1 << 16));
        let Some(mut zip) = self.0.take() else { return Err(io_error("an earlier array failed")) };
        let started = zip.start_file(format!("{name}.npy"), options).map_err(io_error);
        match started.and_then(|()| write_npy(&mut zip, tensor)) {
            Ok(()) => {
                self.0 = Some(zip);
                Ok(())
            }
            // Dropped, a `ZipWriter` would try to finish its archive, and complain on stderr.
            Err(e) => {
                std::mem::forget(zip);
                Err(e)
            }
        }
    }

    /// Writes the directory and gives the writer back.
    ///
    /// # Errors
    /// Resource when the writer fails.
    pub fn finish(self) -> Result<W> {
        match self.0 {
            Some(zip) => zip.finish().map_err(io_error),
            None => Err(io_error("an earlier array failed")),
        }
    }
}
