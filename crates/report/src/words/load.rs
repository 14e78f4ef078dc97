use judge::Crossed;
use record::{
    Amount, Arrivals, Cause, DrainFacts, Load, LoadFacts, Process, Reactor, RequestFile, Shape,
    Spread, WarmUpPlan,
};

use super::counted;
use crate::units;

/// The unit of rates.
pub(super) const REQUESTS: &str = "requests/s";

/// What was applied to each variant, with its rates in this unit.
pub(super) fn load(load: &Load, unit: &str) -> String {
    let connections = counted(u64::from(load.connections), "connection");
    over(load, &connections, unit)
}

/// A load in few words, which tell runs of one URL apart: `100 connections, 3.00 s`, `500 requests/s, 10.0 s`.
pub(crate) fn briefly(load: &Load) -> String {
    let amount = match load.amount {
        Amount::Requests(requests) => counted(requests, "request"),
        Amount::Seconds(seconds) => units::duration(seconds),
    };
    let asked = match &load.shape {
        Shape::Closed { .. } => counted(u64::from(load.connections), "connection"),
        Shape::Open(arrivals) => course(arrivals, REQUESTS),
        Shape::Recorded { .. } => "as recorded".to_owned(),
    };
    format!("{asked}, {amount}")
}

/// The same over these connections, in words.
pub(super) fn over(load: &Load, connections: &str, unit: &str) -> String {
    if let Some(goal) = &load.goal {
        let Amount::Seconds(seconds) = load.amount else {
            return format!("the highest rate at which `{goal}` holds");
        };
        let seconds = units::duration(seconds);
        return format!(
            "the highest rate at which `{goal}` holds, looked for in {seconds}{}",
            clients(load)
        );
    }
    let amount = match load.amount {
        Amount::Requests(requests) => counted(requests, "request"),
        Amount::Seconds(seconds) if load.shape.is_open() => units::duration(seconds),
        Amount::Seconds(seconds) => format!("requests for {}", units::duration(seconds)),
    };
    let keep_alive = if load.keep_alive {
        "kept open"
    } else {
        "a new one for each request"
    };
    let warm_up = match load.warm_up {
        WarmUpPlan::None => "without a warm-up".to_owned(),
        WarmUpPlan::Requests(requests) => {
            format!("after a warm-up of {}", counted(requests, "request"))
        }
        WarmUpPlan::Stationary(most) => {
            let most = units::duration(most);
            format!("after a warm-up until stationary, {most} at most")
        }
        WarmUpPlan::Seconds(seconds) => format!("after a warm-up of {}", units::duration(seconds)),
    };
    let at_once = match load.streams {
        0 | 1 => String::new(),
        streams => format!(", {streams} requests at once on each"),
    };
    let shape = shape_in(&load.shape, unit);
    let clients = clients(load);
    format!("{shape}: {amount} over {connections} ({keep_alive}{at_once}), {warm_up}{clients}")
}

/// How clients behave, as far as it is out of the ordinary.
fn clients(load: &Load) -> String {
    let mut said = Vec::new();
    if let Some(page) = load.page {
        let each = counted(u64::from(page.connections), "connection");
        said.push(format!("whole pages ({each} for each visitor)"));
    }
    said.extend(load.requests_from.as_ref().map(|from| match from {
        RequestFile::Mix(_) => format!("requests of the mix `{}`", from.name()),
        RequestFile::Replay(_) => format!("requests of the recording `{}`", from.name()),
    }));
    if load.split {
        said.push("head and body in two segments".to_owned());
    }
    if let Some(retry) = load.retry {
        let times = counted(u64::from(retry.times), "time");
        let after = retry.after.map(units::duration);
        let after = after.map_or_else(String::new, |after| format!(" after {after}"));
        said.push(format!("tried again up to {times}{after}"));
        if retry.backoff > 0.0 {
            let pause = units::duration(retry.backoff);
            said.push(format!("with a pause of {pause} and more before it"));
        }
    }
    if let Some(each) = load.per_connection {
        let each = counted(u64::from(each), "request");
        said.push(format!("{each} for each connection"));
    }
    let limits = [
        (load.connect_timeout, "to connect"),
        (load.first_byte_timeout, "to the first byte"),
    ];
    for (limit, what) in limits {
        said.extend(limit.map(|limit| format!("at most {} {what}", units::duration(limit))));
    }
    said.extend(beside(&load.crowd));
    let fault =
        |fault: &record::Fault| format!("{} at {}", fault.words(), units::duration(fault.at));
    said.extend(load.faults.iter().map(fault));
    let said = said.iter().flat_map(|words| [", ", words]);
    said.collect()
}

