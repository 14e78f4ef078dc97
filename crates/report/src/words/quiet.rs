use record::Others;

use crate::units;

/// Share of the machine from which other programs are better ended before something is measured.
const LOUD: f64 = 0.02;

/// How quiet the machine is.
pub fn quiet(others: &Others) -> String {
    let whole = units::percent(others.share);
    if others.share < LOUD {
        return format!("The machine is quiet: other programs take {whole} of its CPU time.");
    }
    let each = others.programs.iter().map(|of| {
        let share = others.share * of.seconds / others.seconds;
        format!("`{}` {}", of.name, units::percent(share))
    });
    let each: Vec<String> = each.collect();
    format!(
        "The machine is not quiet: other programs take {whole} of its CPU time ({}). End them before you measure.",
        each.join(", ")
    )
}
