use anstyle::Style;
use judge::{Held, Outcome};

use super::paragraph::{DEEPER, FLUSH, INSIDE, Page};
use super::style::{BAD, DIM, GOOD, PLAIN, STRONG, UNSURE};
use super::table::{Cell, Column, Table};
use crate::words::{self, Computed};

/// How figures were computed, and the rules that loads were held to: of one load with an empty name,
/// or of several by name.
pub fn explain(figures: &[Computed], loads: &[(&str, &[Held])], width: usize) -> String {
    let mut page = Page::new(width);
    page.space();
    page.say(STRONG, FLUSH, "How it was computed");
    let mut table = Table::new(vec![Column::left(""), Column::wrapping("")]);
    for of in figures {
        table.row(vec![Cell::styled(&of.figure, DIM), Cell::new(&of.formula)]);
    }
    page.lines(&table.fit(width).0);
    page.space();
    page.say(STRONG, FLUSH, "What it was held to");
    let rules = loads.first().map_or(0, |(_, held)| held.len());
    for rule in 0..rules {
        let loads = loads.iter();
        let of_rule = loads.filter_map(|(name, held)| Some((*name, held.get(rule)?)));
        tell(&mut page, &of_rule.collect::<Vec<_>>());
    }
    page.into_text()
}

/// One rule, and how each load stood to it: of several that keep it, only how many.
fn tell(page: &mut Page, loads: &[(&str, &Held)]) {
    let Some((_, worst)) = loads.iter().max_by_key(|(_, held)| held.outcome) else {
        return;
    };
    let (style, mark) = marked(worst.outcome);
    page.say(style, INSIDE, &format!("{mark} {}", worst.rule));
    let with = |outcome| {
        loads
            .iter()
            .filter(move |(_, held)| held.outcome == outcome)
    };
    let applies = loads.len() - with(Outcome::DoesNotApply).count();
    if loads.len() == 1 || applies == 0 {
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
