//! The right-hand sides of attributes, by key.

use super::computation::Refs;
use super::cursor::Cursor;
use super::windows::{dim_labels, padding, window};
use super::{device, shape::Shapes};
use sim_core::Result;
use sim_core::hlo::{AliasEntry, Key, Metadata, ParameterLayouts, SliceDim, Value};
use std::sync::Arc;

/// The value of `key=`. Names of computations and instructions go to `refs`, which resolves them
/// when everything has been read.
pub(super) fn value<'a>(
    c: &mut Cursor<'a>,
    key: &Key,
    shapes: &mut Shapes<'a>,
    refs: &mut Refs<'a>,
) -> Result<Value> {
    use Key as K;
    Ok(match key {
        K::IsScheduled | K::AllowSpmdToOutput | K::AllowSpmdToParameters | K::ParameterReplication
            if c.peek() == b'{' =>
        {
            let mut values = Vec::new();
            c.list(b'{', b'}', |c| {
                values.push(c.bool()?);
                Ok(())
            })?;
            Value::Bools(values.into())
        }
        K::IsScheduled
        | K::AllowSpmdToOutput
        | K::AllowSpmdToParameters
        | K::ParameterReplication
        | K::IsHostTransfer
        | K::ConstrainLayout
        | K::HasDynamicRoot
        | K::LeftSide
        | K::Lower
        | K::UnitDiagonal
        | K::UseGlobalDeviceIds
        | K::Largest
        | K::IsStable
        | K::IsReverse
        | K::IsAssociative
        | K::IndicesAreSorted
        | K::UniqueIndices
        | K::CustomCallHasSideEffect
        | K::IsComposite => match c.peek() {
            b't' | b'f' | b'0' | b'1' => Value::Bool(c.bool()?),
            _ => Value::Raw(c.verbatim()?.into()),
        },
        K::ReplicaCount
        | K::NumPartitions
        | K::ChannelId
        | K::IotaDimension
        | K::SplitDimension
        | K::CrossProgramPrefetchIndex
        | K::K
        | K::NumCarries
        | K::Index
        | K::ExponentBits
        | K::MantissaBits
        | K::FeatureGroupCount
        | K::BatchGroupCount
        | K::IndexVectorDim
        | K::FeatureIndex
        | K::Delta => Value::Int(c.int("a number")?),
        K::Epsilon => {
            let start = c.pos;
            let text = c.verbatim()?;
            match text.parse::<f32>() {
                // XLA keeps it as a float.
                Ok(v) => Value::Float(f64::from(v)),
                Err(_) => return Err(c.error(start, "expected a number")),
            }
        }
        // `order=TOTAL` is how XLA now says `type=TOTALORDER`.
        K::Order => match c.word("`TOTAL` or `PARTIAL`")? {
            "TOTAL" => Value::Word("TOTALORDER".into()),
            other => Value::Word(other.into()),
        },
        K::FftType
        | K::TransposeA
        | K::Direction
        | K::ComparisonType
        | K::Algorithm
        | K::PaddingType
        | K::Distribution
        | K::Kind
        | K::Schedule
        | K::ApiVersion => Value::Word(c.word("a word")?.into()),
        K::AsyncExecutionThread | K::InfeedConfig | K::OutfeedConfig | K::CustomCallTarget => {
            Value::String(c.string()?)
        }
        K::FftLength
        | K::Dimensions
        | K::DynamicSliceSizes
        | K::LhsBatchDims
        | K::LhsContractingDims
        | K::RhsBatchDims
        | K::RhsContractingDims
        | K::LhsRaggedDims
        | K::RhsGroupDims
        | K::OffsetDims
        | K::CollapsedSliceDims
        | K::StartIndexMap
        | K::OperandBatchingDims
        | K::StartIndicesBatchingDims
        | K::UpdateWindowDims
        | K::InsertedWindowDims
        | K::ScatterDimsToOperandDims
        | K::InputBatchingDims
        | K::ScatterIndicesBatchingDims
        | K::AliasPassthroughParams => match c.peek() {
            b'{' => Value::Ints(c.ints(b'{', b'}')?.into()),
            _ => Value::Int(c.int("a list `{0,1}`")?),
        },
        K::OperandPrecision => {
            let mut words: Vec<Arc<str>> = Vec::new();
            c.list(b'{', b'}', |c| {
                words.push(c.word("a precision")?.into());
                Ok(())
            })?;
            Value::Words(words.into())
        }
        K::SourceTargetPairs => lists(c)?,
        // Of a gather one list, of a permutation in place one for each slice.
        K::SliceSizes => match c.peek() {
            b'{' if c.text.as_bytes()[c.pos..].get(1).is_some_and(|&b| b == b'{') => lists(c)?,
            b'{' => Value::Ints(c.ints(b'{', b'}')?.into()),
            _ => Value::Int(c.int("a list `{0,1}`")?),
        },
        K::ReplicaGroups => Value::Groups(Box::new(device::groups(c)?)),
        K::Sharding => Value::Sharding(Box::new(device::sharding(c)?)),
        K::Domain => domain(c)?,
        K::Slice => slice(c)?,
        K::Padding => padding(c)?,
        K::Window => Value::Window(window(c)?.into()),
        K::DimLabels => Value::DimLabels(Box::new(dim_labels(c)?)),
        K::OutfeedShape => Value::Shape(shapes.parse(c)?),
        K::OperandLayoutConstraints => {
            let mut list = Vec::new();
            c.list(b'{', b'}', |c| {
                list.push(shapes.parse(c)?);
                Ok(())
            })?;
            Value::Shapes(list.into())
        }
        K::EntryComputationLayout => {
            c.expect(b'{')?;
            let mut parameters = Vec::new();
            c.list(b'(', b')', |c| {
                parameters.push(shapes.parse(c)?);
                Ok(())
            })?;
            c.expect_str("->")?;
            let result = shapes.parse(c)?;
            c.expect(b'}')?;
            Value::Layouts(Box::new(ParameterLayouts { parameters, result }))
        }
        K::OutputToOperandAliasing | K::InputOutputAlias => Value::Aliases(aliases(c, true)?.into()),
        K::BufferDonor => Value::Aliases(aliases(c, false)?.into()),
        K::FrontendAttributes => Value::Dict(dict(c)?.into()),
        K::Condition
        | K::Body
        | K::Select
        | K::Scatter
        | K::TrueComputation
        | K::FalseComputation
        | K::ToApply
        | K::Calls => Value::Computation(refs.computation(c, shapes)?),
        K::BranchComputations | K::CalledComputations => {
            let mut ids = Vec::new();
            c.list(b'{', b'}', |c| {
                ids.push(refs.computation(c, shapes)?);
                Ok(())
            })?;
            Value::Computations(ids.into())
        }
        K::ControlPredecessors => {
            let mut ids = Vec::new();
            c.list(b'{', b'}', |c| {
                ids.push(refs.instruction(c)?);
                Ok(())
            })?;
            Value::Instructions(ids.into())
        }
        K::BackendConfig if c.peek() == b'"' => Value::String(c.string()?),
        K::BackendConfig
        | K::Metadata
        | K::Literal
        | K::ResultAccuracy
        | K::Sparsity
        | K::Statistics
        | K::Origin
        | K::Other(_) => match c.verbatim()? {
            "" => return Err(c.expected("a value")),
            text => Value::Raw(text.into()),
        },
    })
}

