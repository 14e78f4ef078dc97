use super::{DoubtKind, Evidence, Held, Lasts, Rule};
use crate::words::{number, percent};

/// Share of stolen CPU time from which it is told.
const STOLEN: f64 = 0.05;

/// Stolen core seconds below which the share disqualifies nothing: the kernel counts in ticks of
/// 10 ms, so one unlucky tick is a large share of a short window.
const STOLEN_SECONDS: f64 = 0.05;

pub(super) const RULE: Rule = Rule {
    title: "the hypervisor took CPU time away",
    rule: "at most 5 % of the machine's CPU time goes to other guests",
    disqualifies: "from 0.05 core seconds on",
    lasts: Lasts::Passes,
    ..Rule::of(DoubtKind::StolenCpu, look)
};

/// More than 5 % stolen disqualifies, once it is more than the kernel's clock can invent.
fn look(evidence: &Evidence) -> Held {
    let Some(stolen) = evidence.stolen else {
        return RULE.silent("it was not measured");
    };
    let because = format!(
        "{} of the machine's CPU time went to other guests ({} core seconds)",
        percent(stolen.share),
        number(stolen.seconds)
    );
    if stolen.share <= STOLEN {
        return RULE.passed(because);
    }
    let advice = "run again at a quieter time, or on a machine of your own";
    RULE.doubted(stolen.seconds >= STOLEN_SECONDS, because, advice)
}
