//! What the load generator's share of full cores may have held down, beside claims: two runs, and what is ranked.

use crate::claims_held_down::{close, trials_beside};
use crate::lab::run;
use judge::{compare, judge};
use record::{Cpus, Criterion, Metric, Ranking, Rival, Run};

/// A generator with cores of its own holds nothing down.
#[test]
fn two_runs_say_between_what_their_ratio_lies_with_the_generator_elsewhere() {
    let (before, mut after) = (run(&["a", "b"]), run(&["a", "b"]));
    after.id = 2;
    let all = trials_beside(1.0);
    let elsewhere = |before: &Run, after: &Run| {
        let of = (after, all.as_slice(), Some("b"));
        let found = compare(of, (before, all.as_slice(), Some("a"))).unwrap();
        let throughput = found.into_iter().find(|of| of.metric == Metric::Throughput);
        let throughput = throughput.unwrap();
        assert!(!throughput.paired);
        throughput.elsewhere
    };
    close(elsewhere(&before, &after).unwrap(), (2.0, 2.0 / 0.6));
    after.plan.cpus = Some(Cpus {
        load: 1,
        stack: None,
    });
    assert_eq!(elsewhere(&before, &after), None);
}

#[test]
fn a_figure_that_is_ranked_says_between_what_it_lies_with_the_generator_elsewhere() {
    let mut run = run(&["a", "b"]);
    let rival = |name: &str| Rival {
        variants: name.to_owned(),
        reported: None,
    };
    let by = [Metric::Throughput, Metric::Mean, Metric::CpuPerRequest];
    run.plan.rankings = vec![Ranking {
        name: "both".to_owned(),
        title: String::new(),
        of: vec![rival("a"), rival("b")],
        by: by
            .map(|metric| Criterion {
                metric,
                levels: None,
            })
            .into(),
    }];
    let ranked = judge(&run, &trials_beside(1.0)).rankings.remove(0);
    let [rate, mean, cost] = [0, 1, 2].map(|at: usize| {
        let of = |name: &str| {
            let mut places = ranked.orders[at].places.iter();
            let place = places.find(|of| of.rival == name).unwrap();
            (place.figure.value, place.elsewhere)
        };
        assert_eq!(of("a").1, None, "its cores were idle");
        of("b")
    });
    close(rate.1.unwrap(), (rate.0, rate.0 / 0.6));
    close(mean.1.unwrap(), (mean.0 * 0.6, mean.0));
    assert_eq!(cost.1, None);
    assert!((rate.0 / 800.0 - 1.0).abs() < 1e-6, "{rate:?}");
}
