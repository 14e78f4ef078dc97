//! A peer's answer, read whole and in pieces.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use wire::{Ask, End, Event, Exchange, Failure, Malformed, Session, Setup};

/// How often the bytes are cut at random places, besides whole and byte by byte.
const CUTS: usize = 3;

/// Reads `data` as answers of this protocol, to one request and to several, with a body and without.
///
/// # Panics
/// When what they mean depends on how they are cut, or is more than was received.
pub(crate) fn check<S: Session>(data: &[u8]) {
    check_within::<S>(data, |length, _| (length, length));
}

/// The same in HTTP/2, where more comes out than went in: a byte of a header block may stand for a
/// field of the whole table (RFC 7541, section 4.1), though heads end at 64 KiB and each stream has
/// one. Owed are as many bytes as came (acknowledgements), and a reset per stream.
pub(crate) fn check_http2(data: &[u8]) {
    const FIELD: usize = 4096;
    const HEAD: usize = 64 * 1024 + FIELD;
    const RESET: usize = 13;
    check_within::<wire::Http2>(data, |length, depth| {
        let told = (FIELD * length).min(length + depth * HEAD);
        (told, length + depth * RESET)
    });
}

/// `most`: of so many bytes, and to so many requests, the bytes that may be told and those owed.
fn check_within<S: Session>(data: &[u8], most: impl Fn(usize, usize) -> (usize, usize)) {
    for (method, depth) in [("GET", 1), ("HEAD", 1), ("GET", 3)] {
        let whole = read::<S>(method, depth, &[data]);
        whole.is_bounded_by(data, most(data.len(), depth as usize));
        let mut cuts: Vec<Vec<&[u8]>> = vec![data.chunks(1).collect()];
        let mut random = random(data);
        cuts.extend((0..CUTS).map(|_| cut(data, &mut random)));
        for pieces in cuts {
            let cut = read::<S>(method, depth, &pieces);
            assert!(
                whole.agrees_with(&cut),
                "{method}, {depth} at once, cut into {:?}\nwhole {whole:?}\ncut   {cut:?}",
                pieces.iter().map(|piece| piece.len()).collect::<Vec<_>>()
            );
        }
    }
}

/// The same with HTTP/1's chunked transfer coding, whose head stands already.
pub(crate) fn check_chunked(data: &[u8]) {
    let head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    check::<wire::Http1>(&[head, data].concat());
}

/// What bytes meant.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Read {
    pub(crate) events: Vec<Seen>,
    /// Bytes that the protocol owed to the peer.
    pub(crate) owed: Vec<u8>,
    pub(crate) ending: Ending,
}

/// An event that owns what it says. Pieces of one body that follow each other are one.
#[derive(Debug, PartialEq)]
pub(crate) enum Seen {
    FirstByte(Exchange),
    Head(Exchange, u16, Vec<u8>),
    Body(Exchange, Vec<u8>),
    Stderr(Exchange, Vec<u8>),
    Done(Exchange, bool),
    Failed(Exchange, Failure),
}

#[derive(Debug, Default, PartialEq)]
pub(crate) enum Ending {
    #[default]
    Open,
    Malformed(Malformed),
    Closed(End),
}

impl Read {
    fn is_bounded_by(&self, data: &[u8], (telling, owing): (usize, usize)) {
        let told = self.told();
        assert!(told <= telling, "{told} bytes told of {}", data.len());
        assert!(self.owed.len() <= owing, "{} owed", self.owed.len());
        let most = 4 * data.len() + 4;
        assert!(self.events.len() <= most, "{} events", self.events.len());
    }

    /// Bytes of what the events say.
    pub(crate) fn told(&self) -> usize {
        self.events.iter().map(Seen::length).sum()
    }

    pub(crate) fn agrees_with(&self, cut: &Self) -> bool {
        // Garbage in a head may show only when a line of it is whole.
        let later = matches!(self.ending, Ending::Malformed(_))
            && cut.ending == Ending::Closed(End::Truncated);
        self.events == cut.events && (later || (self.ending == cut.ending && self.owed == cut.owed))
    }

