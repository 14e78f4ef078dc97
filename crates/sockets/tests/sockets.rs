//! The kernel's list and its table tell the same of the same sockets.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Write as _;
use std::net::{TcpListener, TcpStream};
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};
use std::sync::{Mutex, PoisonError};

use sockets::{
    AcceptQueue, Socket, State, UnixConnection, all, connections, held_by, list, listeners, read,
    read_of, turned_away, unix_connections, unix_queues,
};

/// One test at a time: the kernel looks through its sockets in pieces, and between two of them the other test's would move.
static ALONE: Mutex<()> = Mutex::new(());

/// A listener, a connection to it, and what has been sent over that.
fn place(at: &str) -> (TcpListener, TcpStream, TcpStream) {
    let listener = TcpListener::bind(at).unwrap();
    let mut client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let (server, _) = listener.accept().unwrap();
    client.write_all(b"five!").unwrap();
    (listener, client, server)
}

fn of_port(sockets: Vec<Socket>, port: u16) -> Vec<Socket> {
    let mut own = sockets;
    own.retain(|of| [of.local.port(), of.remote.port()].contains(&port));
    own.sort_by_key(|of| of.inode);
    // the kernel may tell of one twice while others come and go
    own.dedup();
    own
}

/// What a look finds, once there are so many: while others on the machine open and close sockets the kernel passes over one
/// now and then.
fn found<T>(count: usize, look: impl Fn() -> Vec<T>) -> Vec<T> {
    let mut seen = look();
    for _ in 0..100 {
        if seen.len() == count {
            break;
        }
        seen = look();
    }
    seen
}

/// As the table has them, which does not tell how many may wait.
fn as_in_the_table(sockets: &[Socket]) -> Vec<Socket> {
    let all = sockets.iter().cloned();
    all.map(|of| Socket { room: None, ..of }).collect()
}

#[test]
fn a_list_has_what_the_table_has() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    for at in ["127.0.0.1:0", "[::1]:0"] {
        let (listener, client, server) = place(at);
        let address = listener.local_addr().unwrap();
        let port = address.port();
        for (state, expected) in [(State::Listens, 1), (State::Connected, 2)] {
            let listed = found(expected, || {
                of_port(list(&[state], usize::MAX).unwrap(), port)
            });
            assert_eq!(listed.len(), expected, "{listed:?}");
            let read = found(expected, || of_port(read(state), port));
            assert_eq!(as_in_the_table(&listed), read);
            let own = || of_port(read_of(std::process::id(), state), port);
            assert_eq!(read, found(expected, own));
            assert_eq!(listed, found(expected, || of_port(all(state), port)));
        }
        let connected = found(2, || of_port(all(State::Connected), port));
        let own = connected.iter().find(|of| of.local == address).unwrap();
        assert_eq!(own.remote, client.local_addr().unwrap());
        assert_eq!(own.unread, 5, "{own:?}");
        let file = File::from(server.as_fd().try_clone_to_owned().unwrap());
        assert_eq!(own.inode, file.metadata().unwrap().ino());
        assert!(held_by(std::process::id()).any(|inode| inode == own.inode));
    }
}

/// More sockets than one message of the kernel's holds, and closed ones that it keeps.
#[test]
fn many_are_listed_as_far_as_is_asked_and_closed_ones_are_not() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let pair = |_| {
        (
            TcpStream::connect(address).unwrap(),
            listener.accept().unwrap(),
        )
    };
    let mut open: Vec<_> = (0..300).map(pair).collect();
    open.drain(..100);
    let both = [State::Connected, State::Listens];
    let wanted = 1 + 2 * 200;
    let listed = found(wanted, || {
        of_port(list(&both, usize::MAX).unwrap(), address.port())
    });
    assert_eq!(listed.len(), wanted);
    assert_eq!(list(&both, 50).unwrap().len(), 51);
    // who closed first keeps its port
    let kept = found(100, || {
        let mut kept = of_port(all(State::Kept), address.port());
        kept.retain(|of| of.remote == address);
        kept
    });
    assert_eq!(kept.len(), 100);
}

