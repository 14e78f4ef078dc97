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
    /// None until something is recorded: it takes 264 KiB, and a trial has eleven, of which most stay empty.
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

    /// The value below which the share `q` (0 to 1) of the durations lies, in seconds; `None` when
    /// empty. Whether there are enough samples to say so is the judge's question, not ours.
    pub fn quantile(&self, q: f64) -> Option<f64> {
        (!self.is_empty()).then(|| self.histogram().value_at_quantile(q) as f64 / 1e9)
    }

    /// The duration of this rank, 1 being the shortest, in seconds; `None` when there are fewer.
    pub fn at_rank(&self, rank: u64) -> Option<f64> {
        if rank > self.count() {
            return None;
        }
        // half a rank lower, so that no rounding of the share leads to the next one
        self.quantile((rank as f64 - 0.5) / self.count() as f64)
    }

    /// Largest recorded duration in seconds; `None` when empty.
    pub fn max(&self) -> Option<f64> {
        (!self.is_empty()).then(|| self.histogram().max() as f64 / 1e9)
    }

    /// The duration that [`Self::mean`] takes one of so many nanoseconds for, as it is kept to three
    /// significant digits.
    pub fn kept_as(&self, nanoseconds: u64) -> u64 {
        self.histogram().median_equivalent(nanoseconds.min(HIGHEST))
    }

    /// Smallest recorded duration in seconds; `None` when empty.
    pub fn min(&self) -> Option<f64> {
        (!self.is_empty()).then(|| self.histogram().min() as f64 / 1e9)
    }

    /// The recorded values as (seconds, count), ascending, empty cells left out.
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
mod tests {
    use super::*;

    #[test]
    fn survives_json() {
        let mut kept = Distribution::default();
        for milliseconds in 1..=1_000u64 {
            kept.record(milliseconds * 1_000_000);
        }
        let text = serde_json::to_string(&kept).unwrap();
        let read: Distribution = serde_json::from_str(&text).unwrap();
        assert_eq!(kept, read);
        let median = read.quantile(0.5).unwrap();
        assert!((median - 0.5).abs() < 0.001, "{median}");
    }

    #[test]
    fn ranks_count_from_the_shortest() {
        let mut kept = Distribution::default();
        for milliseconds in [5_u64, 1, 3, 3] {
            kept.record(milliseconds * 1_000_000);
        }
        let ranked = [1, 2, 3, 4, 5].map(|rank| kept.at_rank(rank));
        for (seconds, truth) in ranked.iter().zip([0.001, 0.003, 0.003, 0.005]) {
            assert!((seconds.unwrap() / truth - 1.0).abs() < 0.001, "{ranked:?}");
        }
        assert_eq!(ranked[4], None);
        let mut many = Distribution::default();
        (1..=10_000).for_each(|nanoseconds| many.record(nanoseconds));
        let mut below = 0;
        for (seconds, count) in many.cells() {
            let [first, last] = [below + 1, below + count];
            let told = [first, last].map(|rank| many.at_rank(rank));
            assert_eq!(told, [Some(seconds); 2]);
            below = last;
        }
    }

    #[test]
    fn takes_foreign_bounds_into_its_own() {
        let mut foreign = Histogram::<u64>::new_with_bounds(1, 10_000_000, 2).unwrap();
        foreign.record(5_000_000).unwrap();
        let text = serde_json::to_string(&Distribution(Some(foreign))).unwrap();
        let mut read: Distribution = serde_json::from_str(&text).unwrap();
        read.merge(&Distribution::default());
        read.record(HIGHEST);
        assert_eq!(read.count(), 2);

        let mut too_long = Histogram::<u64>::new_with_bounds(1, u64::MAX / 2, 3).unwrap();
        too_long.record(u64::MAX / 4).unwrap();
        let text = serde_json::to_string(&Distribution(Some(too_long))).unwrap();
        assert!(serde_json::from_str::<Distribution>(&text).is_err());
    }

    #[test]
    fn tells_what_is_new() {
        let mut kept = Distribution::default();
        kept.record(5_000);
        let earlier = kept.clone();
        kept.record(9_000_000);
        let recent = kept.since(&earlier);
        assert_eq!(recent.count(), 1);
        assert!(recent.min().unwrap() > 0.0089);
        assert!(earlier.since(&kept).is_empty());
    }

    #[test]
    fn empty_is_empty_whether_something_was_there_or_not() {
        let never = Distribution::default();
        let mut cleared = Distribution::default();
        cleared.record(5_000);
        assert_ne!(cleared, never);
        cleared.clear();
        assert_eq!(cleared, never);
        assert_eq!(cleared.since(&never), never);
        assert_eq!(never.since(&cleared), never);
        let text = serde_json::to_string(&cleared).unwrap();
        assert_eq!(text, serde_json::to_string(&never).unwrap());
        let read: Distribution = serde_json::from_str(&text).unwrap();
        assert!(read.0.is_none(), "it takes no memory");
        let quantities = (read.mean(), read.quantile(0.5), read.max(), read.at_rank(1));
        assert_eq!(quantities, (None, None, None, None));
        cleared.merge(&read);
        assert_eq!((cleared.count(), cleared.cells().count()), (0, 0));
    }

    #[test]
    fn clamps_instead_of_losing() {
        let mut kept = Distribution::default();
        kept.record(1);
        kept.record(u64::MAX);
        assert_eq!(kept.count(), 2);
    }
}