    fn take(&mut self, exchange: Exchange, event: Event<'_>) {
        let seen = match event {
            Event::FirstByte => Seen::FirstByte(exchange),
            Event::Head { status, fields } => Seen::Head(exchange, status, fields.to_vec()),
            Event::Body(piece) => Seen::Body(exchange, piece.to_vec()),
            Event::Stderr(piece) => Seen::Stderr(exchange, piece.to_vec()),
            Event::Done { keep } => Seen::Done(exchange, keep),
            Event::Failed(why) => Seen::Failed(exchange, why),
        };
        match (self.events.last_mut(), seen) {
            (_, Seen::Body(_, piece) | Seen::Stderr(_, piece)) if piece.is_empty() => {}
            (Some(Seen::Body(of, all)), Seen::Body(on, more)) if *of == on => all.extend(more),
            (Some(Seen::Stderr(of, all)), Seen::Stderr(on, more)) if *of == on => all.extend(more),
            (_, seen) => self.events.push(seen),
        }
    }
}

impl Seen {
    fn length(&self) -> usize {
        match self {
            Self::Head(_, _, bytes) | Self::Body(_, bytes) | Self::Stderr(_, bytes) => bytes.len(),
            Self::FirstByte(_) | Self::Done(..) | Self::Failed(..) => 0,
        }
    }
}

pub(crate) fn read<S: Session>(method: &str, depth: u32, pieces: &[&[u8]]) -> Read {
    let request = S::prepare(&plain(method)).expect("a plain request");
    let mut sent = Vec::new();
    let setup = Setup {
        depth,
        ..Setup::default()
    };
    let mut session = S::open(&setup, &mut sent);
    for exchange in 0..depth {
        if session.is_ready() && session.capacity() > 0 {
            session.send(exchange, &request, &mut sent);
        }
    }
    hear(session, pieces)
}

pub(crate) fn plain(method: &str) -> Ask<'_> {
    Ask {
        method,
        path: "/",
        host: "localhost",
        headers: &[],
        body: &[],
        keep_alive: true,
        cgi: wire::Cgi::default(),
    }
}

/// What a session makes of these bytes, and of their end.
pub(crate) fn hear<S: Session>(mut session: S, pieces: &[&[u8]]) -> Read {
    let mut read = Read::default();
    for piece in pieces {
        let mut owed = Vec::new();
        let outcome = session.receive(piece, &mut owed, |exchange, event| {
            read.take(exchange, event);
        });
        read.owed.extend(owed);
        if let Err(why) = outcome {
            read.ending = Ending::Malformed(why);
            return read;
        }
    }
    let end = session.close(|exchange, event| read.take(exchange, event));
    read.ending = Ending::Closed(end);
    read
}

/// The same cuts for the same bytes, so that what was found can be found again.
pub(crate) fn random(data: &[u8]) -> ChaCha8Rng {
    let mut hasher = DefaultHasher::new();
    data.hash(&mut hasher);
    ChaCha8Rng::seed_from_u64(hasher.finish())
}

pub(crate) fn cut<'a>(data: &'a [u8], random: &mut ChaCha8Rng) -> Vec<&'a [u8]> {
    let mut pieces = Vec::new();
    let mut rest = data;
    while !rest.is_empty() {
        let (piece, after) = rest.split_at(random.random_range(1..=rest.len()));
        pieces.push(piece);
        rest = after;
    }
    pieces
}

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;

    use wire::{Http1, Unsendable};

    use super::*;

    /// Reads HTTP/1, and forgets the end of what it was given when more comes.
    struct Forgetful(Http1);

    impl Session for Forgetful {
        type Request = <Http1 as Session>::Request;

        fn prepare(ask: &Ask<'_>) -> Result<Self::Request, Unsendable> {
            Http1::prepare(ask)
        }

        fn length(request: &Self::Request) -> usize {
            Http1::length(request)
        }

        fn open(setup: &Setup, out: &mut Vec<u8>) -> Self {
            Self(Http1::open(setup, out))
        }

        fn capacity(&self) -> usize {
            self.0.capacity()
        }

        fn send(&mut self, exchange: Exchange, request: &Self::Request, out: &mut Vec<u8>) {
            self.0.send(exchange, request, out);
        }

        fn receive(
            &mut self,
            bytes: &[u8],
            out: &mut Vec<u8>,
            on: impl FnMut(Exchange, Event<'_>),
        ) -> Result<(), Malformed> {
            let kept = bytes.strip_suffix(b"o").unwrap_or(bytes);
            self.0.receive(kept, out, on)
        }

        fn close(&mut self, on: impl FnMut(Exchange, Event<'_>)) -> End {
            self.0.close(on)
        }
    }

    #[test]
    fn a_reader_that_depends_on_the_cuts_is_caught() {
        let answer = b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nfoX";
        check::<Http1>(answer);
        assert!(catch_unwind(|| check::<Forgetful>(answer)).is_err());
    }
}
