//! `docs/claims.md` is what `weir claims --markdown` prints: all of its frame is held to the plans that ship.

use record::RunStatus;
use store::Store;

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
