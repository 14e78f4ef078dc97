mod connection;
mod requests;
mod right;
mod wrong;

use super::*;
use crate::{Answer, Cgi, Collector, Event, Incomplete};

fn ask(method: &str) -> Ask<'_> {
    Ask {
        method,
        path: "/a?b=c",
        host: "example",
        headers: &[],
        body: &[],
        keep_alive: true,
        cgi: Cgi::default(),
    }
}

/// The answer from `pieces`, the peer closing after them if the answer is not whole by then.
fn collect(method: &str, pieces: &[&[u8]]) -> Result<Answer, Incomplete> {
    let (mut collector, _) = Collector::<Http1>::new(&ask(method)).unwrap();
    let mut whole = None;
    for piece in pieces {
        if let Some(answer) = collector.receive(piece, &mut Vec::new())? {
            whole = Some(answer);
        }
    }
    whole.map_or_else(|| collector.close(), Ok)
}

fn get(bytes: &str) -> Result<Answer, Incomplete> {
    collect("GET", &[bytes.as_bytes()])
}

fn malformed(bytes: &str) -> Malformed {
    match get(bytes) {
        Err(Incomplete::Malformed(why)) => why,
        other => panic!("expected a malformed response for {bytes:?}, got {other:?}"),
    }
}
