use record::Talk;
use serde::Serialize;

use crate::habits::{Habit, habits};

/// What a command came to, as a client.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Account {
    /// The command, as it was typed.
    pub command: Vec<String>,
    /// How it ended, in words: "ended with code 0".
    pub ended: String,
    /// Whether it ended by itself and with code 0, or was ended because its time was up.
    pub succeeded: bool,
    /// Requests per second, from the first to the last.
    pub rate: Option<f64>,
    /// CPU time of the command and all that it started, in seconds.
    pub cpu: f64,
    /// The part of it from before the first request: what it takes to start.
    pub cpu_before: f64,
    /// CPU time from the first request on, for each request, in seconds.
    pub cpu_per_request: Option<f64>,
    /// Requests for each connection that had any.
    pub per_connection: f64,
    /// How it talked.
    pub talk: Talk,
    /// What stands out, and what to do about it.
    pub habits: Vec<Habit>,
}

impl Account {
    /// The account of a command that ended like this, after so many seconds of CPU time.
    pub fn of(
        command: Vec<String>,
        ended: String,
        succeeded: bool,
        cpu: [f64; 2],
        talk: Talk,
    ) -> Self {
        let [cpu_before, cpu] = cpu;
        let cpu_before = cpu_before.min(cpu);
        let since = cpu - cpu_before;
        Self {
            command,
            ended,
            succeeded,
            rate: talk.rate(),
            cpu,
            cpu_before,
            cpu_per_request: (talk.requests > 0).then(|| since / talk.requests as f64),
            per_connection: talk.per_connection(),
            habits: habits(&talk),
            talk,
        }
    }
}
