//! What written files are, as each of them says it first.

use record::Variant;
use report::{JudgedRun, view, words};

use super::script::one_line;

/// What the files are, line by line.
pub(super) fn about(of: &JudgedRun, variant: &Variant) -> Vec<String> {
    let mut lines = vec![format!("{}: {}", variant.name, variant.title)];
    let decision = of.judged.decision.as_ref();
    if decision.is_some_and(|of| of.variant == variant.name) {
        lines.extend(view::why_to_run(of));
    }
    let run = of.run;
    let when = words::moment(run.started);
    lines.push(format!(
        "Measured {when} UTC, run {} of weir {}.",
        run.id, run.weir
    ));
    lines
}

/// A text below comments; each of these in one line.
pub(super) fn commented(about: &[String], what: &str, text: &str) -> String {
    let lines = about.iter().map(String::as_str).chain([what]);
    let lines = lines.map(|line| format!("# {}\n", one_line(line)));
    format!("{}\n{text}", lines.collect::<String>())
}
