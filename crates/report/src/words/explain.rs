use judge::{Outcome, Standing};
use record::{LoadFacts, Shape};
use serde::Serialize;

use super::{accounting, amplification, counted, standing, timed};
use crate::units::{self, count, duration};

/// How a printed figure came about.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Computed {
    /// Its name where it is printed.
    pub figure: String,
    /// The formula with what went in, and its source.
    pub formula: String,
}

/// What came of a rule.
pub fn outcome(of: Outcome) -> &'static str {
    match of {
        Outcome::DoesNotApply => "does not apply",
        Outcome::Passed => "passed",
        Outcome::Doubted => "doubted",
        Outcome::Disqualified => "not to be trusted",
    }
}

/// How every figure of one load was computed, in the order in which they are printed.
pub fn computed(load: &LoadFacts, ceiling: Option<&Standing>) -> Vec<Computed> {
    let window = [
        one("throughput", throughput(load)),
        one(
            "received",
            format!(
                "{} B read from sockets / {}",
                count(load.bytes_received),
                duration(load.seconds)
            ),
        ),
    ];
    let after = [
        one("window", window_of(load)),
        one("accounted", accounted(load)),
        one("errors", errors(load)),
    ];
    let attempts = amplification(load).map(|_| {
        let tried = load.scheduled.saturating_sub(load.dropped);
        let (retries, tried) = (count(load.retries), count(tried));
        one(
            "attempts",
            format!("({tried} requests + {retries} retries) / {tried} requests"),
        )
    });
    let ceiling = ceiling.map(|of| one("ceiling", format!("the load was {}", standing(of))));
    window
        .into_iter()
        .chain(rates(load))
        .chain(after)
        .chain(attempts)
        .chain(times(load))
        .chain(engine(load))
        .chain(ceiling)
        .collect()
}

/// How the columns of several loads come about; the counts of each stand in its own document.
pub fn computed_columns() -> Vec<Computed> {
    [
        ("offered", "requests that fell due / window (open loop)"),
        ("achieved", "correct responses / window; later responses are left out"),
        (
            "p50, p95, p99",
            "quantiles of the response time, from due to the last byte, where at least 10 responses lie \
             beyond, with their order-statistic intervals (Le Boudec, \"Performance Evaluation\", 2010, \
             theorem 2.1)",
        ),
        ("errors", "(failed + timed out) / scheduled"),
        ("engine/req", "CPU of the engine's threads / correct responses"),
        ("?", "a rule below does not hold, and the load is not to be trusted"),
    ]
    .map(|(figure, formula)| one(figure, formula.to_owned()))
    .into()
}

fn one(figure: &str, formula: String) -> Computed {
    Computed {
        figure: figure.to_owned(),
        formula,
    }
}

fn throughput(load: &LoadFacts) -> String {
    let figure = judge::throughput(load);
    let interval = figure.interval.map_or_else(String::new, |(low, high)| {
        let (low, high) = (units::rate(low), units::rate(high));
        format!(
            "; the median of the window's tenths lies between {low} and {high} (95 %, order \
             statistics over batch means: Law, \"Simulation Modeling and Analysis\", 2015, 9.5.3)"
        )
    });
    format!(
        "{} / {}{interval}; a wrong response, and one after the window, is no throughput",
        counted(load.completed, "correct response"),
        duration(load.seconds)
    )
}

fn rates(load: &LoadFacts) -> Vec<Computed> {
    let Some(offered) = load.offered.filter(|offered| *offered > 0.0) else {
        return Vec::new();
    };
    let due = load.scheduled;
    let by_time = (offered * load.seconds - due as f64).abs() < 0.5;
    let formula = if by_time {
        let due = counted(due, "request");
        format!("{due} that fell due / {}", duration(load.seconds))
    } else {
        let gaps = counted(due.saturating_sub(1), "gap");
        let until = (due.saturating_sub(1)) as f64 / offered;
        format!(
            "{gaps} between requests / {} from the first due time to the last",
            duration(until)
        )
    };
    let achieved = format!(
        "throughput / offered = {} / {}",
        units::rate(load.throughput()),
        units::rate(offered)
    );
    vec![one("offered", formula), one("achieved", achieved)]
}

