use record::{CrowdFacts, CrowdFigures, Habit};

use super::counted;
use crate::units;

/// Who was there beside the measured connections, a line for each habit:
/// `100 idle connections: 103 opened, 100 answers, 3 closed by the server after 5.00 s (median)`.
pub fn crowd(facts: &CrowdFacts) -> Vec<String> {
    let line = |(habit, of): (&Habit, &CrowdFigures)| format!("{}: {}", name(*habit, of), saw(of));
    let mut lines: Vec<String> = facts.habits.iter().map(line).collect();
    if !facts.complete {
        lines.push("not all of them were there when the window opened".to_owned());
    }
    lines
}

fn name(habit: Habit, figures: &CrowdFigures) -> String {
    let what = match habit {
        Habit::Idle => "idle connection",
        Habit::SlowReader => "slow reader",
        Habit::SlowWriter => "slow writer",
        Habit::Reset => "connection to reset",
    };
    match (habit, figures.wanted) {
        (Habit::Reset, wanted) if wanted != 1 => {
            format!("{} connections to reset", units::count(wanted))
        }
        (_, wanted) => counted(wanted, what),
    }
}

fn saw(figures: &CrowdFigures) -> String {
    let mut parts = vec![format!("{} opened", units::count(figures.opened))];
    if figures.answered() > 0 {
        parts.push(counted(figures.answered(), "response"));
    }
    if figures.closed_by_server > 0 {
        let closed = units::count(figures.closed_by_server);
        let lived = figures.lifetimes.quantile(0.5).map(units::duration);
        let after = lived.map(|lived| format!(" after {lived} (median)"));
        let after = after.unwrap_or_default();
        parts.push(format!("{closed} closed by the server{after}"));
    }
    for (cause, count) in &figures.failed {
        parts.push(format!("{} × {}", units::count(*count), cause.words()));
    }
    if figures.skipped > 0 {
        let skipped = units::count(figures.skipped);
        parts.push(format!("{skipped} skipped, too many were still opening"));
    }
    parts.join(", ")
}
