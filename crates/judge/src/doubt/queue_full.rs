use record::NetworkFacts;

use super::{DoubtKind, Evidence, Held, Rule};
use crate::words::counted;

pub(super) const UNCOUNTED: &str = "what TCP did was not counted";

pub(super) const RULE: Rule = Rule {
    title: "an accept queue was full",
    rule: "no accept queue of this network namespace is ever full (TcpExt ListenOverflows)",
    disqualifies: "never",
    ..Rule::of(DoubtKind::QueueFull, look)
};

/// Told only: a queue that is full is what an overloaded server looks like. But a connection that met it waited one
/// second, then three for the kernel to try again (RFC 6298, section 2), which is neither the server's
/// time nor the network's.
fn look(evidence: &Evidence) -> Held {
    let Some(NetworkFacts { queue_full, .. }) = evidence.load.network else {
        return RULE.silent(UNCOUNTED);
    };
    let because = format!(
        "{} met a full accept queue",
        counted(queue_full, "connection")
    );
    if queue_full == 0 {
        return RULE.passed(because);
    }
    let advice = "raise the server's backlog (and net.core.somaxconn, which caps it), keep connections \
                  open, or lower the load: the times of these connections are the kernel's pauses";
    RULE.doubted(false, because, advice)
}
