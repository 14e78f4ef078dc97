use std::path::Path;

use super::paragraph::Page;
use crate::JudgedRun;
use crate::harmless::one_line;
use crate::view::SECTIONS;

/// A run: its variants in a table, the answer, doubts with advice, claims, and where the files are
/// (what each is, and its path).
pub fn run(of: &JudgedRun, files: &[(&str, &Path)], width: usize) -> String {
    let mut page = Page::new(width);
    let sections = SECTIONS.iter();
    let mut sections: Vec<_> = sections.filter_map(|(drawn, _)| *drawn).collect();
    sections.sort_by_key(|(place, _)| *place);
    for (_, draw) in sections {
        draw(&mut page, of);
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
