//! Open loops that cannot be, and those that meet nobody.

use load::LoadError;
use record::{Amount, Arrivals, Cause, Shape, Spread, WarmUpPlan};
use testkit::{ScriptedPeer, Step};

use crate::common::{run, to};
use crate::{arrivals, ok, open};

#[test]
fn nobody_listening_is_an_error() {
    let address = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let peer = ScriptedPeer::tcp(|_| Step::serve(ok()));
    let mut job = open(&peer, 100.0, 0.3);
    job.target = record::Target::Tcp(address);
    job.load.warm_up = WarmUpPlan::Seconds(0.1);
    match run(&job) {
        Err(LoadError::Unreachable { cause, .. }) => assert_eq!(cause, Cause::Refused),
        other => panic!("{other:?}"),
    }
}

#[test]
fn shapes_that_make_no_sense_are_refused() {
    let peer = ScriptedPeer::tcp(|_| Step::serve(ok()));
    let change = |change: fn(&mut Arrivals)| {
        let mut job = open(&peer, 100.0, 1.0);
        change(arrivals(&mut job));
        job
    };
    let mut by_count = change(|arrivals| arrivals.segments = Arrivals::ramp(&[1.0, 2.0], 1.0));
    by_count.load.amount = Amount::Requests(10);
    let mut think = to(&peer);
    think.load.shape = Shape::Closed {
        think: -1.0,
        spread: Spread::Fixed,
    };
    for job in [
        change(|arrivals| arrivals.segments.clear()),
        change(|arrivals| arrivals.segments = Arrivals::steady(0.0)),
        change(|arrivals| arrivals.segments = Arrivals::steady(f64::NAN)),
        change(|arrivals| arrivals.segments[0].seconds = -1.0),
        change(|arrivals| arrivals.max_outstanding = 1),
        by_count,
        think,
    ] {
        assert!(matches!(run(&job), Err(LoadError::Load(_))));
    }
    assert_eq!(peer.connections(), 0);
}
