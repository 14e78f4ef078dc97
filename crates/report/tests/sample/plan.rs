use std::path::PathBuf;

use record::{
    Amount, App, Choice, Claim, Host, Interface, Load, NotTried, Plan, Run, RunStatus, Stress,
    Variant, WarmUpPlan,
};

pub(crate) struct VariantSample {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) servers: &'static [&'static str],
    pub(crate) route: &'static str,
    /// Requests per second, seconds, and the deviation of the logarithm of the response time.
    pub(crate) rate: f64,
    pub(crate) median: f64,
    pub(crate) spread: f64,
    /// Share of answers that are much slower.
    pub(crate) tail: f64,
    pub(crate) cpu: f64,
    pub(crate) bytes: u64,
    pub(crate) failed: u64,
}

const APP: VariantSample = VariantSample {
    name: "",
    title: "",
    servers: &["gunicorn"],
    route: "/",
    rate: 0.0,
    median: 0.0,
    spread: 0.1,
    tail: 0.01,
    cpu: 0.004_4,
    bytes: 7_398,
    failed: 0,
};

pub(crate) const VARIANTS: [VariantSample; 5] = [
    VariantSample {
        name: "flask-dev",
        title: "Flask's development server",
        servers: &["flask-dev"],
        rate: 203.6,
        median: 0.489,
        spread: 0.25,
        tail: 0.05,
        cpu: 0.004_9,
        ..APP
    },
    VariantSample {
        name: "one-worker",
        title: "gunicorn, 1 sync worker",
        rate: 223.8,
        median: 0.447,
        ..APP
    },
    VariantSample {
        name: "two-workers",
        title: "gunicorn, one sync worker per core",
        rate: 420.9,
        median: 0.226,
        ..APP
    },
    VariantSample {
        name: "static",
        title: "nginx alone, a static page",
        servers: &["nginx"],
        route: "/static/hello.html",
        rate: 4_663.0,
        median: 0.0205,
        spread: 0.2,
        cpu: 0.000_061,
        bytes: 194,
        ..APP
    },
    VariantSample {
        name: "nginx-in-front",
        title: "nginx in front of gunicorn, one worker per core",
        servers: &["nginx", "gunicorn"],
        rate: 376.6,
        median: 0.253,
        cpu: 0.004_7,
        failed: 3,
        ..APP
    },
];

pub(crate) fn run() -> Run {
    Run {
        id: 12,
        started: "2026-11-20T18:14:46Z".parse().expect("constant"),
        plan: plan(),
        host: Host {
            kernel: "6.18.44".into(),
            system: "Debian GNU/Linux 12 (bookworm)".into(),
            cpu: "Intel(R) Xeon(R) Processor @ 2.50GHz".into(),
            cores: 2,
            memory: 25_300_000_000,
        },
        weir: "0.1.0".into(),
        status: RunStatus::Finished,
        cut: None,
    }
}

fn plan() -> Plan {
    Plan {
        name: "a-guestbook".into(),
        title: "The guestbook, from the development server to nginx in front of gunicorn".into(),
        app: App {
            name: "guestbook".into(),
            dir: PathBuf::from("/srv/guestbook"),
            interface: Interface::Wsgi,
            entry: "guestbook:app".into(),
            frameworks: vec!["flask".into()],
            python: Some(PathBuf::from("/srv/guestbook/.venv/bin/python")),
            ..App::default()
        },
        load: Load {
            connections: 100,
            amount: Amount::Requests(1_000),
            warm_up: WarmUpPlan::Requests(200),
            keep_alive: false,
            threads: 0,
            timeout: 30.0,
            ..Load::default()
        },
        blocks: super::BLOCKS,
        stress: vec![Stress::SlowClients],
        seed: 2008,
        variants: VARIANTS.iter().map(variant).collect(),
        baseline: "flask-dev".into(),
        noise_floor: Some("one-worker".into()),
        claims: vec![claim()],
        not_tried: vec![NotTried {
            names: vec!["waitress".into(), "<granian>".into()],
            why: "not installed".into(),
            how: Some("`weir doctor APP` prints the commands".into()),
        }],
        ..Plan::default()
    }
}

fn variant(sample: &VariantSample) -> Variant {
    let choice = |entry: &str| Choice::of(entry);
    Variant {
        name: sample.name.into(),
        title: sample.title.into(),
        server: sample
            .servers
            .iter()
            .find(|entry| **entry != "nginx")
            .map(|entry| choice(entry)),
        fronts: sample
            .servers
            .iter()
            .filter(|entry| **entry == "nginx")
            .map(|entry| choice(entry))
            .collect(),
        route: sample.route.into(),
        ..Variant::default()
    }
}

fn claim() -> Claim {
    Claim {
        id: "A2".into(),
        text: "Two workers on two cores nearly double that".into(),
        reported: "223.8 -> 420.9 requests/s (1.88 x)".into(),
        required: false,
        expect: vec![record::Condition::read(
            "throughput of `two-workers` / throughput of `one-worker` >= 1.6",
        )],
        since: None,
        demand: None,
        peak: None,
        differs: Vec::new(),
        since_expect: Vec::new(),
    }
}
