mod hints;

use std::io;
use std::path::PathBuf;

use record::{Cause, Protocol, TimeLimit};
use wire::TlsError;

/// A demand that variables of CGI are for protocols that have them.
pub(crate) const NO_PARAMS: &str = "params and a document root are for FastCGI, SCGI and uwsgi";
/// A demand on the addresses that connections come from.
pub(crate) const OTHER_KIND: &str = "connections must come from an address of the target's kind";

/// A demand on what is cut into slices.
pub(crate) const NOT_CUT: &str =
    "only a closed loop by time and without think time can be cut into slices";

/// What this crate's functions return, unless they say otherwise.
pub(crate) type Result<T, E = LoadError> = std::result::Result<T, E>;

/// Why a load could not be applied at all.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The load makes no sense.
    #[error("{}", .0.told(record::as_keys))]
    Load(record::Flaw),
    /// The job makes no sense.
    #[error("{what}, not `{value}`")]
    Invalid {
        /// The demand.
        what: &'static str,
        /// The value given.
        value: String,
    },
    /// The request cannot be put on the wire.
    #[error(transparent)]
    Unsendable(#[from] wire::Unsendable),
    /// No session speaks this.
    #[error(transparent)]
    Unspoken(#[from] wire::Unspoken),
    /// This process may not open that many connections.
    #[error(
        "`{connections}` connections need a limit of at least {needed} open files, and it is `{limit}`"
    )]
    Descriptors {
        /// Connections wanted.
        connections: u32,
        /// The least limit that would do, with one file table per thread.
        needed: u64,
        /// The soft limit.
        limit: u64,
    },
    /// The system refused what the engine itself needs.
    #[error("cannot set up the load engine: {0}")]
    Setup(#[from] io::Error),
    /// No connection could ever be opened.
    #[error("no connection to `{target}` in {attempts} attempt{}: {}{}", if *.attempts == 1 { "" } else { "s" }, .cause.words(), detail(*.cause, .example.as_ref()))]
    Unreachable {
        /// The target.
        target: String,
        /// How often it was tried.
        attempts: u64,
        /// The most frequent cause of the network's.
        cause: Cause,
        /// The system's message.
        example: Option<String>,
    },
    /// Whoever thinks of the requests could not think of one, so that the server was asked for nothing.
    #[error("not one request could be asked in {attempts} attempt{}{}", if *.attempts == 1 { "" } else { "s" }, with(.why.as_ref()))]
    NothingAsked {
        /// What a user calls the source of the requests.
        called: &'static str,
        /// How often it was tried.
        attempts: u64,
        /// What the first attempt failed with, as the source says it: file, line and message of a script.
        why: Option<String>,
    },
    /// Connections were opened, and not one request was answered correctly.
    #[error("none of {requests} requests to `{target}` was answered correctly{}: {trouble}{}", company(.beside.as_ref()), with(.example.as_ref()))]
    NothingRight {
        /// The target.
        target: String,
        /// What was spoken.
        protocol: Protocol,
        /// Requests made.
        requests: u64,
        /// Who was there beside them ([`record::Crowd::words`]).
        beside: Option<String>,
        /// The most frequent trouble.
        trouble: Trouble,
        /// What the first such request saw.
        example: Option<String>,
    },
    /// Whoever is to think of the requests cannot.
    #[error("{why}")]
    RequestSource {
        /// What a user calls them.
        called: &'static str,
        /// What they say.
        why: String,
    },
    /// A file that the load needs cannot be read.
    #[error("cannot read `{}`: {error}", .file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// Why not.
        error: io::Error,
    },
    /// The TLS settings cannot be used.
    #[error("{}{why}", .file.as_ref().map_or(String::new(), |file| format!("`{}`: ", file.display())))]
    Tls {
        /// The file that is to blame, if one is.
        file: Option<PathBuf>,
        /// Why not.
        why: TlsError,
    },
    /// It was stopped before anything was measured.
    #[error("interrupted before anything was measured")]
    Interrupted,
}

impl LoadError {
    pub(crate) fn invalid(what: &'static str, value: impl Into<String>) -> Self {
        let value = value.into();
        Self::Invalid { what, value }
    }
}

impl From<record::Flaw> for LoadError {
    fn from(flaw: record::Flaw) -> Self {
        Self::Load(flaw)
    }
}

fn company(crowd: Option<&String>) -> String {
    crowd.map_or_else(String::new, |crowd| format!(" beside {crowd}"))
}

fn with(example: Option<&String>) -> String {
    example.map_or_else(String::new, |example| format!(": {example}"))
}

/// The system's words add nothing to a refusal.
fn detail(cause: Cause, example: Option<&String>) -> String {
    let said = [Cause::Refused, Cause::NoSocket, Cause::NotASocket];
    if said.contains(&cause) {
        String::new()
    } else {
        with(example)
    }
}

/// What went wrong with requests, timeouts included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Trouble {
    /// Failed by a cause.
    Failed(Cause),
    /// Beyond this time limit, of so many seconds.
    Stalled(TimeLimit, f64),
    /// Not answered by the end of the load and of the wait after it, of so many seconds.
    Unanswered(f64),
}

impl std::fmt::Display for Trouble {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Failed(cause) => f.write_str(cause.words()),
            Self::Unanswered(seconds) => write!(f, "no response in {seconds:.1} s"),
            Self::Stalled(limit, seconds) => {
                let missing = match limit {
                    TimeLimit::Connect => "no connection",
                    TimeLimit::FirstByte => "no first byte",
                    TimeLimit::Whole => "no response",
                };
                write!(f, "{missing} within {seconds} s")
            }
        }
    }
}
