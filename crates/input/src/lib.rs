//! Files that somebody hands over: regular ones, read to a bound; and what gzip or zstd has packed.
//!
//! A device never ends, and a named pipe keeps whoever opens it waiting until somebody writes: neither is
//! what a plan, an entry, a script or a recording is, though each of them can stand under such a name.

mod frames;
mod packed;

use std::fs::{File, FileType, Metadata, OpenOptions};
use std::io::{Error, ErrorKind, Read as _, Result};
use std::os::unix::fs::{FileTypeExt as _, OpenOptionsExt as _};
use std::path::Path;

use rustix::fs::OFlags;

pub use packed::{Unpacked, unpacked};

/// Longest text that is read (a plan, an entry, an app's description, a mix, a script), in bytes: 16 MiB.
pub const LONGEST_TEXT: u64 = 16 << 20;
/// Largest file that is read whole (a request's body, an expected one, a certificate), in bytes: 1 GiB.
pub const LARGEST: u64 = 1 << 30;

/// Opens a file for reading, if it is a regular one.
///
/// # Errors
/// What the system says, or what it is instead, and what to do.
pub fn open(path: &Path) -> Result<File> {
    // To open a device may do something, and to open a pipe is to wait until somebody writes.
    regular(&std::fs::metadata(path)?)?;
    let flags = OFlags::NONBLOCK.bits().cast_signed();
    let file = OpenOptions::new()
        .read(true)
        .custom_flags(flags)
        .open(path)?;
    regular(&file.metadata()?)?; // it may be another one by now
    Ok(file)
}

fn regular(metadata: &Metadata) -> Result<()> {
    match other(metadata.file_type()) {
        Some(kind) => Err(Error::new(
            ErrorKind::InvalidInput,
            format!("{kind}, not a regular file: write what it gives into a file, and name that"),
        )),
        None => Ok(()),
    }
}

/// What it is, if it can be opened and gives no file's bytes. Of a folder the system says so itself.
fn other(kind: FileType) -> Option<&'static str> {
    [
        (kind.is_fifo(), "a pipe"),
        (kind.is_char_device(), "a device"),
        (kind.is_block_device(), "a device"),
        (kind.is_socket(), "a socket"),
    ]
    .into_iter()
    .find_map(|(is, words)| is.then_some(words))
}

/// A regular file's bytes, at most [`LARGEST`].
///
/// # Errors
/// As [`open`], and when there are more.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    read_at_most(path, LARGEST)
}

/// A regular file's text, at most [`LONGEST_TEXT`].
///
/// # Errors
/// As [`open`], when there is more, and when it is not UTF-8.
pub fn text(path: &Path) -> Result<String> {
    let bytes = read_at_most(path, LONGEST_TEXT)?;
    let wrong = |_| Error::new(ErrorKind::InvalidData, "it is not UTF-8 throughout");
    String::from_utf8(bytes).map_err(wrong)
}

/// A regular file's bytes, at most so many.
///
/// # Errors
/// As [`open`], and when there are more.
pub fn read_at_most(path: &Path, most: u64) -> Result<Vec<u8>> {
    let file = open(path)?;
    let mut bytes = Vec::with_capacity(file.metadata()?.len().min(most) as usize);
    file.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let words = format!("it is longer than {most} bytes, which is the most that is read");
        return Err(Error::new(ErrorKind::FileTooLarge, words));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regular_files_are_read_and_others_refused() {
        let folder = testkit::temp_dir();
        let file = folder.path().join("plan.toml");
        std::fs::write(&file, "blocks = 6\n").unwrap();
        assert_eq!(text(&file).unwrap(), "blocks = 6\n");
        assert_eq!(read(&file).unwrap(), b"blocks = 6\n");
        let link = folder.path().join("link.toml");
        std::os::unix::fs::symlink(&file, &link).unwrap();
        assert_eq!(text(&link).unwrap(), "blocks = 6\n");

        let pipe = folder.path().join("pipe.toml");
        let mode = rustix::fs::Mode::RWXU;
        rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, mode).unwrap();
        for (path, kind) in [
            (pipe.as_path(), "a pipe"),
            (Path::new("/dev/zero"), "a device"),
        ] {
            let told = text(path).unwrap_err().to_string();
            assert!(
                told.starts_with(&format!("{kind}, not a regular file: ")),
                "{told}"
            );
        }
        assert!(text(folder.path()).is_err(), "a folder");
        let missing = read(&folder.path().join("none")).unwrap_err();
        assert_eq!(missing.kind(), ErrorKind::NotFound);
    }

    #[test]
    fn no_more_is_read_than_allowed() {
        let folder = testkit::temp_dir();
        let file = folder.path().join("long");
        std::fs::write(&file, b"12345").unwrap();
        assert_eq!(read_at_most(&file, 5).unwrap(), b"12345");
        let told = read_at_most(&file, 4).unwrap_err().to_string();
        assert!(told.contains("longer than 4 bytes"), "{told}");
        // nothing is written to the disk for it
        File::create(&file)
            .unwrap()
            .set_len(LONGEST_TEXT + 1)
            .unwrap();
        assert!(text(&file).is_err());
        std::fs::write(&file, b"\xff").unwrap();
        assert!(text(&file).unwrap_err().to_string().contains("UTF-8"));
    }
}
