//! What programs count themselves, read as their catalogue entries say.

mod ask;
pub(super) mod read;

use std::collections::BTreeMap;
use std::time::Duration;

use record::{
    Counted, CounterAsk, CounterKind, CounterSource, CounterSpec, Moment, ProgramCounters,
};

pub use self::ask::RunCommand;
use self::ask::ask;
use self::read::{Reader, readers};
use super::Probe;
use crate::Seen;
use crate::samples::{Figure, Samples};

/// Failures in a row after which a program is not asked again before the window's end.
const PATIENCE: u32 = 3;

/// Longest time for a whole answer at an end of the window: the load waits for it, and totals need it.
const AT_AN_END: Duration = Duration::from_secs(1);

/// The same while the window is open, where the looks of other probes wait for it.
const BETWEEN: Duration = Duration::from_millis(250);

/// Counters of every program whose entry describes them.
pub(super) struct Counters {
    programs: Vec<Program>,
    run: RunCommand,
}

struct Program {
    source: CounterSource,
    /// Answers so far: each may have added to what is counted.
    answers: u32,
    failures: u32,
    problem: Option<String>,
    readers: Vec<(String, Reader)>,
    read: BTreeMap<String, Readings>,
}

/// What was read of a counter so far.
#[derive(Clone, Copy, Default)]
struct Readings {
    first: f64,
    last: f64,
    most: f64,
    sum: f64,
    count: u32,
}

impl Readings {
    fn add(&mut self, value: f64) {
        if self.count == 0 {
            (self.first, self.most) = (value, value);
        }
        (self.last, self.most) = (value, self.most.max(value));
        self.sum += value;
        self.count += 1;
    }

    fn figure(&self, kind: CounterKind) -> f64 {
        match kind {
            CounterKind::Total => self.last - self.first,
            CounterKind::Gauge => self.most,
            // the first is of what was before the window
            CounterKind::Average if self.count > 1 => {
                (self.sum - self.first) / f64::from(self.count - 1)
            }
            CounterKind::Average => self.last,
        }
    }
}

impl Counters {
    pub(super) fn new(sources: Vec<CounterSource>, run: RunCommand) -> Self {
        Self {
            programs: sources.into_iter().map(Program::new).collect(),
            run,
        }
    }
}

impl Probe for Counters {
    fn name(&self) -> &'static str {
        "counters"
    }

    fn start(&mut self, at: Moment, samples: &mut Samples) {
        for program in &mut self.programs {
            program.read.clear();
            program.look(at, samples, AT_AN_END, self.run);
        }
    }

    fn sample(&mut self, at: Moment, samples: &mut Samples) {
        let programs = self.programs.iter_mut();
        for program in programs.filter(|of| of.is_asked_between()) {
            program.look(at, samples, BETWEEN, self.run);
        }
    }

    fn stop(&mut self, at: Moment, samples: &mut Samples) {
        for program in &mut self.programs {
            program.look(at, samples, AT_AN_END, self.run);
        }
    }

    fn tell(self: Box<Self>, seen: &mut Seen) {
        seen.observed.counters = self.programs.into_iter().map(Program::told).collect();
    }
}

impl Program {
    fn new(source: CounterSource) -> Self {
        let (readers, problem) = readers(&source.each);
        Self {
            answers: 0,
            failures: 0,
            problem,
            readers,
            read: BTreeMap::new(),
            source,
        }
    }

    /// Whether it is asked while the window is open. A command never is: its process would take what is measured.
    fn is_asked_between(&self) -> bool {
        self.failures < PATIENCE && !matches!(self.source.ask, CounterAsk::Run(_))
    }

    /// Asks once. A program that does not answer within this time is a fact, and no reason to end a trial.
    fn look(&mut self, at: Moment, samples: &mut Samples, limit: Duration, run: RunCommand) {
        let answer = match ask(&self.source.ask, limit, run) {
            Ok(answer) => answer,
            Err(why) => {
                self.failures += 1;
                self.problem = Some(why);
                return;
            }
        };
        self.failures = 0;
        self.answers += 1;
        for (name, reader) in &self.readers {
            let spec = &self.source.each[name];
            match reader.read(&answer) {
                Ok(None) => {}
                Ok(Some(value)) => {
                    let value = without_own(spec, value, self.answers);
                    let program = &self.source.program;
                    let figure = Figure::new(program, name, spec.kind, &spec.unit);
                    samples.add(figure, at, value);
                    self.read.entry(name.clone()).or_default().add(value);
                }
                Err(why) => self.problem = Some(format!("`{name}`: {why}")),
            }
        }
    }

    fn told(self) -> ProgramCounters {
        let mut problem = self.problem;
        let mut values = BTreeMap::new();
        for (name, readings) in self.read {
            let spec = &self.source.each[&name];
            let value = readings.figure(spec.kind);
            if value < 0.0 {
                problem = Some(format!("`{name}`: it became smaller, though it is a total"));
                continue;
            }
            let counted = Counted {
                kind: spec.kind,
                unit: spec.unit.clone(),
                value,
            };
            values.insert(name, counted);
        }
        ProgramCounters {
            program: self.source.program,
            values,
            problem,
        }
    }
}

/// A value without what the readings themselves have added to it.
fn without_own(spec: &CounterSpec, value: f64, answers: u32) -> f64 {
    let own = f64::from(spec.own);
    match spec.kind {
        CounterKind::Total => value - own * f64::from(answers),
        CounterKind::Gauge => (value - own).max(0.0),
        CounterKind::Average => value,
    }
}

#[cfg(test)]
mod tests;
