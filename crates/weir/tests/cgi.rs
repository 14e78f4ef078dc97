//! What a user tells an app server beside the request.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::thread;

use crate::support::Place;

/// A server of SCGI that keeps what the first request says.
fn asked(options: &[&str]) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("scgi://{}/a.php?b=c", listener.local_addr().unwrap());
    let peer = thread::spawn(move || {
        let (mut connection, _) = listener.accept().unwrap();
        let (mut text, mut buffer) = (Vec::new(), [0; 4096]);
        while !text.ends_with(b"\0,") {
            let length = connection.read(&mut buffer).unwrap();
            assert!(length > 0, "it ends within its request");
            text.extend_from_slice(&buffer[..length]);
        }
        connection
            .write_all(b"Status: 200 OK\r\n\r\nhello")
            .unwrap();
        let end = connection.peer_addr().unwrap();
        (String::from_utf8(text).unwrap(), end)
    });
    let place = Place::new();
    let args = ["bench", &url, "-n", "1", "-c", "1", "--warm-up", "0s"];
    let said = place.run(&[&args, options].concat());
    assert!(
        said.out.contains("1 completed + 0 failed"),
        "{}{}",
        said.out,
        said.err
    );
    let (text, end) = peer.join().unwrap();
    let port = format!("\0REMOTE_ADDR\0127.0.0.1\0REMOTE_PORT\0{}\0", end.port());
    assert!(text.contains(&port), "{text:?}");
    text
}

#[test]
fn params_and_a_document_root_are_sent() {
    let text = asked(&["--document-root", "/srv/app/", "--param", "APP_ENV=prod=1"]);
    for pair in [
        "\0DOCUMENT_ROOT\0/srv/app\0",
        "\0SCRIPT_FILENAME\0/srv/app/a.php\0",
        "\0SCRIPT_NAME\0/a.php\0",
        "\0APP_ENV\0prod=1\0",
    ] {
        assert!(text.contains(pair), "{text:?}");
    }
    let text = asked(&["--param", "SERVER_NAME=other"]);
    assert!(text.contains("\0PATH_INFO\0/a.php\0") && text.contains("\0SERVER_NAME\0other\0"));
}

#[test]
fn params_that_make_no_sense() {
    let place = Place::new();
    let bench = |url: &str, param: &str| place.run(&["bench", url, "-n", "1", "--param", param]);
    let http = bench("http://127.0.0.1:1/", "A=b");
    http.fails(2, &["for FastCGI, SCGI and uwsgi", "`HTTP/1`"]);
    let scgi = "scgi://127.0.0.1:1/";
    for (param, why) in [
        ("A", "`NAME=value`"),
        ("CONTENT_LENGTH=3", "the body says how long it is"),
    ] {
        let said = bench(scgi, param);
        assert_eq!(said.code, 2);
        assert!(said.err.contains(why), "{}", said.err);
    }
}
