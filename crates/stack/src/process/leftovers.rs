//! What is left of a stack when weir and its guardians were killed together.

use std::fs::{File, Metadata};
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::time::Duration;

use procfs::process::{FDTarget, Process, all_processes};

use crate::process::descendants::kill;

/// What the names of weir's folders begin with.
pub(crate) const PREFIX: &str = "weir-";
/// So many letters and digits, by chance, are the rest of them.
pub(crate) const RANDOM: usize = 6;
/// A file that says that a folder is weir's, and on which those who use it hold a lock. The folder itself is left for
/// others to lock, as a store does that lies in it.
pub(crate) const MARK: &str = ".weir";
/// The same before it is locked: nobody takes its folder for one that is not in use.
pub(crate) const UNMARKED: &str = ".weir.new";
/// In the environment of everything that a guardian starts: the folder that it belongs to.
pub(crate) const BELONGS: &str = "WEIR_FOLDER";

/// Rounds of killing: who forks faster than that is left alone.
const ROUNDS: u32 = 500;
/// Pause between two of them.
const ROUND: Duration = Duration::from_millis(10);
/// Who made a folder so long ago and has not marked it is dead.
const UNMARKED_FOR: Duration = Duration::from_hours(1);

/// Removes the folders of stacks in this place that are locked by nobody, and ends what still belongs to them.
pub(crate) fn sweep(place: &Path) {
    let ours = rustix::process::geteuid().as_raw();
    for entry in std::fs::read_dir(place).into_iter().flatten().flatten() {
        let (folder, name) = (entry.path(), entry.file_name());
        let name = name.to_string_lossy();
        let is_ours = |it: &Metadata| it.is_dir() && it.uid() == ours;
        let named = name.starts_with(PREFIX);
        let it = named.then(|| entry.metadata().ok()).flatten();
        let Some(it) = it.filter(is_ours) else {
            continue;
        };
        clear_if_unused(&folder);
        if is_given_up(&name, &it) {
            remove_unmarked(&folder);
        }
    }
}

/// Whether a folder is so old, and has such a name, that it is one of weir's which nobody is about to mark.
fn is_given_up(name: &str, it: &Metadata) -> bool {
    let random = name.strip_prefix(PREFIX).unwrap_or_default();
    let ours = random.len() == RANDOM && random.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let age = it.modified().ok().and_then(|at| at.elapsed().ok());
    ours && age.is_some_and(|age| age > UNMARKED_FOR)
}

/// Gives up a guardian's hold on a folder, and clears it away if nobody else has one: what another guardian's server
/// leaves is found by its folder, should that guardian be killed.
pub(crate) fn leave(folder: &Path, hold: Option<File>) {
    let can_be_locked = hold.is_some();
    drop(hold);
    if can_be_locked {
        clear_if_unused(folder);
    } else {
        remove(folder);
    }
}

fn clear_if_unused(folder: &Path) {
    let mark = File::open(folder.join(MARK));
    let unused = mark.and_then(|mark| Ok(mark.try_lock().map(|()| mark)?));
    if let Ok(_alone) = unused {
        clear(folder);
    }
}

/// Waits until nobody uses the folder of a weir that is dead, then clears it away if it is still there.
pub(crate) fn clear_once_unused(folder: &Path) {
    if let Ok(mark) = File::open(folder.join(MARK)) {
        if mark.lock().is_ok() {
            clear(folder);
        }
    } else {
        remove_unmarked(folder);
    }
}

fn clear(folder: &Path) {
    end_of(folder);
    remove(folder);
}

/// Ends what a guardian of this folder started, and what that started in turn.
pub(crate) fn end_of(folder: &Path) {
    for _ in 0..ROUNDS {
        let left = left_of(folder);
        if left.is_empty() {
            break;
        }
        left.into_iter().for_each(kill);
        std::thread::park_timeout(ROUND);
    }
}

/// Removes a folder, and its mark last: should something stay, or whoever removes it be killed, then another finds by
/// the mark what is left.
pub(crate) fn remove(folder: &Path) {
    if empty(folder).is_ok() {
        let _ = std::fs::remove_file(folder.join(MARK));
        let _ = std::fs::remove_dir(folder);
    }
}

