//! Folded stacks, the text that tools for flame graphs share: a stack a line, and how often it was seen.

use std::collections::BTreeMap;
use std::fmt;

use inferno::flamegraph::{self, Options};
use record::{Doing, Function, Stack};

use super::{Profiled, cut, words};
use crate::harmless::one_line;

/// Stacks of threads on CPU: functions from the outermost on, a `;` between them, and how often each was seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Folded {
    /// What they are of: a variant, a process, a file.
    pub name: String,
    pub(super) stacks: BTreeMap<String, u64>,
    /// The same from the app on, and what leads to it; empty where they were read, as a file does not say whose a function is.
    from_app: BTreeMap<String, u64>,
    leading: BTreeMap<String, u64>,
}

impl Folded {
    /// Those of a profile.
    pub fn of(profiled: &Profiled) -> Self {
        let all = &profiled.stacks;
        let names: Vec<String> = all.functions.iter().map(one_word).collect();
        let mut folded = Self {
            name: profiled.name.clone(),
            ..Self::default()
        };
        for stack in all.stacks.iter().filter(|of| of.doing == Doing::OnCpu) {
            let line = line(stack, &names);
            let from_app = match cut::begin(all, stack) {
                Some(place) => {
                    let (leading, own) = line.split_at(place);
                    *folded.leading.entry(leading.join(";")).or_default() += stack.samples;
                    own.join(";")
                }
                None => one_word(&cut::others()),
            };
            *folded.from_app.entry(from_app).or_default() += stack.samples;
            *folded.stacks.entry(line.join(";")).or_default() += stack.samples;
        }
        folded
    }

    /// Those of a file: what this was written to, or what another profiler wrote in the same form.
    ///
    /// # Errors
    /// The first line that is none, by its number.
    pub fn read(name: &str, text: &str) -> Result<Self, String> {
        let mut stacks = BTreeMap::new();
        let lines = text.lines().enumerate();
        for (at, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
            let parts = line.trim_end().rsplit_once(' ');
            // as many as four bytes hold, so that no sum overflows
            let parts =
                parts.and_then(|(stack, samples)| Some((stack, samples.parse::<u32>().ok()?)));
            let Some((stack, samples)) = parts else {
                return Err(format!(
                    "line {} is no stack with a number of samples",
                    at + 1
                ));
            };
            *stacks.entry(one_line(stack).into_owned()).or_default() += u64::from(samples);
        }
        Ok(Self {
            name: name.to_owned(),
            stacks,
            ..Self::default()
        })
    }

    /// Whether no thread was on CPU.
    pub fn is_empty(&self) -> bool {
        self.samples() == 0
    }

    pub(super) fn samples(&self) -> u64 {
        self.stacks.values().sum()
    }
}

impl fmt::Display for Folded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (stack, samples) in &self.stacks {
            writeln!(f, "{stack} {samples}")?;
        }
        Ok(())
    }
}

/// How two profiles differ, as SVG: drawn as the later one is, red where it has a greater share of its samples than the
/// earlier one, blue where it has a smaller one. Where the app is called from elsewhere, as by another server, stacks begin at
/// the app, and all in which it has no part are one function; the subtitle says so. What was read has whole stacks.
///
/// # Errors
/// One of them has no sample of a thread on CPU.
pub fn difference(earlier: &Folded, later: &Folded) -> Result<String, String> {
    if earlier.is_empty() || later.is_empty() {
        return Err("one of the two profiles has no sample of a thread on CPU".to_owned());
    }
    // as if both had as many samples
    let [whole_before, whole_after] = [earlier, later].map(|of| u128::from(of.samples()));
    let from_app = cut::is_due(&earlier.leading, &later.leading);
    let whose = [earlier, later];
    let [before, now] = whose.map(|of| if from_app { &of.from_app } else { &of.stacks });
    let mut both: BTreeMap<&str, (u128, u64)> = BTreeMap::new();
    for (stack, samples) in before {
        both.entry(stack).or_default().0 =
            (u128::from(*samples) * whole_after + whole_before / 2) / whole_before;
    }
    for (stack, samples) in now {
        both.entry(stack).or_default().1 = *samples;
    }
    let lines = both.iter();
    let lines: Vec<String> = lines
        .map(|(stack, (before, after))| format!("{stack} {before} {after}"))
        .collect();
    let mut options = Options::default();
    options.title = format!(
        "On CPU: {} against {}",
        one_line(&later.name),
        one_line(&earlier.name)
    );
    let stacks = if from_app {
        "each stack from the app on, as what leads there differs"
    } else {
        "whole stacks"
    };
    options.subtitle = Some(format!(
        "red: a larger share than in {}; blue: a smaller one; {stacks}",
        one_line(&earlier.name)
    ));
    drawn(&mut options, &lines)
}

/// Lines of folded stacks as an interactive flame graph.
pub(super) fn drawn(options: &mut Options, lines: &[String]) -> Result<String, String> {
    "samples".clone_into(&mut options.count_name);
    options.hash = true; // the same colours each time
    let mut svg = Vec::new();
    let lines = lines.iter().map(String::as_str);
    flamegraph::from_lines(options, lines, &mut svg).map_err(|error| error.to_string())?;
    String::from_utf8(svg).map_err(|error| error.to_string())
}

/// A function without what separates functions, and what separates a stack from its number.
pub(super) fn one_word(of: &Function) -> String {
    words(of).replace(';', ",").replace(' ', "\u{a0}")
}

/// What the functions of a stack are called, the outermost first.
fn line<'a>(stack: &Stack, names: &'a [String]) -> Vec<&'a str> {
    let functions = stack.functions.iter();
    let called = functions.filter_map(|&at| names.get(at as usize));
    called.map(String::as_str).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read_again() {
        let text = "app:main;app:fast 3\napp:main;app:slow\u{a0}(app.py:7) 40\n";
        let folded = Folded::read("before", text).unwrap();
        assert_eq!(folded.to_string(), text);
        assert_eq!((folded.is_empty(), folded.name.as_str()), (false, "before"));
    }

    #[test]
    fn stacks_of_other_profilers_are_read_and_steer_nothing() {
        let text = "main (a.py:1);\u{1b}[31mwork (a.py:2) 4\r\n\nmain (a.py:1);\u{1b}[31mwork (a.py:2) 1\r\n";
        let folded = Folded::read("other", text).unwrap().to_string();
        assert!(folded.ends_with("work (a.py:2) 5\n"), "{folded}");
        assert!(folded.starts_with("main (a.py:1);") && !folded.contains('\u{1b}'));
    }

    #[test]
    fn what_is_no_stack_is_named_by_its_line() {
        for line in ["main", "main x", "main -1", "main 4294967296", "<svg>"] {
            let why = Folded::read("of", &format!("main 1\n{line}\n")).unwrap_err();
            assert!(why.starts_with("line 2 "), "{line}: {why}");
        }
        assert!(read("").is_empty());
    }

    fn read(text: &str) -> Folded {
        Folded::read("of", text).unwrap()
    }

    #[test]
    fn shares_are_compared_and_not_counts() {
        let same = (read("a 1\nb 3\n"), read("a 1000000000\nb 3000000000\n"));
        let same = difference(&same.0, &same.1).unwrap();
        assert!(
            same.contains("25.00%") && !same.contains("+0.0") && !same.contains("-0.0"),
            "{same}"
        );
        let moved = difference(&read("a 1\nb 3\n"), &read("a 3\nc 1\n")).unwrap();
        assert!(moved.contains("+50.00%"), "{moved}");
        assert!(difference(&read(""), &read("a 1\n")).is_err());
    }
}
