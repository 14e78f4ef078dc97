//! `weir client`: the response that a command has to its requests is the one that was asked for.

use crate::support::schema::assert_is;
use crate::support::{Place, Said};

/// Makes one request, and ends with 0 where the response has this status and body and took so many seconds at least.
const ASKS: &str = "
import os, sys, time, urllib.error, urllib.request
status, body, least = int(sys.argv[1]), sys.argv[2], float(sys.argv[3])
began = time.monotonic()
try:
    response = urllib.request.urlopen(os.environ['WEIR_URL'])
except urllib.error.HTTPError as error:
    response = error
came = response.status, response.read().decode()
took = time.monotonic() - began
if came != (status, body) or took < least:
    sys.exit(f'{came} after {took} s')
";

/// The client that expects this, and the response that these options make.
fn asked(place: &Place, options: &[&str], expected: [&str; 3]) -> Said {
    let command = ["--", "python3", "asks.py"];
    let args = [&["client", "--json"][..], options, &command, &expected];
    place.run(&args.concat())
}

#[test]
fn a_status_a_body_and_a_delay_are_those_that_were_asked_for() {
    let place = Place::new();
    place.write("asks.py", ASKS);
    let bytes = "x".repeat(1000);
    for (options, expected) in [
        (&[][..], ["200", "ok\n", "0"]),
        (&["--status", "503"], ["503", "ok\n", "0"]),
        (&["--body", "hello there"], ["200", "hello there", "0"]),
        (&["--body", ""], ["200", "", "0"]),
        (&["--body-bytes", "1000"], ["200", bytes.as_str(), "0"]),
        (&["--delay", "300ms"], ["200", "ok\n", "0.3"]),
        (
            &["--delay", "60ms", "--status", "404", "--body", "no"],
            ["404", "no", "0.06"],
        ),
    ] {
        let account = asked(&place, options, expected).succeeds().json();
        assert_is("client", &account);
        assert_eq!(account["talk"]["requests"], 1, "{options:?}: {account:#}");
    }
    // the client sees what is not as it should be
    let other = asked(&place, &["--status", "404"], ["503", "ok\n", "0"]);
    assert_eq!(other.code, 4, "{}{}", other.out, other.err);
    assert!(other.err.contains("| (404, "), "{}", other.err);
    for wrong in [
        &["--status", "199"][..],
        &["--status", "600"],
        &["--body", "a", "--body-bytes", "1"],
    ] {
        asked(&place, wrong, ["200", "ok\n", "0"]).fails_with(2);
    }
    place.assert_clean();
}
