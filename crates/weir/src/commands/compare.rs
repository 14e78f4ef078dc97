//! `weir compare`: two runs, or two variants, side by side.

mod unnamed;

use judge::{CompareError, Guarded, Verdict};
use record::Run;
use report::load::Against;
use report::terminal::Compared;
use report::words;
use store::Store;

use super::bench::kept_load;
use crate::args::{CompareArgs, Side};
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::invocation::{Invocation, named};
use crate::output::{note, print, print_json};

pub(crate) fn run(args: &CompareArgs, invocation: &Invocation) -> Result<Exit> {
    let store = invocation.store_to_read()?;
    let (Some(first), Some(second)) = (&args.of, &args.over) else {
        return unnamed::refuse(args.of.as_ref(), &store);
    };
    let read = |side: &Side| -> Result<_> {
        let run = named(&store, side.run)?;
        let trials = store.trials(run.id)?;
        Ok((run, trials))
    };
    let (of_run, of_trials) = read(first)?;
    let (over_run, over_trials) = read(second)?;
    if of_run.plan.one_load().is_some() && over_run.plan.one_load().is_some() {
        for (run, side) in [(&of_run, first), (&over_run, second)] {
            if let Some(name) = &side.variant {
                judge::check_variant(run, name)?;
            }
        }
        is_no_verdict(args)?;
        return one_load_each(&of_run, &over_run, &store, invocation);
    }
    let of: judge::Side = (&of_run, &of_trials, first.variant.as_deref());
    let over: judge::Side = (&over_run, &over_trials, second.variant.as_deref());
    let comparisons = judge::compare(of, over).map_err(|error| refused(error, args))?;
    for left in judge::left_out(of, over, &comparisons)? {
        note(format!("note: {left}"));
    }
    let differences = judge::differences(&of_run, &over_run);
    if let Some(care) = words::with_care(&differences) {
        note(format!("note: {care}"));
    }
    let compared = comparisons.iter().map(|comparison| {
        let [of_commit, over_commit] = judge::commits(&of_run, &over_run, comparison);
        Compared {
            comparison,
            of_commit,
            over_commit,
            differences: &differences,
        }
    });
    let compared: Vec<Compared> = compared.collect();
    if invocation.json() {
        print_json(&compared)?;
    } else {
        let (runs, width) = (Some([&of_run, &over_run]), invocation.width());
        print(&report::terminal::compare(&compared, runs, width))?;
    }
    let guarded = judge::guarded(of, over, &args.fail_if_worse, &comparisons)?;
    hold(&guarded, &of_run, args.fail_if_undecided)
}

/// What cannot be compared: where something must not be worse, it could not be checked.
fn refused(error: CompareError, args: &CompareArgs) -> Error {
    let unchecked = matches!(error, CompareError::NothingCounts { .. });
    let error = Error::from(error);
    if unchecked && !args.fail_if_worse.is_empty() {
        return error.ends(Exit::Threshold);
    }
    error
}

/// Ends with an error where a metric that must not be worse is, or could not be looked at; where that cannot be told,
/// only if it is asked to.
fn hold(all: &[Guarded], run: &Run, strict: bool) -> Result<Exit> {
    let is_open = |of: &&Guarded| of.verdict() == Some(Verdict::CannotTell);
    let fails = |of: &&Guarded| match of.verdict() {
        Some(Verdict::Worse) | None => true,
        Some(Verdict::CannotTell) => strict,
        Some(Verdict::Better | Verdict::Same) => false,
    };
    if !strict {
        for of in all.iter().filter(is_open) {
            note(format!("note: {}", told(of)));
        }
    }
    let failed: Vec<&Guarded> = all.iter().filter(fails).collect();
    if failed.is_empty() {
        return Ok(Exit::Done);
    }
    let lines: Vec<String> = failed.iter().map(|of| told(of)).collect();
    Err(Error::new(Exit::Threshold, lines.join("\n")).hint(next(&failed, run)))
}

/// What to type next where some of a run's metrics may be worse, or could not be looked at.
fn next(failed: &[&Guarded], run: &Run) -> String {
    let id = run.id;
    if failed.iter().any(|of| of.verdict() == Some(Verdict::Worse)) {
        return format!("`weir explain {id}` says where the time of its variants goes");
    }
    let unknown = failed.iter().any(|of| of.verdict().is_none());
    let first = failed.iter().find_map(|of| of.compared.as_ref().ok());
    match first.filter(|_| !unknown) {
        Some(first) => words::to_decide(first, run),
        None => format!("`weir show {id}` says which of its trials count, and why others do not"),
    }
}

/// What became of a metric that must not be worse, in one line.
fn told(of: &Guarded) -> String {
    let (metric, first, second) = (of.metric.name(), &of.of, &of.over);
    match &of.compared {
        Ok(found) => {
            let ratio = words::ratio(found);
            let pair = format!("{metric} of `{first}` is worse than that of `{second}`");
            if found.verdict == Verdict::Worse {
                format!("{pair}: {ratio}")
            } else {
                format!("it cannot be told whether {pair}: {ratio}")
            }
        }
        Err(why) => format!("{metric} of `{first}` and `{second}` could not be compared: {why}"),
    }
}

/// Of two loads that did not take turns nothing is a verdict.
fn is_no_verdict(args: &CompareArgs) -> Result<()> {
    if args.fail_if_worse.is_empty() {
        return Ok(());
    }
    let message =
        "two loads of `weir bench` did not take turns, so nothing of them is surely worse";
    let hint = "`weir run` loads both in turn, by a plan with a `[[variant]]` for each `url` (`weir compare --help` has one); \
                `weir bench --fail-if` holds one load to limits";
    Err(Error::new(Exit::Usage, message).hint(hint.to_owned()))
}

/// Two loads of `weir bench`: what can be said of them without blocks.
fn one_load_each(of: &Run, over: &Run, store: &Store, invocation: &Invocation) -> Result<Exit> {
    let loads = (kept_load(of, store)?, kept_load(over, store)?);
    let (Some(load), Some(earlier)) = loads else {
        let message = "one of the two runs has no figures: its load failed";
        return Err(Error::new(Exit::Invalid, message).hint("`weir list` shows others".to_owned()));
    };
    for left in judge::left_out_of_loads((of.id, &load), (over.id, &earlier)) {
        note(format!("note: {left}"));
    }
    let against = Against {
        run: over.id,
        started: over.started,
        figures: judge::against(&load, &earlier),
        differences: judge::differences(of, over),
    };
    if invocation.json() {
        print_json(&against)?;
    } else {
        let (name, width) = (format!("run {}", of.id), invocation.width());
        print(&report::terminal::against(&against, &name, width))?;
    }
    Ok(Exit::Done)
}
