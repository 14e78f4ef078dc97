//! Spawns workers: everything they need is made ready, and each gets its thread.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{Sender, channel};
use std::thread::Scope;

use wire::{Session, Setup, TlsSettings};

use crate::check::Check;
use crate::clock::nanoseconds;
use crate::live::LiveStats;
use crate::reactor::{BATCH, Origin, Reactor, chosen};
use crate::recorder::Recorder;
use crate::worker::{Limits, Maker, Ready, Service, Source, Worker, WorkerConfig};
use crate::{Body, Job, LoadError, Part, Result, Traffic};

/// Bytes of a body that takes little to compare.
const SHORT: usize = 64 << 10;

/// How connections are opened.
pub(crate) fn setup(job: &Job) -> Result<Setup> {
    Ok(Setup {
        depth: job.load.streams,
        secure: job.load.tls.is_some(),
        tls: crate::tls::settings(job)?,
        local: None, // each connection has its own
    })
}

/// The same for one worker: TLS sessions are resumed among the connections of a thread.
pub(crate) fn apart(setup: &Setup) -> Setup {
    Setup {
        tls: setup.tls.as_ref().map(TlsSettings::apart),
        ..setup.clone()
    }
}

/// The requests that are asked again and again, as the protocol has them.
pub(crate) fn requests<S: Session>(job: &Job) -> Result<Vec<Ready<S::Request>>> {
    let maker = Maker::new(job);
    let requests = job.traffic.prepared();
    let ready = requests.iter().map(|request| maker.ready::<S>(request));
    Ok(ready.collect::<Result<_, _>>()?)
}

/// Where each worker's requests come from.
pub(crate) fn sources<'a, S: Session>(
    job: &'a Job,
    requests: &'a [Ready<S::Request>],
) -> Result<Vec<Source<'a, S>>> {
    let shares = job.shares();
    let sources = shares.iter().enumerate().map(|(worker, &share)| {
        let slots = share as usize * job.load.streams as usize;
        let maker = Maker::new(job);
        Source::new(&job.traffic, maker, requests, worker, shares.len(), slots).map_err(|why| {
            LoadError::RequestSource {
                called: job.traffic.called(),
                why,
            }
        })
    });
    sources.collect()
}

/// The number of each worker's first connection, and how many are its own.
pub(crate) fn lines(shares: &[u64]) -> impl Iterator<Item = (u64, u64)> {
    shares.iter().scan(0, |given, &share| {
        let first = *given;
        *given += share;
        Some((first, share))
    })
}

/// What answers are compared with, by number.
pub(crate) fn checks<S: Session>(job: &Job, sources: &mut [Source<'_, S>]) -> Result<Vec<Check>> {
    let mut streams = sources.iter_mut().filter_map(Source::stream);
    let whole = streams.any(|stream| stream.reads());
    let expected = job.traffic.expected();
    let checks = expected.iter().map(|expected| Check::new(expected, whole));
    checks.collect()
}

/// Requests that a connection carries before it is closed.
pub(crate) fn per_connection(job: &Job) -> u32 {
    let most = job.load.per_connection.unwrap_or(u32::MAX);
    if job.load.keep_alive { most } else { 1 }
}

pub(crate) fn limits(job: &Job) -> Limits {
    let load = &job.load;
    let whole = nanoseconds(load.timeout);
    let connect = load.connect_timeout.map(nanoseconds);
    let first_byte = load.first_byte_timeout.map(nanoseconds);
    let attempt = load.retry.and_then(|retry| retry.after).map(nanoseconds);
    let parts = [connect, first_byte, attempt];
    Limits {
        whole,
        connect,
        first_byte,
        attempt,
        shortest: parts.into_iter().flatten().fold(whole, u64::min),
    }
}

/// Requests that are handed to the kernel at once, where it sends them. One that waits has not left, and what it waits would be told
/// as the server's time: none waits for whoever thinks of requests, as a script does, nor for checks, nor for long bodies to be compared.
pub(crate) fn batch(traffic: &Traffic) -> u32 {
    let is_quick = |part: &Part| {
        let is_short = match &part.expected.body {
            Body::Any => true,
            Body::Exact(body) | Body::But(body, _) => body.len() <= SHORT,
            Body::Contains(_) => false,
        };
        is_short && part.expected.checks.is_empty()
    };
    match traffic {
        Traffic::Mix(parts) if parts.iter().all(is_quick) => BATCH,
        Traffic::Mix(_) | Traffic::Made(_) => 1,
    }
}

/// What a worker is given when it is spawned.
pub(crate) struct NewWorker<'a, S: Session> {
    pub(crate) config: WorkerConfig<'a>,
    pub(crate) live: &'a LiveStats,
    pub(crate) source: Source<'a, S>,
    pub(crate) job: &'a Job,
    pub(crate) connections: usize,
    /// Number of its first connection, and of all workers'.
    pub(crate) among: (u64, u64),
    pub(crate) own_table: bool,
    pub(crate) report: Sender<io::Result<Recorder>>,
}

