//! `weir client --to`: a server answers what a program asks of weir's origin.

use crate::client::client;
use crate::support::{Place, nginx, two_free_ports};

/// What it is answered has to come from the server.
const ASKS: &str = "import os, urllib.request\n\
    for _ in range(5):\n\
    \x20   answer = urllib.request.urlopen(os.environ['WEIR_URL'])\n\
    \x20   assert answer.headers['Server'].startswith('nginx'), answer.headers\n\
    \x20   assert answer.read() == b'hello'\n";

#[test]
fn a_server_answers_what_is_passed_on_to_it() {
    let (_nginx, url) = nginx();
    let place = Place::new();
    place.write("asks.py", ASKS);
    let account = client(&place, &["--to", &url, "--", "python3", "asks.py"]);
    let (forwarded, succeeded) = (&account["talk"]["forwarded"], &account["succeeded"]);
    assert_eq!(
        (&forwarded["answered"], &forwarded["failed"], succeeded),
        (&5.into(), &0.into(), &true.into()),
        "{account:#}"
    );
    let said = place.run(&["client", "--to", &url, "--", "python3", "asks.py"]);
    let words = "5 responses to requests that were passed on to it";
    assert!(said.out.contains(words), "{}", said.out);
    let below = format!("{url}api");
    place
        .run(&["client", "--to", &below, "--", "python3", "asks.py"])
        .fails(2, &["has a path", "--to http://127.0.0.1:8000/"]);
    place
        .run(&["client", "--to", &url, "--dns", "--", "true"])
        .fails_with(2);
    place.assert_clean();
}

/// What a server refuses is no success, however fast and well it ends.
#[test]
fn a_server_that_refuses_all_is_told_by_status_and_without_a_rate() {
    let nginx = testkit::Nginx::start("location / { return 501; }");
    let (place, url) = (Place::new(), format!("http://{}/", nginx.address()));
    let asks = "import sys, urllib.request, urllib.error\n\
        for _ in range(4):\n\
        \x20   try: urllib.request.urlopen(sys.argv[1])\n\
        \x20   except urllib.error.HTTPError as error: assert error.code == 501\n";
    let said = place.run(&["client", "--to", &url, "--", "python3", "-c", asks, "{url}"]);
    // lines are broken where the page ends
    let words = said.succeeds().out.split_whitespace();
    let words = words.collect::<Vec<_>>().join(" ");
    for told in [
        "4 responses to requests that were passed on to it (501: 4)",
        "! the server answers nothing with a status from 200 to 299",
    ] {
        assert!(words.contains(told), "`{told}`: {}", said.out);
    }
    assert!(!words.contains("req/s"), "of four requests: {}", said.out);
}

/// Is told in place of a server that there is none, and ends well.
const REFUSED: &str = "import os, urllib.error, urllib.request\n\
    try:\n\
    \x20   urllib.request.urlopen(os.environ['WEIR_URL'])\n\
    except urllib.error.HTTPError as error:\n\
    \x20   assert error.code == 502, error\n";

#[test]
fn a_server_that_is_not_there_is_told_and_ends_as_a_target_does() {
    let place = Place::new();
    place.write("asks.py", REFUSED);
    let to = format!("http://127.0.0.1:{}/", two_free_ports());
    let command = ["--", "python3", "asks.py"];
    let said = place.run(&[&["client", "--to", &to], &command[..]].concat());
    assert_eq!(said.code, 9, "{}{}", said.out, said.err);
    // lines are broken where the page ends
    let words = said.out.split_whitespace().collect::<Vec<_>>().join(" ");
    for told in ["What stands out", "! the server does not answer all"] {
        assert!(words.contains(told), "{}", said.out);
    }
    let against = ["client", "--to", &to, "--against", "python3 asks.py"];
    place
        .run(&[&against[..], &command].concat())
        .fails(9, &["answered none of the requests", "`--to`"]);
    place.assert_clean();
}
