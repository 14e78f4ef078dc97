use memchr::memmem::Finder;
use record::Cause;

use crate::{Body, Expected};

/// Compares answers with the expected one while they arrive, without keeping them.
#[derive(Debug)]
pub(crate) struct Check {
    status: u16,
    body: Wanted,
}

#[derive(Debug)]
enum Wanted {
    Any,
    Exact(Vec<u8>),
    Contains(Vec<Finder<'static>>),
}

/// How far the comparison of one answer has come. Reused from answer to answer.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    status: u16,
    /// Body bytes so far.
    length: usize,
    /// Where the body first differed from the exact one.
    differs: Option<usize>,
    /// Which of the wanted parts were found.
    found: Vec<bool>,
    /// The end of the previous piece, in which a wanted part may have begun.
    tail: Vec<u8>,
    /// The start of the body, for the reader of an error.
    start: Vec<u8>,
    /// The start of what the application complained about beside its answer, for the same reader.
    stderr: Vec<u8>,
}

/// Bytes of an answer that are shown to the reader.
const EXCERPT: usize = 120;

impl Check {
    pub(crate) fn new(expected: &Expected, bodiless: bool) -> Self {
        let body = match &expected.body {
            _ if bodiless => Wanted::Any,
            Body::Any => Wanted::Any,
            Body::Exact(bytes) => Wanted::Exact(bytes.clone()),
            Body::Contains(parts) => Wanted::Contains(
                parts
                    .iter()
                    .map(|part| Finder::new(part).into_owned())
                    .collect(),
            ),
        };
        Self {
            status: expected.status,
            body,
        }
    }

    /// Whether bodies are compared at all.
    pub(crate) fn compares(&self) -> bool {
        !matches!(self.body, Wanted::Any)
    }

    #[inline]
    pub(crate) fn head(&self, progress: &mut Progress, status: u16) {
        progress.status = status;
        if let Wanted::Contains(parts) = &self.body {
            progress.found.clear();
            progress.found.resize(parts.len(), false);
            progress.tail.clear();
        }
    }

    #[inline]
    pub(crate) fn piece(&self, progress: &mut Progress, piece: &[u8]) {
        keep_start(&mut progress.start, piece);
        match &self.body {
            Wanted::Any => {}
            Wanted::Exact(whole) => {
                let rest = whole.get(progress.length..).unwrap_or_default();
                if !rest.starts_with(piece) && progress.differs.is_none() {
                    let same = rest.iter().zip(piece).take_while(|(a, b)| a == b).count();
                    progress.differs = Some(progress.length + same);
                }
            }
            Wanted::Contains(parts) => progress.search(parts, piece),
        }
        progress.length += piece.len();
    }

    /// What is wrong with the whole answer, if anything.
    #[inline]
    pub(crate) fn verdict(&self, progress: &Progress) -> Result<(), Cause> {
        if progress.status != self.status {
            return Err(Cause::Status);
        }
        let right = match &self.body {
            Wanted::Any => true,
            Wanted::Exact(whole) => progress.differs.is_none() && progress.length == whole.len(),
            Wanted::Contains(_) => progress.found.iter().all(|&found| found),
        };
        if right { Ok(()) } else { Err(Cause::Body) }
    }

    /// The wrong answer in words.
    pub(crate) fn describe(&self, progress: &Progress) -> String {
        self.difference(progress) + &progress.complaint()
    }

    fn difference(&self, progress: &Progress) -> String {
        let start = excerpt(&progress.start);
        if progress.status != self.status {
            return format!(
                "status {} where {} was expected: `{start}`",
                progress.status, self.status
            );
        }
        match (&self.body, progress.differs) {
            (Wanted::Exact(_), Some(at)) => format!("differs from byte {at} on: `{start}`"),
            (Wanted::Exact(whole), None) => {
                format!(
                    "{} bytes where {} were expected: `{start}`",
                    progress.length,
                    whole.len()
                )
            }
            (Wanted::Contains(parts), _) => {
                let missing = parts
                    .iter()
                    .zip(&progress.found)
                    .find(|(_, found)| !**found);
                let missing = missing
                    .map(|(part, _)| excerpt(part.needle()))
                    .unwrap_or_default();
                format!("without `{missing}`: `{start}`")
            }
            (Wanted::Any, _) => format!("`{start}`"),
        }
    }
}

