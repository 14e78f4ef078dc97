use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::os::fd::AsFd as _;
use std::time::Instant;

use super::*;

/// What a kernel says that is older than such rings, or allows none.
const WITHOUT: [i32; 3] = [libc::ENOSYS, libc::EPERM, libc::EINVAL];

/// A ring, and a socket that it has with its peer; none where the kernel has no such ring.
fn connected() -> Option<(Ring, TcpStream, TcpStream)> {
    let ring = match Ring::new(1) {
        Ok(ring) => ring,
        Err(error) => {
            let code = error.raw_os_error().unwrap();
            assert!(WITHOUT.contains(&code), "{error}");
            testkit::may_skip(
                "ring",
                &format!("io_uring, which this kernel lacks: {error}"),
            );
            return None;
        }
    };
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let socket = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    Some((ring, socket, listener.accept().unwrap().0))
}

/// What comes until so many bytes are there, or the end.
fn received(ring: &mut Ring, most: usize) -> Vec<u8> {
    let mut all = Vec::new();
    let until = Instant::now() + Duration::from_secs(20);
    while all.len() < most && Instant::now() < until {
        ring.wait(Duration::from_secs(1)).unwrap();
        while let Some(ended) = ring.ended() {
            if let Ended::Received { outcome, .. } = ended {
                if outcome.unwrap() == 0 {
                    return all;
                }
                all.extend_from_slice(ring.received());
            }
        }
    }
    assert!(all.len() >= most, "neither came in time");
    all
}

#[test]
fn bytes_come_in_their_order_through_buffers_that_are_used_again() {
    let Some((mut ring, socket, mut peer)) = connected() else {
        return;
    };
    ring.receive(socket.as_fd(), 7);
    let sent: Vec<u8> = (0..5_000_000_u32).flat_map(u32::to_le_bytes).collect();
    let expected = sent.clone();
    let writer = std::thread::spawn(move || {
        for piece in sent.chunks(7_411) {
            peer.write_all(piece).unwrap();
        }
        peer
    });
    let mut all = Vec::new();
    let until = Instant::now() + Duration::from_mins(1);
    while all.len() < expected.len() && Instant::now() < until {
        ring.wait(Duration::from_secs(1)).unwrap();
        while let Some(ended) = ring.ended() {
            let Ended::Received {
                outcome,
                more,
                token,
            } = ended
            else {
                panic!("{ended:?}");
            };
            assert_eq!(token, 7);
            if outcome.is_ok() {
                all.extend_from_slice(ring.received());
            }
            if !more {
                ring.receive(socket.as_fd(), 7); // it had no buffer left
            }
        }
    }
    assert!(all == expected, "{} of {} bytes", all.len(), expected.len());
    drop(writer.join().unwrap());
}

