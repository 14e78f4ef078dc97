/// Lines shown before and after the first that differs.
const AROUND: usize = 2;
/// Longest part of a line that is shown, in characters.
const WIDTH: usize = 160;

/// The first difference of two texts: one line that says it, and a few lines around it.
pub(crate) fn first_difference(expected: &str, got: &str) -> (String, Vec<String>) {
    let (wanted, seen): (Vec<_>, Vec<_>) = (expected.lines().collect(), got.lines().collect());
    let at = wanted
        .iter()
        .zip(&seen)
        .take_while(|(left, right)| left == right)
        .count();
    let column = match (wanted.get(at), seen.get(at)) {
        (Some(left), Some(right)) => left
            .chars()
            .zip(right.chars())
            .take_while(|(l, r)| l == r)
            .count(),
        _ => 0,
    };
    let problem = if (at, at) == (wanted.len(), seen.len()) {
        format!(
            "the body has {} bytes, expected {} (only line ends differ)",
            got.len(),
            expected.len()
        )
    } else {
        format!(
            "the body differs from the reference at line {}, column {}",
            at + 1,
            column + 1
        )
    };
    let mut context: Vec<_> = wanted[at.saturating_sub(AROUND).min(wanted.len())..at]
        .iter()
        .map(|line| format!("  {}", part(line, 0)))
        .collect();
    context.push(format!(
        "- {}",
        wanted
            .get(at)
            .map_or_else(|| "(end)".to_owned(), |line| part(line, column))
    ));
    context.push(format!(
        "+ {}",
        seen.get(at)
            .map_or_else(|| "(end)".to_owned(), |line| part(line, column))
    ));
    context.extend(
        seen.iter()
            .skip(at + 1)
            .take(AROUND)
            .map(|line| format!("  {}", part(line, 0))),
    );
    (problem, context)
}

/// The part of a line around a column.
fn part(line: &str, column: usize) -> String {
    let from = column.saturating_sub(WIDTH / 2);
    let shown: String = line.chars().skip(from).take(WIDTH).collect();
    let before = if from > 0 { "…" } else { "" };
    let after = if line.chars().count() > from + WIDTH {
        "…"
    } else {
        ""
    };
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
