//! An answer that is not the expected one, in words that tell its user what to type.

use std::time::{Duration, Instant};

use wire::Answer;

/// How long a server must give the same wrong answer, at least, before that is what it answers.
const STEADY: Duration = Duration::from_secs(2);
/// And how often.
const OFTEN: u32 = 3;
/// Statuses of a gateway, or of a server that is busy starting: what is behind may still come.
const NOT_YET: [u16; 3] = [502, 503, 504];
/// Bytes of a body that are looked at for its first words, and characters that are shown of it.
const LOOKED_AT: usize = 16 * 1024;
const SHOWN: usize = 120;

/// What came in place of the expected answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unexpected {
    status: u16,
    /// Where it sends its user, as far as that is on the same server.
    location: Option<String>,
    /// The title of its page, or its first line.
    words: Option<String>,
}

impl Unexpected {
    pub(crate) fn new(answer: &Answer) -> Self {
        let location = answer.headers.iter().find(|(name, _)| name == "location");
        let location = location.map(|(_, value)| String::from_utf8_lossy(value).into_owned());
        let body = &answer.body[..answer.body.len().min(LOOKED_AT)];
        Self {
            status: answer.status,
            location: location.map(|to| shown(here(&to))),
            words: first_words(&String::from_utf8_lossy(body)).map(|words| shown(&words)),
        }
    }

    /// ``status 302 to `/login`, expected 200``.
    pub(crate) fn problem(&self, expected: u16) -> String {
        let detail = match (&self.location, &self.words) {
            (Some(to), _) => format!(" to `{to}`"),
            (None, Some(words)) => format!(" (`{words}`)"),
            (None, None) => String::new(),
        };
        format!("status {}{detail}, expected {expected}", self.status)
    }

    /// What to type where the answer is right, or another page is meant.
    pub(crate) fn hint(&self) -> String {
        let status = self.status;
        let right = format!("`--status {status}` if that is right");
        let in_file = "`path` and `status` of the route in an `app.toml`";
        match (&self.location, status) {
            (Some(to), 300..400) if to.starts_with('/') => {
                format!("load that page with `--path {to}`, or pass {right}; they are {in_file}")
            }
            (_, 400 | 403 | 421) => format!(
                "give it what it asks for (`-H 'Host: NAME'`, another `--path`), or pass {right}; they are \
                 `headers`, {in_file}"
            ),
            (_, 500..) => format!(
                "look at the log lines above, load another page with `--path PATH`, or pass {right}; they are \
                 {in_file}"
            ),
            _ => {
                format!("load another page with `--path PATH`, or pass {right}; they are {in_file}")
            }
        }
    }
}

/// Whether a server goes on giving the same wrong answer, so that there is no use in waiting.
#[derive(Debug, Default)]
pub(crate) struct Steady {
    seen: Option<(u16, Instant, u32)>,
}

impl Steady {
    /// It answered with this status, `now`. Whether that is what it answers: it has said so for two seconds at
    /// least, and for as long as it took to the first such answer: a machine that is slow is slow to load an
    /// app, too.
    pub(crate) fn answered(&mut self, status: u16, began: Instant, now: Instant) -> bool {
        let (first, times) = match self.seen {
            Some((same, first, times)) if same == status => (first, times + 1),
            _ => (now, 1),
        };
        self.seen = Some((status, first, times));
        let patience = STEADY.max(first.duration_since(began));
        !NOT_YET.contains(&status) && times >= OFTEN && now.duration_since(first) >= patience
    }

    /// It did not answer.
    pub(crate) fn failed(&mut self) {
        self.seen = None;
    }
}

/// A place on this server without its name.
fn here(location: &str) -> &str {
    let rest = ["http://", "https://"].iter().find_map(|scheme| {
        let rest = location.strip_prefix(scheme)?;
        rest.strip_prefix(crate::serve::fetch::HOST)
    });
    let rest = rest.filter(|rest| rest.starts_with('/'));
    rest.unwrap_or(location)
}

/// The title of a page, or the first line of what is none.
fn first_words(body: &str) -> Option<String> {
    let title = regex::Regex::new("(?is)<title[^>]*>(.*?)</title>").expect("a constant pattern");
    if let Some(title) = title.captures(body) {
        return Some(title[1].to_owned());
    }
    let mut lines = body.lines().map(str::trim);
    let line = lines.find(|line| !line.is_empty())?;
    (!line.starts_with('<')).then(|| line.to_owned())
}

/// On one line, without what steers a terminal, and bounded.
fn shown(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    let visible = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    let mut short: String = line.chars().map(visible).take(SHOWN).collect();
    if line.chars().count() > SHOWN {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unexpected(status: u16, headers: &[(&str, &str)], body: &str) -> Unexpected {
        let headers = headers.iter();
        Unexpected::new(&Answer {
            status,
            headers: headers
                .map(|(name, value)| ((*name).to_owned(), value.as_bytes().to_vec()))
                .collect(),
            body: body.as_bytes().to_vec(),
            ..Answer::default()
        })
    }

    #[test]
    fn it_says_where_it_leads_or_how_it_begins() {
        let login = unexpected(
            302,
            &[("location", "http://localhost/login?next=/")],
            "moved",
        );
        assert_eq!(
            login.problem(200),
            "status 302 to `/login?next=/`, expected 200"
        );
        assert!(
            login.hint().contains("`--path /login?next=/`"),
            "{}",
            login.hint()
        );
        assert!(login.hint().contains("`--status 302`"), "{}", login.hint());
        let away = unexpected(302, &[("location", "http://localhost.evil/")], "");
        assert!(!away.hint().contains("evil"), "{}", away.hint());
        let page = "<!doctype html><head><title>Bad\n Request\u{1b}[2J</title>";
        let bad = unexpected(400, &[], page);
        assert_eq!(
            bad.problem(200),
            "status 400 (`Bad Request\u{fffd}[2J`), expected 200"
        );
        assert!(bad.hint().contains("Host: NAME"), "{}", bad.hint());
        let text = unexpected(500, &[], "\n  no database\n");
        assert_eq!(
            text.problem(200),
            "status 500 (`no database`), expected 200"
        );
        assert_eq!(
            unexpected(404, &[], "<p>").problem(200),
            "status 404, expected 200"
        );
        assert!(unexpected(404, &[], &"x".repeat(999)).problem(200).len() < 200);
    }

    #[test]
    fn a_wrong_answer_that_stays_is_the_answer_and_a_gateways_is_not() {
        let began = Instant::now();
        let at = |seconds: f64| began + Duration::from_secs_f64(seconds);
        let when = |status: u16, moments: &[f64]| {
            let mut steady = Steady::default();
            let mut told = moments.iter();
            told.find(|moment| steady.answered(status, began, at(**moment)))
                .copied()
        };
        assert_eq!(when(302, &[0.5, 1.0, 2.0, 2.6, 9.0]), Some(2.6));
        assert_eq!(
            when(302, &[0.5, 9.0, 9.1]),
            Some(9.1),
            "three times at least"
        );
        assert_eq!(
            when(500, &[6.0, 7.0, 11.9, 12.0]),
            Some(12.0),
            "what is slow to start is slow"
        );
        assert_eq!(when(503, &[0.5, 1.0, 2.0, 90.0]), None);
        let mut steady = Steady::default();
        steady.answered(404, began, at(0.0));
        steady.answered(404, began, at(1.0));
        steady.failed();
        assert!(!steady.answered(404, began, at(3.0)));
        assert!(
            !steady.answered(500, began, at(6.0)),
            "another answer begins anew"
        );
    }
}
