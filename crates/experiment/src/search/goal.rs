mod loads;

use std::time::Instant;

use judge::goal::{self, LEAST, NEAR, Tries};
use judge::{Threshold, keeps};
use record::{Load, LoadFacts, limits, units};

use super::{Proposal, Strategy};
use loads::LOOK;

/// Share of what a closed loop got at which rates begin, where the goal did not hold in it.
const BEGIN: f64 = 0.5;
/// How many times the rate the next is, as long as goals hold. A closed loop says nothing of where that ends: where
/// responses wait for something else than this server's work, few connections get little of what it can.
const UP: f64 = 2.0;

/// The highest rate at which goals hold: it doubles as long as they do, or is halved until they do; then it lies half-way
/// between one that holds and one that does not (on a scale of ratios), until these are near. What fails is tried once
/// more before it counts as failing, as a window may be disturbed, as soon as a rate below it holds; and what holds in the end is
/// tried once more, too. Windows of which the figures are not the server's say nothing of that: after two at a rate no higher one
/// is tried.
#[derive(Debug)]
pub struct Goal {
    base: Load,
    goals: Vec<Threshold>,
    /// Most connections.
    most: u32,
    seed: u64,
    began: Instant,
    /// Seconds after which no further load begins.
    seconds: f64,
    /// Seconds of the next closed loop; 0 where there is to be none.
    looks: f64,
    look: Option<Look>,
    /// What became of each rate.
    rates: Vec<(f64, Tries)>,
    /// The rate that is under way.
    rate: f64,
    /// Whether the goals held in the load before.
    kept: bool,
    /// Why the last window that said nothing did so.
    unknown: Option<String>,
    /// Loads so far: each has arrivals of its own.
    loads: u32,
}

/// What a closed loop says before rates begin.
#[derive(Clone, Copy, Debug)]
struct Look {
    /// The rate with which they begin, in requests per second.
    begin: f64,
    /// Seconds of a response.
    alone: f64,
}

impl Goal {
    /// A search of about so many seconds, which begins now.
    pub fn new(base: &Load, goals: Vec<Threshold>, seconds: f64, most: u32, seed: u64) -> Self {
        Self {
            base: base.clone(),
            goals,
            most,
            seed,
            began: Instant::now(),
            seconds,
            looks: LOOK,
            look: None,
            rates: Vec::new(),
            rate: 0.0,
            kept: false,
            unknown: None,
            loads: 0,
        }
    }

    /// The highest rate that holds, and the lowest above it that does not.
    fn between(&self) -> (Option<f64>, Option<f64>) {
        goal::between(&self.rates)
    }

    /// The highest rate that holds, so far.
    pub(crate) fn holds(&self) -> Option<f64> {
        self.between().0
    }

    /// Whether the rate that holds is the highest one but for so little as a search leaves open, or twice that: without a
    /// rate near above it that does not, it is no capacity, and its ratio to another one says nothing.
    pub(crate) fn is_bracketed(&self) -> bool {
        let (held, missed) = self.between();
        held.zip(missed)
            .is_some_and(|(held, missed)| missed / held <= NEAR * NEAR)
    }

    /// The rate that was tried last, if the goals held in that load.
    pub(crate) fn held_last(&self) -> Option<f64> {
        self.kept.then_some(self.rate)
    }

    /// Why there is no rate that is known to be the highest, where the search is over.
    pub(crate) fn why_not(&self) -> String {
        let told = |rate: f64| format!("{} req/s", units::number(rate));
        let (held, missed) = self.between();
        let limit = goal::limit(&self.rates).zip(self.unknown.as_ref());
        if let Some((limit, why)) = limit {
            return format!("at {} nothing could be told: {why}", told(limit));
        }
        match (held, missed) {
            (Some(held), _) => {
                let held = told(held);
                format!("the time was over before a rate near above {held} failed")
            }
            (None, Some(missed)) => {
                format!("it holds at none that was tried, down to {}", told(missed))
            }
            (None, None) if self.look.is_none() => {
                "no response came in the closed loop that it begins with".to_owned()
            }
            (None, None) => "the time was over before one was decided".to_owned(),
        }
    }

