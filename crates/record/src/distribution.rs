use std::borrow::Cow;
use std::sync::LazyLock;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hdrhistogram::Histogram;
use hdrhistogram::serialization::{Deserializer, Serializer as _, V2Serializer};
use schemars::json_schema;
use serde::{Deserialize, Serialize};

/// Durations in nanoseconds, kept in an `HdrHistogram`: bounded memory however long a load runs.
///
/// Values up to 1 hour are kept to three significant digits (an error below 0.1 %), those below a
/// microsecond to the nanosecond; longer ones are clamped. Serialised as base64 of the `HdrHistogram` V2
/// encoding, which other tools of that family read.
#[derive(Clone, Debug, Default)]
pub struct Distribution(
    /// None until something is recorded: it takes 264 KiB, and a trial has twelve, of which most stay empty.
    Option<Histogram<u64>>,
);

/// Unit of the histogram, in nanoseconds. A microsecond would do for the range, not for the digits:
/// it would be the step between any two values below a millisecond, 2 % of an answer in 50 µs.
const LOWEST: u64 = 1;
/// Longest duration kept, in nanoseconds (one hour).
const HIGHEST: u64 = 3_600_000_000_000;

/// What stands for all that are empty.
static EMPTY: LazyLock<Histogram<u64>> = LazyLock::new(whole);

fn whole() -> Histogram<u64> {
    Histogram::new_with_bounds(LOWEST, HIGHEST, 3).expect("constant bounds are valid")
}

impl PartialEq for Distribution {
    fn eq(&self, other: &Self) -> bool {
        self.count() == other.count() && (self.is_empty() || self.0 == other.0)
    }
}

impl Distribution {
    /// An empty one that has its memory already, for whoever records where time is measured.
    pub fn with_room() -> Self {
        Self(Some(whole()))
    }

    pub(crate) fn histogram(&self) -> &Histogram<u64> {
        self.0.as_ref().unwrap_or(&EMPTY)
    }

    /// Adds one duration in nanoseconds.
    #[inline]
    pub fn record(&mut self, nanoseconds: u64) {
        self.0
            .get_or_insert_with(whole)
            .saturating_record(nanoseconds);
    }

