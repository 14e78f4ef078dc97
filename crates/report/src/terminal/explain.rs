use anstyle::Style;
use judge::{Held, Outcome};

use super::paragraph::{DEEPER, FLUSH, INSIDE, Page};
use super::style::{BAD, DIM, GOOD, PLAIN, STRONG, UNSURE};
use super::table::{Cell, Column, Table};
use crate::load::Loaded;
use crate::words::{self, Computed};

/// How figures were computed, and the rules that loads were held to; nothing where that was not asked for.
pub(super) fn explain(page: &mut Page, figures: &[Computed], loads: &[Loaded]) {
    let held = loads
        .iter()
        .filter_map(|of| Some((of.variant, &of.explained.as_ref()?.held_to[..])));
    let loads: Vec<(&str, &[Held])> = held.collect();
    let Some((_, rules)) = loads.first() else {
        return;
    };
    page.space();
    page.say(STRONG, FLUSH, "How it was computed");
    let mut table = Table::new(vec![Column::left(""), Column::wrapping("")]);
    for of in figures {
        table.row(vec![Cell::styled(&of.figure, DIM), Cell::new(&of.formula)]);
    }
    page.lines(&table.fit(page.width()).0);
    page.space();
    page.say(STRONG, FLUSH, "What it was held to");
    for rule in 0..rules.len() {
        let of_rule = loads
            .iter()
            .filter_map(|(name, held)| Some((*name, held.get(rule)?)));
        tell(page, &of_rule.collect::<Vec<_>>());
    }
}

/// One rule, and how each load stood to it: of several that keep it, only how many.
fn tell(page: &mut Page, loads: &[(&str, &Held)]) {
    let Some((_, worst)) = loads.iter().max_by_key(|(_, held)| held.outcome) else {
        return;
    };
    let (style, mark) = marked(worst.outcome);
    page.say(style, INSIDE, &format!("{mark} {}", worst.rule));
    if let [(_, held)] = loads {
        let seen = format!("{}: {}", words::outcome(held.outcome), held.seen);
        page.say(PLAIN, DEEPER, &seen);
        return;
    }
    let with = |outcome| {
        loads
            .iter()
            .filter(move |(_, held)| held.outcome == outcome)
    };
    let applies = loads.len() - with(Outcome::DoesNotApply).count();
    if applies == 0 {
        let seen = format!("{}: {}", words::outcome(worst.outcome), worst.seen);
        page.say(PLAIN, DEEPER, &seen);
        return;
    }
    let passed = with(Outcome::Passed).count();
    let of = words::counted(applies as u64, "load");
    page.say(PLAIN, DEEPER, &format!("passed by {passed} of {of}"));
    for (name, held) in loads {
        if held.outcome > Outcome::Passed {
            page.say(PLAIN, DEEPER, &format!("{name}: {}", held.seen));
        }
    }
}

fn marked(outcome: Outcome) -> (Style, &'static str) {
    match outcome {
        Outcome::DoesNotApply => (DIM, "–"),
        Outcome::Passed => (GOOD, "✓"),
        Outcome::Doubted => (UNSURE, "!"),
        Outcome::Disqualified => (BAD, "✗"),
    }
}
