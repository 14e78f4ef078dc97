use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::SystemTime;

use procfs::process::{MMapPath, Process, Stat, all_processes};
use rustix::process::{Pid, Signal, kill_process};

use crate::process::cpu::CpuTime;

/// Every living descendant of a process (zombies left out), as far as it can be seen.
pub(crate) fn descendants(root: u32) -> Vec<u32> {
    let mut children: BTreeMap<i32, Vec<(i32, char)>> = BTreeMap::new();
    for process in all_processes().into_iter().flatten().flatten() {
        if let Ok(stat) = process.stat() {
            let of_parent = children.entry(stat.ppid).or_default();
            of_parent.push((stat.pid, stat.state));
        }
    }
    let mut found = Vec::new();
    let mut parents = vec![root.cast_signed()];
    while let Some(parent) = parents.pop() {
        for (pid, state) in children.remove(&parent).unwrap_or_default() {
            parents.push(pid);
            if state != 'Z' {
                found.push(pid.cast_unsigned());
            }
        }
    }
    found
}

/// The living children of a process.
pub(crate) fn children(parent: u32) -> Vec<u32> {
    let of_parent = |pid: &u32| stat(*pid).is_some_and(|stat| stat.ppid.cast_unsigned() == parent);
    descendants(parent).into_iter().filter(of_parent).collect()
}

/// The descendant of a process that has used the most CPU time: the one that does its work.
pub fn busiest_below(root: u32) -> Option<u32> {
    busiest_of(descendants(root))
}

/// The one of these that has used the most CPU time.
pub(crate) fn busiest_of(processes: impl IntoIterator<Item = u32>) -> Option<u32> {
    let used = |pid: &u32| stat(*pid).map_or(0, |stat| stat.utime + stat.stime);
    processes.into_iter().max_by_key(used)
}

/// CPU time of all living descendants of a process: their threads' by the scheduler's nanoseconds, and that of the children that
/// they had and that ended, by the clock's ticks, as is what of it was in the kernel. What threads used that ended is left out.
pub fn cpu_below(root: u32) -> CpuTime {
    let ticks = |count: u64| count as f64 / procfs::ticks_per_second() as f64;
    let pids = descendants(root).into_iter();
    let processes = pids.filter_map(|pid| Process::new(pid.cast_signed()).ok());
    let used = processes.map(|process| {
        let tasks = process.tasks().into_iter().flatten().flatten();
        let threads = tasks.filter_map(|task| Some(task.schedstat().ok()?.sum_exec_runtime));
        let threads = threads.sum::<u64>() as f64 / 1e9;
        let Ok(stat) = process.stat() else {
            return [threads, 0.0];
        };
        let [user, kernel] = [stat.cutime, stat.cstime].map(|of| ticks(of.cast_unsigned()));
        [threads + user + kernel, ticks(stat.stime) + kernel]
    });
    let [all, system] = used.fold([0.0; 2], |sum, of| [sum[0] + of[0], sum[1] + of[1]]);
    CpuTime {
        user: (all - system).max(0.0),
        system: system.min(all),
    }
}

/// Kills one process; one that is gone already is as good.
pub fn kill(pid: u32) {
    if let Some(pid) = Pid::from_raw(pid.cast_signed()) {
        let _ = kill_process(pid, Signal::KILL);
    }
}

fn stat(pid: u32) -> Option<Stat> {
    Process::new(pid.cast_signed()).ok()?.stat().ok()
}

/// What a process does, by the letter of `proc(5)`: `T` is stopped.
pub(crate) fn state(pid: u32) -> Option<char> {
    Some(stat(pid)?.state)
}

/// When a process began, in clock ticks since boot: tells it from a later one of the same id.
pub(crate) fn birth(pid: u32) -> Option<u64> {
    let stat = stat(pid)?;
    (stat.state != 'Z').then_some(stat.starttime)
}

/// Where named shared memory lies. It outlives its makers: who is killed cannot remove it.
const SHARED_MEMORY: &str = "/dev/shm";

/// Named shared memory that a process uses and that was made since then.
pub(crate) fn shared_memory(pid: u32, since: SystemTime) -> Vec<PathBuf> {
    let maps = Process::new(pid.cast_signed()).and_then(|process| process.maps());
    let maps = maps.into_iter().flatten();
    let made_since = |path: &PathBuf| {
        let file = path.metadata();
        let made = file.and_then(|file| file.created().or_else(|_| file.modified()));
        made.is_ok_and(|made| made >= since)
    };
    maps.filter_map(|map| match map.pathname {
        MMapPath::Path(path) if path.starts_with(SHARED_MEMORY) => Some(path),
        _ => None,
    })
    .filter(made_since)
    .collect()
}
