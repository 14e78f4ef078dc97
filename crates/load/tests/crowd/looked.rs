//! How the connections of a crowd look to a server that reads everything at once.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Sender, channel};

use super::figures;
use crate::common::{job, run};
use record::{Amount, Crowd, Habit, LoadFacts, Target};
use testkit::answer;

/// How a connection looked to a server that reads everything at once.
struct Looked {
    /// What each read brought.
    reads: Vec<Vec<u8>>,
    reset: bool,
}

/// Answers whole requests, and tells how each connection went.
fn look(mut stream: TcpStream, tell: &Sender<Looked>) {
    let mut looked = Looked {
        reads: Vec::new(),
        reset: false,
    };
    let mut buffer = [0; 4096];
    loop {
        match stream.read(&mut buffer) {
            Ok(0) => break,
            Ok(length) => looked.reads.push(buffer[..length].to_vec()),
            Err(error) => {
                looked.reset = error.kind() == ErrorKind::ConnectionReset;
                break;
            }
        }
        if looked.reads.concat().ends_with(b"\r\n\r\n") {
            let _ = stream.write_all(&answer(200, &[], "ok"));
        }
    }
    let _ = tell.send(looked);
}

/// Loads such a server with a crowd; how its connections looked.
fn looked_at(crowd: Crowd, amount: Amount) -> (LoadFacts, Vec<Looked>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let (tell, all) = channel();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            std::thread::scope(|scope| {
                for stream in listener.incoming() {
                    let stream = stream.unwrap();
                    stream.set_nodelay(true).unwrap();
                    if stream.peer_addr().unwrap().ip().is_loopback() && over(&stream) {
                        break;
                    }
                    let tell = tell.clone();
                    scope.spawn(move || look(stream, &tell));
                }
            });
        });
        let mut job = job(Target::Tcp(address));
        job.load.connections = 1;
        job.load.amount = amount;
        job.load.crowd = crowd;
        let facts = run(&job);
        TcpStream::connect(address)
            .unwrap()
            .write_all(b"!")
            .unwrap();
        (facts.unwrap(), all.iter().collect())
    })
}

/// Whether this connection is the word that it is over.
fn over(stream: &TcpStream) -> bool {
    let mut first = [0];
    stream.peek(&mut first).is_ok_and(|read| read == 1) && first == *b"!"
}

#[test]
fn a_reset_is_a_reset_after_half_a_request_or_a_whole_one() {
    let crowd = Crowd {
        resets: 50.0,
        ..Crowd::default()
    };
    let (facts, looked) = looked_at(crowd, Amount::Seconds(0.4));
    let resets = figures(&facts, Habit::Reset);
    let reset: Vec<_> = looked.iter().filter(|looked| looked.reset).collect();
    assert!(
        resets.opened - reset.len() as u64 <= 2,
        "{} of {}",
        reset.len(),
        resets.opened
    );
    let is_whole = |looked: &&&Looked| looked.reads.concat().ends_with(b"\r\n\r\n");
    let whole = reset.iter().filter(is_whole).count();
    assert!(
        whole > 0 && whole < reset.len(),
        "{whole} of {}",
        reset.len()
    );
    assert!(
        looked.iter().any(|looked| !looked.reset),
        "the measured one"
    );
}

#[test]
fn a_slow_request_comes_piece_by_piece() {
    let crowd = Crowd {
        slow_writers: 1,
        slow_rate: 100.0,
        ..Crowd::default()
    };
    let (facts, looked) = looked_at(crowd, Amount::Seconds(2.0));
    let request = b"GET / HTTP/1.1\r\n";
    let slow = looked
        .iter()
        .find(|looked| looked.reads[0].len() < request.len());
    let slow = slow.expect("one that did not send its request at once");
    assert!(request.starts_with(&slow.reads[0]), "{:?}", slow.reads[0]);
    assert!(
        slow.reads.iter().all(|read| read.len() <= 40),
        "no piece is a whole request"
    );
    let writers = figures(&facts, Habit::SlowWriter);
    assert_eq!(slow.reads.concat().len() as u64, writers.bytes_sent);
    assert!(writers.answered() >= 1, "it comes to its end: {writers:?}");
}
