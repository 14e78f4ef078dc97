//! Runs and variants as users name them.

/// A run as users name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RunName {
    Last,
    Number(i64),
}

impl std::str::FromStr for RunName {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "last" => Ok(Self::Last),
            number => number
                .parse()
                .map(Self::Number)
                .map_err(|_| "a run is a number (see `weir list`) or `last`".into()),
        }
    }
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
        let (run, variant) = match text.split_once(':') {
            Some((run, variant)) => (run, Some(variant.to_owned())),
            None => (text, None),
        };
        Ok(Self {
            run: run.parse()?,
            variant,
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
    }
}
