use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rustls::crypto::ring;
use sha1::{Digest as _, Sha1};

use super::frame::{self, Kind};
use crate::{Ask, Unsendable};

/// What a server adds to the key to show that it knows WebSocket (section 1.3).
const GUID: &str = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/// Headers that are the handshake's own.
const OWN: [&str; 5] = [
    "upgrade",
    "connection",
    "sec-websocket-key",
    "sec-websocket-version",
    "content-length",
];

/// An upgrade and a message as bytes, written once and sent many times. Key and mask are drawn once for
/// all of them: fresh ones protect what lies between from a client that is somebody else's script
/// (section 10.3), which this is not, and no server can tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    pub(super) upgrade: Vec<u8>,
    /// What the server must answer to its key.
    pub(super) accept: String,
    pub(super) message: Arc<[u8]>,
    pub(super) key: [u8; 4],
    /// Whether the connection is to be kept for another message.
    pub(super) keep: bool,
}

impl Request {
    /// The path's upgrade, and the body as a message: text where it is UTF-8, else binary.
    pub(super) fn new(ask: &Ask<'_>) -> Result<Self, Unsendable> {
        ask.check()?;
        if ask.method != "GET" {
            let what = "another method than GET, with which a WebSocket begins";
            return Err(Unsendable::new("method", ask.method, what));
        }
        if ask.gives("sec-websocket-extensions") {
            let name = "Sec-WebSocket-Extensions";
            let what = "the offer of an extension, and none is supported";
            return Err(Unsendable::new("header name", name, what));
        }
        let nonce: [u8; 16] = random(ask)?;
        let nonce = STANDARD.encode(nonce);
        let kind = match std::str::from_utf8(ask.body) {
            Ok(_) => Kind::Text,
            Err(_) => Kind::Binary,
        };
        let (key, mut message) = (random(ask)?, Vec::new());
        frame::masked(kind, ask.body, key, &mut message);
        Ok(Self {
            upgrade: upgrade(ask, &nonce).into_bytes(),
            accept: accept(&nonce),
            message: message.into(),
            key,
            keep: ask.keep_alive,
        })
    }
}

fn upgrade(ask: &Ask<'_>, nonce: &str) -> String {
    let mut text = format!("GET {} HTTP/1.1\r\n", ask.path);
    let mut add = |name: &str, value: &str| text.extend([name, ": ", value, "\r\n"]);
    for (name, value) in [("Host", ask.host), ("User-Agent", "weir")] {
        if !ask.gives(name) {
            add(name, value);
        }
    }
    add("Upgrade", "websocket");
    add("Connection", "Upgrade");
    add("Sec-WebSocket-Key", nonce);
    add("Sec-WebSocket-Version", "13");
    for (name, value) in ask.headers {
        if !OWN.iter().any(|own| own.eq_ignore_ascii_case(name)) {
            add(name, value);
        }
    }
    text + "\r\n"
}

/// The `Sec-WebSocket-Accept` that answers this `Sec-WebSocket-Key` (section 4.2.2).
pub fn accept(key: &str) -> String {
    STANDARD.encode(Sha1::digest(format!("{key}{GUID}")))
}

fn random<const N: usize>(ask: &Ask<'_>) -> Result<[u8; N], Unsendable> {
    let mut bytes = [0; N];
    let source = ring::default_provider().secure_random;
    let drawn = source.fill(&mut bytes);
    let what = "no key, as this system has no random bytes";
    drawn.map_err(|_| Unsendable::new("path", ask.path, what))?;
    Ok(bytes)
}
