//! Whether a verdict can fail: claims judged again with the trials of two variants exchanged.
//!
//! A condition that holds whichever variant is measured in whose place says nothing of the variants. No synthetic figures are
//! needed to see that: the trials that were measured are there.

use record::{Run, Trial};

use crate::claim;
use crate::opinion::{ClaimVerdict, Holds};
use crate::ranking;
use crate::seen_run::SeenRun;

/// Most exchanges that are tried of a claim: one about curves names hundreds of variants.
const MOST: usize = 500;

/// The trials of two variants exchanged, and what becomes of a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// The claim.
    pub id: String,
    /// The first two variants whose exchange turns its verdict into the opposite, or if there are none such, leaves it
    /// open; none where no exchange changes it.
    pub of: Option<([String; 2], Holds)>,
}

/// For each claim of the run that is decided and has variants to exchange, an exchange that turns its verdict: of two
/// variants that it names if there is such, else of one of these and any other.
pub fn exchanges(run: &Run, trials: &[Trial]) -> Vec<Exchange> {
    let mut seen_run = SeenRun::new(run, trials);
    let verdicts = judged(&seen_run);
    let pairs: Vec<_> = verdicts.iter().map(|of| pairs(run, of)).collect();
    let mut found: Vec<Option<([String; 2], Holds)>> = verdicts.iter().map(|_| None).collect();
    let turned = |of: &Option<([String; 2], Holds)>| matches!(of, Some((_, now)) if *now != Holds::CannotTell);
    let longest = pairs.iter().map(Vec::len).max().unwrap_or(0);
    for round in 0..longest {
        for at in 0..verdicts.len() {
            let done = verdicts[at].holds == Holds::CannotTell || turned(&found[at]);
            let (false, Some(two)) = (done, pairs[at].get(round)) else {
                continue;
            };
            seen_run.exchange([&two[0], &two[1]]);
            let now = judged(&seen_run)[at].holds;
            let better = now != Holds::CannotTell || found[at].is_none();
            if now != verdicts[at].holds && better {
                found[at] = Some((two.clone(), now));
            }
        }
    }
    let each = verdicts.into_iter().zip(pairs).zip(found);
    let each = each
        .filter(|((verdict, pairs), _)| verdict.holds != Holds::CannotTell && !pairs.is_empty());
    each.map(|((verdict, _), of)| Exchange { id: verdict.id, of })
        .collect()
}

fn judged(seen_run: &SeenRun) -> Vec<ClaimVerdict> {
    claim::verdicts(seen_run, &ranking::all(seen_run))
}

/// Pairs of variants: those that a claim names with each other, then with all others.
fn pairs(run: &Run, claim: &ClaimVerdict) -> Vec<[String; 2]> {
    let about = claim.conditions.iter().filter_map(|of| of.about.as_ref());
    let mut named: Vec<String> = Vec::new();
    for name in about.flat_map(|of| of.variants(&run.plan)) {
        if !named.contains(&name) {
            named.push(name);
        }
    }
    let among = named.iter().enumerate().flat_map(|(at, one)| {
        let others = named[at + 1..].iter();
        others.map(move |other| [one.clone(), other.clone()])
    });
    let all = run.plan.variants.iter().map(|variant| &variant.name);
    let strangers: Vec<_> = all.filter(|name| !named.contains(name)).collect();
    let beyond = named.iter().flat_map(|one| {
        let others = strangers.iter();
        others.map(move |other| [one.clone(), (*other).clone()])
    });
    among.chain(beyond).take(MOST).collect()
}
