//! Loads one after the other: they run, progress is told, and what came of them is printed, however
//! early the user ends them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use judge::{Crossed, Doubt, Threshold, ThresholdResult};
use load::{Event, Job, LoadError};
use record::{Load, LoadFacts, Sweep as Levels, Timestamp};
use report::bench::{Bench, Document, Explained, Loads, Slice, Survey, Sweep, document};
use report::terminal::SurveyPoint;
use report::words::{Computed, computed_columns};

use super::files;
use super::keep::{Kept, keep};
use super::slices::Slices;
use crate::args::{BenchArgs, Format};
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::output::{aside, note, print, print_json, print_lines_of_json};
use crate::progress::Progress;
use crate::session::Session;

/// One load and what is thought of it.
pub(super) struct Point {
    pub(super) load: LoadFacts,
    planned: Load,
    started: Timestamp,
    doubts: Vec<Doubt>,
    thresholds: Vec<ThresholdResult>,
    explained: Option<Explained>,
    slices: Vec<Slice>,
}

/// The loads so far.
pub(super) struct Points<'a> {
    args: &'a BenchArgs,
    job: &'a Job,
    session: &'a Session,
    progress: Progress,
    pub(super) done: Vec<Point>,
    /// Why there are no more.
    cut: Option<Error>,
}

/// How they are told.
pub(super) struct Summary<'a> {
    pub(super) verdict: String,
    /// What each point is called.
    pub(super) names: Vec<String>,
    /// What the names mean.
    pub(super) legend: &'a str,
    pub(super) notes: &'a [String],
    /// How the verdict came about.
    pub(super) computed: Vec<Computed>,
    /// What each point is called in the store, and where it stands there in a sweep.
    pub(super) kept_as: Vec<(String, Option<Levels>)>,
}

