//! A store becomes something to read: words, units, terminal, HTML, JSON.

pub mod terminal;
pub mod units;
pub mod words;
