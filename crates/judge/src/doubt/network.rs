use record::{LoadFacts, NetworkFacts};

use super::rule::Rule;
use super::{Evidence, Held};
use crate::opinion::DoubtKind;
use crate::words::{counted, number, percent};

/// Share of segments sent again from which it is told: on loopback nothing is lost but by full queues,
/// and in a healthy network one in a thousand is much.
const AGAIN: f64 = 0.001;

/// Requests on a connection below which it was not kept open: servers that limit them allow a hundred and
/// more.
const KEPT: f64 = 10.0;

const UNCOUNTED: &str = "what TCP did was not counted";

const KEPT_OPEN: Rule = Rule {
    kind: DoubtKind::NotKeptOpen,
    words: "connections that are to be kept open carry ten requests and more each, or as many as there are",
};

/// Told only: it is what the server does to every client. But times then hold what opening a connection
/// takes, and the load is not the one that was asked for.
pub(super) fn kept_open(evidence: &Evidence) -> Held {
    let load = evidence.load;
    let Some(spoken) = load.spoken.filter(|spoken| spoken.keep_alive) else {
        return KEPT_OPEN.silent("no connection was to be kept open");
    };
    if spoken.per_connection.is_some() || !load.pages.is_empty() {
        return KEPT_OPEN.silent("the clients close connections themselves");
    }
    let carried = load.sent as f64 / load.connects.max(1) as f64;
    let used = format!(
        "{} {} used for {}",
        counted(load.connects, "connection"),
        if load.connects == 1 { "was" } else { "were" },
        counted(load.sent, "request")
    );
    if reopened(load) == 0 || carried >= KEPT {
        return KEPT_OPEN.passed(used);
    }
    let because = if carried < 1.5 {
        format!("{used}: the server closed each after its answer")
    } else {
        format!(
            "{used}: the server closed each after {} answers",
            number(carried)
        )
    };
    let advice = "the times hold the opening of connections: let the server keep them open (HTTP/1.1, a \
                  keep-alive timeout), or ask for it with `--no-keep-alive`";
    KEPT_OPEN.doubted(false, because, advice)
}

/// Connections beyond those that were asked for, and beyond one for each request that went wrong: it may have
/// cost its connection.
fn reopened(load: &LoadFacts) -> u64 {
    let wrong = load.failures() + load.timed_out + load.sent_again + load.retries;
    let explained = u64::from(load.connections) + wrong;
    load.connects.saturating_sub(explained)
}

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
    words: "fewer than one in 1,000 segments of this network namespace are retransmitted (Tcp RetransSegs)",
};

/// Told only, for the same reason.
pub(super) fn retransmits(evidence: &Evidence) -> Held {
    let Some(NetworkFacts {
        segments,
        retransmitted,
        ..
    }) = evidence.load.network
    else {
        return RETRANSMITS.silent(UNCOUNTED);
    };
    let share = retransmitted as f64 / segments.max(1) as f64;
    let because = format!(
        "{retransmitted} of {} retransmitted ({})",
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
