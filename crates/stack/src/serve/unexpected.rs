//! An answer that is not the expected one, in words that tell its user what to type.

use std::time::{Duration, Instant};

use record::Route;
use wire::{Answer, first_words};

use crate::error::{Remedy, StackError};
use crate::serve::own::OwnAddresses;
use crate::serve::redirect::Location;

/// How long a server must give the same wrong answer before that is what it answers, where it may still be starting:
/// at least so long, and at most.
const STEADY: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(5));
/// Statuses of a gateway, or of a server that is busy starting: what is behind may still come.
const NOT_YET: [u16; 3] = [502, 503, 504];
/// Bytes of a body that are looked at for its first words, and characters that are shown of it.
const LOOKED_AT: usize = 16 * 1024;
const SHOWN: usize = 120;

/// What came in place of the expected answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unexpected {
    status: u16,
    /// Where it sends its user.
    location: Option<Location>,
    /// That is the same page over HTTPS.
    secure: bool,
    /// The page on the same server to which that leads, and which is as expected.
    pub(crate) leads_to: Option<String>,
    /// The title of its page, or how it begins.
    words: Option<String>,
}

impl Unexpected {
    pub(crate) fn new(answer: &Answer, route: &Route, own: &OwnAddresses) -> Self {
        let body = &answer.body[..answer.body.len().min(LOOKED_AT)];
        let location = Location::of(answer, route, own);
        let secure =
            matches!(&location, Some(Location::Here { path, secure: true }) if *path == route.path);
        Self {
            status: answer.status,
            location,
            secure,
            leads_to: None,
            words: first_words(&String::from_utf8_lossy(body)).map(|words| shown(&words)),
        }
    }

    /// What a server alone answers to a route in place of what is expected, with the last lines of its log.
    pub(crate) fn error(self, entry: &str, route: &Route, log_tail: Vec<String>) -> StackError {
        StackError::WrongAnswer {
            entry: entry.to_owned(),
            request: route.request(),
            problem: self.problem(route.status),
            remedy: Box::new(Remedy {
                hint: self.hint(),
                leads_to: self.leads_to,
            }),
            log_tail,
        }
    }

    /// ``status 302 to `/login`, expected 200``.
    pub(crate) fn problem(&self, expected: u16) -> String {
        format!("{}, expected {expected}", self.answered())
    }

    /// ``status 302 to `/login` ``.
    pub(crate) fn answered(&self) -> String {
        let detail = match (&self.location, &self.words) {
            _ if self.secure => " to the same page over HTTPS".to_owned(),
            (Some(Location::Here { path: to, .. } | Location::Elsewhere(to)), _) => {
                format!(" to `{}`", shown(to))
            }
            (None, Some(words)) => format!(" (`{words}`)"),
            (None, None) => String::new(),
        };
        format!("status {}{detail}", self.status)
    }

