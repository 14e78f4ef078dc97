//! Which statuses `weir bench` takes for right, what it says of others, and how it asks.

use crate::support::{Place, Said, scripted};
use testkit::{ScriptedPeer, Step, answer};

/// A server whose responses have this status, and these headers.
fn peer(status: u16, headers: &[(&str, &str)]) -> (ScriptedPeer, String) {
    let reply = answer(status, headers, "");
    scripted(move |_| Step::serve(reply.clone()))
}

fn bench(url: &str, more: &[&str]) -> Said {
    let args = ["bench", url, "-c", "1", "-n", "20", "--warm-up", "0s"];
    Place::new().run(&[&args[..], more].concat())
}

fn answered(said: &Said) {
    let all = "20 scheduled = 20 completed + 0 failed";
    assert!(said.out.contains(all), "{}{}", said.out, said.err);
}

#[test]
fn each_status_of_success_is_right_unless_others_are_named() {
    for status in [200, 201, 204] {
        let (_peer, url) = peer(status, &[]);
        answered(&bench(&url, &[]));
    }
    let (_peer, url) = peer(201, &[]);
    let words = ["status 201 where 200 was expected", "`--status 201`"];
    bench(&url, &["--status", "200"]).fails(9, &words);
    let (_peer, url) = peer(301, &[]);
    answered(&bench(&url, &["--status", "200,301"]));
    answered(&bench(&url, &["--status", "200", "--status", "301"]));
    let words = ["status 301 where 200 or 302 was expected"];
    bench(&url, &["--status", "200,302"]).fails(9, &words);
    assert_eq!(bench(&url, &["--status", "99"]).code, 2);
}

#[test]
fn a_redirect_is_told_with_where_it_leads() {
    let to = "https://shop.example/start";
    let (_peer, url) = peer(301, &[("Location", to)]);
    let words = [
        "status 301 to `https://shop.example/start` where 200 to 299 was expected",
        "load what it leads to, `https://shop.example/start`",
        "`--status 301`",
    ];
    bench(&url, &[]).fails(9, &words);
    answered(&bench(&url, &["--status", "301"]));
}

/// As curl does; and as many as were asked for, since each may change something.
#[test]
fn what_has_a_body_is_posted_unless_another_method_is_named() {
    let place = Place::new();
    place.write("body", "five!");
    for (more, line, count) in [
        (&["--body", "abc"][..], "POST / ", Some(20)),
        (&["--body-file", "body"], "POST / ", Some(20)),
        (&["--body", "abc", "-X", "PUT"], "PUT / ", Some(20)),
        (
            &["--body", "abc", "-X", "GET", "--warm-up", "100ms"],
            "GET / ",
            None,
        ),
        (&["--warm-up", "100ms"], "GET / ", None),
    ] {
        // a connection for each request: the peer reads no bodies
        let (peer, url) = peer(200, &[("Connection", "close")]);
        let load = ["bench", &url, "-c", "1", "-n", "20", "--no-keep-alive"];
        place.run(&[&load[..], more].concat()).measured();
        let requests = peer.requests();
        let first = String::from_utf8_lossy(&requests[0]);
        assert!(first.starts_with(line), "{more:?}: {first}");
        if let Some(count) = count {
            assert_eq!(requests.len(), count, "{more:?}");
        }
    }
}
