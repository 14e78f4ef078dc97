//! One request, one answer, over a connection of its own: enough to ask whether a stack is ready
//! and right. Load is another crate's business.

use std::io::{ErrorKind, Read as _, Write as _};
use std::time::Duration;

use record::{Protocol, Route, Target};
use socket2::{Domain, SockAddr, Socket, Type};
use wire::{
    Ajp, Answer, Ask, Collector, FastCgi, Http1, Http2, Http10, Scgi, Session, Setup, Tls,
    TlsSettings, Uwsgi, WebSocket,
};

/// How often a wait asks whether to go on.
const TICK: Duration = Duration::from_millis(50);
/// Longest time for opening a connection on this machine, and for handing over a request.
const HANDOVER: Duration = Duration::from_secs(1);
/// Largest answer that is kept, in bytes on the wire.
const LARGEST: usize = 64 * 1024 * 1024;

/// A place where something is spoken to, and in what.
#[derive(Clone, Debug)]
pub(crate) struct Door {
    pub(crate) target: Target,
    pub(crate) protocol: Protocol,
    /// None outside TLS.
    pub(crate) tls: Option<TlsSettings>,
}

/// Sends a route's request and collects the answer; gives up when `go_on` says no.
///
/// The error is a few words, such as `connection refused`.
pub(crate) fn fetch(
    door: &Door,
    route: &Route,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Answer, String> {
    match (door.protocol, &door.tls) {
        (Protocol::Http1, None) => one::<Http1>(door, route, go_on),
        (Protocol::Http1, Some(_)) => one::<Tls<Http1>>(door, route, go_on),
        (Protocol::Http10, None) => one::<Http10>(door, route, go_on),
        (Protocol::Http10, Some(_)) => one::<Tls<Http10>>(door, route, go_on),
        (Protocol::Http2, None) => one::<Http2>(door, route, go_on),
        (Protocol::Http2, Some(_)) => one::<Tls<Http2>>(door, route, go_on),
        (Protocol::FastCgi, _) => one::<FastCgi>(door, route, go_on),
        (Protocol::Scgi, _) => one::<Scgi>(door, route, go_on),
        (Protocol::Uwsgi, _) => one::<Uwsgi>(door, route, go_on),
        (Protocol::Ajp, _) => one::<Ajp>(door, route, go_on),
        (Protocol::Swiftiply, _) => Err("it dials in, and cannot be asked".to_owned()),
        (Protocol::Native, _) => Err("weir does not speak its protocol".to_owned()),
        (Protocol::WebSocket, None) => one::<WebSocket>(door, route, go_on),
        (Protocol::WebSocket, Some(_)) => one::<Tls<WebSocket>>(door, route, go_on),
    }
}

fn one<S: Session>(
    door: &Door,
    route: &Route,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Answer, String> {
    let (mut collector, request) = ask::<S>(door, route)?;
    let mut socket = connect(&door.target).map_err(|error| words(&error))?;
    socket.write_all(&request).map_err(|error| words(&error))?;
    let mut piece = vec![0; 64 * 1024];
    let mut owed = Vec::new();
    let mut received = 0;
    loop {
        match socket.read(&mut piece) {
            Ok(0) => return collector.close().map_err(|error| error.to_string()),
            Ok(count) => {
                received += count;
                let answer = collector.receive(&piece[..count], &mut owed);
                if let Some(answer) = answer.map_err(|error| error.to_string())? {
                    return Ok(answer);
                }
                socket.write_all(&owed).map_err(|error| words(&error))?;
                owed.clear();
                if received > LARGEST {
                    return Err(format!("the answer is larger than {LARGEST} bytes"));
                }
            }
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(words(&error)),
        }
        if !go_on() {
            return Err("no answer in time".to_owned());
        }
    }
}

fn ask<S: Session>(door: &Door, route: &Route) -> Result<(Collector<S>, Vec<u8>), String> {
    let host = match door.target {
        Target::Tcp(address) => address.to_string(),
        Target::Unix(_) => "localhost".to_owned(),
    };
    let headers: Vec<_> = route
        .headers
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect();
    let ask = Ask {
        method: route.method.name(),
        path: &route.path,
        host: &host,
        headers: &headers,
        body: &route.body,
        keep_alive: false,
        cgi: wire::Cgi::default(),
    };
    let setup = Setup {
        secure: door.tls.is_some(),
        tls: door.tls.clone(),
        ..Setup::default()
    };
    Collector::on(&setup, &ask).map_err(|error| error.to_string())
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
