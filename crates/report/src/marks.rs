//! Texts of others as parts of a Markdown document, which shows them as they are.

use crate::harmless::one_line;

/// What Markdown takes for something else than itself within a line.
const MARKS: &str = "\\`*_[]<>&|~#";

/// A text as a part of a line: nothing in it is bold, code, a link, a tag or the end of a cell.
pub fn plain(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in one_line(text).chars() {
        if MARKS.contains(c) {
            shown.push('\\');
        }
        shown.push(c);
    }
    shown
}

/// A text as code, between more backticks in a row than it has itself.
pub fn code(text: &str) -> String {
    let text = one_line(text);
    let runs = text.split(|c: char| c != '`').map(str::len);
    let fence = "`".repeat(runs.max().unwrap_or(0) + 1);
    // one at its start or end would be the fence's; both spaces are taken away where it is shown
    let room = if text.starts_with('`') || text.ends_with('`') {
        " "
    } else {
        ""
    };
    format!("{fence}{room}{text}{room}{fence}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_text_has_no_marks_and_one_line() {
        for text in ["gunicorn 23.0, 2 workers", "späť (日本) ±3 %: \"so\"!"] {
            assert_eq!(plain(text), text);
        }
        let marked = plain("a|b `c` **d** <b> [e](f) &lt; \\ ~~g~~ h_i\n# j");
        assert_eq!(
            marked,
            "a\\|b \\`c\\` \\*\\*d\\*\\* \\<b\\> \\[e\\](f) \\&lt; \\\\ \\~\\~g\\~\\~ h\\_i\u{fffd}\\# j"
        );
    }

    #[test]
    fn code_ends_where_its_text_does() {
        for (text, shown) in [
            ("/srv/shop", "`/srv/shop`"),
            ("/srv/my`shop", "``/srv/my`shop``"),
            ("a``b`c", "```a``b`c```"),
            ("`a`", "`` `a` ``"),
            ("a\nb", "`a\u{fffd}b`"),
            ("", "``"),
        ] {
            assert_eq!(code(text), shown);
        }
    }
}
