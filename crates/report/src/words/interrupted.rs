use record::{Amount, LoadFacts};

use super::counted;
use crate::units;

/// That the user ended a load early, and after how much of what was `planned`:
/// `interrupted after 1.20 s of 10.0 s: the figures are those of the time until then`.
pub fn interrupted(load: &LoadFacts, planned: Amount) -> String {
    let passed = units::duration(load.seconds);
    let of = match planned {
        Amount::Seconds(seconds) => format!("{passed} of {}", units::duration(seconds)),
        Amount::Requests(requests) => {
            let ended = load.completed + load.failures() + load.timed_out;
            format!(
                "{} of {} ({passed})",
                units::count(ended),
                counted(requests, "request")
            )
        }
    };
    format!("interrupted after {of}: the figures are those of the time until then")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_much_of_it_there_was() {
        let load = LoadFacts {
            seconds: 1.2,
            completed: 1_190,
            timed_out: 10,
            ..LoadFacts::default()
        };
        let seconds = interrupted(&load, Amount::Seconds(10.0));
        assert!(
            seconds.starts_with("interrupted after 1.20 s of 10.0 s: "),
            "{seconds}"
        );
        let requests = interrupted(&load, Amount::Requests(5_000));
        let words = "interrupted after 1,200 of 5,000 requests (1.20 s): ";
        assert!(requests.starts_with(words), "{requests}");
    }
}
