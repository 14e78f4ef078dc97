//! What a look at a run, after some whole blocks, leaves to those that follow.

use std::collections::BTreeSet;

use record::condition::select;
use record::{Plan, Run, Trial};

use crate::claim::{Open, Question};
use crate::compare::MOST_BLOCKS;
use crate::opinion::{Comparison, Verdict};
use crate::ranking::Ranking;
use crate::seen_run::SeenRun;
use crate::words::number;
use crate::{claim, compare, lead, ranking, variant};

/// What later blocks of a run are for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// Variants on which a question hangs that is open, and can be decided; none where the run has come to its end.
    pub needed: BTreeSet<String>,
    /// Whether such a question needs the A/A pair.
    pub noise_floor: bool,
    /// Whether only reasons are open, which are given for claims that do not hold: they have their turn last.
    pub for_reasons: bool,
    /// The open questions of which is known how many blocks they take, and those that are given up.
    pub open: Vec<StillOpen>,
}

/// A question that the blocks so far leave open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StillOpen {
    /// A condition, or what is compared.
    pub what: String,
    /// Why it is open, and what would decide it.
    pub because: String,
    /// Blocks of the run that would most likely decide it, those that it has among them; `u32::MAX` where no number would do.
    pub blocks: u32,
    /// Whether later blocks are not for it: the last of them will most likely leave it open, too.
    pub given_up: bool,
}

impl Look {
    /// Needs what is open, and the A/A pair where that hangs on it.
    fn ask(&mut self, open: Open, plan: &Plan) {
        let about = open.conditions.iter();
        self.needed.extend(about.flat_map(|of| of.variants(plan)));
        if open.by_floor {
            self.noise_floor = true;
            self.needed.extend(plan.noise_floor.clone());
        }
        self.open.extend(open.told);
    }
}

/// What later blocks of a run may decide.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// For each open claim, how many blocks more it most likely takes: `u32::MAX` where no number would do, `None` where
    /// nothing tells, as before there is an interval.
    pub claims: Vec<Option<u32>>,
    /// The same for each open reason; empty while the next blocks of the run are for something else.
    pub reasons: Vec<Option<u32>>,
}

/// A look at a run whose trials (in the order in which they ran) make whole blocks. It asks for the plan's claims and
/// the leaders of its rankings (who is surely beaten is left out), and where it has neither, or says so, for the variant
/// to deploy. Where nothing of that is open it asks for the reasons that are given for claims that do not hold.
/// What will most likely be open after
/// the last block too is not waited for.
pub fn look(run: &Run, trials: &[Trial]) -> Look {
    let seen_run = SeenRun::new(run, trials);
    look_at(&seen_run, &ranking::all(&seen_run))
}

fn look_at(seen_run: &SeenRun, rankings: &[Ranking]) -> Look {
    let plan = &seen_run.run.plan;
    let nothing_else = plan.claims.is_empty() && plan.rankings.is_empty();
    let mut look = if plan.to_deploy || nothing_else {
        contest(seen_run)
    } else {
        Look::default()
    };
    look.ask(claim::open(seen_run, rankings, Question::Claim), plan);
    let ranked = plan
        .rankings
        .iter()
        .flat_map(|of| contested(plan, of, rankings));
    look.needed.extend(ranked);
    if look.needed.is_empty() {
        look.ask(claim::open(seen_run, rankings, Question::Reason), plan);
        look.for_reasons = !look.needed.is_empty();
    }
    look
}

/// What is open of a run and may be decided by the blocks that its plan has left.
pub fn wanted(run: &Run, trials: &[Trial]) -> Wanted {
    let seen_run = SeenRun::new(run, trials);
    let rankings = ranking::all(&seen_run);
    let of = |question| claim::wanted(&seen_run, &rankings, question);
    // where nothing is left out of later blocks, these are for everything
    let next = run.plan.looks().is_none() || look_at(&seen_run, &rankings).for_reasons;
    Wanted {
        claims: of(Question::Claim),
        reasons: if next {
            of(Question::Reason)
        } else {
            Vec::new()
        },
    }
}

