//! What other variants of the run say of a finding.
//!
//! A rule looks at the trials of one variant, and says what more of something may bring at most. Where the run has a variant
//! that has more of it, and else is the same, what that brings was measured, in the same blocks. This is the better evidence:
//! the finding says what came of it, and advises what follows from that.

use record::{Metric, Plan, Setting, Variant};

use super::facts::{Facts, MoreWorkers};
use super::facts_of;
use super::rule::{About, Confidence, Cost, Finding, Found};
use crate::compare;
use crate::opinion::{Comparison, Verdict};
use crate::seen_run::SeenRun;
use crate::words::number;

/// A variant that has more of one thing, and else is the same.
pub(super) struct Neighbour {
    /// What it has.
    has: Setting,
    /// Whether that is a number of workers: processes, instances or slots of the app server.
    workers: bool,
    /// Where it is one of processes: what one of them cannot do, as a remark.
    lock: String,
    /// Its throughput over that of the variant which is looked at.
    comparison: Comparison,
    interval: (f64, f64),
}

/// The neighbours of a variant with an interval, one of its trials being `own`: none where throughput is not what the stack
/// makes of its load.
pub(super) fn of(seen_run: &SeenRun, name: &str, own: Option<&Facts>) -> Vec<Neighbour> {
    let plan = &seen_run.run.plan;
    let own = own.filter(|own| own.is_closed_loop());
    let Some((own, variant)) = own.zip(plan.variant(name)) else {
        return Vec::new();
    };
    let known = own.settings();
    let is_more = |has: &Setting| {
        let mut known = known.iter();
        known.any(|of| of.key == has.key && of.value < has.value)
    };
    let others = plan.variants.iter().filter(|other| other.name != name);
    let others = others.filter(|other| is_near(plan, variant, other));
    let neighbours = others.filter_map(|other| {
        let mut trials = seen_run.of(&other.name);
        let facts = trials.find_map(|seen| facts_of(seen_run, seen))?;
        let mut settings = facts.settings().into_iter();
        let has = settings.find(|has| is_more(has) && is_all(plan, &has.key, variant, other))?;
        let comparison = compare::paired(seen_run, &other.name, name, Metric::Throughput)?;
        let processes = is_of_processes(own, &has.key);
        Some(Neighbour {
            workers: processes || is_of_slots(own, &has.key),
            lock: lock(own, processes),
            interval: comparison.interval?,
            comparison,
            has,
        })
    });
    neighbours.collect()
}

/// What more workers brought.
pub(super) fn more_workers(neighbours: &[Neighbour]) -> MoreWorkers {
    let is_any = |wanted: &[Verdict]| {
        let mut all = neighbours.iter().filter(|of| of.workers);
        all.any(|of| wanted.contains(&of.comparison.verdict))
    };
    if is_any(&[Verdict::Better]) {
        MoreWorkers::Faster
    } else if is_any(&[Verdict::CannotTell]) {
        MoreWorkers::Unknown
    } else if is_any(&[Verdict::Same, Verdict::Worse]) {
        MoreWorkers::InVain
    } else {
        MoreWorkers::Unknown
    }
}

/// A variant that is this one behind a front end, and surely slower: over this one, where no front end is surely faster.
pub(super) fn slower_behind(seen_run: &SeenRun, name: &str) -> Option<Comparison> {
    let plan = &seen_run.run.plan;
    let own = plan.variant(name);
    let own = own.filter(|own| own.is_stack() && own.fronts.is_empty())?;
    let is_behind = |of: &&Variant| {
        let same = of.server == own.server && of.route == own.route;
        same && !of.fronts.is_empty() && plan.load_of(of) == plan.load_of(own)
    };
    let others = plan.variants.iter().filter(is_behind);
    let compared =
        others.filter_map(|of| compare::paired(seen_run, &of.name, name, Metric::Throughput));
    let compared: Vec<Comparison> = compared.collect();
    let gains = compared.iter().any(|of| of.verdict == Verdict::Better);
    let mut slower = compared.into_iter().filter(|_| !gains);
    slower.find(|of| of.verdict == Verdict::Worse)
}

/// Whether two variants differ in one part that has numbers: cheaper to ask than in what.
fn is_near(plan: &Plan, one: &Variant, other: &Variant) -> bool {
    let parts = [
        one.server != other.server,
        one.fronts != other.fronts,
        plan.load_of(one) != plan.load_of(other),
    ];
    let differ = parts.into_iter().filter(|differs| *differs);
    one.route == other.route && differ.count() == 1
}

/// Whether what this key says is all in which two variants differ.
fn is_all(plan: &Plan, key: &str, one: &Variant, other: &Variant) -> bool {
    let any = Setting {
        key: key.to_owned(),
        value: 1,
    };
    let without = |of: &Variant| {
        let mut bare = Variant {
            name: String::new(),
            title: String::new(),
            sweep: None,
            change: None,
            load: Some(plan.load_of(of).clone()),
            ..of.clone()
        };
        bare.set(&any, &plan.load).then_some(bare)
    };
    without(one).is_some_and(|one| without(other) == Some(one))
}

