use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::time::Duration;

use socket2::{Domain, SockAddr, SockRef, Socket, Type};
use tempfile::TempDir;

use crate::temp_dir;

/// A connection of either kind.
pub(crate) enum Stream {
    Tcp(TcpStream),
    Unix(UnixStream),
}

impl Stream {
    pub(crate) fn try_clone(&self) -> io::Result<Self> {
        match self {
            Self::Tcp(stream) => stream.try_clone().map(Self::Tcp),
            Self::Unix(stream) => stream.try_clone().map(Self::Unix),
        }
    }

    /// Makes a blocked read return; the peer sees an end of stream.
    pub(crate) fn shut(&self) {
        // An error means that the other side was first.
        let _ = match self {
            Self::Tcp(stream) => stream.shutdown(Shutdown::Both),
            Self::Unix(stream) => stream.shutdown(Shutdown::Both),
        };
    }

    /// Makes the coming close a reset. A Unix socket resets by being closed with unread bytes.
    pub(crate) fn reset_on_close(&self) {
        if let Self::Tcp(stream) = self {
            SockRef::from(stream)
                .set_linger(Some(Duration::ZERO))
                .expect("SO_LINGER");
        }
    }
}

impl Read for Stream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Tcp(stream) => stream.read(buffer),
            Self::Unix(stream) => stream.read(buffer),
        }
    }
}

impl Write for Stream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Tcp(stream) => stream.write(bytes),
            Self::Unix(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

pub(crate) enum Listener {
    Tcp(TcpListener),
    Unix(UnixListener),
}

impl Listener {
    pub(crate) fn accept(&self) -> io::Result<Stream> {
        match self {
            Self::Tcp(listener) => {
                let (stream, _) = listener.accept()?;
                stream.set_nodelay(true)?; // bytes sent one by one must travel one by one
                Ok(Stream::Tcp(stream))
            }
            Self::Unix(listener) => Ok(Stream::Unix(listener.accept()?.0)),
        }
    }
}

/// A TCP port that refuses connections and that nobody else can take meanwhile.
#[derive(Debug)]
pub struct Refusing {
    _bound: Socket,
    address: SocketAddr,
}

impl Refusing {
    /// Binds a port of the kernel's choice, and does not listen on it.
    ///
    /// # Panics
    /// When no port can be had.
    #[expect(
        clippy::new_without_default,
        reason = "it takes a port, which is not a default"
    )]
    #[must_use]
    pub fn new() -> Self {
        let bound = Socket::new(Domain::IPV4, Type::STREAM, None).expect("a socket");
        bound
            .bind(&SocketAddr::from(([127, 0, 0, 1], 0)).into())
            .expect("a free port");
        let address = bound
            .local_addr()
            .expect("an address")
            .as_socket()
            .expect("an IP address");
        Self {
            _bound: bound,
            address,
        }
    }

    /// Its address.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

/// A Unix socket that listens with the shortest queue and never accepts.
#[derive(Debug)]
pub struct UnacceptingUnix {
    _listening: Socket,
    path: PathBuf,
    _dir: TempDir,
}

impl UnacceptingUnix {
    /// Listens on a fresh path.
    ///
    /// # Panics
    /// When the socket cannot be made.
    #[expect(
        clippy::new_without_default,
        reason = "it takes a path, which is not a default"
    )]
    #[must_use]
    pub fn new() -> Self {
        let dir = temp_dir();
        let path = dir.path().join("full.sock");
        let listening = Socket::new(Domain::UNIX, Type::STREAM, None).expect("a socket");
        listening
            .bind(&SockAddr::unix(&path).expect("a short path"))
            .expect("a fresh path");
        listening.listen(0).expect("to listen");
        Self {
            _listening: listening,
            path,
            _dir: dir,
        }
    }

    /// Its path.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        self.path.clone()
    }
}