/// The variants of those that may still come first in a ranking; none once that is one.
fn contested(plan: &Plan, of: &record::Ranking, rankings: &[Ranking]) -> Vec<String> {
    let Some(left) = ranking::contenders(rankings, &of.name) else {
        return of.rivals(plan);
    };
    if left.len() == 1 {
        return Vec::new();
    }
    let meant = left
        .iter()
        .flat_map(|rival| select(&plan.variants, rival).unwrap_or_default());
    meant.map(|variant| variant.name.clone()).collect()
}

/// Who leads: the first against each that may still be the best, and each of these against the baseline while that may be,
/// too.
fn contest(seen_run: &SeenRun) -> Look {
    let plan = &seen_run.run.plan;
    let variants = plan.variants.iter();
    let variants: Vec<_> = variants.map(|of| variant::opinion(seen_run, of)).collect();
    let lead = lead::lead(seen_run, &variants);
    let beside = variants.iter().flat_map(|of| &of.against_baseline);
    let beside = beside.filter(|of| of.metric == lead.metric);
    let asked = lead.comparisons.iter().chain(beside);
    let asked: Vec<&Comparison> = asked.filter(|of| lead.hangs_on(of)).collect();
    let mut told: Vec<StillOpen> = Vec::new();
    for of in asked.iter().filter_map(|of| still_open(seen_run, of)) {
        // the first against the baseline is one of both
        if told.iter().all(|known| known.what != of.what) {
            told.push(of);
        }
    }
    let open = asked.iter().filter(|of| is_open(seen_run, of));
    let mut needed: BTreeSet<String> = open
        .flat_map(|of| [of.of.clone(), of.over.clone()])
        .collect();
    // nothing is known of those that something else disturbed each time
    let counts = |name: &str| seen_run.of(name).any(|seen| seen.opinion.counts);
    let disturbed = |name: &str| seen_run.of(name).any(|seen| seen.transient().is_some());
    let unknown = plan.variants.iter().map(|of| of.name.as_str());
    let unknown = unknown.filter(|name| !counts(name) && disturbed(name));
    needed.extend(unknown.map(str::to_owned));
    if !needed.is_empty() {
        needed.insert(seen_run.baseline().to_owned());
    }
    Look {
        noise_floor: !needed.is_empty(),
        for_reasons: false,
        needed,
        open: told,
    }
}

/// What is told of two variants that cannot be told apart. Nothing of those that no number of blocks would tell apart, as long as
/// they are not given up: the noise that they lie in is narrower after more blocks.
fn still_open(seen_run: &SeenRun, of: &Comparison) -> Option<StillOpen> {
    let shrink = compare::shrink(seen_run, of).filter(|_| of.verdict == Verdict::CannotTell)?;
    let (low, high) = of.interval?;
    let given_up = seen_run.is_hopeless(of.pairs as usize, shrink);
    if of.wanted.is_none() && !given_up {
        return None;
    }
    let takes = match of.wanted {
        Some(blocks) => format!(
            "about {blocks} blocks are needed, and there are {}{}",
            of.pairs,
            seen_run.time(blocks - of.pairs, 2)
        ),
        None => format!("more than {MOST_BLOCKS} blocks are needed"),
    };
    // the same two may be compared both ways
    let mut names = [of.of.as_str(), of.over.as_str()];
    names.sort_unstable();
    let [one, other] = names;
    let noun = of.metric.row().noun;
    Some(StillOpen {
        what: format!("{noun} of `{one}` and of `{other}`"),
        because: format!(
            "that of `{}` may be {} to {} times that of `{}`: {takes}",
            of.of,
            number(low),
            number(high),
            of.over
        ),
        // those in which one of the two does not count come on top
        blocks: of.wanted.map_or(u32::MAX, |pairs| {
            pairs - of.pairs + seen_run.blocks() as u32
        }),
        given_up,
    })
}

/// Whether a comparison cannot be told yet, and may be.
fn is_open(seen_run: &SeenRun, of: &Comparison) -> bool {
    if of.verdict != Verdict::CannotTell {
        return false;
    }
    if of.interval.is_none() {
        return true;
    }
    let shrink = compare::shrink(seen_run, of);
    shrink.is_some_and(|by| !seen_run.is_hopeless(of.pairs as usize, by))
}