/// All of them as one document.
#[derive(serde::Serialize)]
#[serde(untagged)]
pub(super) enum Whole<'b> {
    Survey(Survey<'b>),
    Sweep(Sweep<'b>),
}

impl<'a> Points<'a> {
    pub(super) fn new(args: &'a BenchArgs, job: &'a Job, session: &'a Session) -> Self {
        Self {
            args,
            job,
            session,
            progress: session.progress(),
            done: Vec::new(),
            cut: None,
        }
    }

    /// Runs one more load; nothing if there are to be no more. Thresholds apply where they are asked
    /// to be `gated`.
    pub(super) fn apply(&mut self, job: &Job, gated: bool) -> Option<&LoadFacts> {
        self.apply_until(None, job, gated)
    }

    /// The same, ended at that moment with what there is by then, if there is anything.
    pub(super) fn apply_until(
        &mut self,
        moment: Option<Instant>,
        job: &Job,
        gated: bool,
    ) -> Option<&LoadFacts> {
        if self.interrupted() || self.cut.is_some() {
            return None;
        }
        let (progress, interrupted) = (&mut self.progress, self.session.interrupted());
        let thresholds: Vec<_> = self.args.output.thresholds().filter(|_| gated).collect();
        let mut job = job.clone();
        job.may_break = thresholds.iter().any(|of| of.is_about_errors());
        let of = &self.args.output;
        let mut slices = Slices::new(of.hdr.is_some() || of.out.is_some());
        let stop = AtomicBool::new(false);
        let started = record::now();
        let ended = experiment::observed_load(&job, &stop, &mut |event| {
            let late = moment.is_some_and(|moment| Instant::now() >= moment);
            if late || interrupted.load(Ordering::Relaxed) {
                stop.store(true, Ordering::Relaxed);
            }
            if let Event::Tick(tick) = &event {
                slices.tick(tick);
            }
            progress.load(&event);
        });
        // One that was ended before its first answer is no point.
        let ended = ended.and_then(|load| match load.completed {
            0 if stop.load(Ordering::Relaxed) => Err(LoadError::Interrupted),
            _ => load::unreachable(&job, &load).map_or(Ok(load), Err),
        });
        match ended {
            Ok(load) => {
                let slices = slices.end(&load);
                let planned = (job.load.clone(), started);
                let point = Point::new(load, planned, slices, &thresholds, of.explain);
                self.done.push(point);
                self.done.last().map(|point| &point.load)
            }
            Err(LoadError::Interrupted) if !self.done.is_empty() || !self.interrupted() => None,
            Err(error) => {
                self.cut = Some(error.into());
                None
            }
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.done.is_empty() && self.cut.is_none()
    }

    pub(super) fn interrupted(&self) -> bool {
        self.session.interrupted().load(Ordering::Relaxed)
    }

    /// Prints them, the JSON document as `whole` makes it of theirs, and says how weir ends.
    pub(super) fn tell(
        mut self,
        mut summary: Summary,
        whole: impl for<'b> Fn(&'b str, Vec<Document<'b>>) -> Whole<'b>,
    ) -> Result<Exit> {
        self.progress.end();
        if self.done.is_empty()
            && let Some(error) = self.cut.take()
        {
            return Err(error);
        }
        let bad = self.done.iter().filter(|point| point.is_bad()).count();
        let doubted = format!("; {bad} of {} loads are doubted", self.done.len());
        if let Some(error) = &self.cut {
            note(error.to_string());
        }
        for (so, words) in [
            (bad > 0, doubted.as_str()),
            (self.interrupted(), "; ended by you before it was over"),
            (self.cut.is_some(), "; cut short by an error"),
        ] {
            summary.verdict.push_str(if so { words } else { "" });
        }
        self.keep(&summary);
        self.print(&summary, &whole)?;
        self.write(&summary, &whole)?;
        Ok(self.exit())
    }

    fn keep(&self, summary: &Summary) {
        let points = self.done.iter().zip(&summary.kept_as);
        let kept = points.map(|(point, (name, sweep))| Kept {
            name: name.clone(),
            sweep: sweep.clone(),
            load: &point.planned,
            facts: &point.load,
            started: point.started,
        });
        let kept: Vec<_> = kept.collect();
        keep(self.args, self.job, &kept, self.session);
    }

    fn benches(&self) -> Vec<Bench<'_>> {
        self.done.iter().map(|point| self.bench(point)).collect()
    }

    fn write(
        &self,
        summary: &Summary,
        whole: &impl for<'b> Fn(&'b str, Vec<Document<'b>>) -> Whole<'b>,
    ) -> Result<()> {
        let benches = self.benches();
        if let Some(file) = &self.args.output.hdr {
            files::write_hdr(file, &benches)?;
        }
        let Some(folder) = &self.args.output.out else {
            return Ok(());
        };
        let loads = Loads {
            url: &self.args.url,
            verdict: &summary.verdict,
            points: &self.rows(summary),
            notes: summary.notes,
        };
        let documents = benches.iter().map(document).collect();
        files::write_several(
            folder,
            &whole(&summary.verdict, documents),
            &loads,
            &benches,
        )
    }

    fn print(
        &self,
        summary: &Summary,
        whole: &impl for<'b> Fn(&'b str, Vec<Document<'b>>) -> Whole<'b>,
    ) -> Result<()> {
        let benches = self.benches();
        match super::output::format(self.args, self.session) {
            Format::Text => print(&self.text(summary))?,
            Format::Json => print_json(&whole(
                &summary.verdict,
                benches.iter().map(document).collect(),
            ))?,
            Format::Ndjson => {
                for bench in &benches {
                    let line = serde_json::to_string(&document(bench));
                    let line =
                        line.map_err(|error| Error::new(Exit::Internal, error.to_string()))?;
                    print_lines_of_json(&format!("{line}\n"))?;
                }
            }
            Format::Csv => {
                print(&report::bench::csv(&benches))?;
                aside(&self.explained(summary));
            }
            Format::Markdown => {
                let rows = self.rows(summary);
                print(&report::terminal::survey_markdown(&summary.verdict, &rows))?;
                aside(&self.explained(summary));
            }
        }
        Ok(())
    }

    fn bench<'b>(&'b self, point: &'b Point) -> Bench<'b> {
        Bench {
            url: &self.args.url,
            load: &point.load,
            doubts: &point.doubts,
            thresholds: &point.thresholds,
            standing: None,
            slices: &point.slices,
            interrupted: self.interrupted(),
            planned: point.planned.amount,
            explained: point.explained.as_ref(),
            against: None,
        }
    }

    fn rows<'b>(&'b self, summary: &'b Summary) -> Vec<SurveyPoint<'b>> {
        let points = self.done.iter().zip(&summary.names);
        points
            .map(|(point, name)| SurveyPoint {
                name,
                load: &point.load,
                doubted: point.is_bad(),
            })
            .collect()
    }

    fn text(&self, summary: &Summary) -> String {
        let grave = self.done.iter().flat_map(|point| &point.doubts);
        let grave = grave.filter(|doubt| doubt.disqualifies);
        let grave = grave.map(|doubt| format!("?: {}", doubt.because));
        let mut told: Vec<_> = summary.notes.iter().cloned().chain(grave).collect();
        told.dedup();
        let rows = self.rows(summary);
        let table = report::terminal::survey(
            &summary.verdict,
            &rows,
            summary.legend,
            &told,
            self.session.width(),
        );
        table
            + &report::terminal::thresholds(&self.thresholds(summary), self.session.width())
            + &self.explained(summary)
    }

    /// What all loads have in common once, and the rules with those loads that break them.
    fn explained(&self, summary: &Summary) -> String {
        let points = self.done.iter().zip(&summary.names);
        let held: Vec<_> = points
            .filter_map(|(point, name)| {
                let explained = point.explained.as_ref()?;
                Some((name.as_str(), explained.held_to.as_slice()))
            })
            .collect();
        if held.is_empty() {
            return String::new();
        }
        let figures = [summary.computed.clone(), computed_columns()].concat();
        report::terminal::explain(&figures, &held, self.session.width())
    }

    /// Every threshold at every point, each with the point's name.
    fn thresholds(&self, summary: &Summary) -> Vec<ThresholdResult> {
        let points = self.done.iter().zip(&summary.names);
        points
            .flat_map(|(point, name)| {
                point.thresholds.iter().map(move |result| ThresholdResult {
                    text: format!("{} at {name}", result.text),
                    ..result.clone()
                })
            })
            .collect()
    }

    /// A threshold that a doubt touches says nothing, and neither do loads that are all doubted.
    fn exit(&self) -> Exit {
        let all = || self.done.iter().flat_map(|point| &point.thresholds);
        if self.interrupted() {
            Exit::Interrupted
        } else if let Some(error) = &self.cut {
            error.exit()
        } else if all().any(ThresholdResult::fails) {
            Exit::Threshold
        } else if self.done.iter().all(Point::is_bad)
            || all().any(|result| result.crossed != Crossed::No)
        {
            Exit::Invalid
        } else {
            Exit::Done
        }
    }
}

impl Point {
    fn new(
        load: LoadFacts,
        (planned, started): (Load, Timestamp),
        slices: Vec<Slice>,
        thresholds: &[&Threshold],
        explain: bool,
    ) -> Self {
        let doubts = judge::doubts(&load);
        let decide = |threshold: &&Threshold| threshold.decide(&load, &doubts);
        Self {
            thresholds: thresholds.iter().map(decide).collect(),
            explained: explain.then(|| Explained::of(&load, None)),
            doubts,
            planned,
            started,
            slices,
            load,
        }
    }

    fn is_bad(&self) -> bool {
        self.doubts.iter().any(|doubt| doubt.disqualifies)
    }
}
