//! What variants came to, as facts of trials that never ran.

use std::collections::BTreeMap;

use record::{
    BodyCheck, Cause, Distribution, EngineCost, Fault, Interval, Load, LoadFacts, Measured,
    NetworkFacts, Outcome, ProcessCost, Run, ServerFacts, StackFacts, Struck, Target, TimeLimit,
    Trial, Verified, WarmUp,
};

/// What a trial of a variant came to.
#[derive(Clone, Copy, Default)]
pub(crate) struct Figures {
    /// Correct responses.
    pub(crate) completed: u64,
    /// Length of the window, seconds.
    pub(crate) seconds: f64,
    /// Mean response time of the correct responses, seconds.
    pub(crate) mean: f64,
    /// Requests that got no connection in time.
    pub(crate) unconnected: u64,
    /// Requests that were not answered in time.
    pub(crate) given_up: u64,
    /// Answers with another status than the right one.
    pub(crate) wrong: u64,
    /// Attempts beyond the first.
    pub(crate) retries: u64,
    /// Mean time of a page, seconds; 0 where no pages were fetched.
    pub(crate) page: f64,
    /// What one in ten of the correct responses took instead, seconds; 0 where all took the same.
    pub(crate) slow: f64,
    /// CPU seconds of the stack, and of weir.
    pub(crate) cpu: [f64; 2],
    /// Connections that were opened for each correct response; 0 where nobody counted them.
    pub(crate) opens: f64,
    /// Segments and bytes that were sent for each correct response; 0 where nobody counted them.
    pub(crate) packets: [f64; 2],
    /// Seconds from the fault of its load, if that has one, until somebody is answered again.
    pub(crate) down: f64,
    /// Largest memory of the server, bytes; 0 where nobody looked.
    pub(crate) memory: u64,
}

impl Figures {
    /// A closed loop of so many connections, by Little's law.
    pub(crate) fn closed(connections: f64, throughput: f64, seconds: f64) -> Self {
        Self {
            completed: (throughput * seconds).round() as u64,
            seconds,
            mean: connections / throughput,
            ..Self::default()
        }
    }

    /// The facts of a trial under this load in which everything took `pace` times as long.
    fn facts(self, load: &Load, pace: f64) -> LoadFacts {
        let timed_out = self.unconnected + self.given_up;
        let scheduled = self.completed + self.wrong + timed_out;
        let seconds = self.seconds * pace;
        let slow = if self.slow > 0.0 {
            self.completed / 10
        } else {
            0
        };
        let mut response = same(self.completed - slow, self.mean * pace);
        response.merge(&same(slow, self.slow * pace));
        let to_connect = load.connect_timeout.unwrap_or(load.timeout);
        response.merge(&same(self.unconnected, to_connect));
        response.merge(&same(self.given_up, load.timeout));
        let limits = [
            (TimeLimit::Connect, self.unconnected),
            (TimeLimit::Whole, self.given_up),
        ];
        let mut facts = LoadFacts {
            seconds,
            scheduled,
            completed: self.completed,
            timed_out,
            time_limits: limits.into(),
            retries: self.retries,
            failed: [(Cause::Status, self.wrong)].into(),
            statuses: [(200, self.completed), (502, self.wrong)].into(),
            connections: load.connections,
            connects: scheduled,
            response,
            shape: load.shape.clone(),
            network: self.network(),
            warm_up: WarmUp {
                requests: 100,
                seconds: 0.5,
                ..WarmUp::default()
            },
            bodies: BodyCheck {
                compared: self.completed,
                ..BodyCheck::default()
            },
            engine: EngineCost {
                threads: 1,
                busiest: 0.2,
                ..EngineCost::default()
            },
            ..LoadFacts::default()
        };
        if load.shape.is_open() {
            facts.offered = Some(scheduled as f64 / seconds);
        }
        if self.page > 0.0 {
            facts.kept_busy = Some(0);
            facts.pages = same(self.completed / 4, self.page * pace);
        }
        if let Some(fault) = load.faults.first() {
            self.befall(&mut facts, *fault);
        }
        facts
    }

    /// What the kernel counted, if anything.
    fn network(self) -> Option<NetworkFacts> {
        let of_all = |each: f64| (each * self.completed as f64).round() as u64;
        let [segments, bytes] = self.packets.map(of_all);
        let opened = of_all(self.opens);
        let counted = opened > 0 || segments > 0;
        counted.then(|| NetworkFacts {
            opened,
            segments,
            bytes,
            ..NetworkFacts::default()
        })
    }

    /// Tells of a fault after which nobody was answered for a while.
    fn befall(self, facts: &mut LoadFacts, fault: Fault) {
        let rate = self.completed as f64 / (self.seconds - self.down);
        let before = (rate * fault.at).round() as u64;
        facts.struck = vec![Struck {
            fault,
            at: fault.at,
            processes: 1,
            connections: 0,
            pid_files: 0,
            gone: false,
        }];
        let back = (fault.at + self.down).min(facts.seconds);
        let after = self.completed.saturating_sub(before);
        let answered = [(fault.at, before), (back, 0), (facts.seconds, after)];
        let intervals = answered.map(|(until, completed)| Interval { until, completed });
        facts.intervals = intervals.into();
    }

