//! What was asked for under one route: a few of its targets, as often among them as they were asked for, and how many there
//! were.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use crate::entry::Entry;

/// Most targets that are kept of an endpoint.
const KEPT: usize = 200;
/// Longest target that is kept, in bytes.
const LONGEST: usize = 512;
/// Hashes that are kept to estimate how many different targets there were.
const HASHES: usize = 256;
/// Bytes of targets that are kept in all.
const BYTES: usize = 64 << 20;

/// Where samples are drawn, and what is left for them.
#[derive(Clone, Debug)]
pub(crate) struct Urn {
    state: u64,
    bytes: usize,
}

impl Default for Urn {
    fn default() -> Self {
        Self {
            state: 2_026,
            bytes: BYTES,
        }
    }
}

impl Urn {
    /// A number below this one (splitmix64); the same log gives the same sample.
    fn below(&mut self, end: u64) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % end.max(1)
    }
}

/// The targets of an endpoint.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sample {
    /// Requests that were answered as one expects it, or of which nobody says how.
    right: u64,
    /// How many it was drawn from.
    seen: u64,
    kept: Vec<Box<str>>,
    /// The smallest hashes.
    hashes: BTreeSet<u64>,
}

/// What was asked for under one route.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// Requests that were answered as one expects it (200, 304), or of which no line says how.
    pub right: u64,
    /// Some of its targets, drawn at random: one that was asked for often is there several times.
    pub targets: Vec<String>,
    /// How many different ones there were.
    pub different: u64,
    /// Whether that is an estimate.
    pub is_estimate: bool,
}

impl Sample {
    /// Takes a request into account, if its response was as one expects it.
    pub(crate) fn add(&mut self, entry: &Entry, urn: &mut Urn) {
        let is_right = entry.status.is_none_or(|of| matches!(of, 200 | 304));
        if !is_right {
            return;
        }
        self.right += entry.times.max(1);
        let length = entry.path.len() + entry.query.len() + 1;
        if length > LONGEST {
            return;
        }
        let mut hasher = DefaultHasher::new();
        (&entry.path, &entry.query).hash(&mut hasher);
        self.note(hasher.finish());
        self.seen += 1;
        let room = self.kept.len() < KEPT;
        let place = if room {
            self.kept.len()
        } else {
            urn.below(self.seen) as usize
        };
        if place >= KEPT || length > urn.bytes {
            return;
        }
        urn.bytes -= length;
        let target = match &*entry.query {
            "" => entry.path.to_string(),
            query => format!("{}?{query}", entry.path),
        };
        if room {
            self.kept.push(target.into());
        } else {
            urn.bytes += self.kept[place].len();
            self.kept[place] = target.into();
        }
    }

    /// Adds another sample, so that each stands for what it was drawn from.
    pub(crate) fn merge(&mut self, mut other: Self, urn: &mut Urn) {
        self.right += other.right;
        other.hashes.iter().for_each(|hash| self.note(*hash));
        let (mut own, mut kept) = (std::mem::take(&mut self.kept), Vec::new());
        let (mut ours, mut theirs) = (self.seen, other.seen);
        self.seen += other.seen;
        while kept.len() < KEPT && !(own.is_empty() && other.kept.is_empty()) {
            let is_own = urn.below(ours + theirs) < ours;
            let (from, weight) = match (own.is_empty(), other.kept.is_empty()) {
                (false, true) => (&mut own, &mut ours),
                (false, false) if is_own => (&mut own, &mut ours),
                _ => (&mut other.kept, &mut theirs),
            };
            *weight = weight.saturating_sub(1);
            let place = urn.below(from.len() as u64) as usize;
            kept.push(from.swap_remove(place));
        }
        self.kept = kept;
    }

    pub(crate) fn asked(&self) -> Asked {
        let kept = self.hashes.len();
        let is_estimate = kept == HASHES;
        let different = match self.hashes.last() {
            Some(largest) if is_estimate => {
                let share = (*largest as f64 + 1.0) / 2f64.powi(64);
                ((kept - 1) as f64 / share).round() as u64
            }
            _ => kept as u64,
        };
        Asked {
            right: self.right,
            targets: self.kept.iter().map(ToString::to_string).collect(),
            different: different.min(self.seen), // as many as requests, where each asked for another one
            is_estimate,
        }
    }

    fn note(&mut self, hash: u64) {
        let is_small = self.hashes.last().is_none_or(|largest| hash < *largest);
        if self.hashes.len() < HASHES || is_small {
            self.hashes.insert(hash);
            if self.hashes.len() > HASHES {
                self.hashes.pop_last();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(targets: impl IntoIterator<Item = String>, urn: &mut Urn) -> Sample {
        let mut sample = Sample::default();
        for target in targets {
            sample.add(&Entry::once().of("GET", &target), urn);
        }
        sample
    }

    #[test]
    fn few_are_kept_all_and_many_by_chance() {
        let mut urn = Urn::default();
        let few = sample(
            (0..10).map(|page| format!("/s?page={}", page % 5)),
            &mut urn,
        )
        .asked();
        assert_eq!((few.targets.len(), few.different), (10, 5));
        assert!(!few.is_estimate && few.targets[3] == "/s?page=3");
        // half of them are for one
        let user = |number: u32| {
            format!(
                "/users/{}",
                if number.is_multiple_of(2) { 0 } else { number }
            )
        };
        let many = sample((0..10_000).map(user), &mut urn).asked();
        assert_eq!(many.targets.len(), KEPT);
        assert!(
            many.is_estimate && (4_000..6_000).contains(&many.different),
            "{}",
            many.different
        );
        let often = many.targets.iter().filter(|of| *of == "/users/0").count();
        assert!((60..140).contains(&often), "{often}");
    }

    #[test]
    fn two_samples_are_one_of_both() {
        let mut urn = Urn::default();
        let mut sample_of = |name: &str, count: u32| {
            sample(
                (0..count).map(|number| format!("/{name}/{number}")),
                &mut urn,
            )
        };
        let (mut large, small) = (sample_of("a", 3_000), sample_of("b", 1_000));
        large.merge(small, &mut Urn::default());
        let asked = large.asked();
        assert_eq!((asked.targets.len(), large.seen), (KEPT, 4_000));
        let small = asked
            .targets
            .iter()
            .filter(|of| of.starts_with("/b/"))
            .count();
        assert!((25..80).contains(&small), "{small}");
        assert!(
            (3_000..5_000).contains(&asked.different),
            "{}",
            asked.different
        );
    }

    #[test]
    fn what_failed_or_is_too_long_is_not_asked_again() {
        let mut urn = Urn::default();
        let mut sample = Sample::default();
        for (path, status) in [("/a", Some(404)), ("/b", Some(200)), ("/c", None)] {
            let entry = Entry {
                status,
                ..Entry::once().of("GET", path)
            };
            sample.add(&entry, &mut urn);
        }
        let long = format!("/{}", "x".repeat(LONGEST));
        sample.add(&Entry::once().of("GET", &long), &mut urn);
        assert_eq!(sample.asked().targets, ["/b", "/c"]);
        assert_eq!(sample.asked().right, 3, "one is only too long to be kept");
        let mut full = Urn {
            bytes: 3,
            ..Urn::default()
        };
        sample.add(&Entry::once().of("GET", "/too-much"), &mut full);
        assert_eq!(sample.asked().targets.len(), 2);
    }
}
