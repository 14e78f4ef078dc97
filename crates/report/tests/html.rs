//! The page: whole, self-contained, and harmless whatever is in the store.

use crate::sample;
use judge::Judged;
use record::{Outcome, Run, Trial};
use report::{html, json};
use scraper::{Html, Selector};

struct Page {
    text: String,
    document: Html,
}

impl Page {
    fn of(run: &Run, trials: &[Trial], judged: &Judged) -> Self {
        let text = html::page(&sample::findings(run, trials, judged));
        let document = Html::parse_document(&text);
        Self { text, document }
    }

    fn sample() -> Self {
        let run = sample::run();
        let trials = sample::trials(&run);
        Self::of(&run, &trials, &sample::judged(&run, &trials))
    }

    fn all(&self, selector: &str) -> Vec<scraper::ElementRef<'_>> {
        self.document
            .select(&Selector::parse(selector).expect("valid selector"))
            .collect()
    }

    fn texts(&self, selector: &str) -> Vec<String> {
        let words = |element: scraper::ElementRef| {
            let text: String = element.text().collect();
            text.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        self.all(selector).into_iter().map(words).collect()
    }
}

#[test]
fn it_is_well_formed_and_has_every_part() {
    let page = Page::sample();
    // kept for looking at in a browser
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(folder.join("report.html"), &page.text).expect("the target folder is writable");
    assert_eq!(page.document.errors, Vec::<std::borrow::Cow<str>>::new());
    insta::assert_snapshot!("headings", page.texts("h1, h2, h3").join("\n"));
    insta::assert_snapshot!("variants", page.texts(".figures tr").join("\n"));
    insta::assert_snapshot!("claims", page.texts(".claims tr").join("\n"));
    assert_eq!(
        page.all("[aria-labelledby=latency] .strip:not(.axis)")
            .len(),
        5
    );
    assert_eq!(page.all(".panels figure").len(), 5);
    assert_eq!(page.all("circle.left-out").len(), 1);
    assert_eq!(page.all("g.failed").len(), 1);
    assert_eq!(page.all("details").len(), 5);
    assert_eq!(page.all("details .command").len(), 6);
    assert!(
        page.texts(".file")
            .iter()
            .any(|file| file.contains("sha256 9f86d081884c7d65"))
    );
    assert!(
        page.text
            .contains("1,000 scheduled = 997 completed + 3 failed + 0 timed out")
    );
    for svg in page.all("svg") {
        assert!(svg.attr("aria-label").is_some_and(|label| label.len() > 10));
    }
}

#[test]
fn the_group_of_a_trial_is_told_where_it_is_not_the_first() {
    let run = sample::run();
    let mut trials = sample::trials(&run);
    let known = |trials: &[Trial]| {
        let judged = sample::judged(&run, trials);
        let document = json::export(&sample::findings(&run, trials, &judged));
        let text = serde_json::to_string(&document).unwrap();
        text.matches(r#""group":1"#).count()
    };
    assert_eq!(known(&trials), 0);
    trials[0].group = 1;
    assert_eq!(
        known(&trials),
        2,
        "in the facts, and in the opinion on them"
    );
    let page = Page::of(&run, &trials, &sample::judged(&run, &trials));
    let heads = page.texts("details th");
    let own = heads.iter().filter(|head| *head == "1, group 2");
    assert_eq!(own.count(), 1);
    let rows = page.texts("details tr");
    let own = rows.iter().find(|row| row.starts_with("1, group 2"));
    assert!(own.unwrap().contains("req/s"), "{own:?}");
}

#[test]
fn ids_are_unique_and_every_label_refers_to_one() {
    let page = Page::sample();
    let ids: Vec<_> = page
        .all("[id]")
        .iter()
        .filter_map(|element| element.attr("id"))
        .collect();
    let unique: std::collections::BTreeSet<_> = ids.iter().collect();
    assert_eq!(ids.len(), unique.len());
    for element in page.all("[aria-labelledby]") {
        assert!(ids.contains(&element.attr("aria-labelledby").expect("selected by it")));
    }
}

#[test]
fn nothing_comes_from_outside_and_no_script_may_run() {
    let page = Page::sample();
    assert_eq!(
        page.all("[src], [href], link, script, iframe, object, form")
            .len(),
        0
    );
    assert!(!page.text.contains("url(") && !page.text.contains("@import"));
    let policy = page.all("meta[http-equiv=Content-Security-Policy]");
    let policy = policy[0].attr("content").expect("it has one");
    assert!(policy.starts_with("default-src 'none';") && !policy.contains("script-src"));
}

const HOSTILE: &str =
    "</style></script></title><script>alert(1)</script>`<img src=x onerror=alert(1)>`\"'>";

#[test]
fn whatever_is_in_the_store_stays_text() {
    let mut run = sample::run();
    let mut trials = sample::trials(&run);
    let mut judged = sample::judged(&run, &trials);
    run.plan.title = HOSTILE.into();
    run.plan.baseline = HOSTILE.into();
    run.plan.app.entry = HOSTILE.into();
    run.host.cpu = HOSTILE.into();
    for variant in &mut judged.variants {
        variant.title = HOSTILE.into();
        variant.failure = Some(HOSTILE.into());
        for (doubt, _) in &mut variant.doubts {
            doubt.because = HOSTILE.into();
            doubt.advice = HOSTILE.into();
        }
    }
    judged.claims[0].text = HOSTILE.into();
    judged.claims[0].conditions[0].text = HOSTILE.into();
    judged.claims[0].reason = Some(HOSTILE.into());
    for trial in &mut trials {
        match &mut trial.outcome {
            Outcome::Failed(failure) => {
                failure.error = HOSTILE.into();
                failure.log_tail = vec![HOSTILE.into()];
            }
            Outcome::Measured(measured) => {
                measured
                    .load
                    .examples
                    .values_mut()
                    .for_each(|example| *example = HOSTILE.into());
                measured.processes[0].command = HOSTILE.into();
                measured.stack.verified.reference = HOSTILE.into();
                let server = &mut measured.stack.servers[0];
                server.entry = HOSTILE.into();
                server.argv.push(HOSTILE.into());
                server.env.push((HOSTILE.into(), HOSTILE.into()));
                server
                    .knobs
                    .push((HOSTILE.into(), record::Knob::Text(HOSTILE.into())));
                server.files[0].path = HOSTILE.into();
                server.files[0].content = HOSTILE.into();
                server.log_tail.push(HOSTILE.into());
            }
        }
    }
    let page = Page::of(&run, &trials, &judged);
    assert_eq!(page.all("script, img, [onerror]").len(), 0);
    assert_eq!(page.document.errors, Vec::<std::borrow::Cow<str>>::new());
    assert!(page.text.matches("&lt;script&gt;").count() > 50);
    assert_eq!(page.all("style").len(), 1);
}

#[test]
fn a_run_in_which_nothing_worked_still_makes_a_page() {
    let run = sample::run();
    let mut judged = sample::judged(&run, &sample::trials(&run));
    judged.claims.clear();
    judged.noise_floor = None;
    judged.trials.clear();
    for variant in &mut judged.variants {
        variant.figures.clear();
        variant.against_baseline.clear();
        variant.response = record::Distribution::default();
        variant.counted = 0;
        variant.failure = Some("it has not run".into());
    }
    let page = Page::of(&run, &[], &judged);
    assert_eq!(
        page.texts(".headline"),
        ["No variant that serves / could be measured."]
    );
    assert_eq!(page.all(".strip, .panels figure").len(), 0);
    assert_eq!(page.texts(".failure").len(), 5);
}
