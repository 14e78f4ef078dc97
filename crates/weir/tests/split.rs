//! A load whose requests leave in two segments, as the server's kernel counts them.

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

use crate::support::Place;

/// Answers each request with how many segments of data have come on its connection for each request so far
/// (`tcpi_data_segs_in`).
const SERVER: &str = "
import socket, struct, sys, threading
def serve(connection):
    asked = 0
    with connection:
        while True:
            data = b''
            while not data.endswith(b'body'):
                more = connection.recv(65536)
                if not more:
                    return
                data += more
            asked += 1
            info = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 232)
            segments = struct.unpack_from('I', info, 152)[0]
            body = f'{round(segments / asked)} each'.encode()
            connection.sendall(b'HTTP/1.1 200 OK\\r\\nContent-Length: %d\\r\\n\\r\\n' % len(body) + body)
listener = socket.create_server(('127.0.0.1', 0))
print(listener.getsockname()[1], flush=True)
def accept():
    while True:
        threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
threading.Thread(target=accept, daemon=True).start()
sys.stdin.read()
";

#[test]
fn head_and_body_leave_apart_where_that_is_asked_for() {
    let mut server = Command::new("python3")
        .args(["-c", SERVER])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(server.stdout.take().unwrap()).lines();
    let url = format!("http://127.0.0.1:{}/", said.next().unwrap().unwrap());
    let place = Place::new();
    let load = |more: &[&str]| {
        let args = [
            "bench",
            &url,
            "-n",
            "200",
            "-c",
            "2",
            "--warm-up",
            "0s",
            "-X",
            "POST",
            "--body",
            "body",
            "--json",
        ];
        place.run(&[&args[..], more].concat()).load()
    };
    let failed =
        |load: &serde_json::Value| load["failed"].as_object().map_or(0, serde_json::Map::len);
    let one = load(&["--contains", "1 each"]);
    let two = load(&["--split", "--contains", "2 each"]);
    let args = [
        "bench", &url, "-n", "20", "-c", "2", "-X", "POST", "--body", "body",
    ];
    let not = place.run(&[&args[..], &["--split", "--contains", "1 each"]].concat());
    drop(server.stdin.take());
    server.wait().unwrap();
    assert_eq!((failed(&one), failed(&two)), (0, 0), "{one:#} {two:#}");
    not.fails(9, &["without `1 each`: `2 each`"]);
}
