//! How many blocks a run has: a number, or as many as its questions need.

use record::{Plan, limits};
use serde::Deserialize;

/// Most blocks of a run that is looked at after each: nobody waits for more, and intervals allow for every look.
const MOST_LOOKS: u32 = 100;

/// A number of blocks, or the range within which a run ends as soon as what is asked of it is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(
    untagged,
    expecting = "a number of blocks, or `{ at-least = 4, at-most = 12 }`"
)]
pub enum Blocks {
    /// So many.
    Fixed(u32),
    /// As many as are needed.
    #[serde(rename_all = "kebab-case")]
    Needed {
        /// Blocks before the first look, 4 or more.
        at_least: u32,
        /// Blocks after which the run ends whatever is open.
        at_most: u32,
    },
}

impl Default for Blocks {
    /// Six blocks are the fewest from which a 95 % interval without an assumption can be given.
    fn default() -> Self {
        Self::Fixed(6)
    }
}

impl Blocks {
    /// Reads `6` or `4..12`.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(text: &str) -> Result<Self, String> {
        let number = |text: &str| text.trim().parse::<u32>();
        let read = match text.split_once("..") {
            None => number(text).map(Self::Fixed),
            Some((least, most)) => number(least).and_then(|at_least| {
                let at_most = number(most)?;
                Ok(Self::Needed { at_least, at_most })
            }),
        };
        let blocks = read.map_err(|_| "give a number such as `6`, or a range such as `4..12`")?;
        blocks.flaw().map_or(Ok(blocks), |(_, problem, hint)| {
            Err(format!("{problem}: {hint}"))
        })
    }

    /// What is wrong with it: the key behind `blocks`, the problem, what to write instead.
    pub(crate) fn flaw(self) -> Option<(&'static str, String, &'static str)> {
        let least = judge::PAIRS as u32;
        match self {
            Self::Fixed(0) => {
                let hint = "3 blocks are the fewest that give an interval";
                Some(("", "must be at least 1".to_owned(), hint))
            }
            Self::Fixed(blocks) => (blocks > limits::BLOCKS).then(|| {
                let problem = format!("must be at most {}", limits::BLOCKS);
                (
                    "",
                    problem,
                    "write `blocks = 6`, or 20 for narrow intervals",
                )
            }),
            Self::Needed { at_least, .. } if at_least < least => {
                let hint = "fewer blocks give no interval, and decide nothing";
                Some((".at-least", format!("must be at least {least}"), hint))
            }
            Self::Needed { at_least, at_most } if at_most <= at_least => {
                let hint =
                    "write `blocks = 6` for a fixed number, or `{ at-least = 4, at-most = 12 }`";
                Some((".at-most", "must be more than `at-least`".to_owned(), hint))
            }
            Self::Needed { at_most, .. } => (at_most > MOST_LOOKS).then(|| {
                let hint = "write `blocks = 200` for a fixed number";
                (".at-most", format!("must be at most {MOST_LOOKS}"), hint)
            }),
        }
    }

    /// The most there can be.
    pub fn at_most(self) -> u32 {
        match self {
            Self::Fixed(blocks) => blocks,
            Self::Needed { at_most, .. } => at_most,
        }
    }

    /// Blocks before the first look; none where their number is fixed.
    pub fn at_least(self) -> Option<u32> {
        match self {
            Self::Fixed(_) => None,
            Self::Needed { at_least, .. } => Some(at_least),
        }
    }

    /// Gives a plan so many.
    pub fn of(self, plan: &mut Plan) {
        (plan.at_least, plan.blocks) = (self.at_least(), self.at_most());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_or_a_range_is_read() {
        assert_eq!(Blocks::read("6"), Ok(Blocks::Fixed(6)));
        let range = Blocks::Needed {
            at_least: 4,
            at_most: 12,
        };
        assert_eq!(Blocks::read("4..12"), Ok(range));
        for wrong in ["", "0", "1001", "x", "4..", "4..4", "2..12", "4..101", "-1"] {
            assert!(Blocks::read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_file_has_either() {
        #[derive(Deserialize)]
        struct File {
            blocks: Blocks,
        }
        let read = |text| toml::from_str::<File>(text).map(|file| file.blocks);
        assert_eq!(read("blocks = 8").unwrap(), Blocks::Fixed(8));
        let range = read("blocks = { at-least = 4, at-most = 12 }").unwrap();
        assert_eq!((range.at_least(), range.at_most()), (Some(4), 12));
        let error = read("blocks = { at-least = 4 }").unwrap_err();
        assert!(error.message().contains("at-most"), "{error}");
    }
}
