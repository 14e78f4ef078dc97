//! `weir bench URL` alone, of a server whose answers take most of its windows.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use crate::support::{Place, loads_of};

/// Answers every request so long after it came, on as many connections as there are.
fn slow(delay: Duration) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(stream) = stream else { return };
            std::thread::spawn(move || answer_all(&stream, delay));
        }
    });
    address
}

fn answer_all(stream: &TcpStream, delay: Duration) {
    let (_never, clock) = channel::<()>();
    let mut lines = BufReader::new(stream).lines();
    while let Some(Ok(line)) = lines.next() {
        if !line.is_empty() {
            continue;
        }
        assert_eq!(clock.recv_timeout(delay), Err(RecvTimeoutError::Timeout));
        let answer = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
        if (&mut &*stream).write_all(answer).is_err() {
            return;
        }
    }
}

#[test]
fn it_keeps_to_its_length_and_says_what_was_left_out() {
    // A step's window is 0.2 s: the first one sees no answer.
    let url = format!("http://{}/", slow(Duration::from_millis(500)));
    let place = Place::new();
    let said = place.run(&["bench", &url, "--survey-seconds", "6s", "--json"]);
    said.measured();
    let survey = said.json();
    let points = &loads_of(&survey);
    assert!(!points.is_empty());
    for point in points {
        assert!(point["load"]["completed"].as_u64().unwrap() > 0, "{point}");
    }
    assert!(
        survey["judged"]["peak"]["rate"]["value"].as_f64().unwrap() > 5.0,
        "{survey}"
    );
    let notes = survey["notes"].to_string();
    assert!(
        notes.contains("there was no time for closed loops with"),
        "{notes}"
    );
    assert!(notes.contains("a response took up to "), "{notes}");
    // Its whole length and a quarter is the end, whatever the server does.
    let windows = points.iter().map(|point| &point["load"]["seconds"]);
    let loaded: f64 = windows.map(|seconds| seconds.as_f64().unwrap()).sum();
    assert!(loaded < 6.0 * 1.25, "{loaded} s");
}

#[test]
fn a_server_that_never_answers_ends_it_in_time() {
    let url = format!("http://{}/", slow(Duration::from_hours(1)));
    let place = Place::new();
    let said = place.run(&["bench", &url, "--survey-seconds", "2s"]);
    said.fails(9, &[]);
    // whichever is over first, the wait for the answer or the survey
    let told = [
        "was answered correctly: no response in",
        "no response during the survey",
    ];
    assert!(
        told.iter().any(|words| said.err.contains(words)),
        "{}",
        said.err
    );
}
