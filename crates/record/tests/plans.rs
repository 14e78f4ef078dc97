//! Plans are read as they were stored, those from before a key existed among them.

use record::{Load, Protocol};

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
