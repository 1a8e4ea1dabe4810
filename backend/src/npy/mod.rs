//! NumPy's files: `.npy` (one array) and `.npz` (a zip of them), in and out.
//!
//! NumPy names only its own types in a file. The types of `ml_dtypes` are written by their width
//! alone: bf16 as `<V2`; f8, f6, f4, i4 and i2 as `<V1`, one byte an element (f8E5M2 as `<f1`, which
//! NumPy itself then refuses to read). So an array is read *as* the element type that the program's
//! signature wants, and [`Descr::holds`] says whether that is possible.
//!
//! A header is input like any other: nothing is allocated before the file is known to be long enough
//! for the shape it declares, and every tensor comes out of the run's memory budget.

mod archive;
mod header;
mod write;

pub use archive::{Archive, Entry};
pub use header::{Descr, Header};
pub use write::{NpzWriter, write_npy};

#[cfg(test)]
mod tests;
