//! Reading: an [`Archive`] lists the arrays of a file by their headers alone, then reads each one as
//! the element type its user wants.

use super::header::Header;
use sim_core::{Ctx, Diagnostic, ElementType, Result, Tensor};
use std::fs::File;
use std::io::{BufReader, Cursor, Read, Seek, SeekFrom};
use std::path::Path;
use zip::ZipArchive;

/// Deflate cannot do better than one bit for 129 bytes: a declared size beyond that is a lie.
const MAX_RATIO: u64 = 1032;

/// One array of a file.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The key under which `numpy.load` gives it; empty for a `.npy` file.
    pub name: String,
    pub header: Header,
    zip_index: usize,
}

trait Input: Read + Seek + Send {}
impl<T: Read + Seek + Send> Input for T {}

enum Kind {
    Npy(Box<dyn Input>),
    Npz(ZipArchive<Box<dyn Input>>),
}

/// An open `.npy` or `.npz`, told apart by content.
pub struct Archive {
    kind: Kind,
    entries: Vec<Entry>,
}

fn io_error(e: std::io::Error) -> Diagnostic {
    Diagnostic::malformed(format!("cannot read the array: {e}"))
}

impl Archive {
    /// Opens the file and reads the headers of its arrays.
    ///
    /// # Errors
    /// Resource when the file cannot be read; malformed or unsupported after [`Header::read`].
    pub fn open(path: &Path) -> Result<Archive> {
        let failed = |e| Diagnostic::resource(format!("cannot open {}: {e}", path.display()));
        // Opening a pipe would wait for somebody to write into it.
        if !std::fs::metadata(path).map_err(failed)?.is_file() {
            return Err(Diagnostic::resource(format!("cannot read {}: it is not a file", path.display()))
                .help("arrays are read from files on disk, not from pipes, devices and folders"));
        }
        let file = File::open(path).map_err(failed)?;
        Self::from_input(Box::new(BufReader::new(file)))
            .map_err(|e| e.note(format!("while reading {}", path.display())))
    }

    /// The same, from memory.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Archive> {
        Self::from_input(Box::new(Cursor::new(bytes)))
    }

    fn from_input(mut input: Box<dyn Input>) -> Result<Archive> {
        let len = input.seek(SeekFrom::End(0)).map_err(io_error)?;
        input.rewind().map_err(io_error)?;
        let mut magic = [0u8; 4];
        input.read_exact(&mut magic).map_err(io_error)?;
        input.rewind().map_err(io_error)?;
        match &magic {
            b"\x93NUM" => {
                let header = Header::read(&mut input)?;
                check_len(&header, len.saturating_sub(header.data_offset))?;
                let entries = vec![Entry { name: String::new(), header, zip_index: 0 }];
                Ok(Archive { kind: Kind::Npy(input), entries })
            }
            b"PK\x03\x04" | b"PK\x05\x06" => Self::from_zip(input, len),
            _ => Err(Diagnostic::malformed("neither a .npy nor a .npz file")
                .help("write it with numpy.save, numpy.savez or numpy.savez_compressed")),
        }
    }

    fn from_zip(input: Box<dyn Input>, file_len: u64) -> Result<Archive> {
        let bad = |e| Diagnostic::malformed(format!("bad .npz: {e}"));
        let mut zip = ZipArchive::new(input).map_err(bad)?;
        let mut entries = Vec::new();
        for zip_index in 0..zip.len() {
            let mut member = zip.by_index(zip_index).map_err(bad)?;
            let Some(name) = member.name().map_err(bad)?.strip_suffix(".npy").map(str::to_owned) else {
                continue; // numpy.load skips what is not an array, too.
            };
            let declared = member.size();
            if declared > member.compressed_size().min(file_len).saturating_mul(MAX_RATIO) {
                return Err(Diagnostic::malformed(format!(
                    "'{name}' declares {declared} bytes, more than the file can hold"
                )));
            }
            let header = Header::read(&mut member).and_then(|header| {
                check_len(&header, declared.saturating_sub(header.data_offset))?;
                Ok(header)
            });
            let header = header.map_err(|e| e.note(format!("in the array '{name}'")))?;
            entries.push(Entry { name, header, zip_index });
        }
        Ok(Archive { kind: Kind::Npz(zip), entries })
    }

    /// The arrays, in the file's order.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Leaves only the arrays whose names begin with `prefix`, and takes it off.
    pub fn keep(&mut self, prefix: &str) {
        self.entries.retain_mut(|e| match e.name.strip_prefix(prefix) {
            Some(rest) => {
                e.name = rest.to_owned();
                true
            }
            None => false,
        });
    }

    /// Reads array `index` as `element`, in row-major order.
    ///
    /// # Errors
    /// Invalid when the file's type cannot hold `element` ([`super::Descr::holds`]) or a value is out
    /// of its range; resource when the memory budget is exceeded; malformed when the data ends early.
    pub fn read(&mut self, index: usize, element: ElementType, ctx: &Ctx) -> Result<Tensor> {
        let Entry { name, header, zip_index } = &self.entries[index];
        if !header.descr.holds(element) {
            return Err(Diagnostic::invalid(format!(
                "'{name}' is {header}, which cannot be read as {element}"
            )));
        }
        let mut tensor = ctx.alloc(element, &header.shape)?;
        let mut fill = |out: &mut [u8]| -> Result<()> {
            let read = match &mut self.kind {
                Kind::Npy(file) => {
                    file.seek(SeekFrom::Start(header.data_offset)).and_then(|_| file.read_exact(out))
                }
                Kind::Npz(zip) => {
                    zip.by_index(*zip_index).map_err(std::io::Error::other).and_then(|mut member| {
                        std::io::copy(&mut member.by_ref().take(header.data_offset), &mut std::io::sink())?;
                        member.read_exact(out)
                    })
                }
            };
            read.map_err(|e| Diagnostic::malformed(format!("the data of '{name}' ends early: {e}")))
        };
        if header.fortran_order && header.shape.len() > 1 {
            let mut columns = ctx.scratch(tensor.bytes().len())?;
            fill(columns.bytes_mut())?;
            fortran_to_c(columns.bytes(), tensor.bytes_mut(), &header.shape, element.byte_size());
        } else {
            fill(tensor.bytes_mut())?;
        }
        if header.descr.big_endian {
            let part = header.descr.size / if header.descr.kind == b'c' { 2 } else { 1 };
            tensor.bytes_mut().chunks_exact_mut(part).for_each(<[u8]>::reverse);
        }
        normalize(&mut tensor, header.descr.kind == b'V').map_err(|value| {
            Diagnostic::invalid(format!("'{name}' holds {value}, which is out of the range of {element}"))
        })?;
        Ok(tensor)
    }
}

