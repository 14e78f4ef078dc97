//! What a person sees while weir works: one moving line on a terminal, plain lines elsewhere.
//! It goes to standard error, so that standard output holds results alone.

mod ahead;
mod alive;
mod live;
mod looks;
mod strip;
mod told;
mod total;
mod words;

use std::io::IsTerminal as _;
use std::time::Duration;

use experiment::{News, Slot};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use load::{Event, Tick};
use record::{Others, Trial};
use report::harmless::{harmless, one_line};

use crate::output::note_line;
use alive::Alive;
use strip::Strip;
use told::{Once, Told};
use total::Total;
pub(crate) use words::about;

/// Looks, of a fifth of a second each, after which a wait is worth a line.
const PATIENCE: u32 = 5;

/// Longest time in which nothing is said, as lines.
const SILENCE: Duration = Duration::from_secs(8);

/// The same of a moving line.
const STILL: Duration = Duration::from_secs(2);

/// How much is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Display {
    Silent,
    Lines,
    Bar,
}

/// Tells what happens, as far as the user wants to know.
pub(crate) struct Progress {
    display: Display,
    bar: ProgressBar,
    total: Total,
    /// The block, or the stress, of the present trials.
    place: String,
    headline: String,
    told: Told,
    strip: Strip,
    /// Looks at a load whose window has closed.
    drained: u32,
    alive: Alive,
}

