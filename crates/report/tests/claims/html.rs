//! The pages of claims: whole, self-contained, harmless whatever is in the store, and each with what its claim rests on.

use super::{claims, pages, run};
use crate::sample;
use report::claims::markdown;
use report::html::claims::index;
use scraper::{Html, Selector};

fn texts(page: &Html, selector: &str) -> Vec<String> {
    let words = |element: scraper::ElementRef| {
        let text: String = element.text().collect();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let selector = Selector::parse(selector).expect("valid selector");
    page.select(&selector).map(words).collect()
}

#[test]
fn the_first_page_counts_and_leads_to_the_others() {
    let (run, trials, judged) = run();
    let text = index(&claims(&run, &trials, &judged));
    let page = Html::parse_document(&text);
    assert_eq!(page.errors, Vec::<std::borrow::Cow<str>>::new());
    let counts = [
        "holds: 1",
        "does not hold: 1",
        "cannot tell: 1",
        "failed: 1",
        "not run: 1",
        "not yet: 1",
    ];
    assert_eq!(texts(&page, ".headline .chip"), counts);
    let reports = [
        "Report A: Improving an application's performance",
        "Claims B",
        "Claims D",
        "What took part",
    ];
    assert_eq!(texts(&page, "h2"), reports);
    assert_eq!(
        texts(&page, "tbody a"),
        ["A1", "A3", "A5", "B4", "B5", "D2"]
    );
    assert!(
        texts(&page, "dd")
            .iter()
            .any(|text| text.contains("Debian"))
    );
    assert!(
        text.contains("<dt>nginx</dt>"),
        "every program that took part"
    );
    harmless(&page);
}

#[test]
fn a_claims_page_rests_on_its_own_variants() {
    let (run, trials, judged) = run();
    let all = pages(&run, &trials, &judged);
    for text in &all {
        let page = Html::parse_document(text);
        assert_eq!(page.errors, Vec::<std::borrow::Cow<str>>::new());
        harmless(&page);
    }
    let first = Html::parse_document(&all[0]);
    assert_eq!(
        texts(&first, ".figures tbody th code"),
        ["flask-dev", "one-worker"]
    );
    assert_eq!(texts(&first, ".strip:not(.axis)").len(), 2);
    assert_eq!(
        texts(&first, "[aria-labelledby=conditions] td b"),
        ["1.10 × [1.07, 1.13]"]
    );
    assert_eq!(texts(&first, "details pre"), ["blocks = 6 # <six>"]);
    let sections = [
        "Conditions",
        "The variants it rests on",
        "Response times",
        "The plan",
    ];
    assert_eq!(texts(&first, "h2"), sections);
    let open = Html::parse_document(&all[5]);
    assert_eq!(texts(&open, "h2"), Vec::<String>::new());
    assert!(texts(&open, "dd").contains(&"missing: the profiler".to_owned()));
}

/// No script, nothing from outside, and links to pages beside it alone.
fn harmless(page: &Html) {
    let none = "[src], link, script, iframe, object, form, img, [onerror]";
    assert_eq!(page.select(&Selector::parse(none).unwrap()).count(), 0);
    for link in page.select(&Selector::parse("[href]").unwrap()) {
        let to = link.attr("href").unwrap();
        assert!(
            to.split_once(".html")
                .is_some_and(|(_, rest)| rest.is_empty())
                && !to.contains(':')
                && !to.starts_with('/'),
            "{to}"
        );
    }
    let policy = page
        .select(&Selector::parse("meta[http-equiv]").unwrap())
        .next()
        .unwrap();
    assert!(
        policy
            .attr("content")
            .unwrap()
            .starts_with("default-src 'none';")
    );
}

const HOSTILE: &str =
    "</style></script></title><script>alert(1)</script>`<img src=x onerror=alert(1)>`\"'>";

#[test]
fn whatever_is_in_the_store_stays_text() {
    let (mut run, mut trials, mut judged) = run();
    run.host.cpu = HOSTILE.into();
    run.plan.title = HOSTILE.into();
    for claim in &mut judged.claims {
        claim.text = HOSTILE.into();
        claim.reported = HOSTILE.into();
        claim.reason = Some(HOSTILE.into());
    }
    for variant in &mut judged.variants {
        variant.title = HOSTILE.into();
        variant.failure = Some(HOSTILE.into());
    }
    for trial in &mut trials {
        if let record::Outcome::Measured(measured) = &mut trial.outcome {
            measured.stack.servers[0].version = HOSTILE.into();
        }
    }
    let mut all = claims(&run, &trials, &judged);
    all.reports[0].title = HOSTILE.into();
    all.reports[0].about = HOSTILE.into();
    for text in pages(&run, &trials, &judged)
        .into_iter()
        .chain([index(&all)])
    {
        let page = Html::parse_document(&text);
        assert_eq!(page.errors, Vec::<std::borrow::Cow<str>>::new());
        harmless(&page);
        assert_eq!(page.select(&Selector::parse("style").unwrap()).count(), 1);
    }
    assert!(
        !markdown(&all).contains("<script"),
        "nor does Markdown take it for its own"
    );
}

#[test]
fn a_page_draws_the_curves_that_its_claim_rests_on_and_no_others() {
    let (run, trials, mut judged) = run();
    judged.curves = sample::curves();
    judged.curves.truncate(1);
    for line in &mut judged.curves[0].lines {
        for point in &mut line.points {
            point.variant = "static".into();
        }
    }
    let drawn = pages(&run, &trials, &judged);
    let drawn: Vec<bool> = drawn
        .iter()
        .map(|page| page.contains("<figure class=\"curve\">"))
        .collect();
    assert_eq!(
        drawn,
        [false, true, false, false, false, false],
        "A3 is about `static`"
    );
}
