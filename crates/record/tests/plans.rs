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
