use judge::Standing;
use record::{Outcome, Trial};

use super::paragraph::{FLUSH, Page};
use super::style::{DIM, STRONG};
use crate::{JudgedRun, words};

/// A run that is one load of one URL, as `weir bench` printed it; nothing for other runs.
pub fn one_load(of: &JudgedRun, width: usize) -> Option<String> {
    let JudgedRun { run, trials, .. } = *of;
    let stage = run.plan.one_load()?;
    let [
        Trial {
            outcome: Outcome::Measured(measured),
            ..
        },
    ] = trials
    else {
        return None;
    };
    let mut page = Page::new(width);
    let url = stage.url.as_deref().unwrap_or_default();
    page.say(STRONG, FLUSH, &format!("Run {} · {url}", run.id));
    let moment = words::moment(run.started);
    let about = format!("{moment} UTC · weir {} · {}", run.weir, words::host(run));
    page.say(DIM, FLUSH, &about);
    let doubts = judge::doubts(&measured.load);
    let standing = of
        .calibration
        .and_then(|calibration| Standing::of(&measured.load, calibration));
    let standing = standing.map_or_else(String::new, |of| super::standing(&of, width));
    Some(page.into_text() + &super::bench(&measured.load, &doubts, width) + &standing)
}
