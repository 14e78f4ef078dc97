mod answers;
mod forbidden;
mod requests;
mod streams;

use super::frame::{self, ACK, DATA, END_HEADERS, END_STREAM, HEADERS};
use super::*;
use crate::testing::asking;
use crate::{Event, Malformed};

/// `:status: 200`
const OK: &[u8] = &[0x88];

fn framed(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    frame::header(payload.len(), kind, flags, stream, &mut out);
    out.extend_from_slice(payload);
    out
}

fn settings(settings: &[(u16, u32)]) -> Vec<u8> {
    let payload = settings
        .iter()
        .flat_map(|(name, value)| [&name.to_be_bytes()[..], &value.to_be_bytes()].concat());
    framed(SETTINGS, 0, 0, &payload.collect::<Vec<u8>>())
}

fn window(stream: u32, more: u32) -> Vec<u8> {
    framed(WINDOW_UPDATE, 0, stream, &more.to_be_bytes())
}

/// A block of `:status` and fields.
fn block(status: &str, fields: &[(&str, &str)]) -> Vec<u8> {
    let mut block = Vec::new();
    for (name, value) in [(":status", status)].iter().chain(fields) {
        hpack::encode(name, value, &mut block);
    }
    block
}

/// A whole `HEADERS` frame, which ends the stream or not.
fn head(stream: u32, block: &[u8], ends: bool) -> Vec<u8> {
    let flags = END_HEADERS | if ends { END_STREAM } else { 0 };
    framed(HEADERS, flags, stream, block)
}

fn data(stream: u32, bytes: &[u8], ends: bool) -> Vec<u8> {
    framed(DATA, if ends { END_STREAM } else { 0 }, stream, bytes)
}

/// One side of a conversation whose other side is written by hand.
struct Client {
    session: Http2,
    out: Vec<u8>,
}

impl Client {
    /// Begun with the peer's settings, and what it said of itself forgotten.
    fn new(depth: u32, given: &[(u16, u32)]) -> Self {
        let setup = Setup {
            depth,
            ..Setup::default()
        };
        let mut out = Vec::new();
        let session = Http2::open(&setup, &mut out);
        let mut client = Self { session, out };
        client.out.clear();
        assert_eq!(client.hear(&settings(given)), Vec::<String>::new());
        assert_eq!(client.said(), framed(SETTINGS, ACK, 0, &[]));
        client
    }

    fn ask(&mut self, exchange: Exchange, request: &Request) {
        assert!(self.session.capacity() > 0);
        self.session.send(exchange, request, &mut self.out);
    }

    /// Asks for so many, by numbers from 0 on; what it said is forgotten.
    fn get(&mut self, count: u32) {
        let request = Http2::prepare(&asking("GET")).unwrap();
        for exchange in 0..count {
            self.ask(exchange, &request);
        }
        self.out.clear();
    }

    /// What the bytes mean, a line each.
    fn hear(&mut self, bytes: &[u8]) -> Vec<String> {
        self.try_to_hear(bytes).unwrap()
    }

    fn try_to_hear(&mut self, bytes: &[u8]) -> Result<Vec<String>, Malformed> {
        let mut heard = Vec::new();
        self.session
            .receive(bytes, &mut self.out, |exchange, event| {
                let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
                let what = match event {
                    Event::FirstByte => "begins".to_owned(),
                    Event::Head { status, .. } => status.to_string(),
                    Event::Body(piece) => text(piece),
                    Event::Stderr(_) => panic!("HTTP/2 has no such thing"),
                    Event::Done { keep: true } => "done".to_owned(),
                    Event::Done { keep: false } => "done, the last".to_owned(),
                    Event::Failed(why) => why.to_string(),
                };
                heard.push(format!("{exchange} {what}"));
            })?;
        Ok(heard)
    }

    /// What it has said since this was last asked.
    fn said(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.out)
    }
}

#[test]
fn a_collector_hands_over_what_is_owed() {
    let (mut collector, _) = crate::Collector::<Http2>::new(&asking("GET")).unwrap();
    let mut owed = Vec::new();
    let mut hear = |bytes: &[u8]| collector.receive(bytes, &mut owed).unwrap();
    assert_eq!(hear(&settings(&[])), None);
    let answer = hear(&[head(1, OK, false), data(1, b"ok", true)].concat());
    assert_eq!(answer.unwrap().body, b"ok");
    assert_eq!(owed, framed(SETTINGS, ACK, 0, &[]));
}
