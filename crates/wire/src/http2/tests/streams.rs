//! Many at once.

use super::super::frame::{GOAWAY, PING, RST_STREAM};
use super::*;

fn reset(stream: u32, code: u32) -> Vec<u8> {
    framed(RST_STREAM, 0, stream, &code.to_be_bytes())
}

fn go_away(last: u32) -> Vec<u8> {
    framed(
        GOAWAY,
        0,
        0,
        &[&last.to_be_bytes()[..], &[0; 4], b"bye"].concat(),
    )
}

#[test]
fn answers_come_in_any_order() {
    let mut client = Client::new(3, &[]);
    client.get(3);
    assert_eq!(client.session.capacity(), 0);
    let bytes = [
        head(5, OK, false),
        head(1, OK, false),
        data(5, b"five", false),
        data(1, b"one", true),
        head(3, OK, true),
        data(5, b"", true),
    ];
    let wanted = [
        "2 begins", "2 200", "0 begins", "0 200", "2 five", "0 one", "0 done", "1 begins", "1 200",
        "1 done", "2 done",
    ];
    assert_eq!(client.hear(&bytes.concat()), wanted);
    assert_eq!((client.session.capacity(), client.said()), (3, vec![]));
}

/// One answer lasts while thousands come and go: its place must not be taken from it.
#[test]
fn a_stream_that_lasts_keeps_its_place() {
    let mut client = Client::new(3, &[]);
    let request = Http2::prepare(&asking("GET")).unwrap();
    client.ask(1000, &request);
    let first = stream_of(&client.said());
    let mut last = first;
    for exchange in 0..5000 {
        client.ask(exchange, &request);
        let stream = stream_of(&client.said());
        assert!(stream > last && stream % 2 == 1);
        last = stream;
        let heard = client.hear(&[head(stream, OK, false), data(stream, b"ok", true)].concat());
        assert_eq!(heard.last(), Some(&format!("{exchange} done")));
    }
    assert_eq!(
        client.hear(&head(first, OK, true)).last().unwrap(),
        "1000 done"
    );
    assert_eq!(client.session.capacity(), 3);
}

fn stream_of(said: &[u8]) -> u32 {
    u32::from_be_bytes(*said[5..].first_chunk().unwrap())
}

#[test]
fn the_peer_says_how_many() {
    let mut client = Client::new(500, &[(3, 2)]);
    assert_eq!(client.session.capacity(), 2);
    client.get(2);
    client.hear(&settings(&[(3, 1)]));
    assert_eq!(client.session.capacity(), 0);
    client.hear(&settings(&[(3, 3)]));
    assert_eq!(client.session.capacity(), 1);
    // Before it has said so, no more than every peer should take; one that says nothing takes all.
    let setup = Setup {
        depth: 500,
        ..Setup::default()
    };
    let session = Http2::open(&setup, &mut Vec::new());
    assert_eq!(session.capacity(), 100);
    assert_eq!(Client::new(500, &[]).session.capacity(), 500);
}

#[test]
fn what_is_owed_to_the_peer_is_said() {
    let mut client = Client::new(1, &[]);
    client.hear(&framed(PING, 0, 0, b"abcdefgh"));
    assert_eq!(client.said(), framed(PING, ACK, 0, b"abcdefgh"));
    client.hear(&framed(PING, ACK, 0, b"abcdefgh"));
    client.hear(&framed(SETTINGS, ACK, 0, &[]));
    assert!(client.said().is_empty());
}

#[test]
fn windows_are_given_back_in_large_steps() {
    let mut client = Client::new(2, &[]);
    client.get(2);
    client.hear(&[head(1, OK, false), head(3, OK, false)].concat());
    let piece = [b'x'; 16_384];
    let (one, three) = (data(1, &piece, false), data(3, &piece, false));
    let mut said = Vec::new();
    let steps = (WINDOW / 2) / 16_384;
    for _ in 0..steps {
        for bytes in [&one, &three] {
            let listen = |_, _: Event<'_>| ();
            client
                .session
                .receive(bytes, &mut client.out, listen)
                .unwrap();
        }
        said.extend(client.said());
    }
    // Both streams have filled half of the connection's window twice, and not yet their own.
    let half = window(0, (steps + 1) * 16_384);
    assert_eq!(said, half);
    client.hear(&[one, three].concat());
    let own = (steps + 1) * 16_384;
    assert_eq!(
        client.said(),
        [window(1, own), half.clone(), window(3, own)].concat()
    );
}

#[test]
fn one_may_fail_alone() {
    let mut client = Client::new(4, &[]);
    client.get(4);
    let wrong = block("200", &[("Capital", "x")]);
    let bytes = [
        reset(1, 7),
        reset(3, 2),
        head(5, &wrong, false),
        data(5, b"late", true), // it cannot know yet that we have given it up
        head(7, OK, true),
    ];
    let wanted = [
        "0 refused before any work on it",
        "1 given up by the peer with error code 2",
        "2 begins",
        "2 the head does not parse",
        "3 begins",
        "3 200",
        "3 done",
    ];
    assert_eq!(client.hear(&bytes.concat()), wanted);
    assert_eq!(client.said(), reset(5, 1));
    assert_eq!(client.session.capacity(), 4);
}

#[test]
fn a_request_can_be_given_up() {
    let mut client = Client::new(2, &[]);
    client.get(2);
    assert!(client.session.cancel(0, &mut client.out));
    assert_eq!(client.said(), reset(1, 8));
    assert_eq!(client.session.capacity(), 1);
    // Its frames come all the same, and their header blocks count for those that follow.
    let adds = [0x88, 0x40, 1, b'n', 1, b'v'];
    let bytes = [
        head(1, &adds, false),
        data(1, b"late", true),
        head(3, &[0x88, 0xbe], true),
    ];
    assert_eq!(
        client.hear(&bytes.concat()),
        ["1 begins", "1 200", "1 done"]
    );
    assert!(
        client.session.cancel(77, &mut client.out),
        "nobody's number"
    );
    assert!(client.said().is_empty());
}

#[test]
fn a_peer_that_goes_away_answers_what_it_has_begun() {
    let mut client = Client::new(4, &[]);
    client.get(3);
    let refused = [
        "1 refused before any work on it",
        "2 refused before any work on it",
    ];
    assert_eq!(client.hear(&go_away(1)), refused);
    assert_eq!(client.session.capacity(), 0);
    assert_eq!(
        client.hear(&head(1, OK, true)),
        ["0 begins", "0 200", "0 done, the last"]
    );
    assert_eq!(client.session.close(|_, _| ()), End::Idle);
}

#[test]
fn a_connection_that_is_not_to_be_kept_takes_one_request() {
    let ask = Ask {
        keep_alive: false,
        ..asking("GET")
    };
    let mut client = Client::new(4, &[]);
    client.ask(0, &Http2::prepare(&ask).unwrap());
    assert_eq!(client.session.capacity(), 0);
    assert_eq!(client.hear(&head(1, OK, true))[2], "0 done, the last");
}

#[test]
fn a_connection_whose_numbers_are_used_up_takes_no_more() {
    let mut client = Client::new(1, &[]);
    client.session.connection.streams.skip_to((1 << 31) - 5);
    assert_eq!(client.session.capacity(), 1);
    client.get(1);
    let last = (1 << 31) - 5;
    assert_eq!(client.hear(&head(last, OK, true))[2], "0 done, the last");
    assert_eq!(client.session.capacity(), 0);
}
