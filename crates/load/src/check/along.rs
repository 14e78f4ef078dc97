//! A body held to the one that is expected while it arrives; in times, numbers and letters may be others.

use std::ops::Range;

use super::{Progress, keep_start};

/// Holds a piece of a body to what is expected from where the pieces before it led to.
#[inline]
pub(super) fn compare(progress: &mut Progress, whole: &[u8], times: &[Range<usize>], piece: &[u8]) {
    let mut rest = piece;
    if !progress.differs() {
        let (place, taken) = along(whole, times, progress.place, piece);
        progress.place = place;
        rest = &piece[taken..];
    }
    if !rest.is_empty() {
        keep_start(&mut progress.kept().instead, rest);
    }
}

/// How far a piece goes along with the whole from a place in it on: the place that it leads to, and how many of its bytes lead there.
/// These are all, unless something is wrong.
fn along(whole: &[u8], times: &[Range<usize>], from: usize, piece: &[u8]) -> (usize, usize) {
    let (mut place, mut taken) = (from, 0);
    // there may be thousands of them, of which few are here
    let first = times.partition_point(|time| time.end < from);
    for time in &times[first..] {
        let text = &whole[place.min(time.start)..time.start];
        let same = alike(text, &piece[taken..]);
        (place, taken) = (place + same, taken + same);
        if place < time.start {
            return (place, taken);
        }
        let (to, led) = through(whole, time, place, &piece[taken..]);
        (place, taken) = (to, taken + led);
        if place < time.end {
            return (place, taken);
        }
    }
    let same = alike(&whole[place..], &piece[taken..]);
    (place + same, taken + same)
}

/// The same within a time. The first digit of a number leads to the number's end, and those that follow stay there: so a number may
/// have more digits, or fewer.
fn through(whole: &[u8], time: &Range<usize>, from: usize, piece: &[u8]) -> (usize, usize) {
    let mut place = from;
    for (taken, byte) in piece.iter().enumerate() {
        let left = &whole[place..time.end];
        let behind_digit = place > time.start && whole[place - 1].is_ascii_digit();
        if behind_digit && byte.is_ascii_digit() {
            continue;
        }
        place += match left.first() {
            Some(wanted) if wanted.is_ascii_digit() && byte.is_ascii_digit() => {
                let others = left.iter().position(|of| !of.is_ascii_digit());
                others.unwrap_or(left.len())
            }
            Some(wanted) if wanted == byte || (is_letter(*wanted) && is_letter(*byte)) => 1,
            _ => return (place, taken),
        };
    }
    (place, piece.len())
}

/// Of other alphabets, each byte of a letter.
fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || !byte.is_ascii()
}

/// How many bytes at the start of both are the same.
fn alike(one: &[u8], other: &[u8]) -> usize {
    let length = one.len().min(other.len());
    let (one, other) = (&one[..length], &other[..length]);
    if one == other {
        return length;
    }
    let pairs = one.iter().zip(other);
    pairs.take_while(|(left, right)| left == right).count()
}
