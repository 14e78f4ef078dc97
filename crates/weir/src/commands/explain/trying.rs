//! Follows an advice: the variant with it and without, measured in turn.

use judge::Finding;
use record::{App, Change, Load, Metric, Plan, Run, Setting, Shape, Variant};
use report::terminal::{self, Advised};
use report::view::Explained;
use stack::Machine;

use crate::args::ExplainArgs;
use crate::commands::run::has_results;
use crate::error::{Error, Exit, Result};
use crate::invocation::Invocation;

/// Fewest and most blocks; most comparisons are decided before the last.
const BLOCKS: (u32, u32) = (4, 10);

pub(crate) fn run(
    run: &Run,
    said: &[Explained],
    args: &ExplainArgs,
    invocation: &mut Invocation,
) -> Result<Exit> {
    let (name, finding, change) = first(run, said)?;
    let load = run.plan.variant(name).map(|of| run.plan.load_of(of));
    let metric = tells(load.unwrap_or(&run.plan.load), change);
    let plan = plan(run, name, change, metric, &invocation.machine()?)?;
    let front = added_front(&plan);
    let mut store = invocation.store()?;
    let tried = crate::commands::run::begin(&plan, invocation, &mut store)?;
    let mut progress = invocation.progress();
    let ended = match crate::commands::run::go(
        &tried,
        args.time.budget.into(),
        &mut store,
        invocation,
        &args.start,
        &mut progress,
    ) {
        Err(error) if !has_results(tried.id, false, &store) => return Err(error),
        ended => ended, // what there is, before it is said that it is not all
    };
    let tried = store.run(tried.id)?;
    let trials = store.trials(tried.id)?;
    let with = plan.variants.last().map(|of| of.name.as_str());
    let all = judge::compare((&tried, &trials, with), (&tried, &trials, Some(name)));
    let measured = all.ok().and_then(|all| {
        let mut all = all.into_iter();
        all.find(|of| of.metric == metric)
    });
    let advised = Advised {
        run: tried.id,
        variant: name.to_owned(),
        finding: finding.kind,
        next: finding.next.clone(),
        change: change.clone(),
        front,
        gain: finding.gain,
        known: finding.measured.clone(),
        measured,
    };
    let shown = invocation.show(&advised, || terminal::advised(&advised, invocation.width()))?;
    ended?;
    Ok(if advised.measured.is_some() {
        shown
    } else {
        Exit::Invalid
    })
}

/// The first advice about each variant that weir can follow: a number in a plan.
pub(super) fn advice<'a>(
    said: &'a [Explained],
) -> impl Iterator<Item = (&'a str, &'a Finding, &'a Setting)> {
    said.iter().filter_map(|of| {
        let mut findings = of.findings.iter().map(|found| &found.finding);
        findings.find_map(|finding| Some((of.variant, finding, finding.change.as_ref()?)))
    })
}

/// The first advice about a variant that weir can follow. Without a name it is about the only variant that has one.
fn first<'a>(run: &Run, said: &'a [Explained]) -> Result<(&'a str, &'a Finding, &'a Setting)> {
    let all: Vec<_> = advice(said).collect();
    match all[..] {
        [one] => Ok(one),
        [(name, ..), ..] => {
            let message = format!("there is advice about several variants of run {}", run.id);
            let hint = format!("name one: `weir explain {}:{name} --try`", run.id);
            Err(Error::new(Exit::Usage, message).hint(hint))
        }
        [] => {
            let message = format!(
                "nothing that is advised for run {} is a number in a plan, which weir could change",
                run.id
            );
            let hint = format!("`weir explain {}` says what to do by hand", run.id);
            Err(Error::new(Exit::Invalid, message).hint(hint))
        }
    }
}

/// The front end that only the variant with the advice has.
fn added_front(plan: &Plan) -> Option<String> {
    let [before, after] = &plan.variants[..] else {
        return None;
    };
    let added = after.fronts.first();
    added
        .filter(|_| before.fronts.is_empty())
        .map(|front| front.entry.clone())
}

