//! A plan becomes trials: resolved, ordered in seeded blocks, run one by one, stored at once.
