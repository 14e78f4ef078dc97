//! Loads one after the other.

use clap::Args;
use judge::{Demand, Threshold};
use record::{LoadSpec, PEAKS};

use super::number::{rate, scaled};
use super::output::{Thresholds, goals};

/// What no search for a goal goes with. What it alone has needs them, too: clap requires no option that another one excludes.
const NO_GOAL: [&str; 8] = [
    "sweep", "rate", "duration", "requests", "ramp", "steps", "spike", "think",
];

#[derive(Debug, Args)]
#[command(next_help_heading = "Load")]
pub(crate) struct PointArgs {
    /// Run several loads, as in connections=1,2,4 or rate=100:1000:100 or connections=1:64:x2
    ///
    /// Any number of a load can differ: connections, rate, streams, threads and the other keys that
    /// plans have. Each value is a load of its own, with its own warm-up, -d or -n. FROM:TO:STEP adds,
    /// FROM:TO:xFACTOR multiplies; values and ranges can be joined by commas. --fail-if applies to
    /// each.
    #[arg(long, value_name = "WHAT=VALUES", value_parser = sweep)]
    pub(crate) sweep: Option<SweepArg>,
    /// Look for the highest rate at which this holds, as in 'p99 < 200ms, errors < 0.1%'; repeatable
    ///
    /// A closed loop says where to begin; the rate then doubles until the condition no longer holds, and lies between the
    /// two, until these are within 5 %. What fails is tried once more before it counts as failing, and what holds in the
    /// end, too. --survey-seconds limits the time, -c the connections.
    #[arg(long, value_name = "CONDITION", value_parser = goals, conflicts_with_all = NO_GOAL)]
    pub(crate) goal: Vec<Thresholds>,
    /// With --goal: say how many machines like this one carry so many requests, as in 500/s or 3M/day
    ///
    /// Each is taken to carry an even share, up to the highest rate at which the goal holds.
    #[arg(long, value_name = "RATE", value_parser = demand, requires = "goal", conflicts_with_all = NO_GOAL)]
    pub(crate) demand: Option<(String, f64)>,
    /// With --demand: how many times its mean falls due in the busiest moment, as in 3 [default: 1, evenly]
    #[arg(long, value_name = "N", value_parser = peak, requires = "demand", conflicts_with_all = NO_GOAL)]
    pub(crate) peak: Option<f64>,
}

impl PointArgs {
    /// All conditions that are to hold.
    pub(crate) fn goals(&self) -> impl Iterator<Item = &Threshold> {
        self.goal.iter().flat_map(|several| &several.0)
    }

    pub(crate) fn is_given(&self) -> bool {
        self.sweep.is_some() || !self.goal.is_empty()
    }

    /// What machines are to carry, if that is asked.
    pub(crate) fn demand(&self) -> Option<Demand> {
        let (text, mean) = self.demand.clone()?;
        let peak = self.peak.unwrap_or(1.0);
        Some(Demand { text, mean, peak })
    }
}

/// One load for each value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SweepArg {
    /// What differs between loads that are otherwise alike: a key of a load, as plans have it.
    pub(crate) key: String,
    /// At least one.
    pub(crate) values: Vec<f64>,
}

impl SweepArg {
    /// What each value says of its load.
    pub(crate) fn specs(&self) -> impl Iterator<Item = (f64, LoadSpec)> {
        let at = |value: &f64| spec(&self.key, *value).expect("it was read before");
        self.values.iter().map(move |value| (*value, at(value)))
    }
}

/// A load of which nothing is said but this.
fn spec(key: &str, value: f64) -> Result<LoadSpec, String> {
    let whole = value.fract() == 0.0 && value < 1e15;
    let number = if whole {
        serde_json::Value::from(value as u64)
    } else {
        value.into()
    };
    serde_json::from_value([(key.to_owned(), number)].into_iter().collect()).map_err(|error| {
        let problem = error.to_string();
        if problem.starts_with("unknown field") {
            let told = record::told(&problem);
            let near = told.split_once("did you mean ");
            let near = near.and_then(|(_, after)| after.split_once('?'));
            let hint = near.map_or_else(
                || FORM.to_owned(),
                |(name, _)| format!("did you mean {name}?"),
            );
            format!("{NO_KEY} `{key}`: {hint}")
        } else {
            format!("`{key}` cannot be {value}: {}", record::told(&problem))
        }
    })
}

/// How what is said of a key that no load has begins.
const NO_KEY: &str = "a load has no";

/// Most loads of a sweep.
const MOST: usize = 100;
const FORM: &str = "give a number of the load, such as `connections`, `rate` or `streams`, and its values, as in \
                    `connections=1,2,4`, or a range: `rate=100:1000:100` adds 100 each time, `connections=1:64:x2` \
                    doubles";

