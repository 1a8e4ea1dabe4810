//! Groups of devices and shardings as text.

use super::index_comment;
use super::shape::list;
use crate::hlo::device::{DeviceGroups, MeshAxes, NamedSharding, Sharding, SubAxis, TileAssignment};
use std::fmt::{self, Write};
use std::sync::Arc;

pub fn groups(f: &mut String, g: &DeviceGroups) -> fmt::Result {
    match g {
        DeviceGroups::Lists(groups) => {
            f.push('{');
            for (i, group) in groups.iter().enumerate() {
                f.push_str(if i > 0 { ",{" } else { "{" });
                list(f, group)?;
                f.push('}');
            }
            f.push('}');
            Ok(())
        }
        DeviceGroups::Iota(t) => assignment(f, t),
        DeviceGroups::Mesh { mesh, axes } => {
            mesh_axes(f, mesh)?;
            f.push(' ');
            axis_list(f, axes)
        }
    }
}

fn assignment(f: &mut String, t: &TileAssignment) -> fmt::Result {
    f.push('[');
    list(f, &t.dims)?;
    f.push(']');
    if t.reshape_dims.is_empty() {
        return list(f, &t.devices);
    }
    f.push_str("<=[");
    list(f, &t.reshape_dims)?;
    f.push(']');
    if !t.transpose.is_empty() {
        f.push_str("T(");
        list(f, &t.transpose)?;
        f.push(')');
    }
    Ok(())
}

fn mesh_axes(f: &mut String, m: &MeshAxes) -> fmt::Result {
    if let Some(name) = &m.name {
        return write!(f, "@{name}");
    }
    f.push_str("mesh[");
    for (i, (name, size)) in m.axes.iter().enumerate() {
        write!(f, "{}'{name}'={size}", if i > 0 { "," } else { "" })?;
    }
    f.push(']');
    if let Some(order) = &m.order {
        f.push_str(", device_ids=");
        match order.reshape_dims.is_empty() {
            true => {
                f.push('(');
                list(f, &order.devices)?;
                f.push(')');
            }
            false => {
                f.push('(');
                assignment(f, order)?;
                f.push(')');
            }
        }
    }
    Ok(())
}

fn axis_list(f: &mut String, axes: &[SubAxis]) -> fmt::Result {
    f.push('{');
    for (i, a) in axes.iter().enumerate() {
        f.push_str(if i > 0 { ", " } else { "" });
        sub_axis(f, a)?;
    }
    f.push('}');
    Ok(())
}

fn sub_axis(f: &mut String, a: &SubAxis) -> fmt::Result {
    write!(f, "'{}'", a.name)?;
    match a.part {
        Some((pre, size)) => write!(f, ":({pre}){size}"),
        None => Ok(()),
    }
}

pub fn sharding(f: &mut String, s: &Sharding) -> fmt::Result {
    f.push('{');
    let rest = |f: &mut String, rest: &Option<Arc<str>>| match rest {
        Some(rest) => write!(f, " {rest}"),
        None => Ok(()),
    };
    match s {
        Sharding::Tuple(items) => {
            for (i, item) in items.iter().enumerate() {
                f.push_str(if i > 0 { ", " } else { "" });
                index_comment(f, i)?;
                sharding(f, item)?;
            }
        }
        Sharding::Named(n) => named(f, n)?,
        Sharding::Word { word, rest: r } => {
            f.push_str(word);
            rest(f, r)?;
        }
        Sharding::Maximal { device, rest: r } => {
            write!(f, "maximal device={device}")?;
            rest(f, r)?;
        }
        Sharding::Tiled { assignment: a, last_tile_dim_replicate, last_tile_dims, rest: r } => {
            f.push_str("devices=");
            assignment(f, a)?;
            if *last_tile_dim_replicate {
                f.push_str(" last_tile_dim_replicate");
            }
            if !last_tile_dims.is_empty() {
                write!(f, " last_tile_dims={{{}}}", last_tile_dims.join(", "))?;
            }
            rest(f, r)?;
        }
    }
    f.push('}');
    Ok(())
}

fn named(f: &mut String, n: &NamedSharding) -> fmt::Result {
    mesh_axes(f, &n.mesh)?;
    f.push_str(", ");
    match &n.word {
        Some(word) => f.push_str(word),
        None => {
            f.push('[');
            for (i, d) in n.dims.iter().enumerate() {
                f.push_str(if i > 0 { ", {" } else { "{" });
                for (k, a) in d.axes.iter().enumerate() {
                    f.push_str(if k > 0 { ", " } else { "" });
                    sub_axis(f, a)?;
                }
                if d.open {
                    f.push_str(if d.axes.is_empty() { "?" } else { ", ?" });
                }
                f.push('}');
            }
            f.push(']');
        }
    }
    for (key, axes) in &n.axes {
        write!(f, ", {key}=")?;
        axis_list(f, axes)?;
    }
    Ok(())
}
