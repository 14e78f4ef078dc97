use super::rule::Rule;
use super::{Evidence, Held};
use crate::figures::samples_needed;
use crate::opinion::DoubtKind;
use crate::words::{counted, number};

/// Windows shorter than this are told, in seconds: a scheduler's time slice, or ten ticks of the
/// kernel's CPU accounting.
const SHORT: f64 = 0.1;

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
