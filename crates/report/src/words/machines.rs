use judge::Machines;

use super::{counted, list};
use crate::units;

/// How many machines a demand needs, and on what that rests: `12 machines like this one for 3M/day: …`.
pub fn machines(of: &Machines, goals: &[String]) -> String {
    let demand = &of.demand;
    let asked = if demand.peak > 1.0 {
        format!(
            "{} on average, {} in the busiest moment (`--peak {}`)",
            units::rate(demand.mean),
            units::rate(demand.busiest()),
            demand.peak
        )
    } else {
        format!(
            "{}, taken as even (`--peak 3` if the busiest moment has three times as many)",
            units::rate(demand.mean)
        )
    };
    format!(
        "{} like this one for `{}`: {asked}, over {}. It takes for granted that each has an even share, and that they \
         share nothing that limits them, such as a database; none is to spare.",
        counted(of.machines, "machine"),
        demand.text,
        each(of, goals)
    )
}

/// What one of them carries.
fn each(of: &Machines, goals: &[String]) -> String {
    let goals: Vec<String> = goals.iter().map(|goal| format!("`{goal}`")).collect();
    let hold = if goals.len() == 1 { "holds" } else { "hold" };
    let carries = format!(
        "{} that one carries while {} {hold}",
        units::rate(of.each),
        list(&goals)
    );
    match (of.misses, of.at_least) {
        (Some(misses), Some(fewer)) if fewer < of.machines => format!(
            "{carries} ({} would do if one carried nearly the {} at which it did not)",
            units::count(fewer),
            units::rate(misses)
        ),
        (Some(misses), _) => format!("{carries}, and not at {}", units::rate(misses)),
        (None, _) => format!("{carries}, at least: no higher rate failed"),
    }
}
