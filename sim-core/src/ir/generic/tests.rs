//! Every operation, with random attributes, goes to its generic form and back.

use super::*;
use crate::dtype::ElementType;
use crate::ir::attr::{Attr, Dense};
use crate::ir::op::*;
use crate::tensor::Tensor;
use keyword::Keyword;
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Draws from a 64-bit linear congruential generator (Knuth's MMIX constants).
struct Draw(u64);

impl Draw {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }

    fn int(&mut self) -> i64 {
        self.below(1 << 20) as i64 - 3
    }

    fn bool(&mut self) -> bool {
        self.below(2) == 1
    }

    fn opt<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.bool().then(|| f(self))
    }

    fn list<T>(&mut self, mut f: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.below(4)).map(|_| f(self)).collect()
    }

    fn ints(&mut self) -> Vec<i64> {
        self.list(Self::int)
    }

    fn pairs(&mut self) -> Vec<(i64, i64)> {
        self.list(|d| (d.int(), d.int()))
    }

    fn word<K: Keyword>(&mut self) -> K {
        K::WORDS[self.below(K::WORDS.len() as u64) as usize].0
    }

    fn string(&mut self) -> Arc<str> {
        format!("s{}", self.below(1000)).into()
    }

    fn symbol(&mut self) -> Arc<[Arc<str>]> {
        (0..=self.below(2)).map(|_| self.string()).collect()
    }

    fn precision(&mut self) -> Vec<Precision> {
        self.list(Self::word)
    }

    fn dense(&mut self) -> Arc<Dense> {
        let values = [self.int() as i32, self.int() as i32];
        Arc::new(Dense::new(Tensor::from_slice(&[2], &values)))
    }

    fn channel(&mut self) -> ChannelHandle {
        ChannelHandle { handle: self.int(), ty: self.below(3) as i64 }
    }

    fn groups(&mut self) -> ReplicaGroups {
        let (rows, cols) = (self.below(3) as i64, self.below(3) as i64);
        if self.bool() {
            let ids = (0..rows * cols).map(|_| self.int()).collect();
            return ReplicaGroups::Dense { rows, cols, ids };
        }
        let axes = self.list(|d| AxisRef { name: d.string(), sub_axis: d.opt(|d| (d.int(), d.int())) });
        ReplicaGroups::MeshAxes { mesh: Attr::Symbol(self.symbol()), axes }
    }

    fn collective(&mut self, device_ids: bool, dynamic_root: bool) -> Collective {
        Collective {
            replica_groups: self.groups(),
            channel: self.opt(Self::channel),
            use_global_device_ids: device_ids && self.bool(),
            has_dynamic_root: dynamic_root && self.bool(),
        }
    }

    fn dot(&mut self) -> DotDims {
        DotDims {
            lhs_batch: self.ints(),
            rhs_batch: self.ints(),
            lhs_contract: self.ints(),
            rhs_contract: self.ints(),
        }
    }

    fn gather(&mut self) -> GatherDims {
        GatherDims { offset_dims: self.ints(), index_vector_dim: self.int(), ..GatherDims::default() }
    }

    fn conv(&mut self, padding: bool) -> Box<ConvAttrs> {
        Box::new(ConvAttrs {
            window_strides: self.ints(),
            padding: if padding { self.pairs() } else { Vec::new() },
            lhs_dilation: self.ints(),
            rhs_dilation: self.ints(),
            window_reversal: self.list(Self::bool),
            dims: ConvDims { input_batch: self.int(), kernel_spatial: self.ints(), ..ConvDims::default() },
            feature_group_count: self.int(),
            batch_group_count: self.int(),
            precision: self.precision(),
        })
    }

    fn custom_call(&mut self) -> Box<CustomCall> {
        Box::new(CustomCall {
            target: self.string(),
            has_side_effect: self.opt(Self::bool),
            backend_config: self.opt(|d| match d.bool() {
                true => Attr::String(d.string()),
                false => Attr::Dict(Arc::new(AttrDict::new())),
            }),
            api_version: self.opt(|d| d.below(5) as i64),
            called_computations: self.list(Self::symbol),
            operand_layouts: self.opt(|_| Attr::Array([].into())),
            result_layouts: self.opt(|_| Attr::Array([].into())),
            output_operand_aliases: self.list(|d| OutputOperandAlias {
                output_tuple_indices: d.ints(),
                operand_index: d.int(),
                operand_tuple_indices: d.ints(),
            }),
        })
    }

    /// One of each operation.
    fn ops(&mut self) -> Vec<Op> {
        let d = self;
        let mut ops: Vec<Op> = Vec::new();
        for op in Unary::ALL {
            let accuracy = d.opt(|d| {
                Arc::new(ResultAccuracy { atol: 0.5, rtol: 0.0, ulps: d.int(), mode: "TOLERANCE".into() })
            });
            ops.push(Op::Unary(op, accuracy));
        }
        for op in Binary::ALL {
            ops.push(Op::Binary(op));
            ops.push(Op::BroadcastBinary { op, dims: d.opt(Draw::ints) });
        }
        ops.extend(other::SDY_OTHER.map(|name| Op::SdyOther(name.into())));
        ops.extend([
            Op::Constant(d.dense()),
            Op::Iota { dim: d.int() },
            Op::DynamicIota { dim: d.int() },
            Op::PartitionId,
            Op::ReplicaId,
            Op::Rng(d.word()),
            Op::RngBitGenerator(d.word()),
            Op::Compare { direction: d.word(), ty: d.word() },
            Op::BroadcastCompare { direction: d.word(), ty: d.word(), dims: d.opt(Draw::ints) },
            Op::Select,
            Op::BroadcastSelect,
            Op::Clamp,
            Op::Convert,
            Op::BitcastConvert,
            Op::ReducePrecision { exponent_bits: d.int(), mantissa_bits: d.int() },
            Op::UniformQuantize,
            Op::UniformDequantize,
            Op::Map { dims: d.ints() },
            Op::ConstantLike(Attr::Float(1.5, ElementType::F32)),
            Op::BroadcastInDim { dims: d.ints() },
            Op::DynamicBroadcastInDim {
                dims: d.ints(),
                known_expanding: d.opt(Draw::ints),
                known_nonexpanding: d.opt(Draw::ints),
            },
            Op::Broadcast { sizes: d.ints() },
            Op::Reshape,
            Op::DynamicReshape,
            Op::Transpose { permutation: d.ints() },
            Op::Reverse { dims: d.ints() },
            Op::Slice { start: d.ints(), limit: d.ints(), strides: d.ints() },
            Op::DynamicSlice { sizes: d.ints() },
            Op::RealDynamicSlice,
            Op::DynamicUpdateSlice,
            Op::Pad { low: d.ints(), high: d.ints(), interior: d.ints() },
            Op::DynamicPad,
            Op::Concatenate { dim: d.int() },
            Op::Gather { dims: d.gather(), slice_sizes: d.ints(), sorted: d.opt(Draw::bool) },
            Op::DynamicGather { dims: d.gather(), sorted: d.opt(Draw::bool) },
            Op::Scatter {
                dims: ScatterDims { update_window_dims: d.ints(), ..ScatterDims::default() },
                sorted: d.opt(Draw::bool),
                unique: d.opt(Draw::bool),
            },
            Op::TorchIndexSelect { dim: d.int(), batch_dims: d.int() },
            Op::GetDimensionSize { dim: d.int() },
            Op::SetDimensionSize { dim: d.int() },
        ]);
        ops.extend([
            Op::DotGeneral {
                dims: d.dot(),
                precision: d.precision(),
                algorithm: d.opt(|d| DotAlgorithm {
                    lhs_precision_type: Type::Scalar(ElementType::BF16),
                    rhs_precision_type: Type::Verbatim("tf32".into()),
                    accumulation_type: Type::Scalar(ElementType::F32),
                    lhs_component_count: d.int(),
                    rhs_component_count: d.int(),
                    num_primitive_operations: d.int(),
                    allow_imprecise_accumulation: d.bool(),
                }),
            },
            Op::Dot { precision: d.precision() },
            Op::Einsum { config: d.string() },
            Op::UnaryEinsum { config: d.string() },
            Op::Convolution(d.conv(true)),
            Op::DynamicConv(d.conv(false)),
            Op::RaggedDot {
                dims: RaggedDotDims { dot: d.dot(), lhs_ragged: d.ints(), rhs_group: d.ints() },
                precision: d.precision(),
            },
            Op::Reduce { dims: d.ints() },
            Op::ReduceWindow(Window {
                dimensions: d.ints(),
                strides: d.ints(),
                base_dilations: d.ints(),
                window_dilations: d.ints(),
                padding: d.pairs(),
            }),
            Op::SelectAndScatter(Window {
                dimensions: d.ints(),
                strides: d.ints(),
                padding: d.pairs(),
                ..Window::default()
            }),
            Op::BatchNormGrad { epsilon: 1e-3, feature_index: d.int() },
            Op::BatchNormInference { epsilon: 0.0, feature_index: d.int() },
            Op::BatchNormTraining { epsilon: 0.1, feature_index: d.int() },
            Op::Sort { dim: d.int(), stable: d.bool() },
            Op::TopK { k: d.int(), stable: d.opt(Draw::bool) },
            Op::Scan { dim: d.int(), num_inits: 1, reverse: d.bool(), associative: d.opt(Draw::bool) },
            Op::Cholesky { lower: d.bool() },
            Op::TriangularSolve {
                left_side: d.bool(),
                lower: d.bool(),
                unit_diagonal: d.bool(),
                transpose: d.word(),
            },
            Op::Fft { ty: d.word(), length: d.ints() },
            Op::If,
            Op::Case,
            Op::While,
            Op::Call { callee: d.symbol() },
            Op::Composite {
                name: d.string(),
                attributes: Arc::new(AttrDict(d.list(|d| (d.string(), Attr::Bool(d.bool()))))),
                decomposition: d.symbol(),
                version: d.int(),
            },
            Op::CustomCall(d.custom_call()),
            Op::OptimizationBarrier,
            Op::Tuple,
            Op::GetTupleElement { index: d.int() },
        ]);
        ops.extend([
            Op::AfterAll,
            Op::CreateToken,
            Op::Infeed { config: d.string(), layout: d.opt(|_| Attr::Array([].into())) },
            Op::Outfeed { config: d.string() },
            Op::Send {
                channel: d.channel(),
                is_host_transfer: d.bool(),
                source_target_pairs: d.opt(Draw::pairs),
            },
            Op::Recv {
                channel: d.channel(),
                is_host_transfer: d.bool(),
                source_target_pairs: d.opt(Draw::pairs),
            },
            Op::AllGather { dim: d.int(), collective: d.collective(true, false) },
            Op::AllReduce(d.collective(true, false)),
            Op::AllToAll {
                split_dim: d.int(),
                concat_dim: d.int(),
                split_count: d.int(),
                collective: d.collective(false, false),
            },
            Op::CollectiveBroadcast(d.collective(false, true)),
            Op::CollectivePermute { source_target_pairs: d.pairs(), channel: d.opt(Draw::channel) },
            Op::CollectiveReduce(d.collective(true, true)),
            Op::ReduceScatter { dim: d.int(), collective: d.collective(true, false) },
            Op::CrossReplicaSum(d.groups()),
            Op::AsyncStart,
            Op::AsyncDone,
            Op::SdyShardingConstraint,
            Op::SdyReshard,
            Op::SdyPropagationBarrier,
            Op::SdyShardingGroup,
            Op::SdyManualComputation,
            Op::SdyNamedComputation { name: d.string() },
            Op::Check(Check::ExpectEq),
            Op::Check(Check::ExpectEqConst(d.dense())),
            Op::Check(Check::ExpectAlmostEq(d.opt(|_| 0.25))),
            Op::Check(Check::ExpectAlmostEqConst(d.dense(), d.opt(|_| 0.25))),
            Op::Check(Check::ExpectClose { min_ulp: d.opt(Draw::int), max_ulp: d.opt(Draw::int) }),
            Op::Check(Check::ExpectSerializedEq {
                probe_id: d.string(),
                probe_dir: d.string(),
                iteration: d.int(),
            }),
            Op::RunParallel { programs: d.list(|d| d.list(Draw::symbol)), infeed: d.list(Draw::symbol) },
            Op::InterpreterPrint,
            Op::InterpreterProbe { id: d.string() },
        ]);
        ops
    }
}

