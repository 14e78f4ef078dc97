use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use record::{Target, Transport};

use crate::compose::{Composition, Part};
use crate::probe::{Identity, identify_with};

/// Where a composition is to live: its folder, and an address for each program.
#[derive(Clone, Debug)]
pub struct Workspace {
    /// The folder that everything is written into.
    pub folder: PathBuf,
    pub(crate) seats: Vec<Seat>,
}

/// What one program of a composition is given: a part has as many seats as instances.
#[derive(Clone, Debug)]
pub(crate) struct Seat {
    /// Which part of the composition takes it.
    pub(crate) part: usize,
    /// The program's own name: its folder's and its log's.
    pub(crate) name: String,
    /// Where it listens; or where it dials in, which all instances of its part share.
    pub(crate) listen: Target,
    pub(crate) identity: Identity,
}

impl Workspace {
    /// These addresses for the programs, in a folder that exists; one identity for each part.
    pub(crate) fn place(
        composition: &Composition,
        folder: &Path,
        identities: &[Identity],
        addresses: &[SocketAddr],
    ) -> Self {
        let mut placed: Vec<Seat> = Vec::new();
        for ((at, name), address) in seats(composition).zip(addresses) {
            let part = &composition.parts[at];
            let shared = placed.last().filter(|before| before.part == at);
            let listen = match shared.filter(|_| part.spoken.protocol.dials_in()) {
                Some(before) => before.listen.clone(),
                None => place(part, &name, folder, *address),
            };
            placed.push(Seat {
                identity: identities[at].clone(),
                part: at,
                listen,
                name,
            });
        }
        Self {
            seats: placed,
            folder: folder.to_owned(),
        }
    }

    /// A workspace to look at: nothing is created, and the addresses are only examples.
    ///
    /// A server that is not installed is shown as if it were newer than any condition asks for.
    pub fn preview(composition: &Composition) -> Self {
        let python = composition.app.python.as_deref();
        let parts = composition.parts.iter();
        let identities: Vec<_> = parts
            .map(|part| {
                identify_with(&part.entry, &part.knobs, python).unwrap_or_else(|_| Identity {
                    program: part.entry.find.program.as_ref().map(PathBuf::from),
                    version: "999".to_owned(),
                })
            })
            .collect();
        let numbers = 8000..8000 + u16::try_from(composition.programs()).unwrap_or(u16::MAX - 8000);
        let addresses: Vec<_> = numbers.map(|port| ([127, 0, 0, 1], port).into()).collect();
        Self::place(
            composition,
            Path::new("/tmp/weir-preview"),
            &identities,
            &addresses,
        )
    }

    /// The seats of one part.
    pub(crate) fn seats_of(&self, part: usize) -> impl Iterator<Item = &Seat> {
        self.seats.iter().filter(move |seat| seat.part == part)
    }
}

/// Every program of a composition: which part it is of, and its name.
fn seats(composition: &Composition) -> impl Iterator<Item = (usize, String)> {
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
        Transport::Unix => Target::Unix(folder.join(format!("{name}.sock"))),
    }
}
