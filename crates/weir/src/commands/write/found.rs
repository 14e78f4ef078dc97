//! Where the programs that a deployed stack runs are found, and whether every user can run them there.

use std::ffi::OsStr;
use std::fs::File;
use std::io::Read as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use stack::{Deployed, Program};

/// Where a system keeps programs for all of its users, in the order in which they are looked for.
pub(super) const SYSTEM: [&str; 6] = [
    "/usr/local/sbin",
    "/usr/local/bin",
    "/usr/sbin",
    "/usr/bin",
    "/sbin",
    "/bin",
];

/// The right of anybody to run a file, of its mode; and that of all others to run it, or to enter a folder.
const RUN: u32 = 0o111;
const OTHERS: u32 = 0o001;

/// Bytes of a script in which it says what runs it.
const LINE: u64 = 256;

/// The files that the commands of a stack run, as they are found now, each once.
pub(super) fn files(deployed: &Deployed) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = Vec::new();
    for program in &deployed.programs {
        let path = search_path(program);
        // what an app runs before its trials the user runs
        let before = program.prepare.iter();
        let before = before.filter(|_| program.service.is_some());
        let commands = [&program.argv].into_iter().chain(before);
        let commands = commands.chain(&program.ready);
        for file in commands.flat_map(|argv| run_by(argv, &path, &program.cwd)) {
            if !files.contains(&file) {
                files.push(file);
            }
        }
    }
    files
}

/// Folders besides the system's own in which these files are, each with their names; none that only root can enter.
pub(super) fn folders(files: &[PathBuf]) -> Vec<(&Path, Vec<&str>)> {
    let mut folders: Vec<(&Path, Vec<&str>)> = Vec::new();
    for file in files.iter().filter(|file| kept_by(file).is_none()) {
        let name = file.file_name().and_then(OsStr::to_str);
        let (Some(folder), Some(name)) = (file.parent(), name) else {
            continue;
        };
        if SYSTEM.iter().any(|of| Path::new(of) == folder) {
            continue;
        }
        match folders.iter_mut().find(|(known, _)| *known == folder) {
            Some((_, names)) => names.push(name),
            None => folders.push((folder, vec![name])),
        }
    }
    folders
}

/// What keeps all but root from a file that root runs now: a folder on the way to it, or to what it links to, or its own mode.
pub(super) fn kept_by(file: &Path) -> Option<PathBuf> {
    let there = closed(file).map(Path::to_owned);
    there.or_else(|| {
        let real = file.canonicalize().ok()?;
        closed(&real).map(Path::to_owned)
    })
}

/// The first on the way up from a file or a folder that only its owner can run or enter. None where weir is not root: what it
/// writes is then started by the same user.
pub(super) fn closed(path: &Path) -> Option<&Path> {
    let is_root = rustix::process::geteuid().is_root();
    let kept = |at: &&Path| at.metadata().is_ok_and(|of| of.mode() & OTHERS == 0);
    path.ancestors().filter(|_| is_root).find(kept)
}

/// Where the commands of a program are looked for: as its own environment says, or weir's.
fn search_path(program: &Program) -> Vec<PathBuf> {
    let own = program.env.iter().find(|(name, _)| name == "PATH");
    let path = own.map(|(_, path)| path.clone());
    let path = path.or_else(|| std::env::var("PATH").ok());
    std::env::split_paths(&path.unwrap_or_default()).collect()
}

/// What a command runs: by paths in it, by the name that it or its shell's line begins with, and what in turn runs those of
/// them that are scripts.
fn run_by(argv: &[String], path: &[PathBuf], dir: &Path) -> Vec<PathBuf> {
    let (own, name) = match argv {
        [shell, flag, line, ..] if shell == "sh" && flag == "-c" => of_line(line),
        _ => (Vec::new(), None),
    };
    let path: Vec<PathBuf> = own.into_iter().chain(path.iter().cloned()).collect();
    let paths = argv.iter().skip(1).filter(|word| word.starts_with('/'));
    let said = argv.first().into_iter().chain(paths).cloned();
    let mut names: Vec<String> = said.chain(name).collect();
    let mut files = Vec::new();
    while let Some(name) = names.pop() {
        let found = find(&name, &path, dir);
        if let Some(file) = found.filter(|file| !files.contains(file)) {
            names.extend(interpreter(&file));
            files.push(file);
        }
    }
    files
}

