use record::{Distribution, LoadFacts};

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

/// What was timed, as far as there are times. Who was late is told where somebody can be: a closed
/// loop's requests are not due before they can be sent.
pub fn timed(load: &LoadFacts) -> Vec<Timed<'_>> {
    let open = load.shape.is_open();
    // An answer that fits a packet has no time between its ends.
    let spread = load.body.max().is_some_and(|most| most >= SHORTEST);
    [
        (true, "page", &load.pages, "from due to the last asset"),
        (
            true,
            "response",
            &load.response,
            "from due to the last byte",
        ),
        (true, "service", &load.service, "from sent to the last byte"),
        (
            true,
            "first byte",
            &load.first_byte,
            "from sent to the first byte",
        ),
        (
            spread,
            "body",
            &load.body,
            "from the first byte to the last",
        ),
        (true, "connect", &load.connect, "opening a connection"),
        (true, "TLS", &load.tls, "the handshake after it"),
        (
            open,
            "waited",
            &load.waited,
            "of those with no connection free",
        ),
        (open, "woken", &load.woken, "late, by the kernel"),
        (open, "lateness", &load.lateness, "late, by the engine"),
    ]
    .into_iter()
    .filter(|(shown, _, times, _)| *shown && !times.is_empty())
    .map(|(_, name, times, means)| Timed { name, times, means })
    .collect()
}
