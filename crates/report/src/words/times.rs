use record::{Distribution, LoadFacts};

use crate::units;

/// Something that was timed.
#[derive(Clone, Copy, Debug)]
pub struct Timed<'a> {
    /// What it is: `first byte`.
    pub name: &'static str,
    /// Its times; not empty.
    pub times: &'a Distribution,
    /// From where to where.
    pub means: &'static str,
}

/// The shortest duration that a distribution tells apart, in seconds.
pub const SHORTEST: f64 = 1e-6;

/// The quantile `q` of these times: `52.0 ms`; its lower bound where there are too few for more (`≥ 48.1 ms`), unless that
/// is shorter than [`SHORTEST`] and so says nothing.
pub fn quantile(times: &Distribution, q: f64) -> String {
    let known = judge::quantile(times, q).map(|of| duration(of.value));
    let bound = || {
        let least = judge::at_least(times, q).filter(|least| *least >= SHORTEST);
        least.map(units::at_least)
    };
    known
        .or_else(bound)
        .unwrap_or_else(|| units::NOTHING.to_owned())
}

/// The same with how far it may be off, where that is known: `495 ms ±2 %`.
pub fn quantile_within(times: &Distribution, q: f64) -> String {
    let off = off(times, q);
    let text = format!("{} {}", quantile(times, q), off.unwrap_or_default());
    text.trim_end().to_owned()
}

/// How far the quantile `q` may be off, by its 95 % interval: `±2 %`.
pub fn off(times: &Distribution, q: f64) -> Option<String> {
    judge::quantile(times, q)
        .as_ref()
        .and_then(units::uncertainty)
}

/// Seconds of a distribution: it does not tell apart what is shorter than [`SHORTEST`].
pub fn duration(seconds: f64) -> String {
    if seconds < SHORTEST {
        "< 1 µs".to_owned()
    } else {
        units::duration(seconds)
    }
}

/// What was timed, as far as there are times. Who was late is told where somebody can be: a closed
/// loop's requests are not due before they can be sent.
pub fn timed(load: &LoadFacts) -> Vec<Timed<'_>> {
    let open = load.shape.is_open();
    // An answer that fits a packet has no time between its ends.
    let spread = load.body.max().is_some_and(|most| most >= SHORTEST);
    let all = TIMES.into_iter().map(|(name, of, means)| Timed {
        name,
        times: of(load),
        means,
    });
    let shown = |of: &Timed| match of.name {
        "body" => spread,
        "waited" | "woken" | "lateness" => open,
        _ => true,
    };
    all.filter(|of| shown(of) && !of.times.is_empty()).collect()
}

type Row = (&'static str, fn(&LoadFacts) -> &Distribution, &'static str);

const TIMES: [Row; 10] = [
    ("page", |of| &of.pages, "from due to the last asset"),
    ("response", |of| &of.response, "from due to the last byte"),
    ("service", |of| &of.service, "from sent to the last byte"),
    (
        "first byte",
        |of| &of.first_byte,
        "from sent to the first byte",
    ),
    ("body", |of| &of.body, "from the first byte to the last"),
    ("connect", |of| &of.connect, "opening a connection"),
    ("TLS", |of| &of.tls, "the handshake after it"),
    (
        "waited",
        |of| &of.waited,
        "of those with no connection free",
    ),
    ("woken", |of| &of.woken, "late, by the kernel"),
    ("lateness", |of| &of.lateness, "late, by the engine"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lower_bound_that_is_too_short_to_tell_is_none() {
        let bound = |nanoseconds: u64| {
            let mut times = Distribution::default();
            (0..10).for_each(|_| times.record(nanoseconds));
            quantile(&times, 0.99)
        };
        assert_eq!(bound(100), units::NOTHING);
        let given = bound(2_000_000);
        assert!(given.starts_with("≥ 2.00 ms"), "{given}");
    }
}
