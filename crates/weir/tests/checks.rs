//! What counts as a correct response: each check as it is typed, kept and broken.

use std::fs;

use crate::support::{Place, Said};
use serde_json::Value;
use testkit::{ScriptedPeer, Step, answer};

const RIGHT: &str = r#"{"items":[{"id":7}],"ok":true}"#;
const WRONG: &str = r#"{"items":[{"id":8}],"ok":"no"}"#;
/// Of `RIGHT`, as `sha256sum` prints it.
const HASH: &str = "1c6069f8901de8ab977f17ae89108e9c28a0dcfd2b173a546db77b33e95e8e1c";

fn right() -> Step {
    Step::Send(answer(200, &[("X-Worker", "7")], RIGHT))
}

/// Every fourth answer of a connection is another one, with another header.
fn faulty() -> ScriptedPeer {
    let wrong = Step::Send(answer(200, &[("X-Worker", "8")], WRONG));
    let good = vec![Step::Read, right()];
    let round = vec![Step::Times(3, good), Step::Read, wrong];
    ScriptedPeer::tcp(move |_| vec![Step::Forever(round.clone())])
}

fn bench(place: &Place, peer: &ScriptedPeer, more: &[&str]) -> Said {
    let url = format!("http://{}/", peer.address());
    let args = ["bench", &url, "-c", "1", "-n", "40", "--warm-up", "0s"];
    let said = place.run(&[&args, more].concat());
    // so few answers make no figures to trust; what they were counts here
    said.measured();
    said
}

fn load(said: &Said) -> Value {
    said.load()["load"].clone()
}

