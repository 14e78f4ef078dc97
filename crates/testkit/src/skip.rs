use std::io::Write as _;

/// What the machine may lack, as a list with commas: `WEIR_MAY_SKIP=networks,ring`.
const MAY_SKIP: &str = "WEIR_MAY_SKIP";

/// Says that a test leaves out what the machine lacks, where whoever runs the tests has said that it may: what is left out
/// else looks as if it had been tested.
///
/// # Panics
/// When `WEIR_MAY_SKIP` does not name `what`.
#[track_caller]
pub fn may_skip(what: &str, why: &str) {
    let named = std::env::var(MAY_SKIP).unwrap_or_default();
    assert!(
        is_named(&named, what),
        "NOT TESTED: {why}; hint: `{MAY_SKIP}={what}` leaves it out"
    );
    // past the harness, which shows nothing of a test that passes; in a line of its own, whatever stands there
    let said = format!("\nNOT TESTED: {why}\n");
    let _ = std::io::stderr().write_all(said.as_bytes());
}

fn is_named(list: &str, what: &str) -> bool {
    list.split(',').any(|named| named.trim() == what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_named_may_be_left_out_and_nothing_else() {
        for list in ["networks", "ring,networks", "ring, networks"] {
            assert!(is_named(list, "networks"), "{list}");
        }
        for list in ["", ",", "network", "networks2", "ring"] {
            assert!(!is_named(list, "networks"), "{list}");
        }
    }

    #[test]
    #[should_panic(expected = "hint: `WEIR_MAY_SKIP=what no machine has` leaves it out")]
    fn what_is_not_named_fails() {
        may_skip("what no machine has", "there is none");
    }
}
