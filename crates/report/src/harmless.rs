//! What comes from an app, a plan, a path or a server, made so that it cannot steer a terminal.

use std::borrow::Cow;

/// Stands for what was taken out.
const INSTEAD: char = '\u{fffd}';
/// What the colours of this program and of its command line's help are made of: reset, bold, dim,
/// underlined, red, green, yellow.
const COLOURS: [&str; 8] = ["", "0", "1", "2", "4", "31", "32", "33"];

/// Whether a character does something else than be shown in its place: controls (C0, DEL and C1: an escape
/// or `CSI` begins a sequence), line and paragraph separators, and what turns the direction of writing
/// (Unicode Annex 9), so that a line reads otherwise than it is.
fn steers(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{feff}')
        || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A text of several lines: only line feeds and tabs steer.
pub fn harmless(text: &str) -> Cow<'_, str> {
    replaced(text, |c| steers(c) && c != '\n' && c != '\t')
}

/// A value that stands in a line: nothing in it ends that line, and a tab is as wide as a space.
pub fn one_line(text: &str) -> Cow<'_, str> {
    let text = replaced(text, |c| steers(c) && c != '\t');
    if text.contains('\t') {
        return Cow::Owned(text.replace('\t', " "));
    }
    text
}

/// A text of several lines that was painted here: its colours stay.
pub fn painted(text: &str) -> Cow<'_, str> {
    if !text.contains('\u{1b}') {
        return harmless(text);
    }
    let mut clean = String::with_capacity(text.len());
    let mut pieces = text.split('\u{1b}');
    clean.push_str(&harmless(pieces.next().unwrap_or_default()));
    for piece in pieces {
        let colour = piece
            .strip_prefix('[')
            .and_then(|rest| rest.split_once('m'))
            .filter(|(parts, _)| parts.split(';').all(|part| COLOURS.contains(&part)));
        if let Some((parts, rest)) = colour {
            clean.push_str("\u{1b}[");
            clean.push_str(parts);
            clean.push('m');
            clean.push_str(&harmless(rest));
        } else {
            clean.push(INSTEAD);
            clean.push_str(&harmless(piece));
        }
    }
    Cow::Owned(clean)
}

/// A JSON text that means the same and holds none of them: they can only stand in its strings, which may
/// write any character as a number.
pub fn json(text: &str) -> Cow<'_, str> {
    let bad = |c: char| steers(c) && c != '\n';
    if !text.contains(bad) {
        return Cow::Borrowed(text);
    }
    let mut clean = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if bad(c) {
            // all of them lie below U+10000
            clean.extend(["\\u", &format!("{:04x}", u32::from(c))]);
        } else {
            clean.push(c);
        }
    }
    Cow::Owned(clean)
}

fn replaced(text: &str, bad: impl Fn(char) -> bool) -> Cow<'_, str> {
    if text.contains(&bad) {
        Cow::Owned(text.replace(bad, INSTEAD.encode_utf8(&mut [0; 4])))
    } else {
        Cow::Borrowed(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A window's title, a cleared screen, a bell, NUL, the same sequences by C1, a line written backwards,
    /// isolates, a separator, a carriage return, DEL.
    const HOSTILE: &str = "a\u{1b}]0;t\u{7}b\u{1b}[2Jc\0d\u{9b}2Je\u{9d}0;t\u{9c}f\u{202e}g\u{2066}h\u{2028}i\rj\u{7f}k";

    #[test]
    fn nothing_that_steers_is_left() {
        for clean in [harmless(HOSTILE), one_line(HOSTILE), painted(HOSTILE)] {
            assert!(!clean.contains(steers), "{clean:?}");
            for letter in 'a'..='k' {
                assert!(clean.contains(letter), "{letter}: {clean:?}");
            }
        }
        assert_eq!(harmless("a\n\tb"), "a\n\tb");
        assert_eq!(one_line("a\n\tb"), "a\u{fffd} b");
        assert_eq!(one_line("späť 日本 ±3 %"), "späť 日本 ±3 %");
    }

    #[test]
    fn our_own_colours_stay_and_others_go() {
        let own = "\u{1b}[1mbold\u{1b}[0m \u{1b}[1;31mred\u{1b}[0m\n";
        assert_eq!(painted(own), own);
        for other in [
            "\u{1b}[8mhidden",
            "\u{1b}[1",
            "\u{1b}[38;5;1mx",
            "\u{1b}",
            "\u{1b}[1;2Hm",
        ] {
            assert!(!painted(other).contains('\u{1b}'), "{other:?}");
        }
    }

    #[test]
    fn json_means_the_same() {
        let text = serde_json::to_string(HOSTILE).unwrap();
        let clean = json(&text);
        assert!(!clean.contains(steers), "{clean:?}");
        let read: String = serde_json::from_str(&clean).unwrap();
        assert_eq!(read, HOSTILE);
    }
}
