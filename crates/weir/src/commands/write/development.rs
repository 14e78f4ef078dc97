//! What is said of a stack that is not for production.

use report::JudgedRun;
use stack::Composition;

/// That a program of the stack is made for development, and which variant of the run is the best of those that are for
/// production; none where no program is.
pub(super) fn warning(of: &JudgedRun, composition: &Composition) -> Option<String> {
    let mut parts = composition.parts.iter();
    let entry = &parts.find(|part| part.entry.development)?.entry;
    let (lead, run) = (&of.judged.lead, of.run.id);
    let decided = of.judged.decision.as_ref().map(|of| &of.variant);
    let for_use = |name: &&String| !lead.development.contains(name);
    let best = decided.or_else(|| lead.rivals.iter().find(for_use));
    let instead = match best {
        Some(best) => {
            format!(
                "The best of run {run} for production is `{best}`: `weir write {run}:{best} DIR`"
            )
        }
        None => format!("Run {run} has none for production: `weir try` finds one"),
    };
    let (name, title) = (&entry.name, &entry.title);
    Some(format!(
        "Not for production: `{name}`, {title}, is made for development. {instead}."
    ))
}
