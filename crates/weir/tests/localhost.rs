//! A name with several addresses: the first at which something listens is loaded.

use crate::support::Place;
use testkit::{Refusing, ScriptedPeer, Step, answer};

fn peer() -> (ScriptedPeer, String) {
    let peer = ScriptedPeer::tcp(|_| Step::serve(answer(200, &[], "hello")));
    let url = format!("http://localhost:{}/", peer.address().port());
    (peer, url)
}

/// Whichever of its addresses the resolver names first.
#[test]
fn it_is_loaded_where_the_server_listens() {
    let (_peer, url) = peer();
    let place = Place::new();
    let load = ["bench", &url, "-c", "1", "-n", "20", "--warm-up", "0s"];
    let said = place.run(&load);
    assert!(
        said.out.contains("20 completed"),
        "{}{}",
        said.out,
        said.err
    );
    place.run(&["ab", "-n", "10", &url]).succeeds();
    place
        .run(&["wrk", "-t1", "-c1", "-d", "200ms", &url])
        .succeeds();
    place.write("urls.toml", &plan(&url));
    place.run(&["run", "urls.toml"]).measured();
    let nobody = Refusing::new();
    let url = format!("http://localhost:{}/", nobody.address().port());
    place
        .run(&["bench", &url, "-c", "1", "-n", "20"])
        .fails(9, &["connection refused", "nothing listens there"]);
}

fn plan(url: &str) -> String {
    let load = "[load]\nconnections = 1\nrequests = 200\nwarm-up = { requests = 20 }\n";
    format!(
        "blocks = 1\nnoise-floor = \"none\"\n{load}[[variant]]\nname = \"one\"\nurl = \"{url}\"\n"
    )
}

#[test]
fn a_plan_that_is_only_looked_through_connects_to_nothing() {
    let (peer, url) = peer();
    let place = Place::new();
    place.write("urls.toml", &plan(&url));
    place.run(&["run", "urls.toml", "--dry-run"]).succeeds();
    assert_eq!(peer.connections(), 0);
}