/// Removes all that is in a folder except its mark.
fn empty(folder: &Path) -> std::io::Result<()> {
    let mut outcome = Ok(());
    for item in std::fs::read_dir(folder)? {
        let item = item?;
        if item.file_name() == MARK {
            continue;
        }
        let removed = if item.file_type()?.is_dir() {
            std::fs::remove_dir_all(item.path())
        } else {
            std::fs::remove_file(item.path())
        };
        outcome = outcome.and(removed.or_else(gone_is_as_good));
    }
    outcome
}

/// Who else removes a folder may be faster.
fn gone_is_as_good(error: std::io::Error) -> std::io::Result<()> {
    if error.kind() == ErrorKind::NotFound {
        return Ok(());
    }
    Err(error)
}

/// Removes a folder whose maker was killed before it had a mark, or when that alone was left to remove.
fn remove_unmarked(folder: &Path) {
    let mut items = std::fs::read_dir(folder).into_iter().flatten().flatten();
    if items.all(|item| item.file_name() == UNMARKED) {
        let _ = std::fs::remove_file(folder.join(UNMARKED));
        let _ = std::fs::remove_dir(folder); // nothing that is not empty
    }
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

#[cfg(test)]
mod tests {
    use std::fs::{FileTimes, create_dir, write};
    use std::path::PathBuf;
    use std::time::SystemTime;

    use super::*;

    fn folder(place: &Path, name: &str, files: &[&str]) -> PathBuf {
        let folder = place.join(name);
        create_dir(&folder).unwrap();
        for file in files {
            write(folder.join(file), "").unwrap();
        }
        folder
    }

    /// As if nothing had been done to it for a long time.
    fn aged(folder: PathBuf) -> PathBuf {
        let times = FileTimes::new().set_modified(SystemTime::UNIX_EPOCH);
        File::open(&folder).unwrap().set_times(times).unwrap();
        folder
    }

    #[test]
    fn the_mark_of_a_folder_is_the_last_thing_to_go() {
        let place = testkit::temp_dir();
        let marked = folder(place.path(), "weir-marked", &[MARK, "log"]);
        create_dir(marked.join("server")).unwrap();
        write(marked.join("server/log"), "").unwrap();
        std::os::unix::fs::symlink(place.path(), marked.join("app")).unwrap();
        empty(&marked).unwrap();
        let left = std::fs::read_dir(&marked).unwrap();
        let left: Vec<_> = left.map(|item| item.unwrap().file_name()).collect();
        assert_eq!(left, [MARK]);
        remove(&marked);
        assert!(!marked.exists());
        assert!(place.path().exists(), "a link is no folder of its own");
    }

    #[test]
    fn folders_that_were_never_marked_are_swept_once_they_are_old() {
        let place = testkit::temp_dir();
        let made = |name: &str, files: &[&str]| folder(place.path(), name, files);
        let gone = [
            aged(made("weir-Abc123", &[UNMARKED])),
            aged(made("weir-Abc124", &[])),
            aged(made("weir-Abc125", &[MARK, "log"])),
        ];
        let stay = [
            made("weir-Abc126", &[UNMARKED]),
            aged(made("weir-Abc127", &[UNMARKED, "theirs"])),
            aged(made("weir-of-theirs", &[])),
            aged(made("Abc128", &[UNMARKED])),
        ];
        sweep(place.path());
        for folder in gone {
            assert!(!folder.exists(), "{}", folder.display());
        }
        for folder in stay {
            assert!(folder.exists(), "{}", folder.display());
        }
        assert!(place.path().join("weir-Abc127").join(UNMARKED).exists());
    }

    #[test]
    fn what_nobody_marked_goes_with_its_weir() {
        let place = testkit::temp_dir();
        let unmarked = folder(place.path(), "weir-Abc123", &[UNMARKED]);
        let used = folder(place.path(), "weir-Abc124", &[UNMARKED, "log"]);
        clear_once_unused(&unmarked);
        clear_once_unused(&used);
        assert!(!unmarked.exists() && used.exists());
    }
}
