//! Events in order of time; those of one time in the order in which they were put down.

use super::Time;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

pub struct Agenda<T> {
    heap: BinaryHeap<Entry<T>>,
    count: u64,
}

struct Entry<T> {
    time: Time,
    number: u64,
    item: T,
}

impl<T> Default for Agenda<T> {
    fn default() -> Self {
        Agenda { heap: BinaryHeap::new(), count: 0 }
    }
}

impl<T> Agenda<T> {
    pub fn put(&mut self, time: Time, item: T) {
        self.count += 1;
        self.heap.push(Entry { time, number: self.count, item });
    }

    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.heap.len()
    }

    pub fn take(&mut self) -> Option<(Time, T)> {
        let entry = self.heap.pop()?;
        Some((entry.time, entry.item))
    }
}

// The heap gives the largest first.
impl<T> Ord for Entry<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        (other.time, other.number).cmp(&(self.time, self.number))
    }
}

impl<T> PartialOrd for Entry<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> PartialEq for Entry<T> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<T> Eq for Entry<T> {}
