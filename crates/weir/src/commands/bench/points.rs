//! Loads one after the other: they run, progress is told, and what came of them is printed, however
//! early the user ends them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use judge::{Crossed, Doubt, Gate};
use load::{Job, LoadError};
use record::LoadFacts;
use report::bench::{Bench, Document, Explained, Survey, Sweep, document};
use report::terminal::SurveyPoint;
use report::words::{Computed, computed_columns};

use crate::args::{BenchArgs, Format};
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::output::{note, print, print_json};
use crate::progress::Progress;
use crate::session::{Session, width};

/// One load and what is thought of it.
pub(super) struct Point {
    pub(super) load: LoadFacts,
    doubts: Vec<Doubt>,
    gates: Vec<Gate>,
    explained: Option<Explained>,
}

/// The loads so far.
pub(super) struct Points<'a> {
    args: &'a BenchArgs,
    session: &'a Session,
    progress: Progress,
    pub(super) done: Vec<Point>,
    /// Why there are no more.
    cut: Option<Error>,
}

/// How they are told.
pub(super) struct Telling<'a> {
    pub(super) verdict: String,
    /// What each point is called.
    pub(super) names: Vec<String>,
    /// What the names mean.
    pub(super) legend: &'a str,
    pub(super) notes: &'a [String],
    /// How the verdict came about.
    pub(super) computed: Vec<Computed>,
}

/// All of them as one document.
#[derive(serde::Serialize)]
#[serde(untagged)]
pub(super) enum Whole<'b> {
    Survey(Survey<'b>),
    Sweep(Sweep<'b>),
}

impl<'a> Points<'a> {
    pub(super) fn new(args: &'a BenchArgs, session: &'a Session) -> Self {
        Self {
            args,
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
        let stop = AtomicBool::new(false);
        let ended = load::run(job, &stop, &mut |event| {
            let late = moment.is_some_and(|moment| Instant::now() >= moment);
            if late || interrupted.load(Ordering::Relaxed) {
                stop.store(true, Ordering::Relaxed);
            }
            progress.load(&event);
        });
        match ended {
            Ok(load) => {
                let explain = self.args.output.explain;
                let thresholds = self.args.output.thresholds().filter(|_| gated);
                self.done.push(Point {
                    doubts: judge::doubts(&load),
                    gates: thresholds
                        .map(|threshold| threshold.decide(&load))
                        .collect(),
                    explained: explain.then(|| Explained::of(&load, None)),
                    load,
                });
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
        mut telling: Telling,
        whole: impl for<'b> FnOnce(&'b str, Vec<Document<'b>>) -> Whole<'b>,
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
            telling.verdict.push_str(if so { words } else { "" });
        }
        self.print(&telling, whole)?;
        Ok(self.exit())
    }

    fn print(
        &self,
        telling: &Telling,
        whole: impl for<'b> FnOnce(&'b str, Vec<Document<'b>>) -> Whole<'b>,
    ) -> Result<()> {
        let benches: Vec<_> = self.done.iter().map(|point| self.bench(point)).collect();
        match super::output::format(self.args, self.session) {
            Format::Text => print(&self.text(telling))?,
            Format::Json => print_json(&whole(
                &telling.verdict,
                benches.iter().map(document).collect(),
            ))?,
            Format::Ndjson => {
                for bench in &benches {
                    let line = serde_json::to_string(&document(bench));
                    let line =
                        line.map_err(|error| Error::new(Exit::Internal, error.to_string()))?;
                    print(&format!("{line}\n"))?;
                }
            }
            Format::Csv => {
                print(&report::bench::csv(&benches))?;
                note(self.explained(telling));
            }
            Format::Markdown => {
                let rows = self.rows(telling);
                print(&report::terminal::survey_markdown(&telling.verdict, &rows))?;
                note(self.explained(telling));
            }
        }
        Ok(())
    }

    fn bench<'b>(&'b self, point: &'b Point) -> Bench<'b> {
        Bench {
            url: &self.args.url,
            load: &point.load,
            doubts: &point.doubts,
            gates: &point.gates,
            standing: None,
            slices: &[],
            interrupted: self.interrupted(),
            explained: point.explained.as_ref(),
        }
    }

    fn rows<'b>(&'b self, telling: &'b Telling) -> Vec<SurveyPoint<'b>> {
        let points = self.done.iter().zip(&telling.names);
        points
            .map(|(point, name)| SurveyPoint {
                name,
                load: &point.load,
                doubted: point.is_bad(),
            })
            .collect()
    }

    fn text(&self, telling: &Telling) -> String {
        let grave = self.done.iter().flat_map(|point| &point.doubts);
        let grave = grave.filter(|doubt| doubt.disqualifies);
        let grave = grave.map(|doubt| format!("?: {}", doubt.because));
        let mut told: Vec<_> = telling.notes.iter().cloned().chain(grave).collect();
        told.dedup();
        let rows = self.rows(telling);
        let table =
            report::terminal::survey(&telling.verdict, &rows, telling.legend, &told, width());
        table + &report::terminal::gates(&self.gates(telling), width()) + &self.explained(telling)
    }

    /// What all loads have in common once, and the rules with those loads that break them.
    fn explained(&self, telling: &Telling) -> String {
        let points = self.done.iter().zip(&telling.names);
        let held: Vec<_> = points
            .filter_map(|(point, name)| {
                let explained = point.explained.as_ref()?;
                Some((name.as_str(), explained.held_to.as_slice()))
            })
            .collect();
        if held.is_empty() {
            return String::new();
        }
        let figures = [telling.computed.clone(), computed_columns()].concat();
        report::terminal::explain(&figures, &held, width())
    }

    /// Every threshold at every point, each with the point's name.
    fn gates(&self, telling: &Telling) -> Vec<Gate> {
        let points = self.done.iter().zip(&telling.names);
        points
            .flat_map(|(point, name)| {
                point.gates.iter().map(move |gate| Gate {
                    text: format!("{} at {name}", gate.text),
                    ..gate.clone()
                })
            })
            .collect()
    }

    /// All doubted is to know nothing. A threshold that an untrustworthy load crossed says nothing
    /// either.
    fn exit(&self) -> Exit {
        let sound = || self.done.iter().filter(|point| !point.is_bad());
        let crossed = |point: &Point| point.gates.iter().any(|gate| gate.crossed != Crossed::No);
        if self.interrupted() {
            Exit::Interrupted
        } else if let Some(error) = &self.cut {
            error.exit()
        } else if sound().next().is_none() {
            Exit::Invalid
        } else if sound().any(crossed) {
            Exit::Threshold
        } else if self.done.iter().any(crossed) {
            Exit::Invalid
        } else {
            Exit::Done
        }
    }
}

impl Point {
    fn is_bad(&self) -> bool {
        self.doubts.iter().any(|doubt| doubt.disqualifies)
    }
}
