//! A stack's programs in a folder that stays: what `start` makes for a trial, for a user to start.

use std::fs::Permissions;
use std::net::{Ipv4Addr, SocketAddr};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use record::Target;

use crate::compose::{Composition, Program, Workspace, identities, render};
use crate::error::{Result, StackError};
use crate::serve::certificate;
use crate::serve::check::{check, write};

/// A folder that others may pass through, and whose names they cannot list.
const PASSED: u32 = 0o711;

/// The programs of a stack with their files, written.
#[derive(Debug)]
pub struct Deployed {
    /// In the order in which they start: services, app servers, front ends.
    pub programs: Vec<Program>,
    /// Where clients connect.
    pub address: Target,
}

/// Writes the files of a stack's programs into a folder that exists. Clients will connect to `port` of the loopback
/// interface, or to a Unix socket in the folder; programs behind take the ports after it.
///
/// # Errors
/// A server that is not installed or refuses its configuration; a file that cannot be written.
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
    let count = u16::try_from(composition.programs()).unwrap_or(u16::MAX);
    let ports = port..port.saturating_add(count);
    let mut addresses: Vec<_> = ports
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
    programs.reverse();
    programs.sort_by_key(|program| program.spoken.protocol.dials_in()); // whom they dial starts first
    Ok(Deployed { programs, address })
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
