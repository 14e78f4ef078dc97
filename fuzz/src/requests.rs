//! Requests made of any text: refused, or on the wire as they were asked, with nothing smuggled in.

use wire::{Ask, Cgi, Http1, Http10, Protocol, Session, Setup, Visitor};

/// Most bytes that a protocol adds to what was asked.
const FRAME: usize = 2048;

/// Reads `data` as the parts of a request, one after each zero byte: method, path, host, body, then
/// names and values of headers in turn.
///
/// # Panics
/// When a request is on the wire that was not asked for.
pub(crate) fn check(data: &[u8]) {
    let mut parts = data.split(|byte| *byte == 0);
    let mut part = || String::from_utf8_lossy(parts.next().unwrap_or_default()).into_owned();
    let (method, path, host, body) = (part(), part(), part(), part());
    let headers: Vec<(String, String)> = (0..8)
        .map(|_| (part(), part()))
        .take_while(|(name, _)| !name.is_empty())
        .collect();
    let headers: Vec<(&str, &str)> = headers
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect();
    // What a front end is configured to send is as much anybody's text as a header is.
    let params = &headers[..headers.len().min(2)];
    for keep_alive in [true, false] {
        let ask = Ask {
            method: &method,
            path: &path,
            host: &host,
            headers: &headers,
            body: body.as_bytes(),
            keep_alive,
            cgi: Cgi {
                document_root: None,
                params,
            },
        };
        let prepared = [Http1::prepare(&ask), Http10::prepare(&ask)];
        for request in prepared.into_iter().flatten() {
            is_what_was_asked(&ask, request.bytes());
        }
        for protocol in Protocol::ALL {
            let _ = protocol.dispatch(false, Sent(&ask)); // or weir does not speak it
        }
    }
}

/// A server that reads these bytes sees one request: the one that was asked.
fn is_what_was_asked(ask: &Ask<'_>, bytes: &[u8]) {
    let mut lines = [httparse::EMPTY_HEADER; 64];
    let mut request = httparse::Request::new(&mut lines);
    // A method or a header's name of strange letters is the caller's wish, and a server's to refuse.
    let Ok(parsed) = request.parse(bytes) else {
        return;
    };
    let httparse::Status::Complete(head) = parsed else {
        panic!("a head without an end: {:?}", bytes.escape_ascii());
    };
    assert_eq!(request.method, Some(ask.method));
    assert_eq!(request.path, Some(ask.path));
    assert_eq!(&bytes[head..], ask.body, "nothing after the body");
    for (name, value) in ask.headers {
        let there = request.headers.iter().any(|line| {
            line.name == *name && line.value.trim_ascii() == value.as_bytes().trim_ascii()
        });
        assert!(there, "`{name}: {value}` in {:?}", bytes.escape_ascii());
    }
    let ours = ["host", "user-agent", "connection", "content-length"];
    for line in request.headers.iter() {
        let name = line.name.to_ascii_lowercase();
        let asked = ask.headers.iter().any(|(name, _)| *name == line.name);
        assert!(
            asked || ours.contains(&name.as_str()),
            "`{name}` was not asked"
        );
    }
}

/// A request as its connection or stream carries it.
struct Sent<'a>(&'a Ask<'a>);

impl Visitor for Sent<'_> {
    type Output = ();

    fn visit<S: Session + Send>(self) {
        let Ok(request) = S::prepare(self.0) else {
            return;
        };
        let mut opening = Vec::new();
        let mut session = S::open(&Setup::default(), &mut opening);
        let mut sent = Vec::new();
        session.send(0, &request, &mut sent);
        is_no_longer_than_needed(self.0, sent.len());
    }
}

fn is_no_longer_than_needed(ask: &Ask<'_>, length: usize) {
    let headers = ask
        .headers
        .iter()
        .map(|(name, value)| 2 * (name.len() + value.len() + 16)); // as a header and as a param
    // FastCGI frames each 64 KiB, and paths are written several times.
    let asked = ask.method.len() + 4 * ask.path.len() + 2 * ask.host.len() + ask.body.len();
    let most = FRAME + asked + headers.sum::<usize>();
    assert!(length <= most, "{length} bytes where {most} are enough");
}
