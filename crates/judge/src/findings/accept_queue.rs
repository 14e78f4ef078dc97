//! Whether requests wait until a program begins to read them, where nothing that holds the stack back says why.

use record::QueueFacts;

use super::FindingKind;
use super::facts::{Facts, knob};
use super::one_core::raised;
use super::rule::{About, Confidence, Cost, Finding, FindingRule};
use crate::words::{duration, number};

/// Requests that nobody has begun to read, on average, which are worth a word.
const UNREAD: f64 = 1.0;

pub(super) const RULE: FindingRule = FindingRule {
    kind: FindingKind::AcceptQueue,
    title: "requests wait until a server reads them",
    rule: "of one request and more on average a program that requests pass had read nothing (in its accept queue, and over TCP on \
           connections that it had accepted), over 6 looks and more, cores are idle, and nothing is found that holds the stack \
           back, nor requests that wait behind the front end",
    source: "Little's law; sock_diag(7): what the sockets of a program hold that it has not read",
    about: About::Beside,
    look,
};

fn look(facts: &Facts) -> Option<Finding> {
    let (program, waiting) = facts.most_unread()?;
    if facts.none_is_idle() || is_explained(facts) {
        return None;
    }
    let mean = facts.load.service.mean()?;
    let wait = (waiting / facts.load.throughput()).min(mean);
    let because = format!(
        "{} requests had not been read by `{program}` yet, on average: about {} of the {} of a response were a wait for that, \
         and {} of {} cores were idle",
        number(waiting),
        duration(wait),
        duration(mean),
        number(facts.cores * (1.0 - facts.busy())),
        facts.cores
    );
    let server = facts.server(program);
    let known = server.and_then(|server| knob(server, server.scale.processes.as_ref()));
    let (more, change) = match known.filter(|(_, now)| *now < facts.cores) {
        Some((name, now)) => (
            format!(
                "{} to {}, so that more are read at once",
                raised(name, program, now),
                facts.cores
            ),
            facts.setting(program, name, facts.cores),
        ),
        None => (
            format!(
                "give `{program}` more processes or threads that read, or less to do (`weir profile` says what it does)"
            ),
            None,
        ),
    };
    let next = format!(
        "{more}; or let clients hear of it at once: a limit in front of it that answers 503, or a shorter backlog"
    );
    let gain = mean / (mean - wait).max(f64::MIN_POSITIVE);
    let found = RULE.found(Confidence::Counted, because, next);
    let found = found.at_most(facts.room().min(gain));
    Some(found.costs(Cost::Variant).by(change))
}

/// Whether it is found what holds the stack back, which is why requests wait, or that they wait for one of several servers.
fn is_explained(facts: &Facts) -> bool {
    let mut rules = FindingKind::ALL.iter().copied().map(FindingKind::rule);
    rules.any(|rule| {
        let explains = rule.about == About::Limit || rule.kind == FindingKind::LimitsOutOfOrder;
        explains && (rule.look)(facts).is_some()
    })
}

impl<'a> Facts<'a> {
    /// Requests of which this program had read nothing, on average over the looks at its sockets; `None` where that is less than
    /// one, and where nobody looked often enough.
    pub(super) fn unread(&self, program: &str) -> Option<f64> {
        let (waiting, looks) = self.measured.observed.unread(program)?;
        let told = looks >= QueueFacts::ENOUGH_LOOKS && waiting >= UNREAD;
        told.then_some(waiting)
    }

    /// The program with most of them, services left out.
    fn most_unread(&self) -> Option<(&'a str, f64)> {
        let services: Vec<&str> = self.services().map(|(_, entry)| entry).collect();
        let queues = self.measured.observed.queues.iter();
        let programs = queues.map(|of| of.program.as_str());
        let programs = programs.filter(|program| !services.contains(program));
        let waiting = programs.filter_map(|program| Some((program, self.unread(program)?)));
        waiting.max_by(|(_, one), (_, other)| one.total_cmp(other))
    }
}
