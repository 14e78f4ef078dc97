//! Facts kept in SQLite, one row per trial as soon as it ends.
