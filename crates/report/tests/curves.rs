//! Curves on the page and on the terminal.

use crate::sample;
use judge::{Judged, VariantCeiling};
use report::{html, terminal, words};
use scraper::{ElementRef, Html, Selector};

fn judged() -> Judged {
    let run = sample::run();
    let mut judged = sample::judged(&run, &sample::trials(&run));
    judged.curves = sample::curves();
    judged
}

fn page(judged: &Judged) -> Html {
    let run = sample::run();
    let trials = sample::trials(&run);
    let text = html::page(&sample::findings(&run, &trials, judged));
    // kept for looking at in a browser
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(folder.join("curves.html"), &text).expect("the target folder is writable");
    Html::parse_document(&text)
}

fn all<'a>(page: &'a Html, selector: &str) -> Vec<ElementRef<'a>> {
    let selector = Selector::parse(selector).expect("valid selector");
    page.select(&selector).collect()
}

/// Places of a polyline.
fn places(of: ElementRef) -> Vec<(f64, f64)> {
    let points = of.value().attr("points").expect("a polyline").split(' ');
    points
        .map(|point| {
            let (x, y) = point.split_once(',').expect("x,y");
            (x.parse().unwrap(), y.parse().unwrap())
        })
        .collect()
}

#[test]
fn the_page_draws_sibling_curves_together() {
    let page = page(&judged());
    assert_eq!(page.errors, Vec::<std::borrow::Cow<str>>::new());
    assert_eq!(all(&page, ".curve").len(), 2, "throughput and p99");
    for class in ["s0", "s1"] {
        let drawn = |what: &str| all(&page, &format!(".curve .{class} {what}")).len();
        assert_eq!(
            (drawn(".spline"), drawn("circle"), drawn(".interval")),
            (2, 2 * 42, 2 * 7)
        );
    }
    assert_eq!(
        all(&page, "circle.errors").len(),
        2 * 2 * 6,
        "those that failed"
    );
    assert_eq!(all(&page, "path.knee").len(), 4);
    assert_eq!(all(&page, "path.collapse").len(), 2);
    assert_eq!(all(&page, ".law").len(), 1, "only one follows a law");
    assert_eq!(all(&page, ".ceiling").len(), 1, "both have the same");
    // said as well as drawn
    let svg = all(&page, ".curve > svg")[0];
    let ids = svg.value().attr("aria-labelledby").unwrap().split(' ');
    let words: Vec<String> = ids
        .map(|id| all(&page, &format!("#{id}"))[0].text().collect())
        .collect();
    assert_eq!(words[0], "Correct responses per second along connections");
    assert!(
        words[1].contains("threaded@server=<puma>: 40.0 req/s ±6 % at 1"),
        "{}",
        words[1]
    );
}

#[test]
fn everything_drawn_lies_in_its_place() {
    let page = page(&judged());
    for line in all(&page, ".curve .spline, .curve .law") {
        for (x, y) in places(line) {
            assert!(
                (62.0..=706.0).contains(&x) && (12.0..=286.0).contains(&y),
                "{x} {y}"
            );
        }
    }
    // from the first to the last level, and higher up where more is answered
    let spline = places(all(&page, ".curve .s0 .spline")[0]);
    let ((first, low), (last, high)) = (spline[0], spline[spline.len() - 1]);
    assert!((first - 62.0).abs() < 0.1 && (last - 706.0).abs() < 0.1 && high < low);
}

#[test]
fn a_run_without_sweeps_has_no_curves_and_seven_need_two_drawings() {
    let mut judged = judged();
    judged.curves = (0..7).map(|_| sample::curves().remove(0)).collect();
    assert_eq!(all(&page(&judged), ".curve").len(), 4);
    judged.curves.clear();
    assert!(!html::curves(&judged.curves).contains("<section"));
    assert_eq!(terminal::curves(&judged.curves, 100), "");
}

#[test]
fn the_terminal_has_a_table_for_each() {
    let text = terminal::curves(&judged().curves, 110);
    insta::assert_snapshot!(anstream::adapter::strip_str(&text).to_string());
    let narrow = terminal::curves(&judged().curves, 60);
    let narrow = anstream::adapter::strip_str(&narrow).to_string();
    assert!(
        narrow.lines().all(|line| line.chars().count() <= 60),
        "{narrow}"
    );
}

#[test]
fn a_variant_at_its_workloads_ceiling_says_so_beside_the_table() {
    let mut judged = judged();
    let ceiling = judged.curves[0].points()[0].ceiling.unwrap();
    let variant = |name: &str| VariantCeiling {
        variant: name.into(),
        ceiling,
    };
    judged.ceilings = vec![
        variant("static"),
        variant("threaded@server=<puma>,connections=1"),
    ];
    let notes = words::notes(&judged);
    let said: Vec<&String> = notes
        .iter()
        .filter(|note| note.contains("ceiling"))
        .collect();
    assert_eq!(said.len(), 1, "points of curves say it there: {said:?}");
    assert!(said[0].starts_with("`static` stands at 100 %"), "{said:?}");
    assert!(
        said[0].contains("(1 at once / 25.0 ms = 40.0 req/s)"),
        "{said:?}"
    );
}
