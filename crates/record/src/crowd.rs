use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Cause, Distribution, joined};

/// Connections that are there beside the measured ones, and behave as other people's do. None of
/// their requests is measured: what is, is what they do to the others.
///
/// Plans write its keys with dashes, the store with underscores.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Crowd {
    /// Connections that ask once, and then stay open and silent.
    pub idle: u32,
    /// Connections that read their answers at `slow_rate`.
    #[serde(alias = "slow-readers")]
    pub slow_readers: u32,
    /// Connections that send their requests at `slow_rate`.
    #[serde(alias = "slow-writers")]
    pub slow_writers: u32,
    /// Bytes per second of each slow connection; above 0.
    #[serde(alias = "slow-rate")]
    pub slow_rate: f64,
    /// Connections per second that are opened, send a request or half of one, and are reset.
    pub resets: f64,
}

impl Crowd {
    /// The pace of slow connections when nobody says another: 1 KB/s.
    pub const fn slow_rate() -> f64 {
        1_000.0
    }

    /// Who is there: `100 idle connections and 5 slow readers`; nothing when nobody is.
    pub fn words(&self) -> Option<String> {
        let kept = [
            (self.idle, "idle connection"),
            (self.slow_readers, "slow reader"),
            (self.slow_writers, "slow writer"),
        ];
        let kept = kept.into_iter().filter(|(count, _)| *count > 0);
        let mut parts: Vec<String> = kept
            .map(|(count, what)| format!("{count} {what}{}", if count == 1 { "" } else { "s" }))
            .collect();
        if self.resets > 0.0 {
            parts.push(format!("{} resets per second", self.resets));
        }
        (!parts.is_empty()).then(|| joined(&parts, "and"))
    }

    /// Whether nobody is there.
    pub fn is_none(&self) -> bool {
        let kept = [self.idle, self.slow_readers, self.slow_writers];
        kept == [0; 3] && self.resets <= 0.0
    }
}

impl Default for Crowd {
    fn default() -> Self {
        Self {
            idle: 0,
            slow_readers: 0,
            slow_writers: 0,
            slow_rate: Self::slow_rate(),
            resets: 0.0,
        }
    }
}

/// How a connection of a crowd behaves.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, JsonSchema, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Habit {
    /// Asks once, then stays open and silent.
    Idle,
    /// Reads its answers slowly, and asks again.
    SlowReader,
    /// Sends its requests slowly.
    SlowWriter,
    /// Sends a request or half of one, and resets the connection.
    Reset,
}

/// What a crowd did and saw, from before the warm-up to the end of the drain.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct CrowdFacts {
    /// How long it was there, in seconds.
    pub seconds: f64,
    /// Whether each of its connections had come to do what it is there for, or failed to, when the
    /// window opened.
    pub complete: bool,
    /// CPU seconds of its thread, which are not in the engine's.
    pub cpu: f64,
    /// What each kind saw; kinds that were not asked for are absent.
    pub habits: BTreeMap<Habit, CrowdFigures>,
}

/// What the connections of one habit did and saw.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct CrowdFigures {
    /// Connections wanted at once; of resets, those that fell due.
    pub wanted: u64,
    /// Connections opened, reopened ones included.
    pub opened: u64,
    /// Connections that could not be opened, and answers that did not come or could not be read.
    pub failed: BTreeMap<Cause, u64>,
    /// Resets that fell due while as many connections as allowed were still being opened.
    pub skipped: u64,
    /// Whole answers by HTTP status.
    pub statuses: BTreeMap<u16, u64>,
    /// Open connections that the server ended: by closing, by reset, or by an answer that says so.
    pub closed_by_server: u64,
    /// How long those had been open.
    pub lifetimes: Distribution,
    /// Bytes written to and read from sockets.
    pub bytes_sent: u64,
    /// See `bytes_sent`.
    pub bytes_received: u64,
}

impl CrowdFacts {
    /// Connections opened, of every habit together, reopened ones included.
    pub fn opened(&self) -> u64 {
        self.habits.values().map(|of| of.opened).sum()
    }
}

impl CrowdFigures {
    /// Whole answers, whatever their status.
    pub fn answered(&self) -> u64 {
        self.statuses.values().sum()
    }

    /// Connections and answers that failed, whatever the cause.
    pub fn failures(&self) -> u64 {
        self.failed.values().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crowd_is_named() {
        let mut crowd = Crowd::default();
        assert_eq!(crowd.words(), None);
        crowd.idle = 1;
        assert_eq!(crowd.words().unwrap(), "1 idle connection");
        (crowd.slow_readers, crowd.resets) = (2, 0.5);
        assert_eq!(
            crowd.words().unwrap(),
            "1 idle connection, 2 slow readers and 0.5 resets per second"
        );
    }
}
