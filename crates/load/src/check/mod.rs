//! Answers compared with the expected one.

mod demand;
mod progress;

use memchr::memmem::Finder;
use record::Cause;

use crate::LoadError;
use crate::expected::{Body, Expected, Status};
pub(crate) use demand::Compiled;
pub(crate) use progress::Progress;

/// Compares answers with the expected one while they arrive. They are kept only for demands, and
/// for readers, that need them whole.
#[derive(Debug)]
pub(crate) struct Check {
    status: Status,
    body: Wanted,
    demands: Vec<Compiled>,
    every: u32,
    keeps_head: bool,
    keeps_body: bool,
}

#[derive(Debug)]
enum Wanted {
    Any,
    Exact(Vec<u8>),
    Contains(Vec<Finder<'static>>),
}

/// What the demands found in one answer: whether each held, and why not.
pub(crate) type Findings<'a> = &'a mut dyn FnMut(usize, Result<(), String>);

/// Bytes of an answer that are shown to the reader.
const EXCERPT: usize = 120;

impl Check {
    /// `reads` when somebody wants to see every answer whole.
    ///
    /// # Errors
    /// When a demand makes no sense.
    pub(crate) fn new(expected: &Expected, reads: bool) -> Result<Self, LoadError> {
        let body = match &expected.body {
            Body::Any => Wanted::Any,
            Body::Exact(bytes) => Wanted::Exact(bytes.clone()),
            Body::Contains(parts) => Wanted::Contains(
                parts
                    .iter()
                    .map(|part| Finder::new(part).into_owned())
                    .collect(),
            ),
        };
        let demands = expected.checks.iter().map(Compiled::new);
        let demands = demands.collect::<Result<Vec<_>, _>>()?;
        Ok(Self {
            status: expected.status.clone(),
            body,
            every: expected.every.max(1),
            keeps_head: reads || demands.iter().any(Compiled::wants_head),
            keeps_body: reads || demands.iter().any(Compiled::wants_body),
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
            && (!matches!(self.body, Wanted::Any) || !self.demands.is_empty())
    }

    #[inline]
    pub(crate) fn head(&self, progress: &mut Progress, status: u16, fields: &[u8]) {
        progress.status = status;
        if let Wanted::Contains(parts) = &self.body {
            progress.found.clear();
            progress.found.resize(parts.len(), false);
            progress.tail.clear();
        }
        if self.keeps_head {
            progress.fields.extend_from_slice(fields);
        }
    }

    #[inline]
    pub(crate) fn piece(&self, progress: &mut Progress, piece: &[u8]) {
        keep_start(&mut progress.start, piece);
        if self.keeps_body {
            progress.body.extend_from_slice(piece);
        }
        match &self.body {
            _ if !progress.looks => {}
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
        if !self.status.holds(progress.status) {
            return Err(Cause::Status);
        }
        let right = match &self.body {
            _ if progress.bodiless || !progress.looks => true,
            Wanted::Any => true,
            Wanted::Exact(whole) => progress.differs.is_none() && progress.length == whole.len(),
            Wanted::Contains(_) => progress.found.iter().all(|&found| found),
        };
        if right { Ok(()) } else { Err(Cause::Body) }
    }

    /// What the demands say of a whole answer that is right otherwise; whether all of them hold.
    pub(crate) fn demand(&self, progress: &Progress, findings: Findings<'_>) -> bool {
        if !progress.looks {
            return true;
        }
        let mut all = true;
        for (number, demand) in self.demands.iter().enumerate() {
            let verdict = demand.verdict(&progress.fields, &progress.body, progress.length);
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
            return format!("status {found} where {wanted} was expected: `{start}`");
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

impl Status {
    #[inline]
    fn holds(&self, status: u16) -> bool {
        match self {
            Self::Is(wanted) => status == *wanted,
            Self::OneOf(wanted) => wanted.contains(&status),
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

/// The start of some bytes as one printable line.
pub(crate) fn excerpt(bytes: &[u8]) -> String {
    let shown = &bytes[..bytes.len().min(EXCERPT)];
    let text: String = String::from_utf8_lossy(shown).escape_debug().collect();
    // Quotes are no mystery to a reader; only what cannot be seen needs escaping.
    text.replace("\\\"", "\"").replace("\\'", "'")
}

#[cfg(test)]
mod tests;
