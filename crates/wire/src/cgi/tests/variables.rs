//! The variables that a request becomes.

use crate::testing::{asking, sent};
use crate::{Ask, Cgi, Collector, Scgi, Session, Unsendable, Uwsgi};

/// The variables of a request, as SCGI writes them.
fn variables(ask: &Ask<'_>) -> Vec<(String, String)> {
    let text = String::from_utf8(sent::<Scgi>(ask)).unwrap();
    let (length, rest) = text.split_once(':').unwrap();
    let block = rest.strip_suffix(",").unwrap();
    assert_eq!(length.parse(), Ok(block.len()));
    let mut parts: Vec<_> = block.split('\0').map(str::to_owned).collect();
    assert_eq!(
        parts.pop().as_deref(),
        Some(""),
        "each part ends in a null byte"
    );
    parts
        .chunks(2)
        .map(|pair| (pair[0].clone(), pair[1].clone()))
        .collect()
}

#[test]
fn variables_are_those_that_front_ends_send() {
    let ask = Ask {
        path: "/a%20b/%E2%82%AC%zz?q=%20&r",
        host: "[::1]:8080",
        headers: &[
            ("Accept", "*/*"),
            ("x-some-thing", "1"),
            ("Content-Type", "text/x"),
            ("content-length", "9"),
        ],
        ..asking("GET")
    };
    let all = variables(&ask);
    assert_eq!(
        all[0],
        ("CONTENT_LENGTH".into(), "0".into()),
        "it comes first"
    );
    let of = |name: &str| {
        let mut values = all
            .iter()
            .filter(|(given, _)| given == name)
            .map(|(_, value)| value.as_str());
        let value = values.next();
        assert_eq!(values.next(), None, "{name} is given twice");
        value
    };
    for (name, value) in [
        ("SCGI", "1"),
        ("REQUEST_METHOD", "GET"),
        ("SCRIPT_NAME", ""),
        ("PATH_INFO", "/a b/€%zz"),
        ("DOCUMENT_URI", "/a b/€%zz"),
        ("REQUEST_URI", "/a%20b/%E2%82%AC%zz?q=%20&r"),
        ("QUERY_STRING", "q=%20&r"),
        ("SERVER_PROTOCOL", "HTTP/1.1"),
        ("SERVER_NAME", "[::1]"),
        ("SERVER_PORT", "8080"),
        ("REMOTE_ADDR", "127.0.0.1"),
        ("REMOTE_PORT", "54321"),
        ("CONTENT_TYPE", "text/x"),
        ("HTTP_HOST", "[::1]:8080"),
        ("HTTP_USER_AGENT", "weir"),
        ("HTTP_ACCEPT", "*/*"),
        ("HTTP_X_SOME_THING", "1"),
    ] {
        assert_eq!(of(name), Some(value), "{name}");
    }
    assert_eq!(
        (of("HTTP_CONTENT_LENGTH"), of("HTTP_CONTENT_TYPE")),
        (None, None)
    );
    let own = variables(&Ask {
        host: "plain",
        headers: &[("Host", "other"), ("User-Agent", "me")],
        ..asking("GET")
    });
    assert!(own.contains(&("HTTP_HOST".into(), "other".into())));
    assert!(own.contains(&("SERVER_NAME".into(), "other".into())));
    assert!(own.contains(&("HTTP_USER_AGENT".into(), "me".into())));
    assert!(own.contains(&("SERVER_PORT".into(), "80".into())));
}

#[test]
fn uwsgi_packs_variables() {
    let bytes = sent::<Uwsgi>(&asking("GET"));
    assert_eq!((bytes[0], bytes[3]), (0, 0), "modifiers");
    assert_eq!(
        usize::from(u16::from_le_bytes([bytes[1], bytes[2]])),
        bytes.len() - 4
    );
    for pair in [
        b"\x0e\0REQUEST_METHOD\x03\0GET".as_slice(),
        b"\x0b\0REMOTE_PORT\x05\x0054321",
    ] {
        assert!(bytes.windows(pair.len()).any(|window| window == pair));
    }
}

#[test]
fn a_document_root_makes_the_path_a_script() {
    let all = variables(&Ask {
        path: "/a%20b.php?c=d",
        cgi: Cgi {
            document_root: Some("/srv/app"),
            params: &[],
        },
        ..asking("GET")
    });
    let of = |name: &str| all.iter().find(|(given, _)| given == name);
    for (name, value) in [
        ("DOCUMENT_ROOT", "/srv/app"),
        ("SCRIPT_FILENAME", "/srv/app/a b.php"),
        ("SCRIPT_NAME", "/a b.php"),
        ("QUERY_STRING", "c=d"),
    ] {
        assert_eq!(
            of(name).map(|(_, value)| value.as_str()),
            Some(value),
            "{name}"
        );
    }
    assert_eq!(of("PATH_INFO"), None);
}

#[test]
fn params_stand_for_what_would_be_sent() {
    let with = |params: &[(&str, &str)]| {
        variables(&Ask {
            cgi: Cgi {
                document_root: None,
                params,
            },
            ..asking("GET")
        })
    };
    let count = |all: &[(String, String)], name: &str| {
        all.iter().filter(|(given, _)| given == name).count()
    };
    let all = with(&[("SERVER_NAME", "other"), ("APP_ENV", "prod"), ("HTTPS", "")]);
    for pair in [
        ("SERVER_NAME", "other"),
        ("APP_ENV", "prod"),
        ("HTTPS", ""),
        ("REMOTE_PORT", "54321"),
    ] {
        assert!(all.contains(&(pair.0.into(), pair.1.into())), "{pair:?}");
        assert_eq!(count(&all, pair.0), 1);
    }
    let all = with(&[("REMOTE_ADDR", "192.0.2.1")]);
    assert!(all.contains(&("REMOTE_ADDR".into(), "192.0.2.1".into())));
    assert!(
        all.contains(&("REMOTE_PORT".into(), "0".into())),
        "not that of this connection"
    );
    assert_eq!(
        (count(&all, "REMOTE_ADDR"), count(&all, "REMOTE_PORT")),
        (1, 1)
    );
    for name in ["", "A\0B", "CONTENT_LENGTH"] {
        let params = [(name, "1")];
        let ask = Ask {
            cgi: Cgi {
                document_root: None,
                params: &params,
            },
            ..asking("GET")
        };
        assert_eq!(Scgi::prepare(&ask).unwrap_err().part, "param", "{name:?}");
    }
}

#[test]
fn what_cannot_be_sent() {
    let long = "y".repeat(70_000);
    let unsendable = |ask: Ask<'_>| Uwsgi::prepare(&ask).unwrap_err();
    let null = unsendable(Ask {
        path: "/a%00b",
        ..asking("GET")
    });
    assert_eq!(
        null,
        Unsendable::new("path", "/a%00b", "an encoded null byte")
    );
    let broken = unsendable(Ask {
        headers: &[("X", "a\r\nb")],
        ..asking("GET")
    });
    assert_eq!(broken.part, "header value");
    let large = unsendable(Ask {
        headers: &[("X", &long)],
        ..asking("GET")
    });
    assert_eq!(
        (large.part, large.what),
        ("request", "more than 65535 bytes of variables")
    );
    let half = "z".repeat(40_000);
    unsendable(Ask {
        headers: &[("X", &half), ("Y", &half)],
        ..asking("GET")
    });
    // SCGI knows no such bound.
    let ask = Ask {
        headers: &[("X", &long)],
        ..asking("GET")
    };
    assert!(Collector::<Scgi>::new(&ask).is_ok());
}
