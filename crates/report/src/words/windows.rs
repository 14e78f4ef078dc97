//! Which windows of a run are cut into slices, and why others are whole.

use record::{Plan, Trial, Variant, first_of};

use crate::units;

/// Variants that are named for one reason.
const NAMED: usize = 6;

/// Why a window is whole that could be cut.
const ASKED: &str =
    "a claim is about what builds up over a window, here or in what is compared with it";

/// Why a window was whole that its plan does not keep so.
const SEEN: &str = "responses take too long for slices, or no other load took turns with it";

/// Which windows the plan of a run keeps whole, and why: `` whole windows of `b` (as requests fall due on a schedule) ``.
/// Nothing where none are, where the plan asks for no slices, and of one variant alone, which takes no turns.
pub fn whole(plan: &Plan) -> Option<String> {
    told(plan, &|variant| by_plan(plan, variant))
}

/// What to say behind the blocks of a run: how loads took turns, and which windows were whole. Whether any were cut is in the
/// trials.
pub(super) fn windows(plan: &Plan, trials: &[Trial]) -> String {
    let uncut = came_whole(trials.iter());
    let cut = plan.slices().map(|of| {
        if uncut {
            return "each window whole, as responses take too long for slices".to_owned();
        }
        let of = units::duration(of);
        format!("quick loads in turn, in slices of at least {of}")
    });
    let is_own = |trial: &&Trial, variant: &Variant| {
        trial.variant == variant.name && plan.stress_in(trial.block).is_none()
    };
    let seen = |variant: &Variant| {
        let own = trials.iter().filter(|trial| is_own(trial, variant));
        (!uncut && came_whole(own)).then_some(SEEN)
    };
    let why = |variant: &Variant| by_plan(plan, variant).or_else(|| seen(variant));
    let parts = std::iter::once(String::new()).chain(cut);
    let parts = parts.chain(told(plan, &why));
    parts.collect::<Vec<_>>().join(", ")
}

/// Whether some of these trials were measured, and none in slices.
fn came_whole<'a>(trials: impl Iterator<Item = &'a Trial>) -> bool {
    let mut measured = trials.filter_map(Trial::measured).peekable();
    measured.peek().is_some() && measured.all(|one| one.load.slices.is_none())
}

/// Why the plan keeps the windows of a variant whole.
fn by_plan(plan: &Plan, variant: &Variant) -> Option<&'static str> {
    if variant.client.is_some() {
        return Some("a client sends requests when it likes");
    }
    let asked = plan.whole.contains(&variant.name).then_some(ASKED);
    plan.load_of(variant).why_whole().or(asked)
}

fn told(plan: &Plan, why: &dyn Fn(&Variant) -> Option<&'static str>) -> Option<String> {
    let alone = plan.variants.len() == 1 && plan.noise_floor.is_none();
    if plan.slice <= 0.0 || alone {
        return None;
    }
    let mut reasons: Vec<(&str, Vec<String>)> = Vec::new();
    for variant in &plan.variants {
        let Some(why) = why(variant) else {
            continue;
        };
        let name = format!("`{}`", variant.name);
        match reasons.iter_mut().find(|(known, _)| *known == why) {
            Some((_, names)) => names.push(name),
            None => reasons.push((why, vec![name])),
        }
    }
    match reasons.as_slice() {
        [] => None,
        [(why, names)] if names.len() == plan.variants.len() => {
            Some(format!("each window whole, as {why}"))
        }
        some => {
            let each = some.iter();
            let each = each.map(|(why, names)| format!("{} (as {why})", first_of(names, NAMED)));
            let each: Vec<String> = each.collect();
            Some(format!("whole windows of {}", each.join(", of ")))
        }
    }
}
