//! Requests that time out: what they leave of the window, and a load of which most do.

use record::{Amount, Shape, Spread, WarmUpPlan};
use testkit::{ScriptedPeer, Step};

use super::ok;
use crate::common::{run, to};

#[test]
fn two_timeouts_at_the_end_are_no_part_of_the_window_that_the_others_used() {
    // two of four connections hang after ten answers
    let peer = ScriptedPeer::tcp(|connection| {
        let ten = Step::Times(10, vec![Step::Read, Step::Send(ok())]);
        if connection < 2 {
            vec![ten, Step::Read, Step::Stall]
        } else {
            Step::serve(ok())
        }
    });
    let mut job = to(&peer);
    job.load.connections = 4;
    job.load.amount = Amount::Requests(200);
    job.load.timeout = 3.0;
    let facts = run(&job).unwrap();
    assert_eq!(
        (facts.scheduled, facts.completed, facts.timed_out),
        (200, 198, 2)
    );
    assert!(
        facts.response.max().unwrap() >= 2.99,
        "they are in the times"
    );
    let last = facts.intervals.last().unwrap();
    assert!(
        last.completed > 0,
        "the window ends with an answer: {last:?}"
    );
    assert!(
        facts.seconds < facts.response.max().unwrap(),
        "{}",
        facts.seconds
    );
    let time = facts.slot_time.unwrap();
    assert!(time.beyond > 0.0 && time.idle >= 0.0, "{time:?}");
}

/// Of five connections four never answer: a number of requests would be waited for until the last of them timed out.
#[test]
fn a_trial_whose_connections_wait_for_time_limits_is_given_up() {
    let peer = ScriptedPeer::tcp(|connection| {
        if connection == 0 {
            Step::serve(ok())
        } else {
            vec![Step::Read, Step::Stall]
        }
    });
    let mut job = to(&peer);
    job.load.connections = 5;
    job.load.timeout = 1.0;
    job.load.amount = Amount::Requests(2_000);
    job.load.warm_up = WarmUpPlan::None;
    job.may_break = true;
    // so that the one that answers does not make them all alone
    job.load.shape = Shape::Closed {
        think: 0.01,
        spread: Spread::Fixed,
    };
    let facts = run(&job).unwrap();
    assert!(facts.completed > 0 && facts.timed_out > 0);
    assert!(facts.scheduled < 2_000, "{}", facts.scheduled);
}
