use record::LoadFacts;
use record::metric::Dimension;

use super::Crossed;
use super::language::Measure;
use crate::latency::samples_to_decide;
use crate::one_end::{at_most, cut_short};
use crate::words::{count, counted};

/// What a load says of a measure.
pub(super) struct Measured {
    /// Between which values it lies, smaller first: the same twice where it is known, infinite where
    /// only one end is. In seconds, requests per second, as a share or as a count.
    pub(super) ends: (f64, f64),
    /// That there are too few responses to give the figure itself, so that its ends are those of a confidence interval.
    pub(super) too_few: Option<TooFew>,
    /// Why it is only known to be at least as large.
    pub(super) at_least: Option<String>,
}

/// A quantile of fewer responses than decide a condition by themselves.
pub(super) struct TooFew {
    /// Such as `p99`.
    pub(super) name: &'static str,
    /// The responses that there are.
    pub(super) there: u64,
    /// How many of them came after the window.
    pub(super) after: u64,
    /// As many as decide.
    pub(super) needed: u64,
}

impl TooFew {
    /// Where it `lies`, by how many responses, and how many would tell what cannot be told.
    pub(super) fn told(&self, lies: &str, crossed: Crossed) -> String {
        let after = match self.after {
            0 => String::new(),
            after => format!(", {} of them after the window", count(after)),
        };
        let more = match crossed {
            Crossed::CannotTell => format!("; {} are always enough", count(self.needed)),
            Crossed::No | Crossed::Yes => String::new(),
        };
        let there = counted(self.there, "response");
        format!("{} is {lies} (95 %, of {there}{after}{more})", self.name)
    }
}

impl Measured {
    fn known(value: f64) -> Self {
        Self {
            ends: (value, value),
            too_few: None,
            at_least: None,
        }
    }

    /// The figure, where there is one.
    pub(super) fn value(&self) -> Option<f64> {
        self.too_few.is_none().then_some(self.ends.0)
    }
}

impl Measure {
    pub(super) fn of(self, load: &LoadFacts, unit: Dimension) -> Result<Measured, String> {
        let part = |count: u64| match unit {
            Dimension::Share if load.scheduled == 0 => Err("no request fell due".to_owned()),
            Dimension::Share => Ok(Measured::known(count as f64 / load.scheduled as f64)),
            _ => Ok(Measured::known(count as f64)),
        };
        match self {
            Self::Quantile(name, q) => quantile(load, name, q),
            Self::Mean => whole(load, load.response.mean()),
            Self::Max => whole(load, load.response.max()),
            Self::Errors => part(load.lost()),
            Self::Timeouts => part(load.timed_out + timed_out_in_drain(load)),
            Self::Dropped => part(load.dropped),
            Self::Throughput => Ok(Measured::known(load.throughput())),
            Self::Achieved => match load.achieved() {
                Some(share) => Ok(Measured::known(share)),
                None => Err("a closed loop offers no rate".to_owned()),
            },
        }
    }
}

/// Requests that were in flight when the window closed and exceeded their time limit. One that was cut off might still
/// have been answered.
fn timed_out_in_drain(load: &LoadFacts) -> u64 {
    load.drain.as_ref().map_or(0, |drain| {
        let ended = drain.unanswered.saturating_sub(drain.cut_off);
        ended.saturating_sub(drain.lost.values().sum())
    })
}

const UNANSWERED: &str = "no request got a response";

/// A figure of all times: what timed out is in it with what it was waited for, and took longer.
fn whole(load: &LoadFacts, value: Option<f64>) -> Result<Measured, String> {
    let value = value.ok_or(UNANSWERED)?;
    let mut measured = Measured::known(value);
    if cut_short(load) > 0 {
        measured.ends.1 = f64::INFINITY;
        measured.at_least = Some(timed_out(load));
    }
    Ok(measured)
}

fn quantile(load: &LoadFacts, name: &'static str, q: f64) -> Result<Measured, String> {
    let times = &load.response;
    let (needed, there) = (samples_to_decide(q), times.count());
    let value = times.quantile(q).ok_or(UNANSWERED)?;
    if there >= needed {
        let mut measured = Measured::known(value);
        let rank = times.rank(q);
        let longest = at_most(load, rank);
        let known = times.at_rank(rank).is_some_and(|(_, own)| longest <= own);
        if cut_short(load) > 0 && !known {
            measured.ends.1 = longest;
            measured.at_least = Some(timed_out(load));
        }
        return Ok(measured);
    }
    let (low, high) = stats::quantile_ends(there, q);
    let low = low.and_then(|rank| times.at_rank(rank));
    let low = low.map_or(0.0, |(least, _)| least);
    Ok(Measured {
        ends: (low, high.map_or(f64::INFINITY, |rank| at_most(load, rank))),
        too_few: Some(TooFew {
            name,
            there,
            after: load.drained,
            needed,
        }),
        at_least: None,
    })
}

fn timed_out(load: &LoadFacts) -> String {
    match load.unanswered() {
        0 => format!("{} timed out", counted(load.timed_out, "request")),
        _ => format!("{} had no response", counted(cut_short(load), "request")),
    }
}
