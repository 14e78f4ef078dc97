//! What is open after some blocks, and whether the others will decide it.

use crate::lab::{again, claim, run, trial, trials};
use judge::{Holds, Verdict, judge, look, wanted};
use record::{Criterion, Metric, Ranking, Rival, Run, Trial};

/// A run that may end after any block from the fourth to the twelfth.
fn looked(variants: &[&str], claims: &[&str]) -> Run {
    let mut run = run(variants);
    run.plan.at_least = Some(4);
    run.plan.blocks = 12;
    run.plan.claims = claims.iter().map(|expect| claim(&[expect])).collect();
    run
}

/// Rates that scatter by this share.
fn rates(rate: f64, scatter: f64, blocks: usize) -> Vec<f64> {
    let off = [1.0, -0.6, 0.3, -1.0, 0.7, -0.4].iter().cycle();
    off.take(blocks)
        .map(|off| rate * (1.0 + scatter * off))
        .collect()
}

/// `a` is steady, `b` about as fast and scatters by 10 %, `c` three times as fast.
fn three(blocks: usize) -> Vec<Trial> {
    [
        trials("a", &vec![400.0; blocks]),
        trials("b", &rates(420.0, 0.1, blocks)),
        trials("c", &rates(1_200.0, 0.02, blocks)),
    ]
    .concat()
}

fn needed(run: &Run, all: &[Trial]) -> Vec<String> {
    look(run, all).needed.into_iter().collect()
}

const CLEAR: &str = "throughput of `c` / throughput of `a` >= 2";
const OPEN: &str = "throughput of `b` / throughput of `a` >= 1.02";
const EDGE: &str = "throughput of `b` / throughput of `a` >= 1.048";

#[test]
fn a_run_whose_claims_are_decided_is_settled() {
    let run = looked(&["a", "b", "c"], &[CLEAR]);
    assert!(look(&run, &three(4)).needed.is_empty());
    // and one that is not looked at has as many blocks as its plan
    assert_eq!(judge(&run, &three(4)).looks.unwrap().at_most, 12);
}

#[test]
fn an_open_claim_needs_its_variants_and_no_others() {
    let run = looked(&["a", "b", "c"], &[CLEAR, OPEN]);
    assert_eq!(needed(&run, &three(4)), ["a", "b"]);
    assert!(!look(&run, &three(4)).noise_floor);
    let both = looked(&["a", "b", "c"], &[CLEAR, EDGE]);
    assert_eq!(needed(&both, &three(4)), ["a", "b"]);
}

#[test]
fn what_the_last_block_will_not_decide_is_not_waited_for_from_half_of_the_blocks_on() {
    let run = looked(&["a", "b", "c"], &[CLEAR, EDGE]);
    assert!(look(&run, &three(6)).needed.is_empty());
    let verdicts = judge(&run, &three(6)).claims;
    assert_eq!(verdicts[1].holds, Holds::CannotTell);
    let reason = verdicts[1].reason.as_ref().unwrap();
    assert!(reason.contains("blocks would not tell") || reason.contains("blocks are needed"));
    // one that another condition refutes is decided, whatever the edge says
    let mut refuted = looked(&["a", "b", "c"], &[]);
    refuted.plan.claims = vec![claim(&[EDGE, "throughput of `c` / throughput of `a` < 2"])];
    assert_eq!(
        judge(&refuted, &three(6)).claims[0].holds,
        Holds::DoesNotHold
    );
    assert!(look(&refuted, &three(4)).needed.is_empty());
}

#[test]
fn without_claims_it_is_asked_who_leads() {
    let run = looked(&["a", "b", "c"], &[]);
    assert!(
        look(&run, &three(4)).needed.is_empty(),
        "`c` beats both: {:?}",
        needed(&run, &three(4))
    );
    // a rival that may be as good stays, with the baseline; the one that is beaten does not
    let four = [three(4), trials("d", &rates(1_150.0, 0.2, 4))].concat();
    let run = looked(&["a", "b", "c", "d"], &[]);
    assert_eq!(needed(&run, &four), ["a", "c", "d"]);
    assert!(look(&run, &four).noise_floor);
}

