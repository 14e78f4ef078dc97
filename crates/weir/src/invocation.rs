//! What commands share: where results are, which servers exist, whether the user pressed Ctrl-C.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};

use etcetera::{AppStrategy as _, AppStrategyArgs, choose_app_strategy};
use judge::RingCost;
use record::{Calibration, Host, Run};
use report::words::counted;
use serde::Serialize;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;
use stack::{Catalogue, Machine};
use store::Store;

use crate::args::{Common, RunName};
use crate::error::{self, Error, Exit, Result};
use crate::output::{print, print_json};
use crate::progress::Progress;

/// weir's own version.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Set by Ctrl-C and by a polite kill; every wait looks at it.
static INTERRUPTED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// One invocation of weir.
pub(crate) struct Invocation {
    common: Common,
    interrupted: &'static AtomicBool,
    host: OnceCell<Host>,
    data: PathBuf,
    cache: PathBuf,
    config: PathBuf,
}

impl Invocation {
    /// Finds the user's folders and begins to listen for Ctrl-C.
    pub(crate) fn new(common: Common) -> Result<Self> {
        let own = AppStrategyArgs {
            app_name: "weir".into(),
            ..AppStrategyArgs::default()
        };
        let folders = choose_app_strategy(own).map_err(|error| {
            let message = format!("cannot find your home folder: {error}");
            Error::new(Exit::Internal, message).hint("set HOME, or give `--store FILE`".to_owned())
        })?;
        listen().map_err(|error| {
            let exit = error::no_descriptor().map_or(Exit::Internal, |_| Exit::Machine);
            let hint = "it needs two descriptors: raise the limit first, as in `ulimit -n 1024`";
            Error::new(exit, format!("cannot listen for Ctrl-C: {error}")).hint(hint.to_owned())
        })?;
        Ok(Self {
            common,
            interrupted: &INTERRUPTED,
            host: OnceCell::new(),
            data: folders.data_dir(),
            cache: folders.cache_dir(),
            config: folders.config_dir(),
        })
    }

    pub(crate) fn interrupted(&self) -> &'static AtomicBool {
        self.interrupted
    }

    /// Whether the user pressed Ctrl-C.
    pub(crate) fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    /// The machine that weir runs on, read once.
    pub(crate) fn host(&self) -> &Host {
        self.host.get_or_init(observe::host)
    }

    /// Prints a result: as JSON where that was asked for, else as a text.
    pub(crate) fn show(
        &self,
        value: &impl Serialize,
        text: impl FnOnce() -> String,
    ) -> Result<Exit> {
        if self.json() {
            print_json(value)?;
        } else {
            print(&text())?;
        }
        Ok(Exit::Done)
    }

    pub(crate) fn json(&self) -> bool {
        self.common.json
    }

    /// Columns that tables may take.
    pub(crate) fn width(&self) -> usize {
        let width = self.common.width.or_else(columns);
        usize::from(width.unwrap_or(UNLIMITED))
    }

    pub(crate) fn quiet(&self) -> bool {
        self.common.quiet
    }

    /// Whether other programs are always there on this machine.
    pub(crate) fn shared(&self) -> bool {
        self.common.shared
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

    /// Where servers are put beside apps' own packages.
    pub(crate) fn overlays(&self) -> PathBuf {
        self.data.join("overlays")
    }

    /// The store, to look at it: one that cannot be written will do.
    pub(crate) fn store_to_read(&self) -> Result<Store> {
        Ok(Store::open_to_read(&self.store_path())?)
    }

    pub(crate) fn store(&self) -> Result<Store> {
        Ok(Store::open(&self.store_path())?)
    }

    /// What is known about this machine's ceiling. A store that is not there, or cannot be read, knows
    /// nothing: a load does not fail for what it does not need.
    pub(crate) fn calibration(&self) -> Option<Calibration> {
        let path = self.store_path();
        let store = path.exists().then(|| Store::open_to_read(&path).ok())??;
        store.calibration(self.host(), VERSION).ok()?
    }

    /// What it says of both event loops of the load engine.
    pub(crate) fn ring_costs(&self) -> Vec<RingCost> {
        let known = self.calibration();
        known.iter().flat_map(judge::ring_costs).collect()
    }

    /// Where a run's report is written when the user names no folder: beside the store.
    pub(crate) fn report_folder(&self, run: i64, out: Option<&Path>) -> PathBuf {
        let reports = || self.store_path().with_extension("reports");
        out.map_or_else(|| reports().join(format!("run-{run}")), Path::to_owned)
    }

    /// What variants are composed for: this machine, with [`Self::catalogue`].
    pub(crate) fn machine(&self) -> Result<Machine> {
        self.machine_with(&[])
    }

    /// The same, and the entries in these files.
    pub(crate) fn machine_with(&self, files: &[PathBuf]) -> Result<Machine> {
        let mut catalogue = self.catalogue()?;
        for file in files {
            catalogue.read(file)?;
        }
        Ok(Machine::new(catalogue, self.host().cores))
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

/// The first signal asks, and weir ends in good order as soon as what is under way looks up. The second ends
/// it at once, in the handler itself: whatever never looks up (a script that loops, a file that never
/// ends) has no say in it. Guardians see weir's end by their pipes, and the terminal is as it was, as weir
/// neither hides its cursor nor changes its mode.
fn listen() -> std::io::Result<()> {
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        let status = i32::from(Exit::Interrupted.code());
        flag::register_conditional_shutdown(signal, status, Arc::clone(&INTERRUPTED))?;
        flag::register(signal, Arc::clone(&INTERRUPTED))?;
    }
    Ok(())
}

/// The run that the user named.
pub(crate) fn named(store: &Store, name: RunName) -> Result<Run> {
    match name {
        RunName::Last(0) => Ok(store.latest()?),
        RunName::Last(before) => earlier(store, before),
        RunName::Number(id) => Ok(store.run(id)?),
    }
}

/// The run before the last one, or before that.
fn earlier(store: &Store, before: u32) -> Result<Run> {
    let runs = store.runs()?;
    let Some(run) = runs.get(before as usize) else {
        let has = counted(runs.len() as u64, "run");
        let message = format!("there is no run `last-{before}`: the store has {has}");
        return Err(Error::new(Exit::Store, message).hint("`weir list` shows them".to_owned()));
    };
    Ok(store.run(run.id)?)
}

/// As many columns as a table may have: in a pipe none is left out.
const UNLIMITED: u16 = u16::MAX;
/// Fewest columns that are taken for a width.
const NARROWEST: u16 = 20;

/// The columns that `COLUMNS` says, as shells and other programs have it, or the terminal's.
fn columns() -> Option<u16> {
    use std::io::IsTerminal as _;
    let said = std::env::var("COLUMNS").ok();
    let said = said.and_then(|text| text.trim().parse::<u16>().ok());
    let said = said.filter(|columns| *columns >= NARROWEST);
    said.or_else(|| {
        let out = std::io::stdout();
        let size = out
            .is_terminal()
            .then(|| rustix::termios::tcgetwinsize(&out));
        Some(size?.ok()?.ws_col.max(60))
    })
}