fn sweep(text: &str) -> Result<SweepArg, String> {
    let (key, pieces) = text.split_once('=').ok_or(FORM)?;
    if let Err(why) = spec(key, 1.0)
        && why.starts_with(NO_KEY)
    {
        return Err(why);
    }
    let mut values = Vec::new();
    for piece in pieces.split(',') {
        values.extend(range(key, piece)?);
    }
    if values.len() > MOST {
        let many = values.len();
        return Err(format!("{many} loads are too many: at most {MOST}"));
    }
    for (place, value) in values.iter().enumerate() {
        spec(key, *value)?;
        if values[..place].contains(value) {
            return Err(format!("{value} is given twice: leave one out"));
        }
    }
    Ok(SweepArg {
        key: key.to_owned(),
        values,
    })
}

/// One value, `FROM:TO:STEP` or `FROM:TO:xFACTOR`.
fn range(key: &str, text: &str) -> Result<Vec<f64>, String> {
    let value = |text: &str| value(key, text);
    let parts: Vec<_> = text.split(':').collect();
    let (from, to, step) = match parts[..] {
        [one] => return Ok(vec![value(one)?]),
        [from, to, step] => (value(from)?, value(to)?, step),
        _ => {
            return Err(format!(
                "`{text}` is neither a value nor FROM:TO:STEP; {FORM}"
            ));
        }
    };
    let (factor, by) = match step.strip_prefix('x') {
        Some(factor) => (true, value(factor)?),
        None => (false, value(step)?),
    };
    if to < from || (factor && by <= 1.0) {
        return Err(format!("`{text}` never gets there: ranges ascend"));
    }
    let at = |number: usize| {
        if factor {
            from * by.powf(number as f64)
        } else {
            from + by * number as f64
        }
    };
    // one more than is allowed is enough to refuse it
    let edge = to * (1.0 + 1e-9);
    Ok((0..=MOST).map(at).take_while(|at| *at <= edge).collect())
}

/// A number of that key: `1k`, and of a rate `120/min` too.
fn value(key: &str, text: &str) -> Result<f64, String> {
    let number = match key {
        "rate" => rate(text).ok(),
        _ => scaled(text),
    };
    number
        .filter(|number| number.is_finite() && *number > 0.0)
        .ok_or_else(|| format!("`{text}` is no number above 0; {FORM}"))
}

/// What a demand is, as it was written and in requests per second.
fn demand(text: &str) -> Result<(String, f64), String> {
    let mean = rate(text)?;
    let none = || "give what is to be carried, such as `500/s` or `3M/day`".to_owned();
    let some = mean.is_finite() && mean > 0.0;
    some.then(|| (text.trim().to_owned(), mean))
        .ok_or_else(none)
}

fn peak(text: &str) -> Result<f64, String> {
    let peak = text.parse::<f64>().ok();
    peak.filter(|peak| PEAKS.contains(peak))
        .ok_or_else(|| "give how many times the mean, at least 1, such as `3`".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_demand_is_a_rate_and_a_peak_a_factor() {
        assert_eq!(demand("864k/day"), Ok(("864k/day".to_owned(), 10.0)));
        assert_eq!(peak("2.5"), Ok(2.5));
        for wrong in ["0", "nan", "inf", "-1", "fast", ""] {
            assert!(demand(wrong).is_err(), "{wrong}");
        }
        for wrong in ["0", "0.9", "nan", "inf", "3x", ""] {
            assert!(peak(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn values_are_listed_added_or_multiplied() {
        for (text, values) in [
            ("connections=1,2,4", &[1.0, 2.0, 4.0][..]),
            ("connections=1:64:x4", &[1.0, 4.0, 16.0, 64.0]),
            ("connections=1,10:30:10", &[1.0, 10.0, 20.0, 30.0]),
            ("rate=0.1:0.3:0.1", &[0.1, 0.2, 0.300_000_000_000_000_04]),
            ("first-byte-timeout=0.5,1", &[0.5, 1.0]),
            ("connections=500,1k", &[500.0, 1_000.0]),
            ("rate=1k:3k:1k,120/min", &[1e3, 2e3, 3e3, 2.0]),
        ] {
            assert_eq!(sweep(text).unwrap().values, values, "{text}");
        }
    }

    #[test]
    fn the_name_is_looked_at_before_the_values() {
        for (text, words) in [
            (
                "connection=1:4",
                "`connection`: did you mean `connections`?",
            ),
            ("c=1:4", "no `c`: give a number of the load"),
            ("connections=1..64", "`connections=1:64:x2` doubles"),
        ] {
            let why = sweep(text).unwrap_err();
            assert!(why.contains(words), "{text}: {why}");
        }
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for text in [
            "",
            "color=1",
            "page=1",
            "threads=0.5",
            "connections",
            "connections=",
            "connections=0",
            "connections=1.5",
            "connections=1e300",
            "rate=-1",
            "rate=inf",
            "rate=NaN",
            "rate=1:2",
            "rate=2:1:1",
            "rate=1:9:x1",
            "rate=1:9:0",
            "rate=1:1000:1",
            "connections=1,2,1",
            "connections=1/min",
        ] {
            assert!(sweep(text).is_err(), "{text}");
        }
    }
}
