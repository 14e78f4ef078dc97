//! What is wrong with a value that a user gave, in texts that each input format spells its own way.

/// A key that makes no sense, or contradicts another one.
///
/// The texts name keys in braces, as `{timeout}` or with a value as `{timeout = 30}`. A [`Spelling`]
/// turns them into what the user typed: `` `timeout = 30` `` in a plan, `` `--timeout 30s` `` on the
/// command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw {
    /// The key, as plans write it: `connections`, `crowd.slow-rate`.
    pub key: &'static str,
    problem: String,
    hint: String,
}

/// Spells a key, and the value that is proposed for it if one is.
pub type Spelling = fn(key: &str, value: Option<&str>) -> String;

impl Flaw {
    /// A flaw of this key, with its texts.
    pub fn new(key: &'static str, problem: impl Into<String>, hint: impl Into<String>) -> Self {
        let (problem, hint) = (problem.into(), hint.into());
        Self { key, problem, hint }
    }

    /// What is wrong, without the key.
    pub fn problem(&self, spelling: Spelling) -> String {
        spelled(&self.problem, spelling)
    }

    /// What to write instead.
    pub fn hint(&self, spelling: Spelling) -> String {
        spelled(&self.hint, spelling)
    }

    /// The key and what is wrong with it.
    pub fn told(&self, spelling: Spelling) -> String {
        format!("{}: {}", spelling(self.key, None), self.problem(spelling))
    }
}

/// Keys as plans write them.
pub fn as_keys(key: &str, value: Option<&str>) -> String {
    match value {
        Some(value) => format!("`{key} = {value}`"),
        None => format!("`{key}`"),
    }
}

fn spelled(text: &str, spelling: Spelling) -> String {
    let mut whole = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let (named, behind) = after.split_once('}').unwrap_or((after, ""));
        let (key, value) = match named.split_once(" = ") {
            Some((key, value)) => (key, Some(value)),
            None => (named, None),
        };
        whole.push_str(before);
        whole.push_str(&spelling(key, value));
        rest = behind;
    }
    whole + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_spelled_where_they_stand() {
        let flaw = Flaw::new(
            "drain",
            "is longer than {timeout}",
            "write {drain = 5} or {timeout = 30}",
        );
        assert_eq!(flaw.told(as_keys), "`drain`: is longer than `timeout`");
        assert_eq!(flaw.hint(as_keys), "write `drain = 5` or `timeout = 30`");
        let shout: Spelling = |key, value| format!("{key}{}", value.unwrap_or("!"));
        assert_eq!(flaw.hint(shout), "write drain5 or timeout30");
    }
}
