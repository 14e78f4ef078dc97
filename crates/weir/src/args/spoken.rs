use clap::Args;
use record::{AtOnce, Protocol};

use super::number::count;

use crate::error::{Error, Exit};

/// What is spoken, and how many requests are under way at once on a connection.
#[derive(Debug, Args)]
#[command(next_help_heading = "Protocol")]
pub(crate) struct SpokenArgs {
    /// Speak HTTP/2: by ALPN to an https URL; with prior knowledge to an http URL, as
    /// h2c://HOST:PORT/PATH does
    #[arg(long, conflicts_with = "http1_0")]
    pub(crate) http2: bool,
    /// Speak HTTP/1.0 to an http URL
    #[arg(long = "http1.0")]
    pub(crate) http1_0: bool,
    /// HTTP/2: concurrent streams per connection [default: 1]
    #[arg(long, value_name = "N", value_parser = count::<u32>, conflicts_with = "pipeline")]
    pub(crate) streams: Option<u32>,
    /// HTTP/1: pipelined requests per connection [default: 1]
    #[arg(long, value_name = "N", value_parser = count::<u32>)]
    pub(crate) pipeline: Option<u32>,
}

impl SpokenArgs {
    /// What is spoken to a place whose URL says `protocol`.
    pub(crate) fn protocol(&self, protocol: Protocol) -> Result<Protocol, Error> {
        let asked = match (self.http2, self.http1_0) {
            (true, _) => Some((Protocol::Http2, "--http2")),
            (_, true) => Some((Protocol::Http10, "--http1.0")),
            _ => None,
        };
        let spoken = match asked {
            None => protocol,
            Some((asked, _)) if [Protocol::Http1, asked].contains(&protocol) => asked,
            Some((_, flag)) => return Err(cannot(flag, protocol, "give an http URL")),
        };
        let at_once = spoken.at_once();
        if self.streams.is_some() && at_once != AtOnce::Streams {
            let hint = "give `--http2` or an h2c URL with it, or `--pipeline` for HTTP/1; users of a script take \
                        neither";
            return Err(cannot("--streams", spoken, hint));
        }
        if self.pipeline.is_some() && at_once != AtOnce::Pipelined {
            let hint = "HTTP/2 has `--streams`; the others answer one request at a time";
            return Err(cannot("--pipeline", spoken, hint));
        }
        Ok(spoken)
    }
}

fn cannot(flag: &str, protocol: Protocol, hint: &str) -> Error {
    let message = format!("`{flag}` does not go with {}", protocol.words());
    Error::new(Exit::Usage, message).hint(hint.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spoken(
        http2: bool,
        http1_0: bool,
        streams: Option<u32>,
        pipeline: Option<u32>,
    ) -> SpokenArgs {
        SpokenArgs {
            http2,
            http1_0,
            streams,
            pipeline,
        }
    }

    #[test]
    fn flags_say_what_is_spoken() {
        use Protocol::{FastCgi, Http1, Http2, Http10};
        for (args, url, wanted) in [
            (spoken(false, false, None, None), Http1, Some(Http1)),
            (spoken(true, false, None, None), Http1, Some(Http2)),
            (spoken(true, false, Some(5), None), Http1, Some(Http2)),
            (spoken(true, false, None, None), Http2, Some(Http2)),
            (spoken(false, false, Some(5), None), Http2, Some(Http2)),
            (spoken(false, true, None, Some(5)), Http1, Some(Http10)),
            (spoken(false, false, None, Some(5)), Http1, Some(Http1)),
            (spoken(false, false, None, None), FastCgi, Some(FastCgi)),
            (spoken(false, true, None, None), Http2, None),
            (spoken(true, false, None, None), FastCgi, None),
            (spoken(false, true, None, None), FastCgi, None),
            (spoken(false, false, Some(5), None), Http1, None),
            (spoken(false, false, None, Some(5)), Http2, None),
            (spoken(false, false, None, Some(5)), FastCgi, None),
        ] {
            assert_eq!(args.protocol(url).ok(), wanted, "{args:?} {url:?}");
        }
    }
}
