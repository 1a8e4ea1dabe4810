//! Running a program over tiles.

use super::access::{Access, Kind, Source, TileInput};
use super::buf::{self, TileBuf};
use super::builder::Func;
use super::program::{Place, TileProgram};
use super::small::SMALL;
use crate::vpu;
use rayon::prelude::*;
use sim_core::{Ctx, Diagnostic, Result, Tensor};
use smallvec::SmallVec;

/// The bytes of one output, or of one tile of it.
pub(crate) type Out<'a> = &'a mut [u8];

/// Where an input's current tile is.
#[derive(Clone, Copy)]
enum View {
    /// In the tensor, from this byte.
    Tensor(usize),
    /// In the tile it was gathered to.
    Tile,
    /// In the output that took over its buffer.
    Output(u32),
}

/// One worker's tiles.
pub(crate) struct Exec<'a> {
    program: &'a TileProgram,
    access: &'a Access<'a>,
    tiles: Vec<TileBuf>,
    splats: Vec<TileBuf>,
    /// Gathered inputs, and what their tile holds: (element offset, elements).
    gathered: Vec<(TileBuf, Option<(isize, usize)>)>,
    views: Vec<View>,
    /// For outputs that may not be written while the tile is computed, or that have no memory.
    locals: Vec<TileBuf>,
    /// `locals` holds output `j` (rather than the caller's slice).
    is_local: Vec<bool>,
    /// (input, output) pairs that share a buffer.
    donated: SmallVec<[(u32, u32); 2]>,
}

