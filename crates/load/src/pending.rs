//! How much is kept for a peer that does not read what is sent to it.
//!
//! A server may send what must be acknowledged (pings, settings, calls for a body) or answer before it
//! has read what it was asked, and never read: what is to be sent to it would then grow without end.

/// Bytes that are kept for a peer beyond the requests that wait for its answers: 1 MiB. One that reads
/// at all has never so much before it: the system's own buffers come on top.
pub const MOST_PENDING: usize = 1 << 20;

/// Whether so many bytes that a peer has not taken are more than is kept for it. `requests` has the
/// lengths of those that wait for its answers; of their bytes TLS makes a few more.
///
/// ```
/// assert!(!load::is_beyond(load::MOST_PENDING + 5000, [5000]));
/// assert!(load::is_beyond(load::MOST_PENDING + 5000, [1000, 1000]));
/// ```
pub fn is_beyond(pending: usize, requests: impl IntoIterator<Item = usize>) -> bool {
    if pending <= MOST_PENDING {
        return false;
    }
    let asked: usize = requests
        .into_iter()
        .fold(0, |sum, length| sum.saturating_add(length + length / 64));
    pending > asked.saturating_add(MOST_PENDING)
}

/// What is pending, in words.
pub(crate) fn describe(pending: usize) -> String {
    format!(
        "{pending} bytes wait to be read, and at most {MOST_PENDING} beyond the requests are kept"
    )
}