impl Progress {
    /// Silent with `--quiet`; a moving line when standard error is a terminal.
    pub(crate) fn new(quiet: bool) -> Self {
        let display = match (quiet, std::io::stderr().is_terminal()) {
            (true, _) => Display::Silent,
            (false, true) => Display::Bar,
            (false, false) => Display::Lines,
        };
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(8));
        bar.set_style(ProgressStyle::with_template("{spinner} {msg}").expect("constant template"));
        if display != Display::Bar {
            bar.set_draw_target(ProgressDrawTarget::hidden());
        }
        let alive = match display {
            Display::Silent => Alive::silent(),
            Display::Lines => Alive::every(SILENCE, note_line),
            Display::Bar => {
                let bar = bar.clone();
                Alive::every(STILL, move |words| {
                    bar.set_message(harmless(words).into_owned());
                    bar.tick();
                })
            }
        };
        Self {
            alive,
            display,
            bar,
            total: Total::default(),
            place: String::new(),
            told: Told::default(),
            headline: String::new(),
            strip: Strip::default(),
            drained: 0,
        }
    }

    /// Something happened in a run.
    pub(crate) fn tell(&mut self, news: &News) {
        match news {
            News::Begun { trials, done } => self.total.begun(trials.saturating_sub(*done)),
            News::Complete { run, trials } => self.line(&words::complete(*run, *trials)),
            News::Network { refused } => self.line(&words::network(refused.as_deref())),
            News::Outlook(outlook) => self.look_ahead(*outlook),
            News::Capacity { variant } => self.begin(&words::capacity(variant), None),
            News::Rates { variant, rate } => self.line(&words::rates(variant, *rate)),
            News::Setup { at_most } => self.wait("setting the app up", Some(*at_most)),
            News::Reference { server, at_most } => {
                self.begin(&words::reference(server), Some(*at_most));
            }
            News::Trial {
                block,
                blocks,
                stress,
                slot,
                attempt,
            } => {
                self.begins_in(*block, *stress);
                self.total.begin(1);
                self.told.forget(Once::Drain);
                let at_most = self.total.may_end_before();
                self.place = words::place(*block, *blocks, *stress, at_most);
                self.begin(&self.headline(slot, *attempt), None);
            }
            News::InTurn { slots, rounds } => self.in_turn(slots, *rounds),
            News::Step { doing, at_most } => {
                let text = format!("{} · {doing}", self.headline);
                self.wait(&one_line(&text), *at_most);
            }
            News::Waiting { others, at_most } => self.wait_for_quiet(others, *at_most),
            News::Serving(_) => {}
            News::Load(event) => self.load(event),
            News::Refined { variants, trials } => {
                self.total.more(*trials);
                if !variants.is_empty() {
                    self.line(&format!("added where curves turn: {}", variants.join(", ")));
                }
            }
            News::Unrefined { run } => self.line(&words::unrefined(*run)),
            News::Looked(looked) => self.looked(looked),
            News::PutAside { because, by } => {
                self.total.more(1);
                let (why, advice) = self.told.repeated(because, by);
                self.line(&format!("{} · will be repeated: {why}", self.headline));
                self.lines(advice);
            }
            News::LeftOut(hint) => self.line(&format!("hint: {hint}")),
            News::Stored(trial) => self.stored(trial),
        }
    }

    /// This begins, and takes so many seconds at most.
    fn begin(&mut self, text: &str, at_most: Option<f64>) {
        self.headline = one_line(text).into_owned();
        self.wait(&self.headline.clone(), at_most);
    }

    /// A trial is stored.
    fn stored(&mut self, trial: &Trial) {
        let slot = Slot {
            variant: trial.variant.clone(),
            again: trial.again,
            group: trial.group,
        };
        self.headline = self.headline(&slot, trial.attempt);
        self.total.ended();
        let (summary, left) = (words::summary(&trial.outcome), self.total.time_left());
        self.line(&format!("{} · {summary}{left}", self.headline));
        if let Some(words) = words::captured(&trial.outcome) {
            self.line(&words);
        }
        if let Some(words) = words::times(&trial.outcome)
            && self.told.first(Once::Times)
        {
            self.line(&words);
        }
    }

    /// Other programs take too much, and are waited for so many seconds more at most.
    fn wait_for_quiet(&mut self, others: &Others, at_most: f64) {
        let (what, most) = ("waiting for a quiet machine", about(at_most));
        let text = format!("{what}, {most} at most: {}", judge::took(others));
        let told = self.told.waits(&text, others);
        self.lines(told);
        self.draw(&one_line(&text));
        self.alive.waits(what, None);
        if self.display == Display::Bar {
            self.alive.said();
        }
    }

    /// These are loaded in turn.
    fn in_turn(&mut self, slots: &[Slot], rounds: u32) {
        self.say_what_fits();
        self.total.begin(slots.len() as u64);
        self.told.forget(Once::Drain);
        let (counter, place) = (self.total.counter(), &self.place);
        self.headline = format!("{counter} {place} · {rounds} slices each, in turn");
        if self.told.first(Once::Turns) {
            let names: Vec<_> = slots.iter().map(|slot| one_line(&slot.variant)).collect();
            self.line(&format!("{}: {}", self.headline, names.join(", ")));
        }
        self.wait(&self.headline.clone(), None);
    }

    /// Which trial this is.
    fn headline(&self, slot: &Slot, attempt: u32) -> String {
        let (counter, place) = (self.total.counter(), &self.place);
        let again = words::turn(slot, attempt);
        format!("{counter} {place} · {}{again}", one_line(&slot.variant))
    }

    /// Something happened in a load.
    pub(crate) fn load(&mut self, event: &Event) {
        let (words, tick) = match event {
            Event::WarmUp(tick) => ("warming up", tick),
            Event::Tick(tick) => ("measuring", tick),
            Event::Look | Event::Paused(_) | Event::Resumed(_) => return,
            Event::Opened(_) | Event::Closed(_) => {
                self.drained = 0;
                return;
            }
        };
        self.drain(tick);
        let (line, left) = (live::line(tick), self.total.time_left());
        let text = format!("{} · {words} · {line}{left}", self.headline);
        self.strip.push(tick.p99.unwrap_or(0.0));
        let lines = [
            text.trim_start_matches(" · "),
            &live::inside(tick),
            &self.strip.drawn(),
        ];
        self.show(&lines.join("\n  "));
    }

    /// Says what is waited for, once, where that takes a while and nothing moves.
    fn drain(&mut self, tick: &Tick) {
        let Some(wait) = tick.draining else {
            return;
        };
        self.drained += 1;
        let due = self.drained == PATIENCE && self.display == Display::Lines;
        if due && self.told.first(Once::Drain) {
            self.line(&live::waits(tick, wait));
        }
    }

    /// Removes the moving line; what was printed stays.
    pub(crate) fn end(&self) {
        self.alive.rests();
        self.bar.finish_and_clear();
    }

    /// This is waited for, so many seconds at most.
    pub(crate) fn wait(&self, text: &str, at_most: Option<f64>) {
        self.draw(text);
        self.alive.waits(text, at_most);
    }

    /// This is under way, and says how far it is.
    fn show(&self, text: &str) {
        self.draw(text);
        self.alive.goes_on(text);
        if self.display == Display::Bar {
            self.alive.said();
        }
    }

    fn draw(&self, text: &str) {
        if self.display == Display::Bar {
            self.bar.set_message(harmless(text).into_owned());
            self.bar.tick();
        }
    }

    fn line(&self, text: &str) {
        self.alive.said();
        match self.display {
            Display::Silent => {}
            Display::Lines => note_line(text),
            Display::Bar => self.bar.suspend(|| note_line(text)),
        }
    }

    fn lines(&self, lines: impl IntoIterator<Item = String>) {
        lines.into_iter().for_each(|line| self.line(&line));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.end();
    }
}
