use super::*;

#[test]
fn one_connection_carries_many_requests() {
    let request = Http1::prepare(&ask("GET")).unwrap();
    let mut session = Http1::open(&crate::Setup::default(), &mut Vec::new());
    for number in 0..3 {
        assert_eq!(session.capacity(), 1);
        let mut out = Vec::new();
        session.send(number, &request, &mut out);
        assert_eq!(session.capacity(), 0);
        let mut seen = Vec::new();
        let answer = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
        session
            .receive(answer, &mut out, |exchange, event| {
                assert_eq!(exchange, number);
                seen.push(format!("{event:?}").chars().take(9).collect::<String>());
            })
            .unwrap();
        assert_eq!(seen, ["FirstByte", "Head { st", "Body([111", "Done { ke"]);
    }
    assert_eq!(session.close(|_, _| ()), End::Idle);
    assert_eq!(session.capacity(), 0);
}

#[test]
fn pipelined_requests_are_answered_in_order() {
    let setup = Setup {
        depth: 3,
        ..Setup::default()
    };
    let mut session = Http1::open(&setup, &mut Vec::new());
    let (get, head) = (ask("GET"), ask("HEAD"));
    let (get, head) = (
        Http1::prepare(&get).unwrap(),
        Http1::prepare(&head).unwrap(),
    );
    let mut out = Vec::new();
    for (exchange, request) in [(7, &get), (3, &head), (5, &get)] {
        assert!(session.capacity() > 0);
        session.send(exchange, request, &mut out);
    }
    assert_eq!(session.capacity(), 0);
    let one = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n";
    let answers = [one.as_slice(), b"ok", one, one, b"ok"].concat();
    for size in 1..answers.len() {
        let mut session = Http1::open(&setup, &mut Vec::new());
        for (exchange, request) in [(7, &get), (3, &head), (5, &get)] {
            session.send(exchange, request, &mut out);
        }
        let mut done = Vec::new();
        for piece in answers.chunks(size) {
            let outcome = session.receive(piece, &mut out, |exchange, event| {
                if matches!(event, Event::Done { keep: true }) {
                    done.push(exchange);
                }
            });
            assert_eq!(outcome, Ok(()));
        }
        assert_eq!(done, [7, 3, 5], "pieces of {size}");
        assert_eq!(session.capacity(), 3);
        let outcome = session.receive(b"H", &mut out, |_, _| ());
        assert_eq!(outcome, Err(Malformed::Unasked));
    }
}

#[test]
fn nothing_is_pipelined_behind_an_answer_that_closes() {
    let mut session = Http1::open(
        &Setup {
            depth: 2,
            ..Setup::default()
        },
        &mut Vec::new(),
    );
    let request = Http1::prepare(&ask("GET")).unwrap();
    let mut out = Vec::new();
    session.send(1, &request, &mut out);
    session.send(2, &request, &mut out);
    let answer = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok";
    let mut done = Vec::new();
    let take = |exchange: Exchange, event: Event<'_>| {
        if let Event::Done { keep } = event {
            done.push((exchange, keep));
        }
    };
    session.receive(answer, &mut out, take).unwrap();
    assert_eq!(done, [(1, false)]);
    assert_eq!(session.capacity(), 0);
    assert_eq!(session.close(|_, _| ()), End::Idle);
}
