//! Whether processes or threads are started instead of kept.

use record::{ProcessCost, Series};

use super::FindingKind;
use super::cores::seconds;
use super::facts::Facts;
use super::rule::{About, Confidence, Cost, Finding, FindingRule};
use crate::words::number;

/// Processes and threads that begin, for each response.
const EACH: f64 = 0.5;
/// The least of them in a second: below, others on the machine start as many.
const LEAST: f64 = 20.0;
/// Share of the machine from which on others' programs are no longer few.
const OTHERS: f64 = 0.05;
/// Processes of the app server that begin in the window and are seen: each loads the app.
const WORKERS: usize = 5;
/// The name of how many threads a process has, over time.
const THREADS: &str = "threads";

pub(super) const RULE: FindingRule = FindingRule {
    kind: FindingKind::SpawnChurn,
    title: "processes or threads are started again and again",
    rule: "20 processes or threads begin on the machine in a second and more (/proc/stat), one for every second response and \
           more, and looks saw a process or a thread of the stack begin, or children that its processes waited for used CPU time \
           (where other programs take 5 % of the machine and more, as many processes of the stack that looks saw); or 5 \
           processes of the app server and more began in the window",
    source: "proc(5): `processes` of /proc/stat counts forks, threads among them; /proc/PID/task/*/children ten times a second",
    about: About::Beside,
    look,
};

fn look(facts: &Facts) -> Option<Finding> {
    let observed = &facts.measured.observed;
    let others = observed.others.as_ref();
    let (begun, what) = if others.is_none_or(|others| others.share < OTHERS) {
        let begun = observed.begun.filter(|_| facts.begins_some());
        (
            begun.unwrap_or(0),
            "processes and threads began on the machine",
        )
    } else {
        let begun = facts.seen_to_begin(|_| true);
        (begun, "processes of the stack were seen to begin")
    };
    let each = facts.load.per_response(begun)?;
    // of a window in slices those of its lead-ins are among them
    let a_second = begun as f64 * facts.load.counted_share() / facts.load.seconds;
    let workers = facts.workers_begun();
    let churns = each >= EACH && a_second >= LEAST;
    if !churns && workers < WORKERS {
        return None;
    }
    let server = facts.app_server()?.entry.as_str();
    let because = format!(
        "{} {what} for each response, {} a second; of `{server}` {workers} processes began in the window",
        number(each),
        number(a_second),
    );
    // processes of the app server are also those that the app starts, and that are seen
    let next = if churns {
        "let a fixed number of workers or threads serve, and keep what the app starts for each request: a pool, a \
         connection to a program that stays"
            .to_owned()
    } else {
        format!(
            "have `{server}` keep as many workers as it needs from its start on: as many spare ones, or a fixed pool"
        )
    };
    let cost = if churns { Cost::App } else { Cost::Knob };
    Some(RULE.found(Confidence::Counted, because, next).costs(cost))
}

impl Facts<'_> {
    /// Whether the stack began a process or a thread in the window, as far as looks saw one, or what children used that have ended.
    fn begins_some(&self) -> bool {
        let mut processes = self.measured.stack_processes();
        let mut series = self.measured.observed.series.iter();
        let rises = |of: &Series| {
            let mut pairs = of.values.windows(2);
            pairs.any(|pair| matches!(pair, [before, after] if before < after))
        };
        let is_of_stack = |of: &Series| of.name == THREADS && of.of != ProcessCost::OWN;
        self.seen_to_begin(|_| true) > 0
            || self.workers_begun() > 0
            || processes.any(|of| seconds(of, ProcessCost::ENDED_CHILDREN) > 0.0)
            || series.any(|of| is_of_stack(of) && rises(of))
    }

    /// Processes of these programs that looks saw, and that were not there when the window opened.
    fn seen_to_begin(&self, is: impl Fn(&str) -> bool) -> u64 {
        let series = self.measured.observed.series.iter();
        let forks = series.filter(|of| of.name == Series::FORKS && is(&of.of));
        let last = forks.filter_map(|of| of.values.last());
        last.sum::<f64>() as u64
    }

    /// The same of the app server: as many as were told each by itself, if those are more.
    fn workers_begun(&self) -> usize {
        let server = self.app_server().map(|server| server.entry.as_str());
        let seen = self.seen_to_begin(|of| Some(of) == server) as usize;
        let all = self.measured.processes.iter();
        // of what was stored long ago nobody knows
        if all.clone().all(|of| of.resident.is_none()) {
            return seen;
        }
        let own =
            all.filter(|of| Some(of.owner.as_str()) == server && of.owner != ProcessCost::OWN);
        seen.max(own.filter(|of| of.resident.is_none()).count())
    }
}