/// [`from_generic`] with two operands and two results, and a user's attribute that must stay.
fn there_and_back(op: &Op) -> Result<Op> {
    let types = [Type::Token, Type::Token];
    let mut attrs = to_generic(op, 2, 2);
    let user: (Arc<str>, Attr) = ("mhlo.sharding".into(), Attr::string("{replicated}"));
    attrs.0.insert(0, user.clone());
    let back = from_generic(op.name(), &mut attrs, &types, &types, num_regions(op).unwrap_or(2))?;
    assert_eq!(attrs.0, [user], "what {} leaves", op.name());
    Ok(back)
}

proptest! {
    #[test]
    fn every_operation_comes_back(seed: u64) {
        for op in Draw(seed).ops() {
            prop_assert_eq!(&there_and_back(&op).unwrap(), &op);
        }
    }
}

#[test]
fn the_samples_cover_every_name() {
    let ops = Draw(1).ops();
    let sampled: BTreeSet<&str> = ops.iter().map(Op::name).collect();
    let known = NAMES.iter().copied().chain(elementwise::plain_names()).chain(other::SDY_OTHER);
    let known: BTreeSet<&str> = known.filter(|&n| n != "chlo.constant" && n != "chlo.tan").collect();
    assert_eq!(sampled, known);
}

