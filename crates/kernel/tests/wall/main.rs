//! What the kernel promises, seen from outside.

mod networks;

use std::fs::File;
use std::io::{Read as _, Write as _, pipe};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use kernel::{
    bind_without_port, choose_port_among, local_ports, open_descriptors, own_file_table, prefetch,
    tcp_info,
};
use rustix::net::{AddressFamily, SocketType, connect, socket};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Numbers of the descriptors that the calling thread has, but for the folder's own.
fn descriptors() -> Vec<i32> {
    let folder = std::fs::read_dir("/proc/thread-self/fd").unwrap();
    let mut numbers: Vec<i32> = folder
        .map(|entry| {
            entry
                .unwrap()
                .file_name()
                .to_str()
                .unwrap()
                .parse()
                .unwrap()
        })
        .collect();
    numbers.sort_unstable();
    numbers.pop(); // the last was opened to read the folder
    numbers
}

#[test]
fn a_table_of_ones_own_begins_with_the_standard_streams() {
    let _others: Vec<File> = (0..50).map(|_| File::open("/dev/null").unwrap()).collect();
    let seen = thread::spawn(|| {
        own_file_table().unwrap();
        descriptors()
    });
    assert!(seen.join().unwrap().iter().all(|number| *number <= 2));
}

/// As many as the limit in one thread, and as many again in another: what one process could not
/// have in one table.
#[test]
fn each_table_has_the_whole_limit() {
    let maximum = getrlimit(Resource::Nofile).maximum;
    let current = Some(1024);
    setrlimit(Resource::Nofile, Rlimit { current, maximum }).unwrap();
    let each = 1000;
    let (ready, both) = channel();
    let threads: Vec<_> = (0..2)
        .map(|_| {
            let ready = ready.clone();
            let (go, wait) = channel::<()>();
            let thread = thread::spawn(move || {
                own_file_table().unwrap();
                let open: Vec<File> = (0..each)
                    .map(|_| File::open("/dev/null").unwrap())
                    .collect();
                ready.send(descriptors().len()).unwrap();
                let _ = wait.recv(); // until the other has as many, too
                drop(open);
            });
            (go, thread)
        })
        .collect();
    for _ in &threads {
        assert!(both.recv().unwrap() >= each);
    }
    assert!(descriptors().len() < each, "the process has its own table");
    for (go, thread) in threads {
        drop(go);
        thread.join().unwrap();
    }
}

#[test]
fn what_the_process_has_open_is_counted() {
    let _open: Vec<File> = (0..90).map(|_| File::open("/dev/null").unwrap()).collect();
    let counted = open_descriptors();
    assert!(counted > 90, "{counted}");
}

/// A copy of the writing end would keep the pipe open for as long as the thread lives.
#[test]
fn what_others_close_is_closed() {
    let (mut reading, writing) = pipe().unwrap();
    let (ready, begun) = channel();
    let (end, wait) = channel::<()>();
    let thread = thread::spawn(move || {
        own_file_table().unwrap();
        ready.send(()).unwrap();
        let _ = wait.recv();
    });
    begun.recv().unwrap();
    drop(writing);
    let mut rest = Vec::new();
    assert_eq!(reading.read_to_end(&mut rest).unwrap(), 0);
    drop(end);
    thread.join().unwrap();
}

/// What a thread leaves open ends with it, and the process's descriptors are as they were.
#[test]
fn a_table_ends_with_its_thread() {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let address = listener.local_addr().unwrap();
    let thread = thread::spawn(move || {
        own_file_table().unwrap();
        std::mem::forget(TcpStream::connect(address).unwrap());
    });
    let (mut accepted, _) = listener.accept().unwrap();
    thread.join().unwrap();
    accepted
        .set_read_timeout(Some(Duration::from_secs(20)))
        .unwrap();
    assert_eq!(accepted.read(&mut [0]).unwrap(), 0, "closed by the kernel");
}

#[test]
fn the_kernel_tells_about_a_connection() {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let mut client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let (mut server, _) = listener.accept().unwrap();
    client.write_all(b"ping").unwrap();
    server.read_exact(&mut [0; 4]).unwrap();
    server.write_all(b"pong").unwrap();
    client.read_exact(&mut [0; 4]).unwrap();
    let info = tcp_info(&client).unwrap();
    assert!(
        info.rtt > Duration::ZERO && info.rtt < Duration::from_secs(1),
        "{info:?}"
    );
    assert!(info.congestion_window > 0, "{info:?}");
    assert_eq!(info.retransmits, 0, "loopback loses nothing");
}

#[test]
fn only_tcp_sockets_have_it() {
    let (socket, _peer) = UnixStream::pair().unwrap();
    assert!(tcp_info(&socket).is_err());
    assert!(tcp_info(File::open("/dev/null").unwrap()).is_err());
}

fn from(source: [u8; 4], to: SocketAddr) -> OwnedFd {
    let socket = socket(AddressFamily::INET, SocketType::STREAM, None).unwrap();
    bind_without_port(&socket, Ipv4Addr::from(source).into()).unwrap();
    connect(&socket, &to).unwrap();
    socket
}

#[test]
fn a_connection_leaves_from_the_address_that_it_was_bound_to() {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let _client = from([127, 0, 7, 9], listener.local_addr().unwrap());
    let (_, peer) = listener.accept().unwrap();
    assert_eq!(peer.ip(), Ipv4Addr::new(127, 0, 7, 9));
    assert_ne!(peer.port(), 0);
}

/// The port is chosen when the socket connects: bound, it has none.
#[test]
fn binding_takes_no_port() {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let bound = socket(AddressFamily::INET, SocketType::STREAM, None).unwrap();
    bind_without_port(&bound, Ipv4Addr::new(127, 0, 7, 10).into()).unwrap();
    let port = |socket: &OwnedFd| {
        SocketAddr::try_from(rustix::net::getsockname(socket).unwrap())
            .unwrap()
            .port()
    };
    assert_eq!(port(&bound), 0);
    connect(&bound, &listener.local_addr().unwrap()).unwrap();
    assert_ne!(port(&bound), 0);
}

#[test]
fn the_port_is_among_those_that_were_named() {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let first = *local_ports().unwrap().start();
    let few = first + 100..=first + 163;
    let clients: Vec<_> = (0..8)
        .map(|_| {
            let client = socket(AddressFamily::INET, SocketType::STREAM, None).unwrap();
            choose_port_among(&client, Some(few.clone())).unwrap();
            connect(&client, &listener.local_addr().unwrap()).unwrap();
            let (_, peer) = listener.accept().unwrap();
            assert!(few.contains(&peer.port()), "{peer}");
            client
        })
        .collect();
    assert_eq!(clients.len(), 8);
    let any = socket(AddressFamily::INET, SocketType::STREAM, None).unwrap();
    choose_port_among(&any, Some(few)).unwrap();
    choose_port_among(&any, None).unwrap();
    connect(&any, &listener.local_addr().unwrap()).unwrap();
}

#[test]
fn what_is_brought_near_stays_as_it_is() {
    let values = [7_u64; 100];
    prefetch(&values);
    prefetch(&());
    assert_eq!(values, [7; 100]);
}

#[test]
fn an_address_of_another_machine_is_refused() {
    let socket = socket(AddressFamily::INET, SocketType::STREAM, None).unwrap();
    let outcome = bind_without_port(&socket, Ipv4Addr::new(192, 0, 2, 1).into());
    assert_eq!(
        outcome.unwrap_err().kind(),
        std::io::ErrorKind::AddrNotAvailable
    );
}
