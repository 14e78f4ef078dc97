//! The command line as a user types it.

mod calibrate;
mod crowd;
mod script;
mod spoken;
mod tls;
mod traffic;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

pub(crate) use calibrate::CalibrateArgs;
pub(crate) use script::ScriptArgs;
use spoken::SpokenArgs;
pub(crate) use tls::TlsArgs;
pub(crate) use traffic::{Methods, ReplayCheck, TrafficArgs};

/// A performance laboratory for the serving stack of a web application.
#[derive(Debug, Parser)]
#[command(
    name = "weir",
    version,
    disable_help_subcommand = true,
    max_term_width = 100
)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What every command understands.
#[derive(Debug, Args)]
pub(crate) struct Common {
    /// Where results are kept [default: weir.db in your data folder]
    #[arg(long, global = true, env = "WEIR_STORE", value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,
    /// A folder of catalogue entries of your own; may be given several times
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) catalogue: Vec<PathBuf>,
    /// Print JSON instead of tables
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Show no progress
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Serve your own app in every way that fits, and say which is fastest
    Try(TryArgs),
    /// Run a plan: its stages, block by block, and its claims
    Run(RunArgs),
    /// Load a URL
    Bench(BenchArgs),
    /// Measure what this machine lets the load engine do, for later results to be held against
    Calibrate(CalibrateArgs),
    /// List the runs in the store
    List,
    /// Show a run's table, doubts and claims
    Show {
        /// Number of the run, or `last`
        run: RunName,
    },
    /// Compare two runs, or two stages
    Compare {
        /// RUN or RUN:STAGE, what is compared
        of: Side,
        /// RUN or RUN:STAGE, what it is compared with
        over: Side,
    },
    /// Write a run's HTML report and JSON export
    Report {
        /// Number of the run, or `last`
        run: RunName,
        /// Folder to write to [default: beside the store]
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
    },
    /// Say which app servers and front ends are installed, and how to install the others
    Doctor {
        /// The Python whose servers are looked for [default: as `weir run` chooses it]
        #[arg(long, value_name = "PATH")]
        python: Option<PathBuf>,
    },
    /// Print what a stage or an entry would run: argv, environment and files
    Stack(StackArgs),
    /// Keep one stage of a plan running in the foreground, to look at
    Up {
        /// The plan file
        plan: PathBuf,
        /// The stage's name
        stage: String,
        #[command(flatten)]
        start: StartArgs,
    },
    /// Explain a command, or `plan` or `mix`: every key of such a file, or `exit-codes`
    Help {
        /// A command, `plan`, `mix` or `exit-codes`
        topic: Option<String>,
    },
    /// Watch over one program of a stack; weir starts this itself
    #[command(hide = true)]
    Guard {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<String>,
    },
}

#[derive(Debug, Args)]
pub(crate) struct StartArgs {
    /// The Python that the app runs in [default: the active virtual environment, the app's .venv, python3]
    #[arg(long, value_name = "PATH")]
    pub(crate) python: Option<PathBuf>,
    /// Longest time for a server to give its first right answer
    #[arg(long, default_value = "30s", value_name = "TIME", value_parser = seconds)]
    pub(crate) ready_timeout: f64,
}

#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// The plan file
    #[arg(required_unless_present = "resume")]
    pub(crate) plan: Option<PathBuf>,
    /// Go on with a run that was cut short
    #[arg(long, value_name = "RUN", conflicts_with_all = ["plan", "blocks", "seed", "quick", "python"])]
    pub(crate) resume: Option<RunName>,
    #[command(flatten)]
    pub(crate) how: HowArgs,
}

/// How often, in which order, and where the results go.
#[derive(Debug, Args)]
pub(crate) struct HowArgs {
    /// Fresh starts of each stage [default: the plan's]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) blocks: Option<u32>,
    /// Seed of the random order [default: the plan's]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// One block only: quick, and without any interval
    #[arg(long, conflicts_with = "blocks")]
    pub(crate) quick: bool,
    /// Folder for the HTML report and the JSON export [default: beside the store]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) start: StartArgs,
}

