use record::LoadFacts;

use super::super::paragraph::{DEEPER, FLUSH, INSIDE, Page, quoted};
use super::super::style::{BAD, PLAIN, STRONG};
use crate::{units, words};

/// Failures by cause and timeouts by limit, the most frequent first, with what to look at.
pub(super) fn failures(page: &mut Page, load: &LoadFacts) {
    if load.failures() + load.timed_out == 0 {
        return;
    }
    let mut failed: Vec<_> = load
        .failed
        .iter()
        .map(|(cause, count)| {
            (
                *count,
                cause.words(),
                words::cause_advice(*cause, load),
                load.examples.get(cause),
            )
        })
        .chain(
            words::timed_out(load)
                .into_iter()
                .map(|(count, what, advice)| (count, what, advice, None)),
        )
        .filter(|(count, ..)| *count > 0)
        .collect();
    failed.sort_by_key(|(count, ..)| std::cmp::Reverse(*count));
    page.space();
    page.say(STRONG, FLUSH, "Failed");
    for (count, cause, advice, example) in failed {
        page.say(BAD, INSIDE, &format!("{} × {cause}", units::count(count)));
        if let Some(example) = example {
            page.say(PLAIN, DEEPER, &format!("the first: {}", quoted(example)));
        }
        page.say(PLAIN, DEEPER, &format!("→ {advice}"));
    }
}
