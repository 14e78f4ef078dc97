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
use crate::serve::stand_in::{MARKS, StandIn};

/// A folder that others may pass through, and whose names they cannot list.
const PASSED: u32 = 0o711;

/// The programs of a stack with their files, written.
#[derive(Debug)]
pub struct Deployed {
    /// In the order in which they start: services, app servers, front ends. Where their commands and environments name a
    /// TCP address that clients connect to, there are [`Deployed::HOST`] and [`Deployed::PORT`].
    pub programs: Vec<Program>,
    /// Where clients connect, unless another host and port are put in for the marks.
    pub address: Target,
    /// Files in which that address stands, by their paths below the folder. Each has a template with marks beside it.
    pub templates: Vec<String>,
}

impl Deployed {
    /// The mark in place of the host at which clients connect.
    pub const HOST: &str = MARKS[0];
    /// The mark in place of the port.
    pub const PORT: &str = MARKS[1];
    /// The certificate that clients are shown, where they speak TLS: made by weir, a file of the folder.
    pub const CERTIFICATE: &str = CERTIFICATE;
    /// Its key's file.
    pub const KEY: &str = KEY;

    /// The template of a file: the same text with marks.
    pub fn template(file: &str) -> String {
        format!("{file}.template")
    }
}

/// Writes the files of a stack's programs into a folder that exists. Clients will connect to `port` of the loopback
/// interface, or to a Unix socket in the folder; programs behind take the ports after it, of which there must be enough.
///
/// # Errors
/// A server that is not installed or refuses its configuration; a template that computes with its address; a file that
/// cannot be written.
pub fn deploy(composition: &Composition, place: &Path, port: u16) -> Result<Deployed> {
    let mut composition = composition.clone();
    composition.deployed = true;
    for part in &mut composition.parts {
        let specs = part.entry.knobs.iter();
        let deployed =
            specs.filter_map(|(name, spec)| Some((name.clone(), spec.deployed.clone()?)));
        part.knobs.extend(deployed);
    }
    let identities = identities(&composition)?;
    let ports = port..=u16::MAX;
    let mut addresses: Vec<_> = ports
        .take(composition.programs())
        .map(|port| SocketAddr::from((Ipv4Addr::LOCALHOST, port)))
        .collect();
    addresses.extend_from_within(..); // nobody asks them for weir
    let workspace = Workspace::place(&composition, place, &identities, &addresses);
    let mut programs = render(&composition, &workspace)?;
    let linked = workspace.link(&composition);
    linked.map_err(StackError::system("making links to the app's folders"))?;
    if programs.iter().any(|program| program.spoken.tls) {
        certificate::make(place)?;
    }
    for program in &programs {
        write(program, place)?;
        check(program)?;
        enterable(&composition, program, place)?;
    }
    let address = programs[0].listen.clone();
    let mut templates = Vec::new();
    if let Target::Tcp(own) = address {
        let stand_in = StandIn::of(own, &programs);
        for at in addresses.iter_mut().filter(|at| **at == own) {
            *at = stand_in.address;
        }
        let workspace = Workspace::place(&composition, place, &identities, &addresses);
        for (program, rendered) in programs.iter_mut().zip(render(&composition, &workspace)?) {
            for (file, template) in stand_in.mark(program, &rendered)? {
                let path = place.join(Deployed::template(&file));
                let written = folder::write(&path, template.as_bytes());
                written.map_err(StackError::file("writing", &path))?;
                templates.push(file);
            }
        }
    }
    programs.reverse();
    programs.sort_by_key(|program| program.spoken.protocol.dials_in()); // whom they dial starts first
    Ok(Deployed {
        programs,
        address,
        templates,
    })
}

/// Lets other users pass through the folder of a front end that weir writes as root: started by root, its workers are
/// somebody else, and what they may read and write lies in there.
fn enterable(composition: &Composition, program: &Program, place: &Path) -> Result<()> {
    let front = composition.parts[program.part].is_front_end();
    if !front || !rustix::process::geteuid().is_root() {
        return Ok(());
    }
    for folder in [place.to_owned(), place.join(&program.name)] {
        let passed = std::fs::set_permissions(&folder, Permissions::from_mode(PASSED));
        passed.map_err(StackError::file("opening", &folder))?;
    }
    Ok(())
}
