use judge::Ceiling;
use record::{Calibration, Distribution};

use super::paragraph::{FLUSH, INSIDE, Page};
use super::style::{DIM, PLAIN, STRONG};
use super::table::{Cell, Column, Table};
use crate::{units, words};

/// Share of the machine that other programs may take untold.
const TOLD: f64 = 0.05;

/// What this machine lets the load engine do, and whether that is kept.
pub fn calibration(of: &Calibration, kept: bool, width: usize) -> String {
    let mut table = Table::new(vec![Column::left(""), Column::wrapping("")]);
    let mut fact = |name: &str, text: String, style| {
        table.row(vec![Cell::styled(name, DIM), Cell::styled(text, style)]);
    };
    if let Some(ceiling) = Ceiling::of(of) {
        let text = format!(
            "{} for a thread that is busy all the time, {} CPU per request",
            units::rate(ceiling.per_thread),
            units::duration(1.0 / ceiling.per_thread)
        );
        fact("ceiling", text, STRONG);
        let windows = words::counted(of.closed_loops.len() as u64, "window");
        let text = format!(
            "{windows} at full speed lay {} apart",
            units::percent(ceiling.spread)
        );
        fact("noise", text, PLAIN);
    }
    for cost in judge::ring_costs(of) {
        let ratio = units::ratio_within(cost.ratio.value, cost.ratio.interval);
        let taken = if cost.cheaper {
            "io_uring for short bodies that are expected to the byte"
        } else {
            "epoll"
        };
        let connections = words::counted(cost.connections.into(), "connection");
        let text = format!(
            "{ratio} the CPU per request of epoll over {connections}: `--reactor auto` takes {taken}"
        );
        fact("io_uring", text, PLAIN);
    }
    for (name, times) in [
        ("response", &of.response),
        ("woken late", &of.woken),
        ("lateness", &of.lateness),
    ] {
        fact(name, quantiles(times), PLAIN);
    }
    if let Some(others) = of.others.as_ref().filter(|others| others.share >= TOLD) {
        fact("others", judge::took(others), PLAIN);
    }
    let mut page = Page::new(width);
    page.say(
        DIM,
        FLUSH,
        "against a server that does nothing, one thread over loopback",
    );
    page.lines(&table.fit(width).0);
    page.say(DIM, INSIDE, &told(of, kept));
    page.into_text()
}

/// What the times are, and what becomes of them.
fn told(of: &Calibration, kept: bool) -> String {
    let kept = if kept {
        "kept in the store"
    } else {
        "not kept in the store"
    };
    format!(
        "times at {}: what this machine adds to any server's own; {kept}",
        units::rate(of.rate)
    )
}

fn quantiles(times: &Distribution) -> String {
    let all = [("p50", 0.5), ("p99", 0.99), ("p99.9", 0.999)]
        .map(|(name, q)| format!("{name} {}", words::quantile(times, q)));
    all.join(", ")
}