#[test]
fn keys_are_sorted() {
    for op in Draw(7).ops() {
        let attrs = to_generic(&op, 2, 2);
        assert!(attrs.0.is_sorted_by(|a, b| a.0 < b.0), "{}: {attrs:?}", op.name());
    }
}

fn read(name: &str, attrs: impl IntoIterator<Item = (&'static str, Attr)>) -> Result<Op> {
    let mut attrs: AttrDict = attrs.into_iter().map(|(k, v)| (k.into(), v)).collect();
    from_generic(name, &mut attrs, &[], &[], 0)
}

fn dense(shape: &[usize], values: &[i64]) -> Attr {
    Attr::Dense(Arc::new(Dense::new(Tensor::from_slice(shape, values))))
}

#[test]
fn lists_in_all_their_spellings() {
    let want = Op::Transpose { permutation: vec![1, 0] };
    let ints = [1, 0].map(|n| Attr::Int(n, ElementType::S64));
    for spelling in [Attr::i64s(&[1, 0]), dense(&[2], &[1, 0]), Attr::Array(ints.into())] {
        assert_eq!(read("stablehlo.transpose", [("permutation", spelling)]).unwrap(), want);
    }
}

#[test]
fn a_splat_of_padding_is_spread() {
    let one = Dense {
        ty: Type::tensor(ElementType::S64, &[2, 2]),
        value: Tensor::from_slice(&[], &[1i64]),
        splat: true,
    };
    let op = read(
        "stablehlo.reduce_window",
        [("window_dimensions", Attr::i64s(&[2, 2])), ("padding", Attr::Dense(Arc::new(one)))],
    );
    // One region is missing here, and that is checked last.
    assert!(op.unwrap_err().message().contains("1 region(s)"));
}

#[test]
fn errors_name_operation_and_attribute() {
    let e = read("stablehlo.concatenate", []).unwrap_err();
    assert_eq!(e.kind(), crate::ErrorKind::Invalid);
    assert_eq!(e.message(), "stablehlo.concatenate requires the attribute `dimension`");
    let e = read("stablehlo.concatenate", [("dimension", Attr::string("x"))]).unwrap_err();
    assert_eq!(
        e.message(),
        "stablehlo.concatenate: the attribute `dimension` must be an integer, not a string"
    );
    let odd = dense(&[3], &[1, 2, 3]);
    let e = read("stablehlo.collective_permute", [("source_target_pairs", odd)]).unwrap_err();
    assert!(e.message().contains("n by 2"), "{e}");
}

#[test]
fn an_unknown_name_gets_its_neighbour() {
    let e = read("stablehlo.tranpose", []).unwrap_err();
    assert_eq!(e.kind(), crate::ErrorKind::Unsupported);
    assert_eq!(e.help_text(), Some("the nearest name is `stablehlo.transpose`"));
    let e = read("linalg.matmul", []).unwrap_err();
    assert!(e.help_text().unwrap().contains("dialects"), "{e}");
}
