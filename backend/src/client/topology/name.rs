//! Names of topologies: `v5e:2x4`.

use crate::client::status::{Result, Status};
use sim_core::chip::{Chip, Slices, Wrap, chips};
use std::ops::Range;

/// `2x4`, `4x4x8`: two sides, or three.
pub(super) fn sides(text: &str) -> Option<[usize; 3]> {
    let mut shape = [1; 3];
    let parts: Vec<&str> = text.split('x').collect();
    if !(2..=3).contains(&parts.len()) {
        return None;
    }
    for (side, part) in shape.iter_mut().zip(parts) {
        *side = part.parse().ok().filter(|&n| n > 0)?;
    }
    Some(shape)
}

/// The chip and how it makes slices, the shape, and whether it is twisted.
pub(super) fn parse_name(name: &str) -> Result<(&'static Chip, &'static Slices, [usize; 3], bool)> {
    let examples = || {
        let list: Vec<String> = chips()
            .iter()
            .filter_map(|c| c.slices.as_ref())
            .filter_map(|s| Some(format!("{}:{}", s.topology, s.shape_text(s.usual_shape(4)?))))
            .collect();
        list.join(", ")
    };
    let (body, twisted) = match name.strip_suffix("_twisted") {
        Some(body) => (body, true),
        None => (name.strip_suffix("_untwisted").unwrap_or(name), false),
    };
    let is_digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    let (chip, rest, counted) = match body.rfind(['=', ':', '_']) {
        Some(i) => (&body[..i], &body[i + 1..], false),
        None => match body.rsplit_once('-') {
            Some((chip, count)) if is_digits(count) => (chip, count, true),
            _ => {
                return Err(Status::invalid(format!(
                    "topology {name:?}: a name is a chip and the shape of a slice: {}",
                    examples()
                )));
            }
        },
    };
    let Some(chip) = Chip::named(chip) else {
        return Err(Status::invalid(format!(
            "topology {name:?}: there is no chip {chip:?} here; known are {}",
            examples()
        )));
    };
    let Some(slices) = &chip.slices else {
        return Err(Status::invalid(format!(
            "topology {name:?}: how chips of {} make slices is not published; known are {}",
            chip.name,
            examples()
        )));
    };
    let shape = if counted {
        rest.parse()
            .ok()
            .filter(|n: &usize| n.is_multiple_of(slices.cores_in_name))
            .and_then(|n| slices.usual_shape(n / slices.cores_in_name))
    } else {
        sides(rest)
    };
    match shape {
        Some(shape) => Ok((chip, slices, shape, twisted)),
        None => Err(impossible(name, chip, slices, 4)),
    }
}

/// An error unless a slice of those chips can have the shape.
pub(super) fn possible(name: &str, chip: &Chip, slices: &Slices, shape: [usize; 3]) -> Result<()> {
    match slices.can_be(shape) {
        true => Ok(()),
        false => {
            let chips = shape.iter().fold(1usize, |n, &d| n.saturating_mul(d));
            Err(impossible(name, chip, slices, chips))
        }
    }
}

/// Says what a slice can be, and which are about as large.
fn impossible(name: &str, chip: &Chip, slices: &Slices, chips: usize) -> Status {
    let all = slices.of_at_most(slices.largest_slice());
    let above = all.iter().position(|s| s.iter().product::<usize>() >= chips).unwrap_or(all.len());
    let near: Range<usize> = above.saturating_sub(2)..(above + 2).min(all.len());
    let near: Vec<String> =
        all[near].iter().map(|&s| format!("{}:{}", slices.topology, slices.shape_text(s))).collect();
    let rule = match slices.wrap {
        Wrap::FullSide(side) => format!("has two sides, powers of two up to {side}"),
        Wrap::WholeCubes(side) => format!(
            "has sides of 1, 2 or {side}, or three multiples of {side}, and at most {} chips",
            slices.largest_slice()
        ),
    };
    Status::invalid(format!(
        "topology {name:?}: a slice of {} {rule}; near are {}",
        chip.name,
        near.join(", ")
    ))
}
