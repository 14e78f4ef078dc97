//! A program that serves, and not at the address that it was given, or not there alone.

use std::time::Duration;

use record::Target;

use crate::compose::Program;
use crate::error::StackError;
use crate::process::{Supervised, bounded, owner::listening};

/// How often it is looked for.
const EVERY: Duration = Duration::from_secs(1);
/// How long it must be so: a program may open another port first.
const STEADY: Duration = Duration::from_secs(10);

/// What was seen of a program's ports while it did not answer.
#[derive(Debug, Default)]
pub(crate) struct Elsewhere {
    looked: Duration,
    since: Option<Duration>,
}

impl Elsewhere {
    /// The error of an app's own program that has listened elsewhere alone for a while; `passed` is the time since its
    /// start.
    pub(crate) fn told(
        &mut self,
        server: &Supervised,
        program: &Program,
        passed: Duration,
    ) -> Option<StackError> {
        let Target::Tcp(given) = program.listen else {
            return None;
        };
        if !program.runs_app || passed < self.looked + EVERY {
            return None;
        }
        self.looked = passed;
        let ports = listening(server.guardian_pid());
        if ports.is_empty() || ports.iter().any(|port| port.port() == given.port()) {
            self.since = None;
            return None;
        }
        let since = *self.since.get_or_insert(passed);
        (passed >= since + STEADY).then(|| StackError::Elsewhere {
            entry: program.entry.clone(),
            at: ports[0].to_string(),
            given: given.to_string(),
            log_tail: bounded::tail(&program.log),
        })
    }
}

/// Where an app's own program listens at its port, the address of most reach first: `0.0.0.0`, one of the machine's, or
/// `127.0.0.1`.
pub(crate) fn listened(server: &Supervised, program: &Program) -> Option<String> {
    let Target::Tcp(given) = program.listen else {
        return None;
    };
    let places = program.runs_app.then(|| listening(server.guardian_pid()))?;
    let there = places
        .iter()
        .filter(|place| place.port() == given.port())
        .map(|place| place.ip().to_canonical());
    let reach = |ip: &std::net::IpAddr| (ip.is_loopback(), !ip.is_unspecified());
    there.min_by_key(reach).map(|ip| ip.to_string())
}
