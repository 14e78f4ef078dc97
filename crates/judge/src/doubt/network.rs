use record::NetworkFacts;

use super::rule::Rule;
use super::{Evidence, Held};
use crate::opinion::DoubtKind;
use crate::words::{counted, percent};

/// Share of segments sent again from which it is told: on loopback nothing is lost but by full queues,
/// and in a healthy network one in a thousand is much.
const AGAIN: f64 = 0.001;

const UNCOUNTED: &str = "nobody counted what TCP did";

const QUEUE: Rule = Rule {
    kind: DoubtKind::QueueFull,
    words: "no accept queue of this network namespace is ever full (TcpExt ListenOverflows)",
};

/// Told only: a queue that is full is what an overloaded server looks like. But who met it waited one
/// second, then three for the kernel to knock again (RFC 6298, section 2), which is neither the server's
/// time nor the network's.
pub(super) fn queue_full(evidence: &Evidence) -> Held {
    let Some(NetworkFacts { queue_full, .. }) = evidence.load.network else {
        return QUEUE.silent(UNCOUNTED);
    };
    let because = format!(
        "{} met a full accept queue",
        counted(queue_full, "connection")
    );
    if queue_full == 0 {
        return QUEUE.passed(because);
    }
    let advice = "raise the server's backlog (and net.core.somaxconn, which caps it), keep connections \
                  open, or lower the load: the times of these connections are the kernel's pauses";
    QUEUE.doubted(false, because, advice)
}

const RETRANSMITS: Rule = Rule {
    kind: DoubtKind::Retransmits,
    words: "fewer than one in 1,000 segments of this network namespace are sent again (Tcp RetransSegs)",
};

/// Told only, for the same reason.
pub(super) fn retransmits(evidence: &Evidence) -> Held {
    let Some(NetworkFacts {
        segments,
        sent_again,
        ..
    }) = evidence.load.network
    else {
        return RETRANSMITS.silent(UNCOUNTED);
    };
    let share = sent_again as f64 / segments.max(1) as f64;
    let because = format!(
        "{sent_again} of {} sent again ({})",
        counted(segments, "segment"),
        percent(share)
    );
    if share < AGAIN {
        return RETRANSMITS.passed(because);
    }
    let advice = "something loses what is sent: a full accept queue, a full link, or a filter; times of \
                  such requests are the kernel's pauses and not the server's";
    RETRANSMITS.doubted(false, because, advice)
}
