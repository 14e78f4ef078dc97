use record::{Counted, CounterKind, Measured, ProgramCounters};

use crate::units;

/// What each program counted itself over a trial: its name, and one line.
pub(crate) fn counters(measured: &Measured) -> Vec<(String, String)> {
    let programs = measured.observed.counters.iter();
    programs.map(|of| (of.program.clone(), told(of))).collect()
}

fn told(of: &ProgramCounters) -> String {
    let values = of.values.iter().map(|(name, of)| counted(name, of));
    let problem = of
        .problem
        .iter()
        .map(|why| format!("not all was read: {why}"));
    values.chain(problem).collect::<Vec<_>>().join(", ")
}

fn counted(name: &str, of: &Counted) -> String {
    if let Some(seconds) = of.seconds() {
        return format!("{name} {}", units::duration(seconds));
    }
    let value = match of.kind {
        CounterKind::Average => units::number(of.value),
        _ => units::count(of.value as u64),
    };
    let upto = match of.kind {
        CounterKind::Total => "",
        CounterKind::Gauge => "up to ",
        CounterKind::Average => "on average ",
    };
    if of.unit == name {
        format!("{name} {upto}{value}")
    } else {
        format!("{name} {upto}{value} {}", of.unit)
    }
}
