//! What `weir forget` understands.

use clap::Args;

use super::RunName;

/// Units of an age that are longer than those of durations, in seconds.
const LONG: [(char, f64); 2] = [('d', 86_400.0), ('w', 604_800.0)];

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  weir forget last                the newest run
  weir forget 3 7..12             several, by their numbers in `weir list`
  weir forget --before 30d        what began more than 30 days ago
  weir forget --before 30d --dry-run")]
pub(crate) struct ForgetArgs {
    /// Runs: numbers, ranges of them (`7..12`), `last`, or `last-1` for the one before
    #[arg(value_name = "RUN", required_unless_present = "before")]
    pub(crate) runs: Vec<Runs>,
    /// All runs that began longer ago than this, as in 12h, 30d or 8w
    #[arg(long, value_name = "TIME", value_parser = age, conflicts_with = "runs")]
    pub(crate) before: Option<f64>,
    /// Say what would be removed, and remove nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Do not ask before several runs are removed
    #[arg(long, short)]
    pub(crate) yes: bool,
}

/// Runs as users name them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Runs {
    One(RunName),
    /// All from one number to another one, both included.
    Between(i64, i64),
}

impl std::str::FromStr for Runs {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let Some((first, last)) = text.split_once("..") else {
            return text.parse::<RunName>().map(Self::One);
        };
        let number = |text: &str| text.parse::<i64>().ok();
        match (number(first), number(last)) {
            (Some(first), Some(last)) if first <= last => Ok(Self::Between(first, last)),
            _ => Err("a range of runs is `7..12`, by their numbers in `weir list`".to_owned()),
        }
    }
}

/// Seconds: a number of days or weeks, or a duration.
fn age(text: &str) -> Result<f64, String> {
    let long = LONG.iter().find_map(|(unit, seconds)| {
        let number = text.strip_suffix(*unit)?.trim().parse::<f64>().ok()?;
        Some(number * seconds)
    });
    let age = long.or_else(|| experiment::duration(text).ok());
    let sound = age.filter(|age| age.is_finite() && *age >= 0.0);
    sound.ok_or_else(|| "give an age, such as `12h`, `30d` or `8w`".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_single_ones_or_ranges() {
        let read = |text: &str| text.parse::<Runs>();
        assert_eq!(read("3"), Ok(Runs::One(RunName::Number(3))));
        assert_eq!(read("last-1"), Ok(Runs::One(RunName::Last(1))));
        assert_eq!(read("7..12"), Ok(Runs::Between(7, 12)));
        for wrong in ["", "12..7", "7..", "..7", "7..last", "7-12", "all"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn ages_are_days_weeks_or_durations() {
        assert_eq!(age("30d"), Ok(2_592_000.0));
        assert_eq!(age("2w"), Ok(1_209_600.0));
        assert_eq!(age("12h"), Ok(43_200.0));
        assert_eq!(age("0d"), Ok(0.0));
        for wrong in ["", "d", "-1d", "infd", "30 months", "nand"] {
            assert!(age(wrong).is_err(), "{wrong}");
        }
    }
}
