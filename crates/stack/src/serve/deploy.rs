//! A stack's programs in a folder that stays: what `start` makes for a trial, for a user to start.

use std::fs::Permissions;
use std::net::{Ipv4Addr, SocketAddr};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use record::Target;

use crate::compose::{CERTIFICATE, Composition, KEY, Program, Workspace, identities, render};
use crate::error::{Result, StackError};
use crate::process::folder;
use crate::serve::certificate;
use crate::serve::check::{check, write};
use crate::serve::stand_in::{self, StandIn};

/// A folder that others may pass through, and whose names they cannot list.
const PASSED: u32 = 0o711;

/// The programs of a stack with their files, written.
#[derive(Debug)]
pub struct Deployed {
    /// In the order in which they start: services, app servers, front ends. Where their commands and environments name a
    /// TCP address that clients connect to, there are [`Deployed::HOST`] and [`Deployed::PORT`]; where they name the port
    /// of a program behind, [`Deployed::port`].
    pub programs: Vec<Program>,
    /// Where clients connect, unless another host and port are put in for the marks.
    pub address: Target,
    /// The port there, or that it would have if it were no Unix socket: the ports behind come after it.
    pub first: u16,
    /// Files in which an address stands, by their paths below the folder. Each has a template with marks beside it.
    pub templates: Vec<String>,
}

impl Deployed {
    /// The mark in place of the host at which clients connect.
    pub const HOST: &str = stand_in::HOST;
    /// The mark in place of the port.
    pub const PORT: &str = stand_in::PORT;
    /// The certificate that clients are shown, where they speak TLS: made by weir, a file of the folder.
    pub const CERTIFICATE: &str = CERTIFICATE;
    /// Its key's file.
    pub const KEY: &str = KEY;

    /// The mark in place of the port that is so far after the one at which clients connect.
    pub fn port(after: u16) -> String {
        stand_in::port(after)
    }

    /// How far after that port those are at which the programs behind listen, each once.
    pub fn behind(&self) -> Vec<u16> {
        let programs = self.programs.iter();
        let ports = programs.filter_map(|program| match program.listen {
            Target::Tcp(at) if program.listen != self.address => Some(at.port() - self.first),
            _ => None,
        });
        let mut behind: Vec<u16> = ports.collect();
        behind.sort_unstable();
        behind.dedup(); // servers that dial in share one
        behind
    }

    /// The template of a file: the same text with marks.
    pub fn template(file: &str) -> String {
        format!("{file}.template")
    }
}

/// Writes the files of a stack's programs into a folder that exists. Clients will connect to `port` of the loopback
/// interface, or to a Unix socket in the folder; programs behind take the ports after it, of which there must be enough.
///
/// # Errors
/// A server that is not installed or refuses its configuration; a template that computes with an address; a file that
/// cannot be written.
pub fn deploy(composition: &Composition, place: &Path, port: u16) -> Result<Deployed> {
    let composition = composition.to_deploy();
    let identities = identities(&composition)?;
    let ports = port..=u16::MAX;
    let addresses: Vec<_> = ports
        .take(composition.programs())
        .map(|port| SocketAddr::from((Ipv4Addr::LOCALHOST, port)))
        .collect();
    let at = |addresses: &[SocketAddr]| {
        let all = [addresses, addresses].concat(); // nobody asks them for weir
        Workspace::place(&composition, place, &identities, &all)
    };
    let workspace = at(&addresses);
    let mut programs = render(&composition, &workspace)?;
    let linked = workspace.link(&composition);
    linked.map_err(StackError::system("making links to the app's folders"))?;
    if programs.iter().any(|program| program.spoken.tls) {
        certificate::make(place)?;
    }
    for program in &programs {
        write(program, place)?;
        check(program)?;
        enterable(program, place)?;
    }
    let address = programs[0].listen.clone();
    let stand_in = StandIn::of(&addresses, &programs);
    let rendered = render(&composition, &at(&stand_in.addresses))?;
    let mut templates = Vec::new();
    for (program, rendered) in programs.iter_mut().zip(&rendered) {
        for (file, template) in stand_in.mark(program, rendered)? {
            let path = place.join(Deployed::template(&file));
            let written = folder::write(&path, template.as_bytes());
            written.map_err(StackError::file("writing", &path))?;
            templates.push(file);
        }
    }
    programs.reverse();
    programs.sort_by_key(|program| program.spoken.protocol.dials_in()); // whom they dial starts first
    Ok(Deployed {
        programs,
        address,
        first: port,
        templates,
    })
}

/// Lets other users pass through the folder of a program that weir writes as root: started by root, its workers may be
/// somebody else, and what they read and write lies in there. A service opens its own.
fn enterable(program: &Program, place: &Path) -> Result<()> {
    if program.service.is_some() || !rustix::process::geteuid().is_root() {
        return Ok(());
    }
    for folder in [place.to_owned(), place.join(&program.name)] {
        let passed = std::fs::set_permissions(&folder, Permissions::from_mode(PASSED));
        passed.map_err(StackError::file("opening", &folder))?;
    }
    Ok(())
}
