//! `weir try --vary`: values of a knob side by side, as of how many workers.

use std::collections::BTreeMap;

use experiment::{Candidates, Factor, can_vary, varied};
use record::{App, Choice, Variant};
use stack::{Catalogue, Machine};

use super::{choosing, today};
use crate::args::TryArgs;
use crate::error::{Error, Exit, Result};
use crate::invocation::Invocation;
use crate::output::note;

/// What is tried: the candidates that the user named, or all; and with `--vary` one variant for each of its values in place
/// of each that was named. Where none was, of the server by which the app is run today, beside that; or else of the one that is
/// ranked highest of those that have the knob.
///
/// # Errors
/// A name that is no candidate's, a knob that there is not, or a value that it does not take.
pub(super) fn asked(
    args: &TryArgs,
    candidates: &mut Candidates,
    app: &App,
    machine: &Machine,
    invocation: &Invocation,
) -> Result<Vec<Variant>> {
    let named = choosing::asked(args, candidates, machine.catalogue())?;
    let factors = &args.budget.vary;
    if factors.is_empty() {
        return Ok(named);
    }
    let is_named = !args.budget.variants.is_empty();
    let own = (!is_named)
        .then(|| of_today(candidates, factors, app, machine))
        .flatten();
    let mut variants: Vec<Variant> = Vec::new();
    let is_today = own.is_some();
    if is_today {
        let mut all = candidates.variants.iter();
        variants.extend(all.find(|of| of.name == today::NAME).cloned());
    }
    let families: Vec<Variant> = match own {
        Some(own) => vec![own],
        None if is_named => named,
        None => highest(candidates, factors, machine.catalogue())
            .into_iter()
            .collect(),
    };
    for family in &families {
        let all = varied(
            &titled(family, factors),
            factors,
            machine.catalogue(),
            machine.cores(),
        );
        let all = all.map_err(|(problem, hint)| Error::new(Exit::Usage, problem).hint(hint))?;
        for variant in all {
            can_be(&variant, app, machine)?;
            // families may differ in nothing but what is varied
            if !variants.iter().any(|other| is_same(other, &variant)) {
                variants.push(variant);
            }
        }
    }
    if !is_named && !invocation.quiet() {
        for family in &families {
            tell(family, is_today);
        }
    }
    candidates.priority = variants.iter().map(|of| of.name.clone()).collect();
    Ok(variants)
}

/// The server by which the app is run today, as it is set there but for what is varied, where it is one of the catalogue's that has
/// these knobs. Where it cannot be run so here, as without the package of a worker's class, it is as the server comes.
fn of_today(
    candidates: &Candidates,
    factors: &[Factor],
    app: &App,
    machine: &Machine,
) -> Option<Variant> {
    let mut all = candidates.variants.iter();
    let today = all.find(|of| of.name == today::NAME)?;
    let mut server = candidates.meant.clone()?;
    server.link = today.server.as_ref()?.link;
    server
        .knobs
        .retain(|name, _| factors.iter().all(|of| of.name() != name));
    let plain = Choice {
        knobs: BTreeMap::new(),
        ..server.clone()
    };
    let fronts = today.fronts.iter().map(|of| of.entry.as_str());
    let entries: Vec<_> = fronts.chain([server.entry.as_str()]).collect();
    let name = entries.join("+");
    let families = [(server, "as you run it today"), (plain, "as it comes")];
    let families = families.map(|(server, how)| Variant {
        title: format!("`{}` {how}", server.entry),
        name: name.clone(),
        server: Some(server),
        ..today.clone()
    });
    let mut able = families.into_iter();
    able.find(|of| can_vary(of, factors, machine.catalogue()) && can_be(of, app, machine).is_ok())
}

/// The candidate that is ranked highest of those that have the knobs, app servers alone before those behind a front end; if
/// none has, the server of today, or else of all. Where they are what makes it that candidate, it is called by its entries.
fn highest(candidates: &Candidates, factors: &[Factor], catalogue: &Catalogue) -> Option<Variant> {
    let of_name = |name: &String| candidates.variants.iter().find(|of| of.name == *name);
    let ranked = candidates.priority.iter().filter_map(of_name);
    let mut ranked: Vec<&Variant> = ranked.filter(|of| of.server.is_some()).collect();
    ranked.sort_by_key(|of| of.fronts.len()); // stable: else by rank
    let able = ranked.iter().find(|of| can_vary(of, factors, catalogue));
    // a knob that none has was meant for the server of today, if there is one
    let is_today = |of: &&&Variant| {
        let both = of.server.as_ref().zip(candidates.meant.as_ref());
        both.is_some_and(|(own, today)| own.entry == today.entry)
    };
    let today = ranked.iter().find(is_today);
    let highest = able.or(today).or(ranked.first())?;
    let mut family = (*highest).clone();
    let programs = highest.fronts.iter().chain(&highest.server);
    if programs.clone().any(|of| sets(of, factors)) {
        let entries: Vec<_> = programs.map(|of| of.entry.as_str()).collect();
        family.name = entries.join("+");
    }
    Some(family)
}

/// Says whose knobs are varied, where the user did not.
fn tell(family: &Variant, is_today: bool) {
    let entry = family.server.as_ref().map_or("", |of| &of.entry);
    note(if is_today {
        format!(
            "`--vary` tries `{entry}`, which you run today, beside `{}`; `--variants` names another server",
            today::NAME
        )
    } else {
        format!("`--vary` tries `{entry}`, as no `--variants` names another server")
    });
}

/// With a title that says nothing of what is varied.
fn titled(variant: &Variant, factors: &[Factor]) -> Variant {
    let mut programs = variant.server.iter().chain(&variant.fronts);
    let mut titled = variant.clone();
    if programs.any(|of| sets(of, factors)) {
        let words = variant.title.split(',').next();
        words.unwrap_or_default().clone_into(&mut titled.title);
    }
    titled
}

/// Whether a choice has one of the knobs already.
fn sets(choice: &Choice, factors: &[Factor]) -> bool {
    let mut factors = factors.iter();
    factors.any(|of| choice.knobs.contains_key(of.name()))
}

/// Whether two variants run the same programs on the same route.
fn is_same(one: &Variant, other: &Variant) -> bool {
    (&one.server, &one.fronts, &one.route) == (&other.server, &other.fronts, &other.route)
}

/// Refuses a variant that cannot be run here.
fn can_be(variant: &Variant, app: &App, machine: &Machine) -> Result<()> {
    let composition = machine.compose(variant, app);
    let composition = composition.map_err(|error| Error::from(error).ends(Exit::Usage))?;
    stack::lacking(&composition).map_or(Ok(()), |error| Err(error.into()))
}
