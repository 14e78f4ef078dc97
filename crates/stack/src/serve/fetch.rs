//! One request, one answer, over a connection of its own: enough to ask whether a stack is ready
//! and right. Load is another crate's business.

use std::io::{ErrorKind, Read as _, Write as _};
use std::time::Duration;

use record::{Route, Target};
use socket2::{Domain, SockAddr, Socket, Type};
use wire::{
    Answer, Ask, Collector, Failure, Incomplete, Malformed, Session, Setup, TlsSettings, Visitor,
};

use crate::compose::Program;
use crate::serve::own::OwnAddresses;
use crate::serve::remote::RemoteAddress;

/// How often a wait asks whether to go on.
const TICK: Duration = Duration::from_millis(50);
/// Longest time for opening a connection on this machine, and for handing over a request.
const HANDOVER: Duration = Duration::from_secs(1);
/// Largest answer that is kept, in bytes on the wire.
const LARGEST: usize = 64 * 1024 * 1024;

/// The name by which every server is asked for, by checks and by loads, wherever it listens: a page with its own
/// address in it is then the same from every variant. A header `host` of a route has precedence. `localhost` is what
/// frameworks that look at the name let pass on a machine of development.
pub const HOST: &str = "localhost";

/// A place where something is spoken to, and in what.
#[derive(Clone, Debug)]
pub(crate) struct Endpoint {
    pub(crate) at: RemoteAddress,
    /// None outside TLS.
    pub(crate) tls: Option<TlsSettings>,
    /// What it may name as its own address.
    pub(crate) own: OwnAddresses,
    /// Names and values of the parameters that it is sent with each request.
    pub(crate) params: Vec<(String, String)>,
}

impl Endpoint {
    /// Where one of these programs of a stack is spoken to, and in what.
    pub(crate) fn of(program: &Program, stack: &[Program]) -> Self {
        Self {
            at: RemoteAddress {
                target: program.listen.clone(),
                protocol: program.spoken.protocol,
                host: HOST.to_owned(),
                headers: Vec::new(),
            },
            tls: program.handshake.clone(),
            own: OwnAddresses::of(stack),
            params: program.params.clone(),
        }
    }
}

/// Why there is no answer.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct NoAnswer {
    /// A few words, such as `connection refused`.
    pub(crate) words: String,
    /// Whether there is one that is beyond what weir reads: it will be next time too.
    pub(crate) beyond: bool,
}

impl From<String> for NoAnswer {
    fn from(words: String) -> Self {
        Self {
            words,
            beyond: false,
        }
    }
}

impl From<std::io::Error> for NoAnswer {
    fn from(error: std::io::Error) -> Self {
        words(&error).into()
    }
}

impl From<Incomplete> for NoAnswer {
    fn from(error: Incomplete) -> Self {
        let too_long = Malformed::TooLong;
        let beyond = error == Incomplete::TooLarge
            || error == Incomplete::Malformed(too_long)
            || error == Incomplete::Failed(Failure::Malformed(too_long));
        Self {
            words: error.to_string(),
            beyond,
        }
    }
}

/// Sends a route's request and collects the answer; gives up when `go_on` says no.
pub(crate) fn fetch(
    endpoint: &Endpoint,
    route: &Route,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Answer, NoAnswer> {
    let fetch = Fetch {
        endpoint,
        route,
        go_on,
    };
    let answer = endpoint.at.protocol.dispatch(endpoint.tls.is_some(), fetch);
    answer.map_err(|error| error.to_string())?
}

struct Fetch<'a> {
    endpoint: &'a Endpoint,
    route: &'a Route,
    go_on: &'a mut dyn FnMut() -> bool,
}

impl Visitor for Fetch<'_> {
    type Output = Result<Answer, NoAnswer>;

    fn visit<S: Session + Send>(self) -> Self::Output {
        one::<S>(self.endpoint, self.route, self.go_on)
    }
}

fn one<S: Session>(
    endpoint: &Endpoint,
    route: &Route,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Answer, NoAnswer> {
    use ErrorKind::{Interrupted, TimedOut, WouldBlock};
    let (mut collector, request) = ask::<S>(endpoint, route)?;
    let mut socket = connect(&endpoint.at.target)?;
    socket.write_all(&request)?;
    let mut piece = vec![0; 64 * 1024];
    let mut owed = Vec::new();
    let mut received = 0;
    loop {
        match socket.read(&mut piece) {
            Ok(0) => return Ok(collector.close()?),
            Ok(count) => {
                received += count;
                if let Some(answer) = collector.receive(&piece[..count], &mut owed)? {
                    return Ok(answer);
                }
                socket.write_all(&owed)?;
                owed.clear();
                if received > LARGEST {
                    return Err(Incomplete::TooLarge.into());
                }
            }
            Err(error) if [WouldBlock, TimedOut, Interrupted].contains(&error.kind()) => {}
            Err(error) => return Err(error.into()),
        }
        if !go_on() {
            return Err("no response in time".to_owned().into());
        }
    }
}

fn ask<S: Session>(endpoint: &Endpoint, route: &Route) -> Result<(Collector<S>, Vec<u8>), String> {
    let more = endpoint.at.headers.iter();
    let more = more.map(|(name, value)| (name, value));
    let headers = borrowed(route.headers.iter().chain(more));
    let params = endpoint.params.iter();
    let params = borrowed(params.map(|(name, value)| (name, value)));
    let ask = Ask {
        method: route.method.name(),
        path: &route.path,
        host: &endpoint.at.host,
        headers: &headers,
        body: &route.body,
        keep_alive: false,
        cgi: wire::Cgi {
            params: &params,
            ..wire::Cgi::default()
        },
    };
    let setup = Setup {
        secure: endpoint.tls.is_some(),
        tls: endpoint.tls.clone(),
        ..Setup::default()
    };
    Collector::on(&setup, &ask).map_err(|error| error.to_string())
}

fn borrowed<'a>(pairs: impl Iterator<Item = (&'a String, &'a String)>) -> Vec<(&'a str, &'a str)> {
    pairs
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect()
}

fn connect(target: &Target) -> std::io::Result<Socket> {
    let (domain, address) = match target {
        Target::Tcp(address) => (Domain::for_address(*address), SockAddr::from(*address)),
        Target::Unix(path) => (Domain::UNIX, SockAddr::unix(path)?),
    };
    let socket = Socket::new(domain, Type::STREAM, None)?;
    socket.connect_timeout(&address, HANDOVER)?;
    socket.set_read_timeout(Some(TICK))?;
    socket.set_write_timeout(Some(HANDOVER))?;
    Ok(socket)
}

fn words(error: &std::io::Error) -> String {
    match error.kind() {
        ErrorKind::ConnectionRefused => "connection refused".to_owned(),
        ErrorKind::NotFound => "no such socket".to_owned(),
        ErrorKind::ConnectionReset => "connection reset".to_owned(),
        _ => error.to_string().to_lowercase(),
    }
}
