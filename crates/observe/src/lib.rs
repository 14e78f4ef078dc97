//! What happens inside meanwhile, as far as probes see it: processes, the machine, the network, and what
//! programs count themselves.
//!
//! A [`Watch`] is opened when the measured window opens, sampled while it lasts, and closed with
//! it. Nothing is attached to the processes that are watched, every sample carries its moment of the one
//! clock, and what looking costs is a fact as well.

mod listening;
mod pace;
mod probe;
mod samples;
mod watch;

use std::sync::LazyLock;

use rustix::thread::{CpuSet, sched_getaffinity};

pub use listening::listening;
pub use pace::pace;
pub use probe::RunCommand;
pub use sockets::{Ends, Listener};
pub use watch::{Seen, Watch};

/// The machine weir runs on, as far as it can be read.
pub fn host() -> record::Host {
    use procfs::Current as _;
    record::Host {
        kernel: std::fs::read_to_string("/proc/sys/kernel/osrelease")
            .map(|text| text.trim().to_owned())
            .unwrap_or_default(),
        system: os_name().unwrap_or_default(),
        cpu: procfs::CpuInfo::current()
            .ok()
            .and_then(|info| info.model_name(0).map(str::to_owned))
            .unwrap_or_default(),
        cores: cores(),
        memory: procfs::Meminfo::current().map_or(0, |memory| memory.mem_total),
    }
}

/// The processors that this process may use. Asked once, as a thread may be kept on some of them later; none where the system
/// does not tell.
static PROCESSORS: LazyLock<Option<CpuSet>> = LazyLock::new(|| sched_getaffinity(None).ok());

/// Cores that this process may use: its affinity mask and its cgroup's quota respected. Asked once, with the processors that
/// they are.
#[expect(clippy::disallowed_methods, reason = "the one place that asks")]
pub fn cores() -> u32 {
    static CORES: LazyLock<u32> = LazyLock::new(|| {
        LazyLock::force(&PROCESSORS);
        std::thread::available_parallelism().map_or(1, |cores| cores.get() as u32)
    });
    *CORES
}

/// Whether this process may use the processor of this number; presumed where the system does not tell.
pub(crate) fn may_use(processor: Option<i32>) -> bool {
    let Some((mask, number)) = PROCESSORS.as_ref().zip(processor) else {
        return true;
    };
    let number = usize::try_from(number);
    number.is_ok_and(|number| number < CpuSet::MAX_CPU && mask.is_set(number))
}

/// Share of the machine's memory that programs can still have, 0 to 1; none where the system does not tell.
pub fn free_memory() -> Option<f64> {
    use procfs::Current as _;
    let memory = procfs::Meminfo::current().ok()?;
    let free = memory.mem_available.unwrap_or(memory.mem_free);
    Some(free as f64 / memory.mem_total.max(1) as f64)
}

/// What programs that are not weir's take of the machine, looked at for so many seconds from now on; none where the
/// system does not tell.
#[expect(
    clippy::disallowed_methods,
    reason = "the time is what is looked at, and nothing is waited for"
)]
pub fn others(seconds: f64) -> Option<record::Others> {
    let time = std::time::Duration::from_secs_f64(seconds);
    others_meanwhile(|| std::thread::sleep(time)).1
}

/// Does this, and says what programs that are not weir's took of the machine meanwhile; none where the system does not tell.
pub fn others_meanwhile<R>(work: impl FnOnce() -> R) -> (R, Option<record::Others>) {
    probe::others_meanwhile(work)
}

fn os_name() -> Option<String> {
    let text = std::fs::read_to_string("/etc/os-release").ok()?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("PRETTY_NAME="))?;
    Some(line.trim_matches('"').to_owned())
}
