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
