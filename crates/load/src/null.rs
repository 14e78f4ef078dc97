use std::io::{self, Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr};
use std::thread::JoinHandle;

use mio::net::{TcpListener, TcpStream};
use mio::{Events, Interest, Poll, Token, Waker};

/// What it says, whatever it is asked.
const ANSWER: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok\n";
/// What ends a request; none that comes here has a body.
const END: &[u8; 4] = b"\r\n\r\n";
const LISTENER: Token = Token(usize::MAX);
const STOP: Token = Token(usize::MAX - 1);

/// A server that does as little as a server can: one thread, one event loop, one answer. What is
/// measured against it is the load engine and the machine. Ends when it is dropped.
#[derive(Debug)]
pub struct NullServer {
    address: SocketAddr,
    stop: Waker,
    thread: Option<JoinHandle<()>>,
}

impl NullServer {
    /// The body of its answers; their status is 200.
    pub const BODY: &[u8] = b"ok\n";

    /// Starts it on loopback, on a port that the kernel chooses.
    ///
    /// # Errors
    /// The system refuses a socket or a thread.
    pub fn start() -> io::Result<Self> {
        let mut listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0).into())?;
        let address = listener.local_addr()?;
        let poll = Poll::new()?;
        let stop = Waker::new(poll.registry(), STOP)?;
        poll.registry()
            .register(&mut listener, LISTENER, Interest::READABLE)?;
        let mut server = Loop {
            poll,
            listener,
            clients: Vec::new(),
        };
        let thread = std::thread::Builder::new()
            .name("weir-null".to_owned())
            .spawn(move || server.serve())?;
        Ok(Self {
            address,
            stop,
            thread: Some(thread),
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for NullServer {
    fn drop(&mut self) {
        // Without the wake-up nobody would end the thread: better to leave it than to wait for ever.
        if self.stop.wake().is_ok()
            && let Some(thread) = self.thread.take()
        {
            let _ = thread.join();
        }
    }
}

struct Loop {
    poll: Poll,
    listener: TcpListener,
    clients: Vec<Option<Client>>,
}

struct Client {
    stream: TcpStream,
    /// How many bytes of a request's end were the last that came.
    matched: usize,
}

impl Loop {
    fn serve(&mut self) {
        let mut events = Events::with_capacity(1024);
        let mut buffer = vec![0; 64 * 1024];
        loop {
            match self.poll.poll(&mut events, None) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(_) => return, // clients see their connections end, and say so
                Ok(()) => {}
            }
            for event in &events {
                match event.token() {
                    STOP => return,
                    LISTENER => self.accept(),
                    Token(number) => {
                        let client = &mut self.clients[number];
                        let open = client.as_mut();
                        if open.is_some_and(|open| open.answer(&mut buffer).is_err()) {
                            *client = None;
                        }
                    }
                }
            }
        }
    }

    fn accept(&mut self) {
        while let Ok((mut stream, _)) = self.listener.accept() {
            let free = self.clients.iter().position(Option::is_none);
            let number = free.unwrap_or(self.clients.len());
            let _ = stream.set_nodelay(true);
            let registry = self.poll.registry();
            let token = Token(number);
            if registry
                .register(&mut stream, token, Interest::READABLE)
                .is_err()
            {
                continue; // the client sees it closed
            }
            let client = Some(Client { stream, matched: 0 });
            match self.clients.get_mut(number) {
                Some(place) => *place = client,
                None => self.clients.push(client),
            }
        }
    }
}

impl Client {
    /// Reads what has come and answers each request that is whole. An error is the connection's end;
    /// so is an answer that the client does not take, which no measuring client leaves lying.
    fn answer(&mut self, buffer: &mut [u8]) -> io::Result<()> {
        loop {
            let length = match self.stream.read(buffer) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(length) => length,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
                Err(error) => return Err(error),
            };
            match self.requests(&buffer[..length]) {
                0 => {}
                1 => self.stream.write_all(ANSWER)?,
                several => self.stream.write_all(&ANSWER.repeat(several))?,
            }
            // A short read has emptied the socket; if more came since, there is another event.
            if length < buffer.len() {
                return Ok(());
            }
        }
    }

    /// How many requests end in these bytes.
    fn requests(&mut self, bytes: &[u8]) -> usize {
        let mut ended = 0;
        for &byte in bytes {
            self.matched = match byte {
                _ if byte == END[self.matched] => self.matched + 1,
                b'\r' => 1,
                _ => 0,
            };
            if self.matched == END.len() {
                self.matched = 0;
                ended += 1;
            }
        }
        ended
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::net::TcpStream;
    use std::time::Duration;

    use super::*;

    fn client(server: &NullServer) -> TcpStream {
        let stream = TcpStream::connect(server.address()).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(20)))
            .unwrap();
        stream.set_nodelay(true).unwrap();
        stream
    }

    fn answers(stream: &mut TcpStream, count: usize) {
        let mut got = vec![0; ANSWER.len() * count];
        stream.read_exact(&mut got).unwrap();
        assert_eq!(got, ANSWER.repeat(count));
    }

    #[test]
    fn answers_each_request_once_however_it_is_cut() {
        let server = NullServer::start().unwrap();
        let mut stream = client(&server);
        let request = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n";
        stream.write_all(request).unwrap();
        answers(&mut stream, 1);
        stream.write_all(&request.repeat(3)).unwrap();
        answers(&mut stream, 3);
        for byte in request {
            stream.write_all(&[*byte]).unwrap();
        }
        stream.write_all(request).unwrap();
        answers(&mut stream, 2);
        // nothing more is on its way: the next answer is the next request's
        stream.write_all(&request[..10]).unwrap();
        stream.write_all(&request[10..]).unwrap();
        answers(&mut stream, 1);
        stream.shutdown(std::net::Shutdown::Write).unwrap();
        assert_eq!(stream.read(&mut [0; 64]).unwrap(), 0);
    }

    #[test]
    fn ends_when_it_is_dropped() {
        let server = NullServer::start().unwrap();
        let mut open = client(&server);
        let address = server.address();
        drop(server);
        assert_eq!(open.read(&mut [0]).unwrap_or(0), 0);
        assert!(TcpStream::connect(address).is_err());
    }
}
