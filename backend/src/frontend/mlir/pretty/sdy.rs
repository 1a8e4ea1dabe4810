//! Shardy's operations. Their attributes are kept as the text of their generic form
//! (`#sdy.sharding<@mesh, [{"x"}]>`): on one device they mean nothing, and they must survive printing.

use super::super::func::{Body, RawOp};
use super::super::lexer::Kind;
use super::super::parser::Parser;
use super::Types;
use sim_core::ir::Attr;
use sim_core::{ElementType, Result};

impl<'a> Parser<'a> {
    pub(super) fn sdy(&mut self, f: &mut Body<'a>, op: &mut RawOp<'a>) -> Result<()> {
        match op.name {
            "sdy.return" => {
                self.more_attrs(op)?;
                op.operands = self.values(f)?;
                if !op.operands.is_empty() {
                    self.types(op, Types::EachOperand)?;
                }
                return Ok(());
            }
            "sdy.manual_computation" => {
                op.operands = self.paren_values(f)?;
                self.shardings(op, "in_shardings")?;
                self.shardings(op, "out_shardings")?;
                self.expect_word("manual_axes")?;
                self.expect(b'=')?;
                self.wrapped(op, "manual_axes", "#sdy<manual_axes", ">")?;
                return self.body_and_types(f, op);
            }
            "sdy.named_computation" => {
                self.expect(b'<')?;
                let name = self.string("a name")?;
                op.attrs.0.push(("name".into(), Attr::String(name)));
                self.expect(b'>')?;
                op.operands = self.paren_values(f)?;
                for key in ["in_shardings", "out_shardings"] {
                    if self.at_word(key) {
                        self.shardings(op, key)?;
                    }
                }
                return self.body_and_types(f, op);
            }
            "sdy.sharding_constraint" | "sdy.reshard" => {
                self.operand(f, op)?;
                self.wrapped(op, "sharding", "#sdy.sharding", "")?;
            }
            "sdy.sharding_group" => {
                self.operand(f, op)?;
                self.expect_word("group_id")?;
                self.expect(b'=')?;
                let id = self.integer("a group")?;
                op.attrs.0.push(("group_id".into(), Attr::Int(id, ElementType::S64)));
                self.more_attrs(op)?;
                return self.types(op, Types::Operands);
            }
            "sdy.propagation_barrier" => {
                self.operand(f, op)?;
                self.expect_word("allowed_direction")?;
                self.expect(b'=')?;
                let tok = self.tok;
                let direction = match self.word("NONE, FORWARD, BACKWARD or BOTH")? {
                    "NONE" => 0,
                    "FORWARD" => 1,
                    "BACKWARD" => 2,
                    "BOTH" => 3,
                    _ => return Err(self.error(tok, "expected NONE, FORWARD, BACKWARD or BOTH")),
                };
                // An enum without an attribute of its own: its generic form is a number.
                op.attrs.0.push(("allowed_direction".into(), Attr::Int(direction, ElementType::S32)));
            }
            "sdy.data_flow_edge" => {
                self.operand(f, op)?;
                if self.eat_word("sharding") {
                    self.expect(b'=')?;
                    self.wrapped(op, "sharding", "#sdy.sharding", "")?;
                }
            }
            "sdy.func_data_flow_edge" => self.operand(f, op)?,
            "sdy.all_gather" => self.collective(f, op, Some(("gathering_axes", "list_of_axis_ref_lists")))?,
            "sdy.all_slice" => self.collective(f, op, Some(("slicing_axes", "list_of_axis_ref_lists")))?,
            "sdy.reduce_scatter" => {
                self.reduction(op)?;
                self.collective(f, op, Some(("reduce_scatter_axes", "list_of_axis_ref_lists")))?;
            }
            "sdy.all_to_all" => self.collective(f, op, Some(("params", "all_to_all_param_list")))?,
            "sdy.all_reduce" => {
                self.reduction(op)?;
                self.collective(f, op, Some(("reduction_axes", "axis_ref_list")))?;
            }
            "sdy.sharded_to_unreduced" | "sdy.replicated_to_unreduced" => {
                self.collective(f, op, Some(("axes", "list_of_axis_ref_lists")))?;
            }
            "sdy.collective_permute" => self.collective(f, op, None)?,
            name => return Err(self.no_pretty_form(name)),
        }
        self.more_attrs(op)?;
        self.types(op, Types::Same)
    }

    fn operand(&mut self, f: &mut Body<'a>, op: &mut RawOp<'a>) -> Result<()> {
        let operand = self.value(f)?;
        op.operands.push(operand);
        Ok(())
    }

    /// Bracketed text in view as the attribute `key`, between `prefix` and `suffix`.
    fn wrapped(&mut self, op: &mut RawOp<'a>, key: &str, prefix: &str, suffix: &str) -> Result<()> {
        if !matches!(self.tok.kind, Kind::Punct(b'<' | b'[' | b'{')) {
            return Err(self.expected(&format!("`{key}`")));
        }
        let text = self.verbatim_brackets(self.tok.start)?;
        op.attrs.0.push((key.into(), Attr::Verbatim(format!("{prefix}{text}{suffix}").into())));
        Ok(())
    }

    /// `in_shardings=[<@mesh, [{"x"}]>]`
    fn shardings(&mut self, op: &mut RawOp<'a>, key: &str) -> Result<()> {
        self.expect_word(key)?;
        self.expect(b'=')?;
        self.wrapped(op, key, "#sdy.sharding_per_value<", ">")
    }

    /// `sum`, `max` or `min` before the axes.
    fn reduction(&mut self, op: &mut RawOp<'a>) -> Result<()> {
        if self.tok.kind != Kind::Bare {
            return Ok(());
        }
        let tok = self.tok;
        let kind = match self.word("sum, max or min")? {
            "sum" => 0,
            "max" => 1,
            "min" => 2,
            _ => return Err(self.error(tok, "expected sum, max or min")),
        };
        op.attrs.0.push(("reduction_op".into(), Attr::Int(kind, ElementType::S32)));
        Ok(())
    }

    /// `[{"x"}, {}] %a out_sharding=<@mesh, […]>`
    fn collective(&mut self, f: &mut Body<'a>, op: &mut RawOp<'a>, axes: Option<(&str, &str)>) -> Result<()> {
        if let Some((key, mnemonic)) = axes {
            self.wrapped(op, key, &format!("#sdy<{mnemonic}"), ">")?;
        }
        self.operand(f, op)?;
        self.expect_word("out_sharding")?;
        self.expect(b'=')?;
        self.wrapped(op, "out_sharding", "#sdy.sharding", "")
    }

    /// `(%a: t, %b: u) { … } {…} : functional type`; the region sees nothing from outside.
    fn body_and_types(&mut self, f: &mut Body<'a>, op: &mut RawOp<'a>) -> Result<()> {
        let mut args = Vec::new();
        self.list(b'(', b')', |p| {
            args.push(p.arg()?);
            Ok(())
        })?;
        let region = self.region(f, Some(args), true)?;
        op.regions.push(region);
        self.more_attrs(op)?;
        self.types(op, Types::Functional)
    }
}
