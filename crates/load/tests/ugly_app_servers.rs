//! Answers in the protocols of app servers, from peers that do all that is allowed and what is not.

mod failures;

use crate::common::{self, run, to};
use load::{Body, Job};
use record::{LoadFacts, Protocol};
use testkit::{ScriptedPeer, Step};
use wire::{Ask, Cgi, Session, Setup, Visitor};

const CGI: &str = "Status: 200 OK\r\nContent-Type: text/plain\r\n\r\nhello";
const SIZED: &str = "Content-Length: 5\r\n\r\nhello";
const HTTP: &str = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

/// A FastCGI record of the request 1.
fn record(kind: u8, content: &[u8]) -> Vec<u8> {
    [&[1, kind, 0, 1, 0, content.len() as u8, 0, 0], content].concat()
}

/// A FastCGI answer with this output.
fn fastcgi(output: &str) -> Vec<u8> {
    let output = record(6, output.as_bytes());
    [output, record(6, b""), ended(0)].concat()
}

fn ended(status: u8) -> Vec<u8> {
    record(3, &[0, 0, 0, 0, status, 0, 0, 0])
}

/// An AJP13 answer with the body `hello`.
fn ajp(reuse: bool) -> Vec<u8> {
    let packets = b"AB\0\x0a\x04\0\xc8\0\x02OK\0\0\0AB\0\x08\x03\0\x05helloAB\0\x02\x05";
    [packets.as_slice(), &[u8::from(reuse)]].concat()
}

/// Length of a request on a connection whose port has five digits, as the kernel's own have.
fn length(protocol: Protocol, ask: &Ask<'_>) -> usize {
    struct Length<'a>(&'a Ask<'a>);
    impl Visitor for Length<'_> {
        type Output = usize;

        fn visit<S: Session + Send>(self) -> usize {
            let setup = Setup {
                local: Some(([127, 0, 0, 1], 54_321).into()),
                ..Setup::default()
            };
            let mut out = Vec::new();
            let mut session = S::open(&setup, &mut out);
            session.send(0, &S::prepare(self.0).unwrap(), &mut out);
            out.len()
        }
    }
    protocol.dispatch(false, Length(ask)).unwrap()
}

/// The request that `common::job` makes.
fn plain() -> Ask<'static> {
    Ask {
        method: "GET",
        path: "/",
        host: "localhost",
        headers: &[],
        body: &[],
        keep_alive: true,
        cgi: Cgi::default(),
    }
}

/// A peer that reads a request and takes these steps, again and again or once per connection.
fn peer(protocol: Protocol, forever: bool, steps: &[Step]) -> ScriptedPeer {
    let read = Step::ReadBytes(length(protocol, &plain()));
    let steps = [vec![read], steps.to_vec()].concat();
    let script = if forever {
        vec![Step::Forever(steps)]
    } else {
        steps
    };
    ScriptedPeer::tcp(move |_| script.clone())
}

fn asking(peer: &ScriptedPeer, protocol: Protocol) -> Job {
    let mut job = to(peer);
    job.protocol = protocol;
    common::part(&mut job).expected.body = Body::Exact(b"hello".to_vec());
    job
}

