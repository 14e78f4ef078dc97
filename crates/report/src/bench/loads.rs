use minijinja::context;

use crate::html::environment;
use crate::terminal::{SURVEY_HEADS, SurveyPoint, survey_cells};

const PAGE: &str = include_str!("loads.html");

/// Several loads of one URL, as their page has them.
#[derive(Clone, Copy, Debug)]
pub struct Loads<'a> {
    /// What was loaded, as it was typed.
    pub url: &'a str,
    /// What came out of them together.
    pub verdict: &'a str,
    /// Each load, in the order in which they ran.
    pub points: &'a [SurveyPoint<'a>],
    /// What was noticed before they began.
    pub notes: &'a [String],
}

/// A page of several loads, each with a link to its own in `load-1`, `load-2`, …
///
/// # Panics
/// If the template, which is part of the program, does not fit its data, which has the same shape
/// for all loads.
pub fn loads_page(loads: &Loads) -> String {
    draw(loads).expect("the built-in template fits its data")
}

fn draw(loads: &Loads) -> Result<String, minijinja::Error> {
    let mut environment = environment()?;
    environment.add_template("loads.html", PAGE)?;
    environment.get_template("loads.html")?.render(context! {
        url => loads.url,
        verdict => loads.verdict,
        notes => loads.notes.to_vec(),
        heads => SURVEY_HEADS,
        rows => loads.points.iter().map(|point| survey_cells(point).to_vec()).collect::<Vec<_>>(),
    })
}
