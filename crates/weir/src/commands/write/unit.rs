//! The unit by which systemd keeps a deployed stack running.

use std::net::SocketAddr;
use std::path::PathBuf;

use record::Target;

use super::script::{self, GRACE, one_line};
use super::{Written, found};

/// Its file. A name that ends as units do would be taken for how the app is run today, where the folder lies in the app's.
pub(super) const FILE: &str = "systemd.unit";

/// The file of variables that it reads, where there is one.
pub(super) const VARIABLES: &str = "environment";

/// The lowest port that every user may listen at.
const UNPRIVILEGED: u16 = 1024;

/// The unit of a stack.
pub(super) fn of(written: &Written<'_>) -> String {
    let place = written.place.display();
    let name = name(&written.composition.app.name);
    let title = literal(&written.about[0]);
    let user = user();
    let address = match &written.deployed.address {
        Target::Tcp(address) => environment(*address),
        Target::Unix(_) => String::new(),
    };
    let path = path(written.runs);
    let script = script::FILE;
    let patience = GRACE * written.deployed.programs.len() as u32 + 10;
    format!(
        r"# Keeps it running, from the start of the machine on:
#   sudo install -m 644 {place}/{FILE} /etc/systemd/system/{name}.service
#   sudo systemctl enable --now {name}
[Unit]
Description={title}
Wants=network-online.target
After=network-online.target
# It is started again however often it ends.
StartLimitIntervalSec=0

[Service]
# A user or a script that is not there is an error of `systemctl start`.
Type=exec
ExecStart={place}/{script}
{user}
{address}{path}# Variables, a line NAME=value for each; for its user alone to read.
EnvironmentFile=-{place}/{VARIABLES}
Restart=always
RestartSec=1
# What the script refuses is to be mended first, and a user that is not there.
RestartPreventExitStatus=78 217
# The script ends its programs itself, one after the other, each with {GRACE} s to finish its requests.
KillMode=mixed
TimeoutStopSec={patience}
SuccessExitStatus=143
LimitNOFILE=65536
NoNewPrivileges=yes

[Install]
WantedBy=multi-user.target
"
    )
}

/// What systemd calls the unit: the app's name, as far as a unit may have it.
pub(super) fn name(app: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let name: String = app.chars().map(plain).collect();
    match name.trim_matches('-') {
        "" => "app".to_owned(),
        name => name.to_owned(),
    }
}

/// Where programs are looked for.
fn path(files: &[PathBuf]) -> String {
    let own = found::folders(files);
    let told = own.iter();
    let told = told.map(|(folder, names)| format!("{} ({})", folder.display(), names.join(", ")));
    let before = match told.collect::<Vec<_>>().join(", ") {
        none if none.is_empty() => none,
        told => format!(", and before them {}", one_line(&told)),
    };
    let own = own.iter().map(|(folder, _)| folder.display().to_string());
    let folders: Vec<String> = own.chain(found::SYSTEM.map(str::to_owned)).collect();
    let path = literal(&folders.join(":")).replace('"', "\\\"");
    format!(
        "# Where programs are looked for: the system's folders{before}. What the app runs by name from elsewhere needs its folder here.\n\
         Environment=\"PATH={path}\"\n"
    )
}

/// Whether its user is still to be named: weir was root, which is none to serve as.
pub(super) fn lacks_a_user() -> bool {
    rustix::process::geteuid().is_root()
}

/// Whose programs they are: this user's, or somebody's whom the user has to name.
fn user() -> String {
    if lacks_a_user() {
        "# weir was root: name the user whose folder this is (`chown -R USER FOLDER`).\nUser=NAME-IT"
            .to_owned()
    } else {
        format!("User={}", rustix::process::geteuid().as_raw())
    }
}

/// Where clients connect.
fn environment(address: SocketAddr) -> String {
    let (host, port) = (address.ip(), address.port());
    let may_listen = "AmbientCapabilities=CAP_NET_BIND_SERVICE";
    let privilege = if port < UNPRIVILEGED {
        may_listen.to_owned()
    } else {
        format!("# A port below {UNPRIVILEGED} needs {may_listen}.")
    };
    format!("# Where clients connect.\nEnvironment=HOST={host} PORT={port}\n{privilege}\n")
}

/// A text in which systemd finds nothing to put something in place of.
fn literal(text: &str) -> String {
    one_line(text).replace('\\', "\\\\").replace('%', "%%")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_is_called_as_its_app() {
        for (app, unit) in [
            ("shop", "shop"),
            ("/srv/my shop", "srv-my-shop"),
            ("…", "app"),
        ] {
            assert_eq!(name(app), unit);
        }
    }

    #[test]
    fn a_low_port_needs_a_privilege() {
        let of = |port: u16| environment(SocketAddr::from(([127, 0, 0, 1], port)));
        assert!(of(80).contains("\nAmbientCapabilities=CAP_NET_BIND_SERVICE\n"));
        assert!(!of(8000).contains("\nAmbient"));
    }

    #[test]
    fn programs_are_looked_for_where_they_are_and_where_the_system_keeps_them() {
        let system = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin\"\n";
        let told = path(&["/usr/bin/env".into()]);
        assert!(told.contains("the system's folders. What"), "{told}");
        assert!(told.ends_with(&format!("\"PATH={system}")), "{told}");
        let told = path(&["/no-such-folder/100%/bin/python".into()]);
        let why = "and before them /no-such-folder/100%/bin (python). What";
        assert!(told.contains(why), "{told}");
        let own = format!("\"PATH=/no-such-folder/100%%/bin:{system}");
        assert!(told.ends_with(&own), "{told}");
    }

    #[test]
    fn nothing_is_put_in_place_of_a_part_of_a_text() {
        assert_eq!(literal("100 %n \\"), "100 %%n \\\\");
    }
}
