//! What differs between two texts, where that is only a number, a time, an address or a token: parts that an app may
//! well make anew at each start, with the pattern that declares them.

use std::sync::LazyLock;

use regex::{NoExpand, Regex};

/// Most parts that are looked for.
const MOST: usize = 6;
/// Characters before such a part that its pattern repeats, so that no other part is masked by it.
const CONTEXT: usize = 16;
/// Characters of a part that are shown.
const SHOWN: usize = 60;
/// What stands for a part that was found.
const MASK: &str = "<dynamic>";

/// What a time or a date is called.
const TIME: &str = "a time";

/// A kind of part: how it is recognised, and the pattern that declares it.
struct Kind {
    name: &'static str,
    found: Regex,
    declared: &'static str,
}

/// In the order in which they are tried.
static KINDS: LazyLock<Vec<Kind>> = LazyLock::new(|| {
    let kind = |name, found: &str, declared| Kind {
        name,
        found: Regex::new(found).expect("a constant pattern"),
        declared,
    };
    vec![
        kind(
            TIME,
            r"\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d[\d:.,]*(?:Z|[+-]\d\d:?\d\d)?)?",
            r"\d{4}-\d\d-\d\d[T ]?[\d:.,Z+-]*",
        ),
        kind(
            TIME,
            r"\b[A-Z][a-z]{2}, \d\d? [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d [A-Z]+",
            r"[A-Z][a-z]+, [\w: ]+",
        ),
        kind(
            "an address",
            r"\b(?:\d{1,3}(?:\.\d{1,3}){3}|localhost)(?::\d+)?\b|\[[0-9a-f:]+\](?::\d+)?",
            r"[\w.:\[\]]+",
        ),
        kind(TIME, r"\b\d\d?:\d\d(?::\d\d(?:[.,]\d+)?)?\b", r"[\d:.,]+"),
        kind(
            "a number",
            r"\b\d+(?:[.,]\d+)*(?:(?:ns|us|µs|ms|s)\b|\b)",
            r"\d+(?:[.,]\d+)*",
        ),
        kind(
            "a token",
            r"(?i)\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b|\b[0-9a-f]{8,}\b",
            r"[0-9A-Fa-f-]+",
        ),
        kind("a token", r"[A-Za-z0-9_+/-]{16,}={0,2}", r"[\w+/=-]+"),
    ]
});

/// What finds times and dates.
pub(crate) fn finding_times() -> impl Iterator<Item = &'static Regex> {
    let times = KINDS.iter().filter(|kind| kind.name == TIME);
    times.map(|kind| &kind.found)
}

/// A part that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Varying {
    /// `a number`.
    pub(crate) kind: &'static str,
    /// What it was, and what it is.
    pub(crate) values: [String; 2],
    /// The regular expression that declares it.
    pub(crate) pattern: String,
}

/// All parts in which two texts differ, if each is of a known kind.
pub(crate) fn varying(expected: &str, got: &str) -> Option<Vec<Varying>> {
    let (mut one, mut other) = (expected.to_owned(), got.to_owned());
    let mut found = Vec::new();
    while one != other {
        let part = first(&one, &other).filter(|_| found.len() < MOST)?;
        let pattern = Regex::new(&part.pattern).ok()?;
        let masked = |text: &str| pattern.replace_all(text, NoExpand(MASK)).into_owned();
        let next = (masked(&one), masked(&other));
        if next == (one, other) {
            return None;
        }
        (one, other) = next;
        found.push(part);
    }
    Some(found)
}

/// The first of them.
fn first(one: &str, other: &str) -> Option<Varying> {
    let at = one
        .char_indices()
        .zip(other.chars())
        .find(|((_, left), right)| left != right)
        .map_or(one.len().min(other.len()), |((at, _), _)| at);
    let begin = one[..at].rfind('\n').map_or(0, |line| line + 1);
    let line = |text: &str| text[begin..].lines().next().unwrap_or_default().to_owned();
    let (left, right) = (line(one), line(other));
    KINDS.iter().find_map(|kind| {
        let here = |text: &str| {
            let mut parts = kind.found.find_iter(text);
            let part = parts.find(|part| part.start() <= at - begin && at - begin <= part.end())?;
            Some((part.start(), part.as_str().to_owned()))
        };
        let ((from, was), (other_from, is)) = (here(&left)?, here(&right)?);
        let plausible = kind.declared != r"[\w+/=-]+" || (is_token(&was) && is_token(&is));
        (from == other_from && was != is && plausible).then(|| Varying {
            kind: kind.name,
            values: [was, is].map(|value| short(&value)),
            pattern: regex::escape(context(&left[..from])) + kind.declared,
        })
    })
}

