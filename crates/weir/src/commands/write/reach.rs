//! Who can reach the programs of a deployed stack, by which certificate, and as whom they run.

use std::path::{Path, PathBuf};

use record::{Interface, StackFacts, Target};
use stack::{Composition, Deployed, Program};

use super::found;

/// What the user of these files must know: where a program listens beyond this machine, that a certificate is weir's own,
/// that weir was root, and that the app or a program is root's alone. `seen` is what was seen in a trial, `files` what is run.
pub(super) fn heeds(
    deployed: &Deployed,
    composition: &Composition,
    seen: Option<&StackFacts>,
    files: &[PathBuf],
) -> Vec<String> {
    let app = composition.app_server();
    let own = deployed
        .programs
        .iter()
        .filter(|program| program.service.is_none())
        .find(|program| app.is_some_and(|app| app.entry.name == program.entry));
    let listens = own.and_then(|program| {
        let seen = seen.and_then(|facts| {
            let mut servers = facts.servers.iter();
            let server = servers.find(|of| of.entry == program.entry && of.service.is_none())?;
            server.listened.as_deref()
        });
        let chooses = app.is_some_and(|app| app.entry.runs.contains(&Interface::Program));
        listens(deployed, program, seen, chooses)
    });
    let all = listens.into_iter().chain(certificate(deployed));
    all.chain(as_root())
        .chain(kept_to_root(&composition.app.dir))
        .chain(files.iter().filter_map(|file| run_by_root(file)))
        .collect()
}

/// What is said where clients speak TLS.
fn certificate(deployed: &Deployed) -> Option<String> {
    let mut programs = deployed.programs.iter();
    let first = programs.find(|program| program.listen == deployed.address)?;
    let (certificate, key) = (Deployed::CERTIFICATE, Deployed::KEY);
    first.spoken.tls.then(|| {
        format!("The certificate is weir's own, for `localhost`: put your own into `{certificate}` and `{key}` before others are served.")
    })
}

/// What is said of the program that runs the app: one of weir's entries listens where it is told to, and the user's own
/// command where it likes.
fn listens(
    deployed: &Deployed,
    program: &Program,
    seen: Option<&str>,
    chooses: bool,
) -> Option<String> {
    let Target::Tcp(given) = &program.listen else {
        return None;
    };
    let (name, port) = (&program.entry, given.port());
    let behind = program.listen != deployed.address;
    let closed = format!(
        "add what makes it listen at {ip} alone to its command in `start.sh` (`--bind {ip}:{port}` or the like, as it does not heed \
         HOST), or close port {port} to other machines",
        ip = given.ip()
    );
    let host = seen.and_then(|at| at.parse().ok());
    let place = |ip| std::net::SocketAddr::new(ip, port).to_string();
    match host {
        Some(at) if is_local(at) => None,
        Some(at) if behind => Some(format!(
            "Beware: `{name}` behind the front end listens at {}, so other machines reach it past the front end: {closed}.",
            place(at)
        )),
        Some(at) => Some(format!(
            "Beware: `{name}` listens at {}, not on this machine alone, as its own command says: {closed}.",
            place(at)
        )),
        None if chooses => Some(format!(
            "Where `{name}` listens is for its own command to say: it is told HOST={} and PORT={port}.",
            given.ip()
        )),
        None => None,
    }
}

fn is_local(ip: std::net::IpAddr) -> bool {
    ip.is_loopback()
}

fn as_root() -> Option<String> {
    let root = rustix::process::geteuid().is_root();
    root.then(|| {
        "weir was root when it wrote this: let it belong to a user of its own (`chown -R USER FOLDER`) and start it as that user, not as root."
            .to_owned()
    })
}

/// What is said of an app that only root can read: servers that root starts serve as users of their own, who find nothing there.
fn kept_to_root(app: &Path) -> Option<String> {
    let closed = found::closed(app)?;
    Some(format!(
        "Only its owner can enter `{}`, where the app is: let the user who is to serve it enter, as a server that root starts serves as \
         another one.",
        closed.display()
    ))
}

/// What is said of a program that no other user can run where it is.
fn run_by_root(file: &Path) -> Option<String> {
    let kept = found::kept_by(file)?;
    Some(format!(
        "Only root can run `{}`, as `{}` is closed to others: install it where every user can run it, and measure and write with that.",
        file.display(),
        kept.display()
    ))
}
