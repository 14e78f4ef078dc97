use serde::Serialize;

use crate::words;

/// A curve, and what is to be said of it.
#[derive(Clone, Debug, Serialize)]
pub struct Curve<'a> {
    /// What runs along what.
    pub title: String,
    /// What its throughput is called: goodput where requests failed.
    pub answered: &'static str,
    /// Its peak, knee, collapse and law, a sentence each.
    pub sentences: Vec<String>,
    /// Its lines and points.
    #[serde(flatten)]
    pub of: &'a judge::Curve,
}

impl<'a> Curve<'a> {
    /// A curve with its words.
    pub fn new(of: &'a judge::Curve) -> Self {
        Self {
            title: words::curve(of),
            answered: words::answered(of),
            sentences: words::turns(of),
            of,
        }
    }
}
