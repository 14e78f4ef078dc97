//! Protocols without sockets, one file each: bytes in, events out.
//!
//! A [`Session`] is one connection's protocol state without its socket and its clock, so that the
//! load engine, a readiness check, a fuzzer and a test drive the same code. [`Tls`] wraps any of them.
//! A protocol is a file with its session and a row of the table below, which holds every word for it;
//! [`Protocol::dispatch`] leads from the one to the other. [`Collector`] turns a session's events into one whole
//! [`Answer`], for callers that want to look at an answer and do not mind its allocations.

#[macro_use]
extern crate schemars;

mod ajp;
mod answer;
mod ask;
mod cgi;
mod fastcgi;
mod frames;
pub mod http1;
pub mod http2;
mod message;
mod packet;
mod page;
mod protocol;
mod scgi;
mod session;
#[cfg(test)]
mod testing;
mod tls;
mod uwsgi;
pub mod websocket;

pub use ajp::Ajp;
pub use answer::{Answer, Collector, Incomplete};
pub use ask::{Ask, Cgi, Unsendable, host_and_port};
pub use fastcgi::FastCgi;
pub use http1::{Http1, Http10};
pub use http2::Http2;
pub use message::chunked::Chunked;
pub use packet::Packet;
pub use page::first_words;
pub use protocol::{Unspoken, Visitor};
pub use scgi::Scgi;
pub use session::{AtOnce, End, Event, Exchange, Failure, Malformed, On, Session, Setup};
pub(crate) use session::{OnOne, Result};
pub use tls::{Identity, Tls, TlsError, TlsFault, TlsOptions, TlsSettings, TlsVersion, Trust};
pub use uwsgi::Uwsgi;
pub use websocket::WebSocket;

protocol::protocols! {
    /// HTTP/1.1.
    #[default]
    Http1: "http1", "HTTP/1", ("http", 80; Http1), ("https", 443; Tls<Http1>), [];
    /// HTTP/1.0.
    Http10: "http10", "HTTP/1.0", ("http1.0", 80; Http10), ("https1.0", 443; Tls<Http10>), [];
    /// HTTP/2.
    Http2: "http2", "HTTP/2", ("h2c", 80; Http2), ("h2", 443; Tls<Http2>), [];
    /// FastCGI 1.0.
    FastCgi: "fastcgi", "FastCGI", ("fastcgi"; FastCgi), (), ["fcgi"];
    /// SCGI.
    Scgi: "scgi", "SCGI", ("scgi"; Scgi), (), [];
    /// The uwsgi protocol.
    Uwsgi: "uwsgi", "uwsgi", ("uwsgi"; Uwsgi), (), [];
    /// AJP 1.3.
    Ajp: "ajp", "AJP13", ("ajp", 8009; Ajp), (), [];
    /// Messages of WebSocket, each answered by one.
    WebSocket: "websocket", "WebSocket", ("ws", 80; WebSocket), ("wss", 443; Tls<WebSocket>), ["web-socket"];
    /// HTTP/1 over connections that the server opens, each with Swiftiply's greeting first.
    Swiftiply: "swiftiply", "Swiftiply", ("swiftiply"), (), [];
    /// Whatever a service speaks with those who use it.
    Native: "native", "its own protocol", (), (), [];
}
