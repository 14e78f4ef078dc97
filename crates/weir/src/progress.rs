//! What a person sees while weir works: one moving line on a terminal, plain lines elsewhere.
//! It goes to standard error, so that standard output holds results alone.

mod strip;
mod words;

use std::io::IsTerminal as _;
use std::time::Instant;

use experiment::{News, Outlook};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use load::{Event, Tick};
use record::Outcome;
use report::units;

use crate::output::note;
use strip::Strip;
pub(crate) use words::about;

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
    done: u64,
    of: u64,
    outlook: Option<(Outlook, Instant)>,
    /// Seconds that will be needed when this run has ended.
    after: f64,
    headline: String,
    strip: Strip,
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
        bar.set_style(ProgressStyle::with_template("{spinner} {msg}").expect("constant template"));
        if voice != Voice::Bar {
            bar.set_draw_target(ProgressDrawTarget::hidden());
        }
        Self {
            voice,
            bar,
            done: 0,
            of: 0,
            outlook: None,
            after: 0.0,
            headline: String::new(),
            strip: Strip::default(),
        }
    }

    /// So many seconds will be needed for other runs when this one has ended.
    pub(crate) fn before(mut self, after: f64) -> Self {
        self.after = after;
        self
    }

    /// Something happened in a run.
    pub(crate) fn tell(&mut self, news: &News) {
        match news {
            News::Begun { trials, done } => {
                (self.done, self.of) = (0, *trials - *done);
                self.outlook = None;
            }
            News::Outlook(outlook) => self.look_ahead(*outlook),
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
            News::Serving(_) => {}
            News::Load(event) => self.load(event),
            News::Refined { stages, trials } => {
                self.of += trials;
                if !stages.is_empty() {
                    self.line(&format!("added where curves turn: {}", stages.join(", ")));
                }
            }
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
        self.strip.push(tick.p99.unwrap_or(0.0));
        let lines = [
            text.trim_start_matches(" · "),
            &inside(tick),
            &self.strip.drawn(),
        ];
        self.show(&lines.join("\n  "));
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
            Voice::Lines => note(text),
            Voice::Bar => self.bar.suspend(|| note(text)),
        }
    }

    /// How long it will take, said once, and again whenever more or fewer blocks fit the time.
    fn look_ahead(&mut self, outlook: Outlook) {
        let before = self.outlook.replace((outlook, Instant::now()));
        self.of = self.done + outlook.trials;
        match before {
            None => self.line(&words::estimate(&outlook)),
            Some((before, _)) if before.blocks != outlook.blocks => {
                self.line(&words::fitting(&outlook));
            }
            Some(_) => {}
        }
    }

    fn time_left(&self) -> String {
        let Some((outlook, moment)) = self.outlook.filter(|_| self.done < self.of) else {
            return String::new();
        };
        let left = (outlook.left - moment.elapsed().as_secs_f64()).max(0.0);
        let all = if self.after > 0.0 {
            format!(", {} for all", words::about(left + self.after))
        } else {
            String::new()
        };
        format!(" · about {} left{all}", words::about(left))
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
    let p50 = tick
        .recent
        .quantile(0.5)
        .map(|seconds| format!(" · p50 {}", units::duration(seconds)))
        .unwrap_or_default();
    let failed = match tick.failed {
        0 => String::new(),
        failed => format!(" · {} failed", units::count(failed)),
    };
    let rate = match tick.offered {
        Some(offered) => {
            let (achieved, offered) = (units::number(tick.rate), units::rate(offered));
            format!("{achieved} of {offered} offered")
        }
        None => units::rate(tick.rate),
    };
    format!("{done} · {rate}{p50}{p99}{failed}")
}

/// What is under way, and what the engine itself does: `12 in flight · engine 34 % busy, 15.0 µs late`.
fn inside(tick: &Tick) -> String {
    let late = match (tick.offered, tick.late) {
        (Some(_), Some(late)) => format!(", {} late (p99)", units::duration(late)),
        _ => String::new(),
    };
    format!(
        "{} in flight · engine {} busy{late}",
        units::count(tick.in_flight),
        units::about(tick.busy)
    )
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

#[cfg(test)]
mod tests {
    use load::Tick;

    use super::{inside, live};

    #[test]
    fn an_open_loop_shows_what_it_asks_for_beside_what_it_gets() {
        let mut tick = Tick {
            completed: 500,
            rate: 480.0,
            failed: 2,
            offered: Some(500.0),
            in_flight: 1_012,
            late: Some(15e-6),
            busy: 0.344,
            ..Tick::default()
        };
        assert_eq!(
            live(&tick),
            "500 requests · 480 of 500 req/s offered · 2 failed"
        );
        assert_eq!(
            inside(&tick),
            "1,012 in flight · engine 34 % busy, 15.0 µs late (p99)"
        );
        tick.offered = None;
        assert_eq!(live(&tick), "500 requests · 480 req/s · 2 failed");
        assert_eq!(inside(&tick), "1,012 in flight · engine 34 % busy");
    }
}
