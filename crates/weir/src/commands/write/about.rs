//! What written files are, as each of them says it first.

use judge::{Decision, Judged};
use record::{Run, Variant};
use report::{units, words};

use super::script::one_line;

/// What the files are, line by line.
pub(super) fn about(run: &Run, judged: &Judged, variant: &Variant) -> Vec<String> {
    let mut lines = vec![format!("{}: {}", variant.name, variant.title)];
    let decision = judged.decision.as_ref();
    let own = decision.filter(|of| of.variant == variant.name);
    lines.extend(own.and_then(brings));
    let when = words::moment(run.started);
    lines.push(format!(
        "Measured {when} UTC, run {} of weir {}.",
        run.id, run.weir
    ));
    lines
}

fn brings(decision: &Decision) -> Option<String> {
    let over = decision.over.as_ref()?;
    let first = decision.brings.first()?;
    let ratio = units::ratio_within(first.ratio, first.interval);
    Some(format!(
        "{ratio} the {} of {over}.",
        first.metric.row().noun
    ))
}

/// A text below comments; each of these in one line.
pub(super) fn commented(about: &[String], what: &str, text: &str) -> String {
    let lines = about.iter().map(String::as_str).chain([what]);
    let lines = lines.map(|line| format!("# {}\n", one_line(line)));
    format!("{}\n{text}", lines.collect::<String>())
}
