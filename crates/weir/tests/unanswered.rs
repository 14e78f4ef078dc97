//! `weir bench` against servers that do not answer.

use crate::support::{Place, scripted};
use testkit::{ScriptedPeer, Step, answer};

/// One connection is never answered, the others are.
fn one_hangs() -> (ScriptedPeer, String) {
    scripted(|connection| {
        if connection == 0 {
            vec![Step::Read, Step::Stall]
        } else {
            Step::serve(answer(200, &[], "hello"))
        }
    })
}

/// A load with a time limit that no test lives to see: it must end by itself.
fn bench<'a>(url: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let args = ["bench", url, "-c", "2", "-d", "1s", "--timeout", "1h"];
    [&args[..], more].concat()
}

#[test]
fn what_hangs_at_the_end_is_told_in_every_form() {
    let (_peer, url) = one_hangs();
    let place = Place::new();
    let said = place.run(&bench(&url, &["--warm-up", "0s", "--json"]));
    let json = said.load();
    let kinds: Vec<_> = json["doubts"].as_array().unwrap().iter().collect();
    let told = kinds.iter().find(|doubt| doubt["kind"] == "unanswered");
    let because = told.expect("a doubt")["because"].as_str().unwrap();
    assert!(because.contains("cut off 1"), "{because}");
    assert_eq!(json["load"]["drain"]["unanswered"], 1);
    assert!(json["response"]["max"].as_f64().unwrap() > 1.0);
    assert!(
        !kinds.iter().any(|doubt| doubt["kind"] == "littles-law"),
        "{kinds:?}"
    );

    let (_peer, url) = one_hangs();
    let text = place.run(&bench(&url, &["--warm-up", "0s", "--explain"]));
    for words in [
        "without a correct response)",
        "requests had no correct response by the end",
        "1 got no response and count in the times as at least that long",
        "no response has come for half of the window",
        "1 request that got no response counted for as long as it lasted",
    ] {
        let unwrapped = text.out.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(unwrapped.contains(words), "`{words}`: {}", text.out);
    }
}

#[test]
fn a_server_that_never_answers_does_not_hold_it_until_the_time_limit() {
    let (_peer, url) = scripted(|_| vec![Step::Read, Step::Stall]);
    let place = Place::new();
    let said = place.run(&bench(&url, &["--warm-up", "1s"]));
    said.fails(9, &["was answered correctly: no response in", "hint:"]);
}

#[test]
fn a_wait_after_the_window_is_said_while_it_lasts() {
    let (_peer, url) = one_hangs();
    let place = Place::new();
    let said = place.run(&bench(&url, &["--warm-up", "0s", "--drain", "3s"]));
    let words = "end the wait for 1 request in flight";
    assert!(said.err.contains(words), "{}", said.err);
    let quiet = bench(&url, &["--warm-up", "0s", "--drain", "0s", "--quiet"]);
    assert!(!place.run(&quiet).err.contains(words));
}
