//! weir's counts are the server's own: to the last request, whatever ended the run.

use std::io::Read as _;
use std::process::Stdio;
use std::time::Duration;

use crate::support::{PATIENCE, Place, load_of};
use serde_json::Value;
use testkit::{Account, Origin, Speech, Turn};

const SPEECHES: [Speech; 3] = [Speech::Http1, Speech::Http2, Speech::FastCgi];
const CLOSED: &[&str] = &[];
/// More than the connections can carry, so that there is a queue.
const OPEN: &[&str] = &["-R", "20000", "--arrivals", "constant"];
const QUICK: Turn = Turn::Answer(Duration::from_millis(1));

/// What both sides counted.
struct Counts {
    weir: Value,
    server: Account,
    case: String,
}

impl Counts {
    fn of(&self, name: &str) -> u64 {
        let count = self.weir["load"][name].as_u64();
        count.unwrap_or_else(|| panic!("no `{name}` in {}", self.weir))
    }

    /// Both sides in short.
    fn new(case: &str, weir: Value, server: Account) -> Self {
        let load = weir["load"].as_object().unwrap();
        let counts = load.iter().filter(|(name, value)| {
            value.is_u64() || ["failed", "examples"].contains(&name.as_str())
        });
        let counts: Vec<_> = counts
            .map(|(name, value)| format!("{name} {value}"))
            .collect();
        let (received, answered) = (server.received, server.answered);
        let case = format!(
            "{case}: {}; the server: received {received}, answered {answered}, connections {}",
            counts.join(", "),
            server.connections
        );
        Self { weir, server, case }
    }

    fn failed(&self, cause: &str) -> u64 {
        self.weir["load"]["failed"][cause].as_u64().unwrap_or(0)
    }

    fn failures(&self) -> u64 {
        let causes = self.weir["load"]["failed"].as_object().unwrap();
        causes.values().map(|count| count.as_u64().unwrap()).sum()
    }

    /// What must be true of every run.
    fn agree(&self) {
        let ended = self.of("completed") + self.failures() + self.of("timed_out");
        let accounted = ended + self.of("dropped") + self.of("in_flight");
        assert_eq!(self.of("scheduled"), accounted, "{}", self.case);
        assert_eq!(self.of("sent"), self.server.received, "{}", self.case);
        assert_eq!(
            self.of("connects"),
            self.server.connections,
            "{}",
            self.case
        );
    }

    /// Nothing was lost, and nothing interrupted.
    fn all_answered(&self) {
        self.agree();
        let right = self.of("completed") + self.of("drained") + self.of("trailed");
        assert_eq!(right, self.server.answered, "{}", self.case);
        assert_eq!(self.of("in_flight"), self.of("drained"), "{}", self.case);
    }
}

fn url(speech: Speech, origin: &Origin) -> String {
    let scheme = match speech {
        Speech::Http1 => "http",
        Speech::Http2 => "h2c",
        Speech::FastCgi => "fcgi",
    };
    format!("{scheme}://{}/", origin.address())
}

fn args<'a>(url: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let args = [
        "bench",
        url,
        "-c",
        "6",
        "-t",
        "2",
        "--warm-up",
        "0s",
        "--json",
    ];
    [&args[..], more].concat()
}

fn counts(speech: Speech, more: &[&str], turn: fn(u64) -> Turn) -> Counts {
    let origin = Origin::start(speech, turn);
    let said = Place::new().run(&args(&url(speech, &origin), more));
    let case = format!("{speech:?} {more:?}");
    said.measured();
    let weir = said.load();
    Counts::new(&case, weir, origin.account())
}

/// Every protocol in both loops.
fn each(test: impl Fn(Speech, &'static [&'static str])) {
    for speech in SPEECHES {
        for shape in [CLOSED, OPEN] {
            test(speech, shape);
        }
    }
}

#[test]
fn of_a_number_of_requests() {
    each(|speech, shape| {
        let of = counts(speech, &[shape, &["-n", "1501"]].concat(), |_| QUICK);
        of.all_answered();
        assert_eq!(of.of("completed"), 1_501);
        assert_eq!((of.of("sent"), of.of("sent_again")), (1_501, 0));
    });
}

#[test]
fn where_many_are_under_way_on_a_connection() {
    for (speech, at_once) in [(Speech::Http1, "--pipeline"), (Speech::Http2, "--streams")] {
        for amount in [["-n", "1500"], ["-d", "600ms"]] {
            let more = [&[at_once, "5"], &amount[..]].concat();
            counts(speech, &more, |_| QUICK).all_answered();
        }
    }
}

#[test]
fn of_a_time() {
    each(|speech, shape| {
        let of = counts(speech, &[shape, &["-d", "600ms"]].concat(), |_| QUICK);
        of.all_answered();
        assert!(of.of("drained") > 0, "{}", of.case);
    });
    let each_once = counts(Speech::Http1, &["-d", "600ms", "--no-keep-alive"], |_| {
        QUICK
    });
    each_once.all_answered();
    assert_eq!(each_once.of("connects"), each_once.of("sent"));
}

