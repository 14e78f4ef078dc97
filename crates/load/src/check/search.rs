use memchr::memmem::Finder;

/// Looks for texts in a body while it arrives. Reused from answer to answer.
#[derive(Debug, Default)]
pub(super) struct Search {
    /// Which of the texts were found.
    found: Vec<bool>,
    /// The end of the previous piece, in which a text may have begun.
    tail: Vec<u8>,
}

impl Search {
    /// Another body begins.
    pub(super) fn begin(&mut self, parts: &[Finder<'_>]) {
        let empty = |part: &Finder<'_>| part.needle().is_empty();
        self.found.clear();
        self.found.extend(parts.iter().map(empty));
        self.tail.clear();
    }

    pub(super) fn take(&mut self, parts: &[Finder<'_>], piece: &[u8]) {
        if self.is_over() {
            return;
        }
        let lengths = parts.iter().map(|part| part.needle().len());
        let overlap = lengths.max().unwrap_or(1).max(1) - 1;
        let kept = self.tail.len();
        let start = &piece[..piece.len().min(overlap)];
        self.tail.extend_from_slice(start);
        for (part, found) in parts.iter().zip(&mut self.found) {
            *found = *found
                || part.find(piece).is_some()
                || (kept > 0 && part.find(&self.tail).is_some());
        }
        if piece.len() >= overlap {
            self.tail.clear();
            self.tail.extend_from_slice(&piece[piece.len() - overlap..]);
        } else {
            let surplus = self.tail.len().saturating_sub(overlap);
            self.tail.drain(..surplus);
        }
    }

    /// Whether all were found.
    pub(super) fn is_over(&self) -> bool {
        self.found.iter().all(|&found| found)
    }

    /// The first text that was not found.
    pub(super) fn missing<'a>(&self, parts: &'a [Finder<'_>]) -> &'a [u8] {
        let mut parts = parts.iter().zip(&self.found);
        let missing = parts.find(|(_, found)| !**found);
        missing.map_or(&[], |(part, _)| part.needle())
    }
}
