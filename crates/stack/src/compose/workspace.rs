use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use record::{Knob, Target, Transport};

use crate::compose::composition::{Composition, Part, Supervisor};
use crate::entry::Entry;
use crate::error::{Result, StackError};
use crate::path::is_plain;
use crate::probe::{Identity, identify_with};

/// What stands for the version of a program that is not installed. As it is no version, it counts as one before
/// every other.
const NOT_INSTALLED: &str = "VERSION";
/// What stands for the app's folder, and for that of its files, where their own paths would be misread.
const APP: &str = ".app";
const SITE: &str = ".site";

/// The certificate's file in a stack's folder, and its key's.
pub(crate) const CERTIFICATE: &str = "certificate.pem";
pub(crate) const KEY: &str = "key.pem";

/// Where a composition is to live: its folder, and addresses for each program.
#[derive(Clone, Debug)]
pub struct Workspace {
    /// The folder that everything is written into.
    pub folder: PathBuf,
    pub(crate) placements: Vec<Placement>,
}

/// What one program of a composition is given: a part has as many placements as instances.
#[derive(Clone, Debug)]
pub(crate) struct Placement {
    /// Which part of the composition takes it.
    pub(crate) part: usize,
    /// The program's own name: its folder's and its log's.
    pub(crate) name: String,
    /// Where it listens; or where it dials in, which all instances of its part share.
    pub(crate) listen: Target,
    /// Where it may listen for weir alone.
    pub(crate) private: Target,
    pub(crate) identity: Identity,
}

impl Workspace {
    /// These addresses for the programs, those to listen on first, in a folder that exists; one identity for each part.
    pub(crate) fn place(
        composition: &Composition,
        folder: &Path,
        identities: &[Identity],
        addresses: &[SocketAddr],
    ) -> Self {
        let mut placed: Vec<Placement> = Vec::new();
        let private = addresses.iter().skip(composition.programs());
        let addresses = addresses.iter().zip(private);
        for ((at, name), (address, private)) in placements(composition).zip(addresses) {
            let part = &composition.parts[at];
            let shared = placed.last().filter(|before| before.part == at);
            let listen = match shared.filter(|_| part.spoken.protocol.dials_in()) {
                Some(before) => before.listen.clone(),
                None => place(part, &name, folder, *address),
            };
            placed.push(Placement {
                identity: identities[at].clone(),
                part: at,
                listen,
                private: Target::Tcp(*private),
                name,
            });
        }
        Self {
            placements: placed,
            folder: folder.to_owned(),
        }
    }

    /// A workspace to look at: nothing is created, and the addresses are only examples.
    ///
    /// A server that is not installed has a word in place of its version, and is shown as before every
    /// change that a version brought, as its knobs' defaults are.
    ///
    /// # Errors
    /// A server that cannot be asked, for another reason than that it is not installed.
    pub fn preview(composition: &Composition) -> Result<Self> {
        let python = composition.app.python.as_deref();
        let identities = identified(composition, |entry, knobs| {
            match identify_with(entry, knobs, python) {
                Err(StackError::Missing { .. }) => Ok(Identity {
                    program: entry.find.program.as_ref().map(PathBuf::from),
                    version: NOT_INSTALLED.to_owned(),
                    supervisor: None,
                }),
                found => found,
            }
        })?;
        let numbers =
            8000..8000 + u16::try_from(composition.addresses()).unwrap_or(u16::MAX - 8000);
        let addresses: Vec<_> = numbers.map(|port| ([127, 0, 0, 1], port).into()).collect();
        let folder = Path::new("/tmp/weir-preview");
        Ok(Self::place(composition, folder, &identities, &addresses))
    }

    /// The app's folder as programs are told of it: by a link below the workspace, where a configuration could take a
    /// letter of its path for something else.
    pub(crate) fn app_dir(&self, composition: &Composition) -> PathBuf {
        self.told(&composition.app.dir, APP)
    }

    /// The same of the folder of its files.
    pub(crate) fn site_dir(&self, composition: &Composition) -> Option<PathBuf> {
        let site = composition.app.site.as_ref()?;
        Some(self.told(&site.dir, SITE))
    }

    /// The same of its interpreter, which is found below its folder.
    pub(crate) fn python(&self, composition: &Composition) -> Option<PathBuf> {
        let app = &composition.app;
        let python = app.python.as_deref()?;
        Some(match python.strip_prefix(&app.dir) {
            Ok(below) => self.app_dir(composition).join(below),
            Err(_) => python.to_owned(),
        })
    }

    fn told(&self, path: &Path, name: &str) -> PathBuf {
        if is_plain(path) {
            path.to_owned()
        } else {
            self.folder.join(name)
        }
    }

    /// Makes the links that programs are told of.
    pub(crate) fn link(&self, composition: &Composition) -> std::io::Result<()> {
        let app = &composition.app;
        let site = app.site.as_ref().map(|site| (&site.dir, SITE));
        for (path, name) in [Some((&app.dir, APP)), site].into_iter().flatten() {
            if !is_plain(path) {
                std::os::unix::fs::symlink(path, self.folder.join(name))?;
            }
        }
        Ok(())
    }

    /// The placements of one part.
    pub(crate) fn placements_of(&self, part: usize) -> impl Iterator<Item = &Placement> {
        let all = self.placements.iter();
        all.filter(move |placement| placement.part == part)
    }
}

/// What is installed of each part's program, and of its supervisor.
///
/// # Errors
/// The first that is not installed, or cannot be asked.
pub(crate) fn identities(composition: &Composition) -> Result<Vec<Identity>> {
    let python = composition.app.python.as_deref();
    identified(composition, |entry, knobs| {
        identify_with(entry, knobs, python)
    })
}

fn identified(
    composition: &Composition,
    find: impl Fn(&Entry, &BTreeMap<String, Knob>) -> Result<Identity>,
) -> Result<Vec<Identity>> {
    let identity = |part: &Part| {
        let of = |supervisor: &Supervisor| find(&supervisor.entry, &supervisor.knobs);
        let supervisor = part.supervisor.as_ref().map(of).transpose()?;
        Ok(Identity {
            supervisor: supervisor.map(Box::new),
            ..find(&part.entry, &part.knobs)?
        })
    };
    composition.parts.iter().map(identity).collect()
}

/// Every program of a composition: which part it is of, and its name.
fn placements(composition: &Composition) -> impl Iterator<Item = (usize, String)> {
    let parts = composition.parts.iter().enumerate();
    parts.flat_map(|(at, part)| {
        (1..=part.instances).map(move |number| match part.instances {
            1 => (at, part.name.clone()),
            _ => (at, format!("{}-{number}", part.name)),
        })
    })
}

fn place(part: &Part, name: &str, folder: &Path, address: SocketAddr) -> Target {
    match part.spoken.transport {
        Transport::Tcp => Target::Tcp(address),
        // in the program's own folder: some make sockets that everybody may write to, whatever the umask
        Transport::Unix => Target::Unix(folder.join(name).join(format!("{name}.sock"))),
    }
}

/// The version of a program that is installed.
pub(crate) fn known(version: &str) -> Option<&str> {
    (version != NOT_INSTALLED).then_some(version)
}