#[test]
fn where_the_server_resets_before_it_answers() {
    each(|speech, shape| {
        let seventh = |number| if number % 7 == 6 { Turn::Reset } else { QUICK };
        let of = counts(speech, &[shape, &["-n", "700"]].concat(), seventh);
        of.all_answered();
        let resets = of.server.received - of.server.answered;
        // what was sent again on a new connection, and met another reset there
        let failed = of.failed("reset-before-answer");
        assert_eq!(resets, of.of("sent_again") + failed, "{}", of.case);
        assert_eq!(of.failures(), failed, "{}", of.case);
        assert_eq!(of.of("sent"), 700 + of.of("sent_again"), "{}", of.case);
    });
    // with a connection for each request there is no kept one to blame
    let fifth = |number| if number % 5 == 4 { Turn::Reset } else { QUICK };
    let of = counts(Speech::Http1, &["-n", "500", "--no-keep-alive"], fifth);
    of.all_answered();
    assert_eq!(of.failed("reset-before-answer"), 100);
    assert_eq!((of.of("completed"), of.of("sent_again")), (400, 0));
}

#[test]
fn where_the_server_resets_in_the_middle_of_an_answer() {
    each(|speech, shape| {
        let seventh = |number| {
            if number % 7 == 6 {
                Turn::ResetInBody
            } else {
                QUICK
            }
        };
        let of = counts(speech, &[shape, &["-n", "700"]].concat(), seventh);
        of.all_answered();
        assert_eq!(of.failed("reset-in-answer"), 100, "{}", of.case);
        assert_eq!((of.failures(), of.of("sent")), (100, 700), "{}", of.case);
    });
}

#[test]
fn where_the_server_resets_after_it_answered() {
    // Whether a request that crosses the reset on its way arrives is the kernel's to say; what was
    // answered is not.
    each(|speech, shape| {
        let seventh = |number| {
            if number % 7 == 6 {
                Turn::ResetAfter
            } else {
                QUICK
            }
        };
        let of = counts(speech, &[shape, &["-n", "700"]].concat(), seventh);
        let (sent, again) = (of.of("sent"), of.of("sent_again"));
        assert_eq!(of.of("completed"), 700, "{}", of.case);
        assert_eq!(of.server.answered, 700, "{}", of.case);
        assert_eq!(sent, 700 + again, "{}", of.case);
        let received = of.server.received;
        assert!((sent - again..=sent).contains(&received), "{}", of.case);
    });
}

#[test]
fn of_clients_that_try_again() {
    let third = |number| {
        if number % 3 == 0 {
            Turn::ResetInBody
        } else {
            QUICK
        }
    };
    let of = counts(Speech::Http1, &["-n", "300", "--retries", "2"], third);
    of.all_answered();
    assert_eq!(of.of("sent"), 300 + of.of("retries"), "{}", of.case);
    assert!(of.of("retries") > 50, "{}", of.case);
}

#[test]
fn of_what_timed_out() {
    // Every tenth answer comes long after the client has gone.
    let tenth = |number| match number % 10 {
        9 => Turn::Answer(Duration::from_millis(600)),
        _ => QUICK,
    };
    for shape in [CLOSED, &["-R", "300"]] {
        let of = counts(
            Speech::Http1,
            &[shape, &["-n", "100", "--timeout", "200ms"]].concat(),
            tenth,
        );
        of.agree();
        assert!(of.of("timed_out") >= 10, "{}", of.case);
        assert_eq!(of.of("completed") + of.of("timed_out"), 100, "{}", of.case);
    }
}

#[test]
fn of_a_run_that_ctrl_c_ends() {
    each(|speech, shape| {
        let origin = Origin::start(speech, |_| QUICK);
        let url = url(speech, &origin);
        let place = Place::new();
        let mut child = place
            .weir(&args(&url, &[shape, &["-d", "60s"]].concat()))
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        assert!(testkit::eventually(PATIENCE, || origin.received() > 300));
        let pid = rustix::process::Pid::from_child(&child);
        rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
        let mut out = String::new();
        let mut pipe = child.stdout.take().unwrap();
        pipe.read_to_string(&mut out).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(130));
        let weir = load_of(&serde_json::from_str(&out).unwrap());
        let of = Counts::new(&format!("{speech:?} {shape:?}"), weir, origin.account());
        of.agree();
        assert_eq!(of.weir["interrupted"], true);
        let (completed, answered) = (of.of("completed"), of.server.answered);
        assert_eq!(of.failures(), 0, "{}", of.case);
        // What was under way was answered or not; nobody has waited for it.
        let on_the_wire = of.of("sent") - completed;
        assert!(on_the_wire <= 6, "{}", of.case);
        assert!(answered >= completed, "{}", of.case);
        assert!(of.of("in_flight") >= on_the_wire, "{}", of.case);
        if !shape.is_empty() {
            assert!(of.of("in_flight") > 6, "a queue: {}", of.case);
        }
    });
}
