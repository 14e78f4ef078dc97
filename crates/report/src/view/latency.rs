//! The response times of each stage, of all trials that count.

use minijinja::Environment;

use crate::JudgedRun;
use crate::html::{Drawn, Strips, drawn};

pub(super) fn page(environment: &Environment, of: &JudgedRun) -> Drawn {
    let stages = of.judged.stages.iter();
    let strips = Strips::new(stages.map(|of| (&*of.name, &*of.title, &of.response)));
    drawn(environment, include_str!("../html/latency.html"), strips)
}
