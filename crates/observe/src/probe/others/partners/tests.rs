//! Whom the stack uses, of made-up sockets and of real programs that are no children of weir's.

use std::io::{BufRead as _, BufReader, Lines, Write as _};
use std::net::{TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::process::{ChildStdin, ChildStdout, Command, Stdio};

use record::Moment;

use super::*;
use crate::probe::Probe as _;
use crate::probe::others::OtherPrograms;
use crate::samples::Samples;

/// Lets go of whoever started it.
const LEAVES: &str = "import os, socket, sys, time\n\
    if os.fork():\n    \
        os._exit(0)\n\
    at = sys.argv[1]\n";

/// Listens on a Unix socket, or a TCP port of the kernel's choice.
const LISTENS: &str = "if '/' in at:\n    \
        own = socket.socket(socket.AF_UNIX)\n    \
        own.bind(at)\n    \
        own.listen()\n\
    else:\n    \
        own = socket.create_server((at, 0))\n    \
        at = own.getsockname()[1]\n\
    print(os.getpid(), at, flush=True)\n\
    other = own.accept()\n";

/// Listens on a TCP port in front of another one.
const STANDS_BEFORE: &str = "behind = socket.create_connection(('127.0.0.1', int(at)))\n\
    own = socket.create_server(('127.0.0.1', 0))\n\
    print(os.getpid(), own.getsockname()[1], flush=True)\n\
    other = own.accept()\n";

/// Connects to a TCP port.
const CONNECTS: &str = "other = socket.create_connection(('127.0.0.1', int(at)))\n\
    print(os.getpid(), at, flush=True)\n";

/// Uses CPU time when it is told to, and ends when nobody tells it anything any more.
const BURNS: &str = "if not sys.stdin.readline():\n    \
        os._exit(0)\n\
    end = time.process_time() + 0.2\n\
    while time.process_time() < end:\n    \
        pass\n\
    print('done', flush=True)\n\
    sys.stdin.read()\n";

/// A program that does not descend from weir.
struct Stranger {
    pid: i32,
    at: String,
    said: Lines<BufReader<ChildStdout>>,
    tell: ChildStdin,
}

impl Stranger {
    fn start(role: &str, at: &str) -> Self {
        let mut parent = Command::new("python3")
            .args(["-c", &format!("{LEAVES}{role}{BURNS}"), at])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let tell = parent.stdin.take().unwrap();
        let mut said = BufReader::new(parent.stdout.take().unwrap()).lines();
        parent.wait().unwrap();
        let line = said.next().unwrap().unwrap();
        let (pid, at) = line.split_once(' ').unwrap();
        Self {
            pid: pid.parse().unwrap(),
            at: at.to_owned(),
            said,
            tell,
        }
    }

    fn burn(&mut self) {
        self.tell.write_all(b"go\n").unwrap();
        assert_eq!(self.said.next().unwrap().unwrap(), "done");
    }
}

#[test]
fn what_the_stack_is_connected_to_is_told_apart_from_what_is_connected_to_it() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("database.sock");
    let stack = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = stack.local_addr().unwrap().port().to_string();
    let mut strangers = [
        Stranger::start(LISTENS, "127.0.0.1"),
        Stranger::start(LISTENS, path.to_str().unwrap()),
        Stranger::start(CONNECTS, &port),
    ];
    let port: u16 = strangers[0].at.parse().unwrap();
    let over_tcp = TcpStream::connect(("127.0.0.1", port)).unwrap();
    let over_unix = UnixStream::connect(&path).unwrap();
    let from_outside = stack.accept().unwrap();

    let programs = vec![(std::process::id(), "app".to_owned())];
    let mut probe = OtherPrograms::of_stack(programs);
    let mut samples = Samples::default();
    probe.start(Moment::now(), &mut samples);
    strangers.iter_mut().for_each(Stranger::burn);
    probe.stop(Moment::now(), &mut samples);
    drop((over_tcp, over_unix, from_outside));

    let is_partner = strangers.each_ref().map(|stranger| {
        let mut used = probe.used.iter();
        let own = used.find(|((pid, _), _)| *pid == stranger.pid);
        own.map(|(_, of)| of.is_of(&probe.partners))
    });
    assert_eq!(is_partner, [Some(true), Some(true), Some(false)]);
    let (others, partners) = probe.told(crate::cores());
    let (others, partners) = (others.unwrap(), partners.unwrap());
    assert!(others.seconds >= 0.15, "{others:?}");
    assert!(partners.seconds >= 0.3, "{partners:?}");
    assert_eq!(partners.programs[0].processes, 2, "{partners:?}");
}

