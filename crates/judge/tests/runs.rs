//! Comparing variants of one run and of two.

use crate::lab::{facts, failed, run, saturated, trial_of, trials};
use judge::{CompareError, Comparison, Side, Verdict, compare, differences, guarded, left_out};
use record::{Arrivals, Cause, Metric, OfCapacity, Process, Run, Shape, Trial};

fn numbered(id: i64, variants: &[&str]) -> Run {
    let mut run = run(variants);
    run.id = id;
    run
}

fn rates(middle: f64) -> Vec<f64> {
    [0.98, 1.01, 1.0, 0.99, 1.02, 1.0, 1.01]
        .map(|share| share * middle)
        .to_vec()
}

fn only(metric: Metric, all: &[Comparison]) -> Vec<&Comparison> {
    all.iter().filter(|of| of.metric == metric).collect()
}

#[test]
fn variants_of_one_run_are_paired() {
    use Metric::{CpuPerRequest, Max, Mean, P50, P90, P95, P99, PeakMemory, Throughput};
    let run = numbered(7, &["a", "b"]);
    let all = [trials("a", &rates(400.0)), trials("b", &rates(600.0))].concat();
    let found = compare((&run, &all, Some("b")), (&run, &all, Some("a"))).unwrap();
    let metrics: Vec<Metric> = found.iter().map(|of| of.metric).collect();
    assert_eq!(
        metrics,
        [
            Throughput,
            Mean,
            P50,
            P90,
            P95,
            P99,
            Max,
            CpuPerRequest,
            PeakMemory
        ]
    );
    let throughput = &found[0];
    assert!(throughput.paired && throughput.pairs == 7);
    assert!((throughput.ratio - 1.5).abs() < 1e-9);
    assert_eq!(
        (throughput.of.as_str(), throughput.over.as_str()),
        ("b", "a")
    );
    assert_eq!(throughput.verdict, Verdict::Better);
}

#[test]
fn two_runs_are_compared_variant_by_variant_and_say_so() {
    let (old, new) = (numbered(3, &["a", "b"]), numbered(4, &["b", "c", "a"]));
    let before = [trials("a", &rates(400.0)), trials("b", &rates(600.0))].concat();
    let after = [trials("a", &rates(400.0)), trials("b", &rates(300.0))].concat();
    let found = compare((&new, &after, None), (&old, &before, None)).unwrap();
    let throughput = only(Metric::Throughput, &found);
    let said: Vec<_> = throughput
        .iter()
        .map(|of| (of.of.as_str(), of.over.as_str(), of.paired, of.verdict))
        .collect();
    let expected = [
        ("4:b", "3:b", false, Verdict::Worse),
        ("4:a", "3:a", false, Verdict::Same),
    ];
    assert_eq!(said, expected);
    assert!((throughput[0].ratio - 0.5).abs() < 1e-9);
    assert!(throughput[0].interval.is_some());

    let one = compare((&new, &after, Some("b")), (&old, &before, None)).unwrap();
    assert!(one.iter().all(|of| of.of == "4:b" && of.over == "3:b"));
    let crossed = compare((&new, &after, Some("a")), (&old, &before, Some("b"))).unwrap();
    assert_eq!(crossed[0].verdict, Verdict::Worse);
}

#[test]
fn few_blocks_on_either_side_cannot_tell() {
    let (old, new) = (numbered(3, &["a"]), numbered(4, &["a"]));
    let (before, after) = (trials("a", &rates(400.0)), trials("a", &[800.0; 5]));
    let found = compare((&new, &after, None), (&old, &before, None)).unwrap();
    assert_eq!(
        (found[0].interval, found[0].verdict),
        (None, Verdict::CannotTell)
    );
    assert!((found[0].ratio - 2.0).abs() < 1e-9);
}

fn refused(of: judge::Side, over: judge::Side) -> (String, String) {
    let error = compare(of, over).unwrap_err();
    (
        error.to_string(),
        error.hint().expect("every error has a hint"),
    )
}

