//! `stablehlo.reduce`, `stablehlo.while` and `chlo.scan`: operations whose syntax holds regions.

use super::super::func::{Arg, Body, RawOp, Use};
use super::super::lexer::Kind;
use super::super::parser::Parser;
use sim_core::ir::{Attr, AttrDict, Op};
use sim_core::{ElementType, Loc, Result, Span, TensorType, Type};

impl<'a> Parser<'a> {
    /// `(%a init: %b), (%c init: %d) applies stablehlo.add across dimensions = [1] {…} : functional type`,
    /// or `… across dimensions = [1] {…} : functional type reducer(%x: t, %acc: t) (…) { … }`.
    pub(super) fn reduce(&mut self, f: &mut Body<'a>, op: &mut RawOp<'a>) -> Result<()> {
        let mut inits: Vec<Use> = Vec::new();
        while self.at_punct(b'(') {
            self.bump();
            let input = self.value(f)?;
            op.operands.push(input);
            self.expect_word("init")?;
            self.expect(b':')?;
            inits.push(self.value(f)?);
            self.expect(b')')?;
            if !self.eat(b',') {
                break;
            }
        }
        op.operands.extend(inits);
        let applied = if self.eat_word("applies") {
            let tok = self.tok;
            let name = match tok.kind {
                Kind::Str => self.slice(tok.start + 1, tok.end - 1),
                _ => self.text_of(tok),
            };
            if !matches!(tok.kind, Kind::Bare | Kind::Str) || !is_commutative(name) {
                return Err(self.expected("a commutative operation of two operands such as `stablehlo.add`"));
            }
            self.bump();
            Some((name, tok))
        } else {
            None
        };
        self.expect_word("across")?;
        self.expect_word("dimensions")?;
        self.expect(b'=')?;
        let dims = self.integers()?;
        op.attrs.0.push(("dimensions".into(), Attr::i64s(&dims)));
        self.more_attrs(op)?;
        self.expect(b':')?;
        let tok = self.tok;
        let signature = self.function_type()?;
        op.operand_types = signature.inputs;
        op.result_types = signature.results;
        match applied {
            Some((name, at)) => {
                let loc = self.optional_loc()?;
                let Some(element) = op.operand_types.first().and_then(Type::as_tensor) else {
                    return Err(self.error(tok, "expected a tensor as the first operand's type"));
                };
                let scalar = Type::from(TensorType {
                    element: element.element,
                    dims: Default::default(),
                    quant: element.quant.clone(),
                    encoding: None,
                });
                let region = self.applied_body(f, name, self.tok_span(at), &scalar, &loc)?;
                op.regions.push(region);
                op.loc = Some(loc);
            }
            None => {
                self.expect_word("reducer")?;
                let (mut args, mut accs) = (Vec::new(), Vec::new());
                while self.eat(b'(') {
                    args.push(self.arg()?);
                    self.expect(b',')?;
                    accs.push(self.arg()?);
                    self.expect(b')')?;
                }
                args.extend(accs);
                // The operation's location is printed before its region when the body is long.
                op.loc = Some(self.optional_loc()?);
                let region = self.region(f, Some(args), false)?;
                op.regions.push(region);
            }
        }
        Ok(())
    }

    /// The region `{ ^bb0(%a, %b): %0 = op %a, %b; return %0 }`.
    fn applied_body(
        &self,
        f: &mut Body<'a>,
        name: &str,
        span: Span,
        scalar: &Type,
        loc: &Loc,
    ) -> Result<sim_core::ir::RegionId> {
        let types = [scalar.clone(), scalar.clone()];
        let op = sim_core::ir::generic::from_generic(
            name,
            &mut AttrDict::new(),
            &types,
            std::slice::from_ref(scalar),
            0,
        )
        .map_err(|e| e.at(span))?;
        let region = f.builder.open_region(types.into_iter().map(|t| (t, loc.clone())));
        let args = f.builder.function().region(region).args.clone();
        let result = push(f, op, &args, scalar, loc, span);
        Ok({
            f.builder.close_region(&[result], loc.clone(), AttrDict::new());
            region
        })
    }

    /// `(%i = %a, %x = %b) : t, u attributes {…} cond { … } do { … }`
    pub(super) fn while_loop(&mut self, f: &mut Body<'a>, op: &mut RawOp<'a>) -> Result<()> {
        let mut names = Vec::new();
        self.list(b'(', b')', |p| {
            if !p.at_value() {
                return Err(p.expected("a value (`%name`)"));
            }
            names.push(p.bump());
            p.expect(b'=')?;
            op.operands.push(p.value(f)?);
            Ok(())
        })?;
        if !names.is_empty() {
            self.expect(b':')?;
            let tok = self.tok;
            op.operand_types = self.bare_types()?;
            if op.operand_types.len() != names.len() {
                return Err(self.error(
                    tok,
                    format!("{} types for {} loop values", op.operand_types.len(), names.len()),
                ));
            }
        }
        op.result_types = op.operand_types.clone();
        self.attrs_with_keyword(op)?;
        for word in ["cond", "do"] {
            self.expect_word(word)?;
            let args = names
                .iter()
                .zip(&op.operand_types)
                .map(|(&tok, ty)| Arg { name: self.text_of(tok), tok, ty: ty.clone(), loc: Loc::Unknown })
                .collect();
            let region = self.region(f, Some(args), false)?;
            op.regions.push(region);
        }
        Ok(())
    }

    /// `(%a) inits(%b) dimension=0 attributes {…} { ^bb0(…): … } : functional type`
    pub(super) fn scan(&mut self, f: &mut Body<'a>, op: &mut RawOp<'a>) -> Result<()> {
        op.operands = self.paren_values(f)?;
        let inputs = op.operands.len();
        self.expect_word("inits")?;
        let inits = self.paren_values(f)?;
        let carries = inits.len();
        op.operands.extend(inits);
        self.expect_word("dimension")?;
        self.expect(b'=')?;
        let dimension = self.integer("a dimension")?;
        op.attrs.0.push(("dimension".into(), Attr::Int(dimension, ElementType::S64)));
        self.attrs_with_keyword(op)?;
        let region = self.region(f, None, true)?;
        op.regions.push(region);
        self.expect(b':')?;
        let tok = self.tok;
        let signature = self.function_type()?;
        op.operand_types = signature.inputs;
        op.result_types = signature.results;
        let Some(outputs) = op.result_types.len().checked_sub(carries) else {
            return Err(self.error(tok, format!("fewer results than the {carries} carried values")));
        };
        for (name, sizes) in
            [("operandSegmentSizes", [inputs, carries]), ("resultSegmentSizes", [outputs, carries])]
        {
            let sizes = sizes.iter().map(|&n| n as i64).collect();
            op.attrs.0.push((name.into(), Attr::DenseArray(ElementType::S32, sizes)));
        }
        Ok(())
    }
}

/// Appends an operation of one result.
fn push(
    f: &mut Body<'_>,
    op: Op,
    operands: &[sim_core::ir::ValueId],
    result: &Type,
    loc: &Loc,
    span: Span,
) -> sim_core::ir::ValueId {
    let id = f.builder.push(op, operands, [result.clone()], &[], AttrDict::new(), loc.clone(), span);
    f.builder.function().op(id).results[0]
}

/// What a compact `reduce` may apply: StableHLO's commutative operations of two operands.
fn is_commutative(name: &str) -> bool {
    matches!(
        name,
        "stablehlo.add"
            | "stablehlo.and"
            | "stablehlo.maximum"
            | "stablehlo.minimum"
            | "stablehlo.multiply"
            | "stablehlo.or"
            | "stablehlo.xor"
    )
}
