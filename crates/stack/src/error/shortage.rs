//! What a machine runs out of, by the system's numbers: whoever meets it first, the reason is told by its name.

use std::path::Path;

use rustix::io::Errno;

use crate::path;

/// What programs say of it (`strerror(3)`, and Python's and Ruby's own words).
const WORDS: [(&str, Errno); 8] = [
    ("No space left on device", Errno::NOSPC),
    ("Disk quota exceeded", Errno::DQUOT),
    ("Too many open files in system", Errno::NFILE),
    ("Too many open files", Errno::MFILE),
    ("Cannot allocate memory", Errno::NOMEM),
    ("MemoryError", Errno::NOMEM),
    ("Resource temporarily unavailable", Errno::AGAIN),
    ("can't start new thread", Errno::AGAIN),
];

/// How every attempt to find free ports is named.
pub(crate) const CHOOSING: &str = "choosing ports";

/// A disk with less than this is full: a server's files are of kilobytes.
const ROOM: u64 = 64 << 10;

/// The number of what a program says that it ran out of.
pub(crate) fn told(text: &str) -> Option<i32> {
    let said = WORDS.iter().find(|(words, _)| text.contains(words));
    said.map(|(_, number)| number.raw_os_error())
}

/// The number if it is one of those.
pub(crate) fn of(error: &std::io::Error) -> Option<i32> {
    let number = Errno::from_io_error(error)?;
    let known = WORDS.iter().any(|(_, known)| *known == number);
    known.then(|| number.raw_os_error())
}

/// The number where the kernel had no port left: for `doing`, which asks for free ones, or for a connection of weir's own,
/// as an error's text says. A server that says so was given an address that is not this machine's.
pub(crate) fn of_ports(text: &str) -> Option<i32> {
    let text = text.to_lowercase();
    let none = text.contains("cannot assign requested address");
    let choosing = text.starts_with(CHOOSING) && text.contains("address already in use");
    (none || choosing).then(|| Errno::ADDRNOTAVAIL.raw_os_error())
}

/// Whether the disk of a file or folder has no room left.
pub(crate) fn is_full(path: &Path) -> bool {
    rustix::fs::statvfs(path).is_ok_and(|there| there.f_bavail * there.f_frsize < ROOM)
}

/// The number of what ran out: as the texts say, or because the disk of `path` is full.
pub(crate) fn seen(text: &str, path: &Path) -> Option<i32> {
    let full = || is_full(path).then(|| Errno::NOSPC.raw_os_error());
    told(text).or_else(full)
}

/// What is said of it.
pub(crate) fn words(number: i32) -> String {
    match Errno::from_raw_os_error(number) {
        Errno::NOSPC | Errno::DQUOT => {
            format!("the disk of `{}` is full", path::temporary().display())
        }
        Errno::MFILE | Errno::NFILE => "there are too many open files".to_owned(),
        Errno::AGAIN => "there are too many processes or threads".to_owned(),
        Errno::ADDRNOTAVAIL => "no local port is free".to_owned(),
        _ => "there is too little memory".to_owned(),
    }
}

/// What to do about it.
pub(crate) fn hint(number: i32) -> String {
    match Errno::from_raw_os_error(number) {
        Errno::NOSPC | Errno::DQUOT => {
            "free some of it, or set TMPDIR to a folder on a disk with more room".to_owned()
        }
        Errno::MFILE | Errno::NFILE => "raise the limit first: `ulimit -n 1024`".to_owned(),
        Errno::ADDRNOTAVAIL => {
            "wait a minute, as ports of closed connections become free again, or widen the range: \
             `sysctl net.ipv4.ip_local_port_range`"
                .to_owned()
        }
        Errno::AGAIN => {
            "raise the limit (`ulimit -u`, or the container's on processes), or end some".to_owned()
        }
        _ => "free some, or raise the limit (`ulimit -v`, or the container's on memory)".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_words_are_known() {
        let out = "OSError: [Errno 24] Too many open files: '/x'";
        assert_eq!(told(out), Some(24));
        assert_eq!(told("ModuleNotFoundError: No module named 'x'"), None);
        assert_eq!(of(&std::io::Error::from_raw_os_error(28)), Some(28));
        assert_eq!(of(&std::io::Error::from_raw_os_error(11)), Some(11));
        assert_eq!(of(&std::io::Error::from_raw_os_error(2)), None);
        assert!(!is_full(Path::new("/nowhere/at/all")));
        let none = of_ports("Cannot assign requested address (os error 99)");
        assert_eq!(none, Some(Errno::ADDRNOTAVAIL.raw_os_error()));
        assert_eq!(of_ports("choosing ports: Address already in use"), none);
        assert_eq!(of_ports("binding: Address already in use"), None);
    }
}