#[test]
fn what_cannot_be_compared_is_told_with_what_to_type() {
    let (one, two) = (numbered(1, &["gunicorn", "nginx"]), numbered(2, &["puma"]));
    let all: Vec<Trial> = trials("gunicorn", &rates(400.0));
    let none: Vec<Trial> = Vec::new();

    let (error, hint) = refused((&one, &all, Some("gunicron")), (&one, &all, Some("nginx")));
    assert_eq!(error, "run 1 has no variant `gunicron`");
    assert_eq!(hint, "did you mean `1:gunicorn`?");
    let (_, hint) = refused((&one, &all, Some("thin")), (&one, &all, Some("nginx")));
    assert_eq!(hint, "it has `gunicorn`, `nginx`");

    for variant in [None, Some("nginx")] {
        let (error, hint) = refused((&one, &all, variant), (&one, &all, None));
        assert_eq!(error, "both sides are the same: run 1");
        assert!(hint.contains("weir compare 1:VARIANT 1:VARIANT"), "{hint}");
    }
    let (error, hint) = refused((&one, &all, None), (&two, &none, None));
    assert_eq!(error, "runs 1 and 2 have no variant in common");
    assert!(
        hint.contains("1:VARIANT 2:VARIANT") && hint.contains("`puma`"),
        "{hint}"
    );

    let broken = [all.clone(), vec![failed(0, "nginx")]].concat();
    let (error, hint) = refused(
        (&one, &broken, Some("nginx")),
        (&one, &broken, Some("gunicorn")),
    );
    assert!(
        error.contains("no trial of `nginx` in run 1 counts: `gunicorn` was not ready"),
        "{error}"
    );
    assert!(hint.contains("weir show 1"), "{hint}");
    let outrun: Vec<Trial> = trials("puma", &rates(9.0))
        .into_iter()
        .map(saturated)
        .collect();
    let error = compare(
        (&one, &all, Some("gunicorn")),
        (&two, &outrun, Some("puma")),
    )
    .unwrap_err();
    assert!(
        matches!(error, CompareError::NothingCounts { run: 2, .. }),
        "{error}"
    );
}

#[test]
fn of_loads_of_two_urls_both_are_named() {
    let load = |id, url: &str| {
        let mut load = numbered(id, &["a"]);
        load.plan.blocks = 1;
        load.plan.noise_floor = None;
        load.plan.variants[0].url = Some(url.to_owned());
        load
    };
    let (one, other) = (load(1, "http://a/"), load(2, "http://b/"));
    assert!(differences(&one, &one).is_empty());
    let told = differences(&other, &one);
    assert_eq!(told, ["the URL is `http://b/` against `http://a/`"]);
}

#[test]
fn differences_name_what_else_changed() {
    let (old, mut new) = (numbered(1, &["a"]), numbered(2, &["a", "b"]));
    assert!(differences(&new, &old).is_empty());
    new.plan.load.connections = 100;
    new.host.cores = 64;
    assert_eq!(
        differences(&new, &old),
        ["the load differs", "the number of cores differs"]
    );
}

#[test]
fn another_commit_is_told_where_both_are_known() {
    let (old, mut new) = (numbered(1, &["a"]), numbered(2, &["a"]));
    new.plan.revisions = [("/srv/app".to_owned(), "v2-1-g4b1c9d2".to_owned())].into();
    assert!(
        differences(&new, &old).is_empty(),
        "runs of before have none"
    );
    let mut before = old;
    before.plan.revisions = [("/srv/app".to_owned(), "v2".to_owned())].into();
    assert_eq!(
        differences(&new, &before),
        ["the app's revision is another one"]
    );
}

/// A variant that no longer works is no variant that became no worse.
#[test]
fn what_must_not_be_worse_is_looked_at_in_every_variant() {
    let (old, new) = (numbered(3, &["a", "b"]), numbered(4, &["b", "a", "c"]));
    let before = [trials("a", &rates(400.0)), trials("b", &rates(600.0))].concat();
    let after = [trials("a", &rates(300.0)), vec![failed(0, "b")]].concat();
    let of: Side = (&new, &after, None);
    let over: Side = (&old, &before, None);
    let found = compare(of, over).unwrap();
    let wanted = [Metric::P99, Metric::Throughput];
    let all = guarded(of, over, &wanted, &found).unwrap();
    let said: Vec<_> = all
        .iter()
        .map(|of| (of.of.as_str(), of.over.as_str(), of.metric, of.verdict()))
        .collect();
    let worse = Some(Verdict::Worse);
    let expected = [
        ("4:b", "3:b", Metric::Throughput, None),
        ("4:b", "3:b", Metric::P99, None),
        ("4:a", "3:a", Metric::Throughput, worse),
        ("4:a", "3:a", Metric::P99, worse),
    ];
    assert_eq!(said, expected);
    let why = all[0].compared.as_ref().unwrap_err();
    assert!(why.starts_with("run 4: no trial of `b` counts: "), "{why}");

    let side = |variant| -> Side { (&old, &before, Some(variant)) };
    let found = compare(side("b"), side("a")).unwrap();
    let all = guarded(side("b"), side("a"), &wanted, &found).unwrap();
    assert_eq!(
        (all[0].of.as_str(), all[0].verdict()),
        ("b", Some(Verdict::Better))
    );
}

