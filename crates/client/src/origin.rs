use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};

use record::Talk;

use crate::answer::Answer;
use crate::background::Background;
use crate::secure::Identity;
use crate::served::Served;

/// Connections that wait to be accepted.
const BACKLOG: i32 = 4_096;

/// An HTTP server on a port of 127.0.0.1 that the kernel chose, in a thread of its own.
#[derive(Debug)]
pub struct Origin {
    address: SocketAddr,
    secure: bool,
    served: Background<Talk>,
}

impl Origin {
    /// Begins to serve, over TLS if it has an identity. `at_first` is called when the first request has come, before it is
    /// answered.
    ///
    /// # Errors
    /// The system has no port, descriptor or thread for it.
    pub fn start(
        answer: Answer,
        identity: Option<Identity>,
        at_first: impl FnOnce() + Send + 'static,
    ) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        listener.set_nonblocking(true)?;
        rustix::net::listen(&listener, BACKLOG)?;
        let address = listener.local_addr()?;
        let secure = identity.is_some();
        let served = Served::new(listener, (answer, identity), Box::new(at_first))?;
        Ok(Self {
            address,
            secure,
            served: Background::start("origin", move |over| served.until(over))?,
        })
    }

    /// Where it serves, as a client is told.
    pub fn url(&self) -> String {
        self.url_of(&self.address.ip().to_string())
    }

    /// The same by a name of its host's.
    pub fn url_of(&self, host: &str) -> String {
        let scheme = if self.secure { "https" } else { "http" };
        format!("{scheme}://{host}:{}/", self.address.port())
    }

    /// Takes in what is under way, and says how the client talked.
    ///
    /// # Panics
    /// When its thread did.
    pub fn end(self) -> Talk {
        self.served.end()
    }
}