impl Progress {
    /// Back to before the answer.
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.status = 0;
        self.length = 0;
        self.differs = None;
        self.start.clear();
        self.stderr.clear();
    }

    /// The application complained.
    pub(crate) fn complain(&mut self, piece: &[u8]) {
        keep_start(&mut self.stderr, piece);
    }

    /// What it complained about, in words; nothing if it did not.
    pub(crate) fn complaint(&self) -> String {
        if self.stderr.is_empty() {
            return String::new();
        }
        format!("; stderr: `{}`", excerpt(&self.stderr))
    }

    pub(crate) fn status(&self) -> u16 {
        self.status
    }

    /// Bytes of the body so far, and its start, in words.
    pub(crate) fn describe_partial(&self) -> String {
        format!(
            "{} bytes of the body: `{}`{}",
            self.length,
            excerpt(&self.start),
            self.complaint()
        )
    }

    fn search(&mut self, parts: &[Finder<'_>], piece: &[u8]) {
        if self.found.iter().all(|&found| found) {
            return;
        }
        let overlap = parts
            .iter()
            .map(|part| part.needle().len())
            .max()
            .unwrap_or(1)
            .max(1)
            - 1;
        let kept = self.tail.len();
        self.tail
            .extend_from_slice(&piece[..piece.len().min(overlap)]);
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
}

#[inline]
fn keep_start(start: &mut Vec<u8>, piece: &[u8]) {
    if start.len() < EXCERPT {
        let room = EXCERPT - start.len();
        start.extend_from_slice(&piece[..piece.len().min(room)]);
    }
}

/// The start of some bytes as one printable line.
pub(crate) fn excerpt(bytes: &[u8]) -> String {
    let shown = &bytes[..bytes.len().min(EXCERPT)];
    let text: String = String::from_utf8_lossy(shown).escape_debug().collect();
    // Quotes are no mystery to a reader; only what cannot be seen needs escaping.
    text.replace("\\\"", "\"").replace("\\'", "'")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(body: Body, pieces: &[&[u8]]) -> Result<(), String> {
        let check = Check::new(&Expected { status: 200, body }, false);
        let mut progress = Progress::default();
        check.head(&mut progress, 200);
        for piece in pieces {
            check.piece(&mut progress, piece);
        }
        check
            .verdict(&progress)
            .map_err(|_| check.describe(&progress))
    }

    #[test]
    fn exact_bodies_in_any_pieces() {
        let exact = || Body::Exact(b"hello world".to_vec());
        assert_eq!(judge(exact(), &[b"hello world"]), Ok(()));
        assert_eq!(judge(exact(), &[b"hel", b"", b"lo ", b"world"]), Ok(()));
        assert_eq!(
            judge(exact(), &[b"hello World"]),
            Err("differs from byte 6 on: `hello World`".into())
        );
        assert_eq!(
            judge(exact(), &[b"hello ", b"wOrld"]),
            Err("differs from byte 7 on: `hello wOrld`".into())
        );
        assert_eq!(
            judge(exact(), &[b"hello"]),
            Err("5 bytes where 11 were expected: `hello`".into())
        );
        assert_eq!(
            judge(exact(), &[]),
            Err("0 bytes where 11 were expected: ``".into())
        );
        assert_eq!(
            judge(exact(), &[b"hello world", b"!"]),
            Err("differs from byte 11 on: `hello world!`".into())
        );
    }

    #[test]
    fn parts_are_found_across_any_cut() {
        let body = b"<h1>Guestbook</h1><p>entries</p>";
        let parts = || {
            Body::Contains(vec![
                b"Guestbook".to_vec(),
                b"<p>entries".to_vec(),
                b">".to_vec(),
            ])
        };
        for size in 1..=body.len() {
            let pieces: Vec<&[u8]> = body.chunks(size).collect();
            assert_eq!(judge(parts(), &pieces), Ok(()), "pieces of {size}");
        }
        let wrong = judge(parts(), &[b"<h1>Guest", b"-book</h1><p>entries"]);
        assert_eq!(
            wrong,
            Err("without `Guestbook`: `<h1>Guest-book</h1><p>entries`".into())
        );
    }

    #[test]
    fn no_parts_and_empty_parts_are_contained() {
        assert_eq!(judge(Body::Contains(vec![]), &[b"x"]), Ok(()));
        assert_eq!(judge(Body::Contains(vec![vec![]]), &[b"x"]), Ok(()));
    }

    #[test]
    fn excerpts_are_one_line() {
        assert_eq!(excerpt(b"a \"b\"\n\x00\xff"), "a \"b\"\\n\\0\u{fffd}");
    }
}
