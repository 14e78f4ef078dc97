/// A uniform cubic B-spline along control points, as a polyline: so the points are smoothed, and the
/// line passes near them and not through them.
///
/// The first and the last control point count three times, so that the line begins and ends in them
/// (clamped). Each piece is the basis matrix 1/6 [-1 3 -3 1; 3 -6 3 0; -3 0 3 0; 1 4 1 0] on four
/// neighbours (de Boor, "A Practical Guide to Splines", 1978, chapter 9; Foley et al., "Computer
/// Graphics", 2nd ed. 1990, section 11.2.4), cut into `pieces` straight lines (at least 1). It never
/// leaves the convex hull of those four, and so never overshoots.
///
/// Fewer than three points come back as they are.
pub fn b_spline(points: &[(f64, f64)], pieces: usize) -> Vec<(f64, f64)> {
    let (Some(&first), Some(&last)) = (points.first(), points.last()) else {
        return Vec::new();
    };
    if points.len() < 3 {
        return points.to_vec();
    }
    let clamped = [&[first; 2], points, &[last; 2]].concat();
    let pieces = pieces.max(1);
    let mut line = vec![first];
    for four in clamped.windows(4) {
        line.extend((1..=pieces).map(|step| on(four, step as f64 / pieces as f64)));
    }
    line
}

/// The point at `t` (0 to 1) of the piece that four neighbours make.
fn on(four: &[(f64, f64)], t: f64) -> (f64, f64) {
    let weights = [
        (1.0 - t).powi(3) / 6.0,
        (3.0 * t.powi(3) - 6.0 * t.powi(2) + 4.0) / 6.0,
        (-3.0 * t.powi(3) + 3.0 * t.powi(2) + 3.0 * t + 1.0) / 6.0,
        t.powi(3) / 6.0,
    ];
    let mean = |of: fn(&(f64, f64)) -> f64| weights.iter().zip(four).map(|(w, p)| w * of(p)).sum();
    (mean(|point| point.0), mean(|point| point.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: (f64, f64), b: (f64, f64)) -> bool {
        (a.0 - b.0).abs() < 1e-9 && (a.1 - b.1).abs() < 1e-9
    }

    #[test]
    fn it_begins_and_ends_where_the_points_do_and_stays_among_them() {
        let points = [(0.0, 0.0), (1.0, 10.0), (2.0, 0.0), (3.0, 10.0), (4.0, 5.0)];
        let line = b_spline(&points, 8);
        assert_eq!(line.len(), 1 + 8 * 6);
        assert!(near(line[0], points[0]) && near(*line.last().unwrap(), points[4]));
        assert!(line.iter().all(|(_, y)| (0.0..=10.0).contains(y)));
        assert!(line.windows(2).all(|pair| pair[0].0 <= pair[1].0));
        // smoother than its points: less up and down
        let travel = |line: &[(f64, f64)]| -> f64 {
            line.windows(2)
                .map(|pair| (pair[1].1 - pair[0].1).abs())
                .sum()
        };
        assert!(travel(&line) < travel(&points));
    }

    #[test]
    fn an_inner_point_is_met_at_a_sixth_two_thirds_and_a_sixth() {
        let line = b_spline(&[(0.0, 0.0), (1.0, 6.0), (2.0, 0.0)], 1);
        assert!(
            line.iter().any(|point| near(*point, (1.0, 4.0))),
            "{line:?}"
        );
    }

    #[test]
    fn a_straight_line_stays_one() {
        let points: Vec<_> = (0..6).map(|i| (f64::from(i), 2.0 * f64::from(i))).collect();
        let line = b_spline(&points, 5);
        assert!(line.iter().all(|(x, y)| (y - 2.0 * x).abs() < 1e-9));
    }

    #[test]
    fn too_few_points_are_not_smoothed() {
        assert!(b_spline(&[], 4).is_empty());
        assert_eq!(b_spline(&[(1.0, 2.0)], 4), [(1.0, 2.0)]);
        assert_eq!(b_spline(&[(1.0, 2.0), (3.0, 4.0)], 4).len(), 2);
    }
}
