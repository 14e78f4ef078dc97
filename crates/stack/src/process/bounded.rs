//! Logs have bounds: what a program logs first and what it logged last stay, and what is between goes back to the
//! disk while it runs. Its files are its own: no pipe and no reader stands between a server and its log.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

use rustix::fs::{FallocateFlags, fallocate};
use rustix::io::Errno;

use crate::error::log::last_lines;

/// Bytes that stay of a log's beginning.
pub(crate) const HEAD: u64 = 1 << 20;
/// Bytes that stay of its end.
pub(crate) const TAIL: u64 = 4 << 20;
/// A log is read from so many bytes before its end.
const READ: u64 = 64 << 10;
/// Bytes that are given back at once, at least.
const STEP: u64 = 1 << 20;
/// What file systems give back whole.
const BLOCK: u64 = 4096;
/// Time between two looks. What is logged meanwhile comes to the bounds.
const LOOK: Duration = Duration::from_millis(100);
/// Stands in a log whose file system takes nothing back from the middle.
const CUT: &str = "\n… weir cut this log here …\n";

/// While it lives, the logs of a program are bounded.
#[derive(Debug)]
pub(crate) struct Bounded(#[expect(dead_code, reason = "its end is the sign")] Sender<()>);

/// Bounds these files, and each `*.log` that the program itself makes in the folder of its first log's name.
/// Without a thread to look, nothing is bounded: that is no reason not to serve.
pub(crate) fn bound(logs: Vec<PathBuf>) -> Bounded {
    let (lives, end) = channel();
    let own = logs.first().map(|log| log.with_extension(""));
    let watch = move || {
        while end.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
            let made = own.as_deref().map(made_in).unwrap_or_default();
            for log in logs.iter().chain(&made) {
                let _ = trim(log); // a log that is not there, or that nobody may open, is nobody's disk
            }
        }
    };
    let _ = std::thread::Builder::new().spawn(watch);
    Bounded(lives)
}

/// The logs in a folder.
fn made_in(folder: &Path) -> Vec<PathBuf> {
    let listing = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<_> = listing.map(|item| item.path()).collect();
    files.retain(|path| path.extension().is_some_and(|end| end == "log"));
    files
}

/// Gives back what is between a log's beginning and its end, where that is much.
fn trim(path: &Path) -> io::Result<()> {
    let length = std::fs::symlink_metadata(path)?.len();
    if length <= HEAD + TAIL + STEP {
        return Ok(());
    }
    let mut file = OpenOptions::new()
        .append(true)
        .custom_flags(rustix::fs::OFlags::NOFOLLOW.bits().cast_signed())
        .open(path)?;
    let there = file.metadata()?;
    // as much again, in length and on the disk, as is to stay: else it was cut meanwhile, or there is nothing to give back
    let least = there.len().min(there.blocks() * 512);
    if !there.is_file() || least <= HEAD + TAIL + STEP {
        return Ok(());
    }
    let until = (there.len() - TAIL) / BLOCK * BLOCK;
    let hole = FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE;
    match fallocate(&file, hole, HEAD, until - HEAD) {
        Err(Errno::OPNOTSUPP | Errno::NOSYS) => {
            file.set_len(HEAD)?;
            file.write_all(CUT.as_bytes())
        }
        done => Ok(done?),
    }
}

/// Bytes of a log that were given back.
pub(crate) fn missing(file: &File) -> u64 {
    let Ok(there) = file.metadata() else { return 0 };
    // files have holes only where they were cut, and are a block longer on the disk
    if there.len() <= HEAD + TAIL {
        return 0;
    }
    there.len().saturating_sub(there.blocks() * 512)
}

/// A file's text: the whole of it, or its beginning and its end where it is beyond the bounds.
pub(crate) fn text(file: &mut File) -> io::Result<String> {
    let length = file.metadata()?.len();
    let mut bytes = Vec::new();
    file.rewind()?;
    if length <= HEAD + TAIL {
        file.take(HEAD + TAIL).read_to_end(&mut bytes)?;
    } else {
        file.take(HEAD).read_to_end(&mut bytes)?;
        bytes.extend(CUT.as_bytes());
        file.seek(SeekFrom::Start(length - TAIL))?;
        file.take(TAIL).read_to_end(&mut bytes)?;
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The end of a log; empty when it cannot be read.
pub(crate) fn end(path: &Path) -> String {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|mut file| {
        let length = file.metadata()?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(READ)))?;
        file.take(READ).read_to_end(&mut bytes)
    });
    let text = read.map(|_| String::from_utf8_lossy(&bytes).into_owned());
    text.unwrap_or_default()
}

/// The last lines of a log; none when it cannot be read. What was left out of its middle is said first.
pub(crate) fn tail(path: &Path) -> Vec<String> {
    let missing = File::open(path).map_or(0, |file| missing(&file));
    let note = (missing > 0).then(|| {
        let megabytes = missing.div_ceil(1 << 20);
        format!("… {megabytes} MiB in the middle of this log were not kept …")
    });
    note.into_iter().chain(last_lines(&end(path))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_and_the_tail_of_a_log_stay() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("server.log");
        let mut file = File::create(&path).unwrap();
        file.write_all(b"first\n").unwrap();
        for _ in 0..24 {
            file.write_all(&vec![b'x'; 1 << 20]).unwrap();
        }
        file.write_all(b"\nlast\n").unwrap();
        trim(&path).unwrap();
        let kept = || file.metadata().unwrap().blocks() * 512;
        assert!(kept() <= HEAD + TAIL + 2 * BLOCK, "{}", kept());
        assert!(missing(&file) > 18 << 20, "{}", missing(&file));
        let mut read = File::open(&path).unwrap();
        let text = text(&mut read).unwrap();
        assert!(text.starts_with("first\nxx") && text.ends_with("x\nlast\n"));
        assert!(text.contains(CUT) && text.len() as u64 <= HEAD + TAIL + 100);
        trim(&path).unwrap();
        assert!(kept() > TAIL);
    }

    #[test]
    fn a_log_within_the_bounds_is_left_alone() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("server.log");
        std::fs::write(&path, vec![b'x'; (HEAD + TAIL) as usize]).unwrap();
        trim(&path).unwrap();
        let mut file = File::open(&path).unwrap();
        assert_eq!(missing(&file), 0);
        assert_eq!(text(&mut file).unwrap().len() as u64, HEAD + TAIL);
    }
}
