//! `--live`: what a load did in each second, as a line of JSON, while it runs.

use std::fs::File;
use std::io::{ErrorKind, Write as _};
use std::path::Path;

use load::{Event, Tick};
use record::Distribution;
use report::harmless;
use schemars::JsonSchema;
use serde::Serialize;

use super::output::cannot_write;
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::output::note;
use crate::{files, mask};

/// Seconds from one line to the next, at least: a tick comes a little late, or a little early.
const LENGTH: f64 = 0.9;

/// What a load did since the line before.
#[derive(Debug, JsonSchema, Serialize)]
pub(in crate::commands) struct LiveLine {
    /// The load, by the name that its trial has in the result.
    variant: String,
    /// What it is doing.
    phase: LivePhase,
    /// Seconds since the warm-up began, or the window.
    seconds: f64,
    /// Correct responses per second.
    throughput: f64,
    /// Requests that failed or timed out.
    errors: u64,
    /// Median of the response times, in seconds; absent where there was no response.
    #[serde(skip_serializing_if = "Option::is_none")]
    p50: Option<f64>,
    /// 99th percentile of the response times, in seconds; absent where there was no response.
    #[serde(skip_serializing_if = "Option::is_none")]
    p99: Option<f64>,
    /// Connections that are open.
    connections: u64,
    /// Users of a script that sleep before their next request.
    asleep: u64,
}

/// What a load is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "kebab-case")]
enum LivePhase {
    /// It warms up: nothing of this is in the result.
    #[default]
    WarmUp,
    /// It is measured.
    Window,
    /// The window is over, and what was in flight is waited for.
    Drain,
}

/// Writes the lines of all loads; none where nobody asked for them.
pub(super) struct Live {
    /// Absent too when its reader is gone.
    file: Option<File>,
    second: Second,
}

/// What was told of a second so far.
#[derive(Debug, Default)]
struct Second {
    phase: LivePhase,
    /// Its ends, in seconds since the phase began.
    from: f64,
    until: f64,
    /// Correct responses and errors of the phase until it began, and until now.
    before: [u64; 2],
    now: [u64; 2],
    times: Distribution,
    connections: u64,
    asleep: u64,
}

impl Live {
    /// Opens the file.
    ///
    /// # Errors
    /// It cannot be written, or is called as what other programs take for their output.
    pub(super) fn open(path: Option<&Path>) -> Result<Self> {
        if path == Some(Path::new("-")) {
            let message = "no file is called `-`: standard output is for the result";
            let hint = "`--live /dev/stderr --quiet` shows the lines as they come";
            return Err(Error::new(Exit::Usage, message).hint(hint.to_owned()));
        }
        let open = |path: &Path| files::growing(path).map_err(|error| cannot_write(path, &error));
        Ok(Self {
            file: path.map(open).transpose()?,
            second: Second::default(),
        })
    }

    /// Something happened in a load.
    pub(super) fn tell(&mut self, variant: &str, event: &Event) {
        match event {
            Event::WarmUp(tick) => self.tick(variant, tick, LivePhase::WarmUp),
            Event::Tick(tick) => self.window(variant, tick),
            Event::Opened(_) => self.rest(variant),
            Event::Closed(tick) => {
                self.window(variant, tick);
                self.rest(variant);
            }
            Event::Look | Event::Paused(_) | Event::Resumed(_) => {}
        }
    }

    /// The window goes on, or the drain after it. Where it ends so does a line, however short.
    fn window(&mut self, variant: &str, tick: &Tick) {
        match tick.lasted {
            None => self.tick(variant, tick, LivePhase::Window),
            Some(_) if self.second.phase == LivePhase::Drain => {
                self.tick(variant, tick, LivePhase::Drain);
            }
            Some(lasted) => {
                self.second.tick(tick, LivePhase::Window);
                if lasted > self.second.from {
                    self.second.until = lasted;
                }
                if self.second.length() > 0.0 {
                    self.line(variant);
                }
                self.second.phase = LivePhase::Drain;
            }
        }
    }

    fn tick(&mut self, variant: &str, tick: &Tick, phase: LivePhase) {
        self.second.tick(tick, phase);
        // what is over, and not yet seen to be, ends with the line of its end
        let is_over = tick.remaining.is_some_and(|left| left <= 0.0);
        if self.second.length() >= LENGTH && !is_over {
            self.line(variant);
        }
    }

    /// A phase is over: writes what is left of it.
    fn rest(&mut self, variant: &str) {
        if self.second.length() > 0.0 {
            self.line(variant);
        }
        self.second = Second::default();
    }

