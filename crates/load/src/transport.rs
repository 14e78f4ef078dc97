use std::io::{self, Read, Write};
use std::net::{IpAddr, SocketAddr};
use std::os::unix::fs::FileTypeExt as _;
use std::path::Path;

use mio::event::Source;
use mio::net::{TcpStream, UnixStream};
use mio::{Interest, Registry, Token};
use record::{Cause, Target, TcpState};
use rustix::io::Errno;
use socket2::{Domain, Socket, Type};

/// A non-blocking connection of either kind.
#[derive(Debug)]
pub(crate) enum Stream {
    Tcp(TcpStream),
    Unix(UnixStream),
}

impl Stream {
    /// Begins to connect, from `source` if it matters.
    pub(crate) fn connect(target: &Target, source: Option<IpAddr>) -> io::Result<Self> {
        match (target, source) {
            (Target::Tcp(address), None) => {
                let stream = TcpStream::connect(*address)?;
                stream.set_nodelay(true)?;
                Ok(Self::Tcp(stream))
            }
            (Target::Tcp(address), Some(source)) => Self::connect_from(*address, source),
            (Target::Unix(path), _) => UnixStream::connect(path)
                .map(Self::Unix)
                .map_err(|error| socket_error(path, error)),
        }
    }

    fn connect_from(address: SocketAddr, source: IpAddr) -> io::Result<Self> {
        let socket = Socket::new(Domain::for_address(address), Type::STREAM, None)?;
        socket.set_nonblocking(true)?;
        socket.set_tcp_nodelay(true)?;
        kernel::bind_without_port(&socket, source)?;
        match socket.connect(&address.into()) {
            Err(error) if Errno::from_io_error(&error) != Some(Errno::INPROGRESS) => Err(error),
            _ => Ok(Self::Tcp(TcpStream::from_std(socket.into()))),
        }
    }

    /// The connection as the kernel sees it; nothing for a Unix socket.
    pub(crate) fn tcp_state(&self) -> Option<TcpState> {
        let Self::Tcp(stream) = self else {
            return None;
        };
        let info = kernel::tcp_info(stream).ok()?;
        Some(TcpState {
            rtt: info.rtt.as_secs_f64(),
            rtt_variation: info.rttvar.as_secs_f64(),
            retransmits: info.retransmits,
            unacknowledged: info.unacked,
            congestion_window: info.congestion_window,
        })
    }

    /// This end of the connection; nothing for a Unix socket.
    pub(crate) fn local_address(&self) -> Option<SocketAddr> {
        match self {
            Self::Tcp(stream) => stream.local_addr().ok(),
            Self::Unix(_) => None,
        }
    }

    /// Whether the connection is open by now. On loopback it mostly is when `connect` returns, which
    /// saves a turn of the event loop.
    pub(crate) fn is_open(&self) -> io::Result<bool> {
        let Self::Tcp(stream) = self else {
            return Ok(true); // a Unix socket connects at once or not at all
        };
        if stream.peer_addr().is_ok() {
            return Ok(true);
        }
        stream.take_error()?.map_or(Ok(false), Err)
    }

    #[inline]
    pub(crate) fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Tcp(stream) => stream.read(buffer),
            Self::Unix(stream) => stream.read(buffer),
        }
    }

    #[inline]
    pub(crate) fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Tcp(stream) => stream.write(bytes),
            Self::Unix(stream) => stream.write(bytes),
        }
    }

    fn source(&mut self) -> &mut dyn Source {
        match self {
            Self::Tcp(stream) => stream,
            Self::Unix(stream) => stream,
        }
    }
}

impl Source for Stream {
    fn register(
        &mut self,
        registry: &Registry,
        token: Token,
        interest: Interest,
    ) -> io::Result<()> {
        self.source().register(registry, token, interest)
    }

    fn reregister(
        &mut self,
        registry: &Registry,
        token: Token,
        interest: Interest,
    ) -> io::Result<()> {
        self.source().reregister(registry, token, interest)
    }

    fn deregister(&mut self, registry: &Registry) -> io::Result<()> {
        self.source().deregister(registry)
    }
}

/// Connections that one source address carries to one destination with room to spare: there are
/// 28,232 local ports where nobody changed `ip_local_port_range`.
const EACH_SOURCE: u64 = 20_000;

/// The address that the `number`-th of many connections comes from, if that has to be told: one of
/// those that were asked for, in turn; or, as all of 127.0.0.0/8 is this machine and each address has
/// local ports of its own, one of many.
pub(crate) fn source(
    target: &Target,
    asked: &[IpAddr],
    number: u64,
    connections: u64,
) -> Option<IpAddr> {
    if !asked.is_empty() {
        return Some(asked[(number % asked.len() as u64) as usize]);
    }
    let Target::Tcp(SocketAddr::V4(address)) = target else {
        return None;
    };
    if connections <= EACH_SOURCE || !address.ip().is_loopback() {
        return None;
    }
    let [_, _, high, low] = ((number / EACH_SOURCE + 1) as u32).to_be_bytes();
    Some(IpAddr::from([127, 0, high, low]))
}

/// What the system means by refusing a path: it says the same of a file as of a socket at which nobody listens.
pub(crate) fn socket_error(path: &Path, error: io::Error) -> io::Error {
    let refused = Errno::from_io_error(&error) == Some(Errno::CONNREFUSED);
    let other = || std::fs::metadata(path).is_ok_and(|there| !there.file_type().is_socket());
    if refused && other() {
        Errno::NOTSOCK.into()
    } else {
        error
    }
}

/// Why a connection could not be opened.
pub(crate) fn cause(error: &io::Error) -> Cause {
    match Errno::from_io_error(error) {
        Some(Errno::CONNREFUSED) => Cause::Refused,
        Some(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => Cause::NoSocket,
        // or one of datagrams
        Some(Errno::NOTSOCK | Errno::PROTOTYPE) => Cause::NotASocket,
        Some(Errno::ACCESS | Errno::PERM) => Cause::Denied,
        // A Unix socket says `EAGAIN` at once; TCP is silent until the kernel gives up.
        Some(Errno::AGAIN | Errno::TIMEDOUT) => Cause::Backlog,
        Some(Errno::ADDRNOTAVAIL | Errno::MFILE | Errno::NFILE | Errno::NOBUFS | Errno::NOMEM) => {
            Cause::Exhausted
        }
        _ => Cause::Connect,
    }
}

/// The target as a person writes it.
pub(crate) fn name(target: &Target) -> String {
    match target {
        Target::Tcp(address) => address.to_string(),
        Target::Unix(path) => format!("unix:{}", path.display()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_the_system_are_named_by_whose_fault_they_are() {
        for (errno, expected) in [
            (Errno::CONNREFUSED, Cause::Refused),
            (Errno::NOENT, Cause::NoSocket),
            (Errno::NOTDIR, Cause::NoSocket),
            (Errno::PROTOTYPE, Cause::NotASocket),
            (Errno::NOTSOCK, Cause::NotASocket),
            (Errno::AGAIN, Cause::Backlog),
            (Errno::TIMEDOUT, Cause::Backlog),
            (Errno::ADDRNOTAVAIL, Cause::Exhausted),
            (Errno::MFILE, Cause::Exhausted),
            (Errno::NFILE, Cause::Exhausted),
            (Errno::ACCESS, Cause::Denied),
            (Errno::NETUNREACH, Cause::Connect),
        ] {
            assert_eq!(cause(&io::Error::from(errno)), expected, "{errno:?}");
        }
        assert_eq!(cause(&io::Error::other("not the system's")), Cause::Connect);
    }
}
