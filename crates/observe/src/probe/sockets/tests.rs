use std::io::Write as _;
use std::net::{TcpListener, TcpStream};
use std::os::unix::net::{UnixListener, UnixStream};
use std::time::Duration;

use record::QueueFacts;
use socket2::SockRef;
use testkit::eventually;

use super::*;

/// A server that has sent more than the client's kernel takes, and a connection that nobody has accepted.
#[test]
fn what_waits_is_seen() {
    for at in ["127.0.0.1:0", "[::1]:0"] {
        let listener = TcpListener::bind(at).unwrap();
        let address = listener.local_addr().unwrap();
        let client = TcpStream::connect(address).unwrap();
        let (mut server, _) = listener.accept().unwrap();
        server.set_nonblocking(true).unwrap();
        let chunk = vec![0; 65_536];
        while server.write(&chunk).is_ok() {}
        let waiting = TcpStream::connect(address).unwrap();
        let port = address.port();
        let told = |ports: BTreeSet<u16>| {
            let open = listed(&[State::Connected], MOST).unwrap();
            of_servers(&open, &ports)
        };
        let wait = || {
            let mut queues = accept_queues().unwrap();
            queues.retain(|of| of.address == address.to_string());
            queues.iter().map(|of| of.waiting).sum::<u32>()
        };
        // the one that waits has an established socket as well
        let seen = eventually(Duration::from_secs(10), || {
            told(BTreeSet::from([port])) == [2, 1] && wait() == 1
        });
        assert!(seen, "{:?} and {}", told(BTreeSet::from([port])), wait());
        assert_eq!(told(BTreeSet::new()), [0, 0], "they are of others");
        drop((client, waiting));
    }
}

#[test]
fn a_full_queue_is_told_with_its_program_and_its_room() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("app.sock");
    let over_tcp = TcpListener::bind("127.0.0.1:0").unwrap();
    let over_unix = UnixListener::bind(&path).unwrap();
    SockRef::from(&over_tcp).listen(1).unwrap();
    SockRef::from(&over_unix).listen(1).unwrap();
    let address = over_tcp.local_addr().unwrap();
    let programs = vec![(std::process::id(), "own".to_owned())];
    let (mut probe, mut samples) = (Sockets::of_programs(programs), Samples::default());
    probe.start(Moment::now(), &mut samples);
    // one that waits, and the one more that Linux lets in
    let tcp = [(); 2].map(|()| TcpStream::connect(address).unwrap());
    let unix = [(); 2].map(|()| UnixStream::connect(&path).unwrap());
    (&tcp[0]).write_all(b"GET / HTTP/1.1").unwrap();
    let places = [address.to_string(), path.to_string_lossy().into_owned()];
    let seen = eventually(Duration::from_secs(10), || {
        probe.queues.name(&owners(&probe.programs));
        probe.sample(Moment::now(), &mut samples);
        probe.sample_dear(Moment::now(), &mut samples);
        let told = probe.queues.told();
        let full = |of: &QueueFacts| (of.waiting, of.room) == (2, 1);
        let mut places = places.iter();
        places.all(|place| told.iter().any(|of| of.address == *place && full(of)))
    });
    assert!(seen, "{places:?}");
    let another = TcpStream::connect_timeout(&address, Duration::from_millis(20));
    assert!(another.is_err(), "there is no room for it");
    // while others open and close sockets, the kernel passes over one now and then
    let counted = eventually(Duration::from_secs(10), || {
        probe.stop(Moment::now(), &mut samples);
        let told = probe.queues.told();
        told.iter().any(|of| of.dropped > Some(0))
    });
    assert!(counted, "{address}");
    let mut seen = Seen::default();
    Box::new(probe).tell(&mut seen);
    let facts = seen.observed.sockets.unwrap();
    assert!(facts.looks > 0 && facts.waiting >= 2, "{facts:?}");
    assert_eq!(facts.queue_looks, Some(facts.looks));
    for place in &places {
        let told = seen.observed.queues.iter().find(|of| of.address == *place);
        let of = told.unwrap();
        assert_eq!((of.program.as_str(), of.full > 0), ("own", true), "{of:?}");
        assert!(of.unread > Some(0), "{of:?}");
        // who finds no room at a Unix socket waits, or goes, and nobody counts it
        assert_eq!(of.dropped > Some(0), !of.is_unix(), "{of:?}");
    }
    let series = samples.series(Moment::now());
    let own = series.iter().find(|of| of.of == "own").unwrap();
    assert_eq!(own.name, "accept-queue");
    assert!(own.values.iter().any(|waiting| *waiting >= 2.0), "{own:?}");
    drop((tcp, unix));
}

/// One that waits in the accept queue is nobody's yet.
#[test]
fn connections_that_a_program_has_accepted_are_counted() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let programs = vec![(std::process::id(), "own".to_owned())];
    let (mut probe, mut samples) = (Sockets::of_programs(programs), Samples::default());
    let opened = [(); 3].map(|()| TcpStream::connect(address).unwrap());
    let accepted = [(); 2].map(|()| listener.accept().unwrap());
    let counts = || {
        probe.start(Moment::now(), &mut samples);
        probe.queues.name(&owners(&probe.programs));
        probe.sample(Moment::now(), &mut samples);
        probe.sample_dear(Moment::now(), &mut samples);
        let told = probe.queues.told();
        let own = told.iter().find(|of| of.address == address.to_string());
        own.map(|of| (of.waiting, of.accepted)) == Some((1, Some(2)))
    };
    // while others open and close sockets, the kernel passes over one now and then
    assert!(eventually(Duration::from_secs(10), counts), "{address}");
    drop((opened, accepted));
}

/// Where connections are looked at more seldom, or never, queues are told of as many looks as there were at them.
#[test]
fn looks_at_queues_are_counted_by_themselves() {
    let programs = vec![(std::process::id(), "own".to_owned())];
    let (mut probe, mut samples) = (Sockets::of_programs(programs), Samples::default());
    probe.start(Moment::now(), &mut samples);
    probe.sample(Moment::now(), &mut samples);
    probe.sample(Moment::now(), &mut samples);
    let mut seen = Seen::default();
    Box::new(probe).tell(&mut seen);
    let facts = seen.observed.sockets.unwrap();
    assert_eq!((facts.looks, facts.queue_looks), (0, Some(2)));
    assert_eq!(facts.looks_at_queues(), 2);
}

#[test]
fn ports_in_use_are_counted_by_where_their_connections_lead() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let connect = |_| TcpStream::connect(address).unwrap();
    // whoever opened them closes them first
    let closed: Vec<_> = (0..5).map(connect).collect();
    drop(closed);
    for _ in 0..5 {
        drop(listener.accept().unwrap());
    }
    let open: Vec<_> = (0..2).map(connect).collect();
    let range = kernel::local_ports().unwrap();
    let wanted = PortFacts {
        to: address.to_string(),
        used: 7,
        of: range.len() as u32,
    };
    let seen = eventually(Duration::from_secs(10), || {
        let mut own = listed(&HAS_PORT, MOST_KEPT).unwrap_or_default();
        own.retain(|of| [of.local.port(), of.remote.port()].contains(&address.port()));
        ports(&own, &range) == Some(wanted.clone())
    });
    assert!(seen, "{wanted:?}");
    drop(open);
}