/// The program that a shell's line begins with, after the folders of a PATH that the line sets for it.
fn of_line(line: &str) -> (Vec<PathBuf>, Option<String>) {
    let mut folders = Vec::new();
    for word in shlex::split(line).unwrap_or_default() {
        match word.split_once('=') {
            Some(("PATH", path)) => folders.extend(std::env::split_paths(path)),
            Some(_) => {}
            None if word == "exec" || word == "env" => {}
            None => return (folders, Some(word)),
        }
    }
    (folders, None)
}

/// A file by its path, or by its name in one of these folders, that can be run.
fn find(name: &str, path: &[PathBuf], dir: &Path) -> Option<PathBuf> {
    let runs = |file: &PathBuf| {
        let known = file.metadata();
        known.is_ok_and(|of| of.is_file() && of.mode() & RUN != 0)
    };
    if name.contains('/') {
        return Some(dir.join(name)).filter(runs);
    }
    path.iter().map(|folder| folder.join(name)).find(runs)
}

/// What runs a script, as its first line says: `node` of `#!/usr/bin/env node`.
fn interpreter(file: &Path) -> Option<String> {
    let mut begins = Vec::new();
    let read = File::open(file).ok()?.take(LINE).read_to_end(&mut begins);
    read.ok()?;
    let text = String::from_utf8_lossy(&begins);
    let mut words = text.lines().next()?.strip_prefix("#!")?.split_whitespace();
    let by = words.next()?;
    let named = if by.ends_with("/env") {
        words.find(|word| !word.starts_with('-'))?
    } else {
        by
    };
    Some(named.to_owned())
}

#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    /// A folder that all may enter, with programs in folders of their own, each with its text.
    fn machine(programs: &[(&str, &str)]) -> testkit::TempDir {
        let place = testkit::temp_dir();
        fs::set_permissions(place.path(), Permissions::from_mode(0o755)).unwrap();
        for (name, text) in programs {
            let file = place.path().join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(&file, text).unwrap();
            fs::set_permissions(&file, Permissions::from_mode(0o755)).unwrap();
        }
        place
    }

    fn words(command: &[&str]) -> Vec<String> {
        command.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn a_command_needs_the_folders_of_what_it_runs_and_of_what_runs_that() {
        let place = machine(&[
            ("node/bin/node", ""),
            ("tools/npm", "#!/usr/bin/env -S node --no-warnings\n"),
            ("venv/bin/serve", "#!/bin/sh\n"),
            ("app/start", "#!/usr/bin/env node\n"),
            ("other/import", ""),
        ]);
        let at = |name: &str| place.path().join(name);
        let path = ["other", "tools", "node/bin"].map(at);
        let of = |command: &[&str]| {
            let mut files = run_by(&words(command), &path, &at("app"));
            files.retain(|file| file.starts_with(place.path()));
            files.sort();
            files
        };
        let by_npm = [at("node/bin/node"), at("tools/npm")];
        assert_eq!(of(&["sh", "-c", "exec env A=1 npm start"]), by_npm);
        assert_eq!(of(&["./start"]), [at("app/start"), at("node/bin/node")]);
        let venv = format!("exec env PATH=\"{}:$PATH\" serve", at("venv/bin").display());
        assert_eq!(of(&["sh", "-c", &venv]), [at("venv/bin/serve")]);
        let node = at("node/bin/node").display().to_string();
        assert_eq!(of(&["env", "--", &node]), [at("node/bin/node")]);
        // the text of another language is no command, and a name after the first is none
        assert!(of(&["python3", "-c", "import os"]).is_empty());
        assert!(of(&["python3", "-m", "npm"]).is_empty());
    }

    #[test]
    fn folders_are_told_once_with_what_is_in_them_and_the_systems_own_are_not() {
        let place = machine(&[("bin/one", ""), ("bin/two", "")]);
        let files = ["bin/one", "bin/two"].map(|name| place.path().join(name));
        let files = [&files[..], &["/usr/bin/env".into()]].concat();
        let bin = place.path().join("bin");
        assert_eq!(folders(&files), [(bin.as_path(), vec!["one", "two"])]);
    }

    #[test]
    fn what_only_root_can_enter_is_no_place_for_another_user() {
        let place = machine(&[("own/bin/python", "")]);
        let own = place.path().join("own");
        fs::set_permissions(&own, Permissions::from_mode(0o700)).unwrap();
        let link = place.path().join("python");
        std::os::unix::fs::symlink(own.join("bin/python"), &link).unwrap();
        let is_root = rustix::process::geteuid().is_root();
        for file in [own.join("bin/python"), link] {
            assert_eq!(kept_by(&file), is_root.then(|| own.clone()), "{file:?}");
            assert_eq!(folders(&[file]).is_empty(), is_root);
        }
    }
}
