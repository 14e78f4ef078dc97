//! Files of others: what stands there may be anything.

use std::fs::File;
use std::io::Read as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

/// Opens a file to read it, if it is one of at most so many bytes. Nothing that is no file is opened, or waited for.
pub(crate) fn regular(path: &Path, largest: u64) -> Option<File> {
    // to open a device may do something, and to open a pipe tells who writes into it that somebody reads
    if !std::fs::metadata(path).ok()?.is_file() {
        return None;
    }
    let nonblocking = rustix::fs::OFlags::NONBLOCK.bits().cast_signed();
    let mut options = File::options();
    let file = options
        .read(true)
        .custom_flags(nonblocking)
        .open(path)
        .ok()?;
    let of = file.metadata().ok()?; // it may be another one by now
    (of.is_file() && of.len() <= largest).then_some(file)
}

/// The text of a file of at most so many bytes.
pub(crate) fn text(path: &Path, largest: u64) -> Option<String> {
    let mut text = String::new();
    let file = regular(path, largest)?;
    // it may grow while it is read
    file.take(largest).read_to_string(&mut text).ok()?;
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_long_or_no_file_is_not_read() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "12345").unwrap();
        assert_eq!(text(file.path(), 5).as_deref(), Some("12345"));
        assert_eq!(text(file.path(), 4), None);
        assert_eq!(text(Path::new("/dev/zero"), u64::MAX), None);
        assert_eq!(text(Path::new("/nowhere"), u64::MAX), None);
    }
}
