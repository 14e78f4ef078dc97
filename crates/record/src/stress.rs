//! What else may happen to a variant: loads that differ from the usual one in one thing, which fells some stacks.

use serde::{Deserialize, Serialize};

use crate::named::named;
use crate::{Amount, Blow, Crowd, Fault, Load, Plan, Shape, Variant, Victim, WarmUpPlan};

named! {
    /// Trouble that is added to the usual load, each by itself.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, JsonSchema, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Stress,
    /// Its name in plans.
    fn name {
        /// A fifth of the connections send their requests or read their responses at 1 KB/s. A worker that reads a
        /// request itself, and has no front end before it, waits for them (gunicorn's documentation: "we strongly
        /// recommend to use Gunicorn behind a proxy server").
        SlowClients = "slow-clients",
        /// A hundred connections beside the usual ones that ask once and stay open, as browsers' do.
        IdleConnections = "idle-connections",
        /// Twice the connections (closed loop), or twice the rate (open loop).
        TwiceTheLoad = "twice-the-load",
        /// A worker of the app server is killed; the main process, where it has none.
        KilledWorker = "killed-worker",
        /// The main process of the app server is killed, as by a crash: who has nothing that starts it again stays away.
        KilledMain = "killed-main",
        /// The stacks of its programs are sampled, to see whose code takes the CPU time; and what sampling costs.
        Profiled = "profiled",
        /// A worker of the app server hangs; the main process, where it has none.
        HungWorker = "hung-worker",
    }
}

/// Connections that are open and silent.
const IDLE: u32 = 100;

impl Stress {
    /// Seconds of most windows: what a stack that is felled by it does no more of is soon seen, and by count its window
    /// would not end.
    pub const SECONDS: f64 = 2.0;
    /// Seconds of a window in which a stack is to come back.
    const RECOVERY: f64 = 6.0;
    /// Looks of a profiler per second, and seconds of the window: enough looks for shares within a few per cent.
    const PROFILE: (f64, f64) = (50.0, 6.0);
    /// Seconds of a window with a fault, before that.
    const FAULT: f64 = 1.0;
    /// Seconds before that, and at most after it.
    pub const BESIDES: f64 = 1.2;

    /// Seconds of its window.
    pub const fn seconds(self) -> f64 {
        match self {
            Self::KilledWorker | Self::KilledMain | Self::HungWorker => Self::RECOVERY,
            Self::Profiled => Self::PROFILE.1,
            _ => Self::SECONDS,
        }
    }

    /// The load with this trouble; none where it cannot have it. A rate that changes goes through all of its stretches in
    /// this window, and a load that looks for a rate has no window to which trouble could be added.
    pub fn of(self, usual: &Load) -> Option<Load> {
        if usual.goal.is_some() {
            return None;
        }
        let mut load = Load {
            amount: Amount::Seconds(self.seconds()),
            warm_up: WarmUpPlan::Seconds(Self::BESIDES / 3.0),
            drain: Some(Self::BESIDES * 2.0 / 3.0),
            ..usual.clone()
        };
        if let Shape::Open(arrivals) = &mut load.shape {
            arrivals.fit_into(self.seconds());
        }
        match self {
            Self::SlowClients => {
                let slow = usual.connections / 5;
                load.connections -= slow;
                load.crowd = Crowd {
                    slow_writers: slow.div_ceil(2),
                    slow_readers: slow / 2,
                    ..usual.crowd
                };
                (slow > 0).then_some(())?;
            }
            Self::IdleConnections => load.crowd.idle += IDLE,
            Self::KilledWorker => load.faults = Self::fault(Blow::Kill(Victim::Worker)),
            Self::KilledMain => load.faults = Self::fault(Blow::Kill(Victim::Main)),
            Self::HungWorker => load.faults = Self::fault(Blow::Hang(Victim::Worker)),
            Self::Profiled => load.profile = Some(Self::PROFILE.0),
            Self::TwiceTheLoad => match &mut load.shape {
                Shape::Closed { .. } => load.connections = load.connections.checked_mul(2)?,
                Shape::Open(arrivals) => arrivals.scale(2.0),
                Shape::Recorded { .. } => return None,
            },
        }
        load.check().is_ok().then_some(load)
    }

    fn fault(blow: Blow) -> Vec<Fault> {
        let at = Self::FAULT;
        vec![Fault { at, blow }]
    }

    /// Whether it befalls processes of the app server.
    pub const fn is_fault(self) -> bool {
        matches!(
            self,
            Self::KilledWorker | Self::KilledMain | Self::HungWorker
        )
    }

    /// What it is, of this usual load: `20 of 100 clients slow`.
    pub fn words(self, usual: &Load) -> String {
        let connections = usual.connections;
        match (self, usual.shape.is_open()) {
            (Self::SlowClients, _) => format!("{} of {connections} clients slow", connections / 5),
            (Self::IdleConnections, _) => format!("{IDLE} idle connections"),
            (Self::KilledWorker, _) => "a worker killed".to_owned(),
            (Self::KilledMain, _) => "the main process killed".to_owned(),
            (Self::HungWorker, _) => "a worker hung".to_owned(),
            (Self::Profiled, _) => "profiled".to_owned(),
            (Self::TwiceTheLoad, false) => format!("{} connections", connections.saturating_mul(2)),
            (Self::TwiceTheLoad, true) => "twice the rate".to_owned(),
        }
    }
}

