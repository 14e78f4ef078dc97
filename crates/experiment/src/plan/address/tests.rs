use super::*;

fn place(text: &str) -> Address {
    Address::parse(text).unwrap_or_else(|error| panic!("{text}: {}", error.why()))
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of URLs and what they mean")]
fn addresses() {
    let local = |port| Target::Tcp(([127, 0, 0, 1], port).into());
    for (text, protocol, target, host, path) in [
        (
            "http://127.0.0.1/a?b=c#d",
            Protocol::Http1,
            local(80),
            "127.0.0.1",
            "/a?b=c",
        ),
        (
            "http://127.0.0.1:80/",
            Protocol::Http1,
            local(80),
            "127.0.0.1:80",
            "/",
        ),
        (
            "127.0.0.1:8000",
            Protocol::Http1,
            local(8000),
            "127.0.0.1:8000",
            "/",
        ),
        (
            "localhost:8000/a?b",
            Protocol::Http1,
            local(8000),
            "localhost:8000",
            "/a?b",
        ),
        (
            "http://127.0.0.1:8000",
            Protocol::Http1,
            local(8000),
            "127.0.0.1:8000",
            "/",
        ),
        (
            "fcgi://127.0.0.1:9000/x",
            Protocol::FastCgi,
            local(9000),
            "127.0.0.1:9000",
            "/x",
        ),
        (
            "scgi://127.0.0.1:9000",
            Protocol::Scgi,
            local(9000),
            "127.0.0.1:9000",
            "/",
        ),
        (
            "uwsgi://127.0.0.1:9000?q",
            Protocol::Uwsgi,
            local(9000),
            "127.0.0.1:9000",
            "/?q",
        ),
        (
            "ajp://127.0.0.1/",
            Protocol::Ajp,
            local(8009),
            "127.0.0.1",
            "/",
        ),
        (
            "scgi://[::1]:9000/x",
            Protocol::Scgi,
            Target::Tcp("[::1]:9000".parse().unwrap()),
            "[::1]:9000",
            "/x",
        ),
    ] {
        let place = place(text);
        let wanted = (protocol, target, host, path);
        let found = (place.protocol, place.target, &*place.host, &*place.path);
        assert_eq!(found, wanted, "{text}");
    }
}

#[test]
fn http2_without_tls_has_a_scheme_of_its_own() {
    let wanted = Address {
        protocol: Protocol::Http2,
        ..place("http://127.0.0.1/a?b")
    };
    assert_eq!(place("h2c://127.0.0.1/a?b"), wanted);
}

#[test]
fn secret_ones() {
    let tcp = place("https://127.0.0.1/x");
    assert_eq!((tcp.protocol, tcp.tls), (Protocol::Http1, true));
    assert_eq!(tcp.target, Target::Tcp(([127, 0, 0, 1], 443).into()));
    let unix = place("https+unix:/run/a.sock|/x");
    assert_eq!((unix.protocol, unix.tls), (Protocol::Http1, true));
    assert_eq!(unix.target, Target::Unix("/run/a.sock".into()));
}

#[test]
fn who_asks() {
    for (text, wanted) in [
        ("http://ann:pw@127.0.0.1/", Some("Basic YW5uOnB3")),
        ("http://ann:p%40w@127.0.0.1/", Some("Basic YW5uOnBAdw==")),
        ("https://key@127.0.0.1/", Some("Basic a2V5Og==")),
        ("http://:pw@127.0.0.1/", Some("Basic OnB3")),
        ("http://127.0.0.1/ann:pw@x", None),
    ] {
        let place = place(text);
        assert_eq!(place.authorization.as_deref(), wanted, "{text}");
        assert_eq!(place.host, "127.0.0.1", "{text}");
    }
    let place = place("http://ann:pw@127.0.0.1/");
    let given = [("authorization".to_owned(), "Bearer x".to_owned())];
    assert_eq!(place.headers(&given), given);
    assert_eq!(place.headers(&[])[0].1, "Basic YW5uOnB3");
}

#[test]
fn sockets() {
    for (text, protocol, socket, path) in [
        (
            "http+unix:/run/a.sock|/x?y",
            Protocol::Http1,
            "/run/a.sock",
            "/x?y",
        ),
        (
            "fcgi+unix:/run/a.sock",
            Protocol::FastCgi,
            "/run/a.sock",
            "/",
        ),
        ("h2c+unix:a.sock|/x", Protocol::Http2, "a.sock", "/x"),
        ("scgi+unix:a.sock|/", Protocol::Scgi, "a.sock", "/"),
        ("uwsgi+unix:/a b|/a|b", Protocol::Uwsgi, "/a b", "/a|b"),
        ("ajp+unix:/run/a:b|/", Protocol::Ajp, "/run/a:b", "/"),
    ] {
        let place = place(text);
        assert_eq!(
            (place.protocol, place.path.as_str()),
            (protocol, path),
            "{text}"
        );
        assert_eq!(place.target, Target::Unix(socket.into()), "{text}");
    }
}
