use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use record::{Target, Transport};

use crate::compose::{Composition, Part};
use crate::probe::{Identity, identify};

/// Where a composition is to live: its folder, and an address for each program.
#[derive(Clone, Debug)]
pub struct Workspace {
    /// The folder that everything is written into.
    pub folder: PathBuf,
    pub(crate) seats: Vec<Seat>,
}

/// What one part of a composition is given.
#[derive(Clone, Debug)]
pub(crate) struct Seat {
    pub(crate) listen: Target,
    pub(crate) identity: Identity,
}

impl Workspace {
    /// These addresses for the parts, in a folder that exists.
    pub(crate) fn place(
        composition: &Composition,
        folder: &Path,
        identities: &[Identity],
        addresses: &[SocketAddr],
    ) -> Self {
        let parts = composition.parts.iter().zip(identities).zip(addresses);
        let seats = parts.map(|((part, identity), address)| Seat {
            listen: place(part, folder, *address),
            identity: identity.clone(),
        });
        Self {
            seats: seats.collect(),
            folder: folder.to_owned(),
        }
    }

    /// A workspace to look at: nothing is created, and the addresses are only examples.
    ///
    /// A server that is not installed is shown as if it were newer than any condition asks for.
    pub fn preview(composition: &Composition) -> Self {
        let folder = PathBuf::from("/tmp/weir-preview");
        let python = composition.app.python.as_deref();
        let seats = composition
            .parts
            .iter()
            .zip(8000..)
            .map(|(part, port)| Seat {
                listen: place(part, &folder, ([127, 0, 0, 1], port).into()),
                identity: identify(&part.entry, python).unwrap_or_else(|_| Identity {
                    program: part.entry.find.program.as_ref().map(PathBuf::from),
                    version: "999".to_owned(),
                }),
            });
        Self {
            seats: seats.collect(),
            folder,
        }
    }
}

fn place(part: &Part, folder: &Path, address: SocketAddr) -> Target {
    match part.transport {
        Transport::Tcp => Target::Tcp(address),
        Transport::Unix => Target::Unix(folder.join(format!("{}.sock", part.entry.name))),
    }
}
