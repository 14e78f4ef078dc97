//! Requests that never had a connection.

use testkit::{ScriptedPeer, Step};

use crate::common::run;
use crate::{ok, open};

/// The first request is answered. The two after it hold both connections, and the others wait until nobody waits any longer.
#[test]
fn what_never_had_a_connection_is_among_the_slowest() {
    let peer = ScriptedPeer::tcp(|connection| {
        let answered = usize::from(connection == 0);
        vec![
            Step::Times(answered, vec![Step::Read, Step::Send(ok())]),
            Step::Read,
            Step::Stall,
        ]
    });
    let mut job = open(&peer, 200.0, 0.3);
    job.load.drain = Some(0.1);
    let facts = run(&job).unwrap();
    assert_eq!(facts.completed + facts.drained, 1, "{facts:?}");
    let unsent = facts.slowest.iter().filter(|slow| slow.is_unsent());
    let unsent: Vec<_> = unsent.collect();
    // ten are kept, and two of these were sent
    assert!(unsent.len() >= 7, "{:?}", facts.slowest);
    for slow in unsent {
        let ended = slow.due + slow.response;
        assert!(slow.name.is_none() && ended > facts.seconds, "{slow:?}");
    }
}
