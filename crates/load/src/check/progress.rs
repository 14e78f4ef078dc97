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
    /// Whether the whole body is needed, and longer than what is kept.
    pub(crate) too_long: bool,
    /// How far the body has come along with the expected one, in bytes of that.
    pub(super) place: usize,
    /// The start of the body, for the reader of an error.
    pub(super) start: Vec<u8>,
    /// What few loads need, and is made when an answer first does: there is a progress for each of many connections.
    kept: Option<Box<Kept>>,
}

/// What is kept of an answer that is wrong, or that somebody wants to see more of.
#[derive(Debug, Default)]
pub(super) struct Kept {
    /// What came from where the body first differed on, for the reader of an error.
    pub(super) instead: Vec<u8>,
    /// Which of the wanted parts were found.
    pub(super) search: Search,
    /// What each demand has seen of the body.
    pub(super) seen: Vec<Seen>,
    /// The start of what the application complained about beside its answer, for the reader of an error.
    stderr: Vec<u8>,
    /// The header lines, where somebody needs them.
    pub(super) fields: Vec<u8>,
    /// The whole body, where somebody needs it.
    body: Vec<u8>,
}

impl Progress {
    /// What is kept, to add to it.
    pub(super) fn kept(&mut self) -> &mut Kept {
        self.kept.get_or_insert_default()
    }

    /// What is kept, if anything ever was.
    pub(super) fn known(&self) -> Option<&Kept> {
        self.kept.as_deref()
    }

    /// Whether the body differs from the expected one, from its place on.
    pub(super) fn differs(&self) -> bool {
        self.known().is_some_and(|kept| !kept.instead.is_empty())
    }

    /// The header lines, where they are kept.
    pub(crate) fn fields(&self) -> &[u8] {
        self.known().map_or(&[], |kept| kept.fields.as_slice())
    }

    /// The whole body, where it is kept.
    pub(crate) fn body(&self) -> &[u8] {
        self.known().map_or(&[], |kept| kept.body.as_slice())
    }

    /// Back to before the answer.
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.status = 0;
        self.length = 0;
        self.place = 0;
        self.start.clear();
        self.too_long = false;
        if let Some(kept) = &mut self.kept {
            kept.instead.clear();
            kept.stderr.clear();
            kept.fields.clear();
            kept.body.clear();
        }
    }

    /// Bytes of the body so far.
    #[inline]
    pub(crate) fn length(&self) -> u64 {
        self.length as u64
    }

    /// Keeps a piece of a body that is needed whole.
    pub(super) fn keep(&mut self, piece: &[u8]) {
        let body = &mut self.kept.get_or_insert_default().body;
        if self.too_long || piece.len() > MOST_BODY - body.len() {
            self.too_long = true;
            *body = Vec::new(); // nothing looks at it any more
        } else {
            body.extend_from_slice(piece);
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
        keep_start(&mut self.kept().stderr, piece);
    }

    /// What it complained about, in words; nothing if it did not.
    pub(crate) fn complaint(&self) -> String {
        match self.known() {
            Some(kept) if !kept.stderr.is_empty() => {
                format!("; stderr: `{}`", excerpt(&kept.stderr))
            }
            _ => String::new(),
        }
    }

    /// Where a redirect leads, as the server wrote it; nothing where it does not say, and of other answers.
    pub(super) fn location(&self) -> Option<String> {
        if !(300..400).contains(&self.status) {
            return None;
        }
        let fields = String::from_utf8_lossy(self.fields());
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
