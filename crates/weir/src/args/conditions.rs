//! Several conditions after one `--fail-if`, so that it may stand before the URL as well as after it.

use std::ffi::{OsStr, OsString};

const OPTION: &str = "--fail-if";

/// The command line with an option for each condition: `--fail-if A B URL` is `--fail-if A --fail-if B URL`.
/// A condition compares something, which no other argument of a command that has them does.
pub(crate) fn apart(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut apart: Vec<OsString> = Vec::new();
    // the argument that comes next is the option's own, or may be one more condition
    let (mut own, mut more) = (false, false);
    let mut literal = false;
    for argument in arguments {
        literal |= argument == "--";
        if literal {
            own = false;
        } else if own {
            (own, more) = (false, true);
        } else if more && is_condition(&argument) {
            apart.push(OPTION.into());
        } else {
            own = argument == OPTION;
            more = argument.to_string_lossy().starts_with("--fail-if=");
        }
        apart.push(argument);
    }
    apart
}

fn is_condition(argument: &OsStr) -> bool {
    let text = argument.to_string_lossy();
    !text.starts_with('-') && text.contains(['<', '>'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_condition_has_its_option_wherever_the_url_stands() {
        for (typed, meant) in [
            (
                "weir|bench|URL|--fail-if|p99 > 5ms|errors > 0",
                "weir|bench|URL|--fail-if|p99 > 5ms|--fail-if|errors > 0",
            ),
            (
                "weir|bench|--fail-if|p99 > 5ms|errors > 0|URL|-c|2",
                "weir|bench|--fail-if|p99 > 5ms|--fail-if|errors > 0|URL|-c|2",
            ),
            (
                "weir|bench|--fail-if=p99>5ms|errors>0|URL",
                "weir|bench|--fail-if=p99>5ms|--fail-if|errors>0|URL",
            ),
            // the first is the option's own, whatever it is, and what follows another option that one's
            (
                "weir|bench|--fail-if|nonsense|--body|<p>|URL",
                "weir|bench|--fail-if|nonsense|--body|<p>|URL",
            ),
            ("weir|bench|URL|--fail-if", "weir|bench|URL|--fail-if"),
            (
                "weir|bench|--fail-if|a > 1|--|b > 1",
                "weir|bench|--fail-if|a > 1|--|b > 1",
            ),
        ] {
            let typed = typed.split('|').map(OsString::from);
            let meant: Vec<_> = meant.split('|').map(OsString::from).collect();
            assert_eq!(apart(typed), meant);
        }
    }
}
