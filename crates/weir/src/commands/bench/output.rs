//! Prints the result of one load, writes its files, and says how weir ends.

use std::fs;
use std::path::Path;
use std::sync::atomic::Ordering;

use judge::{Crossed, Doubt, Gate, Standing};
use record::LoadFacts;
use report::bench::{Bench, Explained, Slice};

use super::slices::{cannot_write, write_hdr};
use crate::args::{BenchArgs, Format};
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::output::{note, print, print_json};
use crate::session::{Session, width};

pub(super) fn tell(
    args: &BenchArgs,
    load: &LoadFacts,
    slices: &[Slice],
    standing: Option<Standing>,
    session: &Session,
) -> Result<Exit> {
    let doubts = judge::doubts(load);
    let gates: Vec<_> = args
        .output
        .thresholds()
        .map(|threshold| threshold.decide(load))
        .collect();
    let standing = standing.as_ref();
    let explained = args.output.explain.then(|| Explained::of(load, standing));
    let bench = Bench {
        url: &args.url,
        load,
        doubts: &doubts,
        gates: &gates,
        standing,
        slices,
        interrupted: session.interrupted().load(Ordering::Relaxed),
        explained: explained.as_ref(),
    };
    print_in(args, &bench, session)?;
    if let Some(file) = &args.output.hdr {
        write_hdr(file, slices, load)?;
    }
    if let Some(folder) = &args.output.out {
        write_all(folder, &bench)?;
    }
    Ok(exit(&doubts, &gates, bench.interrupted))
}

/// Whether anything that was asked for tells the window in pieces.
pub(super) fn wants_slices(args: &BenchArgs) -> bool {
    let of = &args.output;
    of.format == Some(Format::Ndjson) || of.hdr.is_some() || of.out.is_some()
}

/// The format that was asked for.
pub(super) fn format(args: &BenchArgs, session: &Session) -> Format {
    let short = if session.json() {
        Format::Json
    } else {
        Format::Text
    };
    args.output.format.unwrap_or(short)
}

fn print_in(args: &BenchArgs, bench: &Bench, session: &Session) -> Result<()> {
    match format(args, session) {
        Format::Text => {
            let width = width();
            print(&format!(
                "{}{}{}{}",
                report::terminal::bench(bench.load, bench.doubts, width),
                bench.standing.map_or_else(String::new, |standing| {
                    report::terminal::standing(standing, width)
                }),
                report::terminal::gates(bench.gates, width),
                bench.explained.map_or_else(String::new, |of| {
                    report::terminal::explain(&of.figures, &[("", &of.held_to)], width)
                })
            ))?;
        }
        Format::Json => print_json(&report::bench::document(bench))?,
        Format::Ndjson => print(&ndjson(bench)?)?,
        Format::Csv => {
            print(&report::bench::csv(std::slice::from_ref(bench)))?;
            aside(bench.explained, width());
        }
        Format::Markdown => print(&report::bench::markdown(bench))?,
    }
    Ok(())
}

fn ndjson(bench: &Bench) -> Result<String> {
    report::bench::ndjson(bench).map_err(|error| Error::new(Exit::Internal, error.to_string()))
}

fn write_all(folder: &Path, bench: &Bench) -> Result<()> {
    fs::create_dir_all(folder).map_err(|error| cannot_write(folder, &error))?;
    let document = serde_json::to_string_pretty(&report::bench::document(bench))
        .map_err(|error| Error::new(Exit::Internal, error.to_string()))?;
    for (name, text) in [
        ("run.json", document),
        ("intervals.ndjson", ndjson(bench)?),
        ("report.html", report::bench::page(bench)),
    ] {
        let path = folder.join(name);
        fs::write(&path, text).map_err(|error| cannot_write(&path, &error))?;
    }
    write_hdr(&folder.join("times.hdr"), bench.slices, bench.load)
}

/// Ended by the user comes before not to be trusted, and that before a threshold: one that was
/// decided by untrustworthy figures says nothing.
pub(super) fn exit(doubts: &[Doubt], gates: &[Gate], interrupted: bool) -> Exit {
    if interrupted {
        Exit::Interrupted
    } else if doubts.iter().any(|doubt| doubt.disqualifies) {
        Exit::Invalid
    } else if gates.iter().any(|gate| gate.crossed != Crossed::No) {
        Exit::Threshold
    } else {
        Exit::Done
    }
}

/// A table of figures has no place for sentences.
fn aside(explained: Option<&Explained>, width: usize) {
    if let Some(of) = explained {
        let text = report::terminal::explain(&of.figures, &[("", &of.held_to)], width);
        note(&text);
    }
}