/// `a` scatters so that it cannot be told apart from either of the others, of which `c` surely beats `b`.
#[test]
fn what_another_surely_beats_is_no_question_any_more() {
    let scattered = |blocks: usize| {
        let rates = [340.0, 130.0].into_iter().cycle().take(blocks);
        [
            trials("a", &rates.collect::<Vec<f64>>()),
            trials("b", &vec![150.0; blocks]),
            trials("c", &vec![200.0; blocks]),
        ]
        .concat()
    };
    for (variants, left) in [
        (["c", "a", "b"], &["a", "c"][..]),
        (["b", "a", "c"], &["a", "b", "c"][..]), // the baseline is run as long as anything is
    ] {
        let run = looked(&variants, &[]);
        let lead = judge(&run, &scattered(4)).lead;
        assert_eq!(lead.leaders, ["a", "c"]);
        let told = lead.comparisons.iter();
        let open = told.filter(|of| of.verdict == Verdict::CannotTell);
        assert_eq!(open.count(), 2, "`a` cannot be told apart from `b` either");
        assert_eq!(needed(&run, &scattered(4)), left);
        // from half of the blocks on nobody waits for `a` and `c`, and `b` is none to wait for
        assert!(needed(&run, &scattered(6)).is_empty());
    }
}

/// What a command line requires beside the question which variant to deploy does not answer it, and is asked as well.
#[test]
fn what_is_required_is_asked_beside_the_variant_to_deploy() {
    let four = [three(4), trials("d", &rates(1_150.0, 0.2, 4))].concat();
    let mut run = looked(&["a", "b", "c", "d"], &[CLEAR]);
    assert!(needed(&run, &four).is_empty());
    run.plan.to_deploy = true;
    assert_eq!(needed(&run, &four), ["a", "c", "d"]);
    assert!(look(&run, &four).noise_floor);
    run.plan.claims = vec![claim(&[OPEN])];
    assert_eq!(needed(&run, &four), ["a", "b", "c", "d"]);
}

#[test]
fn a_ranking_needs_its_rivals_until_one_leads() {
    let mut run = looked(&["a", "b", "c", "d"], &[]);
    let rival = |name: &str| Rival {
        variants: name.to_owned(),
        reported: None,
    };
    run.plan.rankings = vec![Ranking {
        name: "ways".to_owned(),
        title: "ways".to_owned(),
        of: vec![rival("a"), rival("b")],
        by: vec![Criterion {
            metric: Metric::Throughput,
            levels: None,
        }],
    }];
    assert_eq!(needed(&run, &three(4)), ["a", "b"]);
    run.plan.rankings[0].of.push(rival("c"));
    assert!(look(&run, &three(8)).needed.is_empty());
    // who is beaten by one of two that lead is left out, and keeps its rank while these go on
    run.plan.rankings[0].of.push(rival("d"));
    let lead = |blocks: usize| trials("d", &rates(1_180.0, 0.2, blocks));
    let eight = [three(8), lead(8)].concat();
    assert_eq!(needed(&run, &eight), ["c", "d"]);
    let beyond = |trial: &Trial| trial.block < 8 || ["c", "d"].contains(&trial.variant.as_str());
    let ten: Vec<Trial> = [three(10), lead(10)].concat();
    let ten: Vec<Trial> = ten.into_iter().filter(beyond).collect();
    let ranks = |all: &[Trial]| {
        let order = &judge(&run, all).rankings[0].orders[0];
        let places = order.places.iter();
        let mut ranks: Vec<_> = places
            .map(|of| (of.rival.clone(), of.ranks.unwrap()))
            .collect();
        ranks.sort();
        ranks
    };
    let wanted = [("a", (3, 4)), ("b", (3, 4)), ("c", (1, 2)), ("d", (1, 2))];
    let wanted = wanted.map(|(name, ranks)| (name.to_owned(), ranks));
    assert_eq!(ranks(&eight), wanted);
    assert_eq!(ranks(&ten), wanted);
}

#[test]
fn intervals_are_wider_where_they_are_looked_at_often() {
    let fixed = run(&["a", "b", "c"]);
    let looked = looked(&["a", "b", "c"], &[]);
    let width = |run: &Run| {
        let (low, high) = judge(run, &three(6)).lead.comparisons[0].interval.unwrap();
        high / low
    };
    assert!(width(&looked) > width(&fixed));
    assert!(judge(&fixed, &three(6)).looks.is_none());
    let confidence = judge(&looked, &three(6)).looks.unwrap().confidence;
    assert!(confidence > 0.98 && confidence < 1.0, "{confidence}");
}

