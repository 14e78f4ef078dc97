use std::path::PathBuf;

use clap::{Args, ValueEnum};
use record::Visits;
use traffic::LogFormat;

use super::number::count;
use super::value::{Named, one_of};

const VISITS: Named<Visits> = &[
    ("fresh", "Empty on each visit", Visits::Fresh),
    ("returning", "From the last visit", Visits::Returning),
    (
        "both",
        "In turn: a first visit, a returning one, then a new visitor",
        Visits::Both,
    ),
];
const FORMATS: Named<LogFormat> = &[
    (
        "auto",
        "Whichever reads most of the first lines",
        LogFormat::Auto,
    ),
    (
        "common",
        "host ident user [time] \"request\" status bytes",
        LogFormat::Common,
    ),
    (
        "combined",
        "The common format with \"referer\" and \"user agent\"",
        LogFormat::Combined,
    ),
    (
        "combined-timed",
        "The combined format with the seconds that the request took, as 0.012 or rt=0.012",
        LogFormat::CombinedTimed,
    ),
    ("ltsv", "label:value pairs between tabs", LogFormat::Ltsv),
    ("json", "A JSON object per line", LogFormat::Json),
    (
        "har",
        "An HTTP Archive, as browsers' developer tools save it",
        LogFormat::Har,
    ),
];

/// What no recording goes with. What it alone has needs them, too: clap requires no option that another one excludes.
const NO_REPLAY: [&str; 3] = ["mix", "page", "script"];

/// What makes the requests, if not the URL alone.
#[derive(Debug, Args)]
#[command(next_help_heading = "Traffic")]
pub(crate) struct TrafficArgs {
    /// Weighted requests from this TOML file; see `weir help mix`
    #[arg(long, value_name = "FILE", group = "asked")]
    pub(crate) mix: Option<PathBuf>,
    /// Replay this access log or HTTP archive (HAR), plain or compressed (gzip, zstd)
    #[arg(long, value_name = "FILE", group = "asked")]
    pub(crate) replay: Option<PathBuf>,
    /// Replay: speed, as in 2x; or asap: each connection sends its next request on a response
    #[arg(
        long,
        value_name = "Nx|asap",
        default_value = "1x",
        requires = "replay",
        conflicts_with_all = NO_REPLAY
    )]
    pub(crate) pace: Pace,
    /// Replay: format of the log
    #[arg(long, value_name = "FORMAT", default_value = "auto", requires = "replay", conflicts_with_all = NO_REPLAY, value_parser = one_of(FORMATS))]
    pub(crate) log_format: LogFormat,
    /// Replay: methods to send; logs do not record request bodies
    #[arg(long, value_enum, value_name = "WHICH", default_value_t = Methods::Safe, requires = "replay", conflicts_with_all = NO_REPLAY)]
    pub(crate) replay_methods: Methods,
    /// Replay: expected status: the recorded one, or any
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = ReplayCheck::Status, requires = "replay", conflicts_with_all = NO_REPLAY)]
    pub(crate) replay_check: ReplayCheck,
    /// Load the URL as a browser does: the document with its stylesheets, scripts and images of the
    /// same origin
    #[arg(long, group = "asked")]
    pub(crate) page: bool,
    /// Page: connections per visitor [default: 6]
    #[arg(long, value_name = "N", value_parser = count::<u32>)]
    pub(crate) page_connections: Option<u32>,
    /// Page: cache of the visitors [default: both]
    #[arg(long, value_name = "WHICH", value_parser = one_of(VISITS))]
    pub(crate) page_visits: Option<Visits>,
}

impl TrafficArgs {
    /// Something other than the URL makes the requests.
    pub(crate) fn is_given(&self) -> bool {
        self.mix.is_some() || self.replay.is_some() || self.page
    }
}

/// How fast a recording is asked again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pace(pub(crate) traffic::Pace);

impl std::str::FromStr for Pace {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "asap" {
            return Ok(Self(traffic::Pace::Asap));
        }
        let number = text
            .strip_suffix('x')
            .and_then(|number| number.parse().ok());
        number
            .filter(|factor: &f64| (1e-3..=1e6).contains(factor))
            .map(|factor| Self(traffic::Pace::Scaled(factor)))
            .ok_or_else(|| "give a pace such as `1x`, `0.5x`, `20x` or `asap`".into())
    }
}

impl std::fmt::Display for Pace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            traffic::Pace::Asap => f.write_str("asap"),
            traffic::Pace::Scaled(factor) => write!(f, "{factor}x"),
        }
    }
}

/// Which methods are asked again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Methods {
    /// GET and HEAD
    Safe,
    /// Every one, without a body where none was recorded
    All,
}

/// Which answers to a recording count as right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReplayCheck {
    /// Those with the recorded status
    Status,
    /// All
    None,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paces_are_read() {
        let read = |text: &str| text.parse::<Pace>().map(|pace| pace.0);
        assert_eq!(read("asap"), Ok(traffic::Pace::Asap));
        assert_eq!(read("2x"), Ok(traffic::Pace::Scaled(2.0)));
        assert_eq!(read("0.5x"), Ok(traffic::Pace::Scaled(0.5)));
        for wrong in ["", "2", "x", "0x", "-1x", "nanx", "infx", "fast"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
        assert_eq!(Pace(traffic::Pace::Scaled(1.0)).to_string(), "1x");
    }
}
