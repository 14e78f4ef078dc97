/// Lines shown before and after the first that differs.
const AROUND: usize = 2;
/// Longest part of a line that is shown, in characters.
const WIDTH: usize = 160;

/// The first difference of two texts: one line that says it, and a few lines around it.
pub(crate) fn first_difference(expected: &str, got: &str) -> (String, Vec<String>) {
    let (wanted, seen): (Vec<_>, Vec<_>) = (expected.lines().collect(), got.lines().collect());
    let (at, column) = place(&wanted, &seen);
    let problem = if (at, at) == (wanted.len(), seen.len()) {
        let (found, expected) = (got.len(), expected.len());
        format!("the body has {found} bytes, expected {expected} (only line ends differ)")
    } else {
        let (line, column) = (at + 1, column + 1);
        format!("the body differs from the reference at line {line}, column {column}")
    };
    let same = |line: &&str| format!("  {}", part(line, 0));
    let here = |lines: &[&str]| {
        lines
            .get(at)
            .map_or("(end)".to_owned(), |line| part(line, column))
    };
    let before = &wanted[at.saturating_sub(AROUND).min(wanted.len())..at];
    let mut context: Vec<_> = before.iter().map(same).collect();
    context.push(format!("- {}", here(&wanted)));
    context.push(format!("+ {}", here(&seen)));
    context.extend(seen.iter().skip(at + 1).take(AROUND).map(same));
    (problem, context)
}

/// Where two texts first differ: `line 3, column 1`.
pub(crate) fn first_place(expected: &str, got: &str) -> String {
    let (wanted, seen): (Vec<_>, Vec<_>) = (expected.lines().collect(), got.lines().collect());
    let (line, column) = place(&wanted, &seen);
    format!("line {}, column {}", line + 1, column + 1)
}

/// The line and column of the first difference, from 0.
fn place(wanted: &[&str], seen: &[&str]) -> (usize, usize) {
    let at = alike(wanted.iter(), seen.iter());
    let column = match (wanted.get(at), seen.get(at)) {
        (Some(left), Some(right)) => alike(left.chars(), right.chars()),
        _ => 0,
    };
    (at, column)
}

/// How many things at the start of both are the same.
fn alike<T: PartialEq>(one: impl Iterator<Item = T>, other: impl Iterator<Item = T>) -> usize {
    one.zip(other)
        .take_while(|(one, other)| one == other)
        .count()
}

/// The part of a line around a column.
fn part(line: &str, column: usize) -> String {
    let from = column.saturating_sub(WIDTH / 2);
    let shown: String = line.chars().skip(from).take(WIDTH).collect();
    let before = if from > 0 { "…" } else { "" };
    let more = line.chars().count() > from + WIDTH;
    let after = if more { "…" } else { "" };
    format!("{before}{shown}{after}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_where_and_shows_a_few_lines() {
        let (problem, context) = first_difference("a\nb\nc\nd", "a\nb\nx\nd");
        assert_eq!(
            problem,
            "the body differs from the reference at line 3, column 1"
        );
        assert_eq!(context, ["  a", "  b", "- c", "+ x", "  d"]);
    }

    #[test]
    fn a_body_cut_short_ends_early() {
        let (problem, context) = first_difference("a\nb\nc", "a\nb");
        assert!(problem.ends_with("line 3, column 1"));
        assert_eq!(context, ["  a", "  b", "- c", "+ (end)"]);
    }

    #[test]
    fn long_lines_are_cut_around_the_difference() {
        let (left, right) = ("x".repeat(5000) + "a", "x".repeat(5000) + "b");
        let (problem, context) = first_difference(&left, &right);
        assert!(problem.ends_with("line 1, column 5001"));
        assert!(
            context.iter().all(|line| line.chars().count() < 170),
            "{context:?}"
        );
        assert!(context[0].ends_with('a') && context[1].ends_with('b'));
    }

    #[test]
    fn only_line_ends() {
        assert!(first_difference("a\n", "a").0.contains("only line ends"));
    }
}