#[derive(Debug, Args)]
pub(crate) struct TryArgs {
    /// What to serve, in the words of its interface (`guestbook:app`)
    pub(crate) entry: String,
    /// The app's folder
    #[arg(long, default_value = ".", value_name = "DIR")]
    pub(crate) dir: PathBuf,
    /// The path to load
    #[arg(long, default_value = "/", value_name = "PATH")]
    pub(crate) path: String,
    /// The status that this path answers with, as in 302 for a page behind a login
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u16).range(100..600))]
    pub(crate) status: u16,
    /// Connections kept busy at once
    #[arg(long, short, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) connections: u32,
    /// Requests per trial
    #[arg(long, short = 'n', default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) requests: u64,
    #[command(flatten)]
    pub(crate) how: HowArgs,
}

#[derive(Debug, Args)]
pub(crate) struct BenchArgs {
    /// Where to: http[s]://HOST:PORT/PATH, http[s]+unix:SOCKET|/PATH, or a path when --unix is given
    ///
    /// App servers are loaded without a front end by fcgi, scgi, uwsgi or ajp in place of http, as in
    /// `fcgi://127.0.0.1:9000/` or `'scgi+unix:/run/app.sock|/path'`; h2c is HTTP/2 without TLS.
    pub(crate) url: String,
    /// Connections: kept busy (closed loop), or ready for what falls due (open loop)
    #[arg(long, short, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) connections: u32,
    /// Requests in all
    #[arg(long, short = 'n', conflicts_with = "duration", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) requests: Option<u64>,
    /// How long, as in 10s, 500ms, 2m [default: 10s]
    #[arg(long, short, value_parser = seconds)]
    pub(crate) duration: Option<f64>,
    /// Worker threads [default: one per core, never more than connections]
    #[arg(long, short, default_value_t = 0)]
    pub(crate) threads: u32,
    /// Load before measuring, thrown away, as in 2s or 0s; with --script none unless given
    #[arg(long, default_value = "1s", value_parser = seconds,
        default_value_if("script", clap::builder::ArgPredicate::IsPresent, "0s"))]
    pub(crate) warm_up: f64,
    /// Time after which an unanswered request counts as timed out
    #[arg(long, default_value = "30s", value_parser = seconds)]
    pub(crate) timeout: f64,
    /// Open loop: requests fall due at this rate per second, whatever the server does
    #[arg(long, short = 'R', value_name = "N", group = "open")]
    pub(crate) rate: Option<f64>,
    /// Open loop: rates to go through in straight lines over the duration, as in 100:1000
    #[arg(long, value_name = "A:B[:C...]", value_delimiter = ':', group = "open")]
    pub(crate) ramp: Option<Vec<f64>>,
    /// Open loop: rates held one after the other over the duration, as in 100:200:400
    #[arg(long, value_name = "A:B[:C...]", value_delimiter = ':', group = "open")]
    pub(crate) steps: Option<Vec<f64>>,
    /// How an open loop's requests scatter around the rate [default: poisson]
    #[arg(long, value_enum, value_name = "HOW")]
    pub(crate) arrivals: Option<Arrivals>,
    /// Open loop: most requests that may be due and unfinished; more are shed, and counted
    /// [default: 100000]
    #[arg(long, value_name = "N")]
    pub(crate) max_outstanding: Option<u32>,
    /// Open loop: seed of the arrival times [default: drawn, and told in the JSON output]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Closed loop: time between an answer and the connection's next request
    #[arg(long, value_parser = seconds)]
    pub(crate) think: Option<f64>,
    /// How think times scatter around their mean [default: fixed]
    #[arg(long, value_enum, value_name = "HOW", requires = "think")]
    pub(crate) think_spread: Option<Spread>,
    /// Open a connection for each request
    #[arg(long)]
    pub(crate) no_keep_alive: bool,
    /// Connect to this Unix socket
    #[arg(long, value_name = "PATH")]
    pub(crate) unix: Option<PathBuf>,
    /// Send this header, as in 'Accept: text/html'; may be given several times
    #[arg(long, short = 'H', value_name = "NAME: VALUE", value_parser = header)]
    pub(crate) header: Vec<(String, String)>,
    /// The status that counts as right
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u16).range(100..600))]
    pub(crate) status: u16,
    /// Text that every body must contain
    #[arg(long, value_name = "TEXT")]
    pub(crate) contains: Vec<String>,
    #[command(flatten)]
    pub(crate) spoken: SpokenArgs,
    #[command(flatten)]
    pub(crate) tls: TlsArgs,
    #[command(flatten)]
    pub(crate) traffic: TrafficArgs,
    #[command(flatten)]
    pub(crate) script: ScriptArgs,
    #[command(flatten)]
    pub(crate) crowd: crowd::CrowdArgs,
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

