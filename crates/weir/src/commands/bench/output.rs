//! Prints the result of one load, writes its files, and says how weir ends.

use std::sync::atomic::Ordering;

use judge::{Doubt, Standing, ThresholdResult};
use record::{Amount, LoadFacts};
use report::bench::{Against, Bench, Explained, Slice};

use super::files::{ndjson, write_hdr, write_one};
use crate::args::{BenchArgs, Format};
use crate::error::Result;
use crate::exit::Exit;
use crate::output::{self, print, print_json, print_lines_of_json};
use crate::session::Session;

/// What there is to tell of one load.
pub(super) struct Results<'a> {
    pub(super) load: &'a LoadFacts,
    /// When its window was to end.
    pub(super) planned: Amount,
    pub(super) slices: &'a [Slice],
    pub(super) standing: Option<&'a Standing>,
    pub(super) against: Option<&'a Against>,
}

pub(super) fn tell(args: &BenchArgs, told: &Results, session: &Session) -> Result<Exit> {
    let &Results {
        load,
        planned,
        slices,
        standing,
        against,
    } = told;
    let doubts = judge::doubts(load);
    let thresholds: Vec<_> = args
        .output
        .thresholds()
        .map(|threshold| threshold.decide(load, &doubts))
        .collect();
    let explained = args.output.explain.then(|| Explained::of(load, standing));
    let bench = Bench {
        url: &args.url,
        load,
        doubts: &doubts,
        thresholds: &thresholds,
        standing,
        slices,
        interrupted: session.interrupted().load(Ordering::Relaxed),
        planned,
        explained: explained.as_ref(),
        against,
    };
    print_in(args, &bench, session)?;
    if let Some(file) = &args.output.hdr {
        write_hdr(file, &[bench])?;
    }
    if let Some(folder) = &args.output.out {
        write_one(folder, &bench)?;
    }
    Ok(exit(&doubts, &thresholds, bench.interrupted))
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
            let width = session.width();
            print(&format!(
                "{}{}{}{}{}{}",
                report::terminal::interrupted(bench, width),
                report::terminal::bench(bench.load, bench.doubts, width),
                bench.standing.map_or_else(String::new, |standing| {
                    report::terminal::standing(standing, width)
                }),
                report::terminal::thresholds(bench.thresholds, width),
                bench
                    .against
                    .map_or_else(String::new, |of| { report::terminal::against(of, width) }),
                bench.explained.map_or_else(String::new, |of| {
                    report::terminal::explain(&of.figures, &[("", &of.held_to)], width)
                })
            ))?;
        }
        Format::Json => print_json(&report::bench::document(bench))?,
        Format::Ndjson => print_lines_of_json(&ndjson(bench)?)?,
        Format::Csv => {
            print(&report::bench::csv(std::slice::from_ref(bench)))?;
            aside(bench.explained, session.width());
        }
        Format::Markdown => print(&report::bench::markdown(bench))?,
    }
    Ok(())
}

/// Ended by the user comes first, then a threshold that the doubts do not touch, then not to be trusted.
pub(super) fn exit(doubts: &[Doubt], thresholds: &[ThresholdResult], interrupted: bool) -> Exit {
    if interrupted {
        Exit::Interrupted
    } else if thresholds.iter().any(ThresholdResult::fails) {
        Exit::Threshold
    } else if doubts.iter().any(|doubt| doubt.disqualifies) {
        Exit::Invalid
    } else {
        Exit::Done
    }
}

/// A table of figures has no place for sentences.
fn aside(explained: Option<&Explained>, width: usize) {
    if let Some(of) = explained {
        let text = report::terminal::explain(&of.figures, &[("", &of.held_to)], width);
        output::aside(&text);
    }
}
