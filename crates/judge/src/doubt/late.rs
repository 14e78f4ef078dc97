use record::Distribution;

use super::{DoubtKind, Evidence, Held, Rule};
use crate::words::duration;

/// Why the rules of open loops do not apply to a closed one.
pub(super) const CLOSED: &str = "a closed loop has no schedule to keep";

/// Times of the engine from which they are told: this share of the median response time, and no less than what a
/// kernel's wake-up may take, in seconds.
const LATE: (f64, f64) = (0.1, 50e-6);

pub(super) const RULE: Rule = Rule {
    title: "requests were sent late",
    rule: "the engine and the kernel are late in an open loop (p99, or the highest quantile with 100 \
           responses beyond it) by less than a tenth of the median response time, or 50 µs",
    disqualifies: "never",
    ..Rule::of(DoubtKind::Late, look)
};

/// An open loop's response times begin when a request is due, so that what the engine or the kernel
/// is late is in them. From a tenth of the median (and 50 us) this is told; it disqualifies
/// nothing, as the service times stand beside them and are free of it.
fn look(evidence: &Evidence) -> Held {
    let load = evidence.load;
    if load.offered.is_none() {
        return RULE.silent(CLOSED);
    }
    let Some(median) = load.response.quantile(0.5) else {
        return RULE.silent("there was no response");
    };
    let limit = limit(median);
    let both = [
        ("woken late by the kernel", &load.woken),
        ("sent late by the engine", &load.lateness),
    ];
    let told = |beyond: bool| {
        let known = both
            .iter()
            .filter_map(|(what, times)| Some((what, highest_known(times)?)));
        let shown = known.filter(|(_, (_, late))| !beyond || *late > limit);
        let told = shown.map(|(what, (name, late))| format!("{what}, {name} {}", duration(late)));
        told.collect::<Vec<_>>().join("; ")
    };
    let because = told(true);
    if because.is_empty() {
        let known = Some(told(false)).filter(|known| !known.is_empty());
        let known = known.unwrap_or_else(|| "too few requests to tell".to_owned());
        return RULE.passed(format!("{known} (at most {})", duration(limit)));
    }
    let because = format!("{because} (more than {})", duration(limit));
    let advice = "response times carry this, service times do not: give weir a core of its own, or \
                  run on a quieter machine";
    RULE.doubted(false, because, advice)
}

/// What may be in response times of this median that is not the server's, both in seconds.
pub(super) fn limit(median: f64) -> f64 {
    (median * LATE.0).max(LATE.1)
}

/// The 99th percentile; where fewer than 100 samples lie beyond it the 95th, the 90th, or the median. Nothing
/// where there are too few for any.
pub(super) fn highest_known(times: &Distribution) -> Option<(&'static str, f64)> {
    let told = ["p50", "p90", "p95", "p99"];
    let mut known = crate::QUANTILES.into_iter().filter(|&(name, q)| {
        told.contains(&name) && times.count() >= crate::latency::samples_to_decide(q)
    });
    let (name, q) = known.next_back()?;
    Some((name, times.quantile(q)?))
}