/// The crowd that was asked for.
fn beside(crowd: &record::Crowd) -> Vec<String> {
    let kinds = [
        (crowd.idle, "idle connection"),
        (crowd.slow_readers, "slow reader"),
        (crowd.slow_writers, "slow writer"),
    ];
    let kinds = kinds.iter().filter(|(count, _)| *count > 0);
    let mut said: Vec<String> = kinds
        .map(|(count, kind)| format!("beside {}", counted(u64::from(*count), kind)))
        .collect();
    if crowd.resets > 0.0 {
        said.push(format!("beside {} resets/s", units::number(crowd.resets)));
    }
    said
}

/// `closed loop`, `closed loop, 10.0 ms think time`, or `open loop, Poisson, 500 requests/s`.
pub fn shape(shape: &Shape) -> String {
    shape_in(shape, REQUESTS)
}

/// The same with its rates in this unit.
fn shape_in(shape: &Shape, unit: &str) -> String {
    match shape {
        Shape::Closed { think, spread } if *think > 0.0 => {
            let spread = match spread {
                Spread::Fixed => "",
                Spread::Uniform => "uniform ",
                Spread::Exponential => "exponential ",
            };
            let think = units::duration(*think);
            format!("closed loop, {think} {spread}think time")
        }
        Shape::Closed { .. } => "closed loop".to_owned(),
        Shape::Open(arrivals) => {
            let process = match arrivals.process {
                Process::Poisson => "Poisson",
                Process::Constant => "equal gaps",
            };
            format!("open loop, {process}, {}", course(arrivals, unit))
        }
        Shape::Recorded { requests, seconds } => format!(
            "replay of {} over {}",
            counted(*requests, "request"),
            units::duration(*seconds)
        ),
    }
}

/// `500 requests/s`, or `100 to 1,000 requests/s in 10.0 s, then …`.
fn course(arrivals: &Arrivals, unit: &str) -> String {
    let segments = arrivals.segments.iter().map(|segment| {
        let (from, to) = (units::number(segment.from), units::number(segment.to));
        match (segment.is_steady(), segment.seconds > 0.0) {
            (true, false) => format!("{to} {unit}"),
            (true, true) => format!("{to} {unit} for {}", units::duration(segment.seconds)),
            (false, _) => {
                let seconds = units::duration(segment.seconds);
                format!("{from} to {to} {unit} in {seconds}")
            }
        }
    });
    segments.collect::<Vec<_>>().join(", then ")
}

/// The rate that was asked for and the one that was answered:
/// `500 requests/s offered, 499 requests/s achieved (99.8 %)`; nothing in a closed loop.
pub fn achieved(load: &LoadFacts) -> Option<String> {
    let offered = load.offered.filter(|offered| *offered > 0.0)?;
    let share = units::percent(load.throughput() / offered);
    let [offered, achieved] = [offered, load.throughput()].map(units::rate);
    let whole = load.achieved().map(units::percent);
    let whole = whole.filter(|whole| *whole != share).map(|whole| {
        format!("; {whole} with what was on a connection at the window's end and answered then")
    });
    let whole = whole.unwrap_or_default();
    Some(format!(
        "{offered} offered, {achieved} achieved ({share}{whole})"
    ))
}

/// The accounting identity with its numbers.
pub fn accounting(load: &LoadFacts) -> String {
    let adds_up = load.accounted() == load.scheduled;
    let sign = if adds_up { "=" } else { "≠" };
    // A closed loop drops nothing.
    let any = load.dropped > 0 || load.shape.arrivals().is_some();
    let dropped = any.then(|| format!(" + {} dropped", units::count(load.dropped)));
    let dropped = dropped.unwrap_or_default();
    let rest = load.drain.as_ref().map_or(0, DrainFacts::wrong_answers) + load.unanswered();
    let after = match rest {
        0 => String::new(),
        some => format!(" ({} without a correct response)", units::count(some)),
    };
    format!(
        "{} scheduled {sign} {} completed + {} failed + {} timed out{dropped} + {} in flight{after}",
        units::count(load.scheduled),
        units::count(load.completed),
        units::count(load.failures()),
        units::count(load.timed_out),
        units::count(load.in_flight)
    )
}

