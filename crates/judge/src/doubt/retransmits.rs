use record::NetworkFacts;

use super::queue_full::{UNCOUNTED, waited_for_the_kernel};
use super::{DoubtKind, Evidence, Held, Rule, struck};
use crate::words::{counted, percent};

/// Share of segments sent again from which it is told: on loopback nothing is lost but by full queues,
/// and in a healthy network one in a thousand is much.
const AGAIN: f64 = 0.001;

pub(super) const RULE: Rule = Rule {
    title: "TCP had to retransmit",
    rule: "fewer than one in 1,000 segments of this network namespace are retransmitted (Tcp \
           RetransSegs), as far as requests were kept waiting by it",
    disqualifies: "never",
    ..Rule::of(DoubtKind::Retransmits, look)
};

/// Told only: blocks show how far the figures scatter.
fn look(evidence: &Evidence) -> Held {
    let Some(NetworkFacts {
        segments,
        retransmitted,
        own,
        ..
    }) = evidence.load.network
    else {
        return RULE.silent(UNCOUNTED);
    };
    let share = retransmitted as f64 / segments.max(1) as f64;
    let machine = if own { "" } else { " of the whole machine" };
    let because = format!(
        "{retransmitted} of {}{machine} retransmitted ({})",
        counted(segments, "segment"),
        percent(share)
    );
    if share < AGAIN || !(own || waited_for_the_kernel(evidence.load)) {
        return RULE.passed(because);
    }
    if let Some(struck) = struck(evidence.load) {
        let advice = "a fault leaves segments without an answer, which the kernel then sends again: whether anything else loses \
                      what is sent is for a trial without faults to say";
        return RULE.doubted(false, format!("{struck}, and {because}"), advice);
    }
    let advice = "something loses what is sent: a full accept queue, a full link, or a filter; times of \
                  such requests are the kernel's pauses and not the server's";
    RULE.doubted(false, because, advice)
}
