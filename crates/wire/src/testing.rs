//! What the tests of all protocols share.

use crate::{Answer, Ask, Cgi, Collector, Incomplete, Malformed, Session, Setup};

pub(crate) fn asking(method: &str) -> Ask<'_> {
    Ask {
        method,
        path: "/a?b=c",
        host: "example:81",
        headers: &[],
        body: &[],
        keep_alive: true,
        cgi: Cgi::default(),
    }
}

/// What goes on the wire for a request, on a connection from 127.0.0.1:54321.
pub(crate) fn sent<S: Session>(ask: &Ask<'_>) -> Vec<u8> {
    let setup = Setup {
        local: Some(([127, 0, 0, 1], 54_321).into()),
        ..Setup::default()
    };
    let mut out = Vec::new();
    let mut session = S::open(&setup, &mut out);
    session.send(0, &S::prepare(ask).unwrap(), &mut out);
    out
}

/// The answer from `pieces`, the peer closing after them if the answer is not whole by then.
pub(crate) fn whole<S: Session>(method: &str, pieces: &[&[u8]]) -> Result<Answer, Incomplete> {
    let (mut collector, _) = Collector::<S>::new(&asking(method)).unwrap();
    let mut whole = None;
    for piece in pieces {
        if let Some(answer) = collector.receive(piece, &mut Vec::new())? {
            whole.get_or_insert(answer);
        }
    }
    whole.map_or_else(|| collector.close(), Ok)
}

/// The answer from pieces of this size.
pub(crate) fn cut_anywhere<S: Session>(bytes: &[u8], size: usize) -> Result<Answer, Incomplete> {
    let pieces: Vec<&[u8]> = bytes.chunks(size).collect();
    whole::<S>("GET", &pieces)
}

/// Reads an answer cut in two at every byte, and in single bytes; it must always be the same.
pub(crate) fn every_cut<S: Session>(bytes: &[u8], check: &dyn Fn(Answer)) {
    for at in 0..=bytes.len() {
        let (first, second) = bytes.split_at(at);
        check(whole::<S>("GET", &[first, second]).unwrap_or_else(|why| panic!("at {at}: {why}")));
    }
    check(cut_anywhere::<S>(bytes, 1).unwrap());
}

/// Why bytes are not an answer, whole and byte by byte alike.
pub(crate) fn malformed<S: Session>(bytes: &[u8]) -> Malformed {
    let why = |outcome: Result<Answer, Incomplete>| match outcome {
        Err(Incomplete::Malformed(why)) => why,
        other => panic!("expected a malformed response, got {other:?}"),
    };
    let at_once = why(whole::<S>("GET", &[bytes]));
    let bytewise = why(cut_anywhere::<S>(bytes, 1));
    assert_eq!(at_once, bytewise, "cuts change what is wrong");
    at_once
}