/// `{{0,1},{1,0}}`
fn lists(c: &mut Cursor) -> Result<Value> {
    let mut lists: Vec<Box<[i64]>> = Vec::new();
    c.list(b'{', b'}', |c| {
        lists.push(c.ints(b'{', b'}')?.into());
        Ok(())
    })?;
    Ok(Value::Lists(lists.into()))
}

fn domain(c: &mut Cursor) -> Result<Value> {
    c.expect(b'{')?;
    c.expect_str("kind")?;
    c.expect(b'=')?;
    let start = c.pos;
    if &*c.string()? != "sharding" {
        return Err(c.error(start, "domains are of kind \"sharding\""));
    }
    c.expect(b',')?;
    c.expect_str("entry")?;
    c.expect(b'=')?;
    let entry = device::sharding(c)?;
    c.expect(b',')?;
    c.expect_str("exit")?;
    c.expect(b'=')?;
    let exit = device::sharding(c)?;
    c.expect(b'}')?;
    Ok(Value::Domain(Box::new((entry, exit))))
}

/// `{[0:8], [0:4:2]}`
fn slice(c: &mut Cursor) -> Result<Value> {
    let mut dims = Vec::new();
    c.list(b'{', b'}', |c| {
        c.expect(b'[')?;
        let start = c.int("a start")?;
        c.expect(b':')?;
        let limit = c.int("a limit")?;
        let stride = if c.eat(b':') { c.int("a stride")? } else { 1 };
        c.expect(b']')?;
        dims.push(SliceDim { start, limit, stride });
        Ok(())
    })?;
    Ok(Value::Slice(dims.into()))
}

