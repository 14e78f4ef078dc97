//! Whether requests wait for each other where no count of slots says so.

use super::FindingKind;
use super::facts::Facts;
use super::rule::{About, Confidence, Finding, FindingRule};
use crate::words::number;

pub(super) const RULE: FindingRule = FindingRule {
    kind: FindingKind::AppWaits,
    title: "requests wait for each other inside",
    rule: "no process has all of a core and cores are idle (at a rate, and of clients that think, half of them, and of each half), \
           the app server has slots free or none to count (or more workers were no faster in the same run), more than one request \
           is in progress on average, and a response takes at least twice as long as one that is asked for alone (60 ms less \
           where it waits for a delayed acknowledgement)",
    source: "Little's law, and the time of a response that was asked for before the load",
    about: About::Limit,
    look,
};

fn look(facts: &Facts) -> Option<Finding> {
    let lacks_slots = facts.slots_are_full() && !facts.has_workers_in_vain();
    if !facts.waits_inside() || lacks_slots {
        return None;
    }
    let (alone, mean) = facts.wait_for_each_other()?;
    let because = format!(
        "a response took {} ms among {} requests in progress and {} ms alone, and the stack used {} of {} cores: requests \
         wait for each other, or for something that all of them need",
        number(mean * 1e3),
        number(facts.in_progress()),
        number(alone * 1e3),
        number(facts.stack_cores()),
        facts.cores
    );
    let next = "look for what lets a few requests through at a time (`weir profile` says in which functions threads wait): a \
                pool of connections to a store, a lock, a limit of the front end, a blocking call in an event loop, another \
                service";
    Some(
        RULE.found(Confidence::Likely, because, next)
            .at_most(facts.room().min(mean / alone)),
    )
}
