//! The rulebook: what a load may ask for. Whoever resolves, stores or applies a load asks here.

use crate::{Amount, Flaw, Load, Shape, WarmUpPlan, limits};

pub(super) type Checked<T> = Result<T, Flaw>;

/// The values that a key may have.
#[derive(Clone, Copy)]
enum Bounds {
    /// Both ends included.
    From(f64, f64),
    /// Above 0, and at most this.
    UpTo(f64),
}
use Bounds::{From, UpTo};

/// The values that keys may have whatever the others are, and one of each that is proposed.
const USUAL: &[(&str, Bounds, &str)] = &[
    ("connections", From(1.0, CONNECTIONS), "100"),
    ("requests", From(1.0, f64::INFINITY), "1000"),
    ("streams", From(1.0, limits::STREAMS as f64), "10"),
    ("threads", From(0.0, limits::THREADS as f64), "2"),
    ("page-connections", From(1.0, CONNECTIONS), "6"),
    ("max-outstanding", From(0.0, OUTSTANDING), "100000"),
    ("seconds", UpTo(limits::WINDOW), "10"),
    ("timeout", UpTo(limits::TIME), "30"),
    ("drain", From(0.0, limits::TIME), "5"),
    ("per-connection", From(1.0, f64::INFINITY), "100"),
    ("backoff", From(0.0, limits::TIME), "0.5"),
    ("crowd.slow-rate", UpTo(limits::SLOW_RATE), "1000"),
    ("crowd.resets", From(0.0, limits::RESETS), "50"),
    ("think", From(0.0, limits::TIME), "0.01"),
    ("profile", From(0.0, limits::PROFILE), "50"),
];
const CONNECTIONS: f64 = limits::CONNECTIONS as f64;
const OUTSTANDING: f64 = limits::OUTSTANDING as f64;

impl Load {
    /// Whether this load can be applied.
    ///
    /// # Errors
    /// The first key that makes no sense.
    pub fn check(&self) -> Result<(), Flaw> {
        self.counts()?;
        self.times()?;
        self.clients()?;
        self.retries()?;
        self.faults_rules()?;
        self.shape_rules()
    }

    fn counts(&self) -> Checked<()> {
        let outstanding = self.shape.arrivals().map_or(0, |open| open.max_outstanding);
        let each = self.page.map_or(1, |page| page.connections);
        let requests = match self.amount {
            Amount::Requests(count) => count as f64,
            Amount::Seconds(_) => 1.0,
        };
        usual("connections", self.connections)?;
        usual("requests", requests)?;
        usual("streams", self.streams)?;
        usual("threads", self.threads)?;
        usual("page-connections", each)?;
        usual("max-outstanding", outstanding)?;
        self.sums()
    }

    /// What several keys come to together.
    fn sums(&self) -> Checked<()> {
        let crowd = &self.crowd;
        let crowd = [crowd.idle, crowd.slow_readers, crowd.slow_writers].map(u64::from);
        let (crowd, most) = (crowd.iter().sum::<u64>(), u64::from(limits::CONNECTIONS));
        if crowd > most {
            return Err(Flaw::new(
                "crowd",
                format!(
                    "asks for {} connections, and {} is the most",
                    words(crowd as f64),
                    words(most as f64)
                ),
                "ask for fewer, such as {crowd.idle = 100}",
            ));
        }
        if self.slots() > limits::AT_ONCE {
            return Err(Flaw::new(
                "streams",
                format!(
                    "times {{connections}} is {}, and at most {} requests are under way at once",
                    words(self.slots() as f64),
                    words(limits::AT_ONCE as f64)
                ),
                "lower one of {connections} and {streams}",
            ));
        }
        Ok(())
    }

    fn times(&self) -> Checked<()> {
        let window = match self.amount {
            Amount::Seconds(seconds) => seconds,
            Amount::Requests(_) => 1.0,
        };
        let (warm_up, bounds) = match self.warm_up {
            WarmUpPlan::Seconds(seconds) => (seconds, From(0.0, limits::TIME)),
            WarmUpPlan::Stationary(seconds) => (seconds, UpTo(limits::TIME)),
            WarmUpPlan::None | WarmUpPlan::Requests(_) => (0.0, From(0.0, limits::TIME)),
        };
        usual("seconds", window)?;
        usual("timeout", self.timeout)?;
        range("warm-up.seconds", warm_up, bounds, "1")?;
        usual("drain", self.drain.unwrap_or(0.0))?;
        let retry = self.retry.unwrap_or_default();
        let parts = [
            ("connect-timeout", self.connect_timeout),
            ("first-byte-timeout", self.first_byte_timeout),
            ("retry-after", retry.after),
        ];
        let part = |limit: f64| limit > 0.0 && limit <= self.timeout;
        match parts
            .iter()
            .find(|(_, limit)| limit.is_some_and(|limit| !part(limit)))
        {
            None => Ok(()),
            Some((key, _)) => Err(Flaw::new(
                key,
                "must be above 0 seconds and at most {timeout}",
                "a part takes no longer than the whole: lower it, or raise {timeout}",
            )),
        }
    }

