//! What faults cost: a line for each variant that was struck.

use judge::Faulted;
use minijinja::Environment;
use record::Struck;
use serde::Serialize;

use crate::html::{Drawn, drawn};
use crate::terminal::paragraph::{FLUSH, INSIDE, Page};
use crate::terminal::style::{DIM, STRONG};
use crate::terminal::table::{Cell, Column, Table};
use crate::words::counted;
use crate::{JudgedRun, units};

/// How far one trial lay from the next.
const NOTE: &str = "back: from the fault, which comes up to 0.2 s after its time, until correct responses came at four fifths of the \
                    rate before it, over a second; in brackets the least and the most of the trials";

/// The columns behind the variant's name.
const COLUMNS: [&str; 4] = ["fault", "back after", "requests lost", "wrong bodies"];

#[derive(Serialize)]
struct Said<'a> {
    columns: [&'static str; 4],
    rows: Vec<(&'a str, [String; 4])>,
    note: &'static str,
}

fn said<'a>(of: &JudgedRun<'a>) -> Option<Said<'a>> {
    let rows = of.judged.faulted.iter();
    let rows: Vec<_> = rows.map(|of| (&*of.variant, cells(of))).collect();
    (!rows.is_empty()).then_some(Said {
        columns: COLUMNS,
        rows,
        note: NOTE,
    })
}

fn cells(of: &Faulted) -> [String; 4] {
    let faults: Vec<String> = of.faults.iter().map(struck).collect();
    let back = match of.recovery {
        None if of.trials == 0 => "nothing was struck".to_owned(),
        None => "nothing was answered before".to_owned(),
        Some([_, _, most]) if of.never == of.trials => {
            format!("not within {}", units::duration(most))
        }
        Some(seconds) if of.never > 0 => {
            let never = counted(u64::from(of.never), "trial");
            format!("{}; not in {never}", within(seconds, units::duration))
        }
        Some([_, _, most]) if most <= 0.0 => "never gone".to_owned(),
        Some(seconds) => within(seconds, units::duration),
    };
    let wrong = if of.wrong == 0 {
        "none".to_owned()
    } else {
        units::count(of.wrong)
    };
    [
        faults.join(", "),
        back,
        within(of.lost, units::percent),
        wrong,
    ]
}

/// `a worker is killed at 2.00 s`, the time that the plan has, and what of it did not come to pass.
fn struck(of: &Struck) -> String {
    let said = format!("{} at {}", of.fault.words(), units::duration(of.fault.at));
    let wanted = of.fault.connections();
    if of.connections < wanted {
        return format!(
            "{said}: {} could be opened",
            units::count(of.connections.into())
        );
    }
    if !of.befell() {
        return format!("{said}: none was there");
    }
    if of.fault.leaves_stale_pids() && of.pid_files == 0 {
        return format!("{said}: no pid file named it");
    }
    if of.gone {
        return format!("{said}, and nobody started it again");
    }
    said
}

fn within([middle, least, most]: [f64; 3], words: fn(f64) -> String) -> String {
    let [middle, least, most] = [middle, least, most].map(words);
    if least == most {
        return middle;
    }
    format!("{middle} [{least}, {most}]")
}

pub(super) fn page(environment: &Environment, of: &JudgedRun) -> Drawn {
    drawn(environment, include_str!("../html/faulted.html"), said(of))
}

pub(super) fn draw(page: &mut Page, of: &JudgedRun) {
    let Some(said) = said(of) else {
        return;
    };
    let columns = said.columns.iter().map(|name| Column::left(name));
    let mut table = Table::new(
        [Column::left("variant")]
            .into_iter()
            .chain(columns)
            .collect(),
    );
    for (name, cells) in &said.rows {
        let cells = cells.iter().map(Cell::new);
        table.row([Cell::new(*name)].into_iter().chain(cells).collect());
    }
    page.space();
    page.say(STRONG, FLUSH, "What faults cost");
    page.lines(&table.fit(page.width()).0);
    page.say(DIM, INSIDE, said.note);
}
