use serde::Serialize;

use crate::judged_run::StageLoad;
use crate::{JudgedRun, units};

/// What the load of each stage was like, beyond the figures that are compared.
#[derive(Clone, Debug, Serialize)]
pub struct Loads {
    /// Heads of the columns that some stage has.
    pub columns: Vec<&'static str>,
    /// Each stage's name with its figures.
    pub rows: Vec<(String, Vec<Option<String>>)>,
}

type Told = (&'static str, fn(&StageLoad) -> Option<String>);

const COLUMNS: [Told; 5] = [
    ("offered", |of| of.offered.map(units::rate)),
    ("achieved", |of| of.achieved.map(units::percent)),
    ("page p50", |of| of.page.map(units::duration)),
    ("attempts/req", |of| of.attempts.map(units::number)),
    ("of weir's ceiling", |of| of.of_ceiling.map(units::about)),
];

impl Loads {
    /// Nothing where no stage has any of it.
    pub(super) fn new(of: &JudgedRun) -> Option<Self> {
        let names = of.judged.stages.iter().map(|stage| &stage.name);
        let all: Vec<_> = names.map(|name| (name, of.stage_load(name))).collect();
        let told = |(_, text): &&Told| all.iter().any(|(_, load)| text(load).is_some());
        let columns: Vec<&Told> = COLUMNS.iter().filter(told).collect();
        let texts = |load| columns.iter().map(|(_, text)| text(load)).collect();
        let rows = all
            .iter()
            .map(|(name, load)| ((*name).clone(), texts(load)));
        (!columns.is_empty()).then(|| Self {
            rows: rows.collect(),
            columns: columns.iter().map(|(head, _)| *head).collect(),
        })
    }
}
