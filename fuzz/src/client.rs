//! What clients send to an origin of weir's: the same requests however the bytes are cut, and no more waits than came.

use client::{Reader, Request, Seen};
use record::Malformed;

/// Most requests that are read of an input.
const MOST: usize = 10_000;

/// # Panics
/// When a cut changes what was read.
pub(crate) fn check(data: &[u8]) {
    let whole = read(data, data.len().max(1));
    for piece in [1, 3, 16] {
        assert_eq!(read(data, piece), whole, "in pieces of {piece}");
    }
}

/// The requests in these bytes, and why nothing comes after them.
fn read(data: &[u8], piece: usize) -> (Vec<Request>, Option<Malformed>) {
    let mut reader = Reader::default();
    let mut requests = Vec::new();
    for bytes in data.chunks(piece) {
        reader.take(bytes);
        assert!(reader.waiting() <= data.len());
        loop {
            match reader.read() {
                Ok(Seen::Part) => break,
                Ok(Seen::Head { .. }) => {}
                Ok(Seen::Whole(request)) => requests.push(request),
                Err(why) => return (requests, Some(why)),
            }
            assert!(requests.len() <= MOST);
        }
    }
    (requests, None)
}
