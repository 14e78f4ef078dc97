//! What a row says of a metric.

use crate::{Distribution, LoadFacts, Measured};

/// What is known of a metric.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Used in plans, on the command line and in JSON.
    pub name: &'static str,
    /// In running text.
    pub noun: &'static str,
    /// As the head of a column.
    pub column: &'static str,
    /// What it is measured in.
    pub dimension: Dimension,
    /// Whether a larger figure is the better one.
    pub larger_is_better: bool,
    /// What trials bear witness of it beside those without a doubt.
    pub of: Of,
    /// Whether several variants together have the largest figure of any, rather than the mean.
    pub is_peak: bool,
    /// Whether tables of any load show it; the others are for claims.
    pub in_tables: bool,
    /// How it is computed.
    pub source: TakenFrom,
}

/// What most rows have in common: a response time that tables show.
pub(super) const TIME: Row = Row {
    name: "",
    noun: "",
    column: "",
    dimension: Dimension::Time,
    larger_is_better: false,
    of: Of::Answers,
    is_peak: false,
    in_tables: true,
    source: TakenFrom::Facts(|_| None),
};

/// A share of the requests, for claims.
pub(super) const SHARE: Row = Row {
    dimension: Dimension::Share,
    of: Of::Errors,
    in_tables: false,
    ..TIME
};

/// A share of a profile's samples, for claims.
pub(super) const PROFILE: Row = Row {
    of: Of::Answers,
    ..SHARE
};

/// What a metric is measured in. Metrics of one dimension can be set against each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dimension {
    /// Requests per second.
    Rate,
    /// Seconds that a user waits.
    Time,
    /// Seconds of a core.
    CpuTime,
    /// Bytes.
    Size,
    /// A part of a whole, 0 to 1.
    Share,
    /// A number per request.
    Count,
}

/// What a metric tells of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// Requests that are answered.
    Answers,
    /// How requests fail or are tried again: a trial in which they do bears witness of it.
    Errors,
    /// What the load generator costs: a trial in which it is the bottleneck bears witness of it.
    Generator,
}

/// Where a metric's figure comes from.
#[derive(Clone, Copy, Debug)]
pub enum TakenFrom {
    /// A quantile of some times. Whether there are enough of them is for others to say.
    Quantile(f64, Times),
    /// Facts; `None` where they do not tell.
    Facts(fn(&Measured) -> Option<f64>),
}

/// Times that have quantiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Times {
    /// Of single requests, from when they were due.
    Response,
    /// Of pages with all that they need.
    Page,
}

impl Times {
    /// These times of a load.
    pub fn of(self, load: &LoadFacts) -> &Distribution {
        match self {
            Self::Response => &load.response,
            Self::Page => &load.pages,
        }
    }
}
