use std::io::{self, Read, Write};
use std::net::SocketAddr;
use std::os::fd::AsRawFd as _;
use std::time::Duration;

use crate::transport;
use mio::unix::SourceFd;
use mio::{Interest, Registry, Token};
use record::{Habit, Target};
use socket2::{Domain, SockAddr, Socket, Type};

/// A receive buffer as small as the kernel allows, about: what a slow reader has not read must wait
/// at the server, as it would beyond a slow line.
const BUFFER: usize = 4096;
/// The segment of an Ethernet, bytes. Loopback's of 64 KiB lets a server's send buffer grow to
/// megabytes at once, in which most answers would disappear.
const SEGMENT: u32 = 1460;

/// A connection of a crowd.
#[derive(Debug)]
pub(super) struct Line(Socket);

impl Line {
    /// Begins to connect, and tells the event loop under `token`.
    pub(super) fn open(
        target: &Target,
        habit: Habit,
        registry: &Registry,
        token: Token,
    ) -> io::Result<Self> {
        let address = match target {
            Target::Tcp(address) => SockAddr::from(*address),
            Target::Unix(path) => SockAddr::unix(path)?,
        };
        let socket = Socket::new(address.domain(), Type::STREAM, None)?;
        socket.set_nonblocking(true)?;
        if address.domain() != Domain::UNIX {
            socket.set_tcp_nodelay(true)?;
        }
        if habit == Habit::SlowReader {
            // Both are agreed on while the connection opens.
            socket.set_recv_buffer_size(BUFFER)?;
            if address.domain() != Domain::UNIX {
                socket.set_tcp_mss(SEGMENT)?;
            }
        }
        match socket.connect(&address) {
            Err(error) if error.raw_os_error() == Some(IN_PROGRESS) => {}
            outcome => outcome.map_err(|error| match target {
                Target::Unix(path) => transport::socket_error(path, error),
                Target::Tcp(_) => error,
            })?,
        }
        registry.register(
            &mut SourceFd(&socket.as_raw_fd()),
            token,
            Interest::READABLE | Interest::WRITABLE,
        )?;
        Ok(Self(socket))
    }

    /// Whether it is open by now.
    pub(super) fn is_open(&self) -> io::Result<bool> {
        if self.0.peer_addr().is_ok() {
            return Ok(true);
        }
        self.0.take_error()?.map_or(Ok(false), Err)
    }

    /// Its own end; nothing for a Unix socket.
    pub(super) fn local_address(&self) -> Option<SocketAddr> {
        self.0.local_addr().ok()?.as_socket()
    }

    pub(super) fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        (&self.0).read(buffer)
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        (&self.0).write(bytes)
    }

    /// Asks to be told again of what is there already.
    pub(super) fn remind(&self, registry: &Registry, token: Token) -> io::Result<()> {
        let interest = Interest::READABLE | Interest::WRITABLE;
        registry.reregister(&mut SourceFd(&self.0.as_raw_fd()), token, interest)
    }

    /// Closes it with a reset; over a Unix socket, which has none, it is closed.
    pub(super) fn reset(self) {
        // Where it cannot be set the connection is closed all the same.
        let _ = self.0.set_linger(Some(Duration::ZERO));
    }
}

const IN_PROGRESS: i32 = rustix::io::Errno::INPROGRESS.raw_os_error();
