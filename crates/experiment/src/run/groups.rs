//! Which trials of a block are taken at the same time.

use std::collections::BTreeSet;

use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;
use rand_chacha::ChaCha8Rng;
use record::{AT_ONCE, Plan};

use crate::run::progress::Again;

/// Most trials at the same time.
const MOST: usize = AT_ONCE as usize;

/// Those of the trials left of a block that are taken next: the first, and with it those whose windows can be cut into
/// slices as its can, before others those with which it or one of them is compared, and others only with all that is compared
/// with them. Variants that are `whole` were seen not to be quick enough for it. None where none is left.
///
/// Where the block has several groups, it is the baseline of the next one with its part of the others.
pub(crate) fn next(plan: &Plan, left: &[Again], whole: &BTreeSet<String>) -> Vec<Again> {
    let can = |what: &&Again| can_be_cut(plan, what) && !whole.contains(&what.slot.variant);
    let Some(first) = left.first().filter(can) else {
        return left.first().cloned().into_iter().collect();
    };
    let compared = compared(plan);
    let mut rest: Vec<&Again> = left[1..].iter().filter(can).collect();
    let begins_group = |what: &&Again| what.attempt == 0 && what.slot.group > 0;
    if !rest.iter().any(begins_group) {
        let mut group = vec![first];
        fill(&mut group, &mut rest, (MOST, usize::MAX), &compared);
        return group.into_iter().cloned().collect();
    }
    rest.insert(0, first);
    let is_baseline = |what: &&Again| what.slot.is_baseline(plan);
    let (baselines, mut others): (Vec<&Again>, Vec<&Again>) =
        rest.into_iter().partition(is_baseline);
    let groups = others.len().div_ceil(MOST - 1).max(1);
    let size = others.len().div_ceil(groups) + 1;
    let later = (groups - 1) * (MOST - 1);
    let mut group = vec![baselines[0]];
    group.extend(pair(&mut others));
    fill(&mut group, &mut others, (size, later), &compared);
    numbered(plan, &group)
}

/// Takes both halves of the A/A pair out of some trials; the second alone where the first is the baseline.
fn pair<'a>(rest: &mut Vec<&'a Again>) -> Vec<&'a Again> {
    let twin = rest.iter().find(|what| what.slot.again);
    let twin = twin.map(|what| what.slot.variant.clone());
    let halves = rest.extract_if(.., |what| Some(&what.slot.variant) == twin.as_ref());
    halves.collect()
}

/// Fills a group with the rest up to a size. It stays smaller where none fits with all that is compared with it and there is
/// room for all of them in groups to come.
fn fill<'a>(
    group: &mut Vec<&'a Again>,
    rest: &mut Vec<&'a Again>,
    (size, later): (usize, usize),
    compared: &[BTreeSet<String>],
) {
    while group.len() < size && !rest.is_empty() {
        let next = pick(&names(group), &names(rest), size - group.len(), compared);
        if next.is_none() && rest.len() <= later {
            return;
        }
        group.push(rest.remove(next.unwrap_or(0)));
    }
}

/// The group of its first trial, in random order: which starts first is chance.
fn numbered(plan: &Plan, group: &[&Again]) -> Vec<Again> {
    let (block, number) = (group[0].block, group[0].slot.group);
    let mut random = ChaCha8Rng::seed_from_u64(plan.seed);
    // apart from those that order blocks and turns
    random.set_stream(((u64::from(number) + 1) << 32) | u64::from(block));
    let mut group: Vec<Again> = group.iter().copied().cloned().collect();
    for member in &mut group {
        member.slot.group = number;
    }
    group.shuffle(&mut random);
    group
}

fn names<'a>(trials: &[&'a Again]) -> Vec<&'a str> {
    let names = trials.iter().map(|of| of.slot.variant.as_str());
    names.collect()
}

/// Which of the rest is taken next into a group that has so much room: one that is compared with one of it, or one that fits
/// with all that is compared with it.
fn pick(
    group: &[&str],
    rest: &[&str],
    room: usize,
    compared: &[BTreeSet<String>],
) -> Option<usize> {
    let with_it = |variant: &&str| is_compared(variant, group, compared);
    let fits = |at: &usize| related(*at, rest, compared) <= room;
    let next = rest.iter().position(with_it);
    next.or_else(|| (0..rest.len()).find(fits))
}

/// The variants that are compared with each other, a set for each question: those of a claim's conditions; and without
/// claims, or where one is to be deployed, each with the baseline.
fn compared(plan: &Plan) -> Vec<BTreeSet<String>> {
    let with_baseline = plan.claims.is_empty() || plan.to_deploy;
    let each = plan.variants.iter().filter(|_| with_baseline);
    let each = each.map(|variant| BTreeSet::from([variant.name.clone(), plan.baseline.clone()]));
    let claims = plan.claims.iter();
    let conditions = claims.flat_map(|claim| claim.expect.iter().chain(&claim.since_expect));
    let means = conditions.filter_map(|condition| condition.means.as_ref().ok());
    let claimed = means.map(|means| means.variants(plan).into_iter().collect());
    each.chain(claimed).collect()
}

/// How many of the rest are compared with this one of them or with each other, itself among them.
fn related(of: usize, rest: &[&str], compared: &[BTreeSet<String>]) -> usize {
    let mut others = rest.to_vec();
    let mut found = vec![others.remove(of)];
    let next = |found: &[&str], others: &[&str]| {
        let is_one = |variant: &&str| is_compared(variant, found, compared);
        others.iter().position(is_one)
    };
    while let Some(at) = next(&found, &others) {
        found.push(others.remove(at));
    }
    found.len()
}

/// Whether a variant is compared with one of a group, or is one of it: the other half of the A/A pair.
fn is_compared(variant: &str, group: &[&str], compared: &[BTreeSet<String>]) -> bool {
    group.iter().any(|member| {
        let both = |of: &BTreeSet<String>| of.contains(*member) && of.contains(variant);
        *member == variant || compared.iter().any(both)
    })
}

/// Whether the plan wants slices, and what is loaded allows them.
fn can_be_cut(plan: &Plan, what: &Again) -> bool {
    let stressed = plan.stress_in(what.block).is_some();
    let variant = plan.variant(&what.slot.variant);
    !stressed && variant.is_some_and(|of| plan.can_be_cut(of))
}

#[cfg(test)]
mod tests;