/// A long word is no token.
fn is_token(text: &str) -> bool {
    text.contains(|c: char| c.is_ascii_digit()) && text.contains(char::is_alphabetic)
}

/// The end of what stands before a part, without what neither a shell nor TOML takes between single quotes.
fn context(before: &str) -> &str {
    let apart = |c: char| c == '\'' || c.is_control();
    let free = before.rfind(apart).map_or(before, |at| &before[at + 1..]);
    let free = free.rsplit(MASK).next().unwrap_or(free);
    let Some((from, _)) = free.char_indices().rev().nth(CONTEXT) else {
        return free;
    };
    // whole words, if there is one
    let cut = &free[from..];
    let word = cut.find(' ').map(|at| &cut[at + 1..]);
    word.filter(|words| !words.is_empty()).unwrap_or(cut)
}

fn short(text: &str) -> String {
    let shown: String = text.chars().take(SHOWN).collect();
    if shown.len() < text.len() {
        return shown + "…";
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn only(one: &str, other: &str, kind: &str, values: [&str; 2]) -> String {
        let found = varying(one, other).expect(one);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].kind, kind);
        assert_eq!(found[0].values, values);
        found[0].pattern.clone()
    }

    #[test]
    fn a_part_is_said_for_what_it_is() {
        let pattern = only(
            "<p>\npid: 17</p>",
            "<p>\npid: 23</p>",
            "a number",
            ["17", "23"],
        );
        assert_eq!(pattern, r"pid: \d+(?:[.,]\d+)*");
        only("took 9 ms", "took 10 ms", "a number", ["9", "10"]);
        only("in 0.013s.", "in 0.2s.", "a number", ["0.013s", "0.2s"]);
        only(
            "at 2026-11-23T09:51:29Z",
            "at 2026-11-23T09:52:01Z",
            "a time",
            ["2026-11-23T09:51:29Z", "2026-11-23T09:52:01Z"],
        );
        only(
            "Mon, 23 Nov 2026 09:51:29 GMT",
            "Mon, 23 Nov 2026 09:51:30 GMT",
            "a time",
            [
                "Mon, 23 Nov 2026 09:51:29 GMT",
                "Mon, 23 Nov 2026 09:51:30 GMT",
            ],
        );
        only("up 9:51:29", "up 9:51:30", "a time", ["9:51:29", "9:51:30"]);
        only(
            "from 10.0.0.7:5123",
            "from 10.0.0.7:62",
            "an address",
            ["10.0.0.7:5123", "10.0.0.7:62"],
        );
        only(
            "id=deadbeef01",
            "id=dead0000ff",
            "a token",
            ["deadbeef01", "dead0000ff"],
        );
        only(
            "csrf 'ZW5jb2RlZC1ieS1tZQ=='",
            "csrf 'ZW5jb2RlZC1ieS15bQ=='",
            "a token",
            ["ZW5jb2RlZC1ieS1tZQ==", "ZW5jb2RlZC1ieS15bQ=="],
        );
    }

    #[test]
    fn what_is_more_than_that_is_not_called_so() {
        for (one, other) in [
            ("hello", "goodbye"),
            ("pid 17 a", "pid 23 b"),
            ("a-word-that-is-quite-long", "a-word-that-is-quite-short"),
            ("items: 1", "items:"),
        ] {
            assert_eq!(varying(one, other), None, "{one}");
        }
        assert_eq!(varying("same", "same"), Some(Vec::new()));
    }

    #[test]
    fn several_parts_have_a_pattern_each_and_none_masks_the_rest() {
        let found = varying("pid 17, seed 4 of 9", "pid 23, seed 5 of 9").unwrap();
        let patterns: Vec<_> = found.iter().map(|part| part.pattern.as_str()).collect();
        assert_eq!(
            patterns,
            [r"pid \d+(?:[.,]\d+)*", r", seed \d+(?:[.,]\d+)*"]
        );
        assert!(!found[1].pattern.contains('\''));
        let quoted = varying("it's 'pid=17'", "it's 'pid=23'").unwrap();
        assert_eq!(quoted[0].pattern, r"pid=\d+(?:[.,]\d+)*");
    }
}
