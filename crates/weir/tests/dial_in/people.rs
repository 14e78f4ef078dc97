//! Both sides of the front end, scripted: servers that dial in, and clients.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;

use super::front::Front;
use crate::support::PATIENCE;

/// A server that dials in, as thin does it, and answers what the test tells it to.
pub(crate) struct Server {
    stream: BufReader<TcpStream>,
}

impl Server {
    pub(crate) fn dial(front: &Front) -> Self {
        Self::present(front, "swiftclient7f0000010bb806sesame")
    }

    /// Says this first.
    pub(crate) fn present(front: &Front, greeting: &str) -> Self {
        let mut stream = connect(&front.servers);
        stream.write_all(greeting.as_bytes()).unwrap();
        Self {
            stream: BufReader::new(stream),
        }
    }

    /// The next request: its head in lower case, and its body.
    pub(crate) fn hear(&mut self) -> (String, String) {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            assert_ne!(self.stream.read_line(&mut head).unwrap(), 0, "{head:?}");
        }
        let head = head.to_lowercase();
        let length = head
            .split("content-length: ")
            .nth(1)
            .map_or(0, |rest| rest.lines().next().unwrap().parse().unwrap());
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body).unwrap();
        (head, String::from_utf8(body).unwrap())
    }

    pub(crate) fn say(&mut self, answer: &str) {
        let stream = self.stream.get_mut();
        stream.write_all(answer.as_bytes()).unwrap();
    }

    /// Hears a request and answers it; the request's first line.
    pub(crate) fn serve(&mut self, body: &str) -> String {
        let (head, _) = self.hear();
        self.say(&ok(body));
        head.lines().next().unwrap().to_owned()
    }

    /// Nothing comes any more.
    pub(crate) fn is_left(&mut self) -> bool {
        self.stream.fill_buf().map_or(true, <[u8]>::is_empty)
    }
}

pub(crate) fn ok(body: &str) -> String {
    let length = body.len();
    format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\nConnection: keep-alive\r\n\r\n{body}")
}

fn connect(address: &str) -> TcpStream {
    let stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream
}

/// A client with one connection.
pub(crate) struct Client {
    stream: BufReader<TcpStream>,
}

impl Client {
    pub(crate) fn of(front: &Front) -> Self {
        Self {
            stream: BufReader::new(connect(&front.clients)),
        }
    }

    /// Asks on this connection, which is kept.
    pub(crate) fn ask(&mut self, line: &str) -> &mut Self {
        self.send(&format!("{line} HTTP/1.1\r\nHost: here\r\n\r\n"))
    }

    pub(crate) fn send(&mut self, request: &str) -> &mut Self {
        let stream = self.stream.get_mut();
        stream.write_all(request.as_bytes()).unwrap();
        self
    }

    /// Status and body of an answer that tells its length.
    pub(crate) fn hear(&mut self) -> (u16, String) {
        let (status, length) = self.head();
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body).unwrap();
        (status, String::from_utf8(body).unwrap())
    }

    /// Status and length of the answer that comes.
    pub(crate) fn head(&mut self) -> (u16, usize) {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            assert_ne!(self.stream.read_line(&mut head).unwrap(), 0, "{head:?}");
        }
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        let length = head.split("Content-Length: ").nth(1);
        let length = length.map(|rest| rest.lines().next().unwrap().parse().unwrap());
        (status, length.unwrap_or(0))
    }

    /// Everything until the front end closes the connection.
    pub(crate) fn rest(&mut self) -> String {
        let mut rest = Vec::new();
        let _ = self.stream.read_to_end(&mut rest); // a reset is an end too
        String::from_utf8(rest).unwrap()
    }
}