    fn tries(&self, rate: f64) -> Tries {
        let mut rates = self.rates.iter();
        let known = rates.find(|(of, _)| of.total_cmp(&rate).is_eq());
        known.map_or_else(Tries::default, |(_, tries)| *tries)
    }

    /// The next rate; none where there is no better answer.
    fn next_rate(&self, begin: f64) -> Option<f64> {
        let (held, missed) = self.between();
        let Some(held) = held else {
            return self.next_lower(begin);
        };
        if let Some(rate) = self.undecided(|rate| rate > held && missed.is_none_or(|of| rate < of))
        {
            return Some(rate);
        }
        // what tells nothing is no miss, but what lies above it would tell no more
        match goal::limit(&self.rates).or(missed) {
            None => Some(held * UP).filter(|rate| *rate <= limits::RATE),
            Some(above) if above / held > NEAR => Some((held * above).sqrt()),
            Some(_) => {
                let tries = self.tries(held);
                (tries.held < 2 && tries.unknown < 2).then_some(held)
            }
        }
    }

    /// The next rate where none holds so far: half of one that was missed says more than a second window there, which comes where
    /// there is none lower.
    fn next_lower(&self, begin: f64) -> Option<f64> {
        let Some(lowest) = self.rates.iter().map(|(rate, _)| *rate).reduce(f64::min) else {
            return Some(begin.max(LEAST));
        };
        let tries = self.tries(lowest);
        if tries.missed == 0 && !tries.decide() {
            return Some(lowest);
        }
        let lower = Some(lowest / 2.0).filter(|rate| *rate >= LEAST);
        lower.or_else(|| self.undecided(|rate| rate <= lowest))
    }

    /// The lowest rate of these that its windows do not decide.
    fn undecided(&self, of: impl Fn(f64) -> bool) -> Option<f64> {
        let open = self.rates.iter().filter(|(_, tries)| !tries.decide());
        let open = open.map(|(rate, _)| *rate).filter(|rate| of(*rate));
        open.reduce(f64::min)
    }

    /// Takes note of the closed loop. One in which no response came is done again for longer, as long as there is time for it: the
    /// first one says nothing of what went wrong, and waits for no response that takes longer.
    fn begin(&mut self, load: &LoadFacts, kept: bool) {
        if load.completed == 0 {
            let length = load.seconds.max(LOOK);
            let comes = self.loads == 1 || load.drained > 0;
            let longer = 2.0 * load.service.max().unwrap_or(0.0).max(length);
            if comes && length < self.seconds {
                self.looks = longer.min(self.seconds);
            }
            return;
        }
        let share = if kept { 1.0 } else { BEGIN };
        self.look = load.service.quantile(0.5).map(|alone| Look {
            begin: share * load.throughput(),
            alone,
        });
    }
}

impl Strategy for Goal {
    fn next(&mut self) -> Option<Proposal> {
        self.loads += 1;
        let Some(look) = self.look else {
            let seconds = std::mem::take(&mut self.looks);
            return (seconds > 0.0).then(|| self.closed(seconds));
        };
        // one rate at least is tried: the closed loop is no answer
        if !self.rates.is_empty() && self.began.elapsed().as_secs_f64() > self.seconds {
            return None;
        }
        self.rate = self.next_rate(look.begin)?;
        Some(self.open(self.rate, look.alone))
    }

    /// The closed loop is not kept: it asks when it was answered, so that what it gets is no rate at which goals hold.
    fn learn(&mut self, load: Option<&LoadFacts>) -> bool {
        self.kept = false;
        let Some(load) = load else { return false };
        let kept = keeps(load, &self.goals);
        if self.look.is_none() {
            self.begin(load, kept.is_held());
            return false;
        }
        self.kept = kept.is_held();
        goal::note(&mut self.rates, self.rate, &kept);
        if let Some(why) = kept.unknown() {
            self.unknown = Some(why.to_owned());
        }
        true
    }
}

#[cfg(test)]
mod tests;
