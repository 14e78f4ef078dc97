use anstyle::{AnsiColor, Style};
use judge::{Holds, Verdict};

/// Headings and what matters most.
pub(crate) const STRONG: Style = Style::new().bold();
/// What is there for completeness.
pub(crate) const DIM: Style = Style::new().dimmed();
/// Neither.
pub(crate) const PLAIN: Style = Style::new();
/// A good verdict.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
/// A bad verdict.
pub(crate) const BAD: Style = AnsiColor::Red.on_default();
/// A verdict that is none.
pub(crate) const UNSURE: Style = AnsiColor::Yellow.on_default();

/// The text in the style; styles are always closed, so lines can be cut apart.
pub(crate) fn paint(style: Style, text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    format!("{style}{text}{style:#}")
}

pub(crate) fn of_verdict(verdict: Verdict) -> Style {
    match verdict {
        Verdict::Better => GOOD,
        Verdict::Worse => BAD,
        Verdict::Same => PLAIN,
        Verdict::CannotTell => UNSURE,
    }
}

pub(crate) fn of_holds(holds: Holds) -> Style {
    match holds {
        Holds::Holds => GOOD,
        Holds::DoesNotHold => BAD,
        Holds::CannotTell => UNSURE,
    }
}
