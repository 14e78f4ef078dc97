//! Folded stacks, the text that tools for flame graphs share: a stack a line, and how often it was seen.

use std::collections::BTreeMap;
use std::fmt;

use inferno::flamegraph::{self, Options};
use record::{CodeClass, Doing, Stacks};

use super::{Profiled, words};
use crate::harmless::one_line;

/// Stacks of threads on CPU: functions from the outermost on, a `;` between them, and how often each was seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Folded {
    /// What they are of: a variant, a process, a file.
    pub name: String,
    pub(super) stacks: BTreeMap<String, u64>,
}

impl Folded {
    /// Those of a profile.
    pub fn of(profiled: &Profiled) -> Self {
        Self {
            name: profiled.name.clone(),
            stacks: counted(&profiled.stacks, |name, _| name),
        }
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
/// earlier one, blue where it has a smaller one.
///
/// # Errors
/// One of them has no sample of a thread on CPU.
pub fn difference(earlier: &Folded, later: &Folded) -> Result<String, String> {
    if earlier.is_empty() || later.is_empty() {
        return Err("one of the two profiles has no sample of a thread on CPU".to_owned());
    }
    // as if both had as many samples
    let [whole_before, whole_after] = [earlier, later].map(|of| u128::from(of.samples()));
    let mut both: BTreeMap<&str, (u128, u64)> = BTreeMap::new();
    for (stack, samples) in &earlier.stacks {
        both.entry(stack).or_default().0 =
            (u128::from(*samples) * whole_after + whole_before / 2) / whole_before;
    }
    for (stack, samples) in &later.stacks {
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
    options.subtitle = Some(format!(
        "red: a larger share than in {}; blue: a smaller one",
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

/// The stacks of threads on CPU as lines, with how often; the same line once.
pub(super) fn counted(
    stacks: &Stacks,
    label: fn(String, CodeClass) -> String,
) -> BTreeMap<String, u64> {
    let names: Vec<String> = stacks
        .functions
        .iter()
        // what separates functions, and what separates a stack from its number
        .map(|of| label(words(of).replace(';', ",").replace(' ', "\u{a0}"), of.class))
        .collect();
    let mut lines = BTreeMap::new();
    for stack in stacks.stacks.iter().filter(|of| of.doing == Doing::OnCpu) {
        let functions = stack.functions.iter();
        let line: Vec<&str> = functions
            .filter_map(|&at| Some(&**names.get(at as usize)?))
            .collect();
        *lines.entry(line.join(";")).or_default() += stack.samples;
    }
    lines
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
