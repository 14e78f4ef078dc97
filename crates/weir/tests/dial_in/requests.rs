//! What goes through the front end, and stays what it is.

use std::io::{Read as _, Write as _};
use std::os::unix::net::UnixStream;

use super::front::Front;
use super::people::{Client, Server, ok};

#[test]
fn a_server_is_given_one_request_at_a_time_over_its_one_connection() {
    let front = Front::start(&[]);
    let (mut one, mut other) = (Client::of(&front), Client::of(&front));
    one.ask("GET /one");
    let mut server = Server::dial(&front);
    assert_eq!(server.hear().0.lines().next(), Some("get /one http/1.1"));
    // It waits: whatever came for it would be in front of the answer that only now goes out.
    other.ask("GET /other");
    server.say(&ok("first"));
    assert_eq!(one.hear(), (200, "first".into()));
    assert_eq!(server.serve("second"), "get /other http/1.1");
    assert_eq!(other.hear(), (200, "second".into()));
    // Clients keep their connections as well.
    one.ask("GET /again");
    server.serve("third");
    assert_eq!(one.hear(), (200, "third".into()));
}

#[test]
fn bodies_come_with_their_length_whatever_they_were_sent_with() {
    let front = Front::start(&[]);
    let (mut server, mut client) = (Server::dial(&front), Client::of(&front));
    let sent = [
        "Content-Length: 5\r\n\r\nhello",
        "Transfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n",
    ];
    for rest in sent {
        client.send(&format!("POST / HTTP/1.1\r\nHost: here\r\n{rest}"));
        let (head, body) = server.hear();
        assert!(head.contains("\r\nhost: here\r\n"), "{head}");
        assert!(!head.contains("chunked"), "{head}");
        assert_eq!(body, "hello");
        server.say(&ok("thanks"));
        assert_eq!(client.hear(), (200, "thanks".into()));
    }
    client.send("POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 1001\r\n\r\n");
    let (status, why) = client.hear();
    assert_eq!(
        (status, why.trim()),
        (413, "the body is larger than 1000 bytes")
    );
}

#[test]
fn answers_come_in_chunks_without_a_body_and_after_interim_ones() {
    let front = Front::start(&[]);
    let (mut server, mut client) = (Server::dial(&front), Client::of(&front));
    client.ask("HEAD /");
    assert!(server.hear().0.starts_with("head / "));
    server.say("HTTP/1.1 200 OK\r\nContent-Length: 1234\r\n\r\n");
    assert_eq!(client.head(), (200, 1234));
    client.ask("GET /");
    server.hear();
    server.say("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n");
    assert_eq!(client.head(), (204, 0));
    client.send("GET / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n");
    server.hear();
    server.say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n");
    server.say("1\r\n!\r\n0\r\n\r\n");
    let answer = client.rest();
    assert!(
        answer.ends_with("5\r\nhello\r\n1\r\n!\r\n0\r\n\r\n"),
        "{answer}"
    );
}

#[test]
fn clients_of_http_1_0_and_of_a_unix_socket_are_served() {
    let folder = testkit::temp_dir();
    let socket = folder.path().join("front.sock");
    let front = Front::start(&["-clients", &format!("unix:{}", socket.display())]);
    let mut server = Server::dial(&front);
    let mut client = UnixStream::connect(&socket).unwrap();
    client.write_all(b"GET / HTTP/1.0\r\n\r\n").unwrap();
    server.serve("hello");
    let mut answer = String::new();
    client.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.0 200 OK\r\n"), "{answer}");
    assert!(answer.ends_with("\r\n\r\nhello"), "{answer}");
}
