//! Python servers beside an app's own packages, which are never touched: a virtual environment of weir's own, whose
//! interpreter sees the app's packages first and what weir installed after them.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde::Deserialize;
use sha2::{Digest as _, Sha256};

use crate::error::{Result, StackError};
use crate::probe::PATIENCE;
use crate::process::{GuardCommand, capture};
use crate::serve::command;

/// What an interpreter says of itself.
const ASK: &str = "import json, platform, sys; print(json.dumps({'version': platform.python_version(), \
    'scripts': __import__('sysconfig').get_path('scripts'), 'folders': [folder for folder in sys.path \
    if folder.rstrip('/').endswith(('site-packages', 'dist-packages'))]}))";
/// The versions of what the app has, which pip may not replace by others.
const PINNED: &str = "import importlib.metadata as m, weir_overlay; \
    print('\\n'.join(sorted({d.metadata['Name'] + '==' + d.version for d in m.distributions(path=weir_overlay.APP) \
    if d.metadata['Name'] and d.version})))";

/// What the interpreter of an overlay imports first, below.
const MODULE: &str = include_str!("overlay.py");
const LOADED: &str = "import weir_overlay\n";
/// Written last, and away while pip is at work: what was interrupted is made anew.
const COMPLETE: &str = "complete";

#[derive(Deserialize)]
struct Asked {
    version: String,
    scripts: PathBuf,
    folders: Vec<String>,
}

/// A place for servers beside one interpreter's packages.
#[derive(Clone, Debug)]
pub struct Overlay {
    app: PathBuf,
    folder: PathBuf,
    scripts: PathBuf,
    folders: Vec<String>,
}

impl Overlay {
    /// Longest time to make the environment.
    pub const MAKING: Duration = Duration::from_mins(2);
    /// Longest time for one call of pip, which may build what it installs.
    pub const INSTALLING: Duration = Duration::from_mins(5);

    /// The place below `data` for what is added to an interpreter: it is another one for each path and version.
    ///
    /// # Errors
    /// The interpreter does not say its version.
    pub fn of(python: &Path, data: &Path) -> Result<Self> {
        let argv = [
            python.display().to_string(),
            "-c".to_owned(),
            ASK.to_owned(),
        ];
        let unasked = |problem: String| StackError::NoPython { problem };
        let said = capture(&argv, None, &unwritten(), PATIENCE)
            .map_err(|why| why.or(|error| unasked(format!("`{}`: {error}", argv[0]))))?;
        let asked: Asked = serde_json::from_str(&said.stdout).map_err(|_| {
            unasked(format!(
                "`{}` does not say its version: it {}",
                argv[0],
                said.how()
            ))
        })?;
        let mut digest = Sha256::new();
        digest.update(python.as_os_str().as_encoded_bytes());
        digest.update([0]);
        digest.update(&asked.version);
        let digest = digest.finalize();
        let first = digest.iter().take(8);
        let digest = first.fold(0_u64, |all, byte| (all << 8) | u64::from(*byte));
        Ok(Self {
            app: python.to_owned(),
            folder: data.join(format!("python-{}-{digest:016x}", asked.version)),
            scripts: asked.scripts,
            folders: asked.folders,
        })
    }

    /// Where it is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Its interpreter, which finds the app's packages and then its own; none before something was installed.
    pub fn python(&self) -> Option<PathBuf> {
        let python = self.folder.join("bin/python");
        (self.folder.join(COMPLETE).is_file() && python.exists()).then_some(python)
    }

    /// Makes it, if it is not there, and reads again what the app has.
    ///
    /// # Errors
    /// The app's interpreter cannot make virtual environments, or a file cannot be written.
    pub fn make(&self, interrupted: &AtomicBool) -> Result<()> {
        if self.python().is_none() {
            let place = self.folder.display().to_string();
            let python = self.app.display().to_string();
            let words = [&python, "-m", "venv", "--clear", &place].map(str::to_owned);
            run(&words, Self::MAKING, interrupted)?;
        }
        let site = self.site()?;
        let apps = serde_json::to_string(&self.folders).unwrap_or_default();
        let module = MODULE.replace("APP = []", &format!("APP = {apps}"));
        write(&site.join("weir_overlay.py"), &module)?;
        write(&site.join("weir_overlay.pth"), LOADED)?;
        self.link_scripts()?;
        write(&self.folder.join(COMPLETE), "")
    }