    /// The server, if anything is known of it.
    fn servers(self) -> Vec<ServerFacts> {
        let server = ServerFacts {
            entry: "server".to_owned(),
            ..ServerFacts::default()
        };
        (self.memory > 0).then_some(server).into_iter().collect()
    }

    /// One trial of a block. Blocks differ by up to a percent, as they do on a quiet machine.
    pub(crate) fn trial(self, run: &Run, variant: &str, load: &Load, block: u32) -> Trial {
        let pace = 1.0 + 0.01 * (f64::from(block) * 2.4 + variant.len() as f64).sin();
        Trial {
            run: run.id,
            block,
            position: 0,
            variant: variant.to_owned(),
            again: false,
            group: 0,
            attempt: 0,
            started: run.started,
            outcome: Outcome::Measured(Box::new(Measured {
                stack: StackFacts {
                    servers: self.servers(),
                    address: Target::Tcp(([127, 0, 0, 1], 8_000).into()),
                    ready_after: 0.2,
                    verified: Verified::default(),
                },
                load: self.facts(load, pace),
                processes: vec![
                    ProcessCost {
                        peak_rss: self.memory,
                        ..process("server", self.cpu[0] * pace)
                    },
                    process("weir", self.cpu[1] * pace),
                ],
                stolen: 0.0,
                observed: record::Observed::default(),
            })),
        }
    }
}

fn process(owner: &str, cpu: f64) -> ProcessCost {
    ProcessCost {
        pid: 1,
        command: owner.to_owned(),
        owner: owner.to_owned(),
        cpu_user: cpu,
        cpu_system: 0.0,
        peak_rss: 0,
        shared: None,
        ..ProcessCost::default()
    }
}

fn same(count: u64, seconds: f64) -> Distribution {
    let mut times = Distribution::default();
    (0..count).for_each(|_| times.record((seconds * 1e9) as u64));
    times
}

/// The figures of a plan's variants by name.
pub(crate) type World = BTreeMap<&'static str, Figures>;

/// Report A's own figures: 1,000 requests over 100 connections.
pub(crate) fn guestbook() -> World {
    let variant = |name, throughput| {
        (
            name,
            Figures::closed(100.0, throughput, 1000.0 / throughput),
        )
    };
    [
        variant("flask-dev", 203.6),
        variant("one-at-a-time", 203.6),
        variant("one-worker", 223.8),
        variant("two-workers", 420.9),
        variant("static", 4_663.0),
        variant("nginx-in-front", 376.6),
    ]
    .into()
}

/// As the plan came out once: 46 of 64 clients are left outside, and fail each half second.
pub(crate) fn queue() -> World {
    let outside = Figures {
        unconnected: 184,
        ..Figures::closed(18.0, 400.0, 2.0)
    };
    [
        ("queue-of-8", Figures::closed(8.0, 400.0, 2.0)),
        ("queue-of-64", Figures::closed(64.0, 410.0, 2.0)),
        ("room-for-16", Figures::closed(8.0, 400.0, 2.0)),
        ("past-the-room", outside),
    ]
    .into()
}

/// As the plan came out once.
pub(crate) fn page() -> World {
    let page = |throughput, page| Figures {
        page,
        ..Figures::closed(10.0, throughput, 1.0)
    };
    [
        ("document", Figures::closed(4.0, 370.0, 1.0)),
        ("nginx-document", Figures::closed(4.0, 375.0, 1.0)),
        ("page", page(765.0, 0.020)),
        ("nginx-page", page(1_600.0, 0.0105)),
    ]
    .into()
}

/// Report B's own figures.
pub(crate) fn dial_in() -> World {
    let variant = |name, throughput| (name, Figures::closed(40.0, throughput, 3.0));
    let counted = |name, throughput, opens| {
        let figures = Figures::closed(40.0, throughput, 1.0);
        (name, Figures { opens, ..figures })
    };
    [
        counted("called-counted", 144.0, 2.0),
        counted("kept-counted", 176.0, 1.0),
        counted("dialled-in-counted", 191.0, 1.0),
        variant("called", 139.0),
        variant("dialled-in", 179.0),
        variant("dial-in-called", 144.0),
        variant("dial-in-kept", 176.0),
    ]
    .into()
}

/// 190 logins fall due, of which the server can do 60 per second.
pub(crate) fn retry() -> World {
    let came = |completed, mean, retries| Figures {
        completed,
        seconds: 9.0,
        mean,
        given_up: 190 - completed,
        retries,
        ..Figures::default()
    };
    [
        ("patient", came(190, 0.6, 0)),
        ("giving-up", came(90, 0.15, 0)),
        ("retrying", came(35, 0.15, 1_800)),
    ]
    .into()
}
