//! Plans are read as they were stored, those from before a key existed among them.

use record::{Amount, Load, Protocol, Shape, WarmUpPlan};

#[test]
fn a_load_that_says_nothing_of_streams_has_one() {
    let load = Load {
        connections: 2,
        amount: Amount::Requests(20),
        warm_up: WarmUpPlan::None,
        keep_alive: true,
        threads: 1,
        timeout: 30.0,
        shape: Shape::default(),
        streams: 7,
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
fn protocols_have_one_name_each() {
    for (protocol, name) in [
        (Protocol::Http1, "http1"),
        (Protocol::Http10, "http10"),
        (Protocol::Http2, "http2"),
        (Protocol::FastCgi, "fastcgi"),
    ] {
        assert_eq!(serde_json::to_value(protocol).unwrap(), name);
    }
}
