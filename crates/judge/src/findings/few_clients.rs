//! Whether the clients, and not the stack, set the pace.

use record::Setting;

use super::FindingKind;
use super::facts::Facts;
use super::rule::{About, Confidence, Finding, FindingRule};
use crate::words::{number, percent};

/// Requests for each core that are few, where nobody knows how long one takes alone.
const FEW: f64 = 4.0;
/// Share of a closed loop's requests that are under way on average, from which on its clients do nothing but wait. Where it is
/// less they slept, or nobody was there to answer.
const WAITING: f64 = 0.8;
/// How many times as many clients are proposed at most.
const MOST: f64 = 16.0;

pub(super) const RULE: FindingRule = FindingRule {
    kind: FindingKind::FewClients,
    title: "there are too few clients",
    rule: "a closed loop keeps no process and not all cores busy, leaves slots of the app server free, its clients \
           wait for responses for 80 % of the window and more, and a response takes less than twice as long as one that is asked \
           for alone (where that is not known: at most 4 requests for each core are in progress)",
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
        || facts.share_under_way() < WAITING
        || facts.wait_for_each_other().is_some()
    {
        return None;
    }
    let (load, mean) = (facts.load, facts.load.service.mean()?);
    let because = format!(
        "each of {} connections waits for its own response ({} ms): together they ask for no more than {} requests/s, \
         and {} of the cores' time was used",
        load.connections,
        number(mean * 1e3),
        number(f64::from(load.connections) / mean),
        percent(facts.busy())
    );
    let next = "load with more connections (`connections`, `-c`), or at a rate (`-R`): the stack can do more";
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
    let found = RULE.found(Confidence::Likely, because, next);
    Some(found.at_most(gain).by(Some(change)))
}
