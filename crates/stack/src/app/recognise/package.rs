//! What a `package.json` says of its project, and whether what it needs is there.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::text;

/// Files that tools keep of what they installed, and the tools.
const TOOLS: [(&str, &str); 6] = [
    ("pnpm-lock.yaml", "pnpm"),
    ("yarn.lock", "yarn"),
    ("bun.lock", "bun"),
    ("bun.lockb", "bun"),
    ("package-lock.json", "npm"),
    ("npm-shrinkwrap.json", "npm"),
];
/// What Yarn writes where it installs without `node_modules`.
const PLUG_AND_PLAY: &str = ".pnp.cjs";

/// A `package.json`, and its folder in full.
pub(super) struct Package {
    said: Value,
    pub(super) dir: PathBuf,
}

impl Package {
    pub(super) fn read(dir: &Path) -> Option<Self> {
        let said = serde_json::from_str(&text(dir, "package.json")?).ok()?;
        let dir = dir.canonicalize().ok()?;
        Some(Self { said, dir })
    }

    pub(super) fn script(&self, name: &str) -> Option<&str> {
        self.said["scripts"][name].as_str()
    }

    /// The file that stands for the whole package.
    pub(super) fn main(&self) -> Option<&str> {
        self.said["main"].as_str()
    }

    /// Whether it needs this package in order to run.
    pub(super) fn needs(&self, name: &str) -> bool {
        self.said["dependencies"][name].is_string()
    }

    /// Whether it needs this package in order to run or to be built.
    pub(super) fn uses(&self, name: &str) -> bool {
        self.needs(name) || self.said["devDependencies"][name].is_string()
    }

    /// Whether it names packages without which it cannot run.
    pub(super) fn has_needs(&self) -> bool {
        let needs = self.said["dependencies"].as_object();
        needs.is_some_and(|needs| !needs.is_empty())
    }

    /// Whether packages are installed: in its folder, or for a workspace around it.
    pub(super) fn installed(&self) -> bool {
        let mut folders = self.dir.ancestors();
        folders.any(|dir| dir.join("node_modules").is_dir()) || self.plugged().is_some()
    }

    /// What has Node find packages that are in no `node_modules`.
    pub(super) fn plugged(&self) -> Option<PathBuf> {
        let mut files = self.dir.ancestors().map(|dir| dir.join(PLUG_AND_PLAY));
        files.find(|file| file.is_file())
    }

    /// Folders of the programs that its packages have, the nearest first.
    pub(super) fn programs(&self) -> Vec<PathBuf> {
        let folders = self.dir.ancestors();
        let folders = folders.map(|dir| dir.join("node_modules/.bin"));
        folders.filter(|folder| folder.is_dir()).collect()
    }

    /// The tool that installs its packages: the one that it names, or whose file lies nearest.
    pub(super) fn tool(&self) -> &'static str {
        let named = self.said["packageManager"].as_str();
        let named = named.and_then(|named| named.split('@').next());
        let known = TOOLS.iter().find(|(_, tool)| Some(*tool) == named);
        let kept = || {
            let mut folders = self.dir.ancestors();
            folders.find_map(|dir| TOOLS.iter().find(|(file, _)| dir.join(file).is_file()))
        };
        known.or_else(kept).map_or("npm", |&(_, tool)| tool)
    }

    /// What to type to have it built.
    pub(super) fn build(&self) -> String {
        let tool = self.tool();
        let first = if self.installed() {
            String::new()
        } else {
            format!("{tool} install && ")
        };
        format!("run `{first}{tool} run build` in it")
    }
}
