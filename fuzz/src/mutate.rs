//! Small changes to samples: what a bad network, a bad server and a bad mind do to bytes.

use rand::RngExt as _;
use rand_chacha::ChaCha8Rng;

/// Longest input that is made, in bytes.
const LONGEST: usize = 4096;
/// What parsers of lines, lengths and frames stumble over.
const TOKENS: &[&[u8]] = &[
    b"\r\n",
    b"\r\n\r\n",
    b"\n",
    b"\0",
    b": ",
    b"0\r\n\r\n",
    b"-1",
    b"18446744073709551616",
    b"ffffffffffffffff",
    b"Content-Length: 5\r\n",
    b"Transfer-Encoding: chunked\r\n",
    b"HTTP/1.1 100 Continue\r\n\r\n",
    b"Status: 204\r\n",
    b"\xff\xff",
    b"\0\0\0\0",
];

/// A sample with one to four changes, some of them pieces of `other`.
pub(crate) fn mutated(sample: &[u8], other: &[u8], random: &mut ChaCha8Rng) -> Vec<u8> {
    let mut bytes = sample.to_vec();
    for _ in 0..random.random_range(1..=4) {
        change(&mut bytes, other, random);
    }
    bytes.truncate(LONGEST);
    bytes
}

fn change(bytes: &mut Vec<u8>, other: &[u8], random: &mut ChaCha8Rng) {
    let at = random.random_range(0..=bytes.len());
    let length = random.random_range(0..=(bytes.len() - at).min(64));
    match random.random_range(0..7) {
        0 if at < bytes.len() => bytes[at] ^= 1 << random.random_range(0..8),
        1 if at < bytes.len() => bytes[at] = random.random(),
        2 => drop(bytes.drain(at..at + length)),
        3 => {
            let piece = bytes[at..at + length].to_vec();
            insert(bytes, at, &piece);
        }
        4 => insert(bytes, at, TOKENS[random.random_range(0..TOKENS.len())]),
        5 => {
            let from = random.random_range(0..=other.len());
            bytes.truncate(at);
            bytes.extend_from_slice(&other[from..]);
        }
        _ => bytes.truncate(at),
    }
}

fn insert(bytes: &mut Vec<u8>, at: usize, piece: &[u8]) {
    bytes.splice(at..at, piece.iter().copied());
}
