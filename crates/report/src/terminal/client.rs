use judge::{Account, Comparison, Habit};
use serde::Serialize;

use super::compare::Compared;
use super::paragraph::{DEEPER, FLUSH, INSIDE, Page};
use super::style::{DIM, PLAIN, STRONG, UNSURE};
use super::table::{Cell, Column, Table};
use crate::words::client as words;

/// Two clients that were run in turn.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct Clients {
    /// The first run of the one.
    pub of: Account,
    /// The first run of the other.
    pub over: Account,
    /// The one against the other, run by run.
    pub comparisons: Vec<Comparison>,
}

/// Two clients, and how the one compares with the other.
pub fn clients(both: &Clients, width: usize) -> String {
    let compared: Vec<Compared> = both.comparisons.iter().map(Compared::from).collect();
    let said = |what: &str| {
        let mut page = Page::new(width);
        page.say(DIM, FLUSH, what);
        page.into_text()
    };
    [
        said("The first pair of runs:"),
        client(&both.of, width),
        client(&both.over, width),
        said("All pairs:"),
        super::compare(&compared, None, width),
    ]
    .join("\n")
}

/// How a client talked, for a terminal of so many columns.
pub fn client(account: &Account, width: usize) -> String {
    let mut page = Page::new(width);
    page.say(STRONG, FLUSH, &words::headline(account));
    let mut table = Table::new(vec![Column::left(""), Column::wrapping("")]);
    for (what, told) in words::rows(account) {
        table.row(vec![Cell::styled(what, DIM), Cell::new(told)]);
    }
    page.lines(&table.fit(width).0);
    if !account.habits.is_empty() {
        page.space();
        page.say(STRONG, FLUSH, "What stands out");
    }
    for habit in &account.habits {
        tell(&mut page, habit, account);
    }
    page.into_text()
}

fn tell(page: &mut Page, habit: &Habit, account: &Account) {
    let told = words::habit(habit, &account.talk);
    page.say(UNSURE, INSIDE, &format!("! {}", told.title));
    page.say(PLAIN, DEEPER, &told.because(habit));
    page.say(PLAIN, DEEPER, &format!("→ {}", told.next));
}
