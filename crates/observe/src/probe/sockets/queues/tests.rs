use sockets::State;

use super::*;

fn queue(address: &str, inode: u64, waiting: u32) -> AcceptQueue {
    AcceptQueue {
        address: address.to_owned(),
        inode,
        waiting,
        room: 8,
    }
}

/// An end of an open connection at this address.
fn end(local: &str, unread: u32, inode: u64) -> Socket {
    Socket {
        state: State::Connected,
        local: local.parse().unwrap(),
        remote: "127.0.0.1:40000".parse().unwrap(),
        inode,
        user: 0,
        unread,
        room: None,
        unacknowledged: 0,
    }
}

#[test]
fn of_several_queues_at_one_address_the_longest_counts() {
    let mut queues = Queues::default();
    let two = |one, other| vec![queue("here", 1, one), queue("here", 2, other)];
    queues.open(two(99, 99), &BTreeMap::from([(2, "app")]));
    queues.look(two(3, 7));
    assert_eq!(queues.told()[0].unread, None, "nobody looked");
    queues.count_open(&[]);
    queues.look(two(9, 9));
    queues.count_open(&[]);
    queues.look(two(1, 0));
    queues.count_open(&[]);
    assert_eq!(queues.waiting(), BTreeMap::from([("app", 1)]));
    // it is gone, and nobody's
    queues.look(vec![queue("there", 3, 5)]);
    queues.count_open(&[]);
    assert!(queues.waiting().is_empty());
    let told = QueueFacts {
        program: "app".to_owned(),
        address: "here".to_owned(),
        waiting: 9,
        room: 8,
        full: 1,
        dropped: None,
        unread: Some(7 + 9 + 1),
        unaccepted: Some(7 + 9 + 1),
        accepted: None,
    };
    assert_eq!(queues.told(), [told]);
}

/// Over TCP whatever came to the listener's port and is not read, in the queue or not; over a Unix socket what is in the queue.
#[test]
fn what_is_accepted_and_what_nobody_has_read_is_counted_where_it_came_to() {
    let mut queues = Queues::default();
    let owners = BTreeMap::from([(1, "all"), (2, "tcp"), (3, "unix"), (4, "six")]);
    // in the order in which they are told
    let places = [
        ("/run/app", 3),
        ("0.0.0.0:81", 1),
        ("127.0.0.1:80", 2),
        ("[::]:81", 4),
    ];
    let now = || Vec::from(places.map(|(place, inode)| queue(place, inode, 2)));
    queues.open(now(), &owners);
    // with bytes that nobody has read, and with the inode that an accepted one has
    let open = [
        end("127.0.0.1:80", 7, 0),
        end("127.0.0.1:80", 0, 5),
        end("127.0.0.1:80", 0, 6),
        end("[::ffff:127.0.0.1]:80", 7, 7),
        end("10.0.0.7:81", 7, 8),
        end("[::1]:81", 7, 0),
        // whoever opened one, and one of no listener
        end("127.0.0.1:50001", 0, 9),
        end("127.0.0.1:82", 7, 10),
    ];
    for open in [&open[..], &[]] {
        queues.look(now());
        queues.count_open(open);
    }
    let told = queues.told();
    let counts: Vec<_> = told
        .iter()
        .map(|of| (&*of.program, of.unread, of.unaccepted, of.accepted))
        .collect();
    let wanted = [
        ("unix", Some(4), Some(4), None),
        ("all", Some(1), Some(0), Some(1)),
        ("tcp", Some(2), Some(1), Some(3)),
        ("six", Some(1), Some(1), Some(0)),
    ];
    assert_eq!(counts, wanted);
}

#[test]
fn addresses_beyond_the_bound_are_not_kept() {
    let mut queues = Queues::default();
    queues.open(vec![queue("own", 0, 0)], &BTreeMap::from([(0, "app")]));
    let many = (1..=2 * MOST as u64).map(|inode| queue(&inode.to_string(), inode, 1));
    queues.look(many.collect());
    queues.look(vec![queue("own", 0, 7)]);
    assert_eq!(queues.0.len(), MOST);
    assert_eq!(queues.told()[0].waiting, 7);
}

#[test]
fn who_listens_over_tcp_is_of_the_programs_as_far_as_they_are_known() {
    let mut queues = Queues::default();
    let places = [("/run/app", 1, 9), ("10.0.0.1:80", 2, 3), ("[::]:81", 3, 5)];
    let now = || Vec::from(places.map(|(place, inode, waiting)| queue(place, inode, waiting)));
    queues.open(now(), &BTreeMap::from([(1, "app")]));
    assert_eq!(queues.ports(), BTreeSet::from([80, 81]));
    assert_eq!(queues.longest(), 5);
    queues.open(now(), &BTreeMap::from([(2, "app")]));
    assert_eq!(queues.ports(), BTreeSet::from([80]));
    assert_eq!(queues.longest(), 3);
    queues.look(Vec::new());
    assert_eq!(queues.longest(), 0, "nobody listens any more");
}

#[test]
fn what_was_turned_away_before_does_not_count() {
    let mut queues = Queues::default();
    let now = || Vec::from([1, 2, 3].map(|inode| queue("here", inode, 0)));
    queues.open(now(), &BTreeMap::from([(1, "app")]));
    queues.look(now());
    // the second began later, and the third is gone
    let before = BTreeMap::from([(1, 40), (3, 9)]);
    queues.count_dropped(&before, &BTreeMap::from([(1, 42), (2, 5)]));
    assert_eq!(queues.told()[0].dropped, Some(7));
    queues.count_dropped(&before, &BTreeMap::new());
    assert_eq!(queues.told()[0].dropped, None);
}
