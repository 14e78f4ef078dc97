//! What was run, and which variant is the fastest.

use record::RunStatus;

use crate::terminal::paragraph::{FLUSH, Page};
use crate::terminal::style::{BAD, DIM, PLAIN, STRONG};
use crate::{JudgedRun, words};

pub(super) fn draw(page: &mut Page, of: &JudgedRun) {
    let run = of.run;
    let title = format!("Run {} · {}", run.id, run.plan.title);
    page.say(STRONG, FLUSH, &title);
    let (begun, host) = (words::moment(run.started), words::host(run));
    let begun = format!("{begun} UTC · weir {} · {host}", run.weir);
    let commits = words::revisions(&run.plan).map(|told| format!(" · {told}"));
    page.say(DIM, FLUSH, &(begun + &commits.unwrap_or_default()));
    page.say(DIM, FLUSH, &words::loads(&run.plan));
    if let Some(divided) = words::divided(&run.plan) {
        page.say(DIM, FLUSH, &divided);
    }
    if let Some(network) = words::network(&run.plan, of.trials) {
        page.say(DIM, FLUSH, network);
    }
    page.say(DIM, FLUSH, &words::blocks(run, of.trials));
    if let Some(cut) = words::cut(run) {
        page.say(BAD, FLUSH, &format!("Cut short: {cut}."));
    }
    if let Some(looks) = words::looks(run, of.judged) {
        page.say(DIM, FLUSH, &looks);
    }
    page.space();
}

/// The answer, below the figures that it rests on.
pub(super) fn headline(page: &mut Page, of: &JudgedRun) {
    page.space();
    page.say(STRONG, FLUSH, &words::headline(of.run, of.judged));
    if let Some(floor) = &of.judged.noise_floor {
        let noise = words::noise_floor(floor);
        page.say(PLAIN, FLUSH, &format!("Noise floor: {noise}."));
    }
    if let Some(scatter) = &of.judged.scatter {
        page.say(
            PLAIN,
            FLUSH,
            &format!("Scatter: {}.", words::scatter(scatter)),
        );
    }
    if let Some(pace) = of.judged.pace.as_ref().and_then(words::pace) {
        page.say(PLAIN, FLUSH, &format!("Pace: {pace}."));
    }
}

/// What a run was, by name.
pub(crate) fn facts(of: &JudgedRun) -> Vec<(&'static str, String)> {
    let JudgedRun {
        run,
        trials,
        judged,
        ..
    } = *of;
    let apps = run.plan.apps().into_iter();
    let apps = apps.map(|app| format!("`{}` ({})", app.entry, app.name));
    let apps: Vec<String> = apps.collect();
    let mut facts = vec![
        ("Begun", format!("{} UTC", words::moment(run.started))),
        ("Machine", words::host(run)),
    ];
    // a URL that is loaded has none
    facts.extend((!apps.is_empty()).then(|| ("App", apps.join(", "))));
    facts.extend([
        ("Load", words::loads(&run.plan)),
        ("Order", words::blocks(run, trials)),
        ("weir", run.weir.clone()),
    ]);
    facts.extend(words::revisions(&run.plan).map(|told| ("Commit", told)));
    facts.extend(words::divided(&run.plan).map(|divided| ("Cores", divided)));
    facts.extend(words::network(&run.plan, trials).map(|own| ("Network", own.to_owned())));
    facts.extend(words::looks(run, judged).map(|looks| ("Looks", looks)));
    facts.extend(words::cut(run).map(|cut| ("Cut short", cut)));
    if run.status != RunStatus::Finished {
        facts.push(("Status", words::status(run.status).to_owned()));
    }
    facts
}
