//! What of a log tells its reader why a program failed.

use std::sync::LazyLock;

use regex::Regex;

/// Lines of a log kept in errors and records.
pub(crate) const TAIL_LINES: usize = 15;
/// Lines from the end in which an error is looked for: runtimes print long traces below it.
const SEARCHED_LINES: usize = 120;
/// Characters of a line that are kept.
const LINE: usize = 400;

/// What a language's runtime prints of an error that nobody caught: `ValueError: no` (Python, Node, Java),
/// `no (RuntimeError)` (Ruby), `panic: no` (Go), `panicked at` (Rust).
static EXCEPTION: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?:^|[\s.:])[A-Za-z_$\d]*(?:Error|Exception)(?: \[\w+\])?[:;] |\((?:\w+::)*\w*(?:Error|Exception)\)$|^panic: |panicked at",
    )
    .expect("a constant pattern")
});
/// What a program's own log calls an error.
static ERROR: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\[(?:error|emerg|crit|alert)\]|\b(?:error|fatal):|^fatal\b")
        .expect("a constant pattern")
});

/// What is said by the way, whatever its words.
static ASIDE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^(?:INFO|DEBUG)\b").expect("a constant pattern"));

/// What colours a terminal, moves its cursor or sets its title.
static CONTROL: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\^_])")
        .expect("a constant pattern")
});

/// The last lines of a text without its colours, empty ones left out. An error that stands before them, above a long trace, is
/// put in front.
pub(crate) fn last_lines(text: &str) -> Vec<String> {
    let text = CONTROL.replace_all(text, "");
    let lines = text.lines().map(str::trim_end);
    let lines: Vec<_> = lines.filter(|line| !line.is_empty()).collect();
    let (before, last) = lines.split_at(lines.len().saturating_sub(TAIL_LINES));
    let searched = &before[before.len().saturating_sub(SEARCHED_LINES)..];
    let unseen = complaint_in(last).is_none();
    let error = complaint_in(searched).filter(|_| unseen);
    let kept = match error {
        Some(error) => [&[error, "…"], &last[2..]].concat(),
        None => last.to_vec(),
    };
    kept.into_iter().map(cut).collect()
}

/// A line as long as a reader will read.
fn cut(line: &str) -> String {
    match line.char_indices().nth(LINE) {
        None => line.to_owned(),
        Some((end, _)) => {
            let more = line[end..].chars().count();
            format!("{}… (and {more} characters more)", &line[..end])
        }
    }
}

/// A text of several lines as one that a reader will read.
pub(crate) fn as_line(text: &str) -> String {
    cut(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// The one line that says most: the last that tells of an error, else the last.
pub(crate) fn cause(lines: &[String]) -> &str {
    complaint(lines)
        .or(lines.last().map(|line| line.trim()))
        .unwrap_or("it logged nothing")
}

/// The last line that tells of an error.
pub(crate) fn complaint(lines: &[String]) -> Option<&str> {
    let lines: Vec<_> = lines.iter().map(String::as_str).collect();
    complaint_in(&lines)
}

fn complaint_in<'a>(lines: &[&'a str]) -> Option<&'a str> {
    let tells = |pattern: &Regex, line: &str| pattern.is_match(line) && !ASIDE.is_match(line);
    let last = |pattern: &Regex| lines.iter().rfind(|line| tells(pattern, line));
    last(&EXCEPTION)
        .or_else(|| last(&ERROR))
        .map(|line| line.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(log: &str) -> String {
        cause(&last_lines(log)).to_owned()
    }

    #[test]
    fn the_telling_line_is_the_error() {
        assert_eq!(
            told("Traceback\n  File x\nValueError: no\n\n[INFO] bye\n"),
            "ValueError: no"
        );
        assert_eq!(
            told("app.rb:1:in `main': no (Shop::OrderError)\n\tfrom b.rb:2\n"),
            "app.rb:1:in `main': no (Shop::OrderError)"
        );
        assert_eq!(
            told("panic: no\n\ngoroutine 1 [running]:\nmain.main()\n"),
            "panic: no"
        );
        assert_eq!(
            told("Error: no\n    at Object.<anonymous> (a.js:1:7)\n\nNode.js v20\n"),
            "Error: no"
        );
        let java = "Exception in thread \"main\" java.lang.IllegalStateException: no";
        assert_eq!(
            told(&format!("{java}\n\tat Hello.main(Hello.java:3)\n")),
            java
        );
        let nginx = "nginx: [emerg] unknown directive \"no\" in nginx.conf:1";
        assert_eq!(
            told(&format!("{nginx}\nnginx: configuration file test failed\n")),
            nginx
        );
        let xml = "org.xml.sax.SAXParseException; lineNumber: 1; columnNumber: 1; no";
        assert_eq!(
            told(&format!(
                "{xml}\n\tat X\nINFO: none [java.lang.NoError: no]\n"
            )),
            xml
        );
        assert_eq!(told("plain\n"), "plain");
        assert_eq!(told(""), "it logged nothing");
    }

    #[test]
    fn colours_are_left_out() {
        let log = "\x1b[31m\x1b[1mWARNING: slow\x1b[0m\n\x1b]0;title\x07GET / 404\x1b[K\n";
        assert_eq!(last_lines(log), ["WARNING: slow", "GET / 404"]);
    }

    #[test]
    fn a_long_line_is_cut() {
        let lines = last_lines(&format!("{}\nend\n", "ü".repeat(64_000)));
        let wanted = format!("{}… (and 63600 characters more)", "ü".repeat(400));
        assert_eq!(lines, [wanted, "end".to_owned()]);
    }

    #[test]
    fn a_long_trace_does_not_hide_its_error() {
        let trace = "\tfrom somewhere\n".repeat(60);
        let lines = last_lines(&format!("starting\nno (RuntimeError)\n{trace}"));
        assert_eq!(lines.len(), TAIL_LINES);
        assert_eq!(lines[..3], ["no (RuntimeError)", "…", "\tfrom somewhere"]);
    }
}
