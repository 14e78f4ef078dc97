//! Whether a server has agreed to what the connection is to become.

use super::{agreement, frame, heard, request};
use crate::Malformed;
use crate::websocket::accept;

#[test]
fn the_accept_is_that_of_the_rfcs_example() {
    assert_eq!(
        accept("dGhlIHNhbXBsZSBub25jZQ=="),
        "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
    );
}

#[test]
fn upgrades_that_are_none() {
    let request = request();
    let right = String::from_utf8(agreement(&request)).unwrap();
    for wrong in [
        right.replace(&request.accept, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="),
        right.replace("Upgrade: WebSocket", "Upgrade: h2c"),
        right.replace("keep-alive, upgrade", "keep-alive"),
        right.replace(
            "\r\n\r\n",
            "\r\nSec-WebSocket-Extensions: permessage-deflate\r\n\r\n",
        ),
        "HTTP/1.1 101 Yes\r\n\r\n".to_owned(),
    ] {
        assert_eq!(
            heard(wrong.as_bytes(), b"", &request, 1),
            Err(Malformed::Upgrade),
            "{wrong}"
        );
    }
    let early = format!("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n{right}");
    let hello = frame(0x81, b"hello");
    assert_eq!(
        heard(early.as_bytes(), &hello, &request, 1).unwrap().body,
        b"hello"
    );
    let no = b"HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno";
    for size in [1, usize::MAX] {
        let heard = heard(no, b"", &request, size).unwrap();
        assert_eq!((heard.status, heard.done), (403, Some(false)));
    }
    assert_eq!(
        heard(b"nonsense\r\n", b"", &request, 1),
        Err(Malformed::Head)
    );
    let endless = [b"HTTP/1.1 101 Yes\r\nX: ".as_slice(), &vec![b'x'; 70_000]].concat();
    assert_eq!(
        heard(&endless, b"", &request, 4096),
        Err(Malformed::TooLong)
    );
}
