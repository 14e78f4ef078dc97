//! weir by way of another program.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Command, Stdio};

use super::{Place, Said, said};

/// A command by way of a program that ends in running its last arguments: `setpriv`, `unshare`, a shell's `exec "$@"`.
pub(crate) fn through(mut outer: Command, inner: &Command) -> Command {
    outer.arg(inner.get_program()).args(inner.get_args());
    as_if(outer, inner)
}

/// With the environment and in the folder of another command, and nothing to read.
pub(crate) fn as_if(mut outer: Command, inner: &Command) -> Command {
    for (name, value) in inner.get_envs() {
        match value {
            Some(value) => outer.env(name, value),
            None => outer.env_remove(name),
        };
    }
    if let Some(folder) = inner.get_current_dir() {
        outer.current_dir(folder);
    }
    outer.stdin(Stdio::null());
    outer
}

/// weir below a shell that first does this.
pub(crate) fn after(place: &Place, first: &str, args: &[&str]) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("{first} && exec \"$0\" \"$@\"")]);
    through(shell, &place.weir(args))
}

/// The same with mounts of its own, which are made first.
pub(crate) fn mounted(place: &Place, mount: &str, args: &[&str]) -> Command {
    through(testkit::with_own_mounts(), &after(place, mount, args))
}

/// What weir shows with both streams on a terminal of its own, which `script` makes.
pub(crate) fn on_a_terminal(place: &Place, args: &[&str]) -> String {
    let weir = place.weir(args);
    let words = [weir.get_program()].into_iter().chain(weir.get_args());
    let words: Vec<_> = words.map(|word| word.to_str().unwrap()).collect();
    let line = shlex::try_join(words).unwrap();
    let mut terminal = Command::new("script");
    terminal.args(["-qec", &line, "/dev/null"]);
    terminal.env("TERM", "xterm"); // a bar needs a terminal whose lines can be drawn again
    said(as_if(terminal, &weir)).out
}

/// weir by a user who is not root, and may do in the place only what everybody may. That is whoever runs the tests, if that is
/// not root.
pub(crate) fn by_a_stranger(place: &Place, args: &[&str]) -> Said {
    let weir = place.weir(args);
    if !rustix::process::geteuid().is_root() {
        return said(weir);
    }
    // what was built may lie below a folder that only root passes
    let program = place.path("weir");
    if !program.exists() {
        let built = weir.get_program();
        // to another disk there is no link
        let copied = || fs::copy(built, &program).map(drop);
        fs::hard_link(built, &program)
            .or_else(|_| copied())
            .unwrap();
        fs::set_permissions(&program, Permissions::from_mode(0o755)).unwrap();
    }
    let mut stranger = Command::new("setpriv");
    stranger.args(["--reuid=65534", "--regid=65534", "--clear-groups"]);
    stranger.arg(program).args(weir.get_args());
    said(as_if(stranger, &weir))
}
