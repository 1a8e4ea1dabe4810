//! How each input is read: an affine pattern over the iteration space, simplified once per run.

use super::buf;
use super::program::TileProgram;
use sim_core::dtype::ElementType;
use sim_core::{Diagnostic, Result, Tensor};
use smallvec::SmallVec;

/// An input tensor and the way the iteration space walks over it: the element at index `i` of the
/// space is element `offset + Σ strides[d] * i[d]` of the tensor.
///
/// Stride 0 is a broadcast, a negative stride a reversal; slices, transposes and the reshapes that
/// only split or join dimensions are patterns too. See [`TileInput::full`] and the other makers.
#[derive(Clone, Debug)]
pub struct TileInput<'a> {
    pub tensor: &'a Tensor,
    pub offset: usize,
    /// One per dimension of the iteration space.
    pub strides: SmallVec<[isize; 6]>,
}

/// Row-major strides in elements.
pub fn row_major(shape: &[usize]) -> SmallVec<[isize; 6]> {
    let mut strides: SmallVec<[isize; 6]> = SmallVec::from_elem(0, shape.len());
    let mut step = 1isize;
    for (s, &n) in strides.iter_mut().zip(shape).rev() {
        *s = step;
        step = step.saturating_mul(n as isize);
    }
    strides
}

impl<'a> TileInput<'a> {
    /// The tensor has as many elements as the iteration space of `shape`, in the same order.
    pub fn full(tensor: &'a Tensor, shape: &[usize]) -> Self {
        TileInput { tensor, offset: 0, strides: row_major(shape) }
    }

    /// One element for the whole iteration space.
    pub fn scalar(tensor: &'a Tensor, rank: usize) -> Self {
        TileInput { tensor, offset: 0, strides: SmallVec::from_elem(0, rank) }
    }

    /// `broadcast_in_dim`: dimension `i` of the tensor is dimension `dims[i]` of the iteration
    /// space, where size 1 is repeated.
    pub fn broadcast(tensor: &'a Tensor, rank: usize, dims: &[usize]) -> Self {
        let mut strides = SmallVec::from_elem(0, rank);
        for ((&d, &n), s) in dims.iter().zip(tensor.shape()).zip(row_major(tensor.shape())) {
            if n != 1
                && let Some(at) = strides.get_mut(d)
            {
                *at = s;
            }
        }
        TileInput { tensor, offset: 0, strides }
    }
}

/// What is read.
#[derive(Clone, Copy)]
pub(crate) enum Source<'a> {
    Bytes(&'a [u8]),
    /// The numbers 0, 1, 2, … as this type: `iota`.
    Count(ElementType),
    /// In the buffer of an output, which takes this input's place.
    Donated,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The elements follow each other in the order of the iteration.
    Linear,
    /// One element.
    Splat,
    /// The whole pattern repeats with this period, which divides every tile but the last.
    Periodic,
    Strided,
}

/// One input, with the strides of the collapsed dimensions.
pub(crate) struct Load<'a> {
    pub source: Source<'a>,
    pub width: usize,
    pub kind: Kind,
    pub offset: usize,
    pub strides: SmallVec<[isize; 6]>,
}

/// The loads of a run and the iteration space they share, with as few dimensions as they allow.
pub(crate) struct Access<'a> {
    pub dims: SmallVec<[usize; 6]>,
    pub total: usize,
    pub loads: Vec<Load<'a>>,
    /// Elements of a full tile here.
    pub elements: usize,
    /// Do tiles end where rows (the innermost dimension) end?
    pub by_rows: bool,
    /// Elements after which every periodic load repeats.
    pub unit: usize,
}

/// Iteration spaces are split into tasks of about this many elements. Fixed, so that nothing
/// depends on the number of threads.
const CHUNK: usize = 64 << 10;

