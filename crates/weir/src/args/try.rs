//! What `weir try` understands.

use std::path::PathBuf;

use clap::Args;
use record::Interface;

use super::value::{interface, seconds};
use super::{HowArgs, RouteArgs};

/// How an app is recognised, which `weir try --help` ends with.
const RECOGNITION: &str = "\
How an app is recognised, by the files of its folder, in this order:
  manage.py         Django, by the settings that it names
  wsgi.py, asgi.py, app.py, main.py…
                    a Python module (or package) that holds an app, or a
                    function `create_app` that makes one; it is imported, as a
                    server would
  config.ru         a Rack app; with config/application.rb, Rails in production
  go.mod            a Go program, told its address as its source says: PORT,
                    another variable, or a flag such as -addr
  package.json      a Node program: its start script, or the file it names
  pom.xml           a Java program or web application, which Maven builds
  WEB-INF/web.xml, a WAR file
                    a Java web application

How it is run today is said by a Procfile, an app server's own configuration
file or a systemd unit, and by the configuration of a front end. That is the
first variant, with which all others are compared. Where this is wrong, say it:
  weir try shop:app
  weir try shop:app --as asgi
  weir try --command './serve -port $PORT'";

#[derive(Debug, Args)]
#[command(after_help = RECOGNITION)]
pub(crate) struct TryArgs {
    /// App to serve, in the notation of its interface (`guestbook:app`) [default: detected]
    pub(crate) entry: Option<String>,
    /// Interface, if the detected one is wrong: wsgi, asgi, rack, servlet, lua or program
    #[arg(long = "as", value_name = "INTERFACE", value_parser = interface)]
    pub(crate) interface: Option<Interface>,
    /// Shell command that serves the app on $HOST:$PORT, or on the Unix socket $SOCKET
    #[arg(long, value_name = "CMD", conflicts_with = "entry")]
    pub(crate) command: Option<String>,
    /// Folder of the app
    #[arg(long, default_value = ".", value_name = "DIR")]
    pub(crate) dir: PathBuf,
    /// Connections kept busy
    #[arg(long, short, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=i64::from(record::limits::CONNECTIONS)))]
    pub(crate) connections: u32,
    /// Requests per trial
    #[arg(long, short = 'n', default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) requests: u64,
    #[command(flatten)]
    pub(crate) route: RouteArgs,
    #[command(flatten)]
    pub(crate) budget: BudgetArgs,
    #[command(flatten)]
    pub(crate) how: HowArgs,
}

/// Which candidates are tried.
#[derive(Debug, Args)]
#[command(next_help_heading = "Candidates")]
pub(crate) struct BudgetArgs {
    /// Time for the whole run; candidates that do not fit are left out, the most similar ones first
    #[arg(long, default_value = "2m", value_name = "TIME", value_parser = seconds)]
    pub(crate) budget: f64,
    /// Try every candidate, however long it takes
    #[arg(long, conflicts_with_all = ["budget", "variants"])]
    pub(crate) all: bool,
    /// Try these candidates only
    #[arg(
        long,
        value_name = "NAME,…",
        value_delimiter = ',',
        conflicts_with = "budget"
    )]
    pub(crate) variants: Vec<String>,
}
