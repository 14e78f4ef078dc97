//! What an access log or a browser's archive has recorded, asked again.

mod date;
mod fields;
mod har;
mod input;
mod line;
mod log;
mod recording;
mod source;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use load::{Expected, NewStream, Request, RequestSource};
use url::Origin;

use crate::TrafficError;
use recording::Recording;
use source::Turn;

/// How a recording is asked again.
#[derive(Clone, Debug)]
pub struct ReplayPlan {
    /// The log or archive; plain, or packed by gzip or zstd.
    pub path: PathBuf,
    /// The format of a log's lines.
    pub format: LogFormat,
    /// How fast.
    pub pace: Pace,
    /// Whether other methods than GET and HEAD are asked. A log does not know their bodies.
    pub all_methods: bool,
    /// Whether the recorded status is the one that counts as right; if not, any does.
    pub check: bool,
    /// Headers sent with each request that has none of that name.
    pub headers: Vec<(String, String)>,
    /// Where the requests go: of an archive, those are asked that went there too.
    pub origin: Origin,
}

/// How fast a recording is asked again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pace {
    /// So many times as fast as recorded, above 0: an open loop.
    Scaled(f64),
    /// In the recorded order, each connection's next request when it has its answer: a closed loop.
    Asap,
}

/// The format of a log's lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LogFormat {
    /// Whichever reads most of the first lines.
    #[default]
    Auto,
    /// `host ident user [time] "request" status bytes`
    Common,
    /// The common format with `"referer" "user agent"`.
    Combined,
    /// The combined format with the time that the request took, in seconds.
    CombinedTimed,
    /// `label:value` pairs between tabs.
    Ltsv,
    /// An object per line.
    Json,
    /// An HTTP Archive 1.2, as browsers' developer tools save it. Found by itself.
    Har,
}

/// A recording, ready to be asked again.
#[derive(Clone, Debug)]
pub struct Replay {
    recording: Arc<Recording>,
    times: Option<Arc<[u64]>>,
    /// Where all threads are, when there are no times to say whose turn it is.
    turn: Arc<Turn>,
}

/// What was found in a recording.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// The format of its lines.
    pub format: LogFormat,
    /// Requests that are asked.
    pub requests: u64,
    /// Requests that differ from each other.
    pub distinct: u64,
    /// Requests left out for their method.
    pub methods: u64,
    /// An archive's requests left out because they went elsewhere.
    pub elsewhere: u64,
    /// An archive's requests that the browser never sent (its cache had the answer, it was blocked).
    pub unsent: u64,
    /// Lines, or entries, that could not be read.
    pub unread: u64,
    /// The first of them: its number from 1, and its beginning.
    pub first_unread: Option<(u64, String)>,
    /// Whether times were whole seconds, so that the requests of a second are spread evenly over it.
    pub spread: bool,
    /// From the first request to the last, as recorded.
    pub length: Duration,
    /// Where an archive's requests went, when it was elsewhere.
    pub origin: Option<String>,
}

impl Replay {
    /// Reads a recording. A million lines take some 20 MB, besides the distinct paths.
    ///
    /// # Errors
    /// When it cannot be read, or holds no request that may be asked.
    pub fn read(plan: &ReplayPlan) -> Result<Self, TrafficError> {
        Self::made(plan, input::read(plan)?)
    }

    /// Reads a recording from elsewhere than the plan's file, whose name is only told in errors.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn parse(plan: &ReplayPlan, text: impl io::Read) -> Result<Self, TrafficError> {
        Self::made(plan, input::read_from(plan, io::BufReader::new(text))?)
    }

    fn made(plan: &ReplayPlan, mut recording: Recording) -> Result<Self, TrafficError> {
        recording.finish();
        if recording.entries.is_empty() {
            return Err(nothing(&plan.path, &recording.summary));
        }
        let times = match plan.pace {
            Pace::Asap => None,
            Pace::Scaled(factor) => Some(recording.times(factor)),
        };
        Ok(Self {
            recording: Arc::new(recording),
            times,
            turn: Arc::default(),
        })
    }

    /// What was found.
    pub fn summary(&self) -> &Summary {
        &self.recording.summary
    }

    /// From the first request to the last at the chosen pace, in nanoseconds; absent when they are
    /// asked as fast as they are answered.
    pub fn length(&self) -> Option<u64> {
        self.times.as_ref()?.last().copied()
    }
}

fn nothing(path: &Path, summary: &Summary) -> TrafficError {
    let formats = "common, combined, combined-timed, ltsv, json";
    let (hint, plain) = if summary.methods > 0 {
        let plain = "GET and HEAD alone are replayed here: write the others as a mix (`weir help mix`), or load what runs \
                     already by `weir bench URL --replay FILE --replay-methods all`";
        let hint = "use `--replay-methods all` if the server may be changed by it";
        (hint.to_owned(), Some(plain.to_owned()))
    } else if summary.unread > 0 {
        let hint = "name its format with `--log-format`";
        (
            format!("{hint}: {formats}; or convert it to one of these"),
            Some(format!("convert it to one of these formats: {formats}")),
        )
    } else {
        ("record some requests first".to_owned(), None)
    };
    TrafficError::Nothing {
        path: path.to_owned(),
        problem: summary.to_string(),
        hint,
        plain,
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.requests, self.format) {
            (0, LogFormat::Auto) => f.write_str("no line of it is a request in a known format")?,
            (0, format) => write!(f, "{format} without a request to ask")?,
            (1, format) => write!(f, "{format} of 1 request to ask")?,
            (requests, format) => write!(
                f,
                "{format} of {requests} requests to ask, {} of them distinct",
                self.distinct
            )?,
        }
        for (count, what) in [
            (self.methods, "left out for their method"),
            (self.elsewhere, "that went elsewhere"),
            (self.unsent, "that were never sent"),
        ] {
            if count > 0 {
                write!(f, "; {count} {what}")?;
            }
        }
        if let Some((number, text)) = &self.first_unread {
            let unread = self.unread;
            write!(
                f,
                "; {unread} could not be read, the first is number {number}: `{text}`"
            )?;
        }
        if let Some(origin) = &self.origin {
            write!(f, "; they went to {origin}")?;
        }
        if self.spread {
            f.write_str("; its times are whole seconds, over which requests are spread evenly")?;
        }
        Ok(())
    }
}

impl fmt::Display for LogFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Auto => "a log of no known format",
            Self::Common => "a common log",
            Self::Combined => "a combined log",
            Self::CombinedTimed => "a combined log with times",
            Self::Ltsv => "an LTSV log",
            Self::Json => "a JSON log",
            Self::Har => "an HTTP archive",
        })
    }
}

impl RequestSource for Replay {
    fn called(&self) -> &'static str {
        "recording"
    }

    fn names(&self) -> Vec<String> {
        self.recording.names.clone()
    }

    fn expected(&self) -> Vec<Expected> {
        let statuses = self.recording.statuses.iter();
        statuses.map(|it| crate::statuses(it.as_slice())).collect()
    }

    fn prepared(&self) -> Vec<Request> {
        self.recording.prepared()
    }

    fn times(&self) -> Option<Arc<[u64]>> {
        self.times.clone()
    }

    fn stream(&self, worker: usize, workers: usize, _connections: usize) -> NewStream {
        let stream = source::ReplayStream::new(self.clone(), worker, workers);
        Ok(Box::new(stream))
    }
}

#[cfg(test)]
mod tests;