/// The variant; with a front end before it, where it has several instances and nobody who divides requests among them.
fn divided(variant: Variant, app: &App, machine: &Machine) -> Result<Variant> {
    let several = variant.server.as_ref().is_some_and(|of| of.instances > 1);
    if !several || !variant.fronts.is_empty() {
        return Ok(variant);
    }
    experiment::behind_a_front(&variant, app, machine).ok_or_else(|| {
        let message = format!(
            "several instances of `{}` need a front end, and none that could stand before it is installed",
            variant.name
        );
        Error::new(Exit::Missing, message).hint("`weir doctor` says how to install one".to_owned())
    })
}

/// What tells whether a change brings something. What is asked at a rate, or by users who think, is answered as often without
/// it: sooner, if the change is a good one.
fn tells(load: &Load, change: &Setting) -> Metric {
    let thinks = matches!(load.shape, Shape::Closed { think, .. } if think > 0.0);
    // more users ask for more
    let asks_for_more = change.key.starts_with("load.");
    if load.is_open() || (thinks && !asks_for_more) {
        Metric::Mean
    } else {
        Metric::Throughput
    }
}

/// The plan of the variant as it was, and with the change.
fn plan(
    run: &Run,
    name: &str,
    change: &Setting,
    metric: Metric,
    machine: &Machine,
) -> Result<Plan> {
    let cannot = || {
        let message = format!("`{change}` cannot be set for `{name}` by itself");
        let hint = "write a plan with both (`weir help plan`), and `weir run` it".to_owned();
        Error::new(Exit::Invalid, message).hint(hint)
    };
    let before = run.plan.variant(name).ok_or_else(cannot)?;
    let before = Variant {
        sweep: None,
        change: None,
        ..before.clone()
    };
    let mut after = before.clone();
    if !after.set(change, &run.plan.load) {
        return Err(cannot());
    }
    let divided = divided(after, run.plan.app_of(&before), machine)?;
    let after = Variant {
        name: format!("{name}-advised"),
        title: format!("{}, {change}", divided.title),
        change: Some(Change {
            from: name.to_owned(),
            what: vec![change.to_string()],
        }),
        ..divided
    };
    let (least, most) = BLOCKS;
    let what = metric.name();
    let better = if metric.larger_is_better() {
        "> 1.03"
    } else {
        "< 0.97"
    };
    let asked = format!("{what} of `{}` / {what} of `{name}` {better}", after.name);
    let mut plan = Plan {
        title: format!("What is advised for `{name}` of run {}", run.id),
        baseline: name.to_owned(),
        variants: vec![before, after],
        blocks: most,
        at_least: Some(least),
        slice: experiment::SLICE,
        ..run.plan.unasked()
    };
    // as soon as this is decided, it is enough
    experiment::require(&mut plan, &asked)?;
    Ok(plan)
}

#[cfg(test)]
mod tests {
    use record::{Arrivals, Process, Spread};

    use super::*;

    #[test]
    fn what_is_asked_as_often_with_a_change_as_without_tells_by_its_times() {
        let told = |shape: &Shape, key: &str| {
            let load = Load {
                shape: shape.clone(),
                ..Load::default()
            };
            let change = Setting {
                key: key.to_owned(),
                value: 2,
            };
            tells(&load, &change)
        };
        let [busy, thinks] = [0.0, 1.0].map(|think| Shape::Closed {
            think,
            spread: Spread::Fixed,
        });
        let rate = Shape::Open(Arrivals {
            process: Process::Poisson,
            segments: Arrivals::steady(100.0),
            max_outstanding: 100,
            seed: 1,
        });
        let (workers, clients) = ("server.workers", "load.connections");
        assert_eq!(told(&busy, workers), Metric::Throughput);
        assert_eq!(told(&thinks, workers), Metric::Mean);
        assert_eq!(told(&thinks, clients), Metric::Throughput);
        assert_eq!(told(&rate, workers), Metric::Mean);
        assert_eq!(told(&rate, clients), Metric::Mean);
    }
}
