//! Shapes and layouts.

use super::schema::{DIM_LEVEL_TYPE, LayoutProto, PRIMITIVE_TYPE, ShapeProto, SplitConfigProto, TileProto};
use sim_core::hlo::{ArrayShape, Layout, Shape, Tile};
use sim_core::types::Dim;
use sim_core::{Diagnostic, ElementType, Result};
use std::sync::Arc;

/// What stands for the size of an unbounded dimension.
const UNBOUNDED: i64 = i64::MIN;

pub(super) fn read(proto: &ShapeProto) -> Result<Arc<Shape>> {
    Ok(Arc::new(match PRIMITIVE_TYPE.name(proto.element_type) {
        Some("TUPLE") => Shape::Tuple(proto.tuple_shapes.iter().map(read).collect::<Result<_>>()?),
        Some("TOKEN") => Shape::Token,
        Some("OPAQUE_TYPE") => Shape::Opaque,
        Some("BUFFER") => match &proto.tuple_shapes[..] {
            [inner] => match Arc::unwrap_or_clone(read(inner)?) {
                Shape::Array(a) => Shape::Buffer(a),
                _ => return Err(Diagnostic::malformed("a buffer holds an array (`tuple_shapes`)")),
            },
            _ => return Err(Diagnostic::malformed("a buffer has one shape in `tuple_shapes`")),
        },
        _ => Shape::Array(array(proto)?),
    }))
}

/// A shape that must be there.
pub(super) fn required(proto: Option<&ShapeProto>, field: &str) -> Result<Arc<Shape>> {
    match proto {
        Some(proto) => read(proto),
        None => Err(Diagnostic::malformed(format!("`{field}` is missing"))),
    }
}

pub(super) fn element(number: i32) -> Result<ElementType> {
    let name = PRIMITIVE_TYPE.name(number).map(str::to_ascii_lowercase);
    let known = name.as_deref().and_then(ElementType::from_hlo_name);
    known.ok_or_else(|| match name {
        Some(name) if number != 0 => {
            Diagnostic::unsupported(format!("the element type {name} is not supported"))
        }
        _ => Diagnostic::malformed(format!("{number} is no `element_type`")),
    })
}

fn array(proto: &ShapeProto) -> Result<ArrayShape> {
    let mut dims = Vec::with_capacity(proto.dimensions.len());
    for (i, &n) in proto.dimensions.iter().enumerate() {
        let dynamic = proto.is_dynamic_dimension.get(i).copied().unwrap_or(false);
        dims.push(match (n, dynamic) {
            (UNBOUNDED, true) => Dim::Dynamic,
            (..0, _) => return Err(Diagnostic::malformed(format!("{n} is no size (`dimensions`)"))),
            (n, true) => Dim::Bounded(n),
            (n, false) => Dim::Static(n),
        });
    }
    let mut array = ArrayShape::new(element(proto.element_type)?, dims);
    if let Some(layout) = &proto.layout {
        array.layout = Some(Arc::new(read_layout(layout, array.rank())?));
    }
    Ok(array)
}

fn read_layout(proto: &LayoutProto, rank: usize) -> Result<Layout> {
    let mut seen = vec![false; rank];
    for &d in &proto.minor_to_major {
        let slot = usize::try_from(d).ok().and_then(|d| seen.get_mut(d));
        if slot.is_none_or(|slot| std::mem::replace(slot, true)) {
            return Err(Diagnostic::malformed("a layout names each dimension once (`minor_to_major`)"));
        }
    }
    if proto.minor_to_major.len() != rank {
        return Err(Diagnostic::malformed(format!(
            "this layout orders {} dimensions, the shape has {rank} (`minor_to_major`)",
            proto.minor_to_major.len()
        )));
    }
    let integer = |number: i32| match number {
        0 => Ok(None),
        _ => element(number).map(Some),
    };
    Ok(Layout {
        minor_to_major: proto.minor_to_major.iter().copied().collect(),
        dim_level_types: read_levels(proto)?,
        tiles: proto.tiles.iter().map(|t| Tile(t.dimensions.iter().copied().collect())).collect(),
        // 1 pads nothing.
        tail_padding_alignment: match proto.tail_padding_alignment_in_elements {
            1 => 0,
            n => n,
        },
        index_type: integer(proto.index_primitive_type)?,
        pointer_type: integer(proto.pointer_primitive_type)?,
        element_size_in_bits: proto.element_size_in_bits,
        memory_space: proto.memory_space,
        splits: proto.split_configs.iter().map(|s| (s.dimension, s.split_indices.clone())).collect(),
        dynamic_shape_metadata_prefix_bytes: proto.dynamic_shape_metadata_prefix_bytes,
        physical_shape: match &proto.physical_shape {
            Some(shape) => Some(Box::new(Arc::unwrap_or_clone(read(shape)?))),
            None => None,
        },
    })
}

