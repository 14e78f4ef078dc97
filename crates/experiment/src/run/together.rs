//! Trials of a block whose programs are up at the same time, and whose loads take turns in short slices: what is
//! compared within a fraction of a second shares the noise of the machine.
//!
//! Each trial has a thread, and is the same sentence as one that is taken alone. It goes on only when it is its turn,
//! so that at any time one of them starts, is loaded or is asked; until all have been loaded, none is stopped.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Instant;

use load::{Pace, Turn, Turns};
use record::Run;

use crate::run::lab::{News, Place};
use crate::run::progress::Again;
use crate::run::references::References;
use crate::run::slices::{Cut, turns};
use crate::run::trial::{load_of, trial};
use crate::run::trials::Taken;

/// Share of the machine's memory that is free when another trial's programs are started beside others.
const FREE: f64 = 0.2;

/// What a trial's thread says.
enum Said {
    News(News),
    /// It is warm, or its slice is over: it waits for its turn.
    Waits(Pace),
    Ended(Box<Taken>),
    /// Its thread panicked.
    Gone,
}

/// A trial's end of the line.
struct Line {
    at: usize,
    tell: Sender<(usize, Said)>,
    turns: Receiver<Turn>,
}

impl Turns for Line {
    fn next(&mut self, pace: Pace) -> Turn {
        // whoever does not listen any more gives no turns either
        let _ = self.tell.send((self.at, Said::Waits(pace)));
        self.turns.recv().unwrap_or(Turn::Over)
    }
}

/// Takes these trials of one block, in their order and as many of them as there is memory for: the others are not in the
/// answer. One whose window cannot be cut is taken at once, and alone if it is the first.
pub(crate) fn together(
    place: &Place,
    run: &Run,
    group: &[Again],
    references: &mut References,
    news: &mut dyn FnMut(&News),
) -> Vec<Taken> {
    let references = Mutex::new(references);
    std::thread::scope(|scope| {
        let (tell, heard) = channel();
        let mut go = Vec::new();
        for (at, what) in group.iter().enumerate() {
            let (turn, turns) = channel();
            go.push(turn);
            let tell = tell.clone();
            let references = &references;
            scope.spawn(move || {
                let mut line = Line { at, tell, turns };
                if line.turns.recv().is_err() {
                    return; // there was no room for it
                }
                let tell = line.tell.clone();
                let taken = catch_unwind(AssertUnwindSafe(|| {
                    let mut news = |news: &News| {
                        let _ = tell.send((at, Said::News(news.clone())));
                    };
                    trial(place, run, what, references, Some(&mut line), &mut news)
                }));
                let (said, panic) = match taken {
                    Ok(taken) => (Said::Ended(Box::new(taken)), None),
                    Err(panic) => (Said::Gone, Some(panic)),
                };
                let _ = tell.send((at, said));
                if let Some(panic) = panic {
                    resume_unwind(panic);
                }
            });
        }
        drop(tell);
        let conductor = Conductor {
            place,
            run,
            group,
            go,
            heard,
            started: 0,
            taken: group.iter().map(|_| None).collect(),
            seconds: vec![0.0; group.len()],
            news,
        };
        conductor.conduct()
    })
}

/// Gives the turns.
struct Conductor<'a> {
    place: &'a Place<'a>,
    run: &'a Run,
    group: &'a [Again],
    go: Vec<Sender<Turn>>,
    heard: Receiver<(usize, Said)>,
    /// How many were started.
    started: usize,
    taken: Vec<Option<Taken>>,
    /// Seconds of each trial's own turns.
    seconds: Vec<f64>,
    news: &'a mut dyn FnMut(&News),
}

impl Conductor<'_> {
    fn conduct(mut self) -> Vec<Taken> {
        let waiting = self.start();
        let cuts: Vec<Cut> = waiting.iter().map(|(_, cut)| *cut).collect();
        if let [(alone, _)] = waiting[..] {
            self.turn(alone, Turn::Whole);
        } else {
            self.slices(&waiting, Cut::rounds(&cuts));
        }
        self.end()
    }

    /// Starts one after the other, and warms it up. Those that are to be cut wait; windows that cannot be are taken at
    /// once.
    fn start(&mut self) -> Vec<(usize, Cut)> {
        let mut waiting = Vec::new();
        for (at, what) in self.group.iter().enumerate() {
            if self.is_interrupted() || (!waiting.is_empty() && !has_room()) {
                break;
            }
            let plan = &self.run.plan;
            (self.news)(&News::trial(plan, what));
            self.started = at + 1;
            let Some(pace) = self.turn(at, Turn::Whole) else {
                continue;
            };
            if let Some(cut) = Cut::of(&load_of(plan, what), pace, plan.slice) {
                waiting.push((at, cut));
                continue;
            }
            self.turn(at, Turn::Whole);
            if waiting.is_empty() {
                break; // it is kept before another begins
            }
        }
        waiting
    }

    fn slices(&mut self, waiting: &[(usize, Cut)], rounds: u32) {
        let Some((first, _)) = waiting.first() else {
            return;
        };
        let what = &self.group[*first];
        let name = |(at, _): &(usize, Cut)| self.group[*at].slot.clone();
        (self.news)(&News::InTurn {
            slots: waiting.iter().map(name).collect(),
            rounds,
        });
        for round in turns(&self.run.plan, what.block, waiting.len(), rounds) {
            for member in round {
                let (at, cut) = waiting[member];
                if self.is_interrupted() {
                    return;
                }
                if self.taken[at].is_none() {
                    self.turn(at, Turn::Slice(cut.slice(rounds)));
                }
            }
        }
    }

    /// Nobody is loaded any more: all of them may stop at the same time.
    fn end(mut self) -> Vec<Taken> {
        let began = Instant::now();
        self.go.truncate(self.started); // the others never begin
        for turn in self.go.drain(..) {
            let _ = turn.send(Turn::Over); // those that have ended do not listen
        }
        while let Ok((at, said)) = self.heard.recv() {
            self.note(at, said);
        }
        let shared = began.elapsed().as_secs_f64() / self.group.len().max(1) as f64;
        let taken = self.taken.into_iter().zip(self.seconds);
        taken
            .filter_map(|(taken, seconds)| {
                let taken = taken?;
                Some(Taken {
                    seconds: Some(seconds + shared),
                    ..taken
                })
            })
            .collect()
    }

    /// Gives one of them its turn, and listens until it waits for the next; `None` when it has ended.
    fn turn(&mut self, at: usize, turn: Turn) -> Option<Pace> {
        let began = Instant::now();
        self.go[at].send(turn).ok()?;
        let mut pace = None;
        while let Ok((from, said)) = self.heard.recv() {
            let over = matches!(said, Said::Ended(_) | Said::Gone);
            if let Some(waits) = self.note(from, said) {
                pace = Some(waits);
                break;
            }
            if over {
                break;
            }
        }
        self.seconds[at] += began.elapsed().as_secs_f64();
        pace
    }

    fn note(&mut self, at: usize, said: Said) -> Option<Pace> {
        match said {
            Said::News(news) => (self.news)(&news),
            Said::Waits(pace) => return Some(pace),
            Said::Ended(taken) => self.taken[at] = Some(*taken),
            Said::Gone => {}
        }
        None
    }

    fn is_interrupted(&self) -> bool {
        self.place.interrupted.load(Ordering::Relaxed)
    }
}

/// Whether there is memory for more programs; there is where the system does not tell.
fn has_room() -> bool {
    observe::free_memory().is_none_or(|share| share >= FREE)
}
