//! A server's side of WebSocket: its answer to the upgrade, and its frames.

use wire::websocket::accept;
use wire::{Ask, Session as _, Setup, WebSocket};

use crate::answers::{Read, cut, hear, plain, random};

/// Reads `data` as what follows an upgrade that the server has agreed to, and as its answer to one.
///
/// # Panics
/// When what the bytes mean depends on how they are cut, or is more than was received.
pub(crate) fn check(data: &[u8]) {
    let ask = Ask {
        body: b"hello",
        ..plain("GET")
    };
    let request = WebSocket::prepare(&ask).expect("a plain message");
    for agreed in [true, false] {
        let hear = |size: Option<usize>| -> Read {
            let mut sent = Vec::new();
            let mut session = WebSocket::open(&Setup::default(), &mut sent);
            session.send(0, &request, &mut sent);
            let answer = if agreed { agreement(&sent) } else { Vec::new() };
            let bytes = [&answer, data].concat();
            let pieces: Vec<&[u8]> = match size {
                Some(0) => cut(&bytes, &mut random(data)),
                Some(size) => bytes.chunks(size).collect(),
                None => vec![&bytes],
            };
            hear(session, &pieces)
        };
        let whole = hear(None);
        // Each frame of at least two bytes is owed one of at least six; the message is owed once.
        let (upgraded, message) = (256, 16);
        assert!(whole.owed.len() <= 4 * data.len() + message, "{whole:?}");
        assert!(whole.told() <= data.len() + upgraded, "{whole:?}");
        for size in [Some(1), Some(0)] {
            let cut = hear(size);
            assert!(whole.agrees_with(&cut), "whole {whole:?}\ncut   {cut:?}");
        }
    }
}

pub(crate) fn agreement(sent: &[u8]) -> Vec<u8> {
    let sent = String::from_utf8_lossy(sent);
    let key = sent.split_once("Sec-WebSocket-Key: ").expect("a key").1;
    let accept = accept(key.lines().next().unwrap_or_default());
    format!("HTTP/1.1 101 Yes\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {accept}\r\n\r\n")
        .into_bytes()
}
