use super::*;

#[test]
fn survives_json() {
    let mut kept = Distribution::default();
    for milliseconds in 1..=1_000u64 {
        kept.record(milliseconds * 1_000_000);
    }
    let text = serde_json::to_string(&kept).unwrap();
    let read: Distribution = serde_json::from_str(&text).unwrap();
    assert_eq!(kept, read);
    let median = read.quantile(0.5).unwrap();
    assert!((median - 0.5).abs() < 0.001, "{median}");
}

#[test]
fn ranks_count_from_the_shortest() {
    let mut kept = Distribution::default();
    for milliseconds in [5_u64, 1, 3, 3] {
        kept.record(milliseconds * 1_000_000);
    }
    let ranked = [1, 2, 3, 4, 5].map(|rank| kept.at_rank(rank));
    for (ends, truth) in ranked.iter().zip([0.001, 0.003, 0.003, 0.005]) {
        let (low, high) = ends.unwrap();
        assert!((low..=high).contains(&truth), "{ranked:?}");
        assert!(high / low < 1.001, "{ranked:?}");
    }
    assert_eq!(ranked[4], None);
    let mut many = Distribution::default();
    (1..=10_000).for_each(|nanoseconds| many.record(nanoseconds));
    let mut below = 0;
    for (seconds, count) in many.cells() {
        let [first, last] = [below + 1, below + count];
        let told = [first, last].map(|rank| many.at_rank(rank).map(|ends| ends.1));
        assert_eq!(told, [Some(seconds); 2]);
        below = last;
    }
}

#[test]
fn takes_foreign_bounds_into_its_own() {
    let mut foreign = Histogram::<u64>::new_with_bounds(1, 10_000_000, 2).unwrap();
    foreign.record(5_000_000).unwrap();
    let text = serde_json::to_string(&Distribution(Some(foreign))).unwrap();
    let mut read: Distribution = serde_json::from_str(&text).unwrap();
    read.merge(&Distribution::default());
    read.record(HIGHEST);
    assert_eq!(read.count(), 2);

    let mut too_long = Histogram::<u64>::new_with_bounds(1, u64::MAX / 2, 3).unwrap();
    too_long.record(u64::MAX / 4).unwrap();
    let text = serde_json::to_string(&Distribution(Some(too_long))).unwrap();
    assert!(serde_json::from_str::<Distribution>(&text).is_err());
}

#[test]
fn tells_what_is_new() {
    let mut kept = Distribution::default();
    kept.record(5_000);
    let earlier = kept.clone();
    kept.record(9_000_000);
    let recent = kept.since(&earlier);
    assert_eq!(recent.count(), 1);
    assert!(recent.min().unwrap() > 0.0089);
    assert!(earlier.since(&kept).is_empty());
}

#[test]
fn empty_is_empty_whether_something_was_there_or_not() {
    let never = Distribution::default();
    let mut cleared = Distribution::default();
    cleared.record(5_000);
    assert_ne!(cleared, never);
    cleared.clear();
    assert_eq!(cleared, never);
    assert_eq!(cleared.since(&never), never);
    assert_eq!(never.since(&cleared), never);
    let text = serde_json::to_string(&cleared).unwrap();
    assert_eq!(text, serde_json::to_string(&never).unwrap());
    let read: Distribution = serde_json::from_str(&text).unwrap();
    assert!(read.0.is_none(), "it takes no memory");
    let quantities = (read.mean(), read.quantile(0.5), read.max(), read.at_rank(1));
    assert_eq!(quantities, (None, None, None, None));
    cleared.merge(&read);
    assert_eq!((cleared.count(), cleared.cells().count()), (0, 0));
}

#[test]
fn clamps_instead_of_losing() {
    let mut kept = Distribution::default();
    kept.record(1);
    kept.record(u64::MAX);
    assert_eq!(kept.count(), 2);
}
