use anstyle::{AnsiColor, Style};
use judge::{Holds, Verdict};

/// Headings and what matters most.
pub(super) const STRONG: Style = Style::new().bold();
/// What is there for completeness.
pub(super) const DIM: Style = Style::new().dimmed();
/// Neither.
pub(super) const PLAIN: Style = Style::new();
/// A good verdict.
pub(super) const GOOD: Style = AnsiColor::Green.on_default();
/// A bad verdict.
pub(super) const BAD: Style = AnsiColor::Red.on_default();
/// A verdict that is none.
pub(super) const UNSURE: Style = AnsiColor::Yellow.on_default();

/// The text in the style; styles are always closed, so lines can be cut apart.
pub(super) fn paint(style: Style, text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    format!("{style}{text}{style:#}")
}

pub(super) fn of_verdict(verdict: Verdict) -> Style {
    match verdict {
        Verdict::Better => GOOD,
        Verdict::Worse => BAD,
        Verdict::Same => PLAIN,
        Verdict::CannotTell => UNSURE,
    }
}

pub(super) fn of_holds(holds: Holds) -> Style {
    match holds {
        Holds::Holds => GOOD,
        Holds::DoesNotHold => BAD,
        Holds::CannotTell => UNSURE,
    }
}