    /// Writes the second so far, with which the next one begins.
    fn line(&mut self, variant: &str) {
        let line = self.second.end(variant);
        let Some(file) = &mut self.file else {
            return;
        };
        let text = serde_json::to_string(&line).expect("its keys are texts");
        let text = format!("{}\n", mask::text(&harmless::json(&text)));
        if let Err(error) = file.write_all(text.as_bytes()) {
            // who has gone away has read enough
            if error.kind() != ErrorKind::BrokenPipe {
                note(format!("`--live` has no more lines: {error}"));
            }
            self.file = None;
        }
    }
}

impl Second {
    fn length(&self) -> f64 {
        self.until - self.from
    }

    fn tick(&mut self, tick: &Tick, phase: LivePhase) {
        if tick.reached < self.until && tick.lasted.is_none() {
            *self = Self::default(); // a load before this one was cut short
        }
        self.phase = phase;
        self.until = tick.reached;
        self.now = [tick.completed, tick.failed];
        self.times.merge(&tick.recent);
        self.connections = tick.connections;
        // the look that closes a window finds users awake that were told to begin no more
        if tick.lasted.is_none() || phase == LivePhase::Drain {
            self.asleep = tick.asleep;
        }
    }

    /// What it came to. It is the next one then.
    fn end(&mut self, variant: &str) -> LiveLine {
        let next = Self {
            phase: self.phase,
            from: self.until,
            until: self.until,
            before: self.now,
            now: self.now,
            ..Self::default()
        };
        let of = std::mem::replace(self, next);
        let [completed, errors] = [0, 1].map(|at| of.now[at].saturating_sub(of.before[at]));
        LiveLine {
            variant: variant.to_owned(),
            phase: of.phase,
            seconds: of.until,
            throughput: completed as f64 / of.length(),
            errors,
            p50: of.times.quantile(0.5),
            p99: of.times.quantile(0.99),
            connections: of.connections,
            asleep: of.asleep,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// After so many seconds of a phase, with so many correct responses of 2 ms since the tick before.
    fn tick(elapsed: f64, completed: u64, responses: u64, failed: u64) -> Tick {
        let mut recent = Distribution::default();
        (0..responses).for_each(|_| recent.record(2_000_000));
        Tick {
            reached: elapsed,
            completed,
            failed,
            connections: 3,
            asleep: 2,
            recent: recent.into(),
            ..Tick::default()
        }
    }

    /// The same once its window, which lasted so many seconds, has closed.
    fn closed(lasted: f64, tick: Tick) -> Tick {
        Tick {
            lasted: Some(lasted),
            ..tick
        }
    }

    #[test]
    fn a_line_is_about_the_time_since_the_line_before() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("live.ndjson");
        let mut live = Live::open(Some(&path)).unwrap();
        let now = record::Moment::default();
        live.tell("a", &Event::WarmUp(tick(0.5, 7, 7, 0)));
        live.tell("a", &Event::Opened(now));
        for (elapsed, completed) in [(0.5, 40), (1.0, 100), (1.5, 150)] {
            let failed = completed / 50;
            live.tell("a", &Event::Tick(tick(elapsed, completed, 5, failed)));
        }
        let end = Tick {
            asleep: 0,
            ..tick(2.1, 200, 5, 4)
        };
        live.tell("a", &Event::Closed(closed(2.0, end)));
        // the next one is cut short, and another comes after it
        live.tell("b", &Event::Tick(tick(0.5, 900, 5, 0)));
        live.tell("c", &Event::Tick(tick(0.25, 10, 0, 0)));
        live.tell("c", &Event::Tick(closed(0.5, tick(0.6, 20, 0, 0))));
        live.tell("c", &Event::Closed(closed(0.5, tick(0.75, 20, 0, 0))));
        let text = std::fs::read_to_string(&path).unwrap();
        let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
        let lines: Vec<Value> = lines.collect();
        let figures = |of: &Value| {
            let keys = ["variant", "phase", "seconds", "throughput", "errors"];
            json!(keys.map(|key| of[key].clone()))
        };
        let told: Vec<Value> = lines.iter().map(figures).collect();
        let wanted = [
            json!(["a", "warm-up", 0.5, 14.0, 0]),
            json!(["a", "window", 1.0, 100.0, 2]),
            json!(["a", "window", 2.0, 100.0, 2]),
            json!(["c", "window", 0.5, 40.0, 0]),
            json!(["c", "drain", 0.75, 0.0, 0]),
        ];
        assert_eq!(told, wanted);
        assert_eq!(lines[1]["connections"], 3);
        for line in &lines {
            assert_eq!(line["asleep"], 2, "{line}");
        }
        assert!((lines[1]["p99"].as_f64().unwrap() - 0.002).abs() < 1e-5);
        assert_eq!(lines[4].get("p50"), None);
    }
}