#[test]
fn what_is_sent_arrives_and_its_bytes_come_back() {
    let Some((mut ring, socket, mut peer)) = connected() else {
        return;
    };
    ring.send(socket.as_fd(), 1, b"hello".to_vec());
    assert_eq!(ring.queued(), 1);
    ring.submit();
    let mut heard = [0; 5];
    peer.read_exact(&mut heard).unwrap();
    assert_eq!(&heard, b"hello");
    ring.wait(Duration::from_secs(10)).unwrap();
    match ring.ended() {
        Some(Ended::Sent {
            token,
            outcome,
            bytes,
        }) => {
            assert_eq!((token, outcome.unwrap(), &*bytes), (1, 5, &b"hello"[..]));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_was_not_looked_at_is_there_after_the_next_wait() {
    let Some((mut ring, socket, mut peer)) = connected() else {
        return;
    };
    for token in 1..=3 {
        ring.send(socket.as_fd(), token, b"hi".to_vec());
    }
    ring.submit();
    peer.read_exact(&mut [0; 6]).unwrap();
    let mut told = Vec::new();
    let until = Instant::now() + Duration::from_secs(20);
    while told.len() < 3 && Instant::now() < until {
        ring.wait(Duration::from_secs(1)).unwrap();
        if let Some(Ended::Sent { token, .. }) = ring.ended() {
            told.push(token);
        }
    }
    assert_eq!(told, [1, 2, 3]);
}

#[test]
fn a_turn_finds_no_more_ends_than_it_may_and_none_is_lost() {
    let Some((mut ring, socket, mut peer)) = connected() else {
        return;
    };
    ring.at_once(2);
    for token in 1..=5 {
        ring.send(socket.as_fd(), token, b"hi".to_vec());
    }
    ring.submit();
    peer.read_exact(&mut [0; 10]).unwrap();
    let mut turns: Vec<Vec<u64>> = Vec::new();
    let until = Instant::now() + Duration::from_secs(20);
    while turns.concat().len() < 5 && Instant::now() < until {
        ring.wait(Duration::from_secs(1)).unwrap();
        let mut told = Vec::new();
        while let Some(Ended::Sent { token, .. }) = ring.ended() {
            told.push(token);
        }
        turns.push(told);
    }
    assert_eq!(turns, [vec![1, 2], vec![3, 4], vec![5]]);
}

#[test]
fn of_a_text_only_what_fails_is_told() {
    let Some((mut ring, socket, mut peer)) = connected() else {
        return;
    };
    let text = ring.keep(b"hello");
    assert_eq!(ring.text(text), b"hello");
    ring.send_text(socket.as_fd(), 1, text);
    ring.send_text(socket.as_fd(), 1, text);
    ring.submit();
    let mut heard = [0; 10];
    peer.read_exact(&mut heard).unwrap();
    assert_eq!(&heard, b"hellohello");
    ring.wait(Duration::from_millis(20)).unwrap();
    assert!(ring.ended().is_none(), "both were sent");
    socket.shutdown(std::net::Shutdown::Write).unwrap();
    ring.send_text(socket.as_fd(), 9, text);
    ring.wait(Duration::from_secs(10)).unwrap();
    let Some(Ended::Sent { token, outcome, .. }) = ring.ended() else {
        panic!("it failed");
    };
    let code = outcome.unwrap_err().raw_os_error();
    assert_eq!((token, code), (9, Some(libc::EPIPE)));
}

/// A text that finds no room is sent to its end as the peer reads, and nobody has to ask for it.
#[test]
fn a_text_that_has_to_wait_arrives() {
    let Some((mut ring, socket, mut peer)) = connected() else {
        return;
    };
    let long: Vec<u8> = (0..1_000_000_u32).flat_map(u32::to_le_bytes).collect();
    let text = ring.keep(&long);
    ring.send_text(socket.as_fd(), 1, text);
    ring.submit();
    let reader = std::thread::spawn(move || {
        let mut heard = vec![0; 4_000_000];
        peer.read_exact(&mut heard).unwrap();
        heard
    });
    let until = Instant::now() + Duration::from_mins(1);
    while !reader.is_finished() && Instant::now() < until {
        ring.wait(Duration::from_millis(20)).unwrap();
        assert!(ring.ended().is_none(), "it did not fail");
    }
    assert!(reader.join().unwrap() == long);
}

#[test]
fn a_socket_that_is_given_up_and_closed_is_closed_for_its_peer() {
    let Some((mut ring, socket, mut peer)) = connected() else {
        return;
    };
    ring.receive(socket.as_fd(), 3);
    ring.wait(Duration::ZERO).unwrap();
    ring.give_up(3, false);
    ring.close(socket.into());
    ring.wait(Duration::from_secs(10)).unwrap();
    peer.set_read_timeout(Some(Duration::from_secs(20)))
        .unwrap();
    assert_eq!(peer.read(&mut [0; 8]).unwrap(), 0);
    drop(ring);
}

/// A send holds its socket open: the kernel has a file for as long as something is to be done with it.
#[test]
fn what_is_to_be_sent_can_be_given_up_and_its_socket_closed() {
    let long = vec![b'x'; 64 << 20]; // far more than any socket has room for
    for again in [false, true] {
        let Some((mut ring, socket, mut peer)) = connected() else {
            return;
        };
        if again {
            let text = ring.keep(&long);
            ring.send_text(socket.as_fd(), 1, text);
        } else {
            ring.send(socket.as_fd(), 1, long.clone());
        }
        ring.wait(Duration::ZERO).unwrap();
        assert!(ring.ended().is_none(), "nobody reads it");
        ring.give_up_sends(1);
        ring.close(socket.into());
        peer.set_read_timeout(Some(Duration::from_secs(20)))
            .unwrap();
        let reader = std::thread::spawn(move || {
            let mut heard = Vec::new();
            peer.read_to_end(&mut heard).unwrap();
            heard.len()
        });
        let until = Instant::now() + Duration::from_mins(1);
        while !reader.is_finished() && Instant::now() < until {
            ring.wait(Duration::from_millis(20)).unwrap();
            while ring.ended().is_some() {}
        }
        let heard = reader.join().unwrap();
        assert!(heard < long.len(), "all {heard} bytes were sent");
    }
}

#[test]
fn a_peer_that_ends_is_heard_and_waiting_ends_in_time() {
    let Some((mut ring, socket, peer)) = connected() else {
        return;
    };
    ring.receive(socket.as_fd(), 3);
    ring.wait(Duration::from_millis(5)).unwrap();
    assert!(ring.ended().is_none());
    drop(peer);
    assert_eq!(received(&mut ring, 1), b"");
}
