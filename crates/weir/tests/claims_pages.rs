//! The pages that `weir claims` writes over several plans.

use std::collections::BTreeSet;

use crate::claims_whole::{claims, folder};

/// Names of files that a page leads to.
fn links(page: &str) -> BTreeSet<String> {
    let links = page.split("href=\"").skip(1);
    let link = |rest: &str| rest.split('"').next().unwrap().replace("&#x2f;", "/");
    links.map(link).collect()
}

/// Every page of a folder can be reached, is there, and holds what it was given as text.
fn assert_connected(folder: &std::path::Path) {
    let mut seen = BTreeSet::new();
    let mut open = vec!["index.html".to_owned()];
    while let Some(name) = open.pop() {
        if seen.insert(name.clone()) {
            let path = folder.join(&name);
            let page = std::fs::read_to_string(&path)
                .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            assert!(
                !page.contains("<script") && !page.contains("<b>A1"),
                "{name}"
            );
            open.extend(links(&page));
        }
    }
    let reports = seen.iter().filter(|name| name.ends_with("/report.html"));
    assert!(seen.contains("A1.html") && reports.count() == 1, "{seen:?}");
}

#[test]
fn each_claim_has_a_page_and_every_link_leads_somewhere() {
    let place = folder();
    let said = claims(&place, &["-b", "1", "-q", "A"]);
    assert!(
        said.succeeds()
            .out
            .contains("weir.reports/claims/index.html"),
        "{}",
        said.out
    );
    let before = std::fs::read_dir(place.path("weir.reports"))
        .unwrap()
        .count();
    claims(&place, &["--stored"]).succeeds();
    assert_eq!(
        std::fs::read_dir(place.path("weir.reports"))
            .unwrap()
            .count(),
        before
    );
    claims(&place, &["--stored", "--out", "pages"]).succeeds();
    assert_connected(&place.path("weir.reports/claims"));
    assert_connected(&place.path("pages"));
    let page = |name: &str| std::fs::read_to_string(place.path(&format!("pages/{name}"))).unwrap();
    let index = page("index.html");
    for words in [
        "Report A: How to answer",
        "One laptop.",
        "not run: 2",
        "gunicorn",
        "B2.html",
    ] {
        assert!(index.contains(words), "{words}: {index}");
    }
    let one = page("A1.html");
    for words in [
        "throughput of",
        "one block gives no interval",
        "The whole report",
        "noise-floor",
    ] {
        assert!(one.contains(words), "{words}: {one}");
    }
    assert!(page("B1.html").contains("<code>weir claims B1</code> runs it"));
    assert!(page("C1.html").contains("missing: wings"));
    place.write(
        "plans/first.toml",
        &std::fs::read_to_string(place.path("plans/first.toml"))
            .unwrap()
            .replace("\"A1\"", "\"../A1\""),
    );
    claims(&place, &["--stored"]).fails(5, &["`../A1` is no identifier of a claim"]);
}

#[test]
fn a_document_says_of_which_plans_it_is() {
    let place = folder();
    claims(&place, &["-b", "1", "-q", "A"]).succeeds();
    let text = std::fs::read_to_string(place.path("plans/first.toml")).unwrap();
    let row = |text: &str| format!("| first | {} |\n", report::claims::digest(text));
    let printed = || {
        claims(&place, &["--stored", "--markdown"])
            .succeeds()
            .out
            .clone()
    };
    let older = "* Of older plans: first\n";
    let now = printed();
    assert!(now.contains(&row(&text)) && !now.contains(older), "{now}");
    // other words about it make it no other plan
    let told = format!("# the first one\n{text}");
    place.write("plans/first.toml", &told);
    let now = printed();
    assert!(now.contains(&row(&told)) && !now.contains(older), "{now}");
    // and what is asked of it does, as does what is run
    for (part, other) in [
        ("throughput of `one` > 0", "throughput of `one` > 1"),
        ("connections = 2", "connections = 3"),
    ] {
        place.write("plans/first.toml", &text.replace(part, other));
        let now = printed();
        assert!(now.contains(older) && !now.contains("| first | "), "{now}");
    }
}
