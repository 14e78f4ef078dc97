//! Answers compared with the expected one.

mod along;
mod demand;
mod progress;
mod search;

use memchr::memmem::Finder;
use record::Cause;

use crate::Result;
use crate::expected::{Body, Expected, Status};
use along::compare;
use demand::{Compiled, Whole};
pub(crate) use progress::Progress;

/// Compares answers with the expected one while they arrive. They are kept only for demands, and
/// for readers, that need them whole.
#[derive(Debug)]
pub(crate) struct Check {
    status: Status,
    body: Body,
    /// What the body is to contain.
    parts: Vec<Finder<'static>>,
    demands: Vec<Compiled>,
    every: u32,
    keeps_head: bool,
    /// Whether a demand needs the body whole.
    keeps_body: bool,
    /// Whether somebody wants to see every answer whole.
    reads: bool,
}

/// What the demands found in one answer: whether each held, and why not.
pub(crate) type Findings<'a> = &'a mut dyn FnMut(usize, Result<(), String>);

/// Longest body that is kept for what needs it whole: a regular expression, a JSON path, a page, a
/// script that reads answers. 16 MiB for each request under way.
pub const MOST_BODY: usize = 16 << 20;

/// Bytes of an answer that are shown to the reader.
const EXCERPT: usize = 120;

/// Bytes that are shown before those that differ.
const BEFORE: usize = 12;

impl Check {
    /// `reads` when somebody wants to see every answer whole.
    /// Errors: when a demand makes no sense.
    pub(crate) fn new(expected: &Expected, reads: bool) -> Result<Self> {
        let parts = match &expected.body {
            Body::Contains(parts) => parts.as_slice(),
            Body::Any | Body::Exact(_) | Body::But(..) => &[],
        };
        let parts = parts.iter().map(|part| Finder::new(part).into_owned());
        let demands = expected.checks.iter().map(Compiled::new);
        let demands = demands.collect::<Result<Vec<_>, _>>()?;
        Ok(Self {
            status: expected.status.clone(),
            body: expected.body.clone(),
            parts: parts.collect(),
            every: expected.every.max(1),
            keeps_head: reads || demands.iter().any(Compiled::wants_head),
            keeps_body: demands.iter().any(Compiled::wants_body),
            reads,
            demands,
        })
    }

    /// Whether the answer to the `number`-th request is looked at.
    #[inline]
    pub(crate) fn looks(&self, number: u64) -> bool {
        self.every == 1 || number.is_multiple_of(u64::from(self.every))
    }

    /// Whether the body of this answer was compared at all.
    pub(crate) fn compares(&self, progress: &Progress) -> bool {
        progress.looks
            && !progress.bodiless
            && (!matches!(self.body, Body::Any) || !self.demands.is_empty())
    }

    #[inline]
    pub(crate) fn head(&self, progress: &mut Progress, status: u16, fields: &[u8]) {
        progress.status = status;
        if let Body::Contains(_) = self.body {
            progress.kept().search.begin(&self.parts);
        }
        if progress.looks && !self.demands.is_empty() {
            let seen = &mut progress.kept().seen;
            seen.clear();
            seen.extend(self.demands.iter().map(Compiled::begin));
        }
        let leads_away = (300..400).contains(&status) && !self.status.holds(status);
        if self.keeps_head || leads_away {
            progress.kept().fields.extend_from_slice(fields);
        }
    }

    #[inline]
    pub(crate) fn piece(&self, progress: &mut Progress, piece: &[u8]) {
        keep_start(&mut progress.start, piece);
        if self.reads || (self.keeps_body && progress.looks) {
            progress.keep(piece);
        }
        if progress.looks && !self.demands.is_empty() {
            let before = progress.length;
            for (demand, seen) in self.demands.iter().zip(&mut progress.kept().seen) {
                demand.take(seen, piece, before);
            }
        }
        match &self.body {
            _ if !progress.looks => {}
            Body::Any => {}
            Body::Exact(whole) => compare(progress, whole, &[], piece),
            Body::But(whole, times) => compare(progress, whole, times, piece),
            Body::Contains(_) => progress.kept().search.take(&self.parts, piece),
        }
        progress.length += piece.len();
    }

    /// What is wrong with the whole answer, if anything.
    #[inline]
    pub(crate) fn verdict(&self, progress: &Progress) -> Result<(), Cause> {
        if !self.status.holds(progress.status) {
            return Err(Cause::Status);
        }
        if progress.too_long {
            return Err(Cause::TooLong);
        }
        let right = match &self.body {
            _ if progress.bodiless || !progress.looks => true,
            Body::Any => true,
            Body::Exact(whole) | Body::But(whole, _) => {
                !progress.differs() && progress.place == whole.len()
            }
            Body::Contains(_) => progress.known().is_some_and(|kept| kept.search.is_over()),
        };
        if right { Ok(()) } else { Err(Cause::Body) }
    }

