//! The seam to the judge: what it really concludes from facts can be shown.

use crate::sample;
use report::{html, json, terminal};

#[test]
fn a_run_as_the_judge_sees_it() {
    let run = sample::run();
    let trials = sample::trials(&run);
    let judged = judge::judge(&run, &trials);
    let text = anstream::adapter::strip_str(&terminal::run(
        &sample::findings(&run, &trials, &judged),
        &[],
        100,
    ))
    .to_string();
    insta::assert_snapshot!(text);
    let page = html::page(&sample::findings(&run, &trials, &judged));
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(folder.join("judged.html"), &page).expect("the target folder is writable");
    assert_eq!(
        scraper::Html::parse_document(&page).errors,
        Vec::<std::borrow::Cow<str>>::new()
    );
    assert!(
        serde_json::to_string(&json::export(&sample::findings(&run, &trials, &judged))).is_ok()
    );
}

#[test]
fn a_run_that_was_cut_short_can_be_shown_after_every_trial() {
    let run = sample::run();
    let trials = sample::trials(&run);
    for done in 0..=trials.len() {
        let judged = judge::judge(&run, &trials[..done]);
        let text = terminal::run(&sample::findings(&run, &trials[..done], &judged), &[], 80);
        assert!(!text.contains("NaN") && !text.contains(" inf"), "{text}");
        let page = html::page(&sample::findings(&run, &trials[..done], &judged));
        assert!(!page.contains("NaN"), "after {done}");
    }
}
