//! What weir makes of a folder: small ones, each with what such apps have.

mod compiled;
mod environments;
mod java;
mod lacking;
mod node;
mod php;
mod projects;
mod python;
mod scripts;
mod today;

use std::path::{Path, PathBuf};

use stack::{Catalogue, Recognised, StackError, Wish};
use tempfile::TempDir;

struct Folder {
    dir: TempDir,
    builds: TempDir,
    /// The interpreter of the tests.
    python: PathBuf,
}

impl Folder {
    fn of(files: &[(&str, &str)]) -> Self {
        let dir = testkit::temp_dir();
        for (name, text) in files {
            let path = dir.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        Self {
            dir,
            builds: testkit::temp_dir(),
            python: crate::support::python(),
        }
    }

    /// Nothing is said of it.
    fn wish(&self) -> Wish<'_> {
        Wish {
            dir: self.dir.path(),
            entry: None,
            interface: None,
            speaks: None,
            command: None,
            python: Some(&self.python),
            builds: self.builds.path(),
            patience: Wish::PATIENCE,
        }
    }

    fn looked_at(&self) -> Result<Recognised, StackError> {
        recognised(&self.wish())
    }

    fn recognised(&self) -> Recognised {
        self.looked_at().unwrap()
    }

    fn refused(&self) -> (String, String) {
        let error = self.looked_at().unwrap_err();
        (error.to_string(), error.hint().unwrap_or_default())
    }

    fn run_by(&self, python: &Path, entry: Option<&str>) -> Result<Recognised, StackError> {
        recognised(&Wish {
            entry,
            python: Some(python),
            ..self.wish()
        })
    }

    /// A folder of this one, in full.
    fn inside(&self, name: &str) -> PathBuf {
        self.dir.path().canonicalize().unwrap().join(name)
    }
}

fn recognised(wish: &Wish) -> Result<Recognised, StackError> {
    stack::recognise(wish, &Catalogue::load(&[]).unwrap())
}

fn says(recognised: &Recognised, words: &str) {
    let because = recognised.because.join("\n");
    assert!(because.contains(words), "`{words}`: {because}");
}
