use super::*;

fn table() -> Table {
    let mut table = Table::new(vec![
        Column::left("variant"),
        Column::right("p90").rank(0),
        Column::right("mean").rank(1),
        Column::wrapping("remark"),
    ]);
    let text = "a remark that is long enough to be wrapped on a narrow terminal";
    table.row(vec![
        Cell::new("flask-dev"),
        Cell::new("521 ms"),
        Cell::new("491 ms"),
        Cell::new(text),
    ]);
    table.row(vec![
        Cell::new("static"),
        Cell::new("—"),
        Cell::new("21 ms"),
        Cell::new("short"),
    ]);
    table
}

fn plain(text: &str) -> String {
    anstream::adapter::strip_str(text).to_string()
}

#[test]
fn no_line_is_wider_than_asked_for() {
    for width in 46..120 {
        let (text, _) = table().fit(width);
        for line in plain(&text).lines() {
            assert!(display_width(line) <= width, "{width}: {line}");
        }
    }
}

#[test]
fn columns_go_by_rank_and_are_named() {
    let table = table();
    let (text, dropped) = table.fit(40);
    assert_eq!(dropped, ["p90"]);
    assert!(!plain(&text).contains("521 ms"));
    assert_eq!(table.fit(30).1, ["p90", "mean"]);
    assert!(table.fit(200).1.is_empty());
}

#[test]
fn what_tells_nothing_goes_first() {
    let mut table = Table::new(vec![
        Column::right("4xx").rank(0),
        Column::right("5xx").rank(1),
        Column::right("a wide column"),
    ]);
    for (client, server) in [("7", "0"), ("0 → 1", "0 → —")] {
        table.row([client, server, "1 ms"].map(Cell::new).into());
    }
    assert_eq!(table.fit(25).1, ["5xx"]);
    assert_eq!(table.fit(16).1, ["4xx", "5xx"]);
}

#[test]
fn figures_end_in_the_same_column() {
    let text = plain(&table().fit(200).0);
    let ends: Vec<_> = text
        .lines()
        .filter_map(|line| line.find(" ms  ").map(|at| display_width(&line[..at])))
        .collect();
    assert!(text.starts_with("  variant"), "{text}");
    assert_eq!(ends.len(), 2);
}
