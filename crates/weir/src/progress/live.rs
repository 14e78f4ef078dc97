//! A look at a running load, in words.

use load::Tick;
use report::units;
use report::words::counted;

/// How far a load is, what comes back, and how long it takes.
pub(super) fn line(tick: &Tick) -> String {
    let done = match tick.of {
        Some(of) => format!(
            "{} of {} requests",
            units::count(tick.completed),
            units::count(of)
        ),
        None => format!("{} requests", units::count(tick.completed)),
    };
    let time = |name: &str, seconds: Option<f64>| {
        let told = seconds.map(|seconds| format!(" · {name} {}", units::duration(seconds)));
        told.unwrap_or_default()
    };
    let (p50, p99) = (
        time("p50", tick.recent.quantile(0.5)),
        time("p99", tick.p99),
    );
    let failed = match tick.failed {
        0 => String::new(),
        failed => format!(" · {} failed", units::count(failed)),
    };
    let rate = match tick.offered {
        // what comes back may have been asked for before, so that it is no part of what is asked for now
        Some(offered) if offered > 0.0 => {
            let (answered, offered) = (units::rate(tick.rate), units::number(offered));
            format!("{answered} answered, {offered} offered")
        }
        Some(_) if tick.rate > 0.0 => format!("{} answered", units::rate(tick.rate)),
        Some(_) => "nothing due".to_owned(),
        None => units::rate(tick.rate),
    };
    format!("{} · {done} · {rate}{p50}{p99}{failed}", course(tick))
}

/// What is under way, how many users sleep, and what the engine itself does:
/// `12 in flight · 38 users asleep · engine 34 % busy, 15.0 µs late`.
pub(super) fn inside(tick: &Tick) -> String {
    let late = match (tick.offered, tick.late) {
        (Some(_), Some(late)) => format!(", {} late (p99)", units::duration(late)),
        _ => String::new(),
    };
    let asleep = match tick.asleep {
        0 => String::new(),
        users => format!(" · {} asleep", counted(users, "user")),
    };
    format!(
        "{} in flight{asleep} · engine {} busy{late}",
        units::count(tick.in_flight),
        units::about(tick.busy)
    )
}

/// `3.2 s, 6.8 s left`: what has gone by since the phase began, and what is to come.
fn course(tick: &Tick) -> String {
    let ended = tick.completed + tick.failed;
    let rest = match (tick.draining, tick.remaining, tick.of) {
        (Some(wait), ..) => format!(", {}", waits(tick, wait)),
        (None, Some(left), _) if left >= 0.05 => format!(", {left:.1} s left"),
        (None, Some(_), _) if ended == 0 => ", and no response yet".to_owned(),
        (None, None, Some(of)) if ended > 0 => {
            let left = of.saturating_sub(ended) as f64 / ended as f64 * tick.elapsed;
            format!(", about {left:.1} s left")
        }
        _ => String::new(),
    };
    format!("{:.1} s{rest}", tick.elapsed)
}

/// What a load still waits for when its window has closed.
pub(super) fn waits(tick: &Tick, wait: f64) -> String {
    format!(
        "the window is over; {wait:.1} s more without a response end the wait for {} in flight",
        counted(tick.in_flight, "request")
    )
}

#[cfg(test)]
mod tests {
    use load::Tick;

    use super::{inside, line, waits};

    #[test]
    fn an_open_loop_shows_what_it_asks_for_beside_what_it_gets() {
        let mut tick = Tick {
            elapsed: 1.04,
            remaining: Some(8.96),
            completed: 500,
            rate: 480.0,
            failed: 2,
            offered: Some(500.0),
            in_flight: 1_012,
            late: Some(15e-6),
            busy: 0.344,
            ..Tick::default()
        };
        assert_eq!(
            line(&tick),
            "1.0 s, 9.0 s left · 500 requests · 480 req/s answered, 500 offered · 2 failed"
        );
        assert_eq!(
            inside(&tick),
            "1,012 in flight · engine 34 % busy, 15.0 µs late (p99)"
        );
        tick.offered = None;
        assert_eq!(
            line(&tick),
            "1.0 s, 9.0 s left · 500 requests · 480 req/s · 2 failed"
        );
        assert_eq!(inside(&tick), "1,012 in flight · engine 34 % busy");
        tick.asleep = 38;
        assert_eq!(
            inside(&tick),
            "1,012 in flight · 38 users asleep · engine 34 % busy"
        );
    }

    #[test]
    fn nothing_is_no_share_of_nothing() {
        let mut tick = Tick {
            elapsed: 17.0,
            remaining: Some(0.0),
            offered: Some(0.0),
            ..Tick::default()
        };
        assert_eq!(
            line(&tick),
            "17.0 s, and no response yet · 0 requests · nothing due"
        );
        (tick.completed, tick.rate) = (12, 60.0);
        let said = "17.0 s · 12 requests · 60.0 req/s answered";
        assert_eq!(line(&tick), said);
        tick.offered = Some(50.0);
        assert_eq!(line(&tick), format!("{said}, 50.0 offered"));
    }

    #[test]
    fn the_rest_of_a_number_of_requests_is_an_estimate() {
        let mut tick = Tick {
            elapsed: 2.0,
            of: Some(1_000),
            completed: 240,
            failed: 10,
            ..Tick::default()
        };
        assert!(line(&tick).starts_with("2.0 s, about 6.0 s left · 240 of 1,000 requests"));
        (tick.completed, tick.failed) = (0, 0);
        assert!(line(&tick).starts_with("2.0 s · 0 of 1,000 requests"));
    }

    #[test]
    fn a_wait_says_for_what_and_how_long() {
        let tick = Tick {
            elapsed: 3.0,
            draining: Some(1.5),
            in_flight: 1,
            ..Tick::default()
        };
        let said = "the window is over; 1.5 s more without a response end the wait for 1 request in flight";
        assert_eq!(waits(&tick, 1.5), said);
        assert!(line(&tick).starts_with(&format!("3.0 s, {said} · ")));
    }
}
