//! The fields that can be named by a number (RFC 7541, sections 2.3 and 4, appendix A).

use std::collections::VecDeque;

/// Largest size of the dynamic table: what holds as long as we ask for nothing else.
pub(super) const LARGEST: usize = 4096;

/// What a field counts beside its name and value (section 4.1).
const OVERHEAD: usize = 32;

/// Fields by their number from 1 on: first those that never change, then those that were last sent.
#[derive(Debug)]
pub(super) struct Table {
    /// The newest first.
    recent: VecDeque<Entry>,
    size: usize,
    limit: usize,
    /// How often it has changed: what a block means is the same as long as this is.
    pub(super) changes: u64,
}

#[derive(Debug, Default)]
struct Entry {
    /// Name and value, without anything between.
    text: Vec<u8>,
    name: usize,
}

impl Default for Table {
    fn default() -> Self {
        Self {
            recent: VecDeque::new(),
            size: 0,
            limit: LARGEST,
            changes: 0,
        }
    }
}

impl Table {
    /// Name and value.
    pub(super) fn get(&self, number: usize) -> Option<(&[u8], &[u8])> {
        let at = number.checked_sub(1)?;
        if let Some((name, value)) = STATIC.get(at) {
            return Some((name.as_bytes(), value.as_bytes()));
        }
        let entry = self.recent.get(at - STATIC.len())?;
        Some(entry.text.split_at(entry.name))
    }

    /// Adds a field; older ones make room. One that is larger than the table empties it.
    pub(super) fn insert(&mut self, name: &[u8], value: &[u8]) {
        self.changes += 1;
        let size = name.len() + value.len() + OVERHEAD;
        let spare = self.shrink(self.limit.saturating_sub(size));
        if size > self.limit {
            return;
        }
        let mut entry = spare.unwrap_or_default(); // its allocation serves again
        entry.text.clear();
        entry.text.extend_from_slice(name);
        entry.text.extend_from_slice(value);
        entry.name = name.len();
        self.size += size;
        self.recent.push_front(entry);
    }

    /// The peer chose another size.
    pub(super) fn resize(&mut self, limit: usize) {
        self.changes += 1;
        self.limit = limit;
        self.shrink(limit);
    }

    /// Drops the oldest until the rest is no larger than this; returns one of those dropped.
    fn shrink(&mut self, limit: usize) -> Option<Entry> {
        let mut dropped = None;
        while self.size > limit
            && let Some(entry) = self.recent.pop_back()
        {
            self.size -= entry.text.len() + OVERHEAD;
            dropped = Some(entry);
        }
        dropped
    }
}

/// Appendix A.
pub(super) const STATIC: [(&str, &str); 61] = [
    (":authority", ""),
    (":method", "GET"),
    (":method", "POST"),
    (":path", "/"),
    (":path", "/index.html"),
    (":scheme", "http"),
    (":scheme", "https"),
    (":status", "200"),
    (":status", "204"),
    (":status", "206"),
    (":status", "304"),
    (":status", "400"),
    (":status", "404"),
    (":status", "500"),
    ("accept-charset", ""),
    ("accept-encoding", "gzip, deflate"),
    ("accept-language", ""),
    ("accept-ranges", ""),
    ("accept", ""),
    ("access-control-allow-origin", ""),
    ("age", ""),
    ("allow", ""),
    ("authorization", ""),
    ("cache-control", ""),
    ("content-disposition", ""),
    ("content-encoding", ""),
    ("content-language", ""),
    ("content-length", ""),
    ("content-location", ""),
    ("content-range", ""),
    ("content-type", ""),
    ("cookie", ""),
    ("date", ""),
    ("etag", ""),
    ("expect", ""),
    ("expires", ""),
    ("from", ""),
    ("host", ""),
    ("if-match", ""),
    ("if-modified-since", ""),
    ("if-none-match", ""),
    ("if-range", ""),
    ("if-unmodified-since", ""),
    ("last-modified", ""),
    ("link", ""),
    ("location", ""),
    ("max-forwards", ""),
    ("proxy-authenticate", ""),
    ("proxy-authorization", ""),
    ("range", ""),
    ("referer", ""),
    ("refresh", ""),
    ("retry-after", ""),
    ("server", ""),
    ("set-cookie", ""),
    ("strict-transport-security", ""),
    ("transfer-encoding", ""),
    ("user-agent", ""),
    ("vary", ""),
    ("via", ""),
    ("www-authenticate", ""),
];
