//! `weir client --to`: a server answers what a program asks of weir's origin.

use crate::client::client;
use crate::support::{Place, nginx};

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
