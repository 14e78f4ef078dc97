//! Bodies of requests, which go when the container calls for them.

use super::{end, head, packet};
use crate::testing::asking;
use crate::{Ajp, Ask, Event, Exchange, Session};

#[test]
fn a_call_for_a_body_is_answered() {
    let mut out = Vec::new();
    let mut session = Ajp::open(&crate::Setup::default(), &mut out);
    session.send(0, &Ajp::prepare(&asking("GET")).unwrap(), &mut out);
    out.clear();
    session
        .receive(&packet(&[6, 0x1f, 0xfa]), &mut out, |_, _| ())
        .unwrap();
    assert_eq!(out, [0x12, 0x34, 0, 0], "there is none");
    assert_eq!(session.capacity(), 0);
}

/// What a container reads that calls for so many bytes each time: the body, and how many packets
/// brought it.
fn uploaded(body: &[u8], wanted: u16) -> (Vec<u8>, usize) {
    let ask = Ask {
        body,
        ..asking("POST")
    };
    let mut out = Vec::new();
    let mut session = Ajp::open(&crate::Setup::default(), &mut out);
    session.send(0, &Ajp::prepare(&ask).unwrap(), &mut out);
    let (request, mut packets) = first_packet(&out);
    assert_eq!(request[4], 2, "the request");
    let mut read = Vec::new();
    let mut brought = 0;
    let mut sent;
    loop {
        while packets.is_empty() {
            sent = Vec::new();
            let call = packet(&[&[6], &wanted.to_be_bytes()[..]].concat());
            session.receive(&call, &mut sent, |_, _| ()).unwrap();
            packets = &sent;
        }
        let (piece, rest) = first_packet(packets);
        assert!(piece.len() <= 8192 && rest.is_empty());
        packets = rest;
        if piece.len() == 4 {
            return (read, brought);
        }
        assert_eq!(
            usize::from(u16::from_be_bytes([piece[4], piece[5]])),
            piece.len() - 6
        );
        read.extend(&piece[6..]);
        brought += 1;
    }
}

fn first_packet(bytes: &[u8]) -> (&[u8], &[u8]) {
    assert_eq!(bytes[..2], [0x12, 0x34]);
    bytes.split_at(4 + usize::from(u16::from_be_bytes([bytes[2], bytes[3]])))
}

#[test]
fn bodies_of_any_length_are_called_for() {
    for (length, wanted, packets) in [
        (0, 8186, 0),
        (1, 8186, 1),
        (8186, 8186, 1),
        (8187, 8186, 2),
        (100_000, 8186, 13),
        (100_000, 65_000, 13), // more than a packet holds
        (20_000, 0, 3),
        (9_186, 100, 11),
        (9_187, 100, 12),
    ] {
        let body: Vec<u8> = (0..length).map(|at| at as u8).collect();
        assert_eq!(
            uploaded(&body, wanted),
            (body, packets),
            "{length} by {wanted}"
        );
    }
}

/// What a container takes to read a body is not the time of its answer's body.
#[test]
fn a_call_is_not_the_answers_first_byte() {
    let mut out = Vec::new();
    let mut session = Ajp::open(&crate::Setup::default(), &mut out);
    session.send(0, &Ajp::prepare(&asking("POST")).unwrap(), &mut out);
    let mut first = 0;
    let mut count = |_: Exchange, event: Event<'_>| first += u8::from(event == Event::FirstByte);
    let call = packet(&[6, 0x1f, 0xfa]);
    session.receive(&call, &mut out, &mut count).unwrap();
    session
        .receive(&head(100, None, &[]), &mut out, &mut count)
        .unwrap();
    session
        .receive(&head(200, None, &[]), &mut out, &mut count)
        .unwrap();
    assert_eq!(first, 1);
    let mut session = Ajp::open(&crate::Setup::default(), &mut out);
    session.send(0, &Ajp::prepare(&asking("POST")).unwrap(), &mut out);
    session
        .receive(&call, &mut out, |_, event| panic!("{event:?}"))
        .unwrap();
}

/// A container need not read a body whose answer it knows.
#[test]
fn an_upload_ends_with_its_answer() {
    let body = vec![b'x'; 50_000];
    let ask = Ask {
        body: &body,
        ..asking("POST")
    };
    let (large, small) = (
        Ajp::prepare(&ask).unwrap(),
        Ajp::prepare(&asking("GET")).unwrap(),
    );
    let mut out = Vec::new();
    let mut session = Ajp::open(&crate::Setup::default(), &mut out);
    session.send(0, &large, &mut out);
    let answer = [head(413, None, &[]), end(true)].concat();
    session.receive(&answer, &mut out, |_, _| ()).unwrap();
    assert_eq!(session.capacity(), 1);
    session.send(1, &small, &mut out);
    out.clear();
    let call = packet(&[6, 0x1f, 0xfa]);
    session.receive(&call, &mut out, |_, _| ()).unwrap();
    assert_eq!(out, [0x12, 0x34, 0, 0], "nothing of the one before");
}