    /// What to type where the answer is right, or another page is meant.
    pub(crate) fn hint(&self) -> String {
        let status = self.status;
        let right = format!("`--status {status}` if that is right");
        let in_file = "`path` and `status` of the route in an `app.toml`";
        let page = match (&self.leads_to, &self.location) {
            (Some(page), _) | (None, Some(Location::Here { path: page, .. })) => Some(page),
            _ => None,
        };
        match (page, status) {
            (_, 300..400) if self.secure => format!(
                "it wants HTTPS: switch that off for the trial (Rails `config.force_ssl`, Django \
                 `SECURE_SSL_REDIRECT`), or pass {right}; they are {in_file}"
            ),
            (Some(to), 300..400) => {
                let to = shown(to);
                let log_in = if to.contains("login") {
                    ", log in before (`--login`)"
                } else {
                    ""
                };
                format!(
                    "load that page with `--path {to}`{log_in}, or pass {right}; they are {in_file}"
                )
            }
            (_, 401) => format!(
                "authenticate (`-H 'Authorization: …'`, `--login`), load another page with `--path PATH`, or pass {right}; they \
                 are `headers`, {in_file}"
            ),
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
    seen: Option<(u16, Instant)>,
}

impl Steady {
    /// It answered with this status, `now`. Whether that is what it answers. What sends its user elsewhere, or is
    /// refused to its user, is an answer of an app that serves; an error of its own may pass while it starts, and so
    /// may what a front end says before it knows its servers. They have as long as it took to the first such answer:
    /// a machine that is slow is slow to load an app, too.
    pub(crate) fn answered(
        &mut self,
        status: u16,
        by_app: bool,
        began: Instant,
        now: Instant,
    ) -> bool {
        if NOT_YET.contains(&status) {
            return false;
        }
        if by_app && status < 500 {
            return true;
        }
        let first = match self.seen {
            Some((same, first)) if same == status => first,
            _ => now,
        };
        self.seen = Some((status, first));
        let (least, most) = STEADY;
        now.duration_since(first) >= first.duration_since(began).clamp(least, most)
    }

    /// It did not answer.
    pub(crate) fn failed(&mut self) {
        self.seen = None;
    }
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
        let answer = Answer {
            status,
            headers: headers
                .map(|(name, value)| ((*name).to_owned(), value.as_bytes().to_vec()))
                .collect(),
            body: body.as_bytes().to_vec(),
            ..Answer::default()
        };
        Unexpected::new(&answer, &Route::get("/"), &OwnAddresses::default())
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
        assert!(login.hint().contains("(`--login`)"), "{}", login.hint());
        let away = unexpected(302, &[("location", "http://localhost.evil/")], "");
        assert!(!away.hint().contains("evil"), "{}", away.hint());
        let secret = unexpected(401, &[], "");
        assert!(
            secret.hint().contains("-H 'Authorization: …'`, `--login`"),
            "{}",
            secret.hint()
        );
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
    fn what_wants_https_is_not_led_back_to_itself() {
        let secure = unexpected(301, &[("location", "https://localhost/")], "");
        assert_eq!(
            secure.problem(200),
            "status 301 to the same page over HTTPS, expected 200"
        );
        for words in ["`config.force_ssl`", "`SECURE_SSL_REDIRECT`"] {
            assert!(secure.hint().contains(words), "{}", secure.hint());
        }
        assert!(!secure.hint().contains("--path"), "{}", secure.hint());
        let other = unexpected(302, &[("location", "https://localhost/login")], "");
        assert!(other.hint().contains("`--path /login`"), "{}", other.hint());
    }

    #[test]
    fn a_wrong_answer_that_stays_is_the_answer_and_a_gateways_is_not() {
        let began = Instant::now();
        let at = |seconds: f64| began + Duration::from_secs_f64(seconds);
        let when = |status: u16, by_app: bool, moments: &[f64]| {
            let mut steady = Steady::default();
            let mut told = moments.iter();
            told.find(|moment| steady.answered(status, by_app, began, at(**moment)))
                .copied()
        };
        for status in [302, 400, 401, 403, 404] {
            assert_eq!(when(status, true, &[0.5, 1.0]), Some(0.5), "{status}");
        }
        assert_eq!(when(404, false, &[0.5, 1.0, 1.5]), Some(1.5), "a front end");
        assert_eq!(when(500, true, &[0.5, 0.6, 1.5]), Some(1.5));
        assert_eq!(
            when(500, true, &[3.0, 5.9, 6.0]),
            Some(6.0),
            "what is slow to start is slow"
        );
        assert_eq!(when(500, true, &[20.0, 24.0, 25.0]), Some(25.0));
        assert_eq!(when(503, true, &[0.5, 1.0, 2.0, 90.0]), None);
        let mut steady = Steady::default();
        steady.answered(500, true, began, at(0.0));
        steady.failed();
        assert!(!steady.answered(500, true, began, at(3.0)));
        assert!(
            !steady.answered(501, true, began, at(6.0)),
            "another response begins anew"
        );
    }
}
