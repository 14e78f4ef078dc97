//! What is left of a stack when weir and its guardians were killed together.

use std::fs::File;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::time::Duration;

use procfs::process::{FDTarget, Process, all_processes};

use crate::process::descendants::kill;

/// What the names of weir's folders begin with.
pub(crate) const PREFIX: &str = "weir-";
/// A file that says that a folder is weir's, and on which those who use it hold a lock. The folder itself is left for
/// others to lock, as a store does that lies in it.
pub(crate) const MARK: &str = ".weir";
/// In the environment of everything that a guardian starts: the folder that it belongs to.
pub(crate) const BELONGS: &str = "WEIR_FOLDER";

/// Rounds of killing: who forks faster than that is left alone.
const ROUNDS: u32 = 500;
/// Pause between two of them.
const ROUND: Duration = Duration::from_millis(10);

/// Removes the folders of stacks in this place that are locked by nobody, and ends what still belongs to them.
pub(crate) fn sweep(place: &Path) {
    let ours = rustix::process::geteuid().as_raw();
    for entry in std::fs::read_dir(place).into_iter().flatten().flatten() {
        let folder = entry.path();
        let named = entry.file_name().to_string_lossy().starts_with(PREFIX);
        let is_ours = || {
            let it = entry.metadata();
            it.is_ok_and(|it| it.is_dir() && it.uid() == ours)
        };
        if named && is_ours() {
            clear_if_unused(&folder);
        }
    }
}

/// Gives up a guardian's hold on a folder, and clears it away if nobody else has one: what another guardian's server
/// leaves is found by its folder, should that guardian be killed.
pub(crate) fn leave(folder: &Path, hold: Option<File>) {
    let can_be_locked = hold.is_some();
    drop(hold);
    if can_be_locked {
        clear_if_unused(folder);
    } else {
        let _ = std::fs::remove_dir_all(folder);
    }
}

fn clear_if_unused(folder: &Path) {
    let mark = File::open(folder.join(MARK));
    let unused = mark.and_then(|mark| Ok(mark.try_lock().map(|()| mark)?));
    if let Ok(_alone) = unused {
        clear(folder);
    }
}

/// Waits until nobody uses a folder, then clears it away if it is still there.
pub(crate) fn clear_once_unused(folder: &Path) {
    let mark = File::open(folder.join(MARK));
    let unused = mark.and_then(|mark| mark.lock().map(|()| mark));
    if let Ok(_alone) = unused {
        clear(folder);
    }
}

fn clear(folder: &Path) {
    for _ in 0..ROUNDS {
        let left = left_of(folder);
        if left.is_empty() {
            break;
        }
        left.into_iter().for_each(kill);
        std::thread::park_timeout(ROUND);
    }
    let _ = std::fs::remove_dir_all(folder);
}

/// Living processes that a guardian of this folder started, and what they started.
fn left_of(folder: &Path) -> Vec<u32> {
    let processes = all_processes().into_iter().flatten().flatten();
    let alive = |process: &Process| process.stat().is_ok_and(|stat| stat.state != 'Z');
    processes
        .filter(|process| belongs(process, folder) && alive(process))
        .map(|process| process.pid.cast_unsigned())
        .filter(|pid| *pid != std::process::id())
        .collect()
}

/// By its environment; a server that writes its title over that has its output in the folder.
fn belongs(process: &Process, folder: &Path) -> bool {
    let environment = process.environ().unwrap_or_default();
    let folder_of = environment.get(std::ffi::OsStr::new(BELONGS));
    let marked = folder_of.is_some_and(|value| Path::new(value) == folder);
    let prints_there = || {
        let mut open = process.fd().into_iter().flatten().flatten();
        open.any(|file| {
            [1, 2].contains(&file.fd)
                && matches!(&file.target, FDTarget::Path(path) if path.starts_with(folder))
        })
    };
    marked || prints_there()
}
