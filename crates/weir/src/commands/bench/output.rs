//! Prints what came of the loads, writes its files, and says how weir ends.

use std::collections::BTreeSet;
use std::path::Path;

use experiment::Found;
use judge::{Crossed, ThresholdResult};
use record::{Cause, LoadFacts, RunStatus, Stretch};
use report::load::{Extras, Loaded, csv, ndjson};
use report::{JudgedRun, terminal, words};

use super::thresholds::thresholds;
use crate::args::{BenchArgs, Format};
use crate::commands::report::write as write_report;
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::files;
use crate::invocation::Invocation;
use crate::output::{aside, note, print, print_json, print_lines_of_json};

/// Whether anything that was asked for tells a window in pieces.
pub(super) fn wants_slices(args: &BenchArgs) -> bool {
    let of = &args.output;
    of.format == Some(Format::Ndjson) || of.hdr.is_some() || of.out.is_some()
}

/// The format that was asked for.
pub(super) fn format(args: &BenchArgs, invocation: &Invocation) -> Format {
    let short = if invocation.json() {
        Format::Json
    } else {
        Format::Text
    };
    args.output.format.unwrap_or(short)
}

/// What is decided of the loads: thresholds, and how many machines a demand needs; with what was noticed meanwhile.
pub(super) fn decided(args: &BenchArgs, found: &Found, mut notes: Vec<String>) -> Extras {
    let cut = found.cut.as_ref();
    notes.extend(cut.map(|error| format!("cut short by an error: {error}")));
    let reached = judge::judge(&found.run, &found.trials).reached;
    let demand = args.points.demand();
    let holds = reached.as_ref().and_then(|reached| reached.holds);
    if let (Some(demand), None) = (&demand, holds) {
        let known = match reached.as_ref().and_then(|of| of.limit.as_ref()) {
            Some(_) => "no rate is known to hold",
            None => "no rate holds",
        };
        notes.push(format!(
            "{known}, so that nothing can be said of the machines that `{}` needs",
            demand.text
        ));
    }
    let machines = demand.zip(holds).map(|(demand, each)| {
        let misses = reached.as_ref().and_then(|reached| reached.misses);
        judge::machines(&demand, each, misses)
    });
    Extras {
        thresholds: thresholds(args, found, holds),
        explain: args.output.explain,
        machines,
        notes,
        ..Extras::default()
    }
}

/// Prints it, writes its files, and says how weir ends; `cut` is the error that cut it short.
pub(super) fn tell(
    args: &BenchArgs,
    of: &JudgedRun,
    cut: Option<&Error>,
    invocation: &Invocation,
) -> Result<Exit> {
    if let Some(error) = cut {
        note(error.to_string());
    }
    let loads = of.all_loads();
    let width = invocation.width();
    match format(args, invocation) {
        Format::Text => print(&terminal::of_url(of, false, width).unwrap_or_default())?,
        Format::Json => print_json(&report::json::export(of))?,
        Format::Ndjson => print_lines_of_json(&lines(of)?)?,
        Format::Csv => {
            print(&csv(&loads))?;
            // a table of figures has no place for sentences
            of.machines().iter().for_each(note);
            aside(&terminal::explained(of, width));
        }
        Format::Markdown => print(&of.markdown())?,
    }
    if let Some(file) = &args.output.hdr {
        write_hdr(file, &loads)?;
    }
    if let Some(folder) = &args.output.out {
        write_all(folder, of, &loads)?;
    }
    let exit = exit(of, &loads, cut);
    if let Some(why) = why(of, &loads, exit).filter(|_| cut.is_none()) {
        note(format!("exit code {}: {why}", exit.code()));
    }
    Ok(exit)
}

/// Looks before any load whether its files can be written: a load that takes long is not to be lost to a slip.
pub(super) fn check(args: &BenchArgs) -> Result<()> {
    if let Some(file) = &args.output.hdr {
        files::can_write(file).map_err(|error| cannot_write(file, &error))?;
    }
    if let Some(folder) = &args.output.out {
        files::can_fill(folder).map_err(|error| cannot_write(folder, &error))?;
    }
    Ok(())
}

/// Ended by the user comes first, then an error, then a threshold that the doubts do not touch, and a goal that holds at no
/// rate. A threshold that a doubt touches says nothing, and neither do loads that are all doubted; where this machine ran out of
/// something, it is that.
fn exit(of: &JudgedRun, loads: &[Loaded], cut: Option<&Error>) -> Exit {
    let thresholds = || loads.iter().flat_map(|of| of.thresholds);
    let reached = of.judged.reached.as_ref();
    let unheld = reached.filter(|of| of.holds.is_none());
    if of.run.status == RunStatus::Stopped {
        Exit::Interrupted
    } else if let Some(error) = cut {
        error.exit()
    } else if thresholds().any(ThresholdResult::fails) {
        Exit::Threshold
    } else if loads.iter().all(Loaded::is_doubted) && loads.iter().any(|of| ran_out(of.load)) {
        Exit::Machine
    } else if unheld.is_some_and(|of| of.limit.is_none()) {
        Exit::Threshold
    } else if unheld.is_some()
        || loads.iter().all(Loaded::is_doubted)
        || thresholds().any(|result| result.crossed != Crossed::No)
    {
        Exit::Invalid
    } else {
        Exit::Done
    }
}