impl<'a> Exec<'a> {
    /// `is_local[j]`: output `j` is not written to memory, but read by [`Exec::output`].
    pub fn new(
        program: &'a TileProgram,
        access: &'a Access<'a>,
        is_local: &[bool],
        donated: &[(u32, u32)],
    ) -> Exec<'a> {
        let n = access.elements;
        let splats = program.splats.iter().map(|value| {
            let mut tile = TileBuf::new(value.len() * n);
            buf::splat(value, tile.bytes_mut(value.len() * n));
            tile
        });
        let mut locals = Vec::new();
        for (j, ty) in program.outputs.iter().enumerate() {
            let needed = is_local[j] || donated.iter().any(|d| d.1 == j as u32);
            locals.push(TileBuf::new(if needed { ty.byte_size() * n } else { 0 }));
        }
        let gathered = access.loads.iter().map(|l| {
            let bytes = if l.kind == Kind::Linear { 0 } else { l.width * n };
            (TileBuf::new(bytes), None)
        });
        let mut is_local = is_local.to_vec();
        donated.iter().for_each(|d| is_local[d.1 as usize] = true);
        Exec {
            program,
            access,
            tiles: program.tiles.iter().map(|w| TileBuf::new(w * n)).collect(),
            splats: splats.collect(),
            gathered: gathered.collect(),
            views: vec![View::Tile; access.loads.len()],
            locals,
            is_local,
            donated: donated.into(),
        }
    }

    /// Computes elements `pos .. pos + n` (at most a tile, as [`Access::tile_len`] says).
    /// `outs[j]` is that range of output `j`; empty if it is local.
    pub fn eval(&mut self, pos: usize, n: usize, outs: &mut [Out<'_>]) {
        self.load(pos, n);
        let program = self.program;
        for instr in &program.code {
            let bytes = instr.width * n;
            match instr.dst {
                Place::Output(j) if self.is_local[j as usize] => {
                    let mut dst = std::mem::take(&mut self.locals[j as usize]);
                    self.call(&instr.func, &instr.args, n, outs, dst.bytes_mut(bytes));
                    self.locals[j as usize] = dst;
                }
                Place::Output(j) => {
                    let dst = std::mem::take(&mut outs[j as usize]);
                    self.call(&instr.func, &instr.args, n, outs, dst);
                    outs[j as usize] = dst;
                }
                Place::Tile(t) => {
                    let mut dst = std::mem::take(&mut self.tiles[t as usize]);
                    self.call(&instr.func, &instr.args, n, outs, dst.bytes_mut(bytes));
                    self.tiles[t as usize] = dst;
                }
                // The compiler makes no other destination.
                Place::Input(_) | Place::Splat(_) => {}
            }
        }
        for &(source, j) in &program.copies {
            let j = j as usize;
            if !self.is_local[j] {
                let dst = std::mem::take(&mut outs[j]);
                dst.copy_from_slice(self.source(source, n, outs));
                outs[j] = dst;
            } else if !self.donated.is_empty() {
                let mut dst = std::mem::take(&mut self.locals[j]);
                let bytes = self.program.outputs[j].byte_size() * n;
                dst.bytes_mut(bytes).copy_from_slice(self.source(source, n, outs));
                self.locals[j] = dst;
            }
        }
        for &(_, j) in &self.donated {
            let out = &mut outs[j as usize];
            let len = out.len();
            out.copy_from_slice(self.locals[j as usize].bytes(len));
        }
    }

    /// The last tile of `n` elements of local output `j`, wherever it is. Nothing was copied for an
    /// output that is an input.
    pub fn output(&self, j: usize, n: usize) -> &[u8] {
        let repeated = self.program.copies.iter().find(|c| c.1 == j as u32);
        self.source(repeated.map_or(Place::Output(j as u32), |c| c.0), n, &[])
    }

    /// Brings the inputs' tiles in reach.
    fn load(&mut self, pos: usize, n: usize) {
        let access = self.access;
        for (i, load) in access.loads.iter().enumerate() {
            if let Some(d) = self.donated.iter().find(|d| d.0 as usize == i) {
                self.views[i] = View::Output(d.1);
                continue;
            }
            let in_place = matches!(load.source, Source::Bytes(_));
            let key = match load.kind {
                Kind::Linear => {
                    self.views[i] = View::Tensor((load.offset + pos) * load.width);
                    continue;
                }
                Kind::Splat => Some(load.offset as isize),
                Kind::Periodic => Some((pos % access.unit) as isize),
                Kind::Strided if access.by_rows => {
                    let at = load.start(&access.dims, pos);
                    let step = load.strides[access.dims.len() - 1];
                    if step == 1 && in_place {
                        self.views[i] = View::Tensor(at as usize * load.width);
                        continue;
                    }
                    (step == 0).then_some(at)
                }
                Kind::Strided => None,
            };
            self.views[i] = View::Tile;
            let (tile, held) = &mut self.gathered[i];
            if let (Some(key), Some((at, len))) = (key, *held)
                && at == key
                && len >= n
            {
                continue;
            }
            load.gather(&access.dims, pos, n, tile.bytes_mut(n * load.width));
            *held = key.map(|k| (k, n));
        }
    }

    /// `n` elements at a place.
    #[inline]
    fn source<'s>(&'s self, place: Place, n: usize, outs: &'s [Out<'_>]) -> &'s [u8] {
        match place {
            Place::Tile(t) => self.tiles[t as usize].bytes(self.program.tiles[t as usize] * n),
            Place::Splat(s) => self.splats[s as usize].bytes(self.program.splats[s as usize].len() * n),
            Place::Input(i) => {
                let i = i as usize;
                let load = &self.access.loads[i];
                match (self.views[i], load.source) {
                    (View::Tensor(at), Source::Bytes(src)) => &src[at..at + load.width * n],
                    (View::Output(j), _) => &*outs[j as usize],
                    _ => self.gathered[i].0.bytes(load.width * n),
                }
            }
            Place::Output(j) => {
                let j = j as usize;
                if self.is_local[j] {
                    self.locals[j].bytes(self.program.outputs[j].byte_size() * n)
                } else {
                    &*outs[j]
                }
            }
        }
    }

    #[inline]
    fn call(&self, func: &Func, args: &[Place], n: usize, outs: &[Out<'_>], dst: &mut [u8]) {
        let arg = |i: usize| self.source(args[i], n, outs);
        match func {
            Func::One(f) => f(arg(0), dst),
            Func::Two(f) => f(arg(0), arg(1), dst),
            Func::Three(f) => f(arg(0), arg(1), arg(2), dst),
            Func::ReducePrecision(ty, e, m) => {
                // The builder has asked whether it is defined.
                let _ = vpu::reduce_precision(*ty, *e, *m, arg(0), dst);
            }
        }
    }
}

/// An input of [`TileProgram::run_in_place`].
#[derive(Debug)]
pub enum Input<'a> {
    Read(TileInput<'a>),
    /// A tensor of the iteration space's shape that dies here: its buffer becomes that of an output
    /// with as many bytes an element. (It is copied first if it is shared.)
    Donate {
        tensor: Tensor,
        output: usize,
    },
}

/// The number of elements, if a program over them is better run without tiles.
fn small(shape: &[usize]) -> Option<usize> {
    let n = shape.iter().try_fold(1usize, |n, &d| n.checked_mul(d))?;
    (1..=SMALL).contains(&n).then_some(n)
}

