use judge::{Ceiling, Standing};
use record::{Calibration, Distribution};

use super::paragraph::{FLUSH, INSIDE, Page};
use super::style::{DIM, PLAIN, STRONG};
use super::table::{Cell, Column, Table};
use crate::{units, words};

/// What this machine lets the load engine do.
pub fn calibration(of: &Calibration, width: usize) -> String {
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
        let windows = words::counted(of.paces.len() as u64, "window");
        let apart = units::percent(ceiling.spread);
        let text = format!("{windows} at full speed lay {apart} apart");
        fact("noise", text, PLAIN);
    }
    for (name, times) in [
        ("response", &of.response),
        ("woken late", &of.woken),
        ("lateness", &of.lateness),
    ] {
        fact(name, quantiles(times), PLAIN);
    }
    let mut page = Page::new(width);
    let against = "against a server that does nothing, one thread over loopback";
    page.say(DIM, FLUSH, against);
    page.lines(&table.fit(width).0);
    let rate = units::rate(of.rate);
    let adds =
        format!("times at {rate}: what this machine adds to any server's own; kept in the store");
    page.say(DIM, INSIDE, &adds);
    page.into_text()
}

fn quantiles(times: &Distribution) -> String {
    let all = [("p50", 0.5), ("p99", 0.99), ("p99.9", 0.999)].map(|(name, q)| {
        let known = times.quantile(q);
        let known = known.filter(|_| judge::enough(q, times.count()));
        format!("{name} {}", units::known(known, units::duration))
    });
    all.join(", ")
}

/// Where a load stood under the ceiling, in one line.
pub fn standing(standing: &Standing, width: usize) -> String {
    let mut page = Page::new(width);
    page.space();
    let text = format!("The load engine was {}.", words::standing(standing));
    page.say(PLAIN, FLUSH, &text);
    page.into_text()
}
