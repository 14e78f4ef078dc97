//! What a person sees on a terminal while a load runs.

use crate::support::through::on_a_terminal;
use crate::support::{Place, scripted};
use testkit::{Step, answer};

#[test]
fn it_shows_offered_beside_achieved_and_what_the_engine_does() {
    // every other connection is answered wrongly
    let (_peer, url) = scripted(|connection| {
        let status = if connection % 2 == 0 { 200 } else { 500 };
        Step::serve(answer(status, &[], "hello"))
    });
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
        " req/s answered, ",
        " offered",
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

#[test]
fn what_is_looked_at_before_there_is_a_result_is_shown() {
    let place = Place::new();
    let shown = on_a_terminal(&place, &["doctor"]);
    for words in ["looking for programs", "what other programs take"] {
        assert!(shown.contains(words), "`{words}`: {shown}");
    }
}
