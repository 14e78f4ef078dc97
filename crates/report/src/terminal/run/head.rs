use super::super::paragraph::FLUSH;
use super::super::style::{BAD, DIM, PLAIN, STRONG};
use super::Page;
use crate::view::Report;

pub(super) fn draw(page: &mut Page, report: &Report) {
    let of = &report.head;
    page.say(STRONG, FLUSH, &format!("Run {} · {}", of.run, of.title));
    let begun = format!("{} UTC · weir {} · {}", of.begun, of.weir, of.host);
    page.say(DIM, FLUSH, &begun);
    page.say(DIM, FLUSH, &of.load);
    page.say(DIM, FLUSH, &of.order);
    if let Some(cut) = &of.cut {
        page.say(BAD, FLUSH, &format!("Cut short: {cut}."));
    }
    page.space();
}

/// The answer, below the figures that it rests on.
pub(super) fn headline(page: &mut Page, report: &Report) {
    page.space();
    page.say(STRONG, FLUSH, &report.head.headline);
    if let Some(noise) = &report.head.noise {
        page.say(PLAIN, FLUSH, &format!("Noise floor: {noise}."));
    }
}
