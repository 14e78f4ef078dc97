//! What is said of the variant to deploy.

use judge::{Judged, Verdict};
use record::{Outcome, ProcessCost};
use report::{terminal, words};

use crate::sample;
use crate::terminal::plain;

/// A run as a terminal has it, on one line.
fn said(change: impl FnOnce(&mut Judged)) -> String {
    let run = sample::run();
    let mut judged = sample::judged(&run, &sample::trials(&run));
    judged.decision.as_mut().unwrap().as_good.clear();
    change(&mut judged);
    let text = plain(&terminal::run(
        &sample::findings(&run, &[], &judged),
        &[],
        100,
    ));
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn what_leads_beside_it_is_not_told_apart_from_it() {
    let sure = said(|_| ());
    assert!(sure.contains("Run `two-workers`: "), "{sure}");
    assert!(sure.contains("as good no other variant"), "{sure}");
    let open = said(|judged| judged.lead.leaders.push("nginx-in-front".to_owned()));
    for words in [
        "Run `two-workers`, not told apart from `nginx-in-front`: ",
        "as good not told apart by throughput, and surely dearer: `nginx-in-front`",
    ] {
        assert!(open.contains(words), "{words}: {open}");
    }
}

#[test]
fn of_one_variant_that_could_be_measured_none_is_best() {
    let run = sample::run();
    let mut judged = sample::judged(&run, &sample::trials(&run));
    assert!(words::best(&judged).is_some());
    let others = judged.variants.iter_mut().skip(1);
    others.for_each(|of| of.counted = 0);
    assert_eq!(words::best(&judged), None);
}

#[test]
fn what_is_as_good_says_how_many_blocks_would_tell() {
    let open = said(|judged| {
        let as_good = "nginx-in-front".to_owned();
        let mut lead = judged.lead.comparisons.iter_mut();
        let of = lead.find(|of| of.over == as_good).unwrap();
        (of.verdict, of.wanted) = (Verdict::CannotTell, Some(23));
        judged.decision.as_mut().unwrap().as_good = vec![as_good];
    });
    let words = "as good `nginx-in-front`: this run cannot tell them apart from it, about 23 blocks most likely would";
    assert!(open.contains(words), "{open}");
}

#[test]
fn what_it_may_cost_is_no_promise() {
    let wide = said(|judged| {
        let decision = judged.decision.as_mut().unwrap();
        let mut of = decision.brings[0].clone();
        (of.ratio, of.interval, of.verdict) = (1.0, Some((0.5, 2.0)), Verdict::CannotTell);
        decision.costs.clear();
        decision.may_cost = vec![of];
    });
    let words = "costs nothing is surely worse than `flask-dev`; this run cannot tell: ";
    assert!(wide.contains(words), "{wide}");
}

#[test]
fn one_process_has_nobody_in_its_place() {
    let run = sample::run();
    let told = |own: usize| {
        let mut trials = sample::trials(&run);
        let judged = sample::judged(&run, &trials);
        for trial in &mut trials {
            let processes = match trial.variant.as_str() {
                "two-workers" => own,
                _ => 3,
            };
            if let Outcome::Measured(measured) = &mut trial.outcome {
                let one = measured.stack_processes().next().cloned();
                measured.processes.retain(|of| of.owner == ProcessCost::OWN);
                let all = one.iter().cycle().take(processes).cloned();
                measured.processes.extend(all);
            }
        }
        let of = sample::findings(&run, &trials, &judged);
        plain(&terminal::run(&of, &[], 200)).contains("it is one process: ")
    };
    assert!(told(1) && !told(2));
}

/// One that is for development may be surely better, and is not to be deployed for that.
#[test]
fn only_what_is_for_production_is_told_not_to_be_better() {
    let baseline = |development: &[&str]| {
        said(|judged| {
            let decision = judged.decision.as_mut().unwrap();
            "one-worker".clone_into(&mut decision.variant);
            decision.over = None;
            decision.development = development.iter().map(|of| (*of).to_owned()).collect();
        })
    };
    let (usual, beside) = (baseline(&[]), baseline(&["two-workers"]));
    for (text, words) in [
        (
            &usual,
            "the others are compared with it, and none is surely better",
        ),
        (&beside, "and none that is for production is surely better"),
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
}

#[test]
fn beside_what_is_for_development_there_is_nothing_to_choose_from() {
    let only = said(|judged| {
        let others = judged.lead.rivals.iter();
        let others = others.filter(|name| *name != "two-workers");
        judged.lead.development = others.cloned().collect();
    });
    let words = "because there was none to choose from but those made for development: `";
    assert!(only.contains(words), "{only}");
    assert!(!only.contains("as good no other variant"), "{only}");
}