fn window_of(load: &LoadFacts) -> String {
    format!(
        "{}: from the first due time to the deadline (by duration), or until nothing is under way but \
         requests that time out (by count: the last end of another, and no earlier than the last \
         request was begun), on the monotonic clock; warm-up and drain lie outside{}",
        duration(load.seconds),
        drained(load)
    )
}

/// What came after the window.
fn drained(load: &LoadFacts) -> String {
    if load.in_flight == 0 {
        return String::new();
    }
    let waited = load.drain.as_ref().map_or_else(String::new, |drain| {
        format!(
            " in a drain of {} (it ends when no response has come for half of the window, between 1 s and 10 s, \
             plus the longest response so far; or as `--drain` says)",
            duration(drain.seconds)
        )
    });
    let unanswered = match load.unanswered() {
        0 => String::new(),
        some => format!(
            ", {} got no response and count in the times as at least that long",
            count(some)
        ),
    };
    format!(
        "; of the {} in flight when it closed {} got their response{waited}, and their times count\
         {unanswered}",
        count(load.in_flight),
        count(load.drained)
    )
}

fn accounted(load: &LoadFacts) -> String {
    let fell_due = if load.shape.is_open() {
        "due on the schedule"
    } else {
        "due when their connection was free"
    };
    format!(
        "each counted where it happens, in the thread that sent it: {}; scheduled are those that \
         were {fell_due} inside the window",
        accounting(load)
    )
}

fn errors(load: &LoadFacts) -> String {
    let in_drain = load.lost() - load.failures() - load.timed_out;
    let in_drain = match in_drain {
        0 => String::new(),
        some => format!(" + {} without a correct response by the end", count(some)),
    };
    format!(
        "({} failed + {} timed out{in_drain}) / {} scheduled = {}",
        count(load.failures()),
        count(load.timed_out),
        count(load.scheduled),
        units::percent(load.error_share().unwrap_or(0.0))
    )
}

/// What is the same for all times is said once, with the response times.
fn times(load: &LoadFacts) -> Vec<Computed> {
    let mut all: Vec<Computed> = timed(load)
        .into_iter()
        .map(|of| {
            let times = counted(of.times.count(), "time");
            one(of.name, format!("{times} {}", of.means))
        })
        .collect();
    if load.response.is_empty() {
        return all;
    }
    let late = match (load.timed_out, load.unanswered()) {
        (0, 0) => "",
        (_, 0) => ", those that timed out as at least that long",
        _ => ", those that timed out or got no response as at least that long",
    };
    all.push(one(
        "mean, max",
        format!(
            "over all times{late}; a request is due {}, so that no wait is left out (coordinated \
             omission: Tene, HdrHistogram)",
            match load.shape {
                Shape::Closed { .. } => "when its connection's last response is complete",
                Shape::Open(_) | Shape::Recorded { .. } => "when the schedule says so",
            }
        ),
    ));
    all.push(one("quantiles", quantiles(load)));
    all
}

fn quantiles(load: &LoadFacts) -> String {
    let answers = load.response.count();
    let beyond = judge::QUANTILES.map(|(name, q)| {
        let beyond = (answers as f64 * (1.0 - q)).round() as u64;
        let given = if judge::enough(q, answers) {
            ""
        } else {
            ", not given"
        };
        format!("{name} {}{given}", count(beyond))
    });
    format!(
        "from an HdrHistogram of {} with three significant digits, by rank in its cells, never averaged; samples beyond: \
         {} (10 are needed); intervals of 95 % between order statistics (Le Boudec, \"Performance \
         Evaluation\", 2010, theorem 2.1)",
        counted(answers, "response time"),
        beyond.join(", ")
    )
}

fn engine(load: &LoadFacts) -> Vec<Computed> {
    let cost = load.engine;
    let each = format!(
        "{} of CPU of {} (the scheduler's own clock) / {}",
        duration(cost.cpu()),
        counted(u64::from(cost.threads), "worker thread"),
        counted(load.completed, "correct response")
    );
    let busiest = format!(
        "{} of the busiest thread / {}",
        duration(cost.busiest * load.seconds),
        duration(load.seconds)
    );
    vec![one("engine CPU", each), one("engine busy", busiest)]
}

#[cfg(test)]
mod tests;
