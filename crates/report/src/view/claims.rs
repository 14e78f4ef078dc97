//! The plan's claims with their verdicts.

use judge::{ClaimVerdict, ConditionVerdict};
use minijinja::Environment;
use record::Run;

use crate::html::{Drawn, drawn};
use crate::terminal::paragraph::{FLUSH, Page};
use crate::terminal::style::{PLAIN, STRONG, of_holds};
use crate::terminal::table::{Cell, Column, Table};
use crate::{JudgedRun, words};

/// The conditions of a claim, each with what its left side came to and whether it holds in words.
pub(crate) fn conditions(of: &ClaimVerdict) -> Vec<(&ConditionVerdict, String, &'static str)> {
    let conditions = of.conditions.iter();
    let told = |of| (of, words::measured(of), words::condition_verdict(of));
    conditions.map(told).collect()
}

/// Where the measurement of this claim departs from the report's, beside that of all claims of the plan.
fn own_differences<'a>(run: &'a Run, of: &ClaimVerdict) -> &'a [String] {
    let claim = run.plan.claims.iter().find(|claim| claim.id == of.id);
    claim.map_or(&[], |claim| &claim.differs)
}

pub(super) fn page(environment: &Environment, of: &JudgedRun) -> Drawn {
    let claims = of.judged.claims.iter().map(|claim| {
        let differs = own_differences(of.run, claim);
        (
            claim,
            words::claim_verdict(claim),
            conditions(claim),
            differs,
        )
    });
    let said = (&of.run.plan.differs, claims.collect::<Vec<_>>());
    drawn(environment, include_str!("../html/verdicts.html"), said)
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
            Cell::styled(words::claim_verdict(claim), of_holds(claim.holds)),
            Cell::new(&claim.text),
        ]);
        let mut below = |line: String| {
            table.row(vec![Cell::new(""), Cell::new(""), Cell::new(line)]);
        };
        if !claim.reported.is_empty() {
            below(format!("reported  {}", claim.reported));
        }
        for line in own_differences(of.run, claim) {
            below(format!("differs   {line}"));
        }
        let conditions = conditions(claim);
        // of one alone the claim says it
        let several = conditions.len() > 1;
        for (of, value, holds) in conditions {
            let holds = if several {
                format!(": {holds}")
            } else {
                String::new()
            };
            below(format!("measured  {value}   ({}){holds}", of.text));
        }
        if let Some(reason) = &claim.reason {
            below(format!("because   {reason}"));
        }
        for note in claim.notes() {
            below(format!("note      {note}"));
        }
    }
    page.space();
    page.say(STRONG, FLUSH, "Claims");
    for line in &of.run.plan.differs {
        page.say(PLAIN, FLUSH, &format!("Unlike the report: {line}"));
    }
    page.lines(&table.fit(page.width()).0);
}