/// A name, the protocol, whether a connection serves again and again, what it sends, and how many
/// connections 20 requests take.
type Ugly = (&'static str, Protocol, bool, Vec<Step>, u64);

/// Answers that are right although they are ugly.
fn ugly() -> Vec<Ugly> {
    use Protocol::{Ajp, FastCgi, Scgi, Uwsgi};
    let send = |bytes: &[u8]| vec![Step::Send(bytes.to_vec())];
    let slowly = |bytes: &[u8]| vec![Step::SendBytewise(bytes.to_vec())];
    let closing = |steps: Vec<Step>| [steps, vec![Step::Close]].concat();
    let warned = [record(7, b"a warning"), fastcgi(CGI)].concat();
    vec![
        ("cgi", FastCgi, true, send(&fastcgi(CGI)), 2),
        ("sized", FastCgi, true, send(&fastcgi(SIZED)), 2),
        ("status line", FastCgi, true, send(&fastcgi(HTTP)), 2),
        ("stderr", FastCgi, true, send(&warned), 2),
        ("bytewise", FastCgi, true, slowly(&warned), 2),
        (
            "announced to be kept, and closed",
            FastCgi,
            false,
            closing(send(&fastcgi(CGI))),
            20,
        ),
        (
            "until the end",
            Scgi,
            false,
            closing(send(CGI.as_bytes())),
            20,
        ),
        ("bytewise", Scgi, false, closing(slowly(CGI.as_bytes())), 20),
        (
            "sized and not closed",
            Scgi,
            true,
            send(SIZED.as_bytes()),
            20,
        ),
        ("status line", Scgi, true, send(HTTP.as_bytes()), 20),
        (
            "until the end",
            Uwsgi,
            false,
            closing(send(CGI.as_bytes())),
            20,
        ),
        ("status line", Uwsgi, true, slowly(HTTP.as_bytes()), 20),
        ("reused", Ajp, true, send(&ajp(true)), 2),
        ("bytewise", Ajp, true, slowly(&ajp(true)), 2),
        ("not reused", Ajp, true, send(&ajp(false)), 20),
        (
            "announced to be reused, and closed",
            Ajp,
            false,
            closing(send(&ajp(true))),
            20,
        ),
    ]
}

#[test]
fn ugly_answers_are_read_rightly() {
    for (name, protocol, forever, steps, connects) in ugly() {
        let peer = peer(protocol, forever, &steps);
        let facts = run(&asking(&peer, protocol))
            .unwrap_or_else(|error| panic!("{protocol:?}, {name}: {error}"));
        assert_eq!(
            facts.completed, 20,
            "{protocol:?}, {name}: {:?}",
            facts.examples
        );
        assert_eq!(facts.connects, connects, "{protocol:?}, {name}");
    }
}

#[test]
fn connections_that_are_not_to_be_kept() {
    for (protocol, answer) in [
        (Protocol::FastCgi, fastcgi(CGI)),
        (Protocol::Ajp, ajp(true)),
    ] {
        let peer = peer(protocol, true, &[Step::Send(answer)]);
        let mut job = asking(&peer, protocol);
        job.load.keep_alive = false;
        let facts: LoadFacts = run(&job).unwrap();
        assert_eq!((facts.completed, facts.connects), (20, 20), "{protocol:?}");
    }
}

/// Asked of an AJP13 server's mind: a call for a body that there is not is answered at once.
#[test]
fn a_call_for_a_body_is_answered() {
    let call = Step::Send(b"AB\0\x03\x06\x1f\xfa".to_vec());
    let steps = [call, Step::ReadBytes(4), Step::Send(ajp(true))];
    let peer = peer(Protocol::Ajp, true, &steps);
    let facts = run(&asking(&peer, Protocol::Ajp)).unwrap();
    assert_eq!((facts.completed, facts.connects), (20, 2));
    let said = peer.requests();
    assert_eq!(
        said.iter()
            .filter(|said| **said == [0x12, 0x34, 0, 0])
            .count(),
        20
    );
}

/// A container that calls for a body in small pieces gets it whole, on each of many requests.
#[test]
fn the_rest_of_a_body_goes_when_it_is_called_for() {
    let body: Vec<u8> = (0..8_186 + 100 + 50).map(|at| at as u8).collect();
    let call = || Step::Send(b"AB\0\x03\x06\0\x64".to_vec());
    let ask = Ask {
        method: "POST",
        body: &body,
        ..plain()
    };
    let unasked = length(Protocol::Ajp, &ask);
    let steps = vec![
        Step::ReadBytes(unasked),
        call(),
        Step::ReadBytes(6 + 100),
        call(),
        Step::ReadBytes(6 + 50),
        call(),
        Step::ReadBytes(4),
        Step::Send(ajp(true)),
    ];
    let script = vec![Step::Forever(steps)];
    let peer = ScriptedPeer::tcp(move |_| script.clone());
    let mut job = asking(&peer, Protocol::Ajp);
    let request = &mut common::part(&mut job).request;
    request.method = "POST".into();
    request.body.clone_from(&body);
    let facts = run(&job).unwrap();
    assert_eq!((facts.completed, facts.connects), (20, 2));
    let said = peer.requests();
    for piece in [&body[8_186..8_286], &body[8_286..]] {
        let brought = said.iter().filter(|said| said.get(6..) == Some(piece));
        assert_eq!(brought.count(), 20);
    }
    assert_eq!(
        said.iter()
            .filter(|said| **said == [0x12, 0x34, 0, 0])
            .count(),
        20
    );
}
