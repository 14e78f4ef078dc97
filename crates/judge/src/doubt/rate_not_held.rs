use record::LoadFacts;

use super::blame::{Blame, blame, held};
use super::late::{CLOSED, highest_known};
use super::{DoubtKind, Evidence, Held, Lasts, Rule};
use crate::words::{counted, number, percent};

pub(super) const RULE: Rule = Rule {
    title: "the server did not keep up with the rate",
    grave_title: Some("the load generator did not keep up with the rate"),
    rule: "of the requests that fall due in an open loop, 99 % end in the window or are on a connection \
           at its end",
    disqualifies: "if the generator, and not the server, fell behind",
    lasts: Lasts::Passes,
    ..Rule::of(DoubtKind::RateNotHeld, look)
};

/// An open loop whose requests do not come to an end at the rate at which they fall due.
///
/// If the stack was too slow that is a finding, and told: the throughput is then what it can do,
/// and the response times say how long the window was. If the engine was too slow the figures are the
/// generator's, and the trial is out.
fn look(evidence: &Evidence) -> Held {
    let load = evidence.load;
    let Some(offered) = load.offered else {
        return RULE.silent(CLOSED);
    };
    let engine = match blame(load, offered) {
        None => {
            let (held, of) = (held(load), load.scheduled);
            let share = percent(held as f64 / of.max(1) as f64);
            return RULE.passed(format!("{held} of {of} ({share})"));
        }
        Some(Blame::Pause) => {
            return RULE.silent("weir itself was paused while what is missing fell due");
        }
        Some(Blame::Connections(_)) => return RULE.silent("there were too few connections for it"),
        Some(Blame::Engine) => true,
        Some(Blame::Server) => false,
    };
    let asleep = load.users_asleep().map_or_else(String::new, |users| {
        format!("; {users} were asleep on average")
    });
    let because = format!(
        "{} requests/s were offered and {} completed ({}): {}{asleep}",
        number(offered),
        number(load.throughput()),
        percent(load.throughput() / offered),
        held_back(load)
    );
    let advice = if engine {
        "the load generator could not keep up: give weir more `threads` or a core of its own, or \
         lower the rate"
    } else if load.waited.is_empty() {
        "the server had the requests and did not respond in time: lower the rate, or raise \
         `timeout` if its clients would wait for longer"
    } else if !asleep.is_empty() {
        "the server held every connection busy whose user did not sleep: use more connections, each of which is a user, \
         or a lower rate; response times that grow with more connections are the server's"
    } else {
        "the server held every connection busy: response times now grow with the window, so lower \
         the rate, or give it more connections if it has room for them"
    };
    RULE.doubted(engine, because, advice)
}

/// `120 dropped, 3 timed out, 40 still waiting; 512 waited for a connection (p99 1.2 s)`.
fn held_back(load: &LoadFacts) -> String {
    let waiting = load.in_flight.saturating_sub(u64::from(load.connections));
    let parts = [
        (load.dropped, "dropped"),
        (load.timed_out, "timed out"),
        (waiting, "still waiting"),
    ];
    let parts = parts.iter().filter(|(count, _)| *count > 0);
    let parts: Vec<String> = parts
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    let waited = if load.waited.is_empty() {
        "none waited for a connection".to_owned()
    } else {
        let requests = counted(load.waited.count(), "request");
        let known = highest_known(&load.waited).or(load.waited.max().map(|most| ("at most", most)));
        let long = known.map(|(name, time)| format!(" ({name} {} ms)", number(time * 1e3)));
        let long = long.unwrap_or_default();
        format!("{requests} waited for a connection{long}")
    };
    match &parts[..] {
        [] => waited,
        some => format!("{}; {waited}", some.join(", ")),
    }
}
