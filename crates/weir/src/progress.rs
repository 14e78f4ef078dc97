//! What a person sees while weir works: one moving line on a terminal, plain lines elsewhere.
//! It goes to standard error, so that standard output holds results alone.

use std::io::IsTerminal as _;
use std::time::{Duration, Instant};

use experiment::News;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use load::{Event, Tick};
use record::Outcome;
use report::units;

/// How much is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Voice {
    Silent,
    Lines,
    Bar,
}

/// Tells what happens, as far as the user wants to know.
pub(crate) struct Progress {
    voice: Voice,
    bar: ProgressBar,
    began: Instant,
    done: u64,
    of: u64,
    headline: String,
}

impl Progress {
    /// Silent with `--quiet`; a moving line when standard error is a terminal.
    pub(crate) fn new(quiet: bool) -> Self {
        let voice = match (quiet, std::io::stderr().is_terminal()) {
            (true, _) => Voice::Silent,
            (false, true) => Voice::Bar,
            (false, false) => Voice::Lines,
        };
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(8));
        bar.set_style(
            ProgressStyle::with_template("{spinner} {wide_msg}").expect("constant template"),
        );
        if voice != Voice::Bar {
            bar.set_draw_target(ProgressDrawTarget::hidden());
        }
        Self {
            voice,
            bar,
            began: Instant::now(),
            done: 0,
            of: 0,
            headline: String::new(),
        }
    }

    /// Something happened in a run.
    pub(crate) fn tell(&mut self, news: &News) {
        match news {
            News::Begun { trials, done } => {
                self.of = *trials - *done;
                self.began = Instant::now();
            }
            News::Setup => self.show("setting the app up"),
            News::Reference(server) => {
                self.show(&format!("taking the reference answers from {server}"));
            }
            News::Trial {
                block,
                blocks,
                slot,
            } => {
                let again = if slot.again { " (again: A/A)" } else { "" };
                let number = self.done + 1;
                self.headline = format!(
                    "[{number}/{}] block {} of {blocks} · {}{again}",
                    self.of,
                    block + 1,
                    slot.stage
                );
                self.show(&self.headline.clone());
            }
            News::Step(words) => self.show(&format!("{} · {words}", self.headline)),
            News::Load(event) => self.load(event),
            News::Stored(trial) => {
                self.done += 1;
                self.line(&format!(
                    "{} · {}{}",
                    self.headline,
                    summary(&trial.outcome),
                    self.time_left()
                ));
            }
        }
    }

    /// Something happened in a load.
    pub(crate) fn load(&mut self, event: &Event) {
        let (words, tick) = match event {
            Event::WarmUp(tick) => ("warming up", tick),
            Event::Tick(tick) => ("measuring", tick),
            Event::Opened | Event::Closed => return,
        };
        let text = format!(
            "{} · {words} · {}{}",
            self.headline,
            live(tick),
            self.time_left()
        );
        self.show(text.trim_start_matches(" · "));
    }

    /// Removes the moving line; what was printed stays.
    pub(crate) fn end(&self) {
        self.bar.finish_and_clear();
    }

    fn show(&self, text: &str) {
        if self.voice == Voice::Bar {
            self.bar.set_message(text.to_owned());
            self.bar.tick();
        }
    }

    fn line(&self, text: &str) {
        match self.voice {
            Voice::Silent => {}
            Voice::Lines => anstream::eprintln!("{text}"),
            Voice::Bar => self.bar.suspend(|| anstream::eprintln!("{text}")),
        }
    }

    /// Trials take about equally long, so the mean of those done tells what is left.
    fn time_left(&self) -> String {
        if self.done == 0 || self.done >= self.of {
            return String::new();
        }
        let each = self.began.elapsed().as_secs_f64() / self.done as f64;
        let left = Duration::from_secs_f64(each * (self.of - self.done) as f64);
        format!(" · about {} left", units::duration(left.as_secs_f64()))
    }
}

fn live(tick: &Tick) -> String {
    let done = match tick.of {
        Some(of) => format!("{} of {of} requests", tick.completed),
        None => format!("{} requests", tick.completed),
    };
    let p99 = tick
        .p99
        .map(|seconds| format!(" · p99 {}", units::duration(seconds)))
        .unwrap_or_default();
    format!("{done} · {}{p99}", units::rate(tick.rate))
}

fn summary(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Failed(failure) => format!("failed: {}", failure.error),
        Outcome::Measured(measured) => {
            let load = &measured.load;
            let mean = load.response.mean().map(units::duration);
            let trouble = load.failures() + load.timed_out;
            let trouble = (trouble > 0).then(|| format!(" · {trouble} failed"));
            format!(
                "{} · mean {}{}",
                units::rate(load.throughput()),
                mean.unwrap_or_else(|| "unknown".into()),
                trouble.unwrap_or_default()
            )
        }
    }
}
