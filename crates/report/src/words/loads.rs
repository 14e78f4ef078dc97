use record::{Amount, Load, Plan, Variant, joined};

use super::load::{REQUESTS, load, over};
use super::shares;
use crate::units;

/// The load of a plan, and of the variants that are loaded in another way. What is the same for several variants is said
/// once, and for a sweep of loads what varies is said as its levels:
/// `… over 1, 10 or 100 connections …; `slow`: … over 10 connections …`. Last stands what rates are shares of.
pub fn loads(plan: &Plan) -> String {
    let shares = shares(plan).map(|shares| format!("; rates: {shares}"));
    of_variants(plan) + &shares.unwrap_or_default()
}

/// The unit in which a plan has its rates.
fn unit(plan: &Plan) -> &'static str {
    match plan.open_capacity() {
        Some(_) => "of capacity",
        None => REQUESTS,
    }
}

fn of_variants(plan: &Plan) -> String {
    let mut told: Vec<(String, Vec<&str>)> = Vec::new();
    for variant in &plan.variants {
        let (name, words) = of_variant(plan, variant);
        match told.iter_mut().find(|(known, _)| *known == words) {
            Some((_, names)) if names.contains(&name) => {}
            Some((_, names)) => names.push(name),
            None => told.push((words, vec![name])),
        }
    }
    // the plan's own load is what variants have of which nothing else is said
    let own = load(&plan.load, unit(plan));
    let first = told.iter().position(|(words, _)| *words == own);
    let first = first.unwrap_or(0);
    let alone = told.len() < 2;
    if told.is_empty() {
        return own;
    }
    let (words, names) = told.remove(first);
    let first = if alone || words == own {
        words
    } else {
        format!("{}: {words}", listed(&names))
    };
    let others = told
        .iter()
        .map(|(words, names)| format!("; {}: {words}", listed(names)));
    first + &others.collect::<String>()
}

/// Who is loaded, a variant or the sweep that it belongs to, and how.
fn of_variant<'a>(plan: &'a Plan, variant: &'a Variant) -> (&'a str, String) {
    let family = family(plan, variant);
    let factors = varied(plan, &family);
    let (connections, others): (Vec<_>, Vec<_>) = factors
        .into_iter()
        .map(|(factor, levels)| (factor, joined(&levels, "or")))
        .partition(|(factor, _)| *factor == "connections");
    let others = others
        .iter()
        .map(|(factor, levels)| format!(", with {factor} of {levels}"));
    // every variant of the family tells of itself what the first of them does
    let of = plan.load_of(family.first().unwrap_or(&variant));
    let words = match connections.first() {
        Some((_, levels)) => over(of, &format!("{levels} connections"), unit(plan)),
        None => load(of, unit(plan)),
    };
    let words = match (&variant.client, of.amount) {
        (Some(_), Amount::Seconds(seconds)) => {
            format!("asking weir's own origin for {}", units::duration(seconds))
        }
        _ => words,
    };
    let sweep = variant.sweep.as_ref();
    let name = sweep.map_or(&variant.name, |sweep| &sweep.family);
    (name, words + &others.collect::<String>())
}

/// The variants of the sweep that a variant belongs to; none for others.
fn family<'a>(plan: &'a Plan, variant: &Variant) -> Vec<&'a Variant> {
    let name = |of: &Variant| of.sweep.as_ref().map(|sweep| sweep.family.clone());
    let own = name(variant);
    let variants = plan.variants.iter();
    variants
        .filter(|of| own.is_some() && name(of) == own)
        .collect()
}

/// The factors of a sweep that change the load, with their levels: those of which no two levels are loaded in the
/// same way.
fn varied<'a>(plan: &'a Plan, family: &[&'a Variant]) -> Vec<(&'a str, Vec<&'a str>)> {
    let point =
        |variant: &&'a Variant| Some((plan.load_of(variant), &variant.sweep.as_ref()?.levels));
    let points: Vec<_> = family.iter().filter_map(point).collect();
    let Some((_, first)) = points.first() else {
        return Vec::new();
    };
    let factors = first.iter().enumerate().map(|(at, level)| {
        let of: Vec<(&Load, &str)> = points
            .iter()
            .filter_map(|(load, levels)| Some((*load, levels.get(at)?.level.as_str())))
            .collect();
        (level.factor.as_str(), of)
    });
    let changes = |of: &[(&Load, &str)]| {
        let same = |(load, level): &(&Load, &str)| {
            of.iter().all(|(other, at)| at == level || other != load)
        };
        of.iter().all(same)
    };
    factors
        .filter(|(_, of)| changes(of))
        .map(|(factor, of)| (factor, each_once(of.into_iter().map(|(_, level)| level))))
        .filter(|(_, levels)| levels.len() > 1)
        .collect()
}

fn each_once<'a>(levels: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut once: Vec<&str> = Vec::new();
    for level in levels {
        if !once.contains(&level) {
            once.push(level);
        }
    }
    once
}

fn listed(names: &[&str]) -> String {
    let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    super::list(&names)
}