impl TileProgram {
    /// Evaluates the program over an iteration space of `shape`. Each result has that shape.
    ///
    /// # Errors
    /// [`Invalid`](sim_core::ErrorKind::Invalid) if the inputs do not fit the program or the
    /// space; [`Resource`](sim_core::ErrorKind::Resource) if there is no memory for the results;
    /// [`Interrupted`](sim_core::ErrorKind::Interrupted).
    pub fn run(&self, ctx: &Ctx, shape: &[usize], inputs: &[TileInput<'_>]) -> Result<Vec<Tensor>> {
        if let Some(n) = small(shape) {
            return self.run_small(ctx, shape, n, inputs);
        }
        let access = Access::new(self, shape, inputs.iter().map(Some))?;
        let mut outs = Vec::with_capacity(self.outputs.len());
        for &ty in &self.outputs {
            outs.push(ctx.alloc(ty, shape)?);
        }
        self.run_into(ctx, &access, &mut outs, &[])?;
        Ok(outs)
    }

    /// As [`TileProgram::run`], but outputs may be written over inputs that die here, which saves
    /// the memory and a third of the traffic.
    ///
    /// # Errors
    /// As [`TileProgram::run`].
    pub fn run_in_place(&self, ctx: &Ctx, shape: &[usize], inputs: Vec<Input<'_>>) -> Result<Vec<Tensor>> {
        if let Some(n) = small(shape)
            && let Some(patterns) = inputs
                .iter()
                .map(|i| match i {
                    Input::Read(pattern) => Some(pattern.clone()),
                    Input::Donate { .. } => None,
                })
                .collect::<Option<SmallVec<[TileInput<'_>; 4]>>>()
        {
            return self.run_small(ctx, shape, n, &patterns);
        }
        let mut given: Vec<Option<Tensor>> = vec![None; self.outputs.len()];
        let mut donated: SmallVec<[(u32, u32); 2]> = SmallVec::new();
        let mut patterns = Vec::with_capacity(inputs.len());
        for (i, input) in inputs.into_iter().enumerate() {
            match input {
                Input::Read(pattern) => patterns.push(Some(pattern)),
                Input::Donate { tensor, output } => {
                    let slot = given.get_mut(output).filter(|slot| slot.is_none());
                    let fits = tensor.shape() == shape
                        && self.inputs.get(i).map(|t| t.byte_size()) == Some(tensor.element().byte_size());
                    match slot {
                        Some(slot)
                            if fits && tensor.element().byte_size() == self.outputs[output].byte_size() =>
                        {
                            *slot = Some(tensor.reinterpreted(self.outputs[output]));
                        }
                        _ => {
                            return Err(Diagnostic::invalid(format!(
                                "input {i} of a fused region cannot take the place of output {output}"
                            )));
                        }
                    }
                    donated.push((i as u32, output as u32));
                    patterns.push(None);
                }
            }
        }
        let access = Access::new(self, shape, patterns.iter().map(Option::as_ref))?;
        let mut outs = Vec::with_capacity(self.outputs.len());
        for (&ty, own) in self.outputs.iter().zip(given) {
            outs.push(match own {
                Some(tensor) => tensor,
                None => ctx.alloc(ty, shape)?,
            });
        }
        self.run_into(ctx, &access, &mut outs, &donated)?;
        Ok(outs)
    }

    /// The chunks, in parallel.
    fn run_into(
        &self,
        ctx: &Ctx,
        access: &Access<'_>,
        outs: &mut [Tensor],
        donated: &[(u32, u32)],
    ) -> Result<()> {
        let total = access.total;
        if total == 0 || outs.is_empty() {
            return Ok(());
        }
        let chunk = access.chunk();
        let widths: SmallVec<[usize; 4]> = outs.iter().map(|t| t.element().byte_size()).collect();
        let mut tasks: Vec<SmallVec<[Out<'_>; 2]>> = Vec::new();
        tasks.resize_with(total.div_ceil(chunk), SmallVec::new);
        for (out, width) in outs.iter_mut().zip(&widths) {
            for (task, part) in tasks.iter_mut().zip(out.bytes_mut().chunks_mut(chunk * width)) {
                task.push(part);
            }
        }
        let local = vec![false; widths.len()];
        let new = || Exec::new(self, access, &local, donated);
        let work = |exec: &mut Exec<'_>, (k, task): (usize, SmallVec<[Out<'_>; 2]>)| -> Result<()> {
            ctx.check_stop()?;
            let mut rest = task;
            let mut pos = k * chunk;
            let end = (pos + chunk).min(total);
            while pos < end {
                let n = access.tile_len(pos, end);
                let mut now: SmallVec<[Out<'_>; 2]> = SmallVec::new();
                for (part, width) in rest.iter_mut().zip(&widths) {
                    let (head, tail) = std::mem::take(part).split_at_mut(n * width);
                    now.push(head);
                    *part = tail;
                }
                exec.eval(pos, n, &mut now);
                pos += n;
            }
            Ok(())
        };
        if tasks.len() == 1 {
            let mut exec = new();
            return tasks.into_iter().enumerate().try_for_each(|t| work(&mut exec, t));
        }
        tasks.into_par_iter().enumerate().try_for_each_init(new, work)
    }
}
