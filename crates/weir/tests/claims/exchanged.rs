//! Each plan that ships, judged over figures with which its claims hold; and then with two of its
//! variants under each other's names. The figures are the same, and the verdict is another one.

use std::collections::BTreeMap;

use record::{Host, Plan, RunStatus};
use store::Store;

use super::figures::{self, World};
use crate::support::{Place, python, repository};

/// The verdicts that weir reads out of its store, by claim, when a plan's variants come to the figures
/// of this world and two of them then change names.
pub(crate) fn verdicts(
    plan: &str,
    world: &World,
    exchange: Option<(&str, &str)>,
) -> BTreeMap<String, String> {
    let place = Place::new();
    let path = repository().join("claims").join(plan);
    let plan = experiment::read_plan(&path, Some(&python()), 2).unwrap();
    // as on a machine of two cores, where rates are shares of a variant's capacity
    let mut plan = plan.at_capacity(2_400.0);
    let figures: Vec<_> = plan
        .variants
        .iter()
        .map(|variant| world[variant.name.as_str()])
        .collect();
    if let Some((one, other)) = exchange {
        rename(&mut plan, one, other);
    }
    let mut store = Store::open(&place.path("weir.db")).unwrap();
    let host = Host {
        cores: 2,
        ..Host::default()
    };
    let run = store.begin_run(&plan, &host, "0.1.0").unwrap();
    for block in 0..plan.blocks {
        for (variant, figures) in plan.variants.iter().zip(&figures) {
            let trial = figures.trial(&run, &variant.name, plan.load_of(variant), block);
            store.save(&trial).unwrap();
        }
    }
    store.finish(run.id, RunStatus::Finished).unwrap();
    drop(store);
    let export = place.exported("1");
    let claims = export["judged"]["claims"].as_array().unwrap().iter();
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    claims
        .map(|claim| (text(&claim["id"]), text(&claim["holds"])))
        .collect()
}

fn rename(plan: &mut Plan, one: &str, other: &str) {
    let place = |name: &str| {
        plan.variants
            .iter()
            .position(|variant| variant.name == name)
    };
    let (one, other) = (place(one).unwrap(), place(other).unwrap());
    let [one, other] = plan.variants.get_disjoint_mut([one, other]).unwrap();
    // a point of a sweep is its levels as much as its name
    std::mem::swap(&mut one.name, &mut other.name);
    std::mem::swap(&mut one.sweep, &mut other.sweep);
}

/// All claims hold; each fails when these two of its variants are exchanged.
pub(crate) fn can_fail(plan: &str, world: &World, exchanges: &[(&str, (&str, &str))]) {
    let straight = verdicts(plan, world, None);
    assert!(
        straight.values().all(|holds| holds == "holds"),
        "{straight:?}"
    );
    for claim in straight.keys() {
        let tried = exchanges.iter().any(|(id, _)| id == claim);
        assert!(tried, "{plan}: nobody tries to make {claim} fail");
    }
    for (claim, two) in exchanges {
        let said = verdicts(plan, world, Some(*two));
        assert_eq!(said[*claim], "does-not-hold", "{claim}, {two:?}: {said:?}");
    }
}

/// Plans whose claims are about facts that no figures here have, and which.
const WITHOUT_A_WORLD: [(&str, &str); 2] = [
    (
        "b-memory.toml",
        "memory of front ends, app servers and their processes",
    ),
    ("d-profile.toml", "profiles"),
];

/// Whoever adds a plan says here how its claims fail, or what keeps them from failing over figures. (`weir claims --markdown`
/// exchanges the trials of every run besides.)
#[test]
fn every_plan_with_claims_is_made_to_fail() {
    let sources = [
        include_str!("exchanged.rs"),
        include_str!("reports.rs"),
        include_str!("later_reports.rs"),
        include_str!("report_d.rs"),
        include_str!("supervised.rs"),
    ];
    let text: String = sources.concat().split_whitespace().collect();
    let tried = |file: &str| text.contains(&format!("can_fail(\"{file}\""));
    let folder = repository().join("claims");
    let suite = experiment::suite(&folder, Some(&python()), 2).unwrap();
    let with_claims = suite.plans.iter().filter(|plan| !plan.claims.is_empty());
    let files: Vec<String> = with_claims
        .map(|plan| format!("{}.toml", plan.name))
        .collect();
    for file in &files {
        let excused = WITHOUT_A_WORLD.iter().any(|(name, _)| name == file);
        assert!(tried(file) || excused, "nobody tries to make {file} fail");
    }
    for (file, facts) in WITHOUT_A_WORLD {
        let ships = files.iter().any(|name| name == file);
        assert!(ships, "{file} is not there, and needs no {facts}");
        assert!(!tried(file), "{file} needs no excuse: figures have {facts}");
    }
}

#[test]
fn a_guestbook() {
    let exchanges = [
        ("A1", ("flask-dev", "one-worker")),
        ("A2", ("one-worker", "two-workers")),
        ("A3", ("two-workers", "static")),
        ("A4", ("two-workers", "nginx-in-front")),
        ("A5", ("flask-dev", "nginx-in-front")),
    ];
    can_fail("a-guestbook.toml", &figures::guestbook(), &exchanges);
}

#[test]
fn a_queue() {
    let exchanges = [
        ("A6", ("queue-of-8", "queue-of-64")),
        ("A6", ("room-for-16", "past-the-room")),
        ("A6", ("queue-of-64", "past-the-room")),
    ];
    can_fail("a-queue.toml", &figures::queue(), &exchanges);
}

/// Were clients let in without a queue, more of them would be answered as soon.
#[test]
fn a_server_without_a_queue() {
    let mut world = figures::queue();
    let at_once = figures::Figures::closed(64.0, 3_200.0, 2.0);
    world.insert("queue-of-64", at_once);
    assert_eq!(
        verdicts("a-queue.toml", &world, None)["A6"],
        "does-not-hold"
    );
}

#[test]
fn a_page() {
    let exchanges = [("A7", ("page", "nginx-page"))];
    can_fail("a-page.toml", &figures::page(), &exchanges);
}

/// If nginx did for the one URL what it does for the page, ab's figure would tell.
#[test]
fn a_page_whose_document_tells() {
    let mut world = figures::page();
    world.insert("nginx-document", figures::Figures::closed(4.0, 700.0, 1.0));
    assert_eq!(verdicts("a-page.toml", &world, None)["A7"], "does-not-hold");
}

#[test]
fn b_dial_in() {
    let exchanges = [
        ("B14", ("dial-in-called", "dialled-in")),
        ("B14", ("dial-in-called", "dial-in-kept")),
        ("B14", ("called-counted", "dialled-in-counted")),
        ("B14", ("called-counted", "kept-counted")),
    ];
    can_fail("b-dial-in.toml", &figures::dial_in(), &exchanges);
}

#[test]
fn b_retry() {
    let exchanges = [
        ("B12", ("giving-up", "retrying")),
        ("B12", ("patient", "retrying")),
    ];
    can_fail("b-retry.toml", &figures::retry(), &exchanges);
}

/// If those who come back did no more harm than those who go, retries would not be to blame.
#[test]
fn retries_without_harm() {
    let mut world = figures::retry();
    let mut harmless = world["giving-up"];
    harmless.retries = 1_800;
    world.insert("retrying", harmless);
    assert_eq!(
        verdicts("b-retry.toml", &world, None)["B12"],
        "does-not-hold"
    );
}
