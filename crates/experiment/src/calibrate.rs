use std::sync::atomic::AtomicBool;

use load::{Body, Event, Expected, Job, LoadError, NullServer, Request, Status, Traffic};
use record::{
    Amount, Arrivals, Calibration, ClosedLoop, Host, Load, LoadFacts, Process, Protocol, Race,
    Reactor, Shape, Target, WarmUpPlan,
};

use crate::run::quiet::is_loud;

/// Keep-alive connections of the closed loops: enough that the thread always finds an answer.
const BUSY: u32 = 100;
/// Numbers of connections over which the event loops are compared besides.
const RACED: [u32; 2] = [10, 1_000];
/// Fewest seconds of a window of these, with as long a warm-up before it: a thousand connections are open by then.
const SHORTEST: f64 = 0.05;
/// Connections of the quiet open loop.
const QUIET: u32 = 10;

/// How long a calibration takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effort {
    /// Closed loops at full speed, over each of the engine's event loops; their scatter is the machine's.
    pub windows: u32,
    /// Seconds of each.
    pub window: f64,
    /// Seconds of each window over other numbers of connections, and of the warm-up before it.
    pub race: f64,
    /// Seconds of the quiet open loop.
    pub quiet: f64,
    /// Its requests per second: a few percent of what one thread can do.
    pub rate: f64,
}

impl Effort {
    /// Half of so many seconds for the ceiling, in five windows of each event loop, half for the floor of latency. Where there
    /// are two loops, a fifth of all goes from that to other numbers of connections, or as long as these take at least.
    pub fn of_seconds(seconds: f64) -> Self {
        let windows = 5;
        let (loops, share) = if load::has_ring() { (2, 0.2) } else { (1, 0.0) };
        let raced = RACED.len() as u32 * loops * windows * 2;
        Self {
            windows,
            window: seconds / 2.0 / f64::from(windows * loops),
            race: (seconds * share / f64::from(raced)).max(SHORTEST),
            quiet: seconds * (0.5 - share),
            rate: 5_000.0,
        }
    }
}

/// Measures what this machine, the `host`, lets the load engine do, against a server in this process that does
/// next to nothing.
///
/// # Errors
/// As [`load::run`]; it takes a few hundred descriptors.
pub fn calibrate(
    effort: Effort,
    weir: &str,
    host: &Host,
    stop: &AtomicBool,
    events: &mut dyn FnMut(Event),
) -> Result<Calibration, LoadError> {
    let work = || measured(effort, weir, host, stop, events);
    let (calibration, others) = observe::others_meanwhile(work);
    Ok(Calibration {
        others,
        ..calibration?
    })
}

/// Whether other programs took so much of the machine meanwhile that another calibration of it says more.
pub fn is_disturbed(calibration: &Calibration) -> bool {
    calibration.others.as_ref().is_some_and(is_loud)
}

fn measured(
    effort: Effort,
    weir: &str,
    host: &Host,
    stop: &AtomicBool,
    events: &mut dyn FnMut(Event),
) -> Result<Calibration, LoadError> {
    let server = NullServer::start()?;
    let target = Target::Tcp(server.address());
    let busy = job(&target, host.cores, BUSY, effort.window, Shape::default());
    let (mut closed_loops, mut ring, mut races) = (Vec::new(), Vec::new(), races());
    for _ in 0..effort.windows {
        closed_loops.push(closed_loop(Reactor::Poll, &busy, stop, events)?);
        if load::has_ring() {
            ring.push(closed_loop(Reactor::Ring, &busy, stop, events)?);
        }
        for race in &mut races {
            let job = raced(&target, host.cores, race.connections, effort.race);
            race.poll
                .push(closed_loop(Reactor::Poll, &job, stop, events)?);
            race.ring
                .push(closed_loop(Reactor::Ring, &job, stop, events)?);
        }
    }
    let arrivals = Arrivals {
        process: Process::Poisson,
        segments: Arrivals::steady(effort.rate),
        max_outstanding: Arrivals::MAX_OUTSTANDING,
        seed: crate::seed(),
    };
    let quiet = job(
        &target,
        host.cores,
        QUIET,
        effort.quiet,
        Shape::Open(arrivals),
    );
    let quiet = load::run(&quiet, stop, events)?;
    if stop.load(std::sync::atomic::Ordering::Relaxed) {
        return Err(LoadError::Interrupted); // half a calibration would pass for a whole one
    }
    Ok(Calibration {
        measured: record::now(),
        weir: weir.to_owned(),
        host: host.clone(),
        closed_loops,
        ring,
        races,
        connections: BUSY,
        rate: effort.rate,
        response: quiet.response,
        woken: quiet.woken,
        lateness: quiet.lateness,
        others: None,
    })
}

/// What is to be compared over other numbers of connections: those that this process has descriptors for, at both ends, while
/// the server still has those of the window before.
fn races() -> Vec<Race> {
    let limit = kernel::descriptor_limit();
    let taken = kernel::open_descriptors() + 2 * kernel::BESIDE_CONNECTIONS;
    let fits = |of: &u32| load::has_ring() && taken + 3 * u64::from(*of) <= limit;
    let races = RACED.into_iter().filter(fits).map(|connections| Race {
        connections,
        ..Race::default()
    });
    races.collect()
}

/// A window of it, over one of the event loops.
fn closed_loop(
    reactor: Reactor,
    job: &Job,
    stop: &AtomicBool,
    events: &mut dyn FnMut(Event),
) -> Result<ClosedLoop, LoadError> {
    let mut job = job.clone();
    job.load.reactor = reactor;
    load::run(&job, stop, events).map(|load| told(&load))
}

/// The engine's CPU time covers the drain, so its answers do, too.
fn told(load: &LoadFacts) -> ClosedLoop {
    ClosedLoop {
        throughput: load.throughput(),
        cpu_per_request: load.engine.cpu() / (load.completed + load.drained) as f64,
        busy: load.engine.busiest,
    }
}

/// A closed loop that all connections are open for when its window opens.
fn raced(target: &Target, cores: u32, connections: u32, seconds: f64) -> Job {
    let mut job = job(target, cores, connections, seconds, Shape::default());
    job.load.warm_up = WarmUpPlan::Seconds(seconds);
    job
}

pub(crate) fn job(
    target: &Target,
    cores: u32,
    connections: u32,
    seconds: f64,
    shape: Shape,
) -> Job {
    Job {
        may_break: false,
        cores,
        busy_wait: false,
        target: target.clone(),
        protocol: Protocol::Http1,
        host: "localhost".to_owned(),
        cgi: load::Cgi::default(),
        traffic: Traffic::one(
            Request {
                method: "GET".to_owned(),
                path: "/".to_owned(),
                ..Request::default()
            },
            Expected::new(Status::Is(200), Body::Exact(NullServer::BODY.to_vec())),
        ),
        load: Load {
            connections,
            amount: Amount::Seconds(seconds),
            warm_up: WarmUpPlan::Seconds((seconds / 4.0).min(0.5)),
            keep_alive: true,
            threads: 1,
            timeout: 10.0,
            shape,
            ..Load::default()
        },
    }
}
