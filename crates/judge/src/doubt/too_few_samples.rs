use record::units;

use super::{DoubtKind, Evidence, Held, Rule};
use crate::figures::samples_needed;
use crate::words::counted;

pub(super) const RULE: Rule = Rule {
    title: "too few responses for a quantile",
    rule: "at least 10 responses lie beyond a requested quantile, n(1 - q) >= 10: the fewest that both \
           ends of its interval can be told from",
    disqualifies: "never",
    ..Rule::of(DoubtKind::TooFewSamples, look)
};

fn needs(name: &str, needed: u64) -> String {
    format!("{name} needs {}", units::count(needed))
}

/// Told only: the quantile is not given for this trial; all trials of the variant together may
/// still carry it.
fn look(evidence: &Evidence) -> Held {
    let samples = evidence.load.response.count();
    let asked: Vec<(bool, String)> = evidence
        .asked
        .iter()
        .filter_map(|metric| Some((metric.name(), samples_needed(*metric)?)))
        .map(|(name, needed)| (samples < needed, needs(name, needed)))
        .collect();
    let because = |all: bool| {
        let told = asked.iter().filter(|(missing, _)| all || *missing);
        let told: Vec<_> = told.map(|(_, needs)| needs.as_str()).collect();
        format!("{}: {}", counted(samples, "response"), told.join(", "))
    };
    if asked.is_empty() {
        return RULE.silent("no quantile was requested");
    }
    if samples == 0 && evidence.load.completed > 0 {
        return RULE.silent("its response times are the client's to know");
    }
    if !asked.iter().any(|(missing, _)| *missing) {
        return RULE.passed(because(true));
    }
    let advice = "load with more requests, or for a longer duration";
    RULE.doubted(false, because(false), advice)
}