    /// Installs packages of Python, in the versions that go with the app's.
    ///
    /// # Errors
    /// pip fails, or takes too long, or the user interrupts.
    pub fn install(&self, packages: &[&str], interrupted: &AtomicBool) -> Result<()> {
        let python = self.folder.join("bin/python").display().to_string();
        let asked = [&python, "-c", PINNED].map(str::to_owned);
        let pinned = capture(&asked, None, &unwritten(), PATIENCE);
        let pinned = pinned.map_err(|why| {
            why.or(|error| StackError::NoPython {
                problem: format!("`{python}`: {error}"),
            })
        })?;
        let constraints = self.folder.join("constraints.txt");
        write(&constraints, &pinned.stdout)?;
        let constraints = constraints.display().to_string();
        let words = [
            python.as_str(),
            "-m",
            "pip",
            "install",
            "--quiet",
            "--no-input",
            "--prefer-binary",
            "--disable-pip-version-check",
            "--constraint",
            &constraints,
        ];
        let argv: Vec<_> = words
            .iter()
            .chain(packages)
            .map(|&word| word.to_owned())
            .collect();
        self.unfinished(|| run(&argv, Self::INSTALLING, interrupted))
    }

    /// Does not count as complete until this has ended by itself, and so not after weir was killed meanwhile either.
    fn unfinished(&self, work: impl FnOnce() -> Result<()>) -> Result<()> {
        let mark = self.folder.join(COMPLETE);
        let _ = std::fs::remove_file(&mark);
        let outcome = work();
        if !matches!(outcome, Err(StackError::Interrupted)) {
            write(&mark, "")?;
        }
        outcome
    }

    /// The folder of its own packages.
    fn site(&self) -> Result<PathBuf> {
        let lib = self.folder.join("lib");
        let listing = std::fs::read_dir(&lib).map_err(StackError::file("reading", &lib))?;
        let mut sites = listing
            .flatten()
            .map(|item| item.path().join("site-packages"));
        sites
            .find(|site| site.is_dir())
            .ok_or_else(|| StackError::NoPython {
                problem: format!("`{}` has no site-packages", lib.display()),
            })
    }

    /// Programs that the app's packages put beside its interpreter are found beside this one too.
    fn link_scripts(&self) -> Result<()> {
        let own = self.folder.join("bin");
        let listing = std::fs::read_dir(&self.scripts)
            .into_iter()
            .flatten()
            .flatten();
        for item in listing {
            let name = item.file_name();
            let known = name.to_string_lossy();
            let of_the_environment = ["python", "pip", "activate", "Activate"];
            let link = own.join(&name);
            if of_the_environment
                .iter()
                .any(|word| known.starts_with(word))
                || link.exists()
            {
                continue;
            }
            let _ = std::fs::remove_file(&link); // one that leads nowhere
            let linked = std::os::unix::fs::symlink(item.path(), &link);
            linked.map_err(StackError::file("writing", &link))?;
        }
        Ok(())
    }
}

fn run(argv: &[String], limit: Duration, interrupted: &AtomicBool) -> Result<()> {
    let guard = GuardCommand::default();
    let root = Path::new("/");
    command(argv, &unwritten(), root, limit, &guard, interrupted)
}

/// Neither the app's environment nor its folder gets files by what is asked of its interpreter; and what a user's
/// configuration of pip says about places does not hold here.
fn unwritten() -> Vec<(String, String)> {
    [
        ("PYTHONDONTWRITEBYTECODE", "1"),
        ("PIP_USER", "0"),
        ("PIP_TARGET", ""),
        ("PIP_PREFIX", ""),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .to_vec()
}

fn write(path: &Path, text: &str) -> Result<()> {
    let written = std::fs::File::create(path).and_then(|mut file| file.write_all(text.as_bytes()));
    written.map_err(StackError::file("writing", path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_interrupted_does_not_count_as_complete() {
        let dir = testkit::temp_dir();
        std::fs::create_dir(dir.path().join("bin")).unwrap();
        write(&dir.path().join("bin/python"), "").unwrap();
        let overlay = Overlay {
            app: PathBuf::from("python"),
            folder: dir.path().to_owned(),
            scripts: PathBuf::from("bin"),
            folders: Vec::new(),
        };
        assert_eq!(overlay.python(), None, "it was never made");
        let failed = overlay.unfinished(|| {
            assert_eq!(overlay.python(), None, "pip is at work");
            let problem = "no such package".to_owned();
            Err(StackError::NoPython { problem })
        });
        assert!(matches!(failed, Err(StackError::NoPython { .. })));
        let python = dir.path().join("bin/python");
        assert_eq!(overlay.python(), Some(python), "pip left it as it was");
        let stopped = overlay.unfinished(|| Err(StackError::Interrupted));
        assert!(matches!(stopped, Err(StackError::Interrupted)));
        assert_eq!(overlay.python(), None);
        overlay.unfinished(|| Ok(())).unwrap();
        assert!(overlay.python().is_some());
    }
}
