//! Which processes there are.

use std::fs;

use procfs::process::Process;

/// A process and all that descend from it and have not ended, as they are now.
pub(crate) fn tree(root: u32) -> Vec<u32> {
    let mut found = vec![root];
    let mut next = 0;
    while let Some(&pid) = found.get(next) {
        found.extend(children(pid).into_iter().filter(|child| is_alive(*child)));
        next += 1;
    }
    found
}

/// Whether a process has not ended: one that has stays among its parent's children until the parent asks for it.
pub(crate) fn is_alive(pid: u32) -> bool {
    let stat = Process::new(pid.cast_signed()).and_then(|process| process.stat());
    stat.is_ok_and(|stat| !['Z', 'X'].contains(&stat.state))
}

fn children(pid: u32) -> Vec<u32> {
    let threads = fs::read_dir(format!("/proc/{pid}/task"));
    let threads = threads.into_iter().flatten().flatten();
    let lists = threads.filter_map(|of| fs::read_to_string(of.path().join("children")).ok());
    let lists: Vec<String> = lists.collect();
    let words = lists.iter().flat_map(|list| list.split_ascii_whitespace());
    words.filter_map(|word| word.parse().ok()).collect()
}
