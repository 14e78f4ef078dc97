use record::LoadFacts;

use super::{DoubtKind, Evidence, Held, Rule};
use crate::words::{counted, number, percent};

/// Requests on a connection below which it was not kept open: servers that limit them allow a hundred and
/// more.
const KEPT: f64 = 10.0;
/// Share of requests that met a connection which ended without a word, from which it is told: between two limits of a hundred.
const LOST: f64 = 0.01;

pub(super) const RULE: Rule = Rule {
    title: "the server did not keep connections open",
    rule: "connections that are to be kept open carry at least ten requests each, or all there are, and at most 1 % of the \
           requests meet one that ends without a word",
    disqualifies: "never",
    of_server: true,
    ..Rule::of(DoubtKind::NotKeptOpen, look)
};

/// Told only: it is what the server does to every client. But times then hold what opening a connection
/// takes, and the load is not the one that was asked for.
fn look(evidence: &Evidence) -> Held {
    let load = evidence.load;
    let Some(spoken) = load.spoken.filter(|spoken| spoken.keep_alive) else {
        return RULE.silent("no connection was to be kept open");
    };
    if spoken.per_connection.is_some() || !load.pages.is_empty() {
        return RULE.silent("the clients close connections themselves");
    }
    // what met a closed connection was sent again over another one
    let sent = load.sent.saturating_sub(load.sent_again);
    let carried = sent as f64 / load.connects.max(1) as f64;
    let used = format!(
        "{} {} used for {}",
        counted(load.connects, "connection"),
        if load.connects == 1 { "was" } else { "were" },
        counted(sent, "request")
    );
    let lost = load.sent_again as f64 / load.sent.max(1) as f64;
    if reopened(load) > 0 && carried >= KEPT && lost > LOST {
        let because = format!(
            "{} met a connection that the server ended without a word, {} of all that were sent, and were sent again",
            counted(load.sent_again, "request"),
            percent(lost)
        );
        let advice = "a worker may die now and then (the server's log says so); or let it announce what it closes \
                      (`Connection: close`): clients lose these requests, and may not repeat a POST";
        return RULE.doubted(false, because, advice);
    }
    if reopened(load) == 0 || carried >= KEPT {
        return RULE.passed(used);
    }
    let after = match carried {
        one if one < 1.5 => "its response".to_owned(),
        more => format!("{} responses", number(more)),
    };
    let because = format!("{used}: the server closed each after {after}");
    let advice = "the times hold the opening of connections: let the server keep them open (HTTP/1.1, a \
                  keep-alive timeout; a worker that serves one connection at a time may not be able to), or ask for one for each request \
                  (`--no-keep-alive` of `weir bench`, `keep-alive = false` in a plan's load)";
    RULE.doubted(false, because, advice)
}

/// Connections beyond those that were asked for, and beyond one for each request that went wrong: it may have
/// cost its connection.
fn reopened(load: &LoadFacts) -> u64 {
    let late = load.drain.as_ref().map_or(0, |of| of.unanswered);
    let wrong = load.failures() + load.timed_out + load.retries + late;
    let explained = u64::from(load.connections) + wrong;
    load.connects.saturating_sub(explained)
}
