//! What stands above all claims: how many of each verdict, and which are to be read with care.

use super::{claims, pages, run};
use crate::sample;
use judge::{Exchange, Holds, OwnShare};
use report::claims::{Claims, markdown};
use report::html::claims::index;
use report::terminal;

fn strip(text: &str) -> String {
    anstream::adapter::strip_str(text).to_string()
}

#[test]
fn a_verdict_that_the_generator_may_turn_is_marked_wherever_it_is_printed_and_counted() {
    let (run, trials, mut judged) = run();
    let unmarked = markdown(&claims(&run, &trials, &judged));
    assert!(!unmarked.contains("as measured"), "{unmarked}");
    let marked = &mut judged.claims[0];
    marked.as_measured = true;
    marked.conditions[0].own_share = Some(OwnShare {
        between: (0.9, 1.101),
        same: false,
        shares: Vec::new(),
        because: "no core was idle".into(),
    });
    let all = claims(&run, &trials, &judged);
    let document = markdown(&all);
    for told in [
        "* Verdicts: holds: 1, of which 1 as measured · does not hold: 1 · ",
        "* 1 claim decided as measured: with the load generator elsewhere the verdict may be another one: A1\n",
        " | holds, as measured |\n",
        "within 0.95 .. 1.33: holds, as measured\n",
        "* Verdict: **holds, as measured**\n",
    ] {
        assert!(document.contains(told), "{told}: {document}");
    }
    let table = strip(&terminal::claims(&all.rows, 200));
    assert!(table.contains("\n1 claim decided as measured: "), "{table}");
    let findings = sample::findings(&run, &trials, &judged);
    let shown = strip(&terminal::run(&findings, &[], 200));
    for text in [&table, &shown] {
        assert!(text.contains("holds, as measured"), "{text}");
    }
    let chip = "chip good\">holds, as measured<";
    for page in [&index(&all), &pages(&run, &trials, &judged)[0]] {
        assert!(page.contains(chip), "{page}");
    }
}

#[test]
fn claims_that_no_exchange_of_trials_turns_are_named() {
    let (run, trials, judged) = run();
    let mut all = claims(&run, &trials, &judged);
    let exchanges = [
        None,
        Some((["static".into(), "two-workers".into()], Holds::Holds)),
    ];
    for (row, of) in all.rows.iter_mut().zip(exchanges) {
        let id = row.id.clone();
        *row = row.clone().with_exchange(&Exchange { id, of });
    }
    let told = "1 claim that would be decided the same way if the trials of two variants were exchanged: A1\n";
    let document = markdown(&all);
    assert!(document.contains(&format!("* {told}")), "{document}");
    assert!(strip(&terminal::claims(&all.rows, 200)).contains(told));
}

#[test]
fn a_plan_without_an_equal_pair_says_so_and_whether_its_claims_need_one() {
    let (mut run, trials, mut judged) = run();
    (run.plan.noise_floor, judged.noise_floor) = (None, None);
    let told = |of: &record::Run| markdown(&claims(of, &trials, &judged));
    let none = "* Noise floor: none, as the plan has no A/A pair: ";
    let alone = told(&run);
    let needless = format!("{none}no claim of this plan is about a ratio");
    assert!(alone.contains(&needless), "{alone}");
    let ratio = "throughput of `static` / throughput of `two-workers` >= 8";
    run.plan.claims[1].expect = vec![record::Condition::read(ratio)];
    let compared = told(&run);
    let missing = format!("{none}how far apart two equal variants lie was not measured");
    assert!(compared.contains(&missing), "{compared}");
}

#[test]
fn plans_that_were_changed_since_they_ran_are_named() {
    let (run, trials, judged) = run();
    let mut all = claims(&run, &trials, &judged);
    let told = |all: &Claims| {
        let document = markdown(all);
        let older = "* Of older plans: a-guestbook\n";
        let current = "| a-guestbook | 1a2b3c4d5e6f |\n";
        [older, current].map(|words| document.contains(words))
    };
    assert_eq!(told(&all), [false, true]);
    all.evidence[0].digest = None;
    assert_eq!(told(&all), [true, false]);
    assert!(index(&all).contains("Of older plans"));
}
