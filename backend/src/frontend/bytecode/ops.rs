//! Operations and regions as they are encoded: what comes before their meaning.

use super::container::since;
use super::cursor::Cursor;
use super::properties;
use super::tables::Tables;
use crate::frontend::vhlo;
use sim_core::ir::AttrDict;
use sim_core::{Diagnostic, Loc, Result, Type};

/// Which parts an operation has.
pub(super) mod mask {
    pub const ATTRS: u8 = 1;
    pub const RESULTS: u8 = 2;
    pub const OPERANDS: u8 = 4;
    pub const SUCCESSORS: u8 = 8;
    pub const REGIONS: u8 = 0x10;
    pub const USE_LIST_ORDERS: u8 = 0x20;
    pub const PROPERTIES: u8 = 0x40;
    pub const ALL: u8 = 0x7f;
}

/// An operation but for its regions.
pub(super) struct Head {
    /// Number in the table of names.
    pub name: usize,
    /// Where it begins.
    pub start: usize,
    pub loc: Loc,
    pub attrs: AttrDict,
    pub result_types: Vec<Type>,
    /// Numbers of values, and where they stand.
    pub operands: Vec<(u64, usize)>,
    pub regions: usize,
    /// Its regions see no values from around.
    pub isolated: bool,
}

/// A block: its arguments and how many operations follow.
pub(super) struct Block {
    pub args: Vec<(Type, Loc)>,
    pub ops: u64,
}

pub(super) fn head<'a>(t: &mut Tables<'a>, at: &mut Cursor<'a>) -> Result<Head> {
    let start = at.at();
    let file = t.file;
    let name = at.index(file.ops.len(), "the name of an operation")?;
    let op = &file.ops[name];
    vhlo::check(&op.name, &file.producer()).map_err(|e| e.at(super::cursor::span(start, start + 1)))?;
    let parts = at.byte("an operation's parts")?;
    if parts & !mask::ALL != 0 {
        return Err(
            at.error_at(start, format_args!("{} has parts (0x{parts:02x}) that are not known", op.name))
        );
    }
    let has = |part: u8| parts & part != 0;
    let loc = t.loc(at)?;
    let mut attrs = if has(mask::ATTRS) { t.dict(at)? } else { AttrDict::new() };
    if has(mask::PROPERTIES) {
        properties::read(t, at, op, &mut attrs)?;
    }
    let result_types = if has(mask::RESULTS) { t.types(at)? } else { Vec::new() };
    let mut operands = Vec::new();
    if has(mask::OPERANDS) {
        let n = at.count("the number of operands")?;
        operands.reserve(n);
        for _ in 0..n {
            let start = at.at();
            operands.push((at.varint("an operand")?, start));
        }
    }
    if has(mask::SUCCESSORS) {
        return Err(Diagnostic::unsupported(format!("a branch (in {}) is not supported", op.name))
            .at(super::cursor::span(start, start + 1))
            .help("StableHLO's control flow is structured: if, case, while"));
    }
    if has(mask::USE_LIST_ORDERS) && file.version >= since::USE_LIST_ORDERS {
        use_list_orders(at, result_types.len())?;
    }
    let (mut regions, mut isolated) = (0, false);
    if has(mask::REGIONS) {
        let start = at.at();
        let (n, flag) = at.varint_with_flag("the number of regions")?;
        regions = at.check_count(n, start, "the number of regions")?;
        isolated = flag;
    }
    Ok(Head { name, start, loc, attrs, result_types, operands, regions, isolated })
}

/// In which order the uses of values are listed in memory: of no meaning to a program.
fn use_list_orders(at: &mut Cursor, values: usize) -> Result<()> {
    let several = values > 1;
    let n = if several { at.count("the number of use-list orders")? } else { 1 };
    for _ in 0..n {
        if several {
            at.index(values, "the value of a use-list order")?;
        }
        let start = at.at();
        let (n, _) = at.varint_with_flag("the number of uses")?;
        for _ in 0..at.check_count(n, start, "the number of uses")? {
            at.varint("a use")?;
        }
    }
    Ok(())
}

/// The head of a region: the number of its values, or `None` if it has no blocks.
pub(super) fn region(at: &mut Cursor) -> Result<Option<usize>> {
    let start = at.at();
    match at.varint("the number of blocks")? {
        0 => Ok(None),
        1 => at.count("the number of a region's values").map(Some),
        _ => Err(Diagnostic::unsupported("a region of several blocks is not supported")
            .at(super::cursor::span(start, start + 1))
            .help("StableHLO's control flow is structured: if, case, while")),
    }
}

pub(super) fn block<'a>(t: &mut Tables<'a>, at: &mut Cursor<'a>) -> Result<Block> {
    let (ops, has_args) = at.varint_with_flag("the number of operations")?;
    let mut args = Vec::new();
    if has_args {
        for _ in 0..at.count("the number of arguments")? {
            let start = at.at();
            let (ty, has_loc) = if t.file.version >= since::ELIDED_LOCATIONS {
                let (ty, has_loc) = at.varint_with_flag("the type of an argument")?;
                (t.type_number(ty, at, start)?, has_loc)
            } else {
                (t.ty(at)?, true)
            };
            args.push((ty, if has_loc { t.loc(at)? } else { Loc::Unknown }));
        }
        if t.file.version >= since::USE_LIST_ORDERS && at.byte("whether there are use-list orders")? != 0 {
            use_list_orders(at, args.len())?;
        }
    }
    Ok(Block { args, ops })
}
