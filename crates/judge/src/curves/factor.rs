use record::Load;
use serde::Serialize;

/// What a factor counts. It is told from the factor's name: `connections` and `streams` of a closed
/// loop are clients, `rate` is a rate, and whatever ends in `workers`, `processes`, `threads` or
/// `instances` is workers, unless it names a limit (`max-threads`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Counts {
    /// Clients that ask at once.
    Clients,
    /// Requests that fall due per second.
    Rate,
    /// Those that work on requests at once.
    Workers,
    /// Something else: its curve has no knee and follows no law of scalability.
    Other,
}

impl Counts {
    /// What a factor of this name counts, in a variant that is loaded so.
    pub(super) fn of(factor: &str, load: &Load) -> Self {
        let words: Vec<&str> = factor.split(['.', '-', '_']).collect();
        let last = words.last().copied().unwrap_or_default();
        let is_load = matches!(words[..], [_] | ["load", _]);
        let limits = ["max", "min", "limit"];
        match last {
            // in an open loop they are the pool that waits for requests
            "connections" | "streams" if is_load && !load.is_open() => Self::Clients,
            "rate" if is_load => Self::Rate,
            "workers" | "processes" | "threads" | "instances"
                if !words.iter().any(|word| limits.contains(word)) =>
            {
                Self::Workers
            }
            _ => Self::Other,
        }
    }

    /// Whether it is load, of which more can be too much.
    pub(super) fn is_load(self) -> bool {
        matches!(self, Self::Clients | Self::Rate)
    }

    /// Whether it counts those of whom the law of scalability speaks.
    pub(super) fn has_law(self) -> bool {
        matches!(self, Self::Clients | Self::Workers)
    }
}

#[cfg(test)]
mod tests {
    use record::{Arrivals, Process, Shape};

    use super::*;

    #[test]
    fn a_name_tells_what_is_counted() {
        let closed = Load::default();
        for (factor, counts) in [
            ("connections", Counts::Clients),
            ("load.connections", Counts::Clients),
            ("streams", Counts::Clients),
            ("worker-connections", Counts::Other),
            ("server-maxconn", Counts::Other),
            ("rate", Counts::Rate),
            ("workers", Counts::Workers),
            ("server.threads", Counts::Workers),
            ("instances", Counts::Workers),
            ("max-threads", Counts::Other),
            ("threads-limit", Counts::Other),
            ("backlog", Counts::Other),
        ] {
            assert_eq!(Counts::of(factor, &closed), counts, "{factor}");
        }
    }

    #[test]
    fn connections_of_an_open_loop_are_no_clients() {
        let open = Load {
            shape: Shape::Open(Arrivals {
                process: Process::Poisson,
                segments: Arrivals::steady(10.0),
                max_outstanding: 100,
                seed: 1,
            }),
            ..Load::default()
        };
        assert_eq!(Counts::of("connections", &open), Counts::Other);
    }
}
