use record::metric::Dimension;
use record::{Distribution, LoadFacts, TimeLimit};

use super::language::Measure;
use crate::latency::samples_to_decide;
use crate::words::counted;

/// What a load says of a measure.
pub(super) struct Measured {
    /// Between which values it lies, smaller first: the same twice where it is known, infinite where
    /// only one end is. In seconds, requests per second, as a share or as a count.
    pub(super) ends: (f64, f64),
    /// Why the figure itself cannot be given, and its ends are those of a confidence interval.
    pub(super) too_few: Option<String>,
    /// Why it is only known to be at least as large.
    pub(super) at_least: Option<String>,
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
            Self::Errors => part(load.failures() + load.timed_out + in_drain(load, false)),
            Self::Timeouts => part(load.timed_out + in_drain(load, true)),
            Self::Dropped => part(load.dropped),
            Self::Throughput => Ok(Measured::known(load.throughput())),
            Self::Achieved => match load.achieved() {
                Some(share) => Ok(Measured::known(share)),
                None => Err("a closed loop offers no rate".to_owned()),
            },
        }
    }
}

/// What went wrong with requests that were in flight when the window closed, or those of them alone that
/// exceeded their time limit. One that was cut off might still have been answered.
fn in_drain(load: &LoadFacts, timeouts: bool) -> u64 {
    let Some(drain) = &load.drain else {
        return 0;
    };
    let ended = drain.unanswered.saturating_sub(drain.cut_off);
    if timeouts {
        ended.saturating_sub(drain.lost.values().sum())
    } else {
        ended + drain.wrong_answers()
    }
}

/// Requests of which only a lower limit of their time is known.
fn cut_short(load: &LoadFacts) -> u64 {
    load.timed_out + load.unanswered()
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

fn quantile(load: &LoadFacts, name: &str, q: f64) -> Result<Measured, String> {
    let times = &load.response;
    let (needed, there) = (samples_to_decide(q), times.count());
    let value = times.quantile(q).ok_or(UNANSWERED)?;
    if there >= needed {
        let mut measured = Measured::known(value);
        if cut_short(load) > 0 {
            let rank = (there as f64 * q).ceil() as u64;
            measured.ends.1 = at_most(load, rank).max(value);
            measured.at_least = (measured.ends.1 > value).then(|| timed_out(load));
        }
        return Ok(measured);
    }
    let (low, high) = stats::quantile_ends(there, q);
    let low = low.and_then(|rank| times.at_rank(rank)).unwrap_or(0.0);
    Ok(Measured {
        ends: (low, high.map_or(f64::INFINITY, |rank| at_most(load, rank))),
        too_few: Some(format!(
            "{name} needs {needed} responses, there are {there}"
        )),
        at_least: None,
    })
}

/// What the time of this rank is at most, if each request that timed out took for ever. The limit of
/// a whole request is counted from when it was due, as its time is: those that exceeded it are the
/// longest. The limit of a part may end one that would have been quicker than others, and so may the end
/// of a drain or of a connection.
fn at_most(load: &LoadFacts, rank: u64) -> f64 {
    let of_parts = load.time_limits.iter();
    let of_parts = of_parts.filter(|(limit, _)| **limit != TimeLimit::Whole);
    let of_parts: u64 = of_parts.map(|(_, count)| count).sum();
    let rank = rank + of_parts + load.unanswered();
    let longest = load.timed_out.saturating_sub(of_parts);
    let times: &Distribution = &load.response;
    if rank > times.count().saturating_sub(longest) {
        return f64::INFINITY;
    }
    times.at_rank(rank).unwrap_or(f64::INFINITY)
}

fn timed_out(load: &LoadFacts) -> String {
    match load.unanswered() {
        0 => format!("{} timed out", counted(load.timed_out, "request")),
        _ => format!("{} had no response", counted(cut_short(load), "request")),
    }
}
