//! How often probes look.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use testkit::eventually;

use super::*;

/// Counts how often it is to look at what goes on.
struct Counting(Arc<AtomicU32>);

impl Probe for Counting {
    fn name(&self) -> &'static str {
        "counting"
    }

    fn gap(&self) -> f64 {
        0.02
    }

    fn start(&mut self, _at: Moment, _samples: &mut Samples) {}

    fn sample(&mut self, _at: Moment, _samples: &mut Samples) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    fn tell(self: Box<Self>, _seen: &mut Seen) {}
}

/// Slices that are shorter than its gap are together longer than that.
#[test]
fn a_window_in_short_slices_is_looked_at_as_often_as_a_whole_one() {
    let looks = Arc::new(AtomicU32::new(0));
    let mut watch = Watch::over(vec![Box::new(Counting(Arc::clone(&looks)))]);
    let mut since = Moment::now();
    watch.open();
    watch.pause();
    let mut open = Moment::now().since(since);
    let seen = eventually(Duration::from_secs(10), || {
        since = Moment::now();
        watch.resume();
        while Moment::now().since(since) < 0.001 {
            watch.sample();
        }
        watch.pause();
        open += Moment::now().since(since);
        looks.load(Ordering::Relaxed) >= 3
    });
    assert!(seen && open > 0.055, "{looks:?} looks in {open} s");
    let before = looks.load(Ordering::Relaxed);
    since = Moment::now();
    while Moment::now().since(since) < 0.03 {
        watch.sample();
    }
    assert_eq!(looks.load(Ordering::Relaxed), before, "nothing goes on");
}

/// Looks at something in no time, and at something else that takes 20 ms of a core.
struct Partly;

impl Probe for Partly {
    fn name(&self) -> &'static str {
        "usual"
    }

    fn gap(&self) -> f64 {
        0.02
    }

    fn dear(&self) -> Option<&'static str> {
        Some("dear")
    }

    fn start(&mut self, _at: Moment, _samples: &mut Samples) {}

    fn sample(&mut self, _at: Moment, _samples: &mut Samples) {}

    fn sample_dear(&mut self, _at: Moment, _samples: &mut Samples) {
        let from = own_cpu();
        while own_cpu() - from < 0.02 {}
    }

    fn tell(self: Box<Self>, _seen: &mut Seen) {}
}

/// 20 ms of a core are what a probe may take in 4 s.
#[test]
fn what_is_dear_is_looked_at_seldom_and_the_rest_as_often_as_ever() {
    let mut watch = Watch::over(vec![Box::new(Partly)]);
    let since = Moment::now();
    watch.open();
    let often = eventually(Duration::from_secs(10), || {
        watch.sample();
        watch.probes[0].usual.cost.samples > 10
    });
    let open = Moment::now().since(since);
    let costs = watch.seen(since).observed.probes;
    let names: Vec<_> = costs.iter().map(|of| of.probe.as_str()).collect();
    assert_eq!(names, ["usual", "dear"]);
    assert!(often, "{costs:?} in {open} s");
    let dear = &costs[1];
    let most = 1.0 + open * SHARE / 0.02;
    assert!(f64::from(dear.samples) <= most, "{costs:?} in {open} s");
    assert!(dear.samples > 0 && dear.cpu >= 0.02, "{costs:?}");
}
