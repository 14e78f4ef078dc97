use anstyle::Style;
use textwrap::core::Word;
use textwrap::{Options, WordSeparator, WordSplitter};

use super::style::paint;
use crate::harmless::{harmless, one_line};

/// Longest line of running text: wider terminals are for tables.
const LONGEST: usize = 100;

/// What stands behind a number, on the same line.
const UNITS: [&str; 14] = [
    "%", "×", "ns", "µs", "ms", "s", "min", "h", "B", "KB", "MB", "GB", "TB", "req/s",
];

/// Text for a terminal of a certain width, line by line.
pub(crate) struct Page {
    text: String,
    width: usize,
}

/// How a paragraph stands on the page: what its first line and the others begin with.
#[derive(Clone, Copy)]
pub(crate) struct Indent(pub(super) &'static str, pub(super) &'static str);

/// At the margin.
pub(crate) const FLUSH: Indent = Indent("", "  ");
/// Below a table or a heading.
pub(crate) const INSIDE: Indent = Indent("  ", "    ");
/// Below something inside.
pub(crate) const DEEPER: Indent = Indent("    ", "      ");

impl Page {
    pub(crate) fn new(width: usize) -> Self {
        Self {
            text: String::new(),
            width,
        }
    }

    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// A paragraph in one style, wrapped.
    pub(crate) fn say(&mut self, style: Style, indent: Indent, text: &str) {
        let width = self.width.min(LONGEST);
        for line in textwrap::wrap(&harmless(text), options(width, indent)) {
            self.text.push_str(&paint(style, &line));
            self.text.push('\n');
        }
    }

    /// A line that is never wrapped, because somebody will copy it.
    pub(crate) fn verbatim(&mut self, line: &str) {
        self.text.push_str(&harmless(line));
        self.text.push('\n');
    }

    /// Lines that are ready.
    pub(crate) fn lines(&mut self, lines: &str) {
        self.text.push_str(lines);
    }

    /// An empty line.
    pub(crate) fn space(&mut self) {
        self.text.push('\n');
    }

    pub(crate) fn into_text(self) -> String {
        self.text
    }
}

fn options(width: usize, indent: Indent) -> Options<'static> {
    Options::new(width.max(1))
        .initial_indent(indent.0)
        .subsequent_indent(indent.1)
        .word_splitter(WordSplitter::NoHyphenation)
        .word_separator(WordSeparator::Custom(words))
        .break_words(false)
}

/// Words between spaces; a number and its unit are one.
fn words(line: &str) -> Box<dyn Iterator<Item = Word<'_>> + '_> {
    let begins = line.match_indices(' ').map(|(at, _)| at + 1);
    let begins = begins.filter(|at| !line[*at..].starts_with(' '));
    let mut from = 0;
    let mut words = Vec::new();
    for at in begins.filter(|at| *at < line.len()) {
        let next = line[at..].split(' ').next().unwrap_or_default();
        let next = next.trim_end_matches([',', ';', '.', ':', ')', ']']);
        let is_number = line[from..at]
            .trim_end()
            .ends_with(|end: char| end.is_ascii_digit());
        if !(is_number && UNITS.contains(&next)) {
            words.push(Word::from(&line[from..at]));
            from = at;
        }
    }
    words.push(Word::from(&line[from..]));
    Box::new(words.into_iter())
}

/// What somebody answered, in one line: escaped where it has to be.
pub(crate) fn quoted(text: &str) -> String {
    if matches!(one_line(text), std::borrow::Cow::Owned(_)) {
        text.escape_debug().to_string()
    } else {
        text.to_owned()
    }
}

/// The lines of a text in a column of this width.
pub(crate) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let lines = textwrap::wrap(text, options(width, Indent("", "")));
    lines
        .into_iter()
        .map(std::borrow::Cow::into_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_keeps_its_unit() {
        for (text, width, lines) in [
            ("it took 4.51 % of it", 12, ["it took", "4.51 % of it"]),
            ("it took 4.51 % of it", 14, ["it took 4.51 %", "of it"]),
            ("between 1.88 ×, and 2", 12, ["between", "1.88 ×, and 2"]),
            ("in  two words each", 9, ["in  two", "words each"]),
        ] {
            let width = width.max(lines[1].chars().count());
            assert_eq!(wrapped(text, width), lines, "{text}");
        }
        assert_eq!(wrapped("", 9), [""]);
    }
}
