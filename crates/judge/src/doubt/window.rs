use record::Shape;

use super::{Evidence, doubt};
use crate::figures::samples_needed;
use crate::opinion::{Doubt, DoubtKind};
use crate::words::{counted, number};

/// Share by which Little's law may be missed, over what the window's edges explain.
const LITTLE: f64 = 0.05;

/// Windows shorter than this are told, in seconds: a scheduler's time slice, or ten ticks of the
/// kernel's CPU accounting.
const SHORT: f64 = 0.1;

/// In a closed loop every connection always has one request under way, so Little's law says
/// connections = (sum of the response times) / window, which is throughput x mean response time
/// counted over everything whose time was kept (answers of the drain and timeouts included).
/// If it is missed, times and rate do not belong together and neither can be believed. With a think
/// time the law is that of an interactive system (Lazowska and others, "Quantitative System
/// Performance", 1984, section 3.5): each round of a connection takes its response time and the
/// think time. In an open loop nothing holds the number under way, and the law says nothing.
///
/// The tolerance is 5 %, and what the edges of the window explain:
/// * At its end a window by count has connections that found no further request, and a window by
///   duration has requests that reach beyond it, both for no longer than the longest response.
///   So the sum may be off by connections x longest, which is the share longest / window. For
///   equal response times that is connections / requests; for unequal ones it is more (with
///   exponential times the last of 100 connections ends five mean responses after the first).
/// * A request whose time was not kept (failed, or never answered) had its connection busy for no
///   longer than the window: one connection each.
pub(super) fn littles_law(evidence: &Evidence) -> Option<Doubt> {
    let load = evidence.load;
    let Shape::Closed { think, .. } = load.shape else {
        return None;
    };
    let kept_busy = load.kept_busy.unwrap_or(u64::from(load.connections));
    if kept_busy == 0 {
        return None;
    }
    let (mean, longest) = (load.response.mean()? + think, load.response.max()? + think);
    let times = load.response.count();
    if load.seconds <= 0.0 {
        return None;
    }
    let inside = stats::requests_inside(times as f64 / load.seconds, mean);
    let connections = kept_busy.min(load.scheduled) as f64;
    let untimed = load.scheduled.saturating_sub(times) as f64;
    let tolerance = connections * (LITTLE + longest / load.seconds) + untimed;
    if (inside - connections).abs() <= tolerance {
        return None;
    }
    let because = format!(
        "{} requests were under way on average, {} were to be (within {})",
        number(inside),
        number(connections),
        number(tolerance)
    );
    let advice = "times and rate contradict each other: load for longer, and look at the number \
                  of connects, the errors and the intervals in `weir show RUN --json`";
    Some(doubt(DoubtKind::LittlesLaw, true, because, advice))
}

/// Told only: rate and median may never settle on a noisy machine, and the window is what it is. But
/// one that still drifts says how long it was.
pub(super) fn not_stationary(evidence: &Evidence) -> Option<Doubt> {
    let warm_up = evidence.load.warm_up;
    if warm_up.stationary != Some(false) {
        return None;
    }
    let because = format!(
        "rate and median never became stationary in a warm-up of {} s",
        number(warm_up.seconds)
    );
    let advice = "the figures may drift with the window: load for longer, with a longer warm-up \
                  (`--warm-up 30s`), or on a quieter machine";
    Some(doubt(DoubtKind::NotStationary, false, because, advice))
}

/// Told only, as blocks show how far the figures scatter; but a window in which nothing was
/// answered, and nothing failed, has no figures.
pub(super) fn short(evidence: &Evidence) -> Option<Doubt> {
    let load = evidence.load;
    let empty = load.completed + load.failures() + load.timed_out == 0;
    if load.seconds >= SHORT && !empty {
        return None;
    }
    let mut because = format!("the window lasted {} ms", number(load.seconds * 1e3));
    if empty {
        because += ", and no request was answered in it";
    }
    let advice = "load with more requests, or for a longer duration";
    Some(doubt(DoubtKind::ShortWindow, empty, because, advice))
}

/// Told only: the quantile is not given for this trial; all trials of the stage together may
/// still carry it.
pub(super) fn too_few_samples(evidence: &Evidence) -> Option<Doubt> {
    let samples = evidence.load.response.count();
    let missing: Vec<String> = evidence
        .asked
        .iter()
        .filter_map(|metric| Some((metric.name(), samples_needed(*metric)?)))
        .filter(|(_, needed)| samples < *needed)
        .map(|(name, needed)| format!("{name} needs {needed}"))
        .collect();
    if missing.is_empty() {
        return None;
    }
    let because = format!("{}: {}", counted(samples, "answer"), missing.join(", "));
    let advice = "load with more requests, or for a longer duration";
    Some(doubt(DoubtKind::TooFewSamples, false, because, advice))
}