fn is_of_processes(own: &Facts, key: &str) -> bool {
    let named = own.app_server().and_then(|of| of.scale.processes.as_ref());
    let knob = key.strip_prefix("server.");
    knob.is_some_and(|knob| knob == "instances" || named.is_some_and(|named| named == knob))
}

fn is_of_slots(own: &Facts, key: &str) -> bool {
    let named = own.app_server().and_then(|of| of.scale.slots.as_ref());
    let knob = key.strip_prefix("server.");
    knob.is_some_and(|knob| named.is_some_and(|named| named == knob))
}

/// What a process of the app server cannot do, where more of them are spoken of.
fn lock(own: &Facts, processes: bool) -> String {
    let server = own.app_server().filter(|_| processes);
    let all = own.measured.processes.iter();
    let all = all.filter(|of| server.is_some_and(|server| server.entry == of.owner));
    let mut words = all.map(|of| own.lock_in_words(of));
    words.find(|words| !words.is_empty()).unwrap_or_default()
}

/// What is left of a finding in the light of its variant's neighbours. Nothing is left of one that only follows from several
/// counts, where what it advises was there and brought nothing: something else gave the same counts.
pub(super) fn checked(found: Found, neighbours: &[Neighbour]) -> Option<Found> {
    let Some(witness) = witness(&found.finding, neighbours) else {
        return Some(found);
    };
    let finding = witness.corrected(found.finding)?;
    Some(Found { finding, ..found })
}

/// The neighbour that says most of a finding: of those that have more of what it advises the fastest that is surely faster, else
/// the first that has as much as is advised. A limit for which no number is advised is asked about more workers.
fn witness<'n>(finding: &Finding, neighbours: &'n [Neighbour]) -> Option<&'n Neighbour> {
    let is_limit = finding.kind.rule().about == About::Limit;
    let is_about = |of: &&Neighbour| match &finding.change {
        Some(change) => of.has.key == change.key,
        None => is_limit && of.workers,
    };
    let all = neighbours.iter().filter(is_about);
    let better = all.clone().filter(|of| of.is_faster());
    let fastest = better.max_by(|one, other| one.ratio().total_cmp(&other.ratio()));
    let enough = all.filter(|of| match &finding.change {
        Some(change) => of.has.value >= change.value,
        None => of.comparison.verdict != Verdict::CannotTell,
    });
    fastest.or_else(|| enough.min_by_key(|of| of.has.value))
}

impl Neighbour {
    fn is_faster(&self) -> bool {
        self.comparison.verdict == Verdict::Better
    }

    fn ratio(&self) -> f64 {
        self.comparison.ratio
    }

    /// The finding with what this neighbour did, and what follows from it.
    fn corrected(&self, finding: Finding) -> Option<Finding> {
        let because = format!("{}; {}", finding.because, self.told());
        let measured = Some(self.comparison.clone());
        let advised = finding.change.is_some();
        match self.comparison.verdict {
            Verdict::Better => {
                let (lock, next) = self.better(&finding);
                let finding = Finding {
                    because: because + lock,
                    next,
                    gain: Some(self.ratio()),
                    measured,
                    ..finding
                };
                Some(finding.by(Some(self.has.clone())))
            }
            Verdict::CannotTell => {
                let gain = finding.gain.map(|gain| gain.min(self.interval.1));
                let finding = Finding { because, ..finding };
                Some(finding.at_most(gain.unwrap_or(1.0)))
            }
            Verdict::Same | Verdict::Worse if !advised => Some(Finding { because, ..finding }),
            Verdict::Same | Verdict::Worse => {
                let counted = finding.confidence == Confidence::Counted;
                counted.then(|| Finding {
                    because,
                    next: format!(
                        "look for what else holds it back: more of `{}` brought nothing here",
                        self.knob()
                    ),
                    cost: Cost::App,
                    gain: None,
                    change: None,
                    measured,
                    ..finding
                })
            }
        }
    }

    /// What to add to the facts of a finding, and what to advise, where this neighbour is better. What has a change of its own
    /// is about that, and about nothing else.
    fn better(&self, finding: &Finding) -> (&str, String) {
        let it = format!(
            "use `{}` of this run, which has {} and else is the same",
            self.comparison.of,
            self.words()
        );
        if finding.change.is_some() {
            return ("", it);
        }
        (self.lock.as_str(), format!("{it}; then {}", finding.next))
    }

    /// `` `two` of this run (`workers` = 2) did 1.84 × [1.71, 1.97] as many requests/s``.
    fn told(&self) -> String {
        let (low, high) = self.interval;
        format!(
            "`{}` of this run ({}) did {} × [{}, {}] as many requests/s",
            self.comparison.of,
            self.words(),
            number(self.ratio()),
            number(low),
            number(high)
        )
    }

    /// `` `workers` = 2``.
    fn words(&self) -> String {
        format!("`{}` = {}", self.knob(), self.has.value)
    }

    fn knob(&self) -> &str {
        let key = self.has.key.as_str();
        key.rsplit_once('.').map_or(key, |(_, knob)| knob)
    }
}
