//! What is read of processes at each look. The files stay open from one look to the next: to read one again takes a third of the
//! CPU time that it takes with opening it, and a file never becomes that of another process, as an id may.

mod begun;
mod thread;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs::{self, File};
use std::os::unix::fs::FileExt as _;

use procfs::FromRead as _;
use procfs::process::Stat;

use self::begun::Begun;
use self::thread::Thread;
use super::OWN;
use super::trees::Trees;
use super::usage::{MOVED, Scheduled, Usage};

/// Bytes of most files of a process.
const USUAL: usize = 4_096;
/// Files of a process beside those of its threads, at most.
const OF_PROCESS: usize = 2;

/// The files of the processes that were there in the last look.
#[derive(Default)]
pub(super) struct Reader {
    kept: BTreeMap<u32, Files>,
    /// How many files may be kept open. Those of further processes and threads are opened at each look, a few at once.
    room: usize,
    begun: Begun,
}

impl Reader {
    /// With as many files as there is room for now.
    pub(super) fn with_room() -> Self {
        let free = kernel::descriptor_limit().saturating_sub(kernel::open_descriptors());
        Self {
            room: kernel::for_probes(free) as usize,
            ..Self::default()
        }
    }

    /// Weir's own process first, then all of these, parents before their children: each with the name of its program.
    pub(super) fn look(&mut self, trees: &Trees) -> Vec<(u32, String, Usage)> {
        let mut before = std::mem::take(&mut self.kept);
        let (mut room, begun) = (self.room, &mut self.begun);
        let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
        let own = std::process::id();
        let mut unread = VecDeque::from([(own, OWN.to_owned())]);
        unread.extend(trees.roots());
        while let Some((pid, owner)) = unread.pop_front() {
            // a child whose thread ends is listed by another one, too, and weir may descend from a server that it loads
            if !seen.insert(pid) {
                continue;
            }
            let known = before.remove(&pid).and_then(|of| of.look(room, begun));
            let Some((files, now)) = known.or_else(|| Files::of(pid)?.look(room, begun)) else {
                continue;
            };
            // what descends from weir is not its own
            if pid != own {
                unread.extend(files.children().map(|child| (child, owner.clone())));
            }
            if !trees.is_guardian(pid) {
                found.push((pid, owner, now));
            }
            if let Some(left) = room.checked_sub(files.number()) {
                room = left;
                self.kept.insert(pid, files);
            }
        }
        begun.end();
        found
    }
}

/// The files of a process.
struct Files {
    pid: u32,
    stat: File,
    /// None where it may not be read.
    io: Option<File>,
    threads: BTreeMap<u32, Thread>,
    /// What threads had that have ended, when they were seen last.
    ended: Scheduled,
}

impl Files {
    fn of(pid: u32) -> Option<Self> {
        let open = |name: &str| File::open(format!("/proc/{pid}/{name}")).ok();
        Some(Self {
            pid,
            stat: open("stat")?,
            io: open("io"),
            threads: BTreeMap::new(),
            ended: Scheduled::default(),
        })
    }

    /// How many are open, at most.
    fn number(&self) -> usize {
        OF_PROCESS + self.threads.values().map(Thread::number).sum::<usize>()
    }

    /// What the process has used so far; `None` when it is gone. So many files may stay open.
    fn look(mut self, room: usize, begun: &mut Begun) -> Option<(Self, Usage)> {
        let stat = Stat::from_read(&read(&self.stat)?[..]).ok()?;
        let number = stat.num_threads.unsigned_abs() as usize;
        self.look_at_threads(number, room, begun);
        let moved = self.io.as_ref().and_then(read);
        let threads = self.threads.iter();
        let living = threads.map(|(id, of)| begun.since(*id, of.last.scheduled));
        let first = self.threads.get(&self.pid);
        let usage = Usage::of(
            stat,
            living.fold(self.ended, Scheduled::and),
            moved.map(|text| numbers(&text, MOVED)),
            first.map_or([0; 2], |of| of.last.memory),
        );
        Some((self, usage))
    }

    /// Its threads as they are now, of which there are so many.
    fn look_at_threads(&mut self, number: usize, room: usize, begun: &mut Begun) {
        let (pid, ended) = (self.pid, &mut self.ended);
        let mut room = room.saturating_sub(OF_PROCESS);
        self.threads.retain(|id, thread| {
            let lives = thread.look(pid, *id).is_some();
            if lives {
                thread.keep(&mut room);
            } else {
                *ended = ended.and(begun.since(*id, thread.last.scheduled));
                begun.forget(*id);
            }
            lives
        });
        if self.threads.len() == number {
            return;
        }
        let tasks = fs::read_dir(format!("/proc/{pid}/task"));
        let ids = tasks.into_iter().flatten();
        let ids = ids.filter_map(|of| of.ok()?.file_name().to_str()?.parse::<u32>().ok());
        let new: Vec<u32> = ids.filter(|id| !self.threads.contains_key(id)).collect();
        for id in new {
            if let Some(mut thread) = Thread::of(pid, id) {
                thread.keep(&mut room);
                self.threads.insert(id, thread);
            }
        }
    }

