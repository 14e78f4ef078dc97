//! A program beside a run takes what a variant would have had: no verdict turns for it, and where it costs one, it is named.

use crate::lab::{claim, facts, run, trials};
use judge::{ClaimVerdict, Holds, judge};
use record::{OtherProgram, Others, RUN_QUEUE_WAIT, Trial};

/// Two that are equal. In every other one of so many blocks `b` has so large a share of its pace.
fn equal(blocks: u32, pace: f64) -> Vec<Trial> {
    let of_block = |block: u32| {
        let own = if is_disturbed(block) { pace } else { 1.0 };
        (400.0 + f64::from(block % 3)) * own
    };
    let rates: Vec<f64> = (0..blocks).map(of_block).collect();
    [trials("a", &vec![400.0; rates.len()]), trials("b", &rates)].concat()
}

fn is_disturbed(block: u32) -> bool {
    block.is_multiple_of(2)
}

/// The same, with what is known of who did it: `hog` had 30 % of the machine, and the stack waited for a core.
fn beside_hog(mut all: Vec<Trial>) -> Vec<Trial> {
    let disturbed = |of: &&mut Trial| of.variant == "b" && is_disturbed(of.block);
    for trial in all.iter_mut().filter(disturbed) {
        let facts = facts(trial);
        let seconds = 0.3 * 2.0 * facts.load.seconds;
        facts.observed.others = Some(Others {
            seconds,
            share: 0.3,
            programs: vec![OtherProgram {
                name: "hog".to_owned(),
                seconds,
                ..OtherProgram::default()
            }],
            unseen: 0.0,
        });
        facts.processes[0].counts = [(RUN_QUEUE_WAIT.to_owned(), 500_000)].into();
    }
    all
}

fn decide(all: &[Trial]) -> ClaimVerdict {
    let mut run = run(&["a", "b"]);
    run.plan.blocks = all.len() as u32 / 2;
    run.plan.claims = vec![claim(&["throughput of `b` / throughput of `a` >= 0.95"])];
    judge(&run, all).claims.remove(0)
}

#[test]
fn what_is_known_to_be_disturbed_turns_no_verdict() {
    assert_eq!(decide(&equal(40, 1.0)).holds, Holds::Holds);
    let slowed = equal(40, 0.7);
    assert_eq!(decide(&beside_hog(slowed.clone())).holds, Holds::Holds);
    let blind = decide(&slowed).holds;
    assert_eq!(blind, Holds::DoesNotHold, "nobody knows of the disturbance");
}

#[test]
fn a_claim_that_too_few_undisturbed_blocks_leave_open_names_who_disturbed() {
    let few = decide(&beside_hog(equal(4, 0.7)));
    assert_eq!(few.holds, Holds::CannotTell);
    let because = few.reason.unwrap();
    let named = "; `hog` disturbed 2 of 8 trials";
    assert!(because.ends_with(named), "{because}");
}