    /// What clients do beside asking.
    fn clients(&self) -> Checked<()> {
        let each = self.per_connection.map_or(1.0, f64::from);
        let backoff = self.retry.unwrap_or_default().backoff;
        usual("per-connection", each)?;
        usual("backoff", backoff)?;
        usual("crowd.slow-rate", self.crowd.slow_rate)?;
        usual("crowd.resets", self.crowd.resets)?;
        if let Some(rate) = self.profile {
            usual("profile", rate)?;
        }
        if self.per_connection.is_some() && !self.keep_alive {
            return Err(Flaw::new(
                "per-connection",
                "has no effect where each request has a connection of its own",
                "leave it out, or keep connections open",
            ));
        }
        Ok(())
    }

    /// What is tried again begins anew before its time is up.
    fn retries(&self) -> Checked<()> {
        let Some(retry) = self.retry else {
            return Ok(());
        };
        let (key, after) = match retry.after {
            Some(after) => ("retry-after", after),
            None => ("backoff", 0.0),
        };
        let begins = after + retry.backoff;
        if begins < self.timeout {
            return Ok(());
        }
        let hint = if after > 0.0 && retry.backoff > 0.0 {
            "lower it or {backoff}, or raise {timeout}"
        } else {
            "lower it, or raise {timeout}"
        };
        Err(Flaw::new(
            key,
            format!(
                "a retry would begin {} seconds after the attempt, and {{timeout}} ends the request after {}",
                words((begins * 1e6).round() / 1e6),
                words(self.timeout)
            ),
            hint,
        ))
    }

    fn shape_rules(&self) -> Checked<()> {
        let arrivals = match &self.shape {
            Shape::Closed { think, .. } => return usual("think", *think),
            Shape::Recorded { .. } => return Ok(()),
            Shape::Open(arrivals) => arrivals,
        };
        let segments = arrivals.segments.iter();
        rates("rate", segments.clone().flat_map(|of| [of.from, of.to]))?;
        for segment in segments.clone() {
            range("seconds", segment.seconds, From(0.0, limits::WINDOW), "30")?;
        }
        if !arrivals.is_steady() && matches!(self.amount, Amount::Requests(_)) {
            return Err(Flaw::new(
                "rate",
                "a rate that changes needs a time to change over, not a number of requests",
                "end the window by time: {seconds = 30}",
            ));
        }
        if u64::from(arrivals.max_outstanding) < self.slots() {
            return Err(Flaw::new(
                "max-outstanding",
                format!(
                    "must be at least the {} requests that the connections carry at once, not {}",
                    words(self.slots() as f64),
                    words(arrivals.max_outstanding.into())
                ),
                "raise it, or use fewer connections",
            ));
        }
        Ok(())
    }
}

/// Rates of an open loop, requests per second.
pub(super) fn rates(
    key: &'static str,
    mut rates: impl Iterator<Item = f64> + Clone,
) -> Checked<()> {
    let sound = rates
        .clone()
        .all(|rate| (0.0..=limits::RATE).contains(&rate));
    if sound && rates.any(|rate| rate > 0.0) {
        return Ok(());
    }
    Err(Flaw::new(
        key,
        "must be above 0 and at most 10,000,000 requests per second",
        "give a rate such as 500 or 0.5",
    ))
}

/// Refuses the first key that is given although what it needs is not.
pub(super) fn none_of(needless: &[(&'static str, bool, &str)]) -> Checked<()> {
    match needless.iter().find(|(_, given, _)| *given) {
        None => Ok(()),
        Some((key, _, with)) => Err(Flaw::new(
            key,
            format!("has no effect without {with}"),
            format!("give {with} too, or leave it out"),
        )),
    }
}

/// A number as people read it: `1,000,000`, `0.5`.
pub(super) fn words(value: f64) -> String {
    if value.fract() != 0.0 || value.abs() > 1e15 {
        return value.to_string();
    }
    let digits = value.abs().to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    let groups: Vec<&str> = groups.flat_map(std::str::from_utf8).collect();
    let sign = if value < 0.0 { "-" } else { "" };
    format!("{sign}{}", groups.join(","))
}

/// A key of [`USUAL`].
fn usual(key: &str, value: impl Into<f64>) -> Checked<()> {
    let mut rows = USUAL.iter();
    let (key, bounds, usual) = rows.find(|(of, ..)| *of == key).expect("a row");
    range(key, value.into(), *bounds, usual)
}

fn range(key: &'static str, value: f64, bounds: Bounds, usual: &str) -> Checked<()> {
    let (sound, wanted) = match bounds {
        From(least, most) if most.is_infinite() => {
            (value >= least, format!("at least {}", words(least)))
        }
        From(least, most) => (
            (least..=most).contains(&value),
            format!("between {} and {}", words(least), words(most)),
        ),
        UpTo(most) => (
            value > 0.0 && value <= most,
            format!("above 0 and at most {}", words(most)),
        ),
    };
    if sound {
        return Ok(());
    }
    let problem = format!("must be {wanted}{}, not {}", unit(key), words(value));
    let hint = format!("write {{{key} = {usual}}}");
    Err(Flaw::new(key, problem, hint))
}

/// The unit of a key's value, for texts.
fn unit(key: &str) -> &'static str {
    match key {
        "seconds" | "timeout" | "warm-up.seconds" | "drain" | "backoff" | "think" => " seconds",
        "crowd.slow-rate" => " bytes per second",
        "crowd.resets" | "profile" => " per second",
        _ => "",
    }
}
