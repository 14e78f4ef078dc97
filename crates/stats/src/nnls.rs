/// The coefficients, none of them negative, with the least sum of squares of `rows · x - target`.
///
/// The solution of such a problem is the plain least-squares solution over the columns whose
/// coefficients are above zero (its active set, found one by one in Lawson and Hanson, "Solving
/// Least Squares Problems", 1974, chapter 23). Three columns have seven such sets: each is solved,
/// and the best without a negative coefficient is taken, which needs no steps that might cycle.
///
/// `None` when no set has a solution (all columns are zero).
pub(crate) fn nnls3(rows: &[[f64; 3]], target: &[f64]) -> Option<[f64; 3]> {
    let mut scale = [0.0; 3];
    for (column, scale) in scale.iter_mut().enumerate() {
        let squares = rows.iter().map(|row| row[column].powi(2));
        *scale = squares.sum::<f64>().sqrt();
    }
    // columns of length 1, lest the largest drowns the others
    let (mut gram, mut right) = ([[0.0; 3]; 3], [0.0; 3]);
    for (row, target) in rows.iter().zip(target) {
        for i in (0..3).filter(|i| scale[*i] > 0.0) {
            right[i] += row[i] / scale[i] * target;
            for j in (0..3).filter(|j| scale[*j] > 0.0) {
                gram[i][j] += row[i] / scale[i] * (row[j] / scale[j]);
            }
        }
    }
    let best = (1_u8..8)
        .filter_map(|set| solved(&gram, &right, set))
        .filter(|x| x.iter().all(|x| *x >= 0.0))
        .map(|x| (lost(&gram, &right, &x), x))
        .min_by(|a, b| a.0.total_cmp(&b.0))?;
    let mut x = best.1;
    for (x, scale) in x.iter_mut().zip(scale) {
        *x = if scale > 0.0 { *x / scale } else { 0.0 };
    }
    Some(x)
}

/// The sum of squares, but for what no coefficient changes.
fn lost(gram: &[[f64; 3]; 3], right: &[f64; 3], x: &[f64; 3]) -> f64 {
    let square: f64 = (0..3)
        .map(|i| x[i] * (0..3).map(|j| gram[i][j] * x[j]).sum::<f64>())
        .sum();
    square - 2.0 * (0..3).map(|i| right[i] * x[i]).sum::<f64>()
}

/// The normal equations over the columns in `set` (a bit for each), by Gauss with pivots.
fn solved(gram: &[[f64; 3]; 3], right: &[f64; 3], set: u8) -> Option<[f64; 3]> {
    const SINGULAR: f64 = 1e-12;
    let columns: Vec<usize> = (0..3).filter(|column| set & (1 << column) != 0).collect();
    let n = columns.len();
    let row = |&i: &usize| {
        let row = columns.iter().map(|&j| gram[i][j]);
        row.chain([right[i]]).collect()
    };
    let mut m: Vec<Vec<f64>> = columns.iter().map(row).collect();
    for step in 0..n {
        let pivot = (step..n).max_by(|&a, &b| m[a][step].abs().total_cmp(&m[b][step].abs()))?;
        m.swap(step, pivot);
        if m[step][step].abs() < SINGULAR {
            return None;
        }
        for row in (0..n).filter(|row| *row != step) {
            let (factor, above) = (m[row][step] / m[step][step], m[step].clone());
            for (cell, above) in m[row].iter_mut().zip(above) {
                *cell -= factor * above;
            }
        }
    }
    let mut x = [0.0; 3];
    for (place, &column) in columns.iter().enumerate() {
        x[column] = m[place][n] / m[place][place];
    }
    Some(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS: [[f64; 3]; 4] = [
        [1.0, 0.0, 0.0],
        [1.0, 1.0, 2.0],
        [1.0, 2.0, 6.0],
        [1.0, 3.0, 12.0],
    ];

    fn near(x: [f64; 3], wanted: [f64; 3]) {
        for (x, wanted) in x.into_iter().zip(wanted) {
            assert!((x - wanted).abs() < 1e-9, "{x} {wanted}");
        }
    }

    #[test]
    fn what_can_be_met_is_met() {
        let target = ROWS.map(|row| 2.0 * row[0] + 3.0 * row[1] + 0.5 * row[2]);
        near(nnls3(&ROWS, &target).unwrap(), [2.0, 3.0, 0.5]);
    }

    #[test]
    fn what_would_be_negative_is_zero_and_the_others_make_the_best_of_it() {
        // the parabola that fits best bends down, and the straight line that does is 1.5 + x
        let x = nnls3(&ROWS, &[1.0, 3.0, 4.0, 4.0]).unwrap();
        near(x, [1.5, 1.0, 0.0]);
        near(
            nnls3(&ROWS, &[-1.0, -1.0, -1.0, -1.0]).unwrap_or_default(),
            [0.0; 3],
        );
    }

    #[test]
    fn columns_of_zeros_have_no_part_in_it() {
        let rows = ROWS.map(|row| [row[0], 0.0, 0.0]);
        near(
            nnls3(&rows, &[2.0, 2.0, 2.0, 2.0]).unwrap(),
            [2.0, 0.0, 0.0],
        );
        assert_eq!(nnls3(&[[0.0; 3]], &[1.0]), None);
    }
}
