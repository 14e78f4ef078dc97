//! The load engine by itself, for `bench/` and for a look under a profiler:
//! `cargo run --release -p load --example engine -- http://127.0.0.1:8080/ -c 100 -d 5`.
//!
//! Prints one line of JSON: `completed`, `seconds`, `cpu_seconds` of the whole process, and
//! `cpu_us_per_request`, of which the engine's own threads are `engine_cpu_us_per_request`.

use std::net::ToSocketAddrs;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use load::{Body, Expected, Job, Request, Status, Traffic};
use record::{
    Amount, Arrivals, Distribution, Load, LoadFacts, Process, Protocol, Reactor, Shape, Target,
    WarmUpPlan,
};
use rustix::time::{ClockId, clock_gettime};

const USAGE: &str = "usage: engine URL [-c CONNECTIONS] [-d SECONDS | -n REQUESTS] [-t THREADS] \
                     [-w WARM-UP-SECONDS] [-b EXACT-BODY] [-R RATE [-C (equal gaps)]] [-k (no keep-alive)] \
                     [-r (io_uring)] [-a (awake for what is due)] [-f (all facts)]";

fn main() -> ExitCode {
    match measure() {
        Ok(line) => {
            println!("{line}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn measure() -> Result<String, Box<dyn std::error::Error>> {
    let (job, all) = job(std::env::args().skip(1))?;
    let facts = load::run(&job, &AtomicBool::new(false), &mut |_| ())?;
    Ok(if all {
        serde_json::to_string(&facts)?
    } else {
        summary(&facts).to_string()
    })
}

fn summary(facts: &LoadFacts) -> serde_json::Value {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    let cpu = time.tv_sec as f64 + time.tv_nsec as f64 / 1e9;
    let micros = |times: &Distribution, q: f64| times.quantile(q).map(|seconds| seconds * 1e6);
    let three = |times: &Distribution| {
        let (p50, p99) = (micros(times, 0.5), micros(times, 0.99));
        let max = times.max().map(|seconds| seconds * 1e6);
        serde_json::json!({ "p50": p50, "p99": p99, "max": max, "of": times.count() })
    };
    serde_json::json!({
        "completed": facts.completed,
        "seconds": facts.seconds,
        "throughput": facts.throughput(),
        "cpu_seconds": cpu,
        "cpu_us_per_request": cpu * 1e6 / facts.completed as f64,
        "engine_cpu_us_per_request": facts.engine.cpu() * 1e6 / facts.completed as f64,
        "busiest": facts.engine.busiest,
        "busy_waited": facts.engine.busy_waited,
        "reactor": facts.engine.reactor,
        "offered": facts.offered,
        "response_us": three(&facts.response),
        "service_us": three(&facts.service),
        "lateness_us": three(&facts.lateness),
        "turns_us": three(&facts.turns),
        "woken_us": three(&facts.woken),
        "woken_p99_of_all_us": of_all(&facts.woken, facts.sent),
        "waited_us": three(&facts.waited),
        "dropped": facts.dropped,
        "failed": facts.failed,
        "timed_out": facts.timed_out,
        "connects": facts.connects,
    })
}

/// The p99 of so many, of which those that are not in the distribution had nothing of it, in microseconds.
fn of_all(times: &Distribution, all: u64) -> f64 {
    let share = 0.01 * all as f64 / times.count().max(1) as f64;
    let beyond = (share < 1.0).then(|| times.quantile(1.0 - share)).flatten();
    beyond.map_or(0.0, |seconds| seconds * 1e6)
}

fn job(mut args: impl Iterator<Item = String>) -> Result<(Job, bool), Box<dyn std::error::Error>> {
    let mut load = Load {
        connections: 100,
        amount: Amount::Seconds(5.0),
        warm_up: WarmUpPlan::None,
        threads: 1,
        timeout: 10.0,
        ..Load::default()
    };
    let (mut place, mut body, mut all, mut busy_wait) = (None, Body::Any, false, false);
    let (mut rate, mut process) = (None, Process::Poisson);
    while let Some(flag) = args.next() {
        let mut value = || args.next().ok_or(USAGE);
        match flag.as_str() {
            "-c" => load.connections = value()?.parse()?,
            "-d" => load.amount = Amount::Seconds(value()?.parse()?),
            "-n" => load.amount = Amount::Requests(value()?.parse()?),
            "-t" => load.threads = value()?.parse()?,
            "-w" => load.warm_up = WarmUpPlan::Seconds(value()?.parse()?),
            "-b" => body = Body::Exact(value()?.into_bytes()),
            "-R" => rate = Some(value()?.parse()?),
            "-C" => process = Process::Constant,
            "-k" => load.keep_alive = false,
            "-r" => load.reactor = Reactor::Ring,
            "-a" => busy_wait = true,
            "-f" => all = true,
            _ => place = Some(url::Url::parse(&flag)?),
        }
    }
    if let Some(rate) = rate {
        load.shape = Shape::Open(Arrivals {
            process,
            segments: Arrivals::steady(rate),
            max_outstanding: Arrivals::MAX_OUTSTANDING,
            seed: 1,
        });
    }
    let url = place.ok_or(USAGE)?;
    let host = url.host_str().ok_or(USAGE)?;
    let port = url.port_or_known_default().ok_or(USAGE)?;
    let address = (host, port)
        .to_socket_addrs()?
        .next()
        .ok_or("the host has no address")?;
    let job = Job {
        may_break: false,
        cores: 1,
        busy_wait,
        target: Target::Tcp(address),
        protocol: Protocol::Http1,
        host: format!("{host}:{port}"),
        cgi: load::Cgi::default(),
        traffic: page(&url, body),
        load,
    };
    Ok((job, all))
}

/// One page, again and again.
fn page(url: &url::Url, body: Body) -> Traffic {
    let request = Request {
        method: "GET".to_owned(),
        path: url[url::Position::BeforePath..url::Position::AfterQuery].to_owned(),
        ..Request::default()
    };
    Traffic::one(request, Expected::new(Status::Is(200), body))
}
