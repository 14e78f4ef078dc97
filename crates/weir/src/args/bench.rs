//! What `weir bench` understands.

use std::path::PathBuf;

use clap::Args;
use record::Protocol;

use super::OutputArgs;
use super::asking::{CheckArgs, RequestArgs};
use super::cgi::CgiArgs;
use super::clients::ClientArgs;
use super::crowd::CrowdArgs;
use super::load::LoadArgs;
use super::number::status;
use super::points::PointArgs;
use super::script::ScriptArgs;
use super::spoken::SpokenArgs;
use super::tls::TlsArgs;
use super::traffic::TrafficArgs;
use super::value::{header, seconds};

/// Before the options, in `-h` and `--help` alike.
const FIRST: &str = "\
Examples:
  weir bench http://127.0.0.1:8000/     capacity and latency in a minute
  weir bench URL -c 100 -d 30s          100 connections kept busy";

const EXAMPLES: &str = "\
More examples:
  weir bench URL -R 500 -d 30s --fail-if 'p99 > 50ms'
                                        500 requests/s; exits with 3 if too slow
  weir bench URL --goal 'p99 < 200ms'   the highest rate at which that holds
  weir bench URL -c 100 -d 30s --against last
                                        beside the last load of that URL
  weir bench URL --replay access.log --pace 2x
                                        what was asked for, twice as fast
  weir bench URL -c 10 -d 10m --live live.ndjson
                                        a line of JSON a second, while it runs
  weir bench 'scgi+unix:/run/app.sock|/' -n 1000
                                        an app server without its front end";

/// What `weir bench -h` shows; `--help` has the rest.
pub(super) const SHORT: [&str; 10] = [
    "connections",
    "duration",
    "requests",
    "rate",
    "header",
    "method",
    "body",
    "http2",
    "sweep",
    "fail_if",
];

#[derive(Debug, Args)]
#[command(before_help = FIRST, after_help = "All options: weir bench --help", after_long_help = EXAMPLES)]
pub(crate) struct BenchArgs {
    /// http://HOST:PORT/PATH, http+unix:SOCKET|/PATH, or a path with --unix
    ///
    /// HOST:PORT alone means http. fastcgi, scgi, uwsgi and ajp load an app server without its
    /// front end, as in `fastcgi://127.0.0.1:9000/` or `'scgi+unix:/run/app.sock|/path'`. ws and wss load a
    /// WebSocket that must echo each message (`--body`).
    pub(crate) url: String,
    #[command(flatten)]
    pub(crate) load: LoadArgs,
    /// Open a connection for each request
    #[arg(help_heading = "Request", long)]
    pub(crate) no_keep_alive: bool,
    /// Connect to this Unix socket
    #[arg(help_heading = "Request", long, value_name = "PATH")]
    pub(crate) unix: Option<PathBuf>,
    /// Header to send, as in 'Accept: text/html'; repeatable
    #[arg(help_heading = "Request", long, short = 'H', value_name = "NAME: VALUE", value_parser = header)]
    pub(crate) header: Vec<(String, String)>,
    /// Expected status, or several, as in 301,302 [default: 200 to 299; 200 to 399 with a script]
    ///
    /// The requests of a --mix and those of a --replay have their own; a WebSocket is opened with 101.
    #[arg(help_heading = "Expected responses", long, value_name = "N[,N...]", value_delimiter = ',', value_parser = status)]
    pub(crate) status: Vec<u16>,
    /// Text that every response body must contain
    #[arg(help_heading = "Expected responses", long, value_name = "TEXT")]
    pub(crate) contains: Vec<String>,
    /// Total length of the capacity survey that runs when no load is given, or of the search for a --goal, as in 30s
    /// [default: 60s]
    #[arg(help_heading = "Load", long, value_name = "TIME", value_parser = seconds)]
    pub(crate) survey_seconds: Option<f64>,
    /// wrk's flag, of no effect: the quantiles are always printed
    #[arg(long, hide = true)]
    pub(crate) latency: bool,
    #[command(flatten)]
    pub(crate) points: PointArgs,
    #[command(flatten)]
    pub(crate) request: RequestArgs,
    #[command(flatten)]
    pub(crate) spoken: SpokenArgs,
    #[command(flatten)]
    pub(crate) cgi: CgiArgs,
    #[command(flatten)]
    pub(crate) tls: TlsArgs,
    #[command(flatten)]
    pub(crate) traffic: TrafficArgs,
    #[command(flatten)]
    pub(crate) script: ScriptArgs,
    #[command(flatten)]
    pub(crate) checks: CheckArgs,
    #[command(flatten)]
    pub(crate) clients: ClientArgs,
    #[command(flatten)]
    pub(crate) crowd: CrowdArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

impl BenchArgs {
    /// Seconds of a survey, or of a search for a goal.
    pub(crate) fn seeks_for(&self) -> f64 {
        self.survey_seconds.unwrap_or(60.0)
    }

    /// How the URL is asked, unless something else says so: what has a body is posted. Over a WebSocket it is no body.
    pub(crate) fn method(&self) -> &str {
        let request = &self.request;
        let body = request.body.is_some() || request.body_file.is_some();
        match &request.method {
            Some(method) => method,
            None if body && !self.is_websocket() => "POST",
            None => "GET",
        }
    }

    fn is_websocket(&self) -> bool {
        let scheme = self.url.split([':', '+']).next().unwrap_or_default();
        Protocol::of_word(scheme).is_some_and(|(protocol, _)| protocol == Protocol::WebSocket)
    }

    /// Nothing says how much or how long to load: look for the capacity.
    pub(crate) fn is_survey(&self) -> bool {
        let load = self.load.is_given();
        let asked = self.traffic.is_given() || self.script.script.is_some();
        let clients = self.clients.is_given() || !self.crowd.crowd().is_none();
        !load && !asked && !clients && !self.points.is_given()
    }
}