#[derive(Debug, Args)]
pub(crate) struct StackArgs {
    /// A stage of --plan, or an entry of the catalogue
    pub(crate) name: String,
    /// The plan that has the stage
    #[arg(long, value_name = "FILE")]
    pub(crate) plan: Option<PathBuf>,
    /// A knob of the entry, as in workers=4; may be given several times
    #[arg(long, value_name = "KNOB=VALUE", value_parser = setting, conflicts_with = "plan")]
    pub(crate) set: Vec<(String, String)>,
    /// Print and start nothing (the only thing this command does; `weir up` starts a stack)
    #[arg(long, required = true)]
    pub(crate) print: bool,
    /// The Python that stands in the commands [default: as `weir run` chooses it]
    #[arg(long, value_name = "PATH")]
    pub(crate) python: Option<PathBuf>,
}

/// A run as users name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RunName {
    Last,
    Number(i64),
}

impl std::str::FromStr for RunName {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "last" => Ok(Self::Last),
            number => number
                .parse()
                .map(Self::Number)
                .map_err(|_| "a run is a number (see `weir list`) or `last`".into()),
        }
    }
}

/// `RUN` or `RUN:STAGE`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Side {
    pub(crate) run: RunName,
    pub(crate) stage: Option<String>,
}

impl std::str::FromStr for Side {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let (run, stage) = match text.split_once(':') {
            Some((run, stage)) => (run, Some(stage.to_owned())),
            None => (text, None),
        };
        Ok(Self {
            run: run.parse()?,
            stage,
        })
    }
}

/// `10s`, `500ms`, `2m`, `1h`, or a plain number of seconds.
fn seconds(text: &str) -> Result<f64, String> {
    let unit_at = text
        .find(|c: char| !(c.is_ascii_digit() || c == '.'))
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(unit_at);
    let scale = match unit {
        "" | "s" => 1.0,
        "ms" => 1e-3,
        "m" => 60.0,
        "h" => 3600.0,
        _ => return Err("give a duration such as `10s`, `500ms` or `2m`".into()),
    };
    number
        .parse::<f64>()
        .map(|value| value * scale)
        .ok()
        .filter(|value| *value <= 86_400.0)
        .ok_or_else(|| "give a duration up to 24h, such as `10s`, `500ms` or `2m`".into())
}

fn header(text: &str) -> Result<(String, String), String> {
    let (name, value) = text
        .split_once(':')
        .ok_or("give a header as `Name: value`")?;
    let token = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
    if name.is_empty() || !name.chars().all(token) || value.contains(['\r', '\n', '\0']) {
        return Err("a header's name is letters, digits and dashes; its value is one line".into());
    }
    Ok((name.to_owned(), value.trim().to_owned()))
}

fn setting(text: &str) -> Result<(String, String), String> {
    text.split_once('=')
        .map(|(knob, value)| (knob.to_owned(), value.to_owned()))
        .ok_or_else(|| "give a knob as `name=value`".into())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn durations_are_read() {
        assert_eq!(seconds("10s"), Ok(10.0));
        assert_eq!(seconds("500ms"), Ok(0.5));
        assert_eq!(seconds("2m"), Ok(120.0));
        assert_eq!(seconds("1.5"), Ok(1.5));
        for wrong in ["", "s", "10x", "-1s", "1e9", "1.2.3s"] {
            assert!(seconds(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn headers_cannot_smuggle_lines() {
        assert!(header("X-A: b\r\nX-C: d").is_err());
        assert!(header("no colon").is_err());
        assert_eq!(
            header("Accept:  text/html"),
            Ok(("Accept".into(), "text/html".into()))
        );
    }

    #[test]
    fn sides_are_read() {
        let side: Side = "3:static".parse().unwrap();
        assert_eq!(
            side,
            Side {
                run: RunName::Number(3),
                stage: Some("static".into())
            }
        );
        assert!("x:static".parse::<Side>().is_err());
    }
}
