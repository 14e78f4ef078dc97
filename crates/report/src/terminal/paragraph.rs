use anstyle::Style;
use textwrap::{Options, WordSplitter};

use super::style::paint;
use crate::harmless::{harmless, one_line};

/// Longest line of running text: wider terminals are for tables.
const LONGEST: usize = 100;

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
        .word_separator(textwrap::WordSeparator::AsciiSpace)
        .break_words(false)
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
