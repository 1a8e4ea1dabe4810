//! Operations as they are encoded, but for their regions: the inverse of [`ops`](super::super::ops) and
//! [`properties`](super::super::properties).

use super::builtin::sorted;
use super::bytes::Bytes;
use super::tables::{Draft, Ref};
use super::{World, Writer};
use crate::frontend::bytecode::container::{self, since};
use crate::frontend::bytecode::ops::mask;
use crate::frontend::bytecode::properties;
use crate::frontend::vhlo::{self, Lowered, Version};
use sim_core::ir::{Attr, AttrDict};
use sim_core::{Loc, Result, Type};

/// An operation but for its regions.
pub struct Head<'a> {
    pub name: &'a str,
    pub loc: &'a Loc,
    pub location: Option<Ref>,
    pub attrs: Option<Ref>,
    pub properties: Option<u64>,
    pub results: Vec<Ref>,
    pub operands: Vec<u64>,
    pub regions: usize,
    pub isolated: bool,
}

impl<'a> Head<'a> {
    pub fn new(name: &'a str, loc: &'a Loc) -> Head<'a> {
        Head {
            name,
            loc,
            location: None,
            attrs: None,
            properties: None,
            results: Vec::new(),
            operands: Vec::new(),
            regions: 0,
            isolated: false,
        }
    }
}

/// Do readers know the operations of this name's dialect? (StableHLO's test dialects are registered
/// nowhere but in its own tools.)
pub fn is_registered(name: &str) -> bool {
    !(name.starts_with("check.") || name.starts_with("interpreter."))
}

impl Writer {
    /// Distributes attributes: those that the operation's definition names, and the dictionary.
    pub fn by_definition(&mut self, head: &mut Head, attrs: &AttrDict, world: World) -> Result<()> {
        head.location = Some(self.loc(head.loc)?);
        let stable = properties::stable(head.name).filter(|_| self.version >= since::PROPERTIES);
        let required = |name: &str| !name.ends_with('?') && attrs.get(name).is_none();
        let named: Vec<&str> = match stable {
            Some(names) if !names.split_ascii_whitespace().any(required) => {
                names.split_ascii_whitespace().collect()
            }
            _ => Vec::new(),
        };
        let bare = |name: &str| attrs.get(name.trim_end_matches('?')).is_some();
        let in_properties = named.iter().any(|name| bare(name));
        if in_properties {
            let mut draft = Draft::new(0);
            draft.bytes.0.clear();
            for name in &named {
                match (attrs.get(name.trim_end_matches('?')), name.ends_with('?')) {
                    (Some(value), optional) => {
                        let value = self.attr(value, world)?;
                        if optional {
                            draft.bytes.with_flag(value.number, true);
                        } else {
                            draft.refer(value);
                        }
                    }
                    (None, _) => draft.bytes.with_flag(0, false),
                }
            }
            head.properties = Some(self.tables.properties.add(&draft.bytes.0));
        }
        let is_rest = |key: &str| !(in_properties && named.iter().any(|n| n.trim_end_matches('?') == key));
        let rest: Vec<_> = attrs.iter().filter(|(key, _)| is_rest(key)).collect();
        if !rest.is_empty() {
            head.attrs = Some(self.dict(rest, world)?);
        }
        Ok(())
    }

    /// The type of a value; one that the version does not have is an error.
    pub fn value_type(&mut self, ty: &Type, world: World) -> Result<Ref> {
        let made = self.ty(ty, world)?;
        match self.target() {
            Some(target) if made.since > target => {
                Err(vhlo::too_new(&format!("the type {ty}"), made.since, target))
            }
            _ => Ok(made),
        }
    }

    /// The attributes of an operation of VHLO.
    pub fn lowered(&mut self, head: &mut Head, lowered: &Lowered, target: Version) -> Result<()> {
        head.location = Some(self.loc(head.loc)?);
        let check = |w: &mut Self, key: &str, value: &Attr| -> Result<Ref> {
            let made = w.attr(value, World::Vhlo)?;
            match made.since <= target {
                true => Ok(made),
                false => Err(vhlo::too_new(&format!("the attribute `{key}`"), made.since, target)),
            }
        };
        let mut own = Vec::with_capacity(lowered.attrs.len());
        for (key, value) in &lowered.attrs {
            own.push((*key, check(self, key, value)?));
        }
        let mut rest = Vec::with_capacity(lowered.rest.len());
        for (key, value) in sorted(lowered.rest.iter()) {
            rest.push((key, check(self, key, value)?));
        }
        if self.version >= since::PROPERTIES {
            if !own.is_empty() {
                let mut draft = Draft::new(0);
                draft.bytes.0.clear();
                own.iter().for_each(|(_, value)| draft.refer(*value));
                head.properties = Some(self.tables.properties.add(&draft.bytes.0));
            }
        } else {
            rest.extend(own);
        }
        if !rest.is_empty() {
            head.attrs = Some(self.dict_of(rest));
        }
        Ok(())
    }

    /// All of an operation but its regions.
    pub fn head(&mut self, head: &Head, out: &mut Bytes) {
        out.varint(self.tables.op(head.name, is_registered(head.name)));
        let part = |there: bool, bit: u8| if there { bit } else { 0 };
        out.byte(
            part(head.attrs.is_some(), mask::ATTRS)
                | part(head.properties.is_some(), mask::PROPERTIES)
                | part(!head.results.is_empty(), mask::RESULTS)
                | part(!head.operands.is_empty(), mask::OPERANDS)
                | part(head.regions > 0, mask::REGIONS),
        );
        let location = head.location.unwrap_or_else(|| self.unknown_loc());
        out.varint(location.number);
        head.attrs.iter().for_each(|attrs| out.varint(attrs.number));
        head.properties.iter().for_each(|&n| out.varint(n));
        if !head.results.is_empty() {
            out.count(head.results.len());
            head.results.iter().for_each(|ty| out.varint(ty.number));
        }
        if !head.operands.is_empty() {
            out.count(head.operands.len());
            head.operands.iter().for_each(|&n| out.varint(n));
        }
        if head.regions > 0 {
            out.with_flag(head.regions as u64, head.isolated);
        }
    }

    /// The regions of an isolated operation: a section of their own, since readers can put them off.
    pub fn isolated_regions(&self, out: &mut Bytes, regions: Bytes) {
        if self.version >= since::LAZY_REGIONS {
            out.section(container::IR, &regions.0);
        } else {
            out.0.extend(regions.0);
        }
    }
}