fn check_len(header: &Header, available: u64) -> Result<()> {
    match header.data_len() {
        Some(n) if n <= available => Ok(()),
        n => {
            let n = n.map_or("more than 2^64".to_owned(), |n| n.to_string());
            Err(Diagnostic::malformed(format!("{header} needs {n} bytes of data, and {available} are there")))
        }
    }
}

/// Column-major to row-major.
fn fortran_to_c(from: &[u8], to: &mut [u8], shape: &[usize], size: usize) {
    let strides: Vec<usize> =
        shape.iter().scan(size, |stride, &n| Some(std::mem::replace(stride, *stride * n))).collect();
    let mut index = vec![0usize; shape.len()];
    let mut source = 0;
    for element in to.chunks_exact_mut(size) {
        element.copy_from_slice(&from[source..source + size]);
        for axis in (0..shape.len()).rev() {
            index[axis] += 1;
            source += strides[axis];
            if index[axis] < shape[axis] {
                break;
            }
            source -= strides[axis] * shape[axis];
            index[axis] = 0;
        }
    }
}

/// Brings bytes into the form that tensors keep: `i1` is 0 or 1, narrow integers are extended,
/// narrow floats have zeros above. `raw`: the high bits of the byte mean nothing (`ml_dtypes`).
fn normalize(tensor: &mut Tensor, raw: bool) -> std::result::Result<(), i32> {
    use ElementType as E;
    let element = tensor.element();
    let bits = element.bits();
    match element {
        E::Pred => tensor.bytes_mut().iter_mut().for_each(|b| *b = (*b != 0) as u8),
        E::S2 | E::S4 => {
            let shift = 8 - bits;
            for b in tensor.bytes_mut() {
                let extended = ((*b << shift) as i8) >> shift;
                if !raw && extended != *b as i8 {
                    return Err((*b as i8).into());
                }
                *b = extended as u8;
            }
        }
        E::U2 | E::U4 | E::F4E2M1FN | E::F6E2M3FN | E::F6E3M2FN => {
            let mask = (1u8 << bits) - 1;
            for b in tensor.bytes_mut() {
                if !raw && *b & mask != *b {
                    return Err((*b).into());
                }
                *b &= mask;
            }
        }
        _ => {}
    }
    Ok(())
}