/// `{ {1}: (0, {}, may-alias) }`, and without outputs `{ (0, {}) }`.
fn aliases(c: &mut Cursor, with_output: bool) -> Result<Vec<AliasEntry>> {
    let mut entries = Vec::new();
    c.list(b'{', b'}', |c| {
        let mut e = AliasEntry::default();
        if with_output {
            e.output = c.ints(b'{', b'}')?;
            c.expect(b':')?;
        }
        c.expect(b'(')?;
        e.parameter = c.int("the number of an operand")?;
        if c.eat(b',') {
            e.path = c.ints(b'{', b'}')?;
        }
        if c.eat(b',') {
            e.kind = Some(c.word("`may-alias` or `must-alias`")?.into());
        }
        c.expect(b')')?;
        entries.push(e);
        Ok(())
    })?;
    Ok(entries)
}

/// `{a="x",b={"json":1}}`
fn dict(c: &mut Cursor) -> Result<Vec<(Arc<str>, Arc<str>)>> {
    let mut items = Vec::new();
    c.list(b'{', b'}', |c| {
        let key = match c.peek() {
            b'"' => c.string()?,
            _ => c.word("the name of an attribute")?.into(),
        };
        c.expect(b'=')?;
        let value = match c.peek() {
            b'"' => c.string()?,
            _ => c.verbatim()?.into(),
        };
        items.push((key, value));
        Ok(())
    })?;
    Ok(items)
}

/// `{op_type="…" op_name="…" source_line=3 …}`
pub(super) fn metadata(c: &mut Cursor) -> Result<Metadata> {
    let mut m = Metadata::default();
    c.expect(b'{')?;
    while !c.eat(b'}') {
        let key = c.word("a part of the metadata")?;
        c.expect(b'=')?;
        match key {
            "op_type" => m.op_type = Some(c.string()?),
            "op_name" => m.op_name = Some(c.string()?),
            "source_file" => m.source_file = Some(c.string()?),
            "deduplicated_name" => m.deduplicated_name = Some(c.string()?),
            "scheduling_name" => m.scheduling_name = Some(c.string()?),
            "source_line" => m.source_line = c.int("a number")?,
            "source_end_line" => m.source_end_line = c.int("a number")?,
            "source_column" => m.source_column = c.int("a number")?,
            "source_end_column" => m.source_end_column = c.int("a number")?,
            "stack_frame_id" => m.stack_frame_id = c.int("a number")?,
            "preserve_layout" => m.preserve_layout = c.bool()?,
            "profile_type" => {
                c.expect(b'{')?;
                m.profile_type = Some(c.int("a number")?);
                c.expect(b'}')?;
            }
            _ => {
                let start = c.pos;
                match c.peek() {
                    b'"' => drop(c.string()?),
                    b'{' => drop(c.verbatim()?),
                    _ => drop(c.run(b"_.-+")),
                }
                m.other.push((key.into(), c.text[start..c.pos].into()));
            }
        }
        c.eat(b',');
    }
    Ok(m)
}