    /// Adds every value of `other`.
    #[expect(
        clippy::missing_panics_doc,
        reason = "every distribution has the same bounds"
    )]
    pub fn merge(&mut self, other: &Self) {
        let Some(other) = other.0.as_ref().filter(|of| !of.is_empty()) else {
            return;
        };
        let own = self.0.get_or_insert_with(whole);
        own.add(other).expect("both have the same bounds");
    }

    /// What was added since `earlier`, a copy of this very distribution; empty if it is not one.
    #[must_use]
    pub fn since(&self, earlier: &Self) -> Self {
        let Some(earlier) = &earlier.0 else {
            return self.clone();
        };
        let mut recent = self.histogram().clone();
        Self(recent.subtract(earlier).is_ok().then_some(recent))
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        if let Some(own) = &mut self.0 {
            own.reset();
        }
    }

    /// How many durations were recorded.
    pub fn count(&self) -> u64 {
        self.0.as_ref().map_or(0, Histogram::len)
    }

    /// Whether nothing was recorded.
    pub fn is_empty(&self) -> bool {
        self.count() == 0
    }

    /// Arithmetic mean in seconds; `None` when empty.
    pub fn mean(&self) -> Option<f64> {
        (!self.is_empty()).then(|| self.histogram().mean() / 1e9)
    }

    /// The duration that the share `q` (0 to 1) of the durations does not exceed, in seconds to the nanosecond; `None` when
    /// empty. Whether there are enough samples to say so is the judge's question, not ours.
    ///
    /// It is the one of [`Self::rank`], told where it is expected in its cell, which is a thousandth of it wide at most: of `n`
    /// durations that lie evenly in a cell the `k`-th is expected at `k / (n + 1)` of its width. One alone is told by the middle,
    /// a quarter of a cell off on average, and of many each is far nearer. `HdrHistogram` tells the cell's end ("the highest
    /// equivalent value"): half a cell too long on average, and a whole one at most. The middle for all of them, which
    /// [`Self::mean`] takes, is off by a quarter and by a half. That is better for one value that many durations share, where
    /// this may be off by a whole cell; what is timed scatters by more than a thousandth. Narrower cells come with the next
    /// digit only, for 14 times the memory (3.6 MiB), which the engine would have to touch.
    pub fn quantile(&self, q: f64) -> Option<f64> {
        let rank = self.rank(q);
        let (low, high) = self.cell(rank)?;
        let kept = self.histogram();
        let before = low
            .checked_sub(1)
            .map_or(0, |below| kept.count_between(0, below));
        let share = rank.saturating_sub(before) as f64 / (kept.count_at(low) + 1) as f64;
        let inside = ((high - low) as f64 * share).round() as u64;
        Some((low + inside) as f64 / 1e9)
    }

    /// Which of the durations the quantile `q` (0 to 1) is, 1 being the shortest: the first that so large a share does not
    /// exceed (definition 1 of Hyndman and Fan, "Sample Quantiles in Statistical Packages", 1996).
    pub fn rank(&self, q: f64) -> u64 {
        let rank = (q * self.count() as f64).ceil() as u64;
        rank.clamp(1, self.count().max(1))
    }

    /// What the duration of this rank, 1 being the shortest, is at least and at most, in seconds: the ends of its cell, for
    /// bounds, which may not be estimates. `None` when there are fewer.
    pub fn at_rank(&self, rank: u64) -> Option<(f64, f64)> {
        let (low, high) = self.cell(rank)?;
        Some((low as f64 / 1e9, high as f64 / 1e9))
    }

    /// The shortest and the longest duration that are kept as that of this rank is, in nanoseconds.
    fn cell(&self, rank: u64) -> Option<(u64, u64)> {
        if self.is_empty() || rank > self.count() {
            return None;
        }
        // half a rank lower, so that no rounding of the share leads to the next one
        let share = (rank as f64 - 0.5) / self.count() as f64;
        let kept = self.histogram();
        let high = kept.value_at_quantile(share);
        Some((kept.lowest_equivalent(high), high))
    }

    /// What the largest recorded duration is at most, in seconds: the end of its cell; `None` when empty.
    pub fn max(&self) -> Option<f64> {
        (!self.is_empty()).then(|| self.histogram().max() as f64 / 1e9)
    }

    /// The duration that [`Self::mean`] takes one of so many nanoseconds for, as it is kept to three
    /// significant digits.
    pub fn kept_as(&self, nanoseconds: u64) -> u64 {
        self.histogram().median_equivalent(nanoseconds.min(HIGHEST))
    }

    /// What the smallest recorded duration is at least, in seconds: the beginning of its cell; `None` when empty.
    pub fn min(&self) -> Option<f64> {
        (!self.is_empty()).then(|| self.histogram().min() as f64 / 1e9)
    }

    /// The recorded values as (seconds, count), ascending, empty cells left out: what each is at most, the end of its cell.
    pub fn cells(&self) -> impl Iterator<Item = (f64, u64)> + '_ {
        let recorded = self.0.iter().flat_map(Histogram::iter_recorded);
        recorded.map(|cell| (cell.value_iterated_to() as f64 / 1e9, cell.count_at_value()))
    }
}

impl Serialize for Distribution {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut bytes = Vec::new();
        V2Serializer::new()
            .serialize(self.histogram(), &mut bytes)
            .map_err(serde::ser::Error::custom)?;
        serializer.serialize_str(&STANDARD.encode(bytes))
    }
}

impl schemars::JsonSchema for Distribution {
    fn schema_name() -> Cow<'static, str> {
        "Distribution".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        json_schema!({
            "type": "string",
            "contentEncoding": "base64",
            "description": "Durations in nanoseconds, in the V2 encoding of HdrHistogram.",
        })
    }
}

impl<'de> Deserialize<'de> for Distribution {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        use serde::de::Error;
        let text = String::deserialize(deserializer)?;
        let bytes = STANDARD.decode(text).map_err(D::Error::custom)?;
        let read: Histogram<u64> = Deserializer::new()
            .deserialize(&mut bytes.as_slice())
            .map_err(|e| D::Error::custom(format!("{e:?}")))?;
        // into our own bounds, whatever bounds the text was written with: `merge` relies on them
        if read.is_empty() {
            return Ok(Self::default());
        }
        let mut own = whole();
        own.add(&read)
            .map_err(|e| D::Error::custom(format!("{e:?}")))?;
        Ok(Self(Some(own)))
    }
}

#[cfg(test)]
mod tests;
