//! What goes wrong: nobody is there, somebody leaves, somebody says what makes no sense.

use super::front::Front;
use super::people::{Client, Server, ok};

fn refused(client: &mut Client, status: u16, why: &str) {
    let (given, told) = client.hear();
    assert_eq!((given, told.trim()), (status, why));
}

#[test]
fn whoever_has_another_key_or_none_gets_no_requests() {
    let front = Front::start(&[]);
    let greetings = [
        ("swiftclient7f0000010bb806hamlet", "it has another key"),
        ("swiftclient7f0000010bb800", "it has another key"),
        (
            "GET / HTTP/1.1\r\nHost: here\r\n\r\n",
            "it does not speak Swiftiply",
        ),
    ];
    for (greeting, why) in greetings {
        let mut server = Server::present(&front, greeting);
        front.says(&format!("a server was turned away: {why}"));
        assert!(server.is_left(), "{greeting}");
    }
    let (mut server, mut client) = (Server::dial(&front), Client::of(&front));
    client.ask("GET /");
    server.serve("hello");
    assert_eq!(client.hear(), (200, "hello".into()));
    server.say(&ok("and another thing"));
    front.says("a server was turned away: it spoke without being asked");
    assert!(server.is_left());
}

#[test]
fn who_waits_too_long_or_finds_the_queue_full_is_told() {
    let front = Front::start(&["-queue-timeout", "1ms"]);
    let mut client = Client::of(&front);
    refused(client.ask("GET /"), 503, "no server was free within 1ms");
    let front = Front::start(&["-queue-limit", "0"]);
    let mut client = Client::of(&front);
    let full = "no server is free, and the queue is full";
    refused(client.ask("GET /"), 503, full);
    let front = Front::start(&["-answer-timeout", "50ms"]);
    let (mut server, mut client) = (Server::dial(&front), Client::of(&front));
    client.ask("GET /");
    server.hear();
    refused(&mut client, 504, "the server did not answer within 50ms");
    assert!(server.is_left(), "its answer would be the next one's");
}

#[test]
fn what_may_be_done_twice_goes_to_another_server_and_nothing_else() {
    let front = Front::start(&[]);
    let (mut first, mut client) = (Server::dial(&front), Client::of(&front));
    client.ask("GET /");
    first.hear();
    drop(first);
    let mut second = Server::dial(&front);
    second.serve("from the second");
    assert_eq!(client.hear(), (200, "from the second".into()));

    client.send("POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 5\r\n\r\nmoney");
    assert_eq!(second.hear().1, "money");
    drop(second);
    let gone = "the server went away before it answered";
    refused(&mut client, 502, gone);

    // A request that ends its servers ends two of them, and not all.
    client.ask("GET /poison");
    for _ in 0..2 {
        Server::dial(&front).hear();
    }
    refused(&mut client, 502, gone);
}

#[test]
fn who_left_while_nobody_asked_is_given_nothing() {
    let front = Front::start(&[]);
    let mut client = Client::of(&front);
    for _ in 0..20 {
        drop(Server::dial(&front));
    }
    client.send("POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 5\r\n\r\nmoney");
    let mut server = Server::dial(&front);
    assert_eq!(server.hear().1, "money");
    server.say(&ok("thanks"));
    assert_eq!(client.hear(), (200, "thanks".into()));
}

#[test]
fn an_answer_that_breaks_off_is_no_whole_one() {
    let front = Front::start(&[]);
    let (mut server, mut client) = (Server::dial(&front), Client::of(&front));
    client.ask("GET /");
    server.hear();
    server.say("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello");
    drop(server);
    let answer = client.rest();
    let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
    assert!("hello".starts_with(body), "{answer}");
    // whatever of it has come says that there is more
    let is_part = answer.is_empty() || answer.contains("Content-Length: 10\r\n");
    assert!(is_part, "{answer}");
}

#[test]
fn answers_that_make_no_sense_are_refused_and_their_server_left() {
    let nonsense = [
        (
            "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhello",
            "neither a length nor chunks",
        ),
        (
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n",
            "another protocol",
        ),
        ("hello\r\n\r\n", "the server's response is broken"),
    ];
    for (answer, why) in nonsense {
        let front = Front::start(&[]);
        let (mut server, mut client) = (Server::dial(&front), Client::of(&front));
        client.ask("GET /");
        server.hear();
        server.say(answer);
        let (status, told) = client.hear();
        assert!(status == 502 && told.contains(why), "{status} {told}");
        assert!(server.is_left(), "{answer}");
    }
}

#[test]
fn a_client_that_leaves_costs_no_server() {
    let front = Front::start(&[]);
    let (mut server, mut client) = (Server::dial(&front), Client::of(&front));
    client.ask("GET /");
    server.hear();
    drop(client);
    server.say(&ok("to nobody"));
    let mut client = Client::of(&front);
    client.ask("GET /next");
    assert_eq!(server.serve("hello"), "get /next http/1.1");
    assert_eq!(client.hear(), (200, "hello".into()));
}
