/// A stretch between two levels.
type Gap = (f64, f64);

/// A level is put nowhere nearer to another one than this.
const APART: f64 = 2.0;

/// Further levels for a curve of `(level, throughput)`, ascending, that turns at the level `turn`: at
/// most `most`, whole numbers, ascending.
///
/// They go in turn into two places, as far as there are such: around the turn (the gaps to its left
/// and right), and where the curve collapses (the first gap beyond its peak over which it falls below
/// half of that). Each is put into the middle of the place's widest gap (of its ends' ratio; the
/// lower of two that are equal), on a logarithmic scale where the gap lies above zero, and parts it into
/// two. A gap whose middle would be nearer than 2 to its ends, or to a level in `taken`, is left.
pub(super) fn levels(points: &[(f64, f64)], taken: &[f64], turn: f64, most: usize) -> Vec<i64> {
    let around = points
        .windows(2)
        .filter(|pair| is(pair[0].0, turn) || is(pair[1].0, turn));
    let mut places: Vec<Vec<Gap>> = vec![
        around.map(|pair| (pair[0].0, pair[1].0)).collect(),
        collapse(points).into_iter().collect(),
    ];
    let mut taken = taken.to_vec();
    let mut chosen = Vec::new();
    let mut place = 0;
    // a place without a gap that can be parted leaves its turn to the other
    let mut idle = 0;
    while chosen.len() < most && idle < places.len() {
        match widest(&places[place], &taken) {
            Some((gap, middle)) => {
                idle = 0;
                taken.push(middle);
                chosen.push(middle as i64);
                for gaps in &mut places {
                    part(gaps, gap, middle);
                }
            }
            None => idle += 1,
        }
        place = (place + 1) % places.len();
    }
    chosen.sort_unstable();
    chosen
}

fn is(a: f64, b: f64) -> bool {
    a.total_cmp(&b).is_eq()
}

fn collapse(points: &[(f64, f64)]) -> Option<Gap> {
    let peak = (0..points.len()).max_by(|&a, &b| points[a].1.total_cmp(&points[b].1))?;
    let half = points[peak].1 / 2.0;
    let falls = |pair: &&[(f64, f64)]| pair[0].1 >= half && pair[1].1 < half;
    let mut beyond = points[peak..].windows(2);
    beyond.find(falls).map(|pair| (pair[0].0, pair[1].0))
}

/// The widest gap that can be parted, and where.
fn widest(gaps: &[Gap], taken: &[f64]) -> Option<(Gap, f64)> {
    let wide = |(low, high): &Gap| {
        if *low > 0.0 {
            high / low
        } else {
            f64::INFINITY
        }
    };
    let mut best: Option<(Gap, f64)> = None;
    for gap in gaps {
        let middle = middle(*gap);
        let free = taken.iter().chain([&gap.0, &gap.1]);
        let free = { free }.all(|level| (level - middle).abs() >= APART);
        if free && best.is_none_or(|(other, _)| wide(gap) > wide(&other)) {
            best = Some((*gap, middle));
        }
    }
    best
}

fn middle((low, high): Gap) -> f64 {
    let middle = if low > 0.0 {
        (low * high).sqrt()
    } else {
        f64::midpoint(low, high)
    };
    middle.round()
}

fn part(gaps: &mut Vec<Gap>, gap: Gap, middle: f64) {
    if let Some(at) = gaps
        .iter()
        .position(|other| is(other.0, gap.0) && is(other.1, gap.1))
    {
        gaps.splice(at..=at, [(gap.0, middle), (middle, gap.1)]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(points: &[(f64, f64)], turn: f64, most: usize) -> Vec<i64> {
        let taken: Vec<f64> = points.iter().map(|(level, _)| *level).collect();
        levels(points, &taken, turn, most)
    }

    const FLAT: [(f64, f64); 5] = [
        (1.0, 50.0),
        (5.0, 250.0),
        (22.0, 400.0),
        (106.0, 400.0),
        (500.0, 400.0),
    ];

    #[test]
    fn all_go_around_the_knee_where_nothing_collapses() {
        // gaps 5..22 (4.4) and 22..106 (4.8): 48, then 10, then of 48..106 and 22..48 the upper, 71
        assert_eq!(chosen(&FLAT, 22.0, 1), [48]);
        assert_eq!(chosen(&FLAT, 22.0, 2), [10, 48]);
        assert_eq!(chosen(&FLAT, 22.0, 4), [10, 15, 48, 71]);
        assert_eq!(chosen(&FLAT, 22.0, 0), [0_i64; 0]);
    }

    #[test]
    fn knee_and_collapse_take_turns() {
        let mut falls = FLAT;
        falls[4].1 = 20.0;
        // 48 at the knee, 230 where it falls, 10, and of 106..230 and 230..500 the upper (2.174 to 2.170)
        assert_eq!(chosen(&falls, 22.0, 4), [10, 48, 230, 339]);
    }

    #[test]
    fn a_gap_may_be_both() {
        let falls = [(1.0, 100.0), (4.0, 400.0), (16.0, 0.0), (64.0, 0.0)];
        assert_eq!(chosen(&falls, 4.0, 3), [6, 8, 11]);
    }

    #[test]
    fn levels_stay_two_apart_and_are_no_more_than_there_is_room_for() {
        assert_eq!(
            chosen(&[(1.0, 1.0), (3.0, 2.0), (5.0, 1.9)], 3.0, 9),
            [0_i64; 0]
        );
        let few = chosen(&[(1.0, 1.0), (10.0, 9.0), (20.0, 9.0)], 10.0, 99);
        assert_eq!(few, [3, 5, 7, 12, 14, 17]);
        for pair in few.windows(2) {
            assert!(pair[1] - pair[0] >= 2, "{few:?}");
        }
        // a level that has no figure is there all the same
        let taken = [1.0, 10.0, 14.0, 20.0];
        assert!(!levels(&[(1.0, 1.0), (10.0, 9.0), (20.0, 9.0)], &taken, 10.0, 9).contains(&14));
    }

    #[test]
    fn a_turn_at_an_end_has_one_side_and_zero_is_no_logarithm() {
        assert_eq!(chosen(&[(0.0, 9.0), (10.0, 5.0), (20.0, 5.0)], 0.0, 1), [5]);
        assert_eq!(chosen(&FLAT, 500.0, 1), [230]);
        assert_eq!(chosen(&[(1.0, 1.0)], 1.0, 4), [0_i64; 0]);
    }
}
