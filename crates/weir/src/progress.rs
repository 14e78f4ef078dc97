//! What a person sees while weir works: one moving line on a terminal, plain lines elsewhere.
//! It goes to standard error, so that standard output holds results alone.

use crate::output::note;
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
            began: Instant::now(),
            done: 0,
            of: 0,
            headline: String::new(),
            strip: Strip::default(),
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
            News::Serving(_) => {}
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

/// The 99th percentiles of the last ticks as a row of bars, on a logarithmic scale from the lowest
/// of them to the highest.
#[derive(Debug, Default)]
struct Strip(std::collections::VecDeque<f64>);

impl Strip {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    /// Ticks shown: ten seconds.
    const LENGTH: usize = 50;

    fn push(&mut self, seconds: f64) {
        if self.0.len() == Self::LENGTH {
            self.0.pop_front();
        }
        self.0.push_back(seconds);
    }

    /// `p99 120 µs ▁▁▂█▁ 4.10 ms`; a gap is a tick in which nothing was answered.
    fn drawn(&self) -> String {
        let known = || self.0.iter().copied().filter(|seconds| *seconds > 0.0);
        let Some((low, high)) = known()
            .map(|seconds| (seconds, seconds))
            .reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
        else {
            return String::new();
        };
        let bar = |seconds: f64| {
            let height = if high > low {
                (seconds / low).ln() / (high / low).ln()
            } else {
                0.0
            };
            Self::BARS[(height * 7.0).round() as usize]
        };
        let drawn = |&seconds: &f64| if seconds > 0.0 { bar(seconds) } else { ' ' };
        let bars: String = self.0.iter().map(drawn).collect();
        let (low, high) = (units::duration(low), units::duration(high));
        format!("p99 {low} {bars} {high}")
    }
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

    use super::{Strip, inside, live};

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

    #[test]
    fn a_strip_goes_from_the_lowest_to_the_highest_and_forgets() {
        let mut strip = Strip::default();
        assert_eq!(strip.drawn(), "");
        for seconds in [0.001, 0.0, 0.1, 0.01] {
            strip.push(seconds);
        }
        assert_eq!(strip.drawn(), "p99 1.00 ms ▁ █▅ 100 ms");
        (0..Strip::LENGTH).for_each(|_| strip.push(0.002));
        let still = "▁".repeat(Strip::LENGTH);
        assert_eq!(strip.drawn(), format!("p99 2.00 ms {still} 2.00 ms"));
    }
}
