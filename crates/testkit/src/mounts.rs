use std::process::Command;

/// `unshare` for a program that mounts something: in a namespace of mounts of its own, so that they are gone with it.
/// The program and its arguments are to be added. Who is not root is root there.
///
/// `unshare` keeps mounts from the rest of the machine by a change of the root's, which fails below a root that is no
/// mount (in a chroot); where no mount is shared there is nothing to keep them from.
///
/// # Panics
/// Without `/proc`.
#[must_use]
pub fn with_own_mounts() -> Command {
    let read = |file: &str| std::fs::read_to_string(file).expect("`/proc` is mounted");
    let mut unshare = Command::new("unshare");
    unshare.arg("--mount");
    if !is_root(&read("/proc/self/status")) {
        unshare.arg("--map-root-user");
    }
    if !read("/proc/self/mountinfo").contains(" shared:") {
        unshare.args(["--propagation", "unchanged"]);
    }
    unshare
}

/// By the effective user of `proc(5)`'s `status`: `Uid:` real, effective, saved and of the file system.
fn is_root(status: &str) -> bool {
    let users = status.lines().find_map(|line| line.strip_prefix("Uid:"));
    users.is_some_and(|users| users.split_whitespace().nth(1) == Some("0"))
}
