//! Rankings and matrices as tables: a matrix's cells are shaded, and each tells its figure.

use judge::Judged;

use crate::words::{self, MatrixWords, RankingWords};

/// All rankings of a run, as the page shows them.
pub(super) fn rankings(judged: &Judged) -> Vec<RankingWords> {
    judged.rankings.iter().map(words::ranking).collect()
}

/// All its matrices.
pub(super) fn matrices(judged: &Judged) -> Vec<MatrixWords> {
    judged.matrices.iter().map(words::matrix).collect()
}