/// What became of the thresholds that fail.
fn missed<'a>(all: impl Iterator<Item = &'a ThresholdResult>) -> &'static str {
    let of: Vec<Crossed> = all.filter(|of| of.fails()).map(|of| of.crossed).collect();
    if of.iter().all(|crossed| *crossed == Crossed::Yes) {
        "crossed"
    } else if of.contains(&Crossed::Yes) {
        "crossed, or not known to be kept"
    } else {
        "not known to be kept"
    }
}

/// Why it does not end with 0; nothing where the user knows, and where an error was told.
fn why(of: &JudgedRun, loads: &[Loaded], exit: Exit) -> Option<String> {
    let thresholds = loads.iter().flat_map(|of| of.thresholds);
    let open = |counts: bool| -> BTreeSet<String> {
        let open = thresholds.clone().filter(|of| of.crossed != Crossed::No);
        let open = open.filter(|of| of.counts == counts);
        open.map(|of| format!("`{}`", of.text)).collect()
    };
    let listed = |texts: BTreeSet<String>| words::list(&texts.into_iter().collect::<Vec<_>>());
    match exit {
        Exit::Threshold if open(true).is_empty() => {
            Some("no rate that was tried keeps to the goals".to_owned())
        }
        Exit::Threshold => Some(format!(
            "{}: {}",
            listed(open(true)),
            missed(thresholds.clone())
        )),
        Exit::Machine => Some("this machine ran out of ports or descriptors".to_owned()),
        Exit::Invalid if !loads.iter().all(Loaded::is_doubted) && open(false).is_empty() => Some(
            "no rate is known to keep to the goals: what would say so cannot be trusted".to_owned(),
        ),
        Exit::Invalid if !loads.iter().all(Loaded::is_doubted) => Some(format!(
            "{}: the figures that this is about cannot be trusted",
            listed(open(false))
        )),
        Exit::Invalid => Some(untrusted(of, loads)),
        _ => None,
    }
}

/// What is wrong with loads that are all doubted: of one load its first reason, of several how many they are.
fn untrusted(of: &JudgedRun, loads: &[Loaded]) -> String {
    let mut doubts = loads.iter().flat_map(|of| of.doubts);
    let first = doubts.find(|doubt| doubt.disqualifies);
    let because = first.map_or_else(String::new, |doubt| {
        let title = doubt.kind.rule().title(true);
        format!(": {title}: {}", doubt.because)
    });
    match of.run.plan.search {
        None if loads.len() == 1 => format!("these figures cannot be trusted{because}"),
        _ => format!("none of the {} loads can be trusted{because}", loads.len()),
    }
}

/// Whether most of what failed did so as this machine had no more ports or descriptors.
fn ran_out(load: &LoadFacts) -> bool {
    let ours = load.failed.get(&Cause::Exhausted).copied().unwrap_or(0);
    ours * 2 > load.failures() + load.timed_out
}

fn lines(of: &JudgedRun) -> Result<String> {
    ndjson(of).map_err(|error| Error::new(Exit::Internal, error.to_string()))
}

/// The files of `--out`: those of any run, and the windows in pieces.
fn write_all(folder: &Path, of: &JudgedRun, loads: &[Loaded]) -> Result<()> {
    write_report(of, folder, Exit::Usage)?;
    let path = folder.join("intervals.ndjson");
    files::write(&path, &lines(of)?).map_err(|error| cannot_write(&path, &error))?;
    write_hdr(&folder.join("times.hdr"), loads)
}

/// Writes the response times piece by piece and the service times as a whole; those of several loads one
/// after the other, with the load's number in their tags.
fn write_hdr(path: &Path, loads: &[Loaded]) -> Result<()> {
    let tags: Vec<_> = (1..=loads.len())
        .map(|number| match loads.len() {
            1 => ["response".to_owned(), "service".to_owned()],
            _ => [format!("response-{number}"), format!("service-{number}")],
        })
        .collect();
    let mut stretches = Vec::new();
    let mut begun = 0.0;
    for (of, [response, service]) in loads.iter().zip(&tags) {
        stretches.extend(of.slices.iter().map(|slice| Stretch {
            name: response,
            from: begun + slice.from,
            length: slice.until - slice.from,
            times: &slice.response,
        }));
        stretches.push(Stretch {
            name: service,
            from: begun,
            length: of.load.seconds,
            times: &of.load.service,
        });
        begun += of.load.seconds;
    }
    let mut text = Vec::new();
    record::interval_log(&mut text, &stretches)
        .and_then(|()| files::write_bytes(path, &text))
        .map_err(|error| cannot_write(path, &error))
}

pub(super) fn cannot_write(path: &Path, error: &std::io::Error) -> Error {
    let what = format!("`{}`", path.display());
    Error::unwritten(
        &what,
        error,
        Exit::Usage,
        "name a place that you may write to",
    )
}
