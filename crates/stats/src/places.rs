use crate::interval::Estimate;

/// The ranks that each of `rivals` can have, given which come before which for sure: 1 is the best.
///
/// A rival is behind all that surely come before it, and before all that it surely comes before, so its rank lies
/// in [1 + those, k - these]. If the pairs are sure together with 95 %, so are all the ranges. (Mogstad, Romano,
/// Shaikh and Wilhelm, "Inference for Ranks with Applications to Mobility across Neighbourhoods and Academic
/// Achievement across Countries", Review of Economic Studies 91, 2024, section 3; Al Mohamad, Goeman and van
/// Zwet, "Simultaneous Confidence Intervals for Ranks with Application to Ranking Institutions", Biometrics
/// 78, 2022, take Tukey's pairs.)
pub fn rank_ranges(rivals: usize, surely: impl Fn(usize, usize) -> bool) -> Vec<(usize, usize)> {
    let count = |is: &dyn Fn(usize) -> bool| (0..rivals).filter(|other| is(*other)).count();
    (0..rivals)
        .map(|own| {
            let before = count(&|other| other != own && surely(other, own));
            let behind = count(&|other| other != own && surely(own, other));
            (1 + before, rivals - behind)
        })
        .collect()
}

/// How far two orders of the same rivals agree, from -1 (each is the other one backwards) to 1: Kendall's
/// tau, over the pairs that `one` does not leave even. (Kendall, "A New Measure of Rank Correlation",
/// Biometrika 30, 1938.)
///
/// `one` is an order that is known, by figures of which the larger comes first. Of the other, `first` says which
/// of a pair comes first by its best estimate, and `surely` which for sure. Every pair that is not
/// sure may be either way, which is the interval: it holds whenever the pairs do. An order for each
/// block would give one over blocks, of something else: single trials agree less, for their noise.
/// `None` where no pair is left; no interval if `sure` is false.
pub fn agreement(
    one: &[f64],
    sure: bool,
    first: impl Fn(usize, usize) -> bool,
    surely: impl Fn(usize, usize) -> bool,
) -> Option<Estimate> {
    let rivals = 0..one.len();
    let pairs: Vec<(usize, usize)> = rivals
        .clone()
        .flat_map(|of| rivals.clone().map(move |over| (of, over)))
        .filter(|&(of, over)| one[of] > one[over])
        .collect();
    let share = |is: &dyn Fn(usize, usize) -> bool| {
        let those = pairs.iter().filter(|&&(of, over)| is(of, over)).count();
        those as f64 / pairs.len() as f64
    };
    let (alike, against) = (share(&first), share(&|of, over| first(over, of)));
    let never = share(&|of, over| surely(over, of));
    let ends = (2.0 * share(&surely) - 1.0, 1.0 - 2.0 * never);
    (!pairs.is_empty()).then(|| Estimate {
        value: alike - against,
        interval: sure.then_some(ends),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_bounded_by_who_is_surely_better_and_worse() {
        // 0 beats 2 and 3, 1 beats 3; nothing else is sure
        let surely = |a, b| [(0, 2), (0, 3), (1, 3)].contains(&(a, b));
        assert_eq!(rank_ranges(4, surely), [(1, 2), (1, 3), (2, 4), (3, 4)]);
        assert_eq!(rank_ranges(3, |_, _| false), [(1, 3); 3]);
        assert_eq!(rank_ranges(3, |a, b| a < b), [(1, 1), (2, 2), (3, 3)]);
    }

    #[test]
    fn agreement_is_kendalls_tau() {
        // R: cor(1:5, c(2, 1, 3, 5, 4), method = "kendall") is 0.6
        let today = [2, 1, 3, 5, 4];
        let one = [5.0, 4.0, 3.0, 2.0, 1.0];
        let first = |a: usize, b: usize| today[a] < today[b];
        let found = agreement(&one, true, first, first).unwrap();
        assert!((found.value - 0.6).abs() < 1e-12);
        let (low, high) = found.interval.unwrap();
        assert!((low - 0.6).abs() < 1e-12 && (high - 0.6).abs() < 1e-12);
        // only neighbours are not sure: 2 of 10 pairs
        let surely = |a: usize, b: usize| today[a] + 1 < today[b];
        let (low, high) = agreement(&one, true, first, surely)
            .unwrap()
            .interval
            .unwrap();
        assert!((low - 0.2).abs() < 1e-12 && (high - 1.0).abs() < 1e-12);
        assert!(
            agreement(&one, false, first, first)
                .unwrap()
                .interval
                .is_none()
        );
        assert!(agreement(&[1.0, 1.0], true, first, first).is_none());
    }
}
