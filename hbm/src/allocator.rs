//! Where buffers lie that come and go: offsets in one heap, known before the program runs.
//!
//! Every buffer's size and life are known, so that this is a packing of rectangles, bytes by time. Three orders of placing are tried, each
//! with best fit (the smallest hole that takes the buffer), as XLA's heap simulator has them: the largest first, the longest-lived first,
//! and as the program comes to them.

/// A buffer that wants a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    pub bytes: u64,
    /// The step of the program that makes it.
    pub from: u32,
    /// The last step that needs it, this one included; one before `from` counts as `from`.
    pub until: u32,
    /// Its offset is a multiple of that; 0 counts as 1.
    pub alignment: u64,
}

/// Which buffer is placed first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The largest.
    Size,
    /// The one that lives longest.
    Life,
    /// The one that is made first.
    Program,
}

/// Where the buffers lie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    /// By request.
    pub offsets: Vec<u64>,
    /// Bytes of the heap: where the highest buffer ends.
    pub peak: u64,
    pub order: Order,
}

/// Buffers that one order looks at, for all that it places, before it is given up: programs in which so many live at once are placed in
/// the program's order alone, which is fast whatever they are.
const MOST_LOOKED_AT: u64 = 20_000_000;

/// The best of all orders; of equals the first.
pub fn allocate(requests: &[Request]) -> Placement {
    let least = most_alive(requests).bytes;
    let mut best: Option<Placement> = None;
    for order in [Order::Size, Order::Life, Order::Program] {
        if let Some(found) = allocate_in(requests, order)
            && best.as_ref().is_none_or(|b| found.peak < b.peak)
        {
            best = Some(found);
        }
        if best.as_ref().is_some_and(|b| b.peak == least) {
            break;
        }
    }
    best.unwrap_or(Placement { offsets: vec![0; requests.len()], peak: 0, order: Order::Program })
}

/// One order; `None` where it would take too long. [`Order::Program`] never does.
pub fn allocate_in(requests: &[Request], order: Order) -> Option<Placement> {
    let offsets = match order {
        Order::Program => as_they_come(requests),
        Order::Size | Order::Life => one_by_one(requests, order)?,
    };
    let ends =
        requests.iter().zip(&offsets).filter(|(r, _)| r.bytes > 0).map(|(r, o)| o.saturating_add(r.bytes));
    Some(Placement { peak: ends.max().unwrap_or(0), offsets, order })
}

/// The most bytes that live at once, and when first: no placement has a smaller peak.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Alive {
    pub bytes: u64,
    pub at: u32,
}

pub fn most_alive(requests: &[Request]) -> Alive {
    let mut changes: Vec<(u64, bool, u64)> = Vec::with_capacity(2 * requests.len());
    for r in requests.iter().filter(|r| r.bytes > 0) {
        changes.push((r.from.into(), true, r.bytes));
        changes.push((u64::from(r.until.max(r.from)) + 1, false, r.bytes));
    }
    // What ends comes before what begins.
    changes.sort_unstable();
    let (mut now, mut most) = (0u128, (0u128, 0u64));
    for (at, begins, bytes) in changes {
        if begins {
            now += u128::from(bytes);
            if now > most.0 {
                most = (now, at);
            }
        } else {
            now -= u128::from(bytes);
        }
    }
    Alive { bytes: u64::try_from(most.0).unwrap_or(u64::MAX), at: u32::try_from(most.1).unwrap_or(u32::MAX) }
}

fn align(offset: u64, to: u64) -> u64 {
    offset.checked_next_multiple_of(to.max(1)).unwrap_or(u64::MAX)
}

/// Each among all those placed before that live when it does.
fn one_by_one(requests: &[Request], order: Order) -> Option<Vec<u64>> {
    let life = |r: &Request| u64::from(r.until.saturating_sub(r.from));
    let mut queue: Vec<usize> = (0..requests.len()).filter(|&i| requests[i].bytes > 0).collect();
    queue.sort_by_key(|&i| {
        let r = &requests[i];
        let (small, short) = (u64::MAX - r.bytes, u64::MAX - life(r));
        let (first, second) = if order == Order::Life { (short, small) } else { (small, short) };
        (first, second, r.from, i)
    });
    let mut placed = Placed::new(requests);
    let mut offsets = vec![0; requests.len()];
    let (mut others, mut looked_at) = (Vec::new(), 0u64);
    for i in queue {
        others.clear();
        placed.during(&requests[i], &mut others);
        looked_at += others.len() as u64;
        if looked_at > MOST_LOOKED_AT {
            return None;
        }
        for o in &mut others {
            *o = (offsets[o.1 as usize], o.1);
        }
        others.sort_unstable();
        offsets[i] =
            best_fit(&requests[i], others.iter().map(|&(offset, n)| (offset, requests[n as usize].bytes)));
        placed.add(i);
    }
    Some(offsets)
}

/// The smallest hole between `others`, which are in order of their offsets; above them all where none takes it.
fn best_fit(request: &Request, others: impl Iterator<Item = (u64, u64)>) -> u64 {
    let mut best: Option<(u64, u64)> = None;
    let mut free = 0u64;
    for (offset, bytes) in others {
        let at = align(free, request.alignment);
        if at.saturating_add(request.bytes) <= offset {
            let hole = offset - free;
            if best.is_none_or(|(size, _)| hole < size) {
                best = Some((hole, at));
            }
        }
        free = free.max(offset.saturating_add(bytes));
    }
    best.map_or_else(|| align(free, request.alignment), |(_, at)| at)
}

