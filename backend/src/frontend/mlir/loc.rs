//! Locations: `loc("file.py":10:4)`, names, call sites, fused locations, aliases of them.

use super::lexer::Kind;
use super::parser::{Alias, MAX_DEPTH, Parser};
use sim_core::ir::Attr;
use sim_core::loc::LocData;
use sim_core::{Loc, Result};

/// A line and a column.
type Position = (u32, u32);

impl<'a> Parser<'a> {
    /// `loc(…)` if it is in view, else an unknown location.
    pub fn optional_loc(&mut self) -> Result<Loc> {
        if self.at_word("loc") { self.loc() } else { Ok(Loc::Unknown) }
    }

    /// `loc(…)`
    pub fn loc(&mut self) -> Result<Loc> {
        self.expect_word("loc")?;
        self.expect(b'(')?;
        let (loc, depth) = self.loc_body()?;
        self.expect(b')')?;
        self.loc_depth = depth;
        Ok(loc)
    }

    /// What stands between the parentheses, with its nesting.
    fn loc_body(&mut self) -> Result<(Loc, u32)> {
        let start = self.tok;
        let (loc, depth) = self.nested(Self::loc_inner)?;
        if depth > MAX_DEPTH {
            return Err(self.error(start, format!("a location nested more than {MAX_DEPTH} levels deep")));
        }
        Ok((loc, depth))
    }

    fn loc_inner(&mut self) -> Result<(Loc, u32)> {
        self.count(0);
        match self.tok.kind {
            Kind::Hash => {
                let tok = self.bump();
                match self.alias(self.text_of(tok), tok)? {
                    Alias::Attr(a) => match a.value {
                        // Printers give each level of a deep location its alias: some room is left for
                        // what is around this one, and a cut is worth a while.
                        Attr::Loc(loc) if a.loc_depth > MAX_DEPTH / 4 * 3 => {
                            Ok((loc.cut(MAX_DEPTH / 2), MAX_DEPTH / 2))
                        }
                        Attr::Loc(loc) => Ok((loc, a.loc_depth)),
                        _ => Err(self.error(tok, "this alias is not a location")),
                    },
                    _ => Err(self.error(tok, "this alias is not a location")),
                }
            }
            Kind::Str => {
                let name = self.string("a location")?;
                if self.eat(b':') {
                    let ((line, col), end) = self.loc_range()?;
                    return Ok((Loc::new(LocData::File { file: name, line, col, end }), 1));
                }
                if self.eat(b'(') {
                    let (child, depth) = self.loc_body()?;
                    self.expect(b')')?;
                    return Ok((Loc::new(LocData::Name { name, child }), depth + 1));
                }
                Ok((Loc::new(LocData::Name { name, child: Loc::Unknown }), 1))
            }
            Kind::Bare => match self.text_of(self.tok) {
                "unknown" => {
                    self.bump();
                    Ok((Loc::Unknown, 0))
                }
                "callsite" => {
                    self.bump();
                    self.expect(b'(')?;
                    let (callee, d1) = self.loc_body()?;
                    self.expect_word("at")?;
                    let (caller, d2) = self.loc_body()?;
                    self.expect(b')')?;
                    Ok((Loc::new(LocData::CallSite { callee, caller }), d1.max(d2) + 1))
                }
                "fused" => {
                    self.bump();
                    let metadata = if self.at_punct(b'<') {
                        let open = self.bump();
                        self.attr()?;
                        let text = self.verbatim(open.end, self.last_end)?;
                        self.expect(b'>')?;
                        Some(text.trim().into())
                    } else {
                        None
                    };
                    let (mut locs, mut depth) = (Vec::new(), 0);
                    self.list(b'[', b']', |p| {
                        let (loc, d) = p.loc_body()?;
                        locs.push(loc);
                        depth = depth.max(d);
                        Ok(())
                    })?;
                    Ok((Loc::new(LocData::Fused { locs, metadata }), depth + 1))
                }
                "loc" => {
                    let loc = self.loc()?;
                    Ok((loc, self.loc_depth))
                }
                _ => Err(self.expected("a location")),
            },
            _ => Err(self.expected("a location")),
        }
    }

    /// `10:4`, `10:4 to 12:8`, `10:4 to :8` after the file name and its colon.
    fn loc_range(&mut self) -> Result<(Position, Option<Position>)> {
        let line = self.u32("a line number")?;
        if !self.eat(b':') {
            return Ok(((line, 0), None));
        }
        let col = self.u32("a column number")?;
        if !self.eat_word("to") {
            return Ok(((line, col), None));
        }
        let end_line = if self.at_punct(b':') { line } else { self.u32("a line number")? };
        self.expect(b':')?;
        Ok(((line, col), Some((end_line, self.u32("a column number")?))))
    }

    fn u32(&mut self, what: &str) -> Result<u32> {
        if self.tok.kind == Kind::Int
            && let Ok(n) = self.text_of(self.tok).parse()
        {
            self.bump();
            return Ok(n);
        }
        Err(self.expected(what))
    }
}
