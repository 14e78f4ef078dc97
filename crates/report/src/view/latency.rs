//! The response times of each variant, of all trials that count.

use minijinja::Environment;

use crate::JudgedRun;
use crate::html::{Drawn, Strips, drawn};

pub(super) fn page(environment: &Environment, of: &JudgedRun) -> Drawn {
    let variants = of.judged.variants.iter();
    let strips = Strips::new(variants.map(|of| (&*of.name, &*of.title, &of.response)));
    drawn(environment, include_str!("../html/latency.html"), strips)
}
