//! Whether what the app computes for each request is all that the cores do, so that another server changes little.

use super::FindingKind;
use super::facts::Facts;
use super::rule::{About, Confidence, Finding, FindingRule};
use crate::words::{duration, number};

/// Seconds of a response alone from which on what a server adds to it is little: that is less than a millisecond.
const LONG: f64 = 0.005;
/// Share of that time that is CPU time of the app and its services.
const COMPUTED: f64 = 0.8;
/// Share of the cores that have nothing else to do.
const TAKEN: f64 = 0.8;

pub(super) const RULE: FindingRule = FindingRule {
    kind: FindingKind::WorkloadCeiling,
    title: "the request itself sets the ceiling",
    rule: "a response that is asked for alone takes 5 ms and more, the app server and the app's services use CPU time for each \
           response of 80 % of that and more, and 80 % of the cores' time, every core is busy, and no variant of the run that only \
           has more workers is surely faster",
    source: "Denning and Buzen, \"The Operational Analysis of Queueing Network Models\", 1978: cores over the CPU time of a \
             request are the most that is answered (the utilization law)",
    about: About::Beside,
    look,
};

fn look(facts: &Facts) -> Option<Finding> {
    let alone = facts.alone().filter(|alone| *alone >= LONG)?;
    let server = facts.app_server()?.entry.as_str();
    let services = facts.services().map(|(_, entry)| facts.cores_of_all(entry));
    let used = facts.cores_of_all(server) + services.sum::<f64>();
    let each = used / facts.load.throughput();
    let computes = each >= COMPUTED * alone && used >= TAKEN * facts.cores;
    if !computes || !facts.every_core_is_busy() || facts.scales() {
        return None;
    }
    let because = format!(
        "a response takes {} when it is asked for alone, and the app and its services use {} of CPU for each: {} cores answer {} \
         requests/s at most, whatever serves them, and {} were answered",
        duration(alone),
        duration(each),
        facts.cores,
        number(facts.cores / each),
        number(facts.load.throughput())
    );
    let next = format!(
        "make this request cheaper (profile `{server}`), do less of it (a cache, a job in the background), or add cores: another \
         server, front end or number of workers changes little"
    );
    Some(RULE.found(Confidence::Likely, because, next))
}
