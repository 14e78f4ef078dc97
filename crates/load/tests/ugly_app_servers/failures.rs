//! Answers that are wrong, and what is said of each.

use super::{CGI, ajp, asking, ended, peer, record};
use crate::common::run;
use load::LoadError;
use record::{Cause, Protocol};
use testkit::Step;

fn error(protocol: Protocol, steps: &[Step]) -> (String, String) {
    let peer = peer(protocol, false, steps);
    let error: LoadError = run(&asking(&peer, protocol)).unwrap_err();
    let text = error.to_string();
    let (_, trouble) = text.split_once("was answered correctly: ").expect(&text);
    (trouble.to_owned(), error.hint().unwrap_or_default())
}

#[test]
fn refusals_are_told_as_the_application_means_them() {
    for (status, words) in [
        (1, "it cannot multiplex connections (FCGI_CANT_MPX_CONN)"),
        (2, "it is overloaded (FCGI_OVERLOADED)"),
        (
            3,
            "it does not know the responder's role (FCGI_UNKNOWN_ROLE)",
        ),
    ] {
        let answer = [record(7, b"sorry"), ended(status)].concat();
        let (text, hint) = error(Protocol::FastCgi, &[Step::Send(answer), Step::Stall]);
        assert_eq!(
            text,
            format!("declined by the app server: {words}; stderr: `sorry`")
        );
        assert!(hint.contains("the app server's log"), "{hint}");
    }
}

/// Answers that are wrong, the end of their connection, and what is told of them.
fn wrong() -> Vec<(Protocol, Step, Step, &'static str)> {
    use Protocol::{Ajp, FastCgi, Scgi, Uwsgi};
    let send = |bytes: &[u8]| Step::Send(bytes.to_vec());
    let died = [record(7, b"out of cheese"), ended(0)].concat();
    let half = [record(6, CGI.as_bytes()), record(7, b"I am dying")].concat();
    let cut = "Content-Length: 9\r\n\r\nhello";
    let unanswered =
        "not a valid response: the application ended the request without a response: `";
    vec![
        (FastCgi, send(&died), Step::Stall, unanswered),
        (
            FastCgi,
            send(&half),
            Step::Close,
            "closed during the response: 5 bytes of the body: `hello`; stderr: `I am dying`",
        ),
        (
            FastCgi,
            send(b""),
            Step::Close,
            "closed before the response",
        ),
        (
            FastCgi,
            send(b"HTTP/1.1 400"),
            Step::Stall,
            "not a valid response: a record, packet or frame that has no place there: `HTTP/1.1 400`",
        ),
        (
            Scgi,
            send(cut.as_bytes()),
            Step::Close,
            "closed during the response: 5 bytes of the body: `hello`",
        ),
        (
            Uwsgi,
            send(b"HTTP/1.1 500 No\r\n\r\nsorry"),
            Step::Close,
            "unexpected status: status 500 where 200 was expected: `sorry`",
        ),
        (
            Uwsgi,
            send(b""),
            Step::Reset,
            Cause::ResetBeforeAnswer.words(),
        ),
        (Ajp, send(b"AB\0\x02\x05\x01"), Step::Stall, unanswered),
        (
            Ajp,
            send(&ajp(true)[..20]),
            Step::Close,
            "closed during the response: 0 bytes of the body: ``",
        ),
    ]
}

#[test]
fn each_failure_has_its_name() {
    for (protocol, answer, end, wanted) in wrong() {
        let (text, hint) = error(protocol, &[answer, end]);
        assert!(text.starts_with(wanted), "{protocol:?}: {text}");
        let named = protocol.words();
        assert!(
            !text.starts_with("not a valid") || hint.ends_with(named),
            "{hint}"
        );
    }
}
