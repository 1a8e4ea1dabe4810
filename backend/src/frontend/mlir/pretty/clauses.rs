//! Clauses of pretty forms that are more than one attribute.

use super::super::func::{Body, RawOp};
use super::super::hlo_attrs::EnumAttr;
use super::super::parser::Parser;
use super::{Clause, pairs, precision_config, wrap};
use sim_core::ir::Attr;
use sim_core::ir::op::{DotDims, HloAttr};
use sim_core::{ElementType, Result};

impl<'a> Parser<'a> {
    pub(super) fn clause(&mut self, f: &mut Body<'a>, op: &mut RawOp<'a>, clause: Clause) -> Result<()> {
        match clause {
            Clause::SliceRanges => self.slice_ranges(op),
            Clause::DotDims => self.dot_clause(op),
            Clause::Precision => {
                if self.eat(b',') {
                    self.precision(op)?;
                }
                Ok(())
            }
            Clause::PrecisionAndAlgorithm => {
                if self.eat(b',') {
                    if self.at_word("algorithm") {
                        return self.algorithm(op);
                    }
                    self.precision(op)?;
                    if self.eat(b',') {
                        self.algorithm(op)?;
                    }
                }
                Ok(())
            }
            Clause::ConvDims => {
                self.expect_word("dim_numbers")?;
                self.expect(b'=')?;
                let dims = self.conv_dims()?;
                op.attrs.0.push(("dimension_numbers".into(), wrap(HloAttr::Conv(dims))));
                Ok(())
            }
            Clause::Window => self.window(op),
            Clause::ExponentMantissa => self.exponent_mantissa(op),
            Clause::Regions => {
                if self.at_punct(b'(') {
                    let mut regions = Vec::new();
                    self.list(b'(', b')', |p| {
                        regions.push(p.region(f, None, false)?);
                        Ok(())
                    })?;
                    op.regions = regions;
                }
                Ok(())
            }
        }
    }

    /// `[0:4, 2:10:2]`
    fn slice_ranges(&mut self, op: &mut RawOp<'a>) -> Result<()> {
        let (mut start, mut limit, mut strides) = (Vec::new(), Vec::new(), Vec::new());
        self.list(b'[', b']', |p| {
            start.push(p.integer("a start index")?);
            p.expect(b':')?;
            limit.push(p.integer("a limit index")?);
            strides.push(if p.eat(b':') { p.integer("a stride")? } else { 1 });
            Ok(())
        })?;
        for (name, values) in [("start_indices", start), ("limit_indices", limit), ("strides", strides)] {
            op.attrs.0.push((name.into(), Attr::i64s(&values)));
        }
        Ok(())
    }

    /// `batching_dims = [0] x [0], contracting_dims = [2] x [1]`
    fn dot_clause(&mut self, op: &mut RawOp<'a>) -> Result<()> {
        let mut dims = DotDims::default();
        if self.eat_word("batching_dims") {
            (dims.lhs_batch, dims.rhs_batch) = self.crossed()?;
            self.expect(b',')?;
        }
        self.expect_word("contracting_dims")?;
        (dims.lhs_contract, dims.rhs_contract) = self.crossed()?;
        op.attrs.0.push(("dot_dimension_numbers".into(), wrap(HloAttr::Dot(dims))));
        Ok(())
    }

    /// `= [0] x [1]`
    fn crossed(&mut self) -> Result<(Vec<i64>, Vec<i64>)> {
        self.expect(b'=')?;
        let lhs = self.integers()?;
        self.expect_word("x")?;
        Ok((lhs, self.integers()?))
    }

    /// `precision = [HIGH, DEFAULT]`
    fn precision(&mut self, op: &mut RawOp<'a>) -> Result<()> {
        self.expect_word("precision")?;
        self.expect(b'=')?;
        let mut values = Vec::new();
        self.list(b'[', b']', |p| {
            values.push(p.enum_word(EnumAttr::Precision)?);
            Ok(())
        })?;
        op.attrs.0.push(("precision_config".into(), precision_config(values)));
        Ok(())
    }

    /// `algorithm = <…>`
    fn algorithm(&mut self, op: &mut RawOp<'a>) -> Result<()> {
        self.expect_word("algorithm")?;
        self.expect(b'=')?;
        let algorithm = self.dot_algorithm()?;
        op.attrs.0.push(("algorithm".into(), wrap(HloAttr::DotAlgorithm(algorithm))));
        Ok(())
    }

    /// `window = {stride = [2, 2], pad = [[0, 1], [0, 1]], lhs_dilate = …, rhs_dilate = …, reverse = …}`
    fn window(&mut self, op: &mut RawOp<'a>) -> Result<()> {
        self.expect_word("window")?;
        self.expect(b'=')?;
        let mut seen = Vec::new();
        self.list(b'{', b'}', |p| {
            let tok = p.tok;
            let word = p.word("stride, pad, lhs_dilate, rhs_dilate or reverse")?;
            if seen.contains(&word) {
                return Err(p.error(tok, format!("`{word}` is given twice")));
            }
            seen.push(word);
            p.expect(b'=')?;
            let (name, value) = match word {
                "stride" => ("window_strides", Attr::i64s(&p.integers()?)),
                "lhs_dilate" => ("lhs_dilation", Attr::i64s(&p.integers()?)),
                "rhs_dilate" => ("rhs_dilation", Attr::i64s(&p.integers()?)),
                "reverse" => {
                    let mut values = Vec::new();
                    p.list(b'[', b']', |p| {
                        let flag = match p.at_word("true") || p.at_word("false") {
                            true => p.boolean()?,
                            false => p.integer("true or false")? != 0,
                        };
                        values.push(i64::from(flag));
                        Ok(())
                    })?;
                    ("window_reversal", Attr::DenseArray(ElementType::Pred, values.into()))
                }
                "pad" => {
                    let mut values = Vec::new();
                    p.list(b'[', b']', |p| {
                        let at = p.tok;
                        match p.integers()?[..] {
                            [low, high] => values.push((low, high)),
                            _ => return Err(p.error(at, "expected a pair of low and high padding")),
                        }
                        Ok(())
                    })?;
                    ("padding", pairs(&values))
                }
                _ => {
                    return Err(p.error(
                        tok,
                        format!("expected stride, pad, lhs_dilate, rhs_dilate or reverse, found `{word}`"),
                    ));
                }
            };
            op.attrs.0.push((name.into(), value));
            Ok(())
        })
    }

    /// `e5m10`
    fn exponent_mantissa(&mut self, op: &mut RawOp<'a>) -> Result<()> {
        let tok = self.tok;
        let word = self.word("a format such as e5m10")?;
        let parts = word
            .strip_prefix('e')
            .and_then(|rest| rest.split_once('m'))
            .and_then(|(e, m)| Some((e.parse::<u32>().ok()?, m.parse::<u32>().ok()?)));
        let Some((exponent, mantissa)) = parts else {
            return Err(self.error(tok, format!("expected a format such as e5m10, found `{word}`")));
        };
        for (name, bits) in [("exponent_bits", exponent), ("mantissa_bits", mantissa)] {
            op.attrs.0.push((name.into(), Attr::Int(i64::from(bits), ElementType::S32)));
        }
        Ok(())
    }
}
