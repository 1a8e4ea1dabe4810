//! VHLO's attributes and types in their encoding: the inverse of [`vhlo`](super::super::vhlo). What
//! VHLO has no form for stays what it is, which readers of artifacts with other dialects in them take.

use super::builtin::{bounds, element, encoding, sizes, sorted};
use super::hlo::{accuracy_mode, alias, enumeration, tolerances};
use super::tables::{Draft, Ref};
use super::{World, Writer};
use crate::frontend::bytecode::codes::{
    VHLO_SCALARS, vhlo_attr as code, vhlo_attr_since, vhlo_type, vhlo_type_since,
};
use crate::frontend::mlir;
use sim_core::ir::Attr;
use sim_core::ir::op::{AxisRef, HloAttr, ReplicaGroups};
use sim_core::{Diagnostic, ElementType as E, Result, TensorType, Type};

fn new(code: u64) -> Draft {
    Draft::since(code, vhlo_attr_since(code))
}

fn new_type(code: u64) -> Draft {
    Draft::since(code, vhlo_type_since(code))
}

impl Writer {
    pub(super) fn vhlo_attr(&mut self, attr: &Attr) -> Result<Ref> {
        let draft = match attr {
            Attr::Bool(b) => boolean(*b),
            Attr::Int(n, E::Pred) => boolean(*n != 0),
            Attr::Int(n, e) => {
                let mut draft = new(code::INTEGER);
                draft.refer(self.vhlo_type(&Type::Scalar(*e))?);
                draft.bytes.known_width(*n as u64, e.bits());
                draft
            }
            Attr::Float(x, e) => {
                let mut draft = new(code::FLOAT);
                draft.refer(self.vhlo_type(&Type::Scalar(*e))?);
                draft.bytes.known_width(mlir::bits_of_float(*x, *e), e.bits());
                draft
            }
            Attr::String(text) => return Ok(self.vhlo_string(text)),
            Attr::Array(items) => {
                let items = self.attrs(&**items, World::Vhlo)?;
                let mut draft = new(code::ARRAY);
                draft.refer_all(&items);
                draft
            }
            Attr::Dict(dict) => {
                let mut draft = new(code::DICTIONARY);
                draft.bytes.count(dict.len());
                for (name, value) in sorted(dict.iter()) {
                    draft.refer(self.vhlo_string(name));
                    draft.refer(self.attr(value, World::Vhlo)?);
                }
                draft
            }
            Attr::Type(ty) => {
                let mut draft = new(code::TYPE);
                draft.refer(self.vhlo_type(ty)?);
                draft
            }
            Attr::Dense(dense) => {
                let mut draft = new(code::TENSOR);
                draft.refer(self.vhlo_type(&dense.ty)?);
                return Ok(self.constant("vhlo", draft, dense));
            }
            Attr::Hlo(hlo) => match self.vhlo_hlo(hlo)? {
                Some(draft) => draft,
                None => return self.attr(attr, World::Builtin),
            },
            Attr::Unit | Attr::Symbol(_) | Attr::DenseArray(..) | Attr::Loc(_) | Attr::Verbatim(_) => {
                return self.attr(attr, World::Builtin);
            }
        };
        Ok(self.add_attr("vhlo", draft))
    }

    fn vhlo_string(&mut self, text: &str) -> Ref {
        let mut draft = new(code::STRING);
        draft.bytes.varint(self.string(text));
        self.add_attr("vhlo", draft)
    }

    fn vhlo_hlo(&mut self, hlo: &HloAttr) -> Result<Option<Draft>> {
        Ok(Some(match hlo {
            HloAttr::Direction(k) => enumeration(code::DIRECTION, *k),
            HloAttr::CompareType(k) => enumeration(code::COMPARE_TYPE, *k),
            HloAttr::Precision(k) => enumeration(code::PRECISION, *k),
            HloAttr::FftType(k) => enumeration(code::FFT_TYPE, *k),
            HloAttr::RngAlgorithm(k) => enumeration(code::RNG_ALGORITHM, *k),
            HloAttr::RngDistribution(k) => enumeration(code::RNG_DISTRIBUTION, *k),
            HloAttr::Transpose(k) => enumeration(code::TRANSPOSE, *k),
            HloAttr::CustomCallApiVersion(version @ 0..=4) => {
                let mut draft = new(code::API_VERSION);
                draft.bytes.varint(*version as u64);
                draft
            }
            HloAttr::CustomCallApiVersion(version) => {
                return Err(Diagnostic::invalid(format!("{version} is no api_version of custom calls")));
            }
            HloAttr::OutputOperandAlias(a) => {
                let mut draft = new(code::OUTPUT_OPERAND_ALIAS);
                alias(&mut draft, a);
                draft
            }
            HloAttr::ResultAccuracy(accuracy) => {
                let mut mode = new(code::ACCURACY_MODE);
                mode.bytes.varint(accuracy_mode(&accuracy.mode)?);
                let mode = self.add_attr("vhlo", mode);
                let mut draft = new(code::RESULT_ACCURACY);
                tolerances(&mut draft, accuracy);
                draft.refer(mode);
                draft
            }
            HloAttr::Bounds(all) => {
                let mut draft = new(code::TYPE_EXTENSIONS);
                draft.bytes.ints(&bounds(all));
                draft
            }
            HloAttr::ReplicaGroups(ReplicaGroups::MeshAxes { mesh, axes }) => {
                // A symbol is a string in VHLO.
                let mesh = match mesh {
                    Attr::Symbol(path) if path.len() == 1 => self.vhlo_string(&path[0]),
                    _ => {
                        return Err(Diagnostic::unsupported(
                            "replica groups by the axes of a mesh that is no symbol have no form in VHLO here",
                        )
                        .help("name the mesh: `mesh = @mesh`"));
                    }
                };
                let axes: Vec<Ref> = axes.iter().map(|axis| self.vhlo_axis(axis)).collect();
                let mut list = new(code::ARRAY);
                list.refer_all(&axes);
                let list = self.add_attr("vhlo", list);
                let mut draft = new(code::MESH_AXES);
                draft.refer(mesh);
                draft.refer(list);
                draft
            }
            _ => return Ok(None),
        }))
    }

