use super::style::{DIM, STRONG};
use super::table::{Cell, Column, Table};
use crate::{units, words};

/// A plan that will be run, and what it will take.
#[derive(Clone, Debug, JsonSchema, serde::Serialize)]
pub struct Due {
    /// The plan's name.
    pub plan: String,
    /// The claims that it decides.
    pub claims: Vec<String>,
    /// Trials to come.
    pub trials: u64,
    /// Blocks that will be run; none where a run goes on, or is there already.
    pub blocks: Option<u32>,
    /// Blocks of the plan.
    pub of: u32,
    /// Seconds, about.
    pub seconds: f64,
    /// What that rests on, or why nothing has to be done.
    pub by: &'static str,
}

/// What running plans will take, for a terminal of so many columns.
pub fn schedule(due: &[Due], width: usize) -> String {
    let mut table = Table::new(vec![
        Column::left("plan"),
        Column::right("trials"),
        Column::right("blocks"),
        Column::right("about"),
        Column::left("by").rank(1),
        Column::wrapping("decides"),
    ]);
    for of in due {
        let blocks = units::known(of.blocks, |blocks| match of.of {
            more if blocks < more => format!("{blocks} of {more}"),
            _ => blocks.to_string(),
        });
        table.row(vec![
            Cell::styled(&of.plan, STRONG),
            Cell::new(units::count(of.trials)),
            Cell::new(blocks),
            Cell::new(units::duration(of.seconds.round())),
            Cell::styled(of.by, DIM),
            Cell::new(of.claims.join(", ")),
        ]);
    }
    let trials: u64 = due.iter().map(|of| of.trials).sum();
    let seconds: f64 = due.iter().map(|of| of.seconds).sum();
    let (trials, all) = (units::count(trials), units::duration(seconds.round()));
    let (lines, plans) = (table.fit(width).0, words::counted(due.len() as u64, "plan"));
    format!("{lines}{plans}, {trials} trials, about {all}\n")
}
