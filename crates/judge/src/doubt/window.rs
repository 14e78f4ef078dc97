use record::Shape;

use super::rule::Rule;
use super::{Evidence, Held};
use crate::figures::samples_needed;
use crate::opinion::DoubtKind;
use crate::words::{counted, number};

/// Share by which Little's law may be missed, over what the window's edges explain.
const LITTLE: f64 = 0.05;

/// Windows shorter than this are told, in seconds: a scheduler's time slice, or ten ticks of the
/// kernel's CPU accounting.
const SHORT: f64 = 0.1;

const LITTLES_LAW: Rule = Rule {
    kind: DoubtKind::LittlesLaw,
    words: "Little's law: answers/s x (mean response time + think time) = requests kept under way, \
            within 5 % and what the window's edges explain (Lazowska and others, 1984, 3.5)",
};

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
pub(super) fn littles_law(evidence: &Evidence) -> Held {
    let load = evidence.load;
    let Shape::Closed { think, .. } = load.shape else {
        return LITTLES_LAW.silent("in an open loop nothing holds the number under way");
    };
    let kept_busy = load.kept_busy.unwrap_or(u64::from(load.connections));
    if kept_busy == 0 {
        return LITTLES_LAW.silent("nothing holds the number under way");
    }
    let (Some(mean), Some(longest)) = (load.response.mean(), load.response.max()) else {
        return LITTLES_LAW.silent("nothing was answered");
    };
    if load.seconds <= 0.0 {
        return LITTLES_LAW.silent("the window has no length");
    }
    let (mean, longest) = (mean + think, longest + think);
    let times = load.response.count();
    let inside = stats::requests_inside(times as f64 / load.seconds, mean);
    let connections = kept_busy.min(load.scheduled) as f64;
    let untimed = load.scheduled.saturating_sub(times) as f64;
    let tolerance = connections * (LITTLE + longest / load.seconds) + untimed;
    let seen = format!(
        "{} requests were under way on average, {} were to be (within {})",
        number(inside),
        number(connections),
        number(tolerance)
    );
    if (inside - connections).abs() <= tolerance {
        return LITTLES_LAW.passed(seen);
    }
    let advice = "times and rate contradict each other: load for longer, and look at the number \
                  of connects, the errors and the intervals in `weir show RUN --json`";
    LITTLES_LAW.doubted(true, seen, advice)
}

const STATIONARY: Rule = Rule {
    kind: DoubtKind::NotStationary,
    words: "the warm-up ends with rate and median stationary: two looks agree with the two before \
            them within 5 % and 10 %",
};

/// Told only: rate and median may never settle on a noisy machine, and the window is what it is. But
/// one that still drifts says how long it was.
pub(super) fn not_stationary(evidence: &Evidence) -> Held {
    let warm_up = evidence.load.warm_up;
    let Some(stationary) = warm_up.stationary else {
        return STATIONARY.silent("no warm-up was to last until then");
    };
    let seconds = number(warm_up.seconds);
    if stationary {
        return STATIONARY.passed(format!("after {seconds} s"));
    }
    let because = format!("rate and median never became stationary in a warm-up of {seconds} s");
    let advice = "the figures may drift with the window: load for longer, with a longer warm-up \
                  (`--warm-up 30s`), or on a quieter machine";
    STATIONARY.doubted(false, because, advice)
}

const LONG_ENOUGH: Rule = Rule {
    kind: DoubtKind::ShortWindow,
    words: "the window lasts at least 100 ms (a scheduler's time slice, ten ticks of the kernel's CPU \
            accounting), and something comes to an end in it",
};

/// Told only, as blocks show how far the figures scatter; but a window in which nothing was
/// answered, and nothing failed, has no figures.
pub(super) fn short(evidence: &Evidence) -> Held {
    let load = evidence.load;
    let empty = load.completed + load.failures() + load.timed_out == 0;
    let mut because = format!("the window lasted {} ms", number(load.seconds * 1e3));
    if load.seconds >= SHORT && !empty {
        return LONG_ENOUGH.passed(because);
    }
    if empty {
        because += ", and no request was answered in it";
    }
    let advice = "load with more requests, or for a longer duration";
    LONG_ENOUGH.doubted(empty, because, advice)
}

const SAMPLES: Rule = Rule {
    kind: DoubtKind::TooFewSamples,
    words: "at least 100 answers lie beyond a quantile that is asked for, n(1 - q) >= 100: its own \
            standard error is then a tenth of the share beyond it",
};

/// Told only: the quantile is not given for this trial; all trials of the stage together may
/// still carry it.
pub(super) fn too_few_samples(evidence: &Evidence) -> Held {
    let samples = evidence.load.response.count();
    let asked: Vec<(bool, String)> = evidence
        .asked
        .iter()
        .filter_map(|metric| Some((metric.name(), samples_needed(*metric)?)))
        .map(|(name, needed)| (samples < needed, format!("{name} needs {needed}")))
        .collect();
    let because = |all: bool| {
        let told = asked.iter().filter(|(missing, _)| all || *missing);
        let told: Vec<_> = told.map(|(_, needs)| needs.as_str()).collect();
        format!("{}: {}", counted(samples, "answer"), told.join(", "))
    };
    if asked.is_empty() {
        return SAMPLES.silent("no quantile was asked for");
    }
    if !asked.iter().any(|(missing, _)| *missing) {
        return SAMPLES.passed(because(true));
    }
    let advice = "load with more requests, or for a longer duration";
    SAMPLES.doubted(false, because(false), advice)
}
