use judge::Holds;

use super::style::{DIM, STRONG, of_holds};
use super::table::{Cell, Column, Table};
use crate::claims::{ClaimRow, ClaimStanding, cautions, reasons, summary};

fn style(row: &ClaimRow) -> anstyle::Style {
    match &row.standing {
        ClaimStanding::Judged { verdict, .. } => of_holds(verdict.holds),
        ClaimStanding::Failed { .. } => of_holds(Holds::DoesNotHold),
        ClaimStanding::NotRun { .. } | ClaimStanding::NotYet { .. } => DIM,
    }
}

/// Claims for a terminal of so many columns.
pub fn claims(rows: &[ClaimRow], width: usize) -> String {
    let columns = vec![Column::left(""), Column::left(""), Column::wrapping("")];
    let mut table = Table::new(columns);
    for row in rows {
        table.row(vec![
            Cell::styled(&row.id, STRONG),
            Cell::styled(row.verdict(), style(row)),
            Cell::new(&row.text),
        ]);
        let reported = format!("reported  {}", row.reported);
        let differs = row.differs.iter();
        let differs = differs.map(|line| format!("differs   {line}"));
        let here = row.measured().into_iter().chain(row.because());
        let here = here.map(|line| format!("here      {line}"));
        let changed = row.changed().map(|since| format!("since     {since}"));
        let tested = row.tested().into_iter();
        let changed = changed
            .into_iter()
            .chain(tested.map(|line| format!("tested    {line}")))
            .chain(row.reason().map(|of| format!("reason    {of}")));
        for line in std::iter::once(reported)
            .chain(differs)
            .chain(here)
            .chain(changed)
        {
            table.row(vec![Cell::new(""), Cell::new(""), Cell::new(line)]);
        }
    }
    let reasons = match reasons(rows) {
        none if none.is_empty() => none,
        told => format!("reasons of those that do not hold: {told}\n"),
    };
    let cautions = cautions(rows).into_iter();
    let cautions: String = cautions.flat_map(|line| [line, "\n".to_owned()]).collect();
    let table = table.fit(width).0;
    format!("{table}{}\n{cautions}{reasons}", summary(rows))
}