impl<'a> Access<'a> {
    /// Checks the patterns against the tensors and simplifies them.
    ///
    /// `inputs` are one per input of the program; `None` is one that an output takes over.
    pub fn new<'i>(
        program: &TileProgram,
        shape: &[usize],
        inputs: impl ExactSizeIterator<Item = Option<&'i TileInput<'a>>>,
    ) -> Result<Access<'a>>
    where
        'a: 'i,
    {
        let total = shape
            .iter()
            .try_fold(1usize, |n, &d| n.checked_mul(d))
            .or_else(|| shape.contains(&0).then_some(0))
            .ok_or_else(|| Diagnostic::resource(format!("an iteration space of {shape:?} is too large")))?;
        if inputs.len() != program.inputs.len() {
            return Err(Diagnostic::invalid(format!(
                "a fused region of {} inputs was given {}",
                program.inputs.len(),
                inputs.len()
            )));
        }
        let mut loads = Vec::with_capacity(inputs.len() + program.iotas.len());
        for (input, &ty) in inputs.zip(&program.inputs) {
            let (source, offset, strides) = match input {
                Some(input) => {
                    check(input, ty, shape, total)?;
                    (Source::Bytes(input.tensor.bytes()), input.offset, input.strides.clone())
                }
                None => (Source::Donated, 0, row_major(shape)),
            };
            loads.push(Load { source, width: ty.byte_size(), kind: Kind::Strided, offset, strides });
        }
        for &(ty, dim) in &program.iotas {
            let mut strides = SmallVec::from_elem(0, shape.len());
            *strides.get_mut(dim as usize).ok_or_else(|| {
                Diagnostic::invalid(format!("iota over dimension {dim} of an iteration space of {shape:?}"))
            })? = 1;
            let source = Source::Count(ty);
            loads.push(Load { source, width: ty.byte_size(), kind: Kind::Strided, offset: 0, strides });
        }
        let mut access =
            Access { dims: shape.into(), total, loads, elements: program.elements, by_rows: false, unit: 1 };
        if total > 0 {
            access.collapse();
            access.classify();
        }
        Ok(access)
    }

    /// Drops dimensions of size 1 and joins neighbours that every load walks as one.
    fn collapse(&mut self) {
        let mut dims: SmallVec<[usize; 6]> = SmallVec::new();
        let mut strides: Vec<SmallVec<[isize; 6]>> = vec![SmallVec::new(); self.loads.len()];
        for (d, &n) in self.dims.iter().enumerate() {
            if n == 1 {
                continue;
            }
            let joins = dims.last().is_some()
                && self
                    .loads
                    .iter()
                    .zip(&strides)
                    .all(|(load, s)| s.last().copied() == load.strides[d].checked_mul(n as isize));
            if joins && let Some(last) = dims.last_mut() {
                *last *= n;
            } else {
                dims.push(n);
            }
            for (load, s) in self.loads.iter().zip(&mut strides) {
                match s.last_mut() {
                    Some(last) if joins => *last = load.strides[d],
                    _ => s.push(load.strides[d]),
                }
            }
        }
        if dims.is_empty() {
            dims.push(1);
            strides.iter_mut().for_each(|s| s.push(0));
        }
        self.dims = dims;
        for (load, s) in self.loads.iter_mut().zip(strides) {
            load.strides = s;
        }
    }

    /// Decides how each load is made, and how the space is cut into tiles.
    fn classify(&mut self) {
        let natural = row_major(&self.dims);
        let dims = self.dims.clone();
        let inner = dims.last().copied().unwrap_or(1);
        // Elements after which a pattern repeats: all dimensions from the first one that it walks.
        let period = |strides: &[isize]| -> usize {
            let first = strides.iter().position(|&s| s != 0).unwrap_or(dims.len());
            dims[first..].iter().product()
        };
        let mut longest = 1;
        for load in &mut self.loads {
            let counts = matches!(load.source, Source::Count(_));
            load.kind = if load.strides.iter().all(|&s| s == 0) {
                Kind::Splat
            } else if load.strides == natural && !counts {
                Kind::Linear
            } else {
                let p = period(&load.strides);
                if p <= self.elements {
                    longest = longest.max(p);
                }
                Kind::Strided
            };
        }
        let strided = self.loads.iter().any(|l| l.kind == Kind::Strided);
        self.by_rows = strided && inner * 2 >= self.elements;
        if strided && !self.by_rows {
            let unit = if longest % inner == 0 { longest } else { inner };
            self.elements = self.elements / unit * unit;
            self.unit = unit;
            for load in &mut self.loads {
                if load.kind == Kind::Strided && unit % period(&load.strides) == 0 {
                    load.kind = Kind::Periodic;
                }
            }
        }
    }

    /// The slices as they are, element by element.
    pub fn lanes(program: &TileProgram, args: &[&'a [u8]], n: usize) -> Access<'a> {
        let loads = program.inputs.iter().zip(args).map(|(ty, bytes)| Load {
            source: Source::Bytes(bytes),
            width: ty.byte_size(),
            kind: Kind::Linear,
            offset: 0,
            strides: SmallVec::from_elem(1, 1),
        });
        Access {
            dims: SmallVec::from_elem(n, 1),
            total: n,
            loads: loads.collect(),
            elements: program.elements.min(n.next_multiple_of(32)),
            by_rows: false,
            unit: 1,
        }
    }

    /// Elements of one task.
    pub fn chunk(&self) -> usize {
        (CHUNK / self.elements).max(1) * self.elements
    }

    /// Elements of the tile that starts at `pos` of a range that ends at `end`.
    pub fn tile_len(&self, pos: usize, end: usize) -> usize {
        let n = self.elements.min(end - pos);
        if self.by_rows {
            let inner = self.dims[self.dims.len() - 1];
            n.min(inner - pos % inner)
        } else {
            n
        }
    }
}

/// Every element that the pattern reaches lies in the tensor.
fn check(input: &TileInput<'_>, ty: ElementType, shape: &[usize], total: usize) -> Result<()> {
    let have = input.tensor.element();
    if have.byte_size() != ty.byte_size() || input.strides.len() != shape.len() {
        return Err(Diagnostic::invalid(format!(
            "a fused region takes {ty} over {} dimensions and was given {have} with {} strides",
            shape.len(),
            input.strides.len()
        )));
    }
    if total == 0 {
        return Ok(());
    }
    let (mut low, mut high) = (input.offset as i128, input.offset as i128);
    for (&s, &n) in input.strides.iter().zip(shape) {
        let reach = s as i128 * (n as i128 - 1);
        low += reach.min(0);
        high += reach.max(0);
    }
    if low < 0 || high >= input.tensor.len() as i128 {
        return Err(Diagnostic::invalid(format!(
            "a fused region reads elements {low} to {high} of a tensor of shape {:?}",
            input.tensor.shape()
        )));
    }
    Ok(())
}

impl Load<'_> {
    /// Element offset and index of position `pos` of the iteration.
    fn locate(&self, dims: &[usize], pos: usize) -> (isize, SmallVec<[usize; 6]>) {
        let mut index: SmallVec<[usize; 6]> = SmallVec::from_elem(0, dims.len());
        let mut rest = pos;
        let mut at = self.offset as isize;
        for d in (0..dims.len()).rev() {
            index[d] = rest % dims[d];
            rest /= dims[d];
            at += self.strides[d] * index[d] as isize;
        }
        (at, index)
    }

    /// The element offset of a row-aligned tile that starts at `pos`.
    pub fn start(&self, dims: &[usize], pos: usize) -> isize {
        self.locate(dims, pos).0
    }

    /// Elements `pos .. pos + n` of the iteration, into `dst`.
    pub fn gather(&self, dims: &[usize], pos: usize, n: usize, dst: &mut [u8]) {
        let (mut at, mut index) = self.locate(dims, pos);
        let last = dims.len() - 1;
        let (inner, step) = (dims[last], self.strides[last]);
        let mut done = 0;
        while done < n {
            let run = (inner - index[last]).min(n - done);
            self.run(at, step, &mut dst[done * self.width..(done + run) * self.width]);
            done += run;
            // To the start of the next row.
            at -= step * index[last] as isize;
            index[last] = 0;
            for d in (0..last).rev() {
                index[d] += 1;
                at += self.strides[d];
                if index[d] < dims[d] {
                    break;
                }
                at -= self.strides[d] * dims[d] as isize;
                index[d] = 0;
            }
        }
    }

    /// A run along one dimension, from element `at`.
    pub fn run(&self, at: isize, step: isize, dst: &mut [u8]) {
        let at = at as usize;
        match self.source {
            Source::Count(ty) => count(ty, at, step, dst),
            // Never gathered: it is read where it is.
            Source::Donated => {}
            Source::Bytes(src) => {
                let w = self.width;
                match step {
                    1 => dst.copy_from_slice(&src[at * w..at * w + dst.len()]),
                    0 => buf::splat(&src[at * w..(at + 1) * w], dst),
                    _ => match w {
                        1 => strided::<u8>(src, at, step, dst),
                        2 => strided::<u16>(src, at, step, dst),
                        4 => strided::<u32>(src, at, step, dst),
                        8 => strided::<u64>(src, at, step, dst),
                        _ => strided::<[u64; 2]>(src, at, step, dst),
                    },
                }
            }
        }
    }
}

fn strided<T: bytemuck::Pod>(src: &[u8], at: usize, step: isize, dst: &mut [u8]) {
    let src: &[T] = bytemuck::cast_slice(src);
    let dst: &mut [T] = bytemuck::cast_slice_mut(dst);
    if step > 0 {
        for (d, s) in dst.iter_mut().zip(src[at..].iter().step_by(step as usize)) {
            *d = *s;
        }
    } else {
        for (d, s) in dst.iter_mut().zip(src[..=at].iter().rev().step_by(step.unsigned_abs())) {
            *d = *s;
        }
    }
}

/// `dst[i] = at + step * i` as `ty`.
fn count(ty: ElementType, at: usize, step: isize, dst: &mut [u8]) {
    macro_rules! fill {
        ($t:ty) => {{
            let dst: &mut [$t] = bytemuck::cast_slice_mut(dst);
            if step == 0 {
                dst.fill(at as $t);
            } else {
                for (i, d) in dst.iter_mut().enumerate() {
                    *d = (at + i) as $t;
                }
            }
        }};
    }
    match ty {
        ElementType::S32 | ElementType::U32 => fill!(u32),
        ElementType::F32 => fill!(f32),
        ElementType::F64 => fill!(f64),
        _ => fill!(u64),
    }
}