/// Buffers that have a place, to be asked for those alive in a time: a tree over all buffers in order of their beginnings, whose nodes know
/// the latest end below them.
struct Placed {
    /// Requests in order of `from`.
    sorted: Vec<u32>,
    from: Vec<u32>,
    /// By request: its place in `sorted`.
    rank: Vec<u32>,
    until: Vec<u32>,
    /// One more than the latest end below a node; 0: none is placed there. The leaves are the second half.
    latest: Vec<u64>,
    leaves: usize,
}

impl Placed {
    fn new(requests: &[Request]) -> Placed {
        let mut sorted: Vec<u32> = (0..requests.len() as u32).collect();
        sorted.sort_by_key(|&i| (requests[i as usize].from, i));
        let mut rank = vec![0; requests.len()];
        for (place, &i) in sorted.iter().enumerate() {
            rank[i as usize] = place as u32;
        }
        let leaves = requests.len().next_power_of_two();
        Placed {
            from: sorted.iter().map(|&i| requests[i as usize].from).collect(),
            sorted,
            rank,
            until: requests.iter().map(|r| r.until.max(r.from)).collect(),
            latest: vec![0; 2 * leaves],
            leaves,
        }
    }

    fn add(&mut self, request: usize) {
        let end = u64::from(self.until[request]) + 1;
        let mut node = self.leaves + self.rank[request] as usize;
        while node > 0 {
            self.latest[node] = self.latest[node].max(end);
            node /= 2;
        }
    }

    /// Those that live when `request` does, as (0, its number).
    fn during(&self, request: &Request, out: &mut Vec<(u64, u32)>) {
        let begun = self.from.partition_point(|&from| from <= request.until.max(request.from));
        self.visit(1, 0, self.leaves, begun, u64::from(request.from) + 1, out);
    }

    /// The leaves from `first` on, `count` of them, are below `node`. The tree is as deep as the number of buffers has bits.
    fn visit(
        &self,
        node: usize,
        first: usize,
        count: usize,
        begun: usize,
        after: u64,
        out: &mut Vec<(u64, u32)>,
    ) {
        if first >= begun || self.latest[node] < after {
            return;
        }
        if count == 1 {
            out.push((0, self.sorted[first]));
            return;
        }
        let half = count / 2;
        self.visit(2 * node, first, half, begun, after, out);
        self.visit(2 * node + 1, first + half, half, begun, after, out);
    }
}

/// In the program's order, the larger first of those made at once: holes are kept by size and by place.
fn as_they_come(requests: &[Request]) -> Vec<u64> {
    let mut queue: Vec<usize> = (0..requests.len()).filter(|&i| requests[i].bytes > 0).collect();
    queue.sort_by_key(|&i| (requests[i].from, u64::MAX - requests[i].bytes, i));
    let mut ends: std::collections::BinaryHeap<std::cmp::Reverse<(u32, usize)>> = Default::default();
    let mut holes = Holes::default();
    let mut offsets = vec![0; requests.len()];
    for i in queue {
        let r = &requests[i];
        while let Some(&std::cmp::Reverse((until, n))) = ends.peek()
            && until < r.from
        {
            ends.pop();
            holes.free(offsets[n], requests[n].bytes);
        }
        offsets[i] = holes.take(r.bytes, r.alignment);
        ends.push(std::cmp::Reverse((r.until.max(r.from), i)));
    }
    offsets
}

/// Free bytes below the heap's end.
#[derive(Default)]
struct Holes {
    /// Offset to size.
    by_place: std::collections::BTreeMap<u64, u64>,
    /// (size, offset)
    by_size: std::collections::BTreeSet<(u64, u64)>,
    end: u64,
}

impl Holes {
    fn insert(&mut self, offset: u64, bytes: u64) {
        if bytes > 0 {
            self.by_place.insert(offset, bytes);
            self.by_size.insert((bytes, offset));
        }
    }

    fn remove(&mut self, offset: u64, bytes: u64) {
        self.by_place.remove(&offset);
        self.by_size.remove(&(bytes, offset));
    }

    fn free(&mut self, mut offset: u64, bytes: u64) {
        let mut end = offset.saturating_add(bytes);
        if let Some((&before, &size)) = self.by_place.range(..offset).next_back()
            && before + size == offset
        {
            self.remove(before, size);
            offset = before;
        }
        if let Some((&after, &size)) = self.by_place.range(end..).next()
            && after == end
        {
            self.remove(after, size);
            end = after + size;
        }
        self.insert(offset, end - offset);
    }

    fn take(&mut self, bytes: u64, alignment: u64) -> u64 {
        // A hole may be too small once its beginning is aligned; a few larger ones are tried.
        const TRIED: usize = 16;
        let fits = |&&(size, offset): &&(u64, u64)| {
            align(offset, alignment).saturating_add(bytes) <= offset.saturating_add(size)
        };
        let found = self.by_size.range((bytes, 0)..).take(TRIED).find(fits).copied();
        let (size, offset) = found.unwrap_or_else(|| {
            // The hole at the end, if there is one, grows.
            let last = self.by_place.last_key_value().map(|(&o, &s)| (s, o));
            last.filter(|&(s, o)| o + s == self.end).unwrap_or((0, self.end))
        });
        self.remove(offset, size);
        let at = align(offset, alignment);
        let (end, taken) = (offset + size, at.saturating_add(bytes));
        // What is left out to begin aligned is free, also where the heap grows.
        self.insert(offset, at - offset);
        self.insert(taken, end.saturating_sub(taken));
        self.end = self.end.max(taken);
        at
    }
}

#[cfg(test)]
mod tests;
