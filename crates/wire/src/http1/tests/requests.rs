use super::*;

#[test]
fn requests_as_bytes() {
    let headers = [("X-A", "1"), ("user-agent", "mine")];
    let ask = Ask {
        headers: &headers,
        keep_alive: false,
        ..ask("GET")
    };
    let text = String::from_utf8(Http1::prepare(&ask).unwrap().bytes().to_vec()).unwrap();
    assert_eq!(
        text,
        "GET /a?b=c HTTP/1.1\r\nHost: example\r\nConnection: close\r\nX-A: 1\r\nuser-agent: mine\r\n\r\n"
    );
}

#[test]
fn requests_that_cannot_be_sent() {
    let smuggled = [("X", "a\r\nHost: other")];
    let named = [("X:Y", "a")];
    for (ask, part) in [
        (
            Ask {
                path: "/a b",
                ..ask("GET")
            },
            "path",
        ),
        (
            Ask {
                path: "",
                ..ask("GET")
            },
            "path",
        ),
        (
            Ask {
                host: "a\nb",
                ..ask("GET")
            },
            "host",
        ),
        (
            Ask {
                headers: &smuggled,
                ..ask("GET")
            },
            "header value",
        ),
        (
            Ask {
                headers: &named,
                ..ask("GET")
            },
            "header name",
        ),
        (ask("G T"), "method"),
    ] {
        assert_eq!(Http1::prepare(&ask).unwrap_err().part, part);
    }
    let said = Http1::prepare(&Ask {
        path: "/a b",
        ..ask("GET")
    })
    .unwrap_err()
    .to_string();
    assert_eq!(
        said,
        "path `/a b` cannot be sent: it holds a space or a control character"
    );
}

#[test]
fn bodies_are_sent_with_their_length() {
    let text = |method, body: &[u8]| {
        let ask = Ask {
            body,
            ..ask(method)
        };
        String::from_utf8(Http1::prepare(&ask).unwrap().bytes().to_vec()).unwrap()
    };
    let posted = text("POST", b"a=1");
    assert!(posted.contains("\r\nContent-Length: 3\r\n"), "{posted}");
    assert!(posted.ends_with("\r\n\r\na=1"), "{posted}");
    assert!(text("POST", b"").contains("\r\nContent-Length: 0\r\n"));
    assert!(!text("GET", b"").contains("Content-Length"));
}