    /// What the demands say of a whole answer that is right otherwise; whether all of them hold.
    #[inline]
    pub(crate) fn demand(&self, progress: &Progress, findings: Findings<'_>) -> bool {
        self.demands.is_empty() || !progress.looks || self.all_hold(progress, findings)
    }

    fn all_hold(&self, progress: &Progress, findings: Findings<'_>) -> bool {
        let mut all = true;
        let answer = Whole {
            fields: progress.fields(),
            body: progress.body(),
            start: &progress.start,
            length: progress.length,
        };
        let kept = progress.known();
        let seen = kept.map_or(&[][..], |kept| kept.seen.as_slice());
        for (number, (demand, seen)) in self.demands.iter().zip(seen).enumerate() {
            let verdict = demand.verdict(seen, &answer);
            all &= verdict.is_ok();
            findings(number, verdict);
        }
        all
    }

    /// The wrong answer in words.
    pub(crate) fn describe(&self, progress: &Progress) -> String {
        self.difference(progress) + &progress.complaint()
    }

    fn difference(&self, progress: &Progress) -> String {
        let start = excerpt(&progress.start);
        if !self.status.holds(progress.status) {
            let (found, wanted) = (progress.status, self.status.words());
            let to = progress.location();
            let to = to.map_or_else(String::new, |to| format!(" to `{to}`"));
            // what is wrong is the status, and the body the page that goes with it
            let said = wire::first_words(&String::from_utf8_lossy(&progress.start));
            let said = said.map(|words| format!(": `{}`", excerpt(words.as_bytes())));
            let said = said.unwrap_or_default();
            return format!("status {found}{to} where {wanted} was expected{said}");
        }
        if progress.too_long {
            return format!("more than {MOST_BODY} bytes: `{start}`");
        }
        match (&self.body, progress.differs()) {
            (Body::Exact(whole) | Body::But(whole, _), true) => {
                let at = progress.place;
                let around = |rest: &[u8]| {
                    let before = &whole[at.saturating_sub(BEFORE)..at];
                    let rest = &rest[..rest.len().min(EXCERPT / 3)];
                    excerpt(&[before, rest].concat())
                };
                let kept = progress.known();
                let instead = kept.map_or(&[][..], |kept| kept.instead.as_slice());
                let (wanted, found) = (around(&whole[at..]), around(instead));
                format!("differs at byte {at}: `{found}` where `{wanted}` was expected")
            }
            (Body::Exact(whole) | Body::But(whole, _), false) => {
                let (found, missing) = (progress.length, whole.len() - progress.place);
                let wanted = found + missing;
                format!("{found} bytes where {wanted} were expected: `{start}`")
            }
            (Body::Contains(_), _) => {
                let kept = progress.known();
                let missing = kept.map_or(&[][..], |kept| kept.search.missing(&self.parts));
                format!("without `{}`: `{start}`", excerpt(missing))
            }
            (Body::Any, _) => format!("`{start}`"),
        }
    }
}

impl Status {
    #[inline]
    fn holds(&self, status: u16) -> bool {
        match self {
            Self::Is(wanted) => status == *wanted,
            Self::OneOf(wanted) => wanted.contains(&status),
            Self::In2xx => (200..300).contains(&status),
            Self::Success => (200..400).contains(&status),
            Self::Any => true,
        }
    }

    fn words(&self) -> String {
        match self {
            Self::Is(wanted) => wanted.to_string(),
            Self::OneOf(wanted) => {
                let wanted: Vec<String> = wanted.iter().map(u16::to_string).collect();
                wanted.join(" or ")
            }
            Self::In2xx => "200 to 299".to_owned(),
            Self::Success => "200 to 399".to_owned(),
            Self::Any => "any".to_owned(),
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

/// The start of some bytes as one printable line, which can be told between backticks.
pub(crate) fn excerpt(bytes: &[u8]) -> String {
    let shown = &bytes[..bytes.len().min(EXCERPT)];
    let text: String = String::from_utf8_lossy(shown).escape_debug().collect();
    // Quotes are no mystery to a reader; only what cannot be seen needs escaping.
    let text = text.replace("\\\"", "\"").replace("\\'", "'");
    text.replace('`', "'")
}

#[cfg(test)]
mod tests;
