//! Requests that a server refuses to begin with.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::channel;

use load::Event;
use record::{Amount, Protocol, Target};

use crate::common::{job, run_until};

/// Kinds of HTTP/2 frames.
const HEADERS: u8 = 1;
const RST_STREAM: u8 = 3;
const SETTINGS: u8 = 4;

fn frame(kind: u8, flags: u8, stream: u8, payload: &[u8]) -> Vec<u8> {
    let length = payload.len() as u8;
    let mut bytes = vec![0, 0, length, kind, flags, 0, 0, 0, stream];
    bytes.extend(payload);
    bytes
}

/// Reads until a request has come.
fn read_request(stream: &mut TcpStream) {
    let mut head = [0; 9];
    loop {
        stream.read_exact(&mut head).unwrap();
        let length = u32::from_be_bytes([0, head[0], head[1], head[2]]);
        let mut payload = vec![0; length as usize];
        stream.read_exact(&mut payload).unwrap();
        if head[3] == HEADERS {
            return;
        }
    }
}

/// The stream is refused after a while (RFC 9113, section 8.7), and the one after it is answered: nobody but the server was late.
#[test]
fn a_request_that_is_refused_is_sent_again_and_the_engine_was_not_late() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut job = job(Target::Tcp(listener.local_addr().unwrap()));
    job.protocol = Protocol::Http2;
    job.load.connections = 1;
    job.load.amount = Amount::Requests(1);
    let (go_on, told) = channel();
    let peer = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        stream.write_all(&frame(SETTINGS, 0, 0, &[])).unwrap();
        stream.read_exact(&mut [0; 24]).unwrap(); // the client's preface
        read_request(&mut stream);
        told.recv().unwrap();
        let code = 7_u32.to_be_bytes(); // REFUSED_STREAM
        stream.write_all(&frame(RST_STREAM, 0, 1, &code)).unwrap();
        read_request(&mut stream);
        // status 200, and nothing more
        stream.write_all(&frame(HEADERS, 5, 3, &[0x88])).unwrap();
        let _ = stream.read_to_end(&mut Vec::new()); // until the client closes
    });
    let facts = run_until(&job, &AtomicBool::new(false), &mut |event| {
        if matches!(event, Event::Tick(_)) {
            let _ = go_on.send(()); // once is enough
        }
    });
    let facts = facts.unwrap();
    peer.join().unwrap();
    assert_eq!((facts.completed, facts.sent_again), (1, 1), "{facts:?}");
    let (late, response) = (facts.lateness.max().unwrap(), facts.response.max().unwrap());
    assert!(late < response / 2.0, "{late} of {response}");
}
