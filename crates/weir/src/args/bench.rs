//! What `weir bench` understands.

use std::path::PathBuf;

use clap::Args;
use record::limits;

use super::OutputArgs;
use super::asking::{CheckArgs, RequestArgs};
use super::cgi::CgiArgs;
use super::clients::ClientArgs;
use super::crowd::CrowdArgs;
use super::points::PointArgs;
use super::script::ScriptArgs;
use super::spoken::SpokenArgs;
use super::tls::TlsArgs;
use super::traffic::TrafficArgs;
use super::value::{header, seconds};

const EXAMPLES: &str = "\
Examples:
  weir bench http://127.0.0.1:8000/     capacity and latency in a minute
  weir bench URL -c 100 -d 30s          100 connections kept busy
  weir bench URL -R 500 -d 30s --fail-if 'p99 > 50ms'
                                        500 requests/s; ends with 3 if too slow
  weir bench 'scgi+unix:/run/app.sock|/' -n 1000
                                        an app server without its front end";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct BenchArgs {
    /// Where to: http://HOST:PORT/PATH, http+unix:SOCKET|/PATH, or a path when --unix is given
    ///
    /// HOST:PORT alone is asked over HTTP. App servers are loaded without a front end by fcgi, scgi, uwsgi or ajp in place of http, as in
    /// `fcgi://127.0.0.1:9000/` or `'scgi+unix:/run/app.sock|/path'`. A ws or wss URL is a WebSocket
    /// that must echo each message (`--body`).
    pub(crate) url: String,
    /// Connections: kept busy (closed loop), or ready for what falls due (open loop) [default: 10]
    #[arg(help_heading = "Load", long, short, value_parser = clap::value_parser!(u32).range(1..=i64::from(limits::CONNECTIONS)))]
    pub(crate) connections: Option<u32>,
    /// Requests in all
    #[arg(help_heading = "Load", long, short = 'n', conflicts_with = "duration", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) requests: Option<u64>,
    /// How long, as in 10s, 500ms, 2m [default: 10s]
    #[arg(help_heading = "Load", long, short, value_parser = seconds)]
    pub(crate) duration: Option<f64>,
    /// Worker threads [default: one per core, never more than connections]
    #[arg(help_heading = "Load", long, short, default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=i64::from(limits::THREADS)))]
    pub(crate) threads: u32,
    /// Load before measuring, thrown away, as in 2s or 0s [default: until rate and median are
    /// stationary, at most 10s; none with a script]
    #[arg(help_heading = "Load", long, value_name = "TIME", value_parser = seconds)]
    pub(crate) warm_up: Option<f64>,
    /// Time after which an unanswered request counts as timed out
    #[arg(help_heading = "Load", long, default_value = "30s", value_parser = seconds)]
    pub(crate) timeout: f64,
    /// How long requests are waited for that are under way when the duration is over [default: as long
    /// as answers come, until none has come for half the duration (1s to 10s) and the longest answer]
    #[arg(help_heading = "Load", long, value_name = "TIME", value_parser = seconds)]
    pub(crate) drain: Option<f64>,
    /// Open loop: requests fall due at this rate per second, whatever the server does
    #[arg(
        help_heading = "Load",
        long,
        short = 'R',
        value_name = "N",
        group = "open"
    )]
    pub(crate) rate: Option<f64>,
    /// Open loop: rates to go through in straight lines over the duration, as in 100:1000
    #[arg(
        help_heading = "Load",
        long,
        value_name = "A:B[:C...]",
        value_delimiter = ':',
        group = "open"
    )]
    pub(crate) ramp: Option<Vec<f64>>,
    /// Open loop: rates held one after the other over the duration, as in 100:200:400
    #[arg(
        help_heading = "Load",
        long,
        value_name = "A:B[:C...]",
        value_delimiter = ':',
        group = "open"
    )]
    pub(crate) steps: Option<Vec<f64>>,
    /// How an open loop's requests scatter around the rate [default: poisson]
    #[arg(help_heading = "Load", long, value_enum, value_name = "HOW")]
    pub(crate) arrivals: Option<Arrivals>,
    /// Open loop: most requests that may be due and unfinished; more are shed, and counted
    /// [default: 100000]
    #[arg(help_heading = "Load", long, value_name = "N")]
    pub(crate) max_outstanding: Option<u32>,
    /// Open loop: seed of the arrival times [default: drawn, and told in the JSON output]
    #[arg(help_heading = "Load", long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Closed loop: time between an answer and the connection's next request
    #[arg(help_heading = "Load", long, value_parser = seconds)]
    pub(crate) think: Option<f64>,
    /// How think times scatter around their mean [default: fixed]
    #[arg(
        help_heading = "Load",
        long,
        value_enum,
        value_name = "HOW",
        requires = "think"
    )]
    pub(crate) think_spread: Option<Spread>,
    /// Open a connection for each request
    #[arg(help_heading = "Request", long)]
    pub(crate) no_keep_alive: bool,
    /// Connect to this Unix socket
    #[arg(help_heading = "Request", long, value_name = "PATH")]
    pub(crate) unix: Option<PathBuf>,
    /// Send this header, as in 'Accept: text/html'; may be given several times
    #[arg(help_heading = "Request", long, short = 'H', value_name = "NAME: VALUE", value_parser = header)]
    pub(crate) header: Vec<(String, String)>,
    /// The status that counts as right [default: 200; 200 to 399 with a script]
    #[arg(help_heading = "Right answers", long, value_parser = clap::value_parser!(u16).range(100..600))]
    pub(crate) status: Option<u16>,
    /// Text that every body must contain
    #[arg(help_heading = "Right answers", long, value_name = "TEXT")]
    pub(crate) contains: Vec<String>,
    /// Length of the survey that is run when the load is left open, in all, as in 30s
    #[arg(help_heading = "Load", long, default_value = "60s", value_name = "TIME", value_parser = seconds)]
    pub(crate) survey_seconds: f64,
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
    /// Nothing says how much or how long to load: look for the capacity.
    pub(crate) fn is_survey(&self) -> bool {
        let amount = self.requests.is_some() || self.duration.is_some();
        let open = self.rate.is_some() || self.ramp.is_some() || self.steps.is_some();
        let shape =
            self.arrivals.is_some() || self.max_outstanding.is_some() || self.think.is_some();
        let asked = self.traffic.is_given() || self.script.script.is_some();
        let clients = self.clients.is_given() || !self.crowd.crowd().is_none();
        let load = amount || open || shape || asked || clients || self.connections.is_some();
        !load && !self.points.is_given()
    }
}

/// How think times scatter.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(crate) enum Spread {
    /// Not at all
    Fixed,
    /// Uniformly, up to twice the mean
    Uniform,
    /// Exponentially
    Exponential,
}

impl From<Spread> for record::Spread {
    fn from(spread: Spread) -> Self {
        match spread {
            Spread::Fixed => Self::Fixed,
            Spread::Uniform => Self::Uniform,
            Spread::Exponential => Self::Exponential,
        }
    }
}

/// How arrivals scatter around a rate.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(crate) enum Arrivals {
    /// Exponential gaps, as independent users make them
    Poisson,
    /// Equal gaps
    Constant,
}

impl From<Arrivals> for record::Process {
    fn from(arrivals: Arrivals) -> Self {
        match arrivals {
            Arrivals::Poisson => Self::Poisson,
            Arrivals::Constant => Self::Constant,
        }
    }
}
