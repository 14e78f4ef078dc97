//! Peers that send the same again and again and never read: no more is pending for them than the bound,
//! whatever they send.

use load::{MOST_PENDING, is_beyond};
use wire::{Ask, Protocol, Session, Setup, Visitor};

use crate::answers::plain;
use crate::websocket::agreement;

/// How often the bytes are sent: what they can do to the state of a session shows soon.
const TIMES: usize = 8;
/// Most that one byte received may make a session owe, frames and resets included.
const EACH: usize = 16;

pub(crate) fn check(data: &[u8]) {
    for body in [&[][..], &[b'x'; 9000]] {
        for protocol in Protocol::ALL {
            let _ = protocol.dispatch(false, Flood { data, body }); // or weir does not speak it
        }
    }
}

/// Bytes that a peer sends again and again, and the body that it is sent.
struct Flood<'a> {
    data: &'a [u8],
    body: &'a [u8],
}

impl Visitor for Flood<'_> {
    type Output = ();

    fn visit<S: Session + Send>(self) {
        flood::<S>(self.data, self.body);
    }
}

/// # Panics
/// When a connection that is failed at the bound has more pending than that and one reading's worth.
fn flood<S: Session>(data: &[u8], body: &[u8]) {
    let ask = Ask {
        body,
        ..plain("GET")
    };
    let Ok(request) = S::prepare(&ask) else {
        return;
    };
    let mut sent = Vec::new();
    let mut session = S::open(&Setup::default(), &mut sent);
    session.send(0, &request, &mut sent);
    // Where there is an upgrade, it is agreed to.
    let mut owed = Vec::new();
    if sent.windows(18).any(|piece| piece == b"Sec-WebSocket-Key:") {
        let outcome = session.receive(&agreement(&sent), &mut owed, |_, _| {});
        assert_eq!(outcome, Ok(()));
    }
    // A flood has gone before, and brought it to the brink.
    let length = S::length(&request);
    let mut pending = MOST_PENDING + owed.len();
    for _ in 0..TIMES {
        let mut owed = Vec::new();
        let outcome = session.receive(data, &mut owed, |_, _| {});
        assert!(
            owed.len() <= EACH * data.len() + length,
            "{} bytes owed for {}",
            owed.len(),
            data.len()
        );
        pending += owed.len();
        if outcome.is_err() || is_beyond(pending, [length]) {
            break;
        }
        assert!(pending <= MOST_PENDING + length + length / 64);
    }
}
