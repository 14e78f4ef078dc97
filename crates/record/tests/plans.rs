//! Plans are read as they were stored, those from before a key existed among them.

use record::{App, Choice, Load, Method, Plan, Protocol, RequestFile, Route, Stress, Variant};

#[test]
fn a_load_that_says_nothing_of_streams_has_one() {
    let load = Load {
        streams: 7,
        ..Load::default()
    };
    let mut stored = serde_json::to_value(&load).unwrap();
    assert_eq!(
        serde_json::from_value::<Load>(stored.clone()).unwrap(),
        load
    );
    stored.as_object_mut().unwrap().remove("streams");
    let read: Load = serde_json::from_value(stored).unwrap();
    assert_eq!(read, Load { streams: 1, ..load });
}

#[test]
fn protocols_are_stored_by_their_names_and_read_by_any_word() {
    for protocol in Protocol::ALL {
        let stored = serde_json::to_value(protocol).unwrap();
        assert_eq!(stored, protocol.name());
        let words = [Some(protocol.name()), protocol.scheme(false)];
        for word in words.into_iter().flatten() {
            let read: Protocol = serde_json::from_value(word.into()).unwrap();
            assert_eq!(read, *protocol, "`{word}`");
        }
    }
    for (older, protocol) in [
        ("web-socket", Protocol::WebSocket),
        ("fcgi", Protocol::FastCgi),
    ] {
        let read: Protocol = serde_json::from_value(older.into()).unwrap();
        assert_eq!(read, protocol);
    }
    assert!(serde_json::from_value::<Protocol>("https".into()).is_err());
}

#[test]
fn stress_is_for_variants_that_can_have_it() {
    let post = Route {
        method: Method::Post,
        ..Route::get("/orders")
    };
    let plan = Plan {
        app: App {
            routes: vec![Route::get("/"), post],
            ..App::default()
        },
        blocks: 1,
        stress: vec![Stress::TwiceTheLoad, Stress::KilledWorker],
        ..Plan::default()
    };
    let variant = |route: &str, server: Option<Choice>| Variant {
        route: route.to_owned(),
        server,
        ..Variant::default()
    };
    let server = || Some(Choice::of("some"));
    let can = |variant: &Variant| [1, 2].map(|block| plan.load_in(block, variant).is_some());
    assert_eq!(can(&variant("/", server())), [true, true]);
    // nobody could say how many would be sent
    let writing = variant("POST /orders", server());
    assert_eq!(can(&writing), [false, false]);
    assert!(plan.load_in(0, &writing).is_some());
    // a file of requests is what is asked, and not the route
    let mut mixed = variant("POST /orders", server());
    mixed.load = Some(Load {
        requests_from: Some(RequestFile::Mix("mix.toml".into())),
        ..Load::default()
    });
    assert_eq!(can(&mixed), [true, true]);
    // there is no worker to kill
    assert_eq!(can(&variant("/", None)), [true, false]);
}