/// Starts a worker's thread. It serves the phases it is sent into, until nobody can send any more.
pub(crate) fn worker<'scope, 'a: 'scope, S: Session + Send + 'a>(
    scope: &'scope Scope<'scope, '_>,
    given: NewWorker<'a, S>,
) -> io::Result<Sender<Service<'a>>> {
    let (go, phases) = channel::<Service<'a>>();
    std::thread::Builder::new()
        .name("weir-load".to_owned())
        .spawn_scoped(scope, move || {
            let report = given.report.clone();
            let mut worker = match made(given) {
                Ok(worker) => worker,
                Err(error) => {
                    let _ = report.send(Err(error)); // nobody waits for it who is gone
                    return;
                }
            };
            for phase in phases {
                // A worker that is gone without a word would be waited for without end.
                let served = catch_unwind(AssertUnwindSafe(|| worker.serve(phase)));
                let broken = || io::Error::other("a thread of the load engine panicked");
                let (outcome, panic) = match served {
                    Ok(outcome) => (outcome, None),
                    Err(panic) => (Err(broken()), Some(panic)),
                };
                let heard = report.send(outcome).is_ok();
                if let Some(panic) = panic {
                    resume_unwind(panic);
                }
                if !heard {
                    break;
                }
            }
        })?;
    Ok(go)
}

/// A worker with an event loop of its own, and a file table of its own if it needs one. It brings
/// no descriptor with it, as `kernel::own_file_table` demands.
fn made<S: Session>(given: NewWorker<'_, S>) -> io::Result<Worker<'_, S>> {
    if given.own_table {
        kernel::own_file_table()?;
    }
    let job = given.job;
    let origin = Origin::new(&job.target, &job.load.sources, given.among);
    let reactor = chosen(job.load.reactor).unwrap_or_default();
    let reactor = Reactor::new(
        reactor,
        origin,
        given.connections,
        job.load.streams,
        batch(&job.traffic),
    )?;
    Ok(Worker::new(
        given.config,
        given.live,
        reactor,
        given.source,
        given.connections,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expected::{Check, Demand};
    use crate::{Expected, Request, Status};

    #[test]
    fn requests_wait_for_each_other_only_where_answers_take_little() {
        let mut expected = Expected::new(Status::Is(200), Body::Any);
        let one = |expected: &Expected| Traffic::one(Request::default(), expected.clone());
        assert_eq!(batch(&one(&expected)), BATCH);
        expected.body = Body::Exact(vec![b'x'; SHORT + 1]);
        assert_eq!(batch(&one(&expected)), 1);
        expected.body = Body::Exact(vec![b'x'; SHORT]);
        assert_eq!(batch(&one(&expected)), BATCH);
        expected.checks.push(Check {
            name: "it has a number".to_owned(),
            demand: Demand::Json {
                path: "$.id".to_owned(),
                value: None,
            },
        });
        assert_eq!(batch(&one(&expected)), 1);
    }
}
