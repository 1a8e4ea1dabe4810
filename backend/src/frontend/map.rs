//! The one place where a file becomes memory. Large constants make modules of hundreds of megabytes;
//! mapping them lets the parser decode straight from the page cache.

use std::fs::File;

/// Maps the whole file for reading.
#[allow(unsafe_code)]
pub(super) fn map(file: &File) -> std::io::Result<memmap2::Mmap> {
    // SAFETY: the map is only read, through `&[u8]`. The operating system cannot promise that no
    // other process writes to or truncates the file meanwhile; like every program that maps its
    // input we require that the file is left alone while it is read. Small files, the ones that
    // editors rewrite, are never mapped (see `source::MAP_FROM`).
    unsafe { memmap2::Mmap::map(file) }
}
