use procfs::process::Process;

/// Every living descendant of `root`, `root` itself left out.
///
/// The kernel lists children per thread, because any thread may fork. Processes that end while
/// they are read are left out.
pub(in crate::probe) fn descendants(root: u32) -> Vec<u32> {
    let mut found = Vec::new();
    let mut unread = vec![root];
    while let Some(pid) = unread.pop() {
        let children = children(pid);
        found.extend(&children);
        unread.extend(children);
    }
    found
}

fn children(pid: u32) -> Vec<u32> {
    let Some(tasks) = Process::new(pid.cast_signed())
        .ok()
        .and_then(|process| process.tasks().ok())
    else {
        return Vec::new();
    };
    tasks
        .filter_map(Result::ok)
        .filter_map(|task| task.children().ok())
        .flatten()
        .collect()
}
