//! Runs and trials out of the air: consistent facts that a test then spoils in one place.

#![allow(
    dead_code,
    reason = "each test binary uses its own part of this module"
)]

pub(crate) mod stage;
pub(crate) mod sweep;

use jiff::Timestamp;
use judge::{Doubt, DoubtKind, Judged, VariantOpinion};
use record::{
    Amount, App, BodyCheck, Claim, Distribution, EngineCost, Failure, Host, Interface, Load,
    LoadFacts, Measured, Outcome, Plan, ProcessCost, Route, Run, RunStatus, StackFacts, Step,
    Target, Trial, Variant, Verified, WarmUp, WarmUpPlan,
};

pub(crate) const CONNECTIONS: u32 = 10;
pub(crate) const REQUESTS: u64 = 1_000;

/// A run of these variants, the first being the baseline, without an A/A pair.
pub(crate) fn run(variants: &[&str]) -> Run {
    let route = Route::get("/");
    let plan = Plan {
        name: "lab".to_owned(),
        title: "a run out of the air".to_owned(),
        app: app(route),
        load: load(),
        blocks: 6,
        seed: 11,
        variants: variants.iter().map(|name| variant(name)).collect(),
        baseline: variants[0].to_owned(),
        ..Plan::default()
    };
    Run {
        id: 1,
        started: Timestamp::UNIX_EPOCH,
        plan,
        host: Host {
            cores: 2,
            ..Host::default()
        },
        weir: "0.1.0".to_owned(),
        status: RunStatus::Finished,
        cut: None,
    }
}

fn app(route: Route) -> App {
    App {
        name: "app".to_owned(),
        dir: "/srv/app".into(),
        interface: Interface::Wsgi,
        entry: "app:app".to_owned(),
        routes: vec![route],
        ..App::default()
    }
}

fn load() -> Load {
    Load {
        connections: CONNECTIONS,
        amount: Amount::Requests(REQUESTS),
        warm_up: WarmUpPlan::Requests(100),
        keep_alive: true,
        threads: 1,
        timeout: 2.0,
        ..Load::default()
    }
}

fn variant(name: &str) -> Variant {
    Variant {
        name: name.to_owned(),
        title: name.to_owned(),
        server: None,
        fronts: Vec::new(),
        route: "/".to_owned(),
        ..Variant::default()
    }
}

/// A claim with these conditions.
pub(crate) fn claim(expect: &[&str]) -> Claim {
    Claim {
        id: "A1".to_owned(),
        text: "it is faster".to_owned(),
        reported: "1.10 x".to_owned(),
        required: false,
        expect: expect
            .iter()
            .map(|text| record::Condition::read(text))
            .collect(),
        since: None,
        demand: None,
        peak: None,
        differs: Vec::new(),
        since_expect: Vec::new(),
    }
}

/// A trial without a doubt: `rate` requests per second, every answer equally late.
pub(crate) fn trial(block: u32, variant: &str, rate: f64) -> Trial {
    trial_of(block, variant, rate, REQUESTS)
}

/// Like [`trial`], with this many requests.
pub(crate) fn trial_of(block: u32, variant: &str, rate: f64, requests: u64) -> Trial {
    let seconds = requests as f64 / rate;
    let mut response = Distribution::default();
    for _ in 0..requests {
        response.record((f64::from(CONNECTIONS) / rate * 1e9) as u64);
    }
    let load = LoadFacts {
        seconds,
        scheduled: requests,
        completed: requests,
        statuses: [(200, requests)].into(),
        connections: CONNECTIONS,
        connects: u64::from(CONNECTIONS),
        response,
        warm_up: WarmUp {
            stationary: None,
            requests: 100,
            failed: 0,
            seconds: 0.1,
            alone: None,
        },
        bodies: BodyCheck {
            compared: requests,
            ..BodyCheck::default()
        },
        engine: EngineCost {
            threads: 1,
            cpu_user: 0.1 * seconds,
            cpu_system: 0.1 * seconds,
            busiest: 0.2,
            ..EngineCost::default()
        },
        ..LoadFacts::default()
    };
    let measured = Measured {
        stack: StackFacts {
            servers: Vec::new(),
            address: Target::Tcp(([127, 0, 0, 1], 8_000).into()),
            ready_after: 0.2,
            verified: Verified::default(),
        },
        load,
        processes: vec![
            process("gunicorn", 0.4 * seconds, 30 << 20),
            process("nginx", 0.1 * seconds, 5 << 20),
            process("weir", 0.2 * seconds, 9 << 20),
        ],
        stolen: 0.0,
        observed: record::Observed::default(),
    };
    Trial {
        run: 1,
        block,
        position: 0,
        variant: variant.to_owned(),
        again: false,
        group: 0,
        attempt: 0,
        started: Timestamp::UNIX_EPOCH,
        outcome: Outcome::Measured(Box::new(measured)),
    }
}

fn process(owner: &str, cpu: f64, peak_rss: u64) -> ProcessCost {
    ProcessCost {
        pid: 1,
        command: owner.to_owned(),
        owner: owner.to_owned(),
        cpu_user: cpu / 2.0,
        cpu_system: cpu / 2.0,
        peak_rss,
        shared: None,
        ..ProcessCost::default()
    }
}

/// One trial per rate, block by block.
pub(crate) fn trials(variant: &str, rates: &[f64]) -> Vec<Trial> {
    let blocks = (0..).zip(rates);
    blocks
        .map(|(block, rate)| trial(block, variant, *rate))
        .collect()
}

/// The same as the second half of the A/A pair.
pub(crate) fn again(variant: &str, rates: &[f64]) -> Vec<Trial> {
    let mut second = trials(variant, rates);
    for trial in &mut second {
        trial.again = true;
    }
    second
}

/// The facts of a measured trial, to be spoiled.
pub(crate) fn facts(trial: &mut Trial) -> &mut Measured {
    match &mut trial.outcome {
        Outcome::Measured(measured) => measured,
        Outcome::Failed(failure) => panic!("not measured: {}", failure.error),
    }
}

/// The same trial, with its generator busy all the time.
pub(crate) fn saturated(mut trial: Trial) -> Trial {
    facts(&mut trial).load.engine.busiest = 0.97;
    trial
}

/// A trial that did not become ready.
pub(crate) fn failed(block: u32, variant: &str) -> Trial {
    Trial {
        outcome: Outcome::Failed(Failure {
            step: Step::Ready,
            error: "`gunicorn` was not ready after 10 s".to_owned(),
            log_tail: Vec::new(),
            machine: false,
        }),
        ..trial(block, variant, 1.0)
    }
}

/// The doubts about one trial of a run that plans what [`run`] plans.
pub(crate) fn doubts(trial: &Trial) -> Vec<Doubt> {
    let run = run(&[&trial.variant]);
    let judged = judge::judge(&run, std::slice::from_ref(trial));
    judged.trials[0].doubts.clone()
}

/// Kind and weight of the doubts about one trial.
pub(crate) fn kinds(trial: &Trial) -> Vec<(DoubtKind, bool)> {
    let doubts = doubts(trial).into_iter();
    doubts
        .map(|doubt| (doubt.kind, doubt.disqualifies))
        .collect()
}

/// A judged variant.
pub(crate) fn variant_of<'a>(judged: &'a Judged, name: &str) -> &'a VariantOpinion {
    let mut variants = judged.variants.iter();
    variants
        .find(|variant| variant.name == name)
        .expect("a planned variant")
}
