//! How an array lies in a device's memory: libtpu's default layout, and the bytes that any layout takes.
//!
//! The rule was found from 90,000 answers of libtpu 0.0.52 (`Layouts_Client_GetDefaultLayout`), of which it gives every one; they do
//! not depend on the chip (v4, v5e, v5p, v6e, v7x). The two most minor dimensions are cut into tiles of so many rows by 128 lanes, and
//! those two dimensions are taken that need the least padding; the others follow in row-major order.

use sim_core::ElementType;
use sim_core::hlo::{Layout, Tile};
use smallvec::{SmallVec, smallvec};

/// Values beside each other in a register.
const LANES: usize = 128;
/// Rows of a register.
const SUBLANES: usize = 8;

/// Where libtpu puts an array when nobody asks for a layout.
pub fn default_layout(element: ElementType, dims: &[usize]) -> Layout {
    let order = if dims.len() < 2 || dims.contains(&0) {
        Layout::row_major(dims.len()).minor_to_major
    } else {
        least_padded(element, dims)
    };
    tiled(element, dims, order)
}

/// The tiles of an array whose dimensions lie in this order, from the most minor to the most major.
pub fn tiled(element: ElementType, dims: &[usize], minor_to_major: SmallVec<[i64; 6]>) -> Layout {
    let packing = packing(element);
    let mut layout = Layout { minor_to_major, ..Layout::default() };
    if element.bits() < 8 && element != ElementType::Pred {
        layout.element_size_in_bits = element.bits().into();
    }
    if dims.contains(&0) {
        return layout;
    }
    let (first, packs) = match dims {
        [] => (smallvec![(LANES * packing) as i64], false),
        &[n] => {
            let least = LANES * packing;
            let lanes = n.checked_next_power_of_two().unwrap_or(usize::MAX);
            (smallvec![lanes.clamp(least, least.max(LANES * SUBLANES)) as i64], true)
        }
        _ => {
            let second =
                layout.minor_to_major.get(1).and_then(|&d| dims.get(usize::try_from(d).ok()?).copied());
            (smallvec![rows(packing, second.unwrap_or(1)) as i64, LANES as i64], true)
        }
    };
    layout.tiles.push(Tile(first));
    if packs && packing > 1 {
        // Rows that share a 32-bit word lie beside each other; of one dimension, a row is 128 of it.
        if dims.len() == 1 {
            layout.tiles.push(Tile(smallvec![LANES as i64]));
        }
        layout.tiles.push(Tile(smallvec![packing as i64, 1]));
    }
    layout
}

/// Elements in a word of 32 bits; wider ones are stored as several arrays of words.
fn packing(element: ElementType) -> usize {
    let bits = if element == ElementType::Pred { 8 } else { element.bits() as usize };
    (32 / bits).max(1)
}

/// Rows of a tile where the dimension has `n`.
fn rows(packing: usize, n: usize) -> usize {
    match packing {
        ..=2 => n.checked_next_power_of_two().unwrap_or(usize::MAX).clamp(packing, SUBLANES),
        // A whole register, where nothing is lost by it.
        _ if n.is_multiple_of(SUBLANES * packing) => SUBLANES * packing,
        _ if n <= packing => packing,
        _ => packing.max(SUBLANES),
    }
}

/// The order of the dimensions that takes the least room. Of equals: row-major, then the one whose minor dimension, then
/// whose second minor dimension is the last.
fn least_padded(element: ElementType, dims: &[usize]) -> SmallVec<[i64; 6]> {
    let rank = dims.len();
    let packing = packing(element);
    let padded = |n: usize, to: usize| (n as u128).next_multiple_of(to as u128);
    // What has more elements than that lies nowhere.
    let elements = dims.iter().try_fold(1u64, |n, &d| n.checked_mul(d as u64));
    let cost = |(minor, second): (usize, usize)| {
        let (m, s) = (dims[minor], dims[second]);
        // Two-bit types are weighed as if their tiles had 8 rows; where that decides nothing, whole tiles win.
        let by = if packing == 16 { SUBLANES } else { rows(packing, s) };
        let others = u128::from(elements.unwrap_or(0)) / (m as u128 * s as u128);
        let partial = packing == 16 && !(m.is_multiple_of(LANES) && s.is_multiple_of(packing));
        (others * padded(m, LANES) * padded(s, by), partial)
    };
    let mut best = (rank - 1, rank - 2);
    if elements.is_some() {
        let mut least = cost(best);
        for minor in (0..rank).rev() {
            for second in (0..rank).rev().filter(|&s| s != minor) {
                let cost = cost((minor, second));
                if cost < least {
                    (least, best) = (cost, (minor, second));
                }
            }
        }
    }
    let (minor, second) = best;
    let rest = (0..rank).rev().filter(|&d| d != minor && d != second);
    [minor, second].into_iter().chain(rest).map(|d| d as i64).collect()
}

/// Bytes that an array takes in HBM: padded to whole tiles, elements packed as the layout says. `u64::MAX` when it is beyond counting.
pub fn device_bytes(element: ElementType, dims: &[usize], layout: &Layout) -> u64 {
    if dims.contains(&0) {
        return 0;
    }
    // Sizes from major to minor, as they lie in memory.
    let mut sizes: SmallVec<[u64; 8]> = layout
        .minor_to_major
        .iter()
        .rev()
        .map(|&d| usize::try_from(d).ok().and_then(|d| dims.get(d)).map_or(1, |&n| n as u64))
        .collect();
    for Tile(tile) in &layout.tiles {
        let at = sizes.len().saturating_sub(tile.len());
        let missing = tile.len() - (sizes.len() - at);
        // The part of the array that the tile cuts; a tile of more dimensions than there are cuts it as a single row.
        let mut cut: SmallVec<[u64; 4]> = std::iter::repeat_n(1, missing).chain(sizes.drain(at..)).collect();
        for i in 0..tile.len() {
            if tile[i] == Tile::COMBINE
                && let Some(next) = cut.get(i + 1)
            {
                cut[i + 1] = cut[i].saturating_mul(*next);
                cut[i] = 1;
            }
        }
        let tile: SmallVec<[u64; 4]> = tile.iter().map(|&n| u64::try_from(n).unwrap_or(1).max(1)).collect();
        sizes.extend(cut.iter().zip(&tile).map(|(&n, &t)| n.div_ceil(t)));
        sizes.extend(tile);
    }
    let elements = sizes.iter().fold(1u128, |n, &d| n.saturating_mul(d.into()));
    let alignment = u128::try_from(layout.tail_padding_alignment).unwrap_or(1).max(1);
    let elements = elements.div_ceil(alignment).saturating_mul(alignment);
    let bytes = match u128::try_from(layout.element_size_in_bits) {
        Ok(bits @ 1..) => elements.saturating_mul(bits).div_ceil(8),
        _ => elements.saturating_mul(element.byte_size() as u128),
    };
    u64::try_from(bytes).unwrap_or(u64::MAX)
}
