//! A run, section by section.

mod claims;
mod head;
mod loads;
mod stages;

use std::path::Path;

use super::paragraph::Page;
use super::{curves, doubts, rankings};
use crate::JudgedRun;
use crate::harmless::one_line;
use crate::view::Report;

/// The sections in order; each draws nothing where there is nothing to say.
const SECTIONS: [fn(&mut Page, &Report); 8] = [
    head::draw,
    stages::draw,
    loads::draw,
    curves::draw,
    head::headline,
    doubts::draw,
    rankings::draw,
    claims::draw,
];

/// A run: its stages in a table, the answer, doubts with advice, claims, and where the files are
/// (what each is, and its path).
pub fn run(of: &JudgedRun, files: &[(&str, &Path)], width: usize) -> String {
    let mut page = Page::new(width);
    let report = Report::new(of);
    for draw in SECTIONS {
        draw(&mut page, &report);
    }
    if !files.is_empty() {
        page.space();
    }
    for (what, path) in files {
        let path = path.display().to_string();
        page.verbatim(&format!("{what}  {}", one_line(&path)));
    }
    page.into_text()
}
