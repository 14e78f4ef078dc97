//! What commands share: where results are, which servers exist, whether the user pressed Ctrl-C.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use etcetera::{AppStrategy as _, AppStrategyArgs, choose_app_strategy};
use record::{Calibration, Run};
use stack::Catalogue;
use store::Store;

use crate::args::{Common, RunName};
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::progress::Progress;

/// weir's own version.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Set by Ctrl-C and by a polite kill; every wait looks at it.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// One invocation of weir.
pub(crate) struct Session {
    common: Common,
    interrupted: &'static AtomicBool,
    data: PathBuf,
    cache: PathBuf,
    config: PathBuf,
}

impl Session {
    /// Finds the user's folders and begins to listen for Ctrl-C.
    pub(crate) fn new(common: Common) -> Result<Self> {
        let own = AppStrategyArgs {
            app_name: "weir".into(),
            ..AppStrategyArgs::default()
        };
        let folders = choose_app_strategy(own).map_err(|error| {
            Error::new(
                Exit::Internal,
                format!("cannot find your home folder: {error}"),
            )
            .hint("set HOME, or give `--store FILE`".to_owned())
        })?;
        ctrlc::set_handler(|| INTERRUPTED.store(true, Ordering::Relaxed)).map_err(|error| {
            Error::new(Exit::Internal, format!("cannot listen for Ctrl-C: {error}"))
        })?;
        Ok(Self {
            common,
            interrupted: &INTERRUPTED,
            data: folders.data_dir(),
            cache: folders.cache_dir(),
            config: folders.config_dir(),
        })
    }

    pub(crate) fn interrupted(&self) -> &'static AtomicBool {
        self.interrupted
    }

    pub(crate) fn json(&self) -> bool {
        self.common.json
    }

    pub(crate) fn quiet(&self) -> bool {
        self.common.quiet
    }

    pub(crate) fn progress(&self) -> Progress {
        Progress::new(self.common.quiet)
    }

    /// The store's file.
    pub(crate) fn store_path(&self) -> PathBuf {
        let default = || self.data.join("weir.db");
        self.common.store.clone().unwrap_or_else(default)
    }

    /// Where programs are built that are compiled.
    pub(crate) fn builds(&self) -> PathBuf {
        self.cache.join("builds")
    }

    pub(crate) fn store(&self) -> Result<Store> {
        Ok(Store::open(&self.store_path())?)
    }

    /// What is known about this machine's ceiling. A store that is not there, or cannot be read, knows
    /// nothing: a load does not fail for what it does not need.
    pub(crate) fn calibration(&self) -> Option<Calibration> {
        let path = self.store_path();
        let store = path.exists().then(|| Store::open(&path).ok())??;
        store.calibration(&observe::host(), VERSION).ok()?
    }

    /// Where a run's report is written when the user names no folder: beside the store.
    pub(crate) fn report_folder(&self, run: i64, out: Option<&Path>) -> PathBuf {
        match out {
            Some(out) => out.to_owned(),
            None => self
                .store_path()
                .with_extension("reports")
                .join(format!("run-{run}")),
        }
    }

    /// The same, and the entries in these files.
    pub(crate) fn catalogue_with(&self, files: &[PathBuf]) -> Result<Catalogue> {
        let mut catalogue = self.catalogue()?;
        for file in files {
            catalogue.read(file)?;
        }
        Ok(catalogue)
    }

    /// The built-in entries, the user's own (`catalogue/` in the configuration folder), and those
    /// of `--catalogue`; later ones win.
    pub(crate) fn catalogue(&self) -> Result<Catalogue> {
        let own = self.config.join("catalogue");
        let mut folders: Vec<PathBuf> = own.is_dir().then_some(own).into_iter().collect();
        folders.extend(self.common.catalogue.iter().cloned());
        Ok(Catalogue::load(&folders)?)
    }
}

/// The run that the user named.
pub(crate) fn named(store: &Store, name: RunName) -> Result<Run> {
    Ok(match name {
        RunName::Last => store.latest()?,
        RunName::Number(id) => store.run(id)?,
    })
}

/// Columns that the user's terminal has, or 100 where there is none.
pub(crate) fn width() -> usize {
    use std::io::IsTerminal as _;
    if !std::io::stdout().is_terminal() {
        return 100;
    }
    rustix::termios::tcgetwinsize(std::io::stdout())
        .map_or(100, |size| usize::from(size.ws_col.max(60)))
}
