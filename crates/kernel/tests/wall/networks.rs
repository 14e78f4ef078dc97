//! Networks of one's own.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use kernel::OwnNetwork;

/// The network of the calling thread, and the names of its interfaces.
fn network() -> (PathBuf, Vec<String>) {
    let folder = Path::new("/proc/thread-self");
    let interfaces = fs::read_to_string(folder.join("net/dev")).unwrap();
    let names = interfaces.lines().filter_map(|line| line.split_once(':'));
    let names = names.map(|(name, _)| name.trim().to_owned());
    (
        fs::read_link(folder.join("ns/net")).unwrap(),
        names.collect(),
    )
}

/// Whether networks can be made, which root alone may.
fn may_make_networks() -> bool {
    let may = rustix::process::geteuid().is_root();
    if !may {
        testkit::may_skip("networks", "networks are made by root");
    }
    may
}

/// Threads and processes are made into it; sockets of before stay where they were made, and so do other threads.
#[test]
fn a_network_of_ones_own_holds_what_is_made_in_it() {
    if !may_make_networks() {
        return;
    }
    let (before, _) = network();
    let outside = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = outside.local_addr().unwrap();
    let own = OwnNetwork::enter().unwrap();
    let (here, interfaces) = network();
    assert_ne!(here, before);
    assert_eq!(interfaces, ["lo"]);
    assert!(
        TcpStream::connect(address).is_err(),
        "what listens outside is not here"
    );
    let inside = TcpListener::bind(address).unwrap();
    let made = thread::spawn(move || {
        TcpStream::connect(address).unwrap();
        network().0
    });
    assert_eq!(made.join().unwrap(), here);
    inside.accept().unwrap();
    let link = Command::new("readlink").arg("/proc/self/ns/net").output();
    let link = String::from_utf8(link.unwrap().stdout).unwrap();
    assert_eq!(Path::new(link.trim()), here);
    drop(own);
    assert_eq!(network().0, before);
    TcpStream::connect(address).unwrap();
    outside.accept().unwrap();
}

/// One within another: what is set there is set in no other.
#[test]
fn a_network_of_ones_own_has_the_settings_of_the_one_before() {
    let setting = Path::new("/proc/sys/net/core/somaxconn");
    let read = || fs::read_to_string(setting).unwrap();
    let before = read();
    if !may_make_networks() {
        return;
    }
    let own = OwnNetwork::enter().unwrap();
    match fs::write(setting, "1234\n") {
        Ok(()) => {
            let inner = OwnNetwork::enter().unwrap();
            assert_eq!(read(), "1234\n");
            drop(inner);
            assert_eq!(read(), "1234\n");
        }
        // as in a container
        Err(error) => testkit::may_skip("networks", &format!("settings of networks: {error}")),
    }
    drop(own);
    assert_eq!(read(), before);
}
