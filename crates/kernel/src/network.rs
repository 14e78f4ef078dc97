use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::marker::PhantomData;
use std::os::fd::AsFd as _;
use std::path::{Path, PathBuf};

use nix::sched::{CloneFlags, unshare};
use rustix::net::{AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType};
use rustix::thread::{LinkNameSpaceType, move_into_link_name_space};

/// The network of the calling thread. `/proc/self` and `/proc/net` have that of the process's main thread.
const HERE: &str = "/proc/thread-self/ns/net";
/// Where the kernel keeps the settings of a network: those of the thread that looks.
const SETTINGS: &str = "/proc/sys/net";

/// A network namespace of the calling thread's own, as long as this lives: nothing but a loopback interface is in it,
/// and no packet comes in or gets out.
///
/// What the thread starts meanwhile, processes and threads, is in it as well, and stays in it; sockets stay in the
/// network in which they were made. When this is dropped, the thread is back where it was. The network is gone when
/// nothing is left in it.
#[derive(Debug)]
pub struct OwnNetwork {
    before: File,
    /// It is about one thread, and stays with it.
    thread: PhantomData<*const ()>,
}

impl OwnNetwork {
    /// Makes one, with the settings of TCP that the network before has, as far as the system lets them be set
    /// (`tcp_*`, `ip_local_*` and `somaxconn` of `/proc/sys/net`).
    ///
    /// # Errors
    /// The user may not (`CAP_SYS_ADMIN` is needed), or the kernel knows no network namespaces.
    pub fn enter() -> io::Result<Self> {
        let (before, settings) = (File::open(HERE)?, settings());
        unshare(CloneFlags::CLONE_NEWNET)?;
        let own = Self {
            before,
            thread: PhantomData,
        };
        raise_loopback()?;
        for (file, value) in settings {
            if fs::read_to_string(&file).is_ok_and(|own| own != value) {
                let _ = fs::write(file, value); // some can only be read
            }
        }
        Ok(own)
    }
}

impl Drop for OwnNetwork {
    fn drop(&mut self) {
        // whoever may leave a network may come back to it
        let network = Some(LinkNameSpaceType::Network);
        let _ = move_into_link_name_space(self.before.as_fd(), network);
    }
}

/// What shapes TCP between programs of one machine, by file.
fn settings() -> BTreeMap<PathBuf, String> {
    let folder = Path::new(SETTINGS);
    let files = fs::read_dir(folder.join("ipv4")).into_iter().flatten();
    let files = files.flatten().filter(|file| {
        let name = file.file_name();
        let name = name.to_string_lossy();
        name.starts_with("tcp_") || name.starts_with("ip_local_")
    });
    let files = files.map(|file| file.path());
    let files = files.chain([folder.join("core/somaxconn")]);
    let read = |file: PathBuf| fs::read_to_string(&file).map(|value| (file, value));
    files.filter_map(|file| read(file).ok()).collect()
}

/// Brings up the loopback interface, which is down in a new network: a header, an `ifinfomsg`, and what the kernel
/// answers (`rtnetlink(7)`).
fn raise_loopback() -> io::Result<()> {
    const LENGTH: u32 = 32;
    const ASKED: u16 = 5; // NLM_F_REQUEST and NLM_F_ACK
    const LOOPBACK: i32 = 1; // the first interface of every network
    let request = [
        &LENGTH.to_ne_bytes()[..],
        &libc::RTM_NEWLINK.to_ne_bytes(),
        &ASKED.to_ne_bytes(),
        &[0; 8], // its number and its sender
        &[0; 4], // any family, any kind of device
        &LOOPBACK.to_ne_bytes(),
        &libc::IFF_UP.to_ne_bytes(), // what its flags are to be
        &libc::IFF_UP.to_ne_bytes(), // and which of them change
    ]
    .concat();
    let (family, kind) = (AddressFamily::NETLINK, SocketType::RAW);
    let socket = rustix::net::socket_with(family, kind, SocketFlags::CLOEXEC, None)?;
    rustix::net::send(&socket, &request, SendFlags::empty())?;
    let mut answer = [0; 256];
    let (size, _) = rustix::net::recv(&socket, &mut answer[..], RecvFlags::empty())?;
    // after its header, 0 or an error below it
    let error = answer[..size].get(16..20).and_then(|at| at.try_into().ok());
    match error.map(i32::from_ne_bytes) {
        Some(0) => Ok(()),
        Some(error) => Err(io::Error::from_raw_os_error(-error)),
        None => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}
