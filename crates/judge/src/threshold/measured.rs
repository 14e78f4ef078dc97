use record::metric::Dimension;
use record::{LoadFacts, units};

use super::language::Measure;
use crate::latency::{samples_for, samples_to_decide};
use crate::one_end::{at_most, cut_short};
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
        too_few: Some(too_few(name, q, there)),
        at_least: None,
    })
}

/// A figure that is shown, with its interval, does not yet decide a condition by itself.
fn too_few(name: &str, q: f64, there: u64) -> String {
    let [needed, shown, there] = [samples_to_decide(q), samples_for(q), there].map(units::count);
    format!(
        "{name} needs {needed} responses to decide alone ({shown} to be shown), there are {there}"
    )
}

fn timed_out(load: &LoadFacts) -> String {
    match load.unanswered() {
        0 => format!("{} timed out", counted(load.timed_out, "request")),
        _ => format!("{} had no response", counted(cut_short(load), "request")),
    }
}
