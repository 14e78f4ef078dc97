//! Bytes that wait until the system takes them.

/// What is to be sent, in its order. What is gone is passed over, and removed when it is more than what is left: a body of
/// 128 MiB that goes in pieces of 64 KiB would else be moved two thousand times.
#[derive(Debug, Default)]
pub(crate) struct Unsent {
    bytes: Vec<u8>,
    /// How many of them are gone; never all, nor more than half.
    gone: usize,
}

impl Unsent {
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.bytes.len() - self.gone
    }

    /// What is left.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes[self.gone..]
    }

    /// The place to which more is appended.
    pub(crate) fn end(&mut self) -> &mut Vec<u8> {
        &mut self.bytes
    }

    /// So many of the first ones are gone.
    pub(crate) fn pass(&mut self, count: usize) {
        self.gone += count;
        if self.gone >= self.bytes.len() {
            self.clear();
        } else if self.gone > self.bytes.len() / 2 {
            self.bytes.drain(..self.gone);
            self.gone = 0;
        }
    }

    /// Leaves so many of the first ones.
    pub(crate) fn truncate(&mut self, length: usize) {
        self.bytes.truncate(self.gone + length);
        self.pass(0);
    }

    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
        self.gone = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_what_was_added_less_what_is_gone() {
        let all: Vec<u8> = (0..10_000_u32).map(|n| (n % 251) as u8).collect();
        let (mut unsent, mut added, mut gone) = (Unsent::default(), 0, 0);
        for step in 1.. {
            let more = (step * 37 % 301).min(all.len() - added);
            unsent.end().extend_from_slice(&all[added..added + more]);
            added += more;
            let less = (step * 53 % 307).min(unsent.len());
            unsent.pass(less);
            gone += less;
            assert_eq!(unsent.bytes(), &all[gone..added]);
            assert_eq!(unsent.len(), added - gone);
            assert_eq!(unsent.is_empty(), added == gone);
            if gone == all.len() {
                break;
            }
        }
        unsent.end().extend_from_slice(b"hello");
        unsent.pass(2);
        unsent.truncate(2);
        assert_eq!(unsent.bytes(), b"ll");
        unsent.truncate(0);
        assert!(unsent.is_empty());
    }

    /// Removed each time, the pieces of a long body would cost the square of their number.
    #[test]
    fn a_long_body_that_goes_in_pieces_is_moved_about_once() {
        let (length, piece) = (1 << 20, 1 << 10);
        let mut unsent = Unsent::default();
        unsent.end().resize(length, b'x');
        let mut moved = 0;
        while !unsent.is_empty() {
            let before = unsent.gone;
            unsent.pass(piece);
            if unsent.gone < before {
                moved += unsent.len();
            }
        }
        assert!(moved <= length, "{moved} of {length}");
    }
}
