//! What the machine's processors did meanwhile.

use procfs::CurrentSI as _;
use record::Stolen;

/// Ticks of all processors since boot: stolen by the hypervisor, and in all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ticks {
    stolen: u64,
    all: u64,
}

impl Ticks {
    /// Those so far; none where the system does not tell.
    pub(crate) fn now() -> Option<Self> {
        let cpu = procfs::KernelStats::current().ok()?.total;
        let stolen = cpu.steal?;
        let ours = cpu.user + cpu.nice + cpu.system + cpu.idle;
        let rest = [cpu.iowait, cpu.irq, cpu.softirq, Some(stolen)];
        Some(Self {
            stolen,
            all: ours + rest.into_iter().flatten().sum::<u64>(),
        })
    }

    /// What was stolen since earlier.
    pub(crate) fn since(self, earlier: Self) -> Stolen {
        let (stolen, all) = (
            self.stolen.saturating_sub(earlier.stolen),
            self.all.saturating_sub(earlier.all),
        );
        Stolen {
            share: stolen as f64 / all.max(1) as f64,
            seconds: stolen as f64 / procfs::ticks_per_second() as f64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_of_all_processors_and_seconds_are_of_one() {
        let of = |stolen, all| Ticks { stolen, all };
        let seen = of(30, 1_400).since(of(10, 1_000));
        assert!((seen.share - 0.05).abs() < 1e-9, "{seen:?}");
        let ticks = procfs::ticks_per_second() as f64;
        assert!((seen.seconds - 20.0 / ticks).abs() < 1e-9, "{seen:?}");
        assert_eq!(of(10, 1_000).since(of(10, 1_000)), Stolen::default());
        assert!(Ticks::now().is_some_and(|now| now.all > now.stolen));
    }
}
