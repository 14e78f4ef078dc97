use record::LoadFacts;

use super::blame::{Blame, blame};
use super::pool::Pool;
use super::{DoubtKind, Evidence, Held, Lasts, Rule};
use crate::words::{counted, duration, number, percent};

pub(super) const RULE: Rule = Rule {
    title: "the connections were too few for the rate",
    rule: "an open loop has the connections that its rate needs, also while users sleep: the rate was held, or some were \
           free, or responses took at least 1.5 times as long as with half of them busy",
    disqualifies: "always",
    lasts: Lasts::Recurs,
    ..Rule::of(DoubtKind::Connections, look)
};

/// The rate was not held, and more connections would have held it: a fault of the load, not of the server.
fn look(evidence: &Evidence) -> Held {
    let load = evidence.load;
    let Some(offered) = load.offered else {
        return RULE.silent("a closed loop keeps its connections busy");
    };
    let pool = match blame(load, offered) {
        Some(Blame::Connections(pool)) => pool,
        Some(_) => return RULE.silent("the rate was not held for another reason"),
        None => {
            let waited = counted(load.waited.count(), "request");
            return RULE.passed(format!(
                "the rate was held; {waited} waited for a connection"
            ));
        }
    };
    let advice = if load.users_asleep().is_none() {
        "use as many connections as that, or a lower rate: the server responded as fast as with \
         half of them, and could have served more"
    } else {
        "use as many connections as that, each of which is a user, or a lower rate: requests waited for users \
         that slept, and the server could have served more"
    };
    RULE.doubted(true, because(load, offered, &pool), advice)
}

fn because(load: &LoadFacts, offered: f64, pool: &Pool) -> String {
    let ms = |seconds: f64| format!("{} ms", number(seconds * 1e3));
    let light = pool.light.map_or_else(String::new, |light| {
        format!(" ({} with at most half of them busy)", ms(light))
    });
    let asleep = load.users_asleep().map_or_else(String::new, |users| {
        let sleep = duration(pool.sleep);
        format!(" and its user sleeps for {sleep} before it ({users} were asleep on average)")
    });
    // where no sleep ended, it is only known how long they were so far
    let known = if asleep.is_empty() || load.has_whole_sleeps() {
        "about"
    } else {
        "at least"
    };
    let carry = match load.connections {
        1 => "carries",
        _ => "carry",
    };
    format!(
        "{} requests/s were offered and {} completed ({}): {} {carry} {} requests/s at most when a response \
         takes {}{light}{asleep}; the rate takes {known} {} (`-c {}`)",
        number(offered),
        number(load.throughput()),
        percent(load.throughput() / offered),
        counted(load.connections.into(), "connection"),
        number(pool.most),
        ms(pool.service),
        pool.needed,
        pool.needed
    )
}
