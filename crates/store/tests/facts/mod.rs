use record::{
    Amount, App, Distribution, Failure, Host, Interface, Load, LoadFacts, Measured, Outcome, Plan,
    ProcessCost, RenderedFile, ServerFacts, StackFacts, Step, Target, Trial, Variant, Verified,
    WarmUpPlan,
};

/// Two variants, one of them also as the A/A half: three trials a block.
pub(crate) fn plan(blocks: u32) -> Plan {
    let variant = |name: &str| Variant {
        name: name.to_owned(),
        title: name.to_owned(),
        server: None,
        fronts: Vec::new(),
        route: "/".to_owned(),
        ..Variant::default()
    };
    Plan {
        name: "ladder".to_owned(),
        title: "two variants".to_owned(),
        app: App {
            name: "app".to_owned(),
            dir: "/srv/app".into(),
            interface: Interface::Wsgi,
            entry: "app:app".to_owned(),
            ..App::default()
        },
        load: Load {
            connections: 10,
            amount: Amount::Requests(1_000),
            warm_up: WarmUpPlan::None,
            keep_alive: true,
            threads: 1,
            timeout: 2.0,
            ..Load::default()
        },
        blocks,
        seed: 1,
        variants: vec![variant("dev"), variant("nginx")],
        baseline: "dev".to_owned(),
        noise_floor: Some("dev".to_owned()),
        ..Plan::default()
    }
}

pub(crate) fn host() -> Host {
    Host {
        kernel: "6.18".to_owned(),
        cores: 2,
        ..Host::default()
    }
}

/// A trial with figures whose last bit matters and a file that is the same in every block.
pub(crate) fn trial(run: i64, block: u32, variant: &str) -> Trial {
    let mut response = Distribution::default();
    for i in 0..1_000 {
        response.record(1_000_000 + i * 7_919);
    }
    let server = ServerFacts {
        supervisor: Some("supervisord 4.2.5".into()),
        scale: record::Scale {
            processes: Some("workers".to_owned()),
            ..record::Scale::default()
        },
        entry: "nginx".to_owned(),
        service: None,
        link: Some("http+unix".parse().unwrap()),
        keeps: Some(true),
        development: false,
        version: "1.22.1".to_owned(),
        argv: vec!["nginx".to_owned(), "-c".to_owned(), "nginx.conf".to_owned()],
        deployed: vec!["nginx".to_owned()],
        env: Vec::new(),
        knobs: Vec::new(),
        slots: None,
        files: vec![
            file("nginx.conf", 'a', "worker_processes 2;\n"),
            file("empty", 'b', ""),
        ],
        listened: Some("127.0.0.1".into()),
        log_tail: vec!["ready".to_owned()],
        complaint: None,
    };
    let measured = Measured {
        stack: StackFacts {
            servers: vec![server],
            address: Target::Tcp(([127, 0, 0, 1], 8_000).into()),
            ready_after: 0.1 + 0.2,
            verified: Verified::default(),
        },
        load: LoadFacts {
            seconds: 1.0 / 3.0 + f64::from(block),
            scheduled: 1_000,
            completed: 1_000,
            response,
            ..LoadFacts::default()
        },
        processes: vec![ProcessCost::default()],
        stolen: 0.001,
        observed: record::Observed::default(),
    };
    Trial {
        run,
        block,
        position: 0,
        variant: variant.to_owned(),
        again: false,
        group: 0,
        attempt: 0,
        started: record::now(),
        outcome: Outcome::Measured(Box::new(measured)),
    }
}

pub(crate) fn file(path: &str, hash: char, content: &str) -> RenderedFile {
    RenderedFile {
        path: path.to_owned(),
        sha256: hash.to_string().repeat(64),
        content: content.to_owned(),
    }
}

/// A trial that did not become ready.
#[allow(
    dead_code,
    reason = "each test binary uses its own part of this module"
)]
pub(crate) fn failed(run: i64, block: u32, variant: &str) -> Trial {
    Trial {
        outcome: Outcome::Failed(Failure {
            step: Step::Ready,
            error: "not ready after 10 s".to_owned(),
            log_tail: vec!["bind: address in use".to_owned()],
            machine: false,
        }),
        ..trial(run, block, variant)
    }
}
