use std::io::{self, Read, Write};

use mio::event::Source;
use mio::net::{TcpStream, UnixStream};
use mio::{Interest, Registry, Token};
use record::{Cause, Target};
use rustix::io::Errno;

/// A non-blocking connection of either kind.
#[derive(Debug)]
pub(crate) enum Stream {
    Tcp(TcpStream),
    Unix(UnixStream),
}

impl Stream {
    /// Begins to connect.
    pub(crate) fn connect(target: &Target) -> io::Result<Self> {
        match target {
            Target::Tcp(address) => {
                let stream = TcpStream::connect(*address)?;
                stream.set_nodelay(true)?;
                Ok(Self::Tcp(stream))
            }
            Target::Unix(path) => UnixStream::connect(path).map(Self::Unix),
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

/// Why a connection could not be opened.
pub(crate) fn cause(error: &io::Error) -> Cause {
    match Errno::from_io_error(error) {
        // A path at which there is no socket is a port at which nobody listens.
        Some(Errno::CONNREFUSED | Errno::NOENT) => Cause::Refused,
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
            (Errno::NOENT, Cause::Refused),
            (Errno::AGAIN, Cause::Backlog),
            (Errno::TIMEDOUT, Cause::Backlog),
            (Errno::ADDRNOTAVAIL, Cause::Exhausted),
            (Errno::MFILE, Cause::Exhausted),
            (Errno::NFILE, Cause::Exhausted),
            (Errno::ACCESS, Cause::Connect),
            (Errno::NETUNREACH, Cause::Connect),
        ] {
            assert_eq!(cause(&io::Error::from(errno)), expected, "{errno:?}");
        }
        assert_eq!(cause(&io::Error::other("not the system's")), Cause::Connect);
    }
}