/// A pool of connections is followed to its database, and that to nothing.
#[test]
fn what_stands_between_is_followed_by_one_step() {
    let far = Stranger::start(LISTENS, "127.0.0.1");
    let database = Stranger::start(STANDS_BEFORE, &far.at);
    let pool = Stranger::start(STANDS_BEFORE, &database.at);
    let port: u16 = pool.at.parse().unwrap();
    let connection = TcpStream::connect(("127.0.0.1", port)).unwrap();
    let programs = vec![(std::process::id(), "app".to_owned())];
    let search = Search::of_stack(programs);
    let found = search.find(usize::MAX, |_| false);
    let shunned = search.find(usize::MAX, |pid| pid == pool.pid);
    drop(connection);
    let is_found = [&pool, &database, &far].map(|of| found.contains(&of.pid));
    assert_eq!(is_found, [true, true, false]);
    let behind_kin = shunned.contains(&database.pid);
    assert!(!behind_kin, "what is behind weir's own is not followed");
}

#[test]
fn what_a_connection_leads_to_in_a_container_is_found_there() {
    let open = |from, to, inode| socket(State::Connected, [from, to], inode);
    let here = [
        open("172.17.0.1:40001", "172.17.0.2:5432", 12),
        open("172.17.0.1:40002", "10.0.0.3:6379", 14),
        open("172.17.0.1:40003", "172.17.0.2:6379", 15),
    ];
    let leads = leading_away(&here, &BTreeSet::from([12, 14]));
    assert_eq!(leads.len(), 2);
    let listens = |at, inode| socket(State::Listens, [at, "0.0.0.0:0"], inode);
    let listeners = [listens("0.0.0.0:5432", 3), listens("[::]:6379", 4)];
    let there = [
        open("172.17.0.2:5432", "172.17.0.1:40001", 13),
        open("172.17.0.2:6379", "172.17.0.1:40003", 16),
    ];
    let asked = networks::asked(&leads, &there, &listeners);
    assert_eq!(asked, Listeners::from([(3, 112)]));
    // of another container with the same address
    assert!(networks::asked(&leads, &[], &listeners).is_empty());
}

fn socket(state: State, [local, remote]: [&str; 2], inode: u64) -> Socket {
    Socket {
        state,
        local: local.parse().unwrap(),
        remote: remote.parse().unwrap(),
        inode,
        user: 112,
        unread: 0,
        room: None,
        unacknowledged: 0,
    }
}

#[test]
fn only_others_that_listen_on_this_machine_are_looked_for() {
    let listens = |at, inode| socket(State::Listens, [at, "0.0.0.0:0"], inode);
    let open = |from, to, inode| socket(State::Connected, [from, to], inode);
    let sockets = [
        listens("127.0.0.1:8000", 1),
        listens("[::]:8000", 2),
        listens("0.0.0.0:5432", 3),
        listens("0.0.0.0:6379", 4),
        // within the stack
        open("127.0.0.1:40000", "127.0.0.1:8000", 10),
        open("127.0.0.1:8000", "127.0.0.1:40000", 11),
        // from the stack to another program
        open("127.0.0.1:40001", "127.0.0.1:5432", 12),
        open("[::ffff:127.0.0.1]:5432", "[::ffff:127.0.0.1]:40001", 13),
        // to another machine
        open("10.0.0.2:40002", "10.0.0.3:6379", 14),
        // between other programs
        open("127.0.0.1:40003", "127.0.0.1:6379", 15),
        open("127.0.0.1:6379", "127.0.0.1:40003", 16),
    ];
    let held = BTreeSet::from([1, 10, 11, 12, 14]);
    assert_eq!(over_tcp(&sockets, &held), Listeners::from([(3, 112)]));
}

#[test]
fn a_user_for_one_service_is_neither_root_nor_a_person_nor_who_runs_weir() {
    let users = [0, 33, 112, 999, 1000].into_iter();
    assert_eq!(of_services(users, 33), BTreeSet::from([112, 999]));
}
