use client::{Account, Finding};

use super::paragraph::{DEEPER, FLUSH, INSIDE, Page};
use super::style::{DIM, PLAIN, STRONG, UNSURE};
use super::table::{Cell, Column, Table};
use crate::units;
use crate::words::client as words;

/// How a client talked, for a terminal of so many columns.
pub fn client(account: &Account, width: usize) -> String {
    let mut page = Page::new(width);
    page.say(STRONG, FLUSH, &words::headline(account));
    let mut table = Table::new(vec![Column::left(""), Column::wrapping("")]);
    for (what, told) in words::rows(account) {
        table.row(vec![Cell::styled(what, DIM), Cell::new(told)]);
    }
    page.lines(&table.fit(width).0);
    if !account.findings.is_empty() {
        page.space();
        page.say(STRONG, FLUSH, "What stands out");
    }
    for finding in &account.findings {
        tell(&mut page, finding, account);
    }
    page.into_text()
}

fn tell(page: &mut Page, finding: &Finding, account: &Account) {
    let told = words::finding(finding, &account.talk);
    page.say(UNSURE, INSIDE, &format!("! {}", told.title));
    let share = units::percent(finding.share);
    page.say(
        PLAIN,
        DEEPER,
        &format!("{share} of {}: {}", told.of, told.because),
    );
    page.say(PLAIN, DEEPER, &format!("→ {}", told.next));
}
