//! Matrices: families of two factors or more, and the rankings that come with them.

use crate::lab::{self, run, trials};
use judge::{Judged, judge};
use record::{Level, Load, Metric, Run, Sweep};

fn level(factor: &str, level: &str) -> Level {
    Level {
        factor: factor.to_owned(),
        level: level.to_owned(),
        number: level.parse().ok(),
    }
}

/// Two servers behind two fronts, each under two loads, but for one combination.
fn family() -> Run {
    let mut names = Vec::new();
    for server in ["puma", "thin"] {
        for front in ["none", "nginx"] {
            for connections in ["10", "100"] {
                names.push((server, front, connections));
            }
        }
    }
    names.retain(|name| *name != ("thin", "none", "100"));
    let word = |(server, front, connections): &(&str, &str, &str)| {
        format!("x@server={server},front={front},connections={connections}")
    };
    let all: Vec<String> = names.iter().map(word).collect();
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    let mut run = run(&all);
    for (variant, (server, front, connections)) in run.plan.variants.iter_mut().zip(names) {
        variant.load = Some(Load {
            connections: connections.parse().unwrap(),
            ..run.plan.load.clone()
        });
        variant.sweep = Some(Sweep {
            family: "x".to_owned(),
            levels: vec![
                level("server", server),
                level("front", front),
                level("connections", connections),
            ],
            added: false,
        });
    }
    run
}

fn judged() -> Judged {
    judged_beside(|_| 0.2)
}

/// The generator takes so much of the CPU time beside a variant, and the stack what is left; of two cores 0.2 leave some idle.
fn judged_beside(generator: impl Fn(&str) -> f64) -> Judged {
    let run = family();
    let rate = |name: &str| {
        let fast = if name.contains("puma") { 400.0 } else { 200.0 };
        if name.contains("nginx") {
            fast * 0.9
        } else {
            fast
        }
    };
    let of = |name: &String| trials(name, &[rate(name); 6]);
    let names: Vec<String> = run.plan.variants.iter().map(|of| of.name.clone()).collect();
    let mut all: Vec<_> = names.iter().flat_map(of).collect();
    for trial in &mut all {
        // the lab's trials are of ten connections
        let connections = if trial.variant.ends_with("100") {
            100
        } else {
            10
        };
        let own = generator(&trial.variant);
        let facts = lab::facts(trial);
        let cores = 2.0 * facts.load.seconds;
        for of in facts.processes.iter_mut().filter(|_| own > 0.2) {
            // two programs make the stack
            let share = if of.owner == "weir" {
                own
            } else {
                (1.0 - own) / 2.0
            };
            (of.cpu_user, of.cpu_system) = (share * cores, 0.0);
        }
        let load = &mut facts.load;
        load.connections = connections;
        let mut response = record::Distribution::default();
        for _ in 0..load.completed {
            response.record(
                (f64::from(connections) * load.seconds / load.completed as f64 * 1e9) as u64,
            );
        }
        load.response = response;
    }
    judge(&run, &all)
}

#[test]
fn a_family_of_three_factors_is_a_matrix_for_each_level_of_the_third() {
    let judged = judged();
    let at: Vec<_> = judged.matrices.iter().map(|of| of.at.clone()).collect();
    let connections = |level: &str| vec![("connections".to_owned(), level.to_owned())];
    assert_eq!(at, [connections("10"), connections("100")]);
    let first = &judged.matrices[0];
    assert_eq!(
        (first.rows.factor.as_str(), first.columns.factor.as_str()),
        ("server", "front")
    );
    assert_eq!(first.metric, Metric::Throughput);
    assert_eq!(first.columns.levels, ["none", "nginx"]);
    let cell = first.cells[1][1].as_ref().unwrap();
    assert_eq!(cell.variant, "x@server=thin,front=nginx,connections=10");
    assert!(
        (cell.figure.unwrap().value / 180.0 - 1.0).abs() < 1e-3,
        "{cell:?}"
    );
    assert!(
        judged.matrices[1].cells[1][0].is_none(),
        "left out of the plan"
    );
}

#[test]
fn a_cell_says_between_what_its_figure_lies_with_the_generator_elsewhere() {
    let beside = |name: &str| if name.contains("puma") { 0.4 } else { 0.2 };
    let judged = judged_beside(beside);
    let cells = || judged.matrices[0].cells.iter().flatten().flatten();
    assert_eq!(cells().count(), 4);
    for cell in cells() {
        let value = cell.figure.unwrap().value;
        let (low, high) = cell.elsewhere.unwrap_or((value, value));
        let most = if cell.variant.contains("puma") {
            value / 0.6
        } else {
            value
        };
        assert!(
            (low - value).abs() < 1e-6 && (high - most).abs() < 1e-6,
            "{cell:?}"
        );
    }
}

#[test]
fn what_a_matrix_tries_is_ranked_over_its_loads() {
    let judged = judged();
    assert_eq!(judged.rankings.len(), 1);
    let ranking = &judged.rankings[0];
    assert_eq!(ranking.name, "x");
    let order = &ranking.orders[0];
    let names: Vec<&str> = order.places.iter().map(|of| of.rival.as_str()).collect();
    assert_eq!(
        names,
        [
            "x@server=puma,front=none",
            "x@server=puma,front=nginx",
            "x@server=thin,front=none",
            "x@server=thin,front=nginx",
        ],
        "connections are no rivals"
    );
    let mut asked = family();
    asked.plan.rankings = vec![record::Ranking {
        name: "mine".to_owned(),
        title: String::new(),
        of: judge::rivals_by(&asked.plan.variants, "x", "server")
            .unwrap()
            .into_iter()
            .map(|variants| record::Rival {
                variants,
                reported: None,
            })
            .collect(),
        by: vec![record::Criterion {
            metric: Metric::Throughput,
            levels: None,
        }],
    }];
    let names: Vec<_> = judge(&asked, &[])
        .rankings
        .into_iter()
        .map(|of| of.name)
        .collect();
    assert_eq!(names, ["mine"], "who asks gets what they ask for");
}
