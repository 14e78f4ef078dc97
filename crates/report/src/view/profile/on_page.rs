//! Profiles on a page: a flame graph of each variant, how two of them differ, and files for other tools.

use minijinja::Environment;
use serde::Serialize;

use super::{called, differing, headline, how, points, profiled, share, threads, waits};
use crate::html::{Download, Drawn, Room, drawn};
use crate::profile::{Changes, Flames, Folded, Profiled, Shares, pprof, speedscope};
use crate::{JudgedRun, units};

/// Functions that a page names of a variant, and of a difference.
const FUNCTIONS: usize = 10;

#[derive(Serialize)]
struct Said {
    variants: Vec<Variant>,
    difference: Option<Difference>,
}

#[derive(Serialize)]
struct Variant {
    name: String,
    headline: String,
    how: String,
    waits: Option<String>,
    threads: Option<String>,
    /// Whose, on whose behalf, and of its own.
    classes: Vec<[String; 3]>,
    /// Its own share, that with what it calls, whose it is, and its name.
    functions: Vec<[String; 4]>,
    flames: Option<Flames>,
    files: Vec<Download>,
    hint: Option<String>,
}

/// How a variant differs from another one.
#[derive(Serialize)]
struct Difference {
    name: String,
    against: String,
    headline: String,
    flames: Flames,
    /// Its own share in the other one, and in this one, the difference in points, and its name.
    functions: Vec<[String; 4]>,
    hint: Option<String>,
}

impl Variant {
    fn new(of: &JudgedRun, profiled: &Profiled, room: &mut Room) -> Self {
        let shares = Shares::of(profiled);
        let classes = shares
            .classes
            .iter()
            .map(|of| [of.class.name().to_owned(), share(&of.share), share(&of.own)]);
        let functions = shares.functions.iter().take(FUNCTIONS).map(|of| {
            [
                units::percent(of.own),
                units::percent(of.with_callees),
                of.class.name().to_owned(),
                of.function.clone(),
            ]
        });
        let has_stacks = !profiled.stacks.is_empty();
        let files = if has_stacks {
            files(profiled, room)
        } else {
            Vec::new()
        };
        let hint = called(of, &profiled.name).filter(|_| has_stacks);
        let hint = hint.map(|which| {
            format!(
                "`weir profile {which} --out DIR` writes such files, and an interactive flame graph"
            )
        });
        Self {
            headline: headline(&shares),
            how: how(&shares),
            waits: waits(&shares),
            threads: threads(&shares),
            classes: classes.collect(),
            functions: functions.collect(),
            flames: Flames::of(profiled),
            name: shares.name,
            files,
            hint,
        }
    }
}

/// Those for speedscope and pprof, as far as the page has room for them.
fn files(profiled: &Profiled, room: &mut Room) -> Vec<Download> {
    let name = |end: &str| format!("{}.{end}", profiled.name);
    let scope = room.json(&name("speedscope.json"), &speedscope(profiled));
    let packed = pprof(profiled).ok();
    let packed = packed.and_then(|bytes| room.packed(&name("pb.gz"), &bytes));
    scope.into_iter().chain(packed).collect()
}

/// How two variants differ, where just two were profiled: the other one from the baseline. Of more, each pair may be of interest.
fn difference(of: &JudgedRun, profiled: &[Profiled]) -> Option<Difference> {
    let [one, other] = profiled else {
        return None;
    };
    let (earlier, later) = if other.name == of.run.plan.baseline {
        (other, one)
    } else {
        (one, other)
    };
    let flames = Flames::between(earlier, later)?;
    let changes = Changes::of(&Folded::of(earlier), &Folded::of(later));
    let functions = changes.functions.iter().take(FUNCTIONS).map(|of| {
        let [before, now] = of.shares.map(units::percent);
        let points = points(of.difference, of.interval);
        [before, now, points, of.function.clone()]
    });
    let hint = called(of, &later.name).zip(called(of, &earlier.name));
    let hint = hint.map(|(later, earlier)| {
        format!("`weir profile {later} --diff {earlier} --out DIR` writes it as an interactive flame graph")
    });
    Some(Difference {
        name: later.name.clone(),
        against: earlier.name.clone(),
        headline: differing(&changes),
        flames,
        functions: functions.collect(),
        hint,
    })
}

pub(crate) fn page(environment: &Environment, of: &JudgedRun) -> Drawn {
    let profiled = profiled(of);
    let mut room = Room::new();
    let variants = profiled.iter();
    let variants = variants.map(|one| Variant::new(of, one, &mut room));
    let said = (!profiled.is_empty()).then(|| Said {
        variants: variants.collect(),
        difference: difference(of, &profiled),
    });
    drawn(environment, include_str!("../../html/profile.html"), said)
}