/// The checks as typed, their names in the report, and what the first wrong answer is said to be.
const CHECKS: [(&[&str], &str, &str); 5] = [
    (
        &["--expect-header", "X-Worker: 7"],
        "header X-Worker: 7",
        "header `X-Worker` is not `7`: `8`",
    ),
    (
        &["--matches", r#""id":[1-7]\b"#],
        r#"matches "id":[1-7]\b"#,
        "body is not matched by",
    ),
    (&["--sha256", HASH], "sha256", "SHA-256 of its 30 bytes is "),
    (
        &["--json-path", "$.items[0].id = 7"],
        "$.items[0].id = 7",
        "is `8`, not `7`",
    ),
    (
        &["--json-path", "$[?@ == true]"],
        "$[?@ == true]",
        "nothing at ",
    ),
];

#[test]
fn each_that_is_kept_fails_nothing() {
    let place = Place::new();
    let good = vec![Step::Read, right()];
    let peer = ScriptedPeer::tcp(move |_| vec![Step::Forever(good.clone())]);
    place.write("right.json", RIGHT);
    for (flags, name, _) in CHECKS {
        let of = load(&bench(&place, &peer, &[flags, &["--json"]].concat()));
        assert_eq!(of["completed"], 40, "{name}");
        let check = &of["checks"][0];
        assert_eq!(
            (&check["looked_at"], &check["failed"]),
            (&40.into(), &0.into())
        );
        assert_eq!(check["name"], name);
    }
    let of = load(&bench(&place, &peer, &["--equals", "right.json", "--json"]));
    assert_eq!(
        (&of["completed"], &of["bodies"]["compared"]),
        (&40.into(), &40.into())
    );
}

#[test]
fn each_that_is_broken_is_a_named_failure_with_an_example() {
    let (place, peer) = (Place::new(), faulty());
    for (flags, name, example) in CHECKS {
        let of = load(&bench(&place, &peer, &[flags, &["--json"]].concat()));
        assert_eq!(
            (&of["completed"], &of["failed"]["check"]),
            (&30.into(), &10.into())
        );
        let check = &of["checks"][0];
        assert_eq!(
            (&check["looked_at"], &check["failed"]),
            (&40.into(), &10.into())
        );
        let seen = check["example"].as_str().unwrap();
        assert!(seen.contains(example), "{name}: {seen}");

        let text = bench(&place, &peer, flags).out;
        // a long line is wrapped
        let text: Vec<_> = text.split_whitespace().collect();
        let text = text.join(" ");
        assert!(text.contains("10 × a check failed"), "{text}");
        let named = format!("`{name}`: ");
        assert!(text.contains(&named), "`{named}` in {text}");
        assert!(text.contains(example), "`{example}` in {text}");
    }
}

#[test]
fn a_body_is_that_of_a_file_to_the_byte() {
    let (place, peer) = (Place::new(), faulty());
    place.write("right.json", RIGHT);
    let said = bench(&place, &peer, &["--equals", "right.json"]);
    assert!(said.out.contains("10 × unexpected body"), "{}", said.out);
    let differs = "differs at byte 16: `ems\":[{\"id\":8}]";
    let text: Vec<_> = said.out.split_whitespace().collect();
    assert!(text.join(" ").contains(differs), "{}", said.out);
    fs::remove_file(place.path("right.json")).unwrap();
    let url = format!("http://{}/", peer.address());
    place
        .run(&["bench", &url, "-n", "1", "--equals", "right.json"])
        .fails(2, &["`right.json`"]);
}

#[test]
fn one_in_so_many_is_looked_at() {
    let (place, peer) = (Place::new(), faulty());
    let check = ["--expect-header", "X-Worker: 7", "--json", "--check-every"];
    // Numbers 5, 10 … are looked at; of those, 20 and 40 are wrong.
    let of = load(&bench(&place, &peer, &[&check[..], &["5"]].concat()));
    let found = &of["checks"][0];
    assert_eq!(
        (&found["looked_at"], &found["failed"]),
        (&8.into(), &2.into())
    );
    assert_eq!(
        (&of["completed"], &of["failed"]["check"]),
        (&38.into(), &2.into())
    );
}

#[test]
fn what_makes_no_check_is_refused() {
    let (place, peer) = (Place::new(), faulty());
    let url = format!("http://{}/", peer.address());
    for (flags, word) in [
        (["--sha256", "ff"], "64 hexadecimal digits"),
        (["--json-path", "items"], "begins with `$`"),
        (["--check-every", "0"], "--check-every"),
        (["--expect-header", "none"], "Name: value"),
        (["--matches", "("], "regular expression"),
    ] {
        let said = place.run(&[&["bench", &url, "-n", "1"], &flags[..]].concat());
        assert_eq!(said.code, 2, "{flags:?} {}", said.err);
        assert!(said.err.contains(word), "{}", said.err);
    }
    assert_eq!(peer.connections(), 0);
}

/// Every fourth response of a connection is an error with a good status.
#[test]
fn responses_that_are_much_shorter_are_told_beside_one_load_and_beside_many() {
    let short = Step::Send(answer(200, &[], "oops"));
    let long = vec![Step::Read, Step::Send(answer(200, &[], RIGHT))];
    let round = vec![Step::Times(3, long), Step::Read, short];
    let peer = ScriptedPeer::tcp(move |_| vec![Step::Forever(round.clone())]);
    let place = Place::new();
    let words = |said: &Said| said.out.split_whitespace().collect::<Vec<_>>().join(" ");
    let one = words(&bench(&place, &peer, &[]));
    let seen = "10 of 40 responses (25.0 %): 4 bytes, where the longest has 30";
    assert!(one.contains(seen), "{one}");
    let asked = bench(&place, &peer, &["--contains", "items"]);
    let asked = words(&asked);
    assert!(!asked.contains("much shorter"), "{asked}");
    assert!(!asked.contains("--dynamic"), "no server of weir's: {asked}");
    let url = format!("http://{}/", peer.address());
    let sweep = ["--sweep", "connections=1,2", "-n", "40", "--warm-up", "0s"];
    let sweep = place.run(&[&["bench", &url][..], &sweep].concat());
    let many = words(sweep.measured());
    let told = format!("some responses are much shorter than others (1 connection): {seen} → ");
    assert!(many.contains(&told), "{many}");
    assert_eq!(many.matches("much shorter").count(), 1, "{many}");
}
