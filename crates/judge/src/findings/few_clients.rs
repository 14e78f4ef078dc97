//! Whether the clients, and not the stack, set the pace.

use record::Setting;

use super::FindingKind;
use super::facts::Facts;
use super::rule::{About, Confidence, Finding, FindingRule};
use super::waits::APART;
use crate::compare::NEGLIGIBLE;
use crate::words::{counted, duration, number, percent};

/// Requests for each core that are few, where nobody knows how long one takes alone.
const FEW: f64 = 4.0;
/// Share of the window in which a client of a closed loop waits for its response or sleeps, on average, from which on its
/// clients set the pace. Where it is less no server was there to answer.
const WAITING: f64 = 0.8;
/// At a rate, the share of the time until they are answered in which requests wait for a connection, from which on the
/// connections do.
const UNCONNECTED: f64 = 0.2;
/// Share of the connections that are busy then on average, at least: less are where requests waited but once.
const BUSY: f64 = 0.5;
/// Share of the cores' time that is used, by whomever, from which on none is left for more clients.
const TAKEN: f64 = 0.9;
/// How many times as many clients are proposed at most, and what so many could bring.
const MOST: f64 = 16.0;

pub(super) const RULE: FindingRule = FindingRule {
    kind: FindingKind::FewClients,
    title: "there are too few clients",
    rule: "no process has all of a core, cores are idle and slots of the app server free, a response takes less than twice as \
           long as one that is asked for alone (where that is not known: at most 4 requests for each core are in progress), \
           and the load sets the pace: its clients wait for responses, or sleep, for 80 % of the window and more; or at a rate \
           that is held half of the connections and more are busy on average, and requests wait for a free one for 20 % of the \
           time until they are answered, and more",
    source: "Little's law: clients over the time of a response are the most that they ask for",
    about: About::Measurement,
    look,
};

fn look(facts: &Facts) -> Option<Finding> {
    let many = facts.alone().is_none() && facts.in_progress() > FEW * facts.cores;
    let has_room = facts.has_cores_left()
        && facts.waits_for().is_none()
        && !facts.slots_are_full()
        && facts.wait_for_each_other().is_none();
    if many || !has_room {
        return None;
    }
    if facts.is_at_a_rate() {
        return few_connections(facts);
    }
    if facts.share_under_way() + facts.share_asleep() < WAITING {
        return None;
    }
    few_clients(facts)
}

/// Of a rate that the connections of the load carry, but not at once. Where they carry less the trial does not count.
fn few_connections(facts: &Facts) -> Option<Finding> {
    let load = facts.load;
    let (rate, mean) = (load.throughput(), load.service.mean()?);
    let busy = rate * (mean + load.sleep_each());
    let held = facts.room_of_what_is_asked() <= 1.0 + NEGLIGIBLE;
    let waited = facts.share_unconnected();
    if !held || waited < UNCONNECTED || busy < BUSY * load.slots() as f64 {
        return None;
    }
    let because = format!(
        "requests waited for a free one of {} connections for {} of the time until they were answered: {} are busy on average \
         at {} requests/s of {} ms, and {} of the cores' time was used",
        load.connections,
        percent(waited),
        number(busy),
        number(rate),
        number(mean * 1e3),
        percent(facts.busy())
    );
    // three standard deviations of a Poisson number are hardly ever exceeded
    let streams = load.slots() as f64 / f64::from(load.connections.max(1));
    let enough = ((busy + 3.0 * busy.sqrt()) / streams).ceil();
    let enough = enough.max(f64::from(load.connections) + 1.0);
    let next = format!(
        "load with more connections (`connections`, `-c {enough}`): what requests wait for there is the load's own limit, and \
         none of the stack"
    );
    let change = Setting {
        key: "load.connections".to_owned(),
        value: enough as i64,
    };
    let found = RULE.found(Confidence::Counted, because, next);
    Some(found.by(Some(change)))
}

fn few_clients(facts: &Facts) -> Option<Finding> {
    let in_progress = facts.in_progress();
    let (load, mean) = (facts.load, facts.load.service.mean()?);
    let sleep = load.sleep_each();
    let asleep = load.users_asleep().map_or_else(String::new, |users| {
        let time = duration(sleep);
        format!(", and its user sleeps for {time} before the next ({users} were asleep on average)")
    });
    let connections = counted(load.connections.into(), "connection");
    let slots = load.slots();
    let each = if slots > u64::from(load.connections) {
        format!("{slots} requests at once, over {connections},")
    } else {
        connections
    };
    let because = format!(
        "each of {each} waits for its own response ({} ms){asleep}: together they ask for no more than {} requests/s, and {} of \
         the cores' time was used",
        number(mean * 1e3),
        number(slots as f64 / (mean + sleep)),
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
    let room = facts.room().min(facts.room_of_locks());
    let gain = room.min(slots).min(MOST);
    // as many as would fill the room, if a response took no longer among them
    let more = (f64::from(load.connections) * gain).ceil();
    let change = (gain > 1.0 + NEGLIGIBLE).then(|| Setting {
        key: "load.connections".to_owned(),
        value: more as i64,
    });
    let found = found.by(change);
    Some(if in_progress > APART {
        found.at_most(gain)
    } else {
        found
    })
}