/// Every failure by cause with what the first one saw:
/// `3 × reset before the response, the first: Connection reset by peer`.
pub fn failures(load: &LoadFacts) -> Vec<String> {
    let told = |(cause, count): (&Cause, &u64)| {
        let seen = load.examples.get(cause);
        let seen = seen.map_or_else(String::new, |seen| format!(", the first: {seen}"));
        format!("{} × {}{seen}", units::count(*count), cause.words())
    };
    load.failed.iter().map(told).collect()
}

/// What generating a load cost: `7.20 µs CPU per request in 2 threads, the busiest 4 % busy`, and what it waited awake.
pub fn engine(load: &LoadFacts) -> String {
    let engine = &load.engine;
    let over = match engine.reactor {
        Reactor::Ring => " over io_uring",
        Reactor::Auto | Reactor::Poll => "",
    };
    let awake = engine.busy_waited.map_or_else(String::new, |seconds| {
        format!(", and {} of busy waiting", units::duration(seconds))
    });
    format!(
        "{} CPU per request in {}{over}, the busiest {} busy{awake}",
        units::duration(engine.cpu() / load.completed as f64),
        counted(u64::from(engine.threads), "thread"),
        units::about(engine.busiest)
    )
}

/// What to look at when requests fail for this cause.
pub fn cause_advice(cause: Cause, load: &LoadFacts) -> &'static str {
    match cause {
        Cause::Refused => "is the server up, and is this its port?",
        Cause::NoSocket | Cause::NotASocket => "is the server up, and is this its socket?",
        Cause::Denied => "may this user write to the socket, and may it be reached from here?",
        Cause::Connect => "look at the address, and at what stands between here and there",
        Cause::Backlog => "more arrives than is accepted: raise the backlog, or add workers",
        Cause::Exhausted => {
            "keep connections open, or use fewer: this machine ran out, not the server"
        }
        Cause::ResetBeforeAnswer | Cause::ClosedBeforeAnswer => {
            "a worker died or refused: its log says more; or the server ends connections that clients keep, and what might be \
             done twice (POST, PATCH) is not sent again"
        }
        Cause::ResetInAnswer | Cause::Truncated => {
            "a worker died during a response: its log says more"
        }
        Cause::Malformed => "does this port speak the protocol that was asked for?",
        Cause::Declined => "the app server declined the request: its limits and its log say why",
        Cause::Tls => {
            "the example says why: the certificate, the name, the version, or a port without TLS"
        }
        Cause::Unread => {
            "it sends and does not read, whatever is pending for it: its log says more"
        }
        Cause::TooLong => {
            "check the length, the SHA-256 or a text that bodies so long contain: none of these \
             needs them whole"
        }
        Cause::Status
            if [502, 503, 504]
                .iter()
                .any(|of| load.statuses.contains_key(of)) =>
        {
            "a server under pressure often answers 502, 503 or 504: its log says more"
        }
        Cause::Status => {
            "the server answers such requests otherwise than was expected: the doubts say which, and what to do"
        }
        Cause::Check => "the example says which check and why: look at the response by hand",
        Cause::Reset => "the server takes fewer requests at once, or gave up: its log says more",
        Cause::Unasked => "the load could not make the request: the example says where and why",
        Cause::Body => "the response is another one under load: the doubts say what to do about it",
    }
}

/// What to look at when requests time out.
pub const TIMED_OUT_ADVICE: &str =
    "the server is stuck or far too slow for this load: fewer connections, or a longer time limit";

/// What came out of a threshold.
pub fn crossed(crossed: Crossed) -> &'static str {
    match crossed {
        Crossed::No => "not crossed",
        Crossed::Yes => "crossed",
        Crossed::CannotTell => "cannot tell, which counts as crossed",
    }
}