/// What stands in no row is no secret: a variant, a variant that failed, and a quantile for which there were too few.
#[test]
fn what_only_one_side_has_is_told() {
    let (old, new) = (numbered(3, &["a", "b"]), numbered(4, &["b", "c", "a"]));
    let few = (0..7).map(|block| trial_of(block, "a", 400.0, 999));
    let before: Vec<Trial> = few.chain([failed(0, "b")]).collect();
    let after = [trials("a", &rates(400.0)), trials("b", &rates(300.0))].concat();
    let told = |of: Side, over: Side| left_out(of, over, &compare(of, over).unwrap()).unwrap();
    let all = told((&new, &after, None), (&old, &before, None));
    assert_eq!(all.len(), 3, "{all:?}");
    assert_eq!(all[0], "only run 4 has `c`: not compared");
    let failed = "`b` and `b` cannot be compared: no trial of `b` in run 3 counts: ";
    assert!(all[1].starts_with(failed), "{all:?}");
    assert_eq!(
        all[2],
        "99th percentile of the response time of `4:a` and `3:a` is not compared: run 3: too few responses for p99 of \
         `a`: each trial needs 1,000"
    );
    // who names a variant asks for no other
    let one = told((&old, &before, Some("a")), (&new, &after, None));
    assert_eq!(one.len(), 1, "{one:?}");
    let none = told((&new, &after, Some("b")), (&new, &after, Some("a")));
    assert!(none.is_empty(), "{none:?}");
}

#[test]
fn errors_that_only_one_side_has_are_told() {
    let (old, new) = (numbered(3, &["a"]), numbered(4, &["a"]));
    let sound: Vec<Trial> = (0..7)
        .map(|block| trial_of(block, "a", 400.0, 2_000))
        .collect();
    let mut broken = sound.clone();
    for trial in &mut broken {
        let load = &mut facts(trial).load;
        load.completed -= 10;
        load.failed = [(Cause::Refused, 10)].into();
    }
    let (of, over): (Side, Side) = ((&new, &broken, None), (&old, &sound, None));
    let told = left_out(of, over, &compare(of, over).unwrap()).unwrap();
    let words = "share of failed requests of `4:a` and `3:a` is not compared: zero in some block, which has no ratio: \
                 0.500 % against 0 % at the median";
    assert_eq!(told, [words]);
    let told = left_out(over, over, &[]);
    assert!(matches!(told, Err(CompareError::Same { .. })), "{told:?}");
}

/// Rates that follow from what each run measured are no difference of their plans.
#[test]
fn a_capacity_that_was_measured_is_told_as_that() {
    let at = |id, share: f64, capacity: Option<f64>| {
        let mut run = numbered(id, &["a"]);
        run.plan.load.shape = Shape::Open(Arrivals {
            process: Process::Poisson,
            segments: Arrivals::steady(share),
            max_outstanding: 100,
            seed: id as u64,
        });
        run.plan.of_capacity = Some(OfCapacity::of("a".to_owned()));
        if let Some(rate) = capacity {
            run.plan = run.plan.at_capacity(rate);
        }
        run
    };
    let told = differences(&at(2, 0.3, Some(2_110.0)), &at(1, 0.3, Some(2_090.0)));
    let words = "rates are shares of a capacity of 2,110 against 2,090 requests/s";
    assert_eq!(told, [words]);
    let unknown = differences(&at(2, 0.3, Some(2_110.0)), &at(1, 0.3, None));
    assert!(unknown.is_empty(), "{unknown:?}");
    let other = differences(&at(2, 0.3, Some(2_110.0)), &at(1, 0.5, Some(2_090.0)));
    assert_eq!(other, ["the load differs", words]);
}
