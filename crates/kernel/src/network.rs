use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::marker::PhantomData;
use std::net::IpAddr;
use std::os::fd::AsFd as _;
use std::path::{Path, PathBuf};

use nix::sched::{CloneFlags, unshare};
use rustix::net::{AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType};
use rustix::thread::{LinkNameSpaceType, move_into_link_name_space};

/// The network of the calling thread. `/proc/self` and `/proc/net` have that of the process's main thread.
const HERE: &str = "/proc/thread-self/ns/net";
/// Where the kernel keeps the settings of a network: those of the thread that looks.
const SETTINGS: &str = "/proc/sys/net";

/// The first interface of every network.
const LOOPBACK: i32 = 1;
/// Kinds of addresses: `AF_INET` and `AF_INET6`.
const INET: u8 = 2;
const INET6: u8 = 10;
/// Bytes before a message to the kernel.
const HEADER: usize = 16;
/// Such a message is a request, and is acknowledged: `NLM_F_REQUEST` and `NLM_F_ACK`.
const ASKED: u16 = 5;
/// It may make something: `NLM_F_CREATE`.
const CREATE: u16 = 0x400;
/// An address of IPv6 that is used at once, without asking who else has it: `IFA_F_NODAD`.
const NO_QUESTION: u8 = 2;

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

    /// Gives its loopback interface an address more, so that what is sent there arrives here. One that it has already is
    /// none more.
    ///
    /// # Errors
    /// The kernel does not speak this kind of address.
    pub fn take_in(&self, address: IpAddr) -> io::Result<()> {
        let (family, bits, bytes) = match address {
            IpAddr::V4(address) => (INET, 32, address.octets().to_vec()),
            IpAddr::V6(address) => (INET6, 128, address.octets().to_vec()),
        };
        // an `ifaddrmsg`: family, prefix, flags, scope and interface; then the address as that of both ends
        let header = [family, bits, NO_QUESTION, libc::RT_SCOPE_HOST];
        let mut message = [&header[..], &LOOPBACK.to_ne_bytes()].concat();
        for attribute in [libc::IFA_LOCAL, libc::IFA_ADDRESS] {
            let length = 4 + u16::from(bits / 8);
            message.extend(length.to_ne_bytes());
            message.extend(attribute.to_ne_bytes());
            message.extend(&bytes);
        }
        match ask(libc::RTM_NEWADDR, CREATE, &message) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            asked => asked,
        }
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

/// Brings up the loopback interface, which is down in a new network, by an `ifinfomsg`.
fn raise_loopback() -> io::Result<()> {
    let message = [
        &[0; 4][..], // any family, any kind of device
        &LOOPBACK.to_ne_bytes(),
        &libc::IFF_UP.to_ne_bytes(), // what its flags are to be
        &libc::IFF_UP.to_ne_bytes(), // and which of them change
    ];
    ask(libc::RTM_NEWLINK, 0, &message.concat())
}

/// Asks the kernel for a change of this thread's network, and waits for what it says (`rtnetlink(7)`).
fn ask(kind: u16, flags: u16, message: &[u8]) -> io::Result<()> {
    let length = u32::try_from(HEADER + message.len()).map_err(io::Error::other)?;
    let request = [
        &length.to_ne_bytes()[..],
        &kind.to_ne_bytes(),
        &(ASKED | flags).to_ne_bytes(),
        &[0; 8], // its number and its sender
        message,
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
