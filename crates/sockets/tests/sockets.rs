//! The kernel's list and its table tell the same of the same sockets.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Write as _;
use std::net::{TcpListener, TcpStream};
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::fs::MetadataExt as _;
use std::sync::{Mutex, PoisonError};

use sockets::{Socket, State, all, held_by, list, listeners, read};

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

#[test]
fn a_list_has_what_the_table_has() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    for at in ["127.0.0.1:0", "[::1]:0"] {
        let (listener, client, server) = place(at);
        let address = listener.local_addr().unwrap();
        for (state, expected) in [(State::Listens, 1), (State::Connected, 2)] {
            let listed = of_port(list(&[state], usize::MAX).unwrap(), address.port());
            assert_eq!(listed.len(), expected, "{listed:?}");
            assert_eq!(listed, of_port(read(state), address.port()));
            assert_eq!(listed, of_port(all(state), address.port()));
        }
        let connected = of_port(all(State::Connected), address.port());
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
    let listed = of_port(list(&both, usize::MAX).unwrap(), address.port());
    assert_eq!(listed.len(), 1 + 2 * 200);
    assert_eq!(list(&both, 50).unwrap().len(), 51);
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
