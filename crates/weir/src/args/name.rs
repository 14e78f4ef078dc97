//! Runs and variants as users name them.

/// A run as users name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RunName {
    /// So many before the last one, which is 0.
    Last(u32),
    Number(i64),
}

impl std::str::FromStr for RunName {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let name = match text.strip_prefix("last") {
            Some("") => Some(Self::Last(0)),
            Some(before) => before.strip_prefix('-').and_then(number).map(Self::Last),
            None => text.parse().ok().map(Self::Number),
        };
        let wrong = "a run is a number (see `weir list`), `last`, or `last-1` for the one before";
        name.ok_or_else(|| wrong.to_owned())
    }
}

/// A whole number above 0, of digits alone.
fn number(text: &str) -> Option<u32> {
    let digits = text.chars().all(|c| c.is_ascii_digit());
    let number = text.parse::<u32>().ok();
    number.filter(|number| digits && *number > 0)
}

/// `RUN` or `RUN:VARIANT`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Side {
    pub(crate) run: RunName,
    pub(crate) variant: Option<String>,
}

impl std::str::FromStr for Side {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let Some((run, variant)) = text.split_once(':') else {
            let run = text
                .parse::<RunName>()
                .map_err(|why| format!("{why}; a variant is named with its run: `last:{text}`"))?;
            return Ok(Self { run, variant: None });
        };
        Ok(Self {
            run: run.parse()?,
            variant: Some(variant.to_owned()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_are_read() {
        let side: Side = "3:static".parse().unwrap();
        assert_eq!(
            side,
            Side {
                run: RunName::Number(3),
                variant: Some("static".into())
            }
        );
        assert!("x:static".parse::<Side>().is_err());
        let alone = "static".parse::<Side>().unwrap_err();
        assert!(alone.ends_with("with its run: `last:static`"), "{alone}");
    }

    #[test]
    fn runs_are_numbers_or_counted_from_the_last_one() {
        let named = |text: &str| text.parse::<RunName>();
        assert_eq!(named("12"), Ok(RunName::Number(12)));
        assert_eq!(named("last"), Ok(RunName::Last(0)));
        assert_eq!(named("last-1"), Ok(RunName::Last(1)));
        assert_eq!(named("last-12"), Ok(RunName::Last(12)));
        for wrong in ["", "last-", "last-0", "last-+1", "last--1", "last1"] {
            assert!(named(wrong).is_err(), "{wrong}");
        }
        let side: Side = "last-1:static".parse().unwrap();
        assert_eq!(side.run, RunName::Last(1));
    }
}
