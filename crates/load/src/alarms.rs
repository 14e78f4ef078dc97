use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Moments at which connections want to be looked at: one heap per thread instead of one timer
/// per connection. Each connection has at most one alarm in it.
#[derive(Debug, Default)]
pub(crate) struct Alarms(BinaryHeap<Reverse<(u64, usize)>>);

impl Alarms {
    pub(crate) fn set(&mut self, at: u64, connection: usize) {
        self.0.push(Reverse((at, connection)));
    }

    /// The next moment.
    pub(crate) fn next(&self) -> u64 {
        self.0.peek().map_or(u64::MAX, |Reverse((at, _))| *at)
    }

    /// Takes one connection whose moment has come.
    pub(crate) fn take(&mut self, now: u64) -> Option<usize> {
        if self.next() > now {
            return None;
        }
        self.0.pop().map(|Reverse((_, connection))| connection)
    }
}
