//! An option that belongs to another one is refused beside what excludes that, and not passed over.

use crate::support::Place;

#[test]
fn what_would_be_passed_over_is_refused() {
    let place = Place::new();
    let url = "http://127.0.0.1:9/";
    for args in [
        &["endpoints", "access.log", "--seconds", "5s"][..],
        &["profile", "last", "--seconds", "5s"],
        &["profile", "last", "--app", "."],
        &["claims", "--json", "--before", "old.db"],
        &["claims", "--estimate", "--before", "old.db"],
        &["bench", url, "-R", "10", "--demand", "3M/day"],
        &["bench", url, "--sweep", "connections=1,2", "--peak", "3"],
        &["bench", url, "--mix", "mix.toml", "--pace", "2x"],
        &["bench", url, "--page", "--log-format", "json"],
        &["bench", url, "--script", "a.lua", "--replay-check", "none"],
        &["bench", url, "--mix", "mix.toml", "--", "an argument"],
    ] {
        let said = place.run(args);
        assert_eq!(said.code, 2, "{args:?}: {}{}", said.out, said.err);
        let words = "cannot be used with";
        assert!(said.err.contains(words), "{args:?}: {}", said.err);
    }
}

#[test]
fn a_profile_is_of_one_variant() {
    let said = Place::new().run(&["profile", "last:one", "two"]);
    said.fails(2, &["`one` and `two`", "`weir profile RUN:VARIANT`"]);
}
