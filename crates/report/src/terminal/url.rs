use judge::VariantOpinion;

use super::against::draw as against;
use super::explain::explain;
use super::load::{load, thresholds};
use super::loads::loads;
use super::paragraph::{FLUSH, Page};
use super::style::{BAD, DIM, PLAIN, STRONG};
use crate::load::Loaded;
use crate::view::findings::first;
use crate::view::profile::draw_one as profiled;
use crate::{JudgedRun, words};

/// A run that loads one URL, once or several times, as `weir bench` prints it; nothing for other runs. With
/// `head`, what it was stands above it.
pub fn of_url(of: &JudgedRun, head: bool, width: usize) -> Option<String> {
    let run = of.run;
    let all = of.all_loads();
    let mut page = Page::new(width);
    let url = run.plan.variants.first()?.url.as_ref()?;
    if head {
        page.say(STRONG, FLUSH, &format!("Run {} · {url}", run.id));
        let moment = words::moment(run.started);
        let about = format!("{moment} UTC · weir {} · {}", run.weir, words::host(run));
        page.say(DIM, FLUSH, &about);
    }
    match (run.plan.search, run.plan.one_load(), all.as_slice()) {
        (Some(_), ..) => loads(&mut page, of),
        (None, Some(_), [one]) => alone(&mut page, one),
        _ => return None,
    }
    if let Some(machines) = of.machines() {
        page.space();
        page.say(STRONG, FLUSH, &machines);
    }
    thresholds(&mut page, &all);
    if let Some(told) = told(of) {
        first(&mut page, of, told);
        profiled(&mut page, of, &told.name);
    }
    if let Some(earlier) = &of.extras.against {
        against(&mut page, earlier, "this load");
    }
    Some(page.into_text() + &explained(of, width))
}

/// The load that says most of the server: the one, or of several that in which it did most, or the highest rate at which
/// a goal holds.
pub(crate) fn told<'a>(of: &JudgedRun<'a>) -> Option<&'a VariantOpinion> {
    let mut variants = of.judged.variants.iter();
    let holds = of.judged.reached.as_ref().and_then(|reached| reached.holds);
    let plan = &of.run.plan;
    let at = |name: &str, rate: f64| {
        let load = plan.variant(name).map(|variant| plan.load_of(variant));
        let arrivals = load.and_then(|load| load.shape.arrivals());
        arrivals.is_some_and(|of| of.highest_rate().total_cmp(&rate).is_eq())
    };
    match (&of.judged.peak, holds) {
        (Some(peak), _) => variants.find(|variant| variant.name == peak.variant),
        (None, Some(rate)) => variants.find(|variant| at(&variant.name, rate)),
        (None, None) => variants.next(),
    }
}

/// How the figures of such a run came about, and what its loads were held to; nothing where that was not asked for.
pub fn explained(of: &JudgedRun, width: usize) -> String {
    let all = of.all_loads();
    let figures = if let Some(search) = of.run.plan.search {
        let peak = words::computed_peak(search, of.judged);
        [peak, words::computed_columns()].concat()
    } else {
        let explained = all.iter().filter_map(|of| of.explained.as_ref());
        explained.flat_map(|of| of.figures.clone()).collect()
    };
    let mut page = Page::new(width);
    explain(&mut page, &figures, &all);
    page.into_text()
}

fn alone(page: &mut Page, of: &Loaded) {
    if let Some(cut) = of.cut() {
        page.say(BAD, FLUSH, &cut);
    }
    load(page, of.load, of.doubts);
    if let Some(standing) = &of.standing {
        page.space();
        let standing = format!("The load engine was {}.", words::standing(standing));
        page.say(PLAIN, FLUSH, &standing);
    }
}
