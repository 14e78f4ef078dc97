//! Pure mathematics over numbers: quantiles, bootstrap, paired comparison, verdicts, steady state.
