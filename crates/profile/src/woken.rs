//! From which thread the profiler took the core on which it looks.

use std::fs::File;
use std::io::Read as _;

/// Bytes of a thread's `sched` that are read: what is wanted stands on its third line.
const BEGIN: usize = 512;

/// The moment at which this thread was given a core.
///
/// On a machine whose cores are all busy the profiler takes one from a thread that may be the very one that it looks at, and then
/// cannot be told from one that has waited for a core for long. But when the kernel changes from one thread to another it notes the
/// same reading of its clock for both (`se.exec_start` of `sched`: to the nanosecond, in `update_curr` for the one that loses the core,
/// in `set_next_entity` for the one that gets it).
pub(crate) struct Woken(Option<u64>);

impl Woken {
    /// To be asked first, as the kernel notes for a thread that goes on running later times from time to time.
    pub(crate) fn now() -> Self {
        Self(noted("/proc/thread-self/sched"))
    }

    /// Whether a thread ran until then on this core: not where the kernel does not tell.
    pub(crate) fn took_from(&self, pid: u32, thread: u64) -> bool {
        self.0.is_some() && self.0 == noted(&format!("/proc/{pid}/task/{thread}/sched"))
    }
}

/// The reading of the scheduler's clock that was noted last for a thread, in nanoseconds.
fn noted(path: &str) -> Option<u64> {
    let mut text = [0; BEGIN];
    let length = File::open(path).ok()?.read(&mut text).ok()?;
    read(&String::from_utf8_lossy(&text[..length]))
}

fn read(sched: &str) -> Option<u64> {
    let mut lines = sched.lines();
    let value = lines.find_map(|line| line.strip_prefix("se.exec_start")?.split_once(':'))?;
    // milliseconds, with all digits of the nanoseconds
    value.1.trim().replace('.', "").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_noted_time_is_read() {
        let sched = "a: (7, #threads: 1)\n---\n\
            se.exec_start                                :      12552462.013723\n\
            se.vruntime                                  :         97115.530092\n";
        assert_eq!(read(sched), Some(12_552_462_013_723));
        assert_eq!(read("se.vruntime : 1.2\n"), None);
        assert_eq!(read(""), None);
    }

    #[test]
    fn what_is_noted_never_grows_less() {
        let own = "/proc/thread-self/sched";
        let [earlier, later] = [(); 2].map(|()| noted(own));
        assert!(earlier <= later, "{earlier:?}, {later:?}");
        assert_eq!(earlier.is_some(), std::path::Path::new(own).exists());
    }

    /// What is noted of one that sleeps stays as it is.
    #[test]
    fn a_thread_of_the_same_moment_is_it() {
        let (tell, told) = std::sync::mpsc::channel();
        let (end, ended) = std::sync::mpsc::channel::<()>();
        let sleeper = std::thread::spawn(move || {
            tell.send(rustix::thread::gettid()).unwrap();
            let _ = ended.recv();
        });
        let (pid, thread) = (std::process::id(), told.recv().unwrap().as_raw_pid());
        let path = format!("/proc/{pid}/task/{thread}/sched");
        let is_it = || Woken(noted(&path)).took_from(pid, thread.unsigned_abs().into());
        // until it sleeps it may be noted anew
        assert_eq!(
            (0..1_000).any(|_| is_it()),
            std::path::Path::new(&path).exists()
        );
        drop(end);
        sleeper.join().unwrap();
    }

    #[test]
    fn nothing_was_taken_where_nobody_tells_or_at_another_time() {
        let own = rustix::thread::gettid().as_raw_pid().unsigned_abs().into();
        for woken in [Woken(None), Woken(Some(1))] {
            assert!(!woken.took_from(std::process::id(), own));
            assert!(!woken.took_from(u32::MAX, 1), "no such process");
        }
    }
}
