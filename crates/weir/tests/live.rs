//! What a person sees on a terminal while a load runs.

use std::process::{Command, Stdio};

use crate::support::Place;
use testkit::{ScriptedPeer, Step, answer};

/// Runs weir on a terminal of its own, which `script` makes, and returns all that it showed there.
fn on_a_terminal(place: &Place, args: &[&str]) -> String {
    let weir = place.weir(args);
    let words = [weir.get_program()].into_iter().chain(weir.get_args());
    let words: Vec<_> = words.map(|word| word.to_str().unwrap()).collect();
    let line = shlex::try_join(words).unwrap();
    let mut terminal = Command::new("script");
    terminal
        .args(["-qec", &line, "/dev/null"])
        .stdin(Stdio::null());
    for (name, value) in weir.get_envs() {
        match value {
            Some(value) => terminal.env(name, value),
            None => terminal.env_remove(name),
        };
    }
    let shown = crate::support::said(terminal);
    shown.out
}

#[test]
fn it_shows_offered_beside_achieved_and_what_the_engine_does() {
    // every other connection is answered wrongly
    let peer = ScriptedPeer::tcp(|connection| {
        let status = if connection % 2 == 0 { 200 } else { 500 };
        Step::serve(answer(status, &[], "hello"))
    });
    let url = format!("http://{}/", peer.address());
    let place = Place::new();
    let shown = on_a_terminal(
        &place,
        &[
            "bench",
            &url,
            "-R",
            "300",
            "-d",
            "2s",
            "-c",
            "4",
            "--warm-up",
            "0s",
        ],
    );
    for words in [
        " req/s offered",
        " in flight · engine ",
        " s left · ",
        " % busy, ",
        " late (p99)",
        " failed",
        "p99 ",
    ] {
        let live = shown.split("accounted").next().unwrap();
        assert!(live.contains(words), "`{words}`: {shown}");
    }
    let closed = on_a_terminal(
        &place,
        &["bench", &url, "-d", "1s", "-c", "4", "--warm-up", "0s"],
    );
    assert!(closed.contains(" in flight · engine "), "{closed}");
    assert!(!closed.contains(" offered"), "{closed}");
}
