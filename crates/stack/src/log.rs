use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::Path;

/// Lines of a log kept in errors and records.
pub(crate) const TAIL_LINES: usize = 15;
/// A log is read from so many bytes before its end.
const TAIL_BYTES: u64 = 16 * 1024;

/// The last lines of a log; none when it cannot be read.
pub(crate) fn tail(path: &Path) -> Vec<String> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|mut file| {
        let length = file.metadata()?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(TAIL_BYTES)))?;
        file.take(TAIL_BYTES).read_to_end(&mut bytes)
    });
    match read {
        Ok(_) => last_lines(&String::from_utf8_lossy(&bytes)),
        Err(_) => Vec::new(),
    }
}

/// The last lines of a text, empty ones left out.
pub(crate) fn last_lines(text: &str) -> Vec<String> {
    let lines: Vec<_> = text
        .lines()
        .map(str::trim_end)
        .filter(|line| !line.is_empty())
        .collect();
    lines[lines.len().saturating_sub(TAIL_LINES)..]
        .iter()
        .map(|line| (*line).to_owned())
        .collect()
}

/// The one line that says most: the last that names an error, else the last.
pub(crate) fn telling(lines: &[String]) -> &str {
    lines
        .iter()
        .rev()
        .find(|line| names_an_error(line))
        .or(lines.last())
        .map_or("it logged nothing", |line| line.trim())
}

/// Whether a line begins like the last line of a traceback: `ModuleNotFoundError: No module …`.
fn names_an_error(line: &str) -> bool {
    line.split_once(':').is_some_and(|(word, _)| {
        (word.ends_with("Error") || word.ends_with("Exception"))
            && word
                .chars()
                .all(|c| c.is_alphanumeric() || "._".contains(c))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_telling_line_is_the_error() {
        let log = last_lines("Traceback\n  File x\nValueError: no\n\n[INFO] Worker exiting\n");
        assert_eq!(telling(&log), "ValueError: no");
        assert_eq!(telling(&["plain".into()]), "plain");
        assert_eq!(telling(&[]), "it logged nothing");
    }
}