/// The letters of dense, compressed, singleton and loosely compressed dimensions.
const LEVELS: [(&str, char); 4] =
    [("DIM_DENSE", 'D'), ("DIM_COMPRESSED", 'C'), ("DIM_SINGLETON", 'S'), ("DIM_LOOSE_COMPRESSED", 'H')];

fn read_levels(proto: &LayoutProto) -> Result<Vec<Arc<str>>> {
    let mut levels = Vec::new();
    for (i, &level) in proto.dim_level_types.iter().enumerate() {
        let name = DIM_LEVEL_TYPE.name(level);
        let Some((_, letter)) = LEVELS.iter().find(|(n, _)| Some(*n) == name) else {
            return Err(Diagnostic::malformed(format!("{level} is none of `dim_level_types`")));
        };
        let mut text = letter.to_string();
        let unless = |list: &[bool]| !list.get(i).copied().unwrap_or(true);
        text.extend(unless(&proto.dim_unique).then_some('+'));
        text.extend(unless(&proto.dim_ordered).then_some('~'));
        levels.push(text.into());
    }
    Ok(levels)
}

pub(super) fn write(shape: &Shape) -> ShapeProto {
    let named = |name: &str| ShapeProto {
        element_type: PRIMITIVE_TYPE.number(name).unwrap_or_default(),
        ..ShapeProto::default()
    };
    match shape {
        Shape::Tuple(items) => {
            ShapeProto { tuple_shapes: items.iter().map(|s| write(s)).collect(), ..named("TUPLE") }
        }
        Shape::Token => named("TOKEN"),
        Shape::Opaque => named("OPAQUE_TYPE"),
        Shape::Buffer(a) => ShapeProto { tuple_shapes: vec![write_array(a)], ..named("BUFFER") },
        Shape::Array(a) => write_array(a),
    }
}

fn primitive(element: ElementType) -> i32 {
    PRIMITIVE_TYPE.number(&element.hlo_name().to_ascii_uppercase()).unwrap_or_default()
}

fn write_array(a: &ArrayShape) -> ShapeProto {
    let dynamic = |d: &Dim| !matches!(d, Dim::Static(_));
    let layout = match &a.layout {
        Some(layout) => write_layout(layout),
        None => write_layout(&Layout::row_major(a.rank())),
    };
    ShapeProto {
        element_type: primitive(a.element),
        dimensions: a
            .dims
            .iter()
            .map(|d| match *d {
                Dim::Static(n) | Dim::Bounded(n) => n,
                Dim::Dynamic => UNBOUNDED,
            })
            .collect(),
        is_dynamic_dimension: a.dims.iter().map(dynamic).collect(),
        layout: Some(Box::new(layout)),
        ..ShapeProto::default()
    }
}

fn write_layout(l: &Layout) -> LayoutProto {
    let level = |text: &Arc<str>| {
        let name =
            LEVELS.iter().find(|(_, letter)| text.starts_with(*letter)).map_or("DIM_DENSE", |(n, _)| n);
        DIM_LEVEL_TYPE.number(name).unwrap_or_default()
    };
    let flags = |mark: char| match l.dim_level_types.iter().any(|t| t.contains(mark)) {
        true => l.dim_level_types.iter().map(|t| !t.contains(mark)).collect(),
        false => Vec::new(),
    };
    LayoutProto {
        minor_to_major: l.minor_to_major.to_vec(),
        tiles: l.tiles.iter().map(|t| TileProto { dimensions: t.0.to_vec() }).collect(),
        element_size_in_bits: l.element_size_in_bits,
        memory_space: l.memory_space,
        dim_level_types: l.dim_level_types.iter().map(level).collect(),
        dim_unique: flags('+'),
        dim_ordered: flags('~'),
        physical_shape: l.physical_shape.as_ref().map(|s| Box::new(write(s))),
        index_primitive_type: l.index_type.map_or(0, primitive),
        pointer_primitive_type: l.pointer_type.map_or(0, primitive),
        dynamic_shape_metadata_prefix_bytes: l.dynamic_shape_metadata_prefix_bytes,
        tail_padding_alignment_in_elements: l.tail_padding_alignment.max(1),
        split_configs: l
            .splits
            .iter()
            .map(|(dimension, at)| SplitConfigProto { dimension: *dimension, split_indices: at.clone() })
            .collect(),
    }
}
