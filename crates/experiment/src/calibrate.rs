use std::sync::atomic::AtomicBool;

use load::{Body, Event, Expected, Job, LoadError, NullServer, Request, Status, Traffic};
use record::{
    Amount, Arrivals, Calibration, ClosedLoop, Host, Load, LoadFacts, Process, Protocol, Reactor,
    Shape, Target, WarmUpPlan,
};

/// Keep-alive connections of the closed loops: enough that the thread always finds an answer.
const BUSY: u32 = 100;
/// Connections of the quiet open loop.
const QUIET: u32 = 10;

/// How long a calibration takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effort {
    /// Closed loops at full speed, over each of the engine's event loops; their scatter is the machine's.
    pub windows: u32,
    /// Seconds of each.
    pub window: f64,
    /// Seconds of the quiet open loop.
    pub quiet: f64,
    /// Its requests per second: a few percent of what one thread can do.
    pub rate: f64,
}

impl Effort {
    /// Half of so many seconds for the ceiling, in five windows of each event loop, half for the floor of latency.
    pub fn of_seconds(seconds: f64) -> Self {
        let windows = 5;
        let loops = if load::has_ring() { 2 } else { 1 };
        Self {
            windows,
            window: seconds / 2.0 / f64::from(windows * loops),
            quiet: seconds / 2.0,
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
    let server = NullServer::start()?;
    let target = Target::Tcp(server.address());
    let busy = job(&target, host.cores, BUSY, effort.window, Shape::default());
    let mut by_ring = busy.clone();
    by_ring.load.reactor = Reactor::Ring;
    let (mut closed_loops, mut ring) = (Vec::new(), Vec::new());
    for _ in 0..effort.windows {
        closed_loops.push(closed_loop(&load::run(&busy, stop, events)?));
        if load::has_ring() {
            ring.push(closed_loop(&load::run(&by_ring, stop, events)?));
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
        connections: BUSY,
        rate: effort.rate,
        response: quiet.response,
        woken: quiet.woken,
        lateness: quiet.lateness,
    })
}

/// The engine's CPU time covers the drain, so its answers do, too.
fn closed_loop(load: &LoadFacts) -> ClosedLoop {
    ClosedLoop {
        throughput: load.throughput(),
        cpu_per_request: load.engine.cpu() / (load.completed + load.drained) as f64,
        busy: load.engine.busiest,
    }
}

fn job(target: &Target, cores: u32, connections: u32, seconds: f64, shape: Shape) -> Job {
    Job {
        may_break: false,
        cores,
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