    fn vhlo_axis(&mut self, axis: &AxisRef) -> Ref {
        let mut draft = new(code::AXIS);
        draft.refer(self.vhlo_string(&axis.name));
        draft.bytes.varint(u64::from(axis.sub_axis.is_some()));
        if let Some((pre, size)) = axis.sub_axis {
            let mut part = new(code::SUB_AXIS);
            part.bytes.signed(pre);
            part.bytes.signed(size);
            draft.refer(self.add_attr("vhlo", part));
        }
        self.add_attr("vhlo", draft)
    }

    pub(super) fn vhlo_type(&mut self, ty: &Type) -> Result<Ref> {
        use vhlo_type as code;
        let draft = match ty {
            Type::Scalar(e) if e.is_complex() => {
                let part = self.vhlo_type(&Type::Scalar(e.real_part()))?;
                let mut draft = new_type(code::COMPLEX);
                draft.refer(part);
                draft
            }
            Type::Scalar(e) => match VHLO_SCALARS.iter().find(|row| row.1 == *e) {
                Some((number, _, since)) => Draft::since(*number, *since),
                None => return Err(Diagnostic::unsupported(format!("VHLO has no type {e}"))),
            },
            Type::Tensor(tensor) => {
                let mut draft = match encoding(tensor) {
                    Some(encoding @ Attr::Hlo(_)) => {
                        let mut draft = new_type(code::TENSOR_WITH_ENCODING);
                        draft.refer(self.vhlo_attr(&encoding)?);
                        draft
                    }
                    Some(_) => return Err(no_form(ty)),
                    None => new_type(code::TENSOR),
                };
                self.vhlo_shape(&mut draft, tensor)?;
                draft
            }
            Type::Buffer(buffer) if buffer.encoding.is_none() => {
                let mut draft = new_type(code::BUFFER);
                self.vhlo_shape(&mut draft, buffer)?;
                draft
            }
            Type::Buffer(_) => return Err(no_form(ty)),
            Type::Quant(quant) => {
                let number = if quant.axis.is_some() { code::QUANT_PER_AXIS } else { code::QUANT };
                self.quant(quant, new_type(number), World::Vhlo)?
            }
            Type::Token => new_type(code::TOKEN),
            Type::Tuple(types) => self.list(code::TUPLE, types)?,
            Type::Future(types) => self.list(code::FUTURE, types)?,
            Type::Function(function) => {
                let inputs = self.types(&function.inputs, World::Vhlo)?;
                let results = self.types(&function.results, World::Vhlo)?;
                let mut draft = new_type(code::FUNCTION);
                draft.refer_all(&inputs);
                draft.refer_all(&results);
                draft
            }
            Type::None => new_type(code::NONE),
            Type::Verbatim(text) => match &**text {
                "tf32" => new_type(code::TF32),
                "!shape.witness" => new_type(code::WITNESS),
                _ if text.starts_with('!') => return self.ty(ty, World::Builtin),
                _ => return Err(no_form(ty)),
            },
        };
        Ok(self.add_type("vhlo", draft))
    }

    fn vhlo_shape(&mut self, draft: &mut Draft, tensor: &TensorType) -> Result<()> {
        draft.bytes.ints(&sizes(tensor));
        draft.refer(self.vhlo_type(&element(tensor))?);
        Ok(())
    }

    fn list(&mut self, code: u64, types: &[Type]) -> Result<Draft> {
        let types = self.types(types, World::Vhlo)?;
        let mut draft = new_type(code);
        draft.refer_all(&types);
        Ok(draft)
    }
}

fn boolean(value: bool) -> Draft {
    let mut draft = new(code::BOOLEAN);
    draft.bytes.varint(u64::from(value));
    draft
}

fn no_form(ty: &Type) -> Diagnostic {
    Diagnostic::unsupported(format!("VHLO has no form for the type {ty}"))
        .help("write bytecode that holds StableHLO itself: `--to mlir-bytecode`")
}
