//! Which windows of a run were cut into slices, and why others were whole.

use std::collections::BTreeSet;

use crate::sample;
use record::{Amount, Client, Load, Outcome, Plan, Run, Shape, SliceFacts, Spread, Trial};
use report::words;

/// A run whose windows may all be cut.
fn in_slices() -> Run {
    let mut run = sample::run();
    run.plan.slice = 0.1;
    run.plan.load.amount = Amount::Seconds(2.0);
    run
}

fn cut(trial: &mut Trial) {
    if let Outcome::Measured(of) = &mut trial.outcome {
        of.load.slices = Some(SliceFacts {
            count: 20,
            lead: 0.1,
            led: 40,
        });
    }
}

/// A plan asks for slices; whether its windows could be cut is known from its trials.
#[test]
fn windows_that_stayed_whole_are_not_said_to_take_turns() {
    let run = sample::run();
    let mut trials = sample::trials(&run);
    let said = words::blocks(&run, &trials);
    assert!(said.ends_with("(seed 2008)"), "no slices were asked for");
    let run = in_slices();
    let asked = words::blocks(&run, &[]);
    assert!(
        asked.ends_with(", quick loads in turn, in slices of at least 100 ms"),
        "{asked}"
    );
    let whole = words::blocks(&run, &trials);
    assert!(
        whole.ends_with(", each window whole, as responses take too long for slices"),
        "{whole}"
    );
    trials.iter_mut().for_each(cut);
    assert_eq!(words::blocks(&run, &trials), asked);
}

#[test]
fn those_that_were_whole_beside_others_in_slices_are_named() {
    let run = in_slices();
    let mut trials = sample::trials(&run);
    let quick = trials.iter_mut().filter(|of| of.variant != "static");
    quick.for_each(cut);
    let said = words::blocks(&run, &trials);
    let wanted = "100 ms, whole windows of `static` (as responses take too long for slices, or no other load took turns \
                  with it)";
    assert!(said.ends_with(wanted), "{said}");
}

#[test]
fn what_a_plan_keeps_whole_is_said_with_the_reason() {
    let mut plan = in_slices().plan;
    assert_eq!(words::whole(&plan), None);
    plan.whole = BTreeSet::from(["static".to_owned()]);
    let thinking = Load {
        shape: Shape::Closed {
            think: 1.0,
            spread: Spread::Fixed,
        },
        ..plan.load.clone()
    };
    plan.variants[1].load = Some(thinking.clone());
    plan.variants[2].load = Some(thinking);
    plan.variants[4].client = Some(Client::of(vec!["true".to_owned()], ".".into()));
    let wanted = "whole windows of `one-worker`, `two-workers` (as users think between requests), of `static` (as a claim \
                  is about what builds up over a window, here or in what is compared with it), of `nginx-in-front` (as a \
                  client sends requests when it likes)";
    assert_eq!(words::whole(&plan).as_deref(), Some(wanted));
}

#[test]
fn one_reason_for_all_is_said_of_all() {
    let mut plan = in_slices().plan;
    plan.load.amount = Amount::Requests(1_000);
    let wanted = "each window whole, as windows end with a number of requests";
    assert_eq!(words::whole(&plan).as_deref(), Some(wanted));
    let run = Run {
        plan: plan.clone(),
        ..sample::run()
    };
    assert!(words::blocks(&run, &[]).ends_with(wanted));
    let asked = Plan { slice: 0.0, ..plan };
    assert_eq!(words::whole(&asked), None, "it is what was asked for");
}

/// Runs of an earlier weir had the A/A pair in each block, and no groups, whatever their plan would have now.
#[test]
fn pairs_and_groups_are_told_as_the_trials_had_them() {
    let run = sample::run();
    let mut trials = sample::trials(&run);
    let told = |trials: &[Trial]| words::method(&run, &sample::judged(&run, trials));
    let before = told(&trials);
    assert!(before.contains("runs twice in each block"), "{before}");
    assert!(!before.contains("divided into groups"), "{before}");
    trials.retain(|of| !of.again || run.plan.pair_in(of.block).is_some());
    trials[0].group = 1;
    let now = told(&trials);
    assert!(now.contains("runs twice in the first four blocks"), "{now}");
    assert!(now.contains("divided into groups"), "{now}");
}

/// `weir bench` starts nothing, and has no blocks.
#[test]
fn of_urls_nothing_is_told_of_starts() {
    let mut run = sample::run();
    for variant in &mut run.plan.variants {
        variant.url = Some("http://localhost:8000/".to_owned());
    }
    let trials = sample::trials(&run);
    let told = |run: &Run| {
        let terms = words::how_to_read(&run.plan).into_iter();
        let terms: Vec<String> = terms
            .map(|(term, text)| format!("{term}: {text}"))
            .collect();
        terms.join(" ") + &words::method(run, &sample::judged(run, &trials))
    };
    let of_blocks = told(&run);
    run.plan.blocks = 1;
    let of_loads = told(&run);
    for text in [&of_blocks, &of_loads] {
        assert!(
            !text.contains("afresh") && !text.contains("stopped"),
            "{text}"
        );
    }
    assert!(
        of_blocks.contains("every URL is loaded once"),
        "{of_blocks}"
    );
    let words = [
        "the one window of its load",
        "Loads came one after the other",
    ];
    assert!(
        words.iter().all(|words| of_loads.contains(words)),
        "{of_loads}"
    );
}
