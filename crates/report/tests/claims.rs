//! What became of claims: as a document, on a terminal, and as pages that open offline.

mod before;
mod head;
mod html;

use crate::sample;
use judge::{Holds, Judged};
use record::{Claim, Cut, Plan, Run, Trial};
use report::claims::{ClaimRow, ClaimStanding, Claims, Evidence, FieldReport, markdown};
use report::html::claims::{ClaimPage, claim, index};
use report::{JudgedRun, terminal};

/// A run of report A, of which the third block has not been reached.
fn run() -> (Run, Vec<Trial>, Judged) {
    let mut run = sample::run();
    run.plan.claims = vec![of_plan("A1"), of_plan("A3"), of_plan("A5")];
    let trials = sample::trials(&run);
    let judged = sample::judged(&run, &trials);
    (run, trials, judged)
}

fn of_plan(id: &str) -> Claim {
    Claim {
        id: id.into(),
        text: String::new(),
        reported: String::new(),
        required: false,
        expect: vec![],
        since: Some(format!("what {id} speaks of has been rewritten")),
        demand: None,
        peak: None,
        differs: vec![format!("{id} has two cores <here>")],
        since_expect: Vec::new(),
    }
}

fn without(id: &str, text: &str, standing: ClaimStanding) -> ClaimRow {
    ClaimRow {
        id: id.into(),
        text: text.into(),
        reported: "told".into(),
        since: Some("nobody may read this".into()),
        differs: Vec::new(),
        long: false,
        standing,
    }
}

/// A claim of every kind.
fn claims(run: &Run, trials: &[Trial], judged: &Judged) -> Claims {
    let rows = run.plan.claims.iter().zip(&judged.claims);
    let now = Plan {
        blocks: 8,
        ..run.plan.clone()
    };
    let mut rows: Vec<_> = rows
        .map(|(claim, verdict)| ClaimRow::judged(run, verdict, claim, &now))
        .collect();
    let plan = || "b-limits".to_owned();
    rows.push(without(
        "B4",
        "A limit | a gain",
        ClaimStanding::NotRun { plan: plan() },
    ));
    let why = "variant `queued`: `haproxy` did not start".to_owned();
    rows.push(without(
        "B5",
        "No limit <no gain>",
        ClaimStanding::Failed { plan: plan(), why },
    ));
    let missing = "the profiler".to_owned();
    rows.push(without(
        "D2",
        "A profile tells",
        ClaimStanding::NotYet { missing },
    ));
    Claims {
        rows,
        evidence: vec![Evidence {
            digest: Some("1a2b3c4d5e6f".into()),
            ..Evidence::of(&sample::findings(run, trials, judged))
        }],
        reports: vec![FieldReport {
            id: "A".into(),
            title: "Improving an application's performance".into(),
            about: "A guestbook, `ab -n 1000 -c 100`.".into(),
            absent: vec![("Mongrel <2>".into(), "no registry has it".into())],
        }],
        before: None,
    }
}

#[test]
fn a_document_has_a_short_table_and_every_claim_in_detail() {
    let (mut run, trials, judged) = run();
    run.cut = Some(Cut {
        budget: 120.0,
        spent: 101.0,
        blocks: 6,
        trials: 1,
        block: 50.5,
    });
    insta::assert_snapshot!(markdown(&claims(&run, &trials, &judged)));
}

#[test]
fn what_others_cost_all_plans_stands_beside_what_is_open_for_want_of_time() {
    let (mut run, trials, judged) = run();
    let lost = "3 of 90 trials of all plans had to be repeated beside `hog`";
    let told = |run: &Run| {
        let rows = claims(run, &trials, &judged).rows.into_iter();
        let rows = rows.map(|row| row.with_lost(run, Some(lost)));
        let all = Claims {
            rows: rows.collect(),
            ..Claims::default()
        };
        markdown(&all).matches(lost).count()
    };
    assert_eq!(told(&run), 0, "it had the time that it took");
    run.cut = Some(Cut {
        budget: 120.0,
        spent: 101.0,
        blocks: 6,
        trials: 0,
        block: 50.5,
    });
    assert_eq!(told(&run), 1, "the others are decided, or have no run");
}

#[test]
fn the_plan_of_a_long_claim_is_run_with_an_option_of_its_own() {
    let (run, trials, judged) = run();
    let mut claims = claims(&run, &trials, &judged);
    for row in &mut claims.rows {
        row.long = true;
    }
    let document = markdown(&claims);
    for id in ["A1` runs all of its plan", "B4` runs it (b-limits)"] {
        let said = format!("`weir claims --long {id}");
        assert!(document.contains(&said), "{said}: {document}");
    }
}

#[test]
fn beside_a_verdict_stands_how_far_apart_equal_variants_lay() {
    let (run, trials, judged) = run();
    let document = markdown(&claims(&run, &trials, &judged));
    let said = "differences within 4 % are noise here";
    assert!(document.contains(said), "{document}");
    for page in &pages(&run, &trials, &judged)[..judged.claims.len()] {
        assert!(page.contains(said), "{page}");
    }
    let alone = Judged {
        noise_floor: None,
        ..judged
    };
    let document = markdown(&claims(&run, &trials, &alone));
    assert!(!document.contains("Noise floor"), "{document}");
}

