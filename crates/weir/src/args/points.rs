//! Loads one after the other.

use std::fmt;

use clap::Args;

#[derive(Debug, Args)]
#[command(next_help_heading = "Load")]
pub(crate) struct PointArgs {
    /// Run several loads, as in connections=1,2,4 or rate=100:1000:100 or connections=1:64:x2
    ///
    /// Each value is a load of its own, with its own warm-up, -d or -n. FROM:TO:STEP adds,
    /// FROM:TO:xFACTOR multiplies; values and ranges can be joined by commas. --fail-if applies to
    /// each.
    #[arg(long, value_name = "WHAT=VALUES", value_parser = sweep, conflicts_with_all = ["script", "replay", "page"])]
    pub(crate) sweep: Option<Sweep>,
}

impl PointArgs {
    pub(crate) fn is_given(&self) -> bool {
        self.sweep.is_some()
    }

    /// Where a sweep over rates begins.
    pub(crate) fn first_rate(&self) -> Option<f64> {
        let sweep = self.sweep.as_ref()?;
        let first = sweep.values.first().copied();
        first.filter(|_| sweep.swept == Swept::Rate)
    }
}

/// What differs between loads that are otherwise alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Swept {
    Connections,
    Rate,
}

impl fmt::Display for Swept {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Self::Connections => "connections",
            Self::Rate => "rate",
        })
    }
}

/// One load for each value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Sweep {
    pub(crate) swept: Swept,
    /// At least one; whole and at least 1 where they are connections.
    pub(crate) values: Vec<f64>,
}

/// Most loads of a sweep.
const MOST: usize = 100;
const FORM: &str =
    "give `connections` or `rate` and its values, as in `connections=1,2,4` or `rate=100:1000:100`";

fn sweep(text: &str) -> Result<Sweep, String> {
    let (swept, values) = match text.split_once('=') {
        Some(("connections", values)) => (Swept::Connections, values),
        Some(("rate", values)) => (Swept::Rate, values),
        _ => return Err(FORM.to_owned()),
    };
    let mut all = Vec::new();
    for piece in values.split(',') {
        all.extend(range(piece)?);
    }
    if all.len() > MOST {
        return Err(format!("{} loads are too many: at most {MOST}", all.len()));
    }
    let whole = |value: &f64| value.fract() == 0.0 && *value <= f64::from(u32::MAX);
    if swept == Swept::Connections && !all.iter().all(whole) {
        return Err("connections are whole numbers".to_owned());
    }
    Ok(Sweep { swept, values: all })
}

/// One value, `FROM:TO:STEP` or `FROM:TO:xFACTOR`.
fn range(text: &str) -> Result<Vec<f64>, String> {
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

fn value(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok();
    number
        .filter(|number| number.is_finite() && *number > 0.0)
        .ok_or_else(|| format!("`{text}` is no number above 0; {FORM}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_listed_added_or_multiplied() {
        for (text, values) in [
            ("connections=1,2,4", &[1.0, 2.0, 4.0][..]),
            ("connections=1:64:x4", &[1.0, 4.0, 16.0, 64.0]),
            ("connections=1,10:30:10", &[1.0, 10.0, 20.0, 30.0]),
            ("rate=0.1:0.3:0.1", &[0.1, 0.2, 0.300_000_000_000_000_04]),
        ] {
            assert_eq!(sweep(text).unwrap().values, values, "{text}");
        }
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for text in [
            "",
            "threads=1",
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
        ] {
            assert!(sweep(text).is_err(), "{text}");
        }
    }
}
