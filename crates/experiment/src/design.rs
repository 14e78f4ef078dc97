//! Which variants are compared with which: a design in which each differs from another by as little as can be.
//!
//! A table of variants that differ in several things at once cannot say which of these made the difference (the
//! confounding that screening designs avoid: Box, Hunter, Hunter, "Statistics for Experimenters", chapter 5). So
//! each variant is tied to one before it, and what lies between the two is tried first where there is such a variant.

use record::{App, Change, Choice, Variant};
use stack::{Composition, Kind, Machine, Part};

/// The entry that runs a command as it is.
const OWN_COMMAND: &str = "command";

/// Puts variants in an order in which each stands behind the one that it differs least from, and says what it changes
/// there. The first stays the first; the order of the others is kept where it can be. Variants of other routes than
/// the first one's change nothing of it and are tied to nothing. A command of the user's is compared as the server that it is
/// `meant` to be, where that is known.
pub fn design(
    variants: &[&Variant],
    app: &App,
    machine: &Machine,
    meant: Option<&Choice>,
) -> Vec<Variant> {
    let compose = |variant: &Variant| machine.compose(variant, app).ok();
    let composed = variants.iter();
    let mut queue: Vec<Made> = composed
        .map(|&variant| Made {
            variant: variant.clone(),
            composition: as_server(variant, meant)
                .as_ref()
                .and_then(compose)
                .or_else(|| compose(variant)),
        })
        .collect();
    let mut placed: Vec<Made> = Vec::new();
    while !queue.is_empty() {
        let at = before(&queue, &placed).unwrap_or(0);
        let mut next = queue.remove(at);
        next.variant.change = nearest(&placed, &next);
        placed.push(next);
    }
    placed.into_iter().map(|made| made.variant).collect()
}

/// The same variant with the server that the user's own command is; none of another variant.
fn as_server(variant: &Variant, meant: Option<&Choice>) -> Option<Variant> {
    let own = variant.server.as_ref()?;
    let meant = meant.filter(|_| own.entry == OWN_COMMAND)?;
    let server = Choice {
        link: own.link,
        ..meant.clone()
    };
    Some(Variant {
        server: Some(server),
        ..variant.clone()
    })
}

/// A variant, and what it means where that can be said.
struct Made {
    variant: Variant,
    composition: Option<Composition>,
}

/// A variant that leads from those that are placed to the next one by one thing at a time, where no placed one does.
fn before(queue: &[Made], placed: &[Made]) -> Option<usize> {
    let things = |change: Option<Change>| change.map_or(0, |change| change.what.len());
    let next = &queue[0];
    if things(nearest(placed, next)) <= 1 {
        return None;
    }
    queue.iter().position(|between| {
        let one = |what: Option<Vec<String>>| what.is_some_and(|what| what.len() == 1);
        one(differences(between, next)) && things(nearest(placed, between)) == 1
    })
}

/// What a variant changes of the one among some that it differs least from, the later of equals. A front end is
/// compared with none rather than with another one.
fn nearest(placed: &[Made], of: &Made) -> Option<Change> {
    let changes = placed.iter().rev().filter_map(|from| {
        let what = differences(from, of)?;
        let (was, is) = (&from.variant.fronts, &of.variant.fronts);
        let swaps = !was.is_empty()
            && !is
                .iter()
                .map(|of| &of.entry)
                .eq(was.iter().map(|of| &of.entry));
        let from = from.variant.name.clone();
        Some((swaps, Change { from, what }))
    });
    let nearest = changes.min_by_key(|(swaps, change)| (change.what.len(), *swaps));
    nearest.map(|(_, change)| change)
}

/// What another variant of the same route has that one has not, each thing in a few words.
fn differences(from: &Made, to: &Made) -> Option<Vec<String>> {
    if from.variant.route != to.variant.route {
        return None;
    }
    let (before, after) = (from.composition.as_ref()?, to.composition.as_ref()?);
    let mut what = fronts(before, after);
    match (before.app_server(), after.app_server()) {
        (Some(old), Some(new)) if old.entry.name == new.entry.name => what.extend(knobs(old, new)),
        (Some(old), Some(new)) => {
            let (is, was) = (name(new, to), name(old, from));
            what.push(format!("`{is}` instead of `{was}`"));
            let known = [old, new].iter().all(|part| part.entry.name != OWN_COMMAND);
            let grown = grows(&to.variant);
            if known && grows(&from.variant).is_some() != grown.is_some() {
                what.push(match grown {
                    None => "one process".to_owned(),
                    Some((_, "cores")) => "a process for each core".to_owned(),
                    Some((knob, formula)) => format!("`{knob}` = {formula}"),
                });
            }
        }
        _ => return None,
    }
    Some(what)
}

/// What a server is called: a command of the user's by its variant, as its entry says nothing.
fn name<'a>(server: &'a Part, of: &'a Made) -> &'a str {
    match server.entry.name.as_str() {
        OWN_COMMAND => &of.variant.name,
        name => name,
    }
}

/// The knob by which a variant's server grows with the machine, and its formula.
fn grows(variant: &Variant) -> Option<(&str, &str)> {
    let mut knobs = variant.server.iter().flat_map(|server| &server.knobs);
    knobs.find_map(|(name, knob)| match knob {
        record::Knob::Text(text) if text.contains("cores") => Some((name.as_str(), text.as_str())),
        _ => None,
    })
}

fn fronts(before: &Composition, after: &Composition) -> Vec<String> {
    let of = |composition: &'_ Composition| -> Vec<Part> {
        let parts = composition.parts.iter();
        let fronts = parts.filter(|part| part.entry.kind == Kind::FrontEnd);
        fronts.cloned().collect()
    };
    let (old, new) = (of(before), of(after));
    let names = |parts: &[Part]| -> Vec<String> {
        let names = parts.iter().map(|part| format!("`{}`", part.entry.name));
        names.collect()
    };
    let (was, is) = (names(&old), names(&new));
    if was == is {
        let pairs = old.iter().zip(&new);
        return pairs.flat_map(|(old, new)| knobs(old, new)).collect();
    }
    vec![match (&was[..], &is[..]) {
        ([], _) => format!("{} in front", is.join(" and ")),
        (_, []) => format!("no {} in front", was.join(" and ")),
        _ => format!(
            "{} instead of {} in front",
            is.join(" and "),
            was.join(" and ")
        ),
    }]
}

/// The knobs of one entry that are set otherwise, and how it is reached and repeated.
fn knobs(old: &Part, new: &Part) -> Vec<String> {
    let knobs = new.knobs.iter().filter_map(|(name, knob)| {
        let before = old.knobs.get(name).filter(|before| *before != knob)?;
        Some(format!("`{name}` {} → {}", value(before), value(knob)))
    });
    let mut what: Vec<String> = knobs.collect();
    if old.spoken != new.spoken {
        let link = |part: &Part| {
            format!(
                "{} over {}",
                part.spoken.protocol.words(),
                part.spoken.transport.name()
            )
        };
        what.push(format!("{} instead of {}", link(new), link(old)));
    }
    if old.instances != new.instances {
        what.push(format!("instances {} → {}", old.instances, new.instances));
    }
    what
}

fn value(knob: &record::Knob) -> String {
    match knob {
        record::Knob::Switch(true) => "on".to_owned(),
        record::Knob::Switch(false) => "off".to_owned(),
        record::Knob::Number(number) => number.to_string(),
        record::Knob::Text(text) => text.clone(),
    }
}

#[cfg(test)]
mod tests;
