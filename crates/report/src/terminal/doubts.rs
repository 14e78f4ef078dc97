use super::paragraph::{DEEPER, FLUSH, INSIDE, Page};
use super::style::{BAD, PLAIN, STRONG, UNSURE};
use crate::view::{Doubt, Report};

pub(super) fn draw(page: &mut Page, report: &Report) {
    doubts(page, &report.doubts);
}

/// Doubts under their heading, each once, with advice; nothing when there are none.
pub(super) fn doubts(page: &mut Page, all: &[Doubt]) {
    if all.is_empty() {
        return;
    }
    page.space();
    page.say(STRONG, FLUSH, "Doubts");
    for doubt in all {
        let (style, mark) = if doubt.disqualifies {
            (BAD, "✗")
        } else {
            (UNSURE, "!")
        };
        let effect = doubt
            .effect
            .map_or_else(String::new, |effect| format!(": {effect}"));
        page.say(style, INSIDE, &format!("{mark} {}{effect}", doubt.title));
        for seen in &doubt.seen {
            page.say(PLAIN, DEEPER, seen);
        }
        page.say(PLAIN, DEEPER, &format!("→ {}", doubt.advice));
    }
}
