//! How much, how long, and on which schedule.

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use record::{Process, RATE_SHAPES, RateShape, Reactor, Spread};

use super::number::{count, rate};
use super::value::{Named, one_of, seconds};

const PROCESSES: Named<Process> = &[
    (
        "poisson",
        "Exponential gaps, as independent users make them",
        Process::Poisson,
    ),
    ("constant", "Equal gaps", Process::Constant),
];
const SPREADS: Named<Spread> = &[
    ("fixed", "Not at all", Spread::Fixed),
    (
        "uniform",
        "Uniformly, up to twice the mean",
        Spread::Uniform,
    ),
    ("exponential", "Exponentially", Spread::Exponential),
];

const REACTORS: Named<Reactor> = &[
    (
        "auto",
        "The cheaper of the two on this machine, as `weir calibrate` has measured, for loads like those that it measures: bodies of at \
         most 64 KiB that are expected to the byte, over kept HTTP/1.1 connections without TLS; else poll",
        Reactor::Auto,
    ),
    (
        "poll",
        "The kernel says which are ready (epoll)",
        Reactor::Poll,
    ),
    (
        "ring",
        "The kernel reads and writes them (io_uring, Linux 6.12 and later)",
        Reactor::Ring,
    ),
];

#[derive(Debug, Args)]
#[command(next_help_heading = "Load")]
pub(crate) struct LoadArgs {
    /// Connections: kept busy (closed loop) [default: 10], or a pool for due requests (open loop) [default: as many
    /// as the rate needs; 10 with a script]
    #[arg(long, short, value_name = "N", value_parser = count::<u32>, allow_negative_numbers = true)]
    pub(crate) connections: Option<u32>,
    /// Requests to measure (from 100 on with a warm-up)
    ///
    /// Numbers are written as in 500, 2k or 1M. The warm-up sends a fifth as many before them.
    ///
    /// Not for fewer than 100, nor for a method that changes something (POST, and all but GET, HEAD, OPTIONS and TRACE): then
    /// these are all that is sent, unless --warm-up asks for more.
    #[arg(long, short = 'n', value_name = "N", value_parser = count::<u64>, allow_negative_numbers = true)]
    pub(crate) requests: Option<u64>,
    /// Duration, as in 10s or 1m30s [default: 10s]
    ///
    /// With --replay at its own pace the default is the whole recording.
    #[arg(long, short, value_name = "TIME", value_parser = seconds, allow_negative_numbers = true)]
    pub(crate) duration: Option<f64>,
    /// Worker threads [default: one per core, never more than connections]
    #[arg(long, short, value_name = "N", value_parser = count::<u32>, allow_negative_numbers = true)]
    pub(crate) threads: Option<u32>,
    /// How the engine serves its sockets [default: auto]
    #[arg(long, value_name = "HOW", value_parser = one_of(REACTORS))]
    pub(crate) reactor: Option<Reactor>,
    /// Load before the measured window, sent beside -n and discarded, as in 2s or 0s [default: until rate and
    /// median are stationary, at most as long as the duration (2s to 10s), at most 2s in a sweep; with -n a fifth
    /// as many requests, none of fewer than 100 or with a method such as POST; none with a script; never with
    /// --replay at a pace]
    #[arg(long, value_name = "TIME", value_parser = seconds)]
    pub(crate) warm_up: Option<f64>,
    /// Request timeout [default: 30s]
    #[arg(long, value_name = "TIME", value_parser = seconds)]
    pub(crate) timeout: Option<f64>,
    /// How long to wait for responses after the duration [default: while responses arrive, until
    /// none has arrived for half the duration (1s to 10s) and the longest response time]
    #[arg(long, value_name = "TIME", value_parser = seconds)]
    pub(crate) drain: Option<f64>,
    /// Open loop: requests per second, sent on schedule whatever the server does
    ///
    /// As in 500 or 2k, or for a longer time: 120/min, 90k/h, 3M/day.
    #[arg(long, short = 'R', value_name = "N", value_parser = rate, allow_negative_numbers = true)]
    pub(crate) rate: Option<f64>,
    #[command(flatten)]
    pub(crate) changing: ChangingRate,
    /// Open loop: distribution of arrivals around the rate [default: poisson]
    #[arg(long, value_name = "HOW", value_parser = one_of(PROCESSES))]
    pub(crate) arrivals: Option<Process>,
    /// Open loop: most requests due and unfinished; more are dropped and counted [default: 100000]
    #[arg(long, value_name = "N", value_parser = count::<u32>)]
    pub(crate) max_outstanding: Option<u32>,
    /// Open loop: threads wait awake for what falls due within 100 µs, as the kernel wakes them late; each needs a core that
    /// nobody else does, and weir one beside
    #[arg(long)]
    pub(crate) busy_wait: bool,
    /// Open loop: seed of the arrival times [default: random, printed in the JSON output]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Closed loop: pause between a response and the connection's next request
    #[arg(long, value_name = "TIME", value_parser = seconds)]
    pub(crate) think: Option<f64>,
    /// Distribution of think times [default: fixed]
    #[arg(long, value_name = "HOW", value_parser = one_of(SPREADS))]
    pub(crate) think_spread: Option<Spread>,
    /// Samples per second of what each thread of the server does, if that is on this machine: whose code takes the CPU time;
    /// 25 to 100 are sensible
    #[arg(long, value_name = "N")]
    pub(crate) profile: Option<f64>,
}

impl LoadArgs {
    /// Something says how much, how long or how fast.
    pub(super) fn is_given(&self) -> bool {
        let amount = self.requests.is_some() || self.duration.is_some();
        let open = self.rate.is_some() || !self.changing.0.is_empty();
        let shape =
            self.arrivals.is_some() || self.max_outstanding.is_some() || self.think.is_some();
        amount || open || shape || self.connections.is_some()
    }
}

/// Rates that change over the duration: an option for each shape that they may have.
#[derive(Debug)]
pub(crate) struct ChangingRate(pub(crate) Vec<(&'static RateShape, Vec<f64>)>);

impl FromArgMatches for ChangingRate {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let given = |shape: &'static RateShape| {
            let rates = matches.get_many::<f64>(shape.key)?;
            Some((shape, rates.copied().collect()))
        };
        Ok(Self(RATE_SHAPES.iter().filter_map(given).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for ChangingRate {
    fn augment_args(command: Command) -> Command {
        let option = |shape: &'static RateShape| {
            Arg::new(shape.key)
                .long(shape.key)
                .value_name(shape.rates)
                .value_delimiter(':')
                .value_parser(rate)
                .action(ArgAction::Append)
                .help(shape.help.trim())
        };
        command.args(RATE_SHAPES.iter().map(option))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}
