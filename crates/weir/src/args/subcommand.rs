//! The commands, and the arguments of those that have few.

use std::path::PathBuf;

use clap::Subcommand;

use super::value::of_calibration;
use super::{
    AbArgs, BenchArgs, CatalogueArgs, ClaimsArgs, ClientArgs, CompareArgs, DoctorArgs,
    EndpointsArgs, ExplainArgs, ForgetArgs, Format, ProfileArgs, RunArgs, RunName, Side, StackArgs,
    StartArgs, TryArgs, WrkArgs,
};

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Serve your app under every sensible server setup, and say which is fastest
    Try(Box<TryArgs>),
    /// Run a plan: its variants, block by block, and its claims
    Run(RunArgs),
    /// Run a folder of plans, and print the verdict on each claim
    Claims(ClaimsArgs),
    /// Load a URL: find its capacity, or how it responds to a load of your choice
    Bench(Box<BenchArgs>),
    /// Run a program that makes HTTP requests, and say how it talks
    Client(ClientArgs),
    /// Measure the limits of this machine and of the load engine, and store them
    Calibrate {
        /// Total duration, as in 10s, and 1s at least; half for the ceiling, the rest for the floor of latency and to compare the
        /// event loops
        #[arg(long, short, default_value = "10s", value_parser = of_calibration)]
        duration: f64,
    },
    /// Accept the command line of wrk or wrk2, and print as it does
    Wrk(Box<WrkArgs>),
    /// Accept the command line of ab, and print as it does
    Ab(Box<AbArgs>),
    /// Print a shell completion script
    ///
    /// As in `weir completions bash > ~/.local/share/bash-completion/completions/weir`.
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    ///
    /// To read it: `weir man | man -l -`.
    Man,
    /// List the runs in the store
    ///
    /// `weir forget RUN` removes one.
    List {
        /// The newest N of them [default: all]
        #[arg(long, short = 'n', value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
        newest: Option<u32>,
    },
    /// Show a run's table, doubts and claims
    Show {
        /// Number of the run, `last`, or `last-1` for the one before
        #[arg(default_value = "last")]
        run: RunName,
        /// Output format, as of `weir bench` [default: text; --json is short for json]
        #[arg(long, value_enum, value_name = "FORMAT")]
        format: Option<Format>,
    },
    /// Say why the variants of a run are as fast as they are, and what to try next
    Explain(ExplainArgs),
    /// Say whose code takes the CPU time of a program: of a run, of a variant of a plan, or of a running process
    Profile(ProfileArgs),
    /// Say what each endpoint of a service costs, from its logs
    Endpoints(EndpointsArgs),
    /// Compare two runs, or two variants
    Compare(CompareArgs),
    /// Write a run's HTML report and JSON export
    Report {
        /// Number of the run, `last`, or `last-1` for the one before
        #[arg(default_value = "last")]
        run: RunName,
        /// Folder to write to [default: beside the store]
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
    },
    /// Remove runs from the store, and their reports beside it
    ///
    /// The store's file does not become smaller: what is measured next takes the room.
    Forget(ForgetArgs),
    /// List installed app servers and front ends, how to install the others, and how quiet the machine is
    Doctor(DoctorArgs),
    /// List, explain and check the app servers and front ends that weir knows
    Catalogue(CatalogueArgs),
    /// Print what a variant or an entry runs: argv, environment and files
    Stack(StackArgs),
    /// Keep one variant of a plan running in the foreground
    Up {
        /// The plan file
        plan: PathBuf,
        /// The variant's name
        variant: String,
        #[command(flatten)]
        start: StartArgs,
    },
    /// Write a variant's configuration, a script and a systemd unit that start it, and a plan that repeats its trial
    Write {
        /// RUN or RUN:VARIANT [default variant: the one that the run says to deploy]
        of: Side,
        /// New folder to write to
        #[arg(value_name = "DIR")]
        folder: PathBuf,
        /// Port at which it will listen, unless PORT says another; programs behind it take the next ones
        #[arg(long, default_value_t = crate::commands::write::PORT)]
        port: u16,
    },
    /// Explain a command, a file that you write (`plan`, `app`, `mix`), `exit-codes`, or `schema` (of all JSON)
    Help {
        /// A command (`try`, `catalogue explain`), `plan`, `app`, `mix`, `exit-codes` or `schema`
        #[arg(value_name = "TOPIC")]
        topic: Vec<String>,
    },
}
