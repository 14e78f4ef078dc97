//! The plan's claims with their verdicts.

use judge::{ClaimVerdict, ConditionVerdict};
use minijinja::Environment;

use crate::html::{Drawn, drawn};
use crate::terminal::paragraph::{FLUSH, Page};
use crate::terminal::style::{STRONG, of_holds};
use crate::terminal::table::{Cell, Column, Table};
use crate::{JudgedRun, words};

/// The conditions of a claim, each with what its left side came to and whether it holds in words.
pub(crate) fn conditions(of: &ClaimVerdict) -> Vec<(&ConditionVerdict, String, &'static str)> {
    let conditions = of.conditions.iter();
    let told = |of| (of, words::measured(of), words::holds(of.holds));
    conditions.map(told).collect()
}

pub(super) fn page(environment: &Environment, of: &JudgedRun) -> Drawn {
    let claims = of.judged.claims.iter();
    let claims = claims.map(|of| (of, words::holds(of.holds), conditions(of)));
    let claims: Vec<_> = claims.collect();
    drawn(environment, include_str!("../html/verdicts.html"), claims)
}

pub(super) fn draw(page: &mut Page, of: &JudgedRun) {
    if of.judged.claims.is_empty() {
        return;
    }
    let columns = vec![Column::left(""), Column::left(""), Column::wrapping("")];
    let mut table = Table::new(columns);
    for claim in &of.judged.claims {
        table.row(vec![
            Cell::styled(&claim.id, STRONG),
            Cell::styled(words::holds(claim.holds), of_holds(claim.holds)),
            Cell::new(&claim.text),
        ]);
        let mut below = |line: String| {
            table.row(vec![Cell::new(""), Cell::new(""), Cell::new(line)]);
        };
        if !claim.reported.is_empty() {
            below(format!("reported  {}", claim.reported));
        }
        for (of, value, _) in conditions(claim) {
            below(format!("measured  {value}   ({})", of.text));
        }
        if let Some(reason) = &claim.reason {
            below(format!("because   {reason}"));
        }
    }
    page.space();
    page.say(STRONG, FLUSH, "Claims");
    page.lines(&table.fit(page.width()).0);
}
