use record::{Counted, CounterKind, Measured, ProgramCounters};

use super::kernel;
use crate::units;

/// How the figures of [`counters`] are read.
pub(crate) const COUNTED: &str = "a number alone is what was added from the opening of the window to the end of its drain; `at \
     most` is the largest value that was read meanwhile, `on average` the mean of a request; what \
     stayed at 0 is left out";

/// What each program counted itself over a trial, and the kernel of how they are connected: a name, and one line. Counters that
/// stayed at 0 are left out.
pub(crate) fn counters(measured: &Measured) -> Vec<(String, String)> {
    let programs = measured.observed.counters.iter();
    let programs = programs.map(|of| (of.program.clone(), told(of)));
    let kernel = kernel::told(measured).join("; ");
    let kernel = (!kernel.is_empty()).then(|| ("the kernel".to_owned(), kernel));
    programs.chain(kernel).collect()
}

fn told(of: &ProgramCounters) -> String {
    let values = of.values.iter().filter(|(_, of)| of.value > 0.0);
    let mut parts: Vec<String> = values.map(|(name, of)| counted(name, of)).collect();
    if let Some(why) = &of.problem {
        parts.push(format!("not all was read: {why}"));
    } else if parts.is_empty() {
        parts.push("nothing".to_owned());
    }
    parts.join("; ")
}

/// `requests: 6,539`, `active: 33 connections at most`, `request-time: 1.20 ms on average`.
fn counted(name: &str, of: &Counted) -> String {
    let value = match (of.seconds(), of.kind) {
        (Some(seconds), _) => units::duration(seconds),
        (None, CounterKind::Average) => units::number(of.value),
        (None, CounterKind::Total | CounterKind::Gauge) => units::count(of.value as u64),
    };
    let unit = if of.seconds().is_some() || of.unit == name {
        String::new()
    } else {
        format!(" {}", of.unit)
    };
    let how = match of.kind {
        CounterKind::Total => "",
        CounterKind::Gauge => " at most",
        CounterKind::Average => " on average",
    };
    format!("{name}: {value}{unit}{how}")
}

#[cfg(test)]
mod tests {
    use record::CounterKind::{Average, Gauge, Total};
    use record::{LoadFacts, NetworkFacts, Observed, ServerFacts, StackFacts, Target, Verified};

    use super::*;

    fn program(values: &[(&str, CounterKind, &str, f64)], problem: Option<&str>) -> String {
        let counted = |&(name, kind, unit, value): &(&str, CounterKind, &str, f64)| {
            let unit = unit.to_owned();
            (name.to_owned(), Counted { kind, unit, value })
        };
        told(&ProgramCounters {
            program: "front".to_owned(),
            values: values.iter().map(counted).collect(),
            problem: problem.map(str::to_owned),
        })
    }

    #[test]
    fn a_counter_is_told_with_its_name_its_unit_and_how_it_was_read() {
        let all = [
            ("requests", Total, "requests", 6_539.0),
            ("accepts", Total, "connections", 32.0),
            ("active", Gauge, "connections", 33.0),
            ("connect-time", Average, "us", 250.0),
            ("request-time", Average, "ms", 1.2),
        ];
        assert_eq!(
            program(&all, None),
            "accepts: 32 connections; active: 33 connections at most; connect-time: 250 µs on average; request-time: 1.20 ms on \
             average; requests: 6,539"
        );
    }

    #[test]
    fn what_stayed_at_0_is_left_out() {
        let idle = ("retries", Total, "attempts", 0.0);
        let queue = ("queue", Gauge, "requests", 0.0);
        let some = ("requests", Total, "requests", 12.0);
        assert_eq!(program(&[idle, queue, some], None), "requests: 12");
        assert_eq!(program(&[idle, queue], None), "nothing");
        let unread = program(&[idle], Some("it did not answer"));
        assert_eq!(unread, "not all was read: it did not answer");
    }

    /// A hundred responses of two programs with this link between them, while as many connections were opened, two by clients.
    fn measured(link: &str, own: bool) -> Measured {
        let server = ServerFacts {
            link: Some(link.parse().unwrap()),
            ..ServerFacts::default()
        };
        let network = NetworkFacts {
            opened: 100,
            own,
            ..NetworkFacts::default()
        };
        Measured {
            stack: StackFacts {
                servers: vec![ServerFacts::default(), server],
                address: Target::Tcp(([127, 0, 0, 1], 8_000).into()),
                ready_after: 0.1,
                verified: Verified::default(),
            },
            load: LoadFacts {
                scheduled: 100,
                completed: 100,
                connects: 2,
                network: Some(network),
                ..LoadFacts::default()
            },
            processes: Vec::new(),
            stolen: 0.0,
            observed: Observed::default(),
        }
    }

    #[test]
    fn what_the_kernel_counted_between_programs_is_told_where_that_is_over_tcp() {
        let kernel = |text: &str| [("the kernel".to_owned(), text.to_owned())];
        let joined = |link, own| counters(&measured(link, own));
        let each = "0.980 opened per response over TCP";
        let own = format!("connections between programs: {each}");
        assert_eq!(joined("http+tcp", true), kernel(&own));
        let others = format!(
            "connections between programs: at most {each}, those of other programs on this machine among them"
        );
        assert_eq!(joined("http+tcp", false), kernel(&others));
        assert!(joined("http+unix", true).is_empty());
    }

    #[test]
    fn what_the_kernel_turned_away_is_told_where_it_did() {
        let mut measured = measured("http+unix", true);
        let network = measured.load.network.as_mut().unwrap();
        (network.dropped, network.syn_retries) = (1_200, 0);
        let told = [(
            "the kernel".to_owned(),
            "attempts to connect: 1,200 dropped".to_owned(),
        )];
        assert_eq!(counters(&measured), told);
    }
}