#[test]
fn who_waits_to_be_accepted_is_counted_where_it_waits() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let waiting = [(); 2].map(|()| TcpStream::connect(address).unwrap());
    // what a client takes for open may still be on its way to the queue
    let listed = found(1, || {
        let mut own = of_port(all(State::Listens), address.port());
        own.retain(|of| of.unread == 2);
        own
    });
    let queue = listed[0].queue().unwrap();
    assert_eq!((queue.address, queue.waiting), (address.to_string(), 2));
    assert!(queue.room >= 2, "{listed:?}");
    let away = found(1, || {
        let all = turned_away().unwrap().into_iter();
        all.filter(|(inode, _)| *inode == queue.inode).collect()
    });
    assert_eq!(away, [(queue.inode, 0)], "there was room for all");
    drop(waiting);

    let name = format!("weir-queue-{}", std::process::id());
    let place = format!("@{name}");
    let address = SocketAddr::from_abstract_name(&name).unwrap();
    let listener = UnixListener::bind_addr(&address).unwrap();
    let waiting = [(); 3].map(|()| UnixStream::connect_addr(&address).unwrap());
    let queues = unix_queues(usize::MAX).unwrap();
    let own: Vec<&AcceptQueue> = queues.iter().filter(|of| of.address == place).collect();
    let [queue] = own[..] else {
        panic!("{queues:?}")
    };
    assert_eq!(queue.waiting, 3, "{queue:?}");
    assert!(queue.room >= 3, "{queue:?}");
    let file = File::from(OwnedFd::from(listener));
    assert_eq!(queue.inode, file.metadata().unwrap().ino());
    drop(waiting);
}

#[test]
fn both_ends_of_a_connection_over_unix_are_told_with_where_it_leads() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let name = format!("weir-ends-{}", std::process::id());
    let place = format!("@{name}");
    let address = SocketAddr::from_abstract_name(&name).unwrap();
    let listener = UnixListener::bind_addr(&address).unwrap();
    let client = UnixStream::connect_addr(&address).unwrap();
    let (server, _) = listener.accept().unwrap();
    let mut told = unix_connections(usize::MAX).unwrap();
    told.retain(|of| of.address == place);
    let inode = |of: OwnedFd| File::from(of).metadata().unwrap().ino();
    let wanted = UnixConnection {
        address: place,
        inode: inode(server.into()),
        peer: inode(client.into()),
    };
    assert_eq!(told, [wanted]);
}

#[test]
fn what_tcp_knows_of_a_connection_is_told_of_both_ends() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let (listener, client, server) = place("127.0.0.1:0");
    let address = listener.local_addr().unwrap();
    let ends = found(2, || {
        let mut ends = connections(usize::MAX).unwrap();
        ends.retain(|of| [of.local, of.remote].contains(&address));
        ends
    });
    assert_eq!(ends.len(), 2, "{ends:?}");
    let theirs = ends.iter().find(|of| of.remote == address).unwrap();
    assert_eq!(theirs.local, client.local_addr().unwrap());
    assert_eq!((theirs.segments, theirs.retransmitted), (1, 0));
    assert!(theirs.rtt > 0.0 && theirs.rtt < 10.0, "{ends:?}");
    let own = ends.iter().find(|of| of.local == address).unwrap();
    assert_eq!(own.segments, 0, "it has sent nothing");
    let file = File::from(OwnedFd::from(server));
    assert_eq!(own.inode, file.metadata().unwrap().ino());
}

/// A program whose sockets are all of IPv6 (Java) has `::ffff:127.0.0.1` where others have `127.0.0.1`.
#[test]
fn who_listens_is_found_however_the_address_is_written() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    for (at, everywhere) in [
        ("127.0.0.1:0", false),
        ("[::ffff:127.0.0.1]:0", false),
        ("0.0.0.0:0", true),
        ("[::ffff:0.0.0.0]:0", true),
        ("[::]:0", true),
    ] {
        let listener = TcpListener::bind(at).unwrap();
        let port = listener.local_addr().unwrap().port();
        let found = listeners(([127, 0, 0, 1], port).into());
        let elsewhere = listeners(([127, 0, 0, 2], port).into());
        let file = File::from(OwnedFd::from(listener));
        let inode = file.metadata().unwrap().ino();
        assert_eq!(found, BTreeSet::from([inode]), "{at}");
        assert_eq!(elsewhere.contains(&inode), everywhere, "{at}");
    }
}

#[test]
fn nobody_holds_what_a_process_that_is_gone_had() {
    assert_eq!(held_by(u32::MAX / 2).count(), 0);
}
