//! `docs/claims.md` is what `weir claims --markdown` prints: all of its frame is held to the plans that ship.

use record::{Cut, Host, OtherProgram, Others, Outcome, RunStatus, Trial};
use store::Store;

use super::figures;
use crate::support::{Place, python, repository};

/// The lines of the document that no figure changes: headings, what is claimed, and what was reported.
fn frame(text: &str) -> Vec<String> {
    let line = |line: &str| {
        let row = line
            .starts_with("| [")
            .then(|| line.rsplitn(3, '|').nth(2).unwrap().trim());
        let heading = line.starts_with('#') || line.starts_with("* The report: ");
        row.or(heading.then_some(line)).map(str::to_owned)
    };
    let before = text.split("## What took part").next().unwrap();
    before.lines().filter_map(line).collect()
}

#[test]
fn the_document_has_every_claim_of_the_plans_that_ship() {
    let place = Place::new();
    let folder = repository().join("claims");
    let suite = experiment::suite(&folder, Some(&python()), 2).unwrap();
    let mut store = Store::open(&place.path("weir.db")).unwrap();
    // a store in which some plans have run, and no trial of them counts
    for plan in suite.plans.iter().step_by(2) {
        let run = store
            .begin_run(plan, &record::Host::default(), "0.1.0")
            .unwrap();
        store.finish(run.id, RunStatus::Finished).unwrap();
    }
    drop(store);
    let folder = folder.to_str().unwrap();
    let said = place.run(&["claims", "--plans", folder, "--stored", "--markdown"]);
    let printed = &said.succeeds().out;
    assert!(printed.contains("* Verdict: **cannot tell**"), "{printed}");
    assert!(
        printed.contains("it has not run"),
        "the exact reason: {printed}"
    );
    assert!(printed.contains("* Verdict: **not run**"));
    let frame_printed = frame(printed);
    for id in suite.ids() {
        assert!(frame_printed.contains(&format!("### {id}")), "{id}");
    }
    let written = std::fs::read_to_string(repository().join("docs/claims.md")).unwrap();
    assert_eq!(
        frame(&written),
        frame_printed,
        "make docs/claims.md anew: `weir claims --stored --markdown > docs/claims.md`"
    );
}

/// The part of a document that is about this claim.
fn part<'a>(document: &'a str, id: &str) -> &'a str {
    let heading = format!("\n### {id}\n");
    let (_, part) = document
        .split_once(&heading)
        .unwrap_or_else(|| panic!("no `{id}`"));
    part.split("\n##").next().unwrap()
}

/// Of each plan whose file is as it was when the document was made, what is asked and where that departs from the report. Older
/// ones are named in the test's output, and fail nothing: they are measured anew before long.
#[test]
fn the_document_has_what_is_asked_by_the_plans_that_it_is_of() {
    let folder = repository().join("claims");
    let suite = experiment::suite(&folder, Some(&python()), 2).unwrap();
    let written = std::fs::read_to_string(repository().join("docs/claims.md")).unwrap();
    let (current, older): (Vec<_>, Vec<_>) = suite.plans.iter().partition(|plan| {
        let digest = report::claims::digest(&suite.texts[&plan.name]);
        written.contains(&format!("| {} | {digest} |\n", plan.name))
    });
    let older: Vec<_> = older.iter().map(|plan| plan.name.as_str()).collect();
    if !older.is_empty() {
        println!("docs/claims.md is of older plans: {}", older.join(", "));
    }
    // as Markdown has it
    let escaped = |text: &str| text.replace('<', "&lt;").replace('|', "\\|");
    for plan in current {
        for claim in &plan.claims {
            let part = part(&written, &claim.id);
            for line in plan.differs.iter().chain(&claim.differs) {
                let line = format!("* Unlike the report: {}\n", escaped(line));
                assert!(part.contains(&line), "{}: `{line}` in {part}", claim.id);
            }
            for condition in &claim.expect {
                let asked = format!("; {}: ", escaped(&condition.text));
                assert!(part.contains(&asked), "{}: `{asked}` in {part}", claim.id);
            }
        }
    }
}

/// The same trial beside a program that took half of the machine.
fn beside(program: &str, mut trial: Trial) -> Trial {
    let Outcome::Measured(measured) = &mut trial.outcome else {
        panic!("it was measured");
    };
    measured.observed.others = Some(Others {
        seconds: 2.0,
        share: 0.5,
        programs: vec![OtherProgram {
            name: program.to_owned(),
            seconds: 2.0,
            ..OtherProgram::default()
        }],
        unseen: 0.0,
    });
    trial
}

#[test]
fn a_claim_that_is_open_for_want_of_time_says_what_others_made_weir_repeat() {
    let place = Place::new();
    let folder = repository().join("claims");
    let path = folder.join("a-guestbook.toml");
    let plan = experiment::read_plan(&path, Some(&python()), 2).unwrap();
    let mut store = Store::open(&place.path("weir.db")).unwrap();
    let host = Host {
        cores: 2,
        ..Host::default()
    };
    let run = store.begin_run(&plan, &host, "0.1.0").unwrap();
    let world = figures::guestbook();
    for block in 0..2 {
        for variant in &plan.variants {
            let figures = world[variant.name.as_str()];
            let mut trial = figures.trial(&run, &variant.name, plan.load_of(variant), block);
            if block == 0 {
                store.save(&beside("hog", trial.clone())).unwrap();
                trial.attempt = 1;
            }
            store.save(&trial).unwrap();
        }
    }
    let cut = Cut {
        budget: 60.0,
        spent: 59.0,
        blocks: 2,
        trials: 0,
        block: 20.0,
    };
    store.note_cut(run.id, Some(&cut)).unwrap();
    store.finish(run.id, RunStatus::Finished).unwrap();
    drop(store);
    let folder = folder.to_str().unwrap();
    let said = place.run(&["claims", "--plans", folder, "--stored", "--markdown", "A1"]);
    let printed = &said.succeeds().out;
    let (again, all) = (plan.variants.len(), 3 * plan.variants.len());
    let told = format!(
        "* {again} of {all} trials of all plans had to be repeated beside `hog`: that time is missing here"
    );
    assert!(printed.contains(&told), "{printed}");
}
