use std::io;
use std::net::{IpAddr, SocketAddr};
use std::os::fd::{AsFd as _, AsRawFd as _, BorrowedFd, OwnedFd};
use std::os::unix::fs::FileTypeExt as _;
use std::path::Path;
use std::time::Duration;

use mio::unix::SourceFd;
use mio::{Interest, Registry, Token};
use record::{Cause, Target, TcpState};
use rustix::io::Errno;
use rustix::net::{RecvFlags, SendFlags};
use socket2::{SockAddr, Socket, Type};

use crate::ports;

/// A non-blocking connection of either kind.
#[derive(Debug)]
pub(crate) struct Stream(Socket);

impl Stream {
    /// Begins to connect, as one of so many. `prepare` does to the socket what has to be done before.
    pub(crate) fn connect(
        target: &Target,
        among: u64,
        prepare: impl FnOnce(&Socket) -> io::Result<()>,
    ) -> io::Result<Self> {
        let address = match target {
            Target::Tcp(address) => SockAddr::from(*address),
            Target::Unix(path) => SockAddr::unix(path)?,
        };
        let socket = Socket::new(address.domain(), Type::STREAM.nonblocking(), None)?;
        if matches!(target, Target::Tcp(_)) {
            socket.set_tcp_nodelay(true)?;
        }
        prepare(&socket)?;
        let connected = match target {
            Target::Tcp(_) if among > ports::MANY => ports::connect(&socket, &address),
            _ => socket.connect(&address),
        };
        match (connected, target) {
            (Ok(()), _) => Ok(Self(socket)),
            (Err(error), _) if Errno::from_io_error(&error) == Some(Errno::INPROGRESS) => {
                Ok(Self(socket))
            }
            (Err(error), Target::Unix(path)) => Err(socket_error(path, error)),
            (Err(error), Target::Tcp(_)) => Err(error),
        }
    }

    /// The connection as the kernel sees it; nothing for a Unix socket.
    pub(crate) fn tcp_state(&self) -> Option<TcpState> {
        let info = kernel::tcp_info(&self.0).ok()?;
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
        self.0.local_addr().ok()?.as_socket()
    }

    /// Whether the connection is open by now. On loopback it mostly is when `connect` returns, which
    /// saves a turn of the event loop.
    pub(crate) fn is_open(&self) -> io::Result<bool> {
        if self.0.peer_addr().is_ok() {
            return Ok(true);
        }
        self.0.take_error()?.map_or(Ok(false), Err)
    }

    /// Without the C library, whose calls can be cancelled by another thread: to provide for that takes a fortieth of a request.
    #[inline]
    pub(crate) fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        let (_, length) = rustix::net::recv(&self.0, buffer, RecvFlags::empty())?;
        Ok(length)
    }

    /// As [`Stream::read`].
    #[inline]
    pub(crate) fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        Ok(rustix::net::send(&self.0, bytes, SendFlags::NOSIGNAL)?)
    }

    /// Has calls and requests wait for it, now that it is open.
    pub(crate) fn block(&self) -> io::Result<()> {
        self.0.set_nonblocking(false)
    }

    /// Its descriptor.
    pub(crate) fn descriptor(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }

    /// The same, to be closed by somebody else.
    pub(crate) fn into_descriptor(self) -> OwnedFd {
        self.0.into()
    }

    /// Has an event loop tell of it under `token`.
    pub(crate) fn watch(&self, by: &Registry, token: Token, what: Interest) -> io::Result<()> {
        by.register(&mut SourceFd(&self.0.as_raw_fd()), token, what)
    }

    /// The same of what is told already: also of what is there by now.
    pub(crate) fn rewatch(&self, by: &Registry, token: Token, what: Interest) -> io::Result<()> {
        by.reregister(&mut SourceFd(&self.0.as_raw_fd()), token, what)
    }

    /// Closes it with a reset; over a Unix socket, which has none, it is closed.
    pub(crate) fn reset(self) {
        // Where it cannot be set the connection is closed all the same.
        let _ = self.0.set_linger(Some(Duration::ZERO));
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
fn socket_error(path: &Path, error: io::Error) -> io::Error {
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
