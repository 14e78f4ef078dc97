use super::demand::Seen;
use super::search::Search;
use super::{MOST_BODY, excerpt, keep_start};

/// How far the comparison of one answer has come. Reused from answer to answer.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    pub(crate) status: u16,
    /// Body bytes so far.
    pub(super) length: usize,
    /// Whether more than the status of this answer is looked at.
    pub(super) looks: bool,
    /// Whether it has no body whatever is expected: a `HEAD` was asked.
    pub(super) bodiless: bool,
    /// Where the body first differed from the exact one.
    pub(super) differs: Option<usize>,
    /// What came from there on, for the reader of an error.
    pub(super) instead: Vec<u8>,
    /// Which of the wanted parts were found.
    pub(super) search: Search,
    /// What each demand has seen of the body.
    pub(super) seen: Vec<Seen>,
    /// The start of the body, for the reader of an error.
    pub(super) start: Vec<u8>,
    /// The start of what the application complained about beside its answer, for the same reader.
    pub(super) stderr: Vec<u8>,
    /// The header lines, where somebody needs them.
    pub(crate) fields: Vec<u8>,
    /// The whole body, where somebody needs it.
    pub(crate) body: Vec<u8>,
    /// Whether it is needed, and longer than what is kept.
    pub(crate) too_long: bool,
}

impl Progress {
    /// Back to before the answer.
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.status = 0;
        self.length = 0;
        self.differs = None;
        self.instead.clear();
        self.start.clear();
        self.stderr.clear();
        self.fields.clear();
        self.body.clear();
        self.too_long = false;
    }

    /// Bytes of the body so far.
    #[inline]
    pub(crate) fn length(&self) -> u64 {
        self.length as u64
    }

    /// Keeps a piece of a body that is needed whole.
    pub(super) fn keep(&mut self, piece: &[u8]) {
        if self.too_long || piece.len() > MOST_BODY - self.body.len() {
            self.too_long = true;
            self.body = Vec::new(); // nothing looks at it any more
        } else {
            self.body.extend_from_slice(piece);
        }
    }

    /// What is to be looked at in the answer to come.
    #[inline]
    pub(crate) fn expect(&mut self, looks: bool, bodiless: bool) {
        self.looks = looks;
        self.bodiless = bodiless;
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

    /// Where a redirect leads, as the server wrote it; nothing where it does not say, and of other answers.
    pub(super) fn location(&self) -> Option<String> {
        if !(300..400).contains(&self.status) {
            return None;
        }
        let fields = String::from_utf8_lossy(&self.fields);
        let mut lines = fields.lines().filter_map(|line| line.split_once(':'));
        let (_, to) = lines.find(|(name, _)| name.eq_ignore_ascii_case("location"))?;
        Some(excerpt(to.trim().as_bytes()))
    }

    /// Bytes of the body so far, and its start, in words.
    pub(crate) fn describe_partial(&self) -> String {
        let (length, start) = (self.length, excerpt(&self.start));
        let complaint = self.complaint();
        format!("{length} bytes of the body: `{start}`{complaint}")
    }
}
