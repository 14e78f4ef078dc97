//! Whether the clients, and not the stack, set the pace.

use record::Setting;

use super::FindingKind;
use super::facts::Facts;
use super::rule::{About, Confidence, Finding, FindingRule};
use crate::words::{duration, number, percent};

/// Requests for each core that are few, where nobody knows how long one takes alone.
const FEW: f64 = 4.0;
/// Share of the window in which a client of a closed loop waits for its response or sleeps, on average, from which on its
/// clients set the pace. Where it is less no server was there to answer.
const WAITING: f64 = 0.8;
/// Share of the cores' time that is used, by whomever, from which on none is left for more clients.
const TAKEN: f64 = 0.9;
/// How many times as many clients are proposed at most.
const MOST: f64 = 16.0;

pub(super) const RULE: FindingRule = FindingRule {
    kind: FindingKind::FewClients,
    title: "there are too few clients",
    rule: "a closed loop keeps no process and not all cores busy, leaves slots of the app server free, its clients \
           wait for responses, or sleep, for 80 % of the window and more, and a response takes less than twice as long as \
           one that is asked for alone (where that is not known: at most 4 requests for each core are in progress)",
    source: "Little's law: clients over the time of a response are the most that they ask for",
    about: About::Measurement,
    look,
};

fn look(facts: &Facts) -> Option<Finding> {
    let in_progress = facts.in_progress();
    let many = facts.alone().is_none() && in_progress > FEW * facts.cores;
    if !facts.waits_inside()
        || facts.slots_are_full()
        || many
        || facts.share_under_way() + facts.share_asleep() < WAITING
        || facts.wait_for_each_other().is_some()
    {
        return None;
    }
    let (load, mean) = (facts.load, facts.load.service.mean()?);
    let sleep = load.sleep_each();
    let asleep = load.users_asleep().map_or_else(String::new, |users| {
        let time = duration(sleep);
        format!(", and its user sleeps for {time} before the next ({users} were asleep on average)")
    });
    let because = format!(
        "each of {} connections waits for its own response ({} ms){asleep}: together they ask for no more than \
         {} requests/s, and {} of the cores' time was used",
        load.connections,
        number(mean * 1e3),
        number(f64::from(load.connections) / (mean + sleep)),
        percent(facts.busy())
    );
    // more clients would ask for cores that others have
    let taken = facts.busy() >= TAKEN;
    let next = match (taken, asleep.is_empty()) {
        (true, _) => {
            "end the programs that take the cores: only then do more connections, or a rate, show what the stack can do"
        }
        (_, true) => {
            "load with more connections (`connections`, `-c`), or at a rate (`-R`): the stack can do more"
        }
        (_, false) => {
            "load with more connections (`connections`, `-c`), each of which is a user: the stack can do more"
        }
    };
    let found = RULE.found(Confidence::Likely, because, next);
    if taken {
        return Some(found);
    }
    let slots = facts
        .slots()
        .map_or(f64::INFINITY, |slots| slots / in_progress);
    let gain = facts.room().min(slots);
    // as many as would fill the room, if a response took no longer among them
    let more = (f64::from(load.connections) * gain.min(MOST)).ceil();
    let change = Setting {
        key: "load.connections".to_owned(),
        value: more as i64,
    };
    Some(found.at_most(gain).by(Some(change)))
}
