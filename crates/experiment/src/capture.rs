//! The packets of a trial's network in a file that tcpdump and Wireshark read: pcap with nanoseconds
//! (draft-ietf-opsawg-pcap).

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use kernel::{Packet, Packets};
use record::CaptureFacts;

/// Bytes of a file at most. What comes after them is counted, and not kept.
const MOST: u64 = 256 << 20;
/// Bytes that the kernel keeps until they are written.
const ROOM: usize = 64 << 20;
/// Bytes of a packet at most. Over loopback several segments may travel in one, of 64 KiB together.
const LONGEST: usize = 1 << 18;
/// Its user alone reads a file.
const OWN: u32 = 0o600;
/// After this time without a packet it is looked whether the capture is over.
const LOOK: Duration = Duration::from_millis(20);

/// Packets that are written by a thread of its own until this is finished or dropped.
pub(crate) struct Capture {
    over: Arc<AtomicBool>,
    thread: Option<JoinHandle<io::Result<CaptureFacts>>>,
}

impl Capture {
    /// Captures what this thread's network carries from now on.
    ///
    /// # Errors
    /// The file cannot be made, as where something else than a file has its name, or the user may not capture.
    pub(crate) fn start(path: &Path) -> io::Result<Self> {
        let file = fresh(path)?;
        let packets = Packets::open(ROOM)?;
        packets.wait(LOOK)?;
        let over = Arc::new(AtomicBool::new(false));
        let ends = Arc::clone(&over);
        let name = path.to_string_lossy().into_owned();
        let write = move || write(&packets, BufWriter::new(file), name, &ends);
        let thread = std::thread::Builder::new()
            .name("weir-capture".to_owned())
            .spawn(write)?;
        Ok(Self {
            over,
            thread: Some(thread),
        })
    }

    /// Ends it once what there is has been written.
    ///
    /// # Errors
    /// What could not be written or read.
    pub(crate) fn finish(mut self) -> io::Result<CaptureFacts> {
        self.end().unwrap_or_else(|| Ok(CaptureFacts::default()))
    }

    fn end(&mut self) -> Option<io::Result<CaptureFacts>> {
        self.over.store(true, Ordering::Relaxed);
        let ended = self.thread.take()?.join();
        Some(ended.unwrap_or_else(|_| Err(io::Error::other("the thread that captures panicked"))))
    }
}

impl Drop for Capture {
    fn drop(&mut self) {
        self.end();
    }
}

/// A new file for its user alone, since what is sent may be secret. One that was there is removed: it would keep its mode, and
/// others may have it open. A link of that name is not followed.
fn fresh(path: &Path) -> io::Result<File> {
    if fs::symlink_metadata(path).is_ok_and(|there| there.is_file()) {
        fs::remove_file(path)?;
    }
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(OWN)
        .open(path)
}

fn write(
    packets: &Packets,
    mut file: impl Write,
    name: String,
    over: &AtomicBool,
) -> io::Result<CaptureFacts> {
    let mut facts = CaptureFacts {
        file: name,
        ..CaptureFacts::default()
    };
    let head = head();
    file.write_all(&head)?;
    let mut written = head.len() as u64;
    let mut buffer = vec![0; LONGEST];
    loop {
        let ends = over.load(Ordering::Relaxed);
        let Some(packet) = packets.next(&mut buffer)? else {
            if ends {
                break;
            }
            continue;
        };
        let record = record(packet);
        let longer = written + (record.len() + packet.read) as u64;
        if longer > MOST {
            facts.left_out += 1;
            continue;
        }
        file.write_all(&record)?;
        file.write_all(&buffer[..packet.read])?;
        (written, facts.packets) = (longer, facts.packets + 1);
    }
    file.flush()?;
    facts.lost = packets.lost()?;
    Ok(facts)
}

/// What a file begins with: its kind, version 2.4, an offset and an accuracy of no meaning, the longest packet, and that
/// packets begin with an Ethernet header, as those of a loopback interface do.
fn head() -> Vec<u8> {
    const NANOSECONDS: u32 = 0xa1b2_3c4d;
    const VERSION: [u16; 2] = [2, 4];
    const ETHERNET: u32 = 1;
    let mut head = NANOSECONDS.to_ne_bytes().to_vec();
    head.extend(VERSION.map(u16::to_ne_bytes).concat());
    let rest = [0, 0, LONGEST as u32, ETHERNET];
    head.extend(rest.map(u32::to_ne_bytes).concat());
    head
}

/// What a packet begins with: when it was, and how much there is of it.
fn record(packet: Packet) -> Vec<u8> {
    let (seconds, nanoseconds) = (packet.at.as_secs() as u32, packet.at.subsec_nanos());
    let of = [
        seconds,
        nanoseconds,
        packet.read as u32,
        packet.length as u32,
    ];
    of.map(u32::to_ne_bytes).concat()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn packets_are_for_the_user_alone_whatever_was_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("1-1-1-a.pcap");
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        let mut before = File::open(&path).unwrap();
        fresh(&path).unwrap().write_all(b"new").unwrap();
        let mode = fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, OWN);
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(io::read_to_string(&mut before).unwrap(), "old");
        let link = folder.path().join("link.pcap");
        std::os::unix::fs::symlink(&path, &link).unwrap();
        assert!(fresh(&link).is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
    }
}