/// Blocks of stress stand behind a plan's own blocks, one for each kind: every variant once.
impl Plan {
    /// Blocks with those of stress.
    pub fn all_blocks(&self) -> u32 {
        self.blocks.saturating_add(self.stress.len() as u32)
    }

    /// What a block (0-based) adds to the usual load, if it is one of stress.
    pub fn stress_in(&self, block: u32) -> Option<Stress> {
        let place = block.checked_sub(self.blocks)?;
        self.stress.get(place as usize).copied()
    }

    /// Whether a variant may have this stress: weir makes its requests, none of them writes, and what is to be struck is there.
    pub(crate) fn is_for(&self, stress: Stress, variant: &Variant) -> bool {
        let can_be_struck = !stress.is_fault() || variant.server.is_some();
        can_be_struck && variant.client.is_none() && !self.route_writes(variant)
    }

    /// Whether a variant's route is what is asked, and may change what its app keeps. What a file of requests has is not known
    /// here.
    pub fn route_writes(&self, variant: &Variant) -> bool {
        let route = self.app_of(variant).route(&variant.route);
        let is_asked = self.load_of(variant).requests_from.is_none();
        is_asked && route.is_ok_and(|route| route.method.writes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Arrivals, Process};

    #[test]
    fn each_adds_one_thing_to_the_usual_load() {
        let usual = Load {
            connections: 100,
            amount: Amount::Requests(1_000),
            ..Load::default()
        };
        let of = |stress: Stress| stress.of(&usual).unwrap();
        let slow = of(Stress::SlowClients);
        assert_eq!(
            (
                slow.connections,
                slow.crowd.slow_writers,
                slow.crowd.slow_readers
            ),
            (80, 10, 10)
        );
        let idle = of(Stress::IdleConnections);
        assert_eq!((idle.connections, idle.crowd.idle), (100, 100));
        assert_eq!(of(Stress::TwiceTheLoad).connections, 200);
        assert_eq!(of(Stress::Profiled).profile, Some(50.0));
        for stress in Stress::ALL {
            assert_eq!(of(stress).amount, Amount::Seconds(stress.seconds()));
        }
        let open = Load {
            shape: Shape::Open(Arrivals {
                process: Process::Poisson,
                segments: Arrivals::ramp(&[10.0, 20.0], 1.0),
                max_outstanding: 1_000,
                seed: 1,
            }),
            ..usual
        };
        let twice = Stress::TwiceTheLoad.of(&open).unwrap();
        let rate = |load: &Load| load.shape.arrivals().map(Arrivals::mean_rate);
        assert_eq!(rate(&twice), rate(&open).map(|rate| rate * 2.0));
    }

    #[test]
    fn a_rate_that_changes_does_so_within_the_window() {
        let arrivals = |segments| Load {
            amount: Amount::Seconds(30.0),
            shape: Shape::Open(Arrivals {
                process: Process::Poisson,
                segments,
                max_outstanding: 1_000,
                seed: 1,
            }),
            ..Load::default()
        };
        let ramp = arrivals(Arrivals::ramp(&[10.0, 20.0, 40.0], 30.0));
        let idle = Stress::IdleConnections.of(&ramp).unwrap();
        let of = |load: &Load| load.shape.arrivals().cloned().unwrap();
        assert!((of(&idle).seconds() - Stress::SECONDS).abs() < 1e-9);
        assert!((of(&idle).mean_rate() - of(&ramp).mean_rate()).abs() < 1e-9);
        // recovery is told by the rate before the fault
        assert_eq!(Stress::KilledWorker.of(&ramp), None);
        let steady = arrivals(Arrivals::steady(10.0));
        let killed = Stress::KilledWorker.of(&steady).unwrap();
        assert_eq!(of(&killed).segments, of(&steady).segments);
        let hung = Stress::HungWorker.of(&steady).unwrap();
        assert_eq!(hung.faults[0].words(), "a worker hangs");
        let main = Stress::KilledMain.of(&steady).unwrap();
        assert_eq!(main.faults[0].words(), "the main process is killed");
        assert!(Stress::KilledMain.is_fault());
    }

    #[test]
    fn what_cannot_be_is_left_out() {
        let few = Load {
            connections: 4,
            ..Load::default()
        };
        assert_eq!(Stress::SlowClients.of(&few), None);
        assert!(Stress::TwiceTheLoad.of(&few).is_some());
        let recorded = Load {
            shape: Shape::Recorded {
                requests: 10,
                seconds: 1.0,
            },
            ..Load::default()
        };
        assert_eq!(Stress::TwiceTheLoad.of(&recorded), None);
        let many = Load {
            connections: crate::limits::CONNECTIONS,
            ..Load::default()
        };
        assert_eq!(Stress::TwiceTheLoad.of(&many), None);
        let searching = Load {
            goal: Some("p99 < 1s".to_owned()),
            ..Load::default()
        };
        assert_eq!(Stress::IdleConnections.of(&searching), None);
    }

    #[test]
    fn blocks_of_stress_come_after_the_plans() {
        let plan = Plan {
            blocks: 6,
            stress: vec![Stress::SlowClients, Stress::TwiceTheLoad],
            ..Plan::default()
        };
        assert_eq!(plan.all_blocks(), 8);
        let of: Vec<_> = (5..9).map(|block| plan.stress_in(block)).collect();
        assert_eq!(
            of,
            [
                None,
                Some(Stress::SlowClients),
                Some(Stress::TwiceTheLoad),
                None
            ]
        );
    }
}
