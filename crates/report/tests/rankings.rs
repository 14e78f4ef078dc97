//! Rankings and matrices on a terminal and in HTML.

use crate::sample;
use judge::{Axis, Beaten, Cell, Figure, Matrix, Order, Pareto, Place, Ranking, Unranked};
use record::Metric;
use report::{html, terminal};
use textwrap::core::display_width;

fn plain(text: &str) -> String {
    anstream::adapter::strip_str(text).to_string()
}

fn figure(value: f64) -> Figure {
    Figure {
        value,
        interval: Some((value * 0.97, value * 1.03)),
    }
}

fn place(rival: &str, value: f64, ranks: (u32, u32), reported: Option<f64>) -> Place {
    Place {
        rival: rival.to_owned(),
        figure: figure(value),
        elsewhere: None,
        ranks: Some(ranks),
        reported,
    }
}

fn ranking() -> Ranking {
    let fast = Order {
        metric: Metric::Throughput,
        levels: Some("load=10..400".to_owned()),
        blocks: 6,
        places: vec![
            place("lighttpd-fastcgi", 221.0, (1, 2), Some(215.33)),
            place("haproxy-puma", 218.0, (1, 3), Some(170.4)),
            place("nginx-puma", 204.0, (2, 3), Some(138.86)),
        ],
        unranked: vec![Unranked {
            rival: "prefork-passenger".to_owned(),
            because: "no trial of `prefork-passenger@load=400` counts: 3 % of the requests failed"
                .to_owned(),
        }],
        alike: vec![(1, 2), (2, 3)],
        agreement: Some(Figure {
            value: 1.0,
            interval: Some((1.0 / 3.0, 1.0)),
        }),
        later: Vec::new(),
    };
    let small = Order {
        metric: Metric::PeakMemory,
        levels: None,
        places: vec![
            place("haproxy-puma", 390e6, (1, 1), None),
            place("nginx-puma", 392e6, (2, 3), None),
            place("lighttpd-fastcgi", 401e6, (2, 3), None),
        ],
        alike: vec![(2, 3)],
        agreement: None,
        ..fast.clone()
    };
    Ranking {
        name: "stacks".to_owned(),
        title: "The report's stacks".to_owned(),
        orders: vec![fast, small],
        pareto: Some(Pareto {
            metrics: vec![Metric::Throughput, Metric::PeakMemory],
            members: vec!["lighttpd-fastcgi".to_owned(), "haproxy-puma".to_owned()],
            beaten: vec![Beaten {
                rival: "nginx-puma".to_owned(),
                by: "haproxy-puma".to_owned(),
            }],
        }),
    }
}

fn matrix() -> Matrix {
    let cell = |variant: &str, value: f64| {
        Some(Cell {
            variant: variant.to_owned(),
            figure: Some(figure(value)),
            elsewhere: None,
        })
    };
    let broken = Cell {
        variant: "x@server=thin,front=nginx".to_owned(),
        figure: None,
        elsewhere: None,
    };
    let axis = |factor: &str, levels: &[&str]| Axis {
        factor: factor.to_owned(),
        levels: levels.iter().map(|&level| level.to_owned()).collect(),
    };
    Matrix {
        family: "x".to_owned(),
        rows: axis("server", &["puma", "thin"]),
        columns: axis("front", &["none", "nginx", "haproxy"]),
        at: vec![("connections".to_owned(), "10".to_owned())],
        metric: Metric::Throughput,
        cells: vec![
            vec![cell("a", 400.0), cell("b", 300.0), cell("c", 200.0)],
            vec![cell("d", 210.0), Some(broken), None],
        ],
    }
}

#[test]
fn a_ranking_on_a_terminal() {
    for width in [80, 120] {
        let text = plain(&terminal::ranking(&ranking(), width));
        insta::assert_snapshot!(format!("ranking_{width}"), text);
        for line in text.lines() {
            assert!(display_width(line) <= width, "{width}: {line}");
        }
    }
}

#[test]
fn a_matrix_on_a_terminal_is_shaded_without_colour() {
    insta::assert_snapshot!("matrix", plain(&terminal::matrix(&matrix(), 80)));
}

/// What can be read against each other has the sign of a ratio, and below it what that means.
#[test]
fn a_figure_that_the_generator_held_down_is_a_limit() {
    let meaning = "≥, ≤ or ≈ before a figure: no core was idle";
    let flat = |text: &str| plain(text).split_whitespace().collect::<Vec<_>>().join(" ");
    let (mut ranking, mut matrix) = (ranking(), matrix());
    let told = [
        flat(&terminal::ranking(&ranking, 120)),
        flat(&terminal::matrix(&matrix, 120)),
    ];
    assert!(told.iter().all(|text| !text.contains('≥')), "{told:?}");
    ranking.orders[0].places[0].elsewhere = Some((221.0, 300.0));
    matrix.cells[0][0].as_mut().unwrap().elsewhere = Some((400.0, 500.0));
    let [ranked, across] = [
        flat(&terminal::ranking(&ranking, 120)),
        flat(&terminal::matrix(&matrix, 120)),
    ];
    assert!(
        ranked.contains("≥ 221 req/s") && !ranked.contains("≥ 218"),
        "{ranked}"
    );
    assert!(
        across.contains("≥ 400 req/s") && !across.contains("≥ 300"),
        "{across}"
    );
    assert!(
        ranked.contains(meaning) && across.contains(meaning),
        "{ranked} {across}"
    );

    let run = sample::run();
    let trials = sample::trials(&run);
    let mut judged = sample::judged(&run, &trials);
    (judged.rankings, judged.matrices) = (vec![ranking], vec![matrix]);
    let page = html::page(&sample::findings(&run, &trials, &judged));
    assert_eq!(page.matches(meaning).count(), 2);
    assert!(page.contains("≥ 221 req") && page.contains("≥ 400 req"));
}

#[test]
fn the_page_shows_both_and_escapes_what_it_names() {
    let run = sample::run();
    let trials = sample::trials(&run);
    let mut judged = sample::judged(&run, &trials);
    let without = html::page(&sample::findings(&run, &trials, &judged));
    assert!(!without.contains("id=\"rankings\"") && !without.contains("id=\"matrices\""));
    judged.rankings = vec![ranking()];
    judged.rankings[0].title = "<b>stacks</b>".to_owned();
    judged.matrices = vec![matrix()];
    let page = html::page(&sample::findings(&run, &trials, &judged));
    assert!(!page.contains("<b>stacks"), "escaped");
    let text: String = scraper::Html::parse_document(&page)
        .root_element()
        .text()
        .collect();
    for words in [
        "1 to 2",
        "221 req/s",
        "Pareto set",
        "400 req/s",
        "x: throughput by server and front",
    ] {
        assert!(text.contains(words), "{words}");
    }
    for class in ["shade4", "shade0"] {
        assert!(page.contains(&format!("class=\"{class}\"")), "{class}");
    }
}

#[test]
fn few_blocks_are_said_to_decide_nothing() {
    let mut few = ranking();
    few.pareto = None;
    for order in &mut few.orders {
        order.blocks = 1;
        order.alike.clear();
        order.places.iter_mut().for_each(|of| of.ranks = None);
    }
    let said = report::view::Ranking::new(&few);
    assert!(
        said.sentences[0].contains("1 block cannot give ranks"),
        "{:?}",
        said.sentences
    );
    assert_eq!(said.rows[0].cells[0].rank, "—");
}
