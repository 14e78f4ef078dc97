//! Protocols without sockets, one file each: bytes in, events out.
//!
//! A [`Session`] is one connection's protocol state without its socket and its clock, so that the
//! load engine, a readiness check, a fuzzer and a test drive the same code: [`Http1`], [`Http10`],
//! [`Http2`], [`WebSocket`], and for app servers without a front end [`FastCgi`], [`Scgi`], [`Uwsgi`] and [`Ajp`].
//! [`Tls`] wraps any of them. [`Collector`] turns a session's events into one whole [`Answer`], for callers that want to look at
//! an answer and do not mind its allocations.

mod ajp;
mod answer;
mod ask;
mod cgi;
mod fastcgi;
mod frames;
pub mod http1;
mod http10;
pub mod http2;
mod message;
mod packet;
mod scgi;
mod session;
#[cfg(test)]
mod testing;
mod tls;
mod uwsgi;
pub mod websocket;

pub use ajp::Ajp;
pub use answer::{Answer, Collector, Incomplete};
pub use ask::{Ask, Cgi, Unsendable};
pub use fastcgi::FastCgi;
pub use http1::Http1;
pub use http2::Http2;
pub use http10::Http10;
pub use packet::Packet;
pub use scgi::Scgi;
pub use session::{End, Event, Exchange, Failure, Malformed, Session, Setup};
pub use tls::{Identity, Tls, TlsError, TlsFault, TlsOptions, TlsSettings, TlsVersion, Trust};
pub use uwsgi::Uwsgi;
pub use websocket::WebSocket;