    /// The processes that its threads have begun, or adopted, and that are there.
    fn children(&self) -> impl Iterator<Item = u32> {
        let threads = self.threads.values();
        threads.flat_map(|of| of.last.children.iter().copied())
    }
}

/// All of a file as it is now; `None` where what it tells of is gone.
fn read(file: &File) -> Option<Vec<u8>> {
    let mut text = vec![0; USUAL];
    let mut length = 0;
    loop {
        match file.read_at(&mut text[length..], length as u64).ok()? {
            0 => break,
            more => length += more,
        }
        if length == text.len() {
            text.resize(2 * length, 0);
        }
    }
    text.truncate(length);
    Some(text)
}

/// The numbers behind these names, in lines such as `VmRSS:  100 kB`; 0 of one that is not there.
fn numbers<const N: usize>(text: &[u8], names: [&str; N]) -> [u64; N] {
    let mut found = [0; N];
    for line in String::from_utf8_lossy(text).lines() {
        let Some((name, value)) = line.split_once(':') else {
            continue;
        };
        if let Some(at) = names.iter().position(|of| *of == name) {
            let number = value.split_whitespace().next();
            found[at] = number.and_then(|of| of.parse().ok()).unwrap_or(0);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead as _, BufReader, Write as _};
    use std::process::{Command, Stdio};
    use std::time::Duration;

    use record::ProcessCost;
    use testkit::eventually;

    use super::*;
    use crate::Listener;

    #[test]
    fn weir_below_a_server_is_told_once() {
        let server = Listener {
            pid: std::process::id(),
            name: "server".to_owned(),
        };
        let found = Reader::default().look(&Trees::of_server(server));
        let owners: Vec<&str> = found.iter().map(|(_, owner, _)| owner.as_str()).collect();
        assert_eq!(owners, [OWN]);
    }

    #[test]
    fn numbers_are_found_by_their_names() {
        let text = b"Name:\t\xff VmRSS\nVmRSS:\t   123 kB\nThreads:\tmany\nlast";
        assert_eq!(
            numbers(text, ["Threads", "VmRSS", "VmHWM"]),
            [0, 123, 0],
            "what is no number, or not there, is none"
        );
    }

    #[test]
    fn without_room_nothing_stays_open_and_as_much_is_told() {
        for room in [0, OF_PROCESS, 10_000] {
            let mut reader = Reader {
                room,
                ..Reader::default()
            };
            for _ in 0..2 {
                let found = reader.look(&Trees::of_stack(Vec::new()));
                let [(pid, owner, now)] = &found[..] else {
                    panic!("{found:?}");
                };
                assert_eq!((*pid, owner.as_str()), (std::process::id(), OWN));
                assert!(now.rss > 0 && now.threads > 0, "{now:?}");
            }
            assert_eq!(reader.kept.len(), room.min(1));
            let open: usize = reader.kept.values().map(Files::number).sum();
            assert!(open <= room, "{open} of {room}");
        }
    }

    /// `cat` gives up its core for each line that it waits for. The files of the first look tell it to the end.
    #[test]
    fn files_that_stay_open_tell_what_is_now() {
        let mut cat = Command::new("cat")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut asks = cat.stdin.take().unwrap();
        let mut answers = BufReader::new(cat.stdout.take().unwrap());
        let mut begun = Begun::default();
        let (files, first) = Files::of(cat.id()).unwrap().look(100, &mut begun).unwrap();
        let mut files = Some(files);
        let grows = eventually(Duration::from_secs(10), || {
            asks.write_all(b"line\n").unwrap();
            answers.read_line(&mut String::new()).unwrap();
            let (same, now) = files.take().unwrap().look(100, &mut begun).unwrap();
            files = Some(same);
            let more = |name: &str| now.count(name) > first.count(name);
            more(ProcessCost::VOLUNTARY_SWITCHES) && more(ProcessCost::BYTES_READ)
        });
        drop(asks);
        cat.wait().unwrap();
        assert!(grows, "{first:?}");
        assert!(
            files.unwrap().look(100, &mut begun).is_none(),
            "it has ended"
        );
    }
}