#[test]
fn where_it_departs_from_the_report_is_always_shown() {
    let (mut run, trials, mut judged) = run();
    run.plan.differs = vec!["weir stands for ab".into()];
    let tests = "throughput of `one-worker` > 1";
    let tested = judge::ConditionVerdict {
        text: tests.into(),
        about: None,
        value: Some(2.5),
        interval: None,
        holds: Holds::CannotTell,
        own_share: None,
    };
    for claim in &mut judged.claims {
        claim.since = vec![tested.clone()];
    }
    let all = claims(&run, &trials, &judged);
    let strip = |text: &str| anstream::adapter::strip_str(text).to_string();
    let shown = strip(&terminal::claims(&all.rows, 200));
    let one = strip(&terminal::run(
        &sample::findings(&run, &trials, &judged),
        &[],
        200,
    ));
    let pages = pages(&run, &trials, &judged);
    for text in [&shown, &one, &markdown(&all), &index(&all)] {
        for id in ["A1", "A3", "A5"] {
            assert!(
                text.contains(&format!("{id} has two cores")),
                "{id}: {text}"
            );
        }
        assert!(text.contains("weir stands for ab"), "{text}");
    }
    assert!(
        pages[0].contains("A1 has two cores &lt;here&gt;"),
        "{}",
        pages[0]
    );
    assert!(markdown(&all).contains("* Mongrel &lt;2>: no registry has it"));
    assert!(index(&all).contains("Mongrel &lt;2&gt;"));
    // what tests the text about the time since is shown with that text alone
    for text in [&shown, &markdown(&all)] {
        assert_eq!(
            text.matches("throughput of `one-worker` > 1").count(),
            1,
            "{text}"
        );
    }
}

#[test]
fn a_reason_is_confirmed_refuted_open_or_not_known_and_only_for_what_does_not_hold() {
    let (run, trials, mut judged) = run();
    let of = |holds| judge::ConditionVerdict {
        text: "throughput of `one-worker` > 1".into(),
        about: None,
        value: Some(2.5),
        interval: None,
        holds,
        own_share: None,
    };
    let (yes, no, open) = (Holds::Holds, Holds::DoesNotHold, Holds::CannotTell);
    for (since, told) in [
        (vec![], "not known"),
        (vec![yes, yes], "confirmed"),
        (vec![yes, open], "open"),
        (vec![open, no], "refuted"),
    ] {
        for claim in &mut judged.claims {
            claim.since = since.iter().copied().map(of).collect();
        }
        let all = claims(&run, &trials, &judged);
        let document = markdown(&all);
        let line = format!("* Reasons of those that do not hold: {told}: 1\n");
        assert!(document.contains(&line), "{document}");
        assert_eq!(document.matches("* The reason is **").count(), 1);
        assert!(document.contains(&format!("* The reason is **{told}**\n")));
        assert!(document.contains(&format!("does not hold; reason: {told} |")));
        let shown = terminal::claims(&all.rows, 100);
        let shown = anstream::adapter::strip_str(&shown).to_string();
        assert!(shown.contains(&format!("reason    {told}")), "{shown}");
        assert!(index(&all).contains(&format!("reason: {told}")));
    }
}

#[test]
fn nothing_measured_is_said_in_a_document_too() {
    let text = markdown(&Claims::default());
    assert!(
        text.contains("None of them has been measured here yet."),
        "{text}"
    );
}

#[test]
fn what_has_changed_since_is_told_of_what_does_not_hold_and_of_nothing_else() {
    let (run, trials, judged) = run();
    let all = claims(&run, &trials, &judged);
    let shown = terminal::claims(&all.rows, 100);
    let shown = anstream::adapter::strip_str(&shown).to_string();
    for text in [
        shown,
        markdown(&all),
        index(&all) + &pages(&run, &trials, &judged).concat(),
    ] {
        let held: Vec<_> = judged.claims.iter().map(|claim| claim.holds).collect();
        assert_eq!(held, [Holds::Holds, Holds::DoesNotHold, Holds::CannotTell]);
        assert!(
            text.contains("what A3 speaks of has been rewritten"),
            "{text}"
        );
        assert!(
            !text.contains("what A1") && !text.contains("what A5"),
            "{text}"
        );
        assert!(!text.contains("nobody may read this"), "{text}");
    }
}

fn pages(run: &Run, trials: &[Trial], judged: &Judged) -> Vec<String> {
    let findings: JudgedRun = sample::findings(run, trials, judged);
    let rows = claims(run, trials, judged).rows;
    let page = |row: &ClaimRow| {
        let decided = matches!(row.standing, ClaimStanding::Judged { .. });
        claim(&ClaimPage {
            row,
            findings: decided.then_some(&findings),
            plan: decided.then_some(("as its file has it", "blocks = 6 # <six>")),
            report: decided.then_some("a-guestbook/report.html"),
        })
    };
    rows.iter().map(page).collect()
}