/// What was decided when a variant was left out stays so, at whatever look.
#[test]
fn a_comparison_keeps_the_confidence_of_its_last_block() {
    let run = looked(&["a", "b", "c"], &[CLEAR]);
    let condition = |all: &[Trial]| judge(&run, all).claims[0].conditions[0].interval.unwrap();
    let early = three(4);
    let later: Vec<Trial> = (4..9).map(|block| trial(block, "b", 410.0)).collect();
    assert_eq!(
        condition(&early),
        condition(&[early.clone(), later].concat())
    );
}

/// A claim that does not hold, and a reason for that which some blocks leave open.
fn with_reason(reason: &str) -> record::Claim {
    record::Claim {
        since: Some("it is another `c`".to_owned()),
        since_expect: vec![record::Condition::read(reason)],
        ..claim(&["throughput of `c` / throughput of `a` < 2"])
    }
}

const REASON: &str = "throughput of `c` / throughput of `b` >= 2.7";

#[test]
fn a_reason_has_its_turn_when_no_claim_is_open() {
    let mut run = looked(&["a", "b", "c"], &[]);
    run.plan.claims = vec![with_reason(REASON)];
    assert_eq!(needed(&run, &three(4)), ["b", "c"]);
    assert!(look(&run, &three(4)).for_reasons);
    run.plan.claims.push(claim(&[OPEN]));
    assert_eq!(needed(&run, &three(4)), ["a", "b"]);
    assert!(!look(&run, &three(4)).for_reasons);
    // what the last block will not decide is not waited for, be it a claim or a reason
    run.plan.claims[1] = claim(&[EDGE]);
    assert_eq!(needed(&run, &three(6)), ["b", "c"]);
    run.plan.claims[0] = with_reason(EDGE);
    assert!(needed(&run, &three(6)).is_empty());
}

#[test]
fn what_explains_a_claim_that_holds_is_not_asked() {
    let mut run = looked(&["a", "b", "c"], &[]);
    run.plan.claims = vec![record::Claim {
        expect: vec![record::Condition::read(CLEAR)],
        ..with_reason(REASON)
    }];
    assert!(needed(&run, &three(4)).is_empty());
    assert!(!look(&run, &three(4)).for_reasons);
}

#[test]
fn how_many_blocks_more_each_takes() {
    let mut run = looked(&["a", "b", "c"], &[]);
    run.plan.claims = vec![with_reason(REASON), claim(&[OPEN])];
    let both = wanted(&run, &three(4));
    assert!(matches!(both.claims[..], [Some(1..)]), "{both:?}");
    assert!(both.reasons.is_empty(), "the next blocks are for the claim");
    let before = wanted(&run, &three(2));
    assert_eq!(before.claims, [None, None], "nothing has an interval");
    // in blocks that leave nothing out there is room for all
    run.plan.at_least = None;
    assert_eq!(wanted(&run, &three(4)).reasons.len(), 1);
    run.plan.at_least = Some(4);
    run.plan.claims.pop();
    let reason = wanted(&run, &three(4));
    assert!(reason.claims.is_empty());
    assert!(matches!(reason.reasons[..], [Some(1..)]), "{reason:?}");
}

/// `c` runs twice in each block and lies 15 % apart; `b` is a tenth faster than `a`, in every block.
#[test]
fn the_pair_stays_where_a_claim_hangs_on_it() {
    let mut run = looked(&["a", "b", "c"], &[]);
    run.plan.noise_floor = Some("c".to_owned());
    let all = [
        trials("a", &[400.0; 4]),
        trials("b", &[440.0; 4]),
        trials("c", &[400.0; 4]),
        again("c", &[460.0; 4]),
    ]
    .concat();
    run.plan.claims = vec![claim(&["throughput of `b` / throughput of `a` > 1.05"])];
    assert_eq!(needed(&run, &all), ["a", "b", "c"]);
    assert!(look(&run, &all).noise_floor);
    run.plan.claims = vec![claim(&["throughput of `b` / throughput of `a` > 0.9"])];
    assert!(look(&run, &all).needed.is_empty());
}
