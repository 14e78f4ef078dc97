mod filters;

use super::*;

fn tables(text: &str) -> Vec<Table> {
    let plan: Table = text.parse().unwrap();
    plan["variant"].clone().try_into().unwrap()
}

fn names(text: &str) -> Vec<String> {
    let points = expand(&tables(text), 2).unwrap();
    let name = |point: &Point| point.table["name"].as_str().unwrap().to_owned();
    points.iter().map(name).collect()
}

fn refused(text: &str) -> Flaw {
    expand(&tables(text), 2).unwrap_err().1
}

#[test]
fn a_variant_without_factors_is_itself() {
    let text = "[[variant]]\nname = \"one\"\nserver = \"puma\"\n";
    let points = expand(&tables(text), 2).unwrap();
    assert_eq!(points.len(), 1);
    assert_eq!(points[0].table, tables(text)[0]);
    assert!(points[0].sweep.is_none());
}

#[test]
fn factors_are_crossed_and_each_point_knows_its_levels() {
    let text = r#"
        [[variant]]
        name = "rails"
        title = "Rails"
        server = "puma"
        front = { entry = "haproxy", backlog = 7 }
        [variant.vary]
        "front.server-maxconn" = [1, 10]
        "load.connections" = { from = 1, to = 500, points = 3 }
    "#;
    assert_eq!(
        names(text),
        [
            "rails@server-maxconn=1,connections=1",
            "rails@server-maxconn=1,connections=22",
            "rails@server-maxconn=1,connections=500",
            "rails@server-maxconn=10,connections=1",
            "rails@server-maxconn=10,connections=22",
            "rails@server-maxconn=10,connections=500",
        ]
    );
    let last = expand(&tables(text), 2).unwrap().pop().unwrap();
    assert_eq!(
        last.table["title"].as_str(),
        Some("Rails, server-maxconn 10, connections 500")
    );
    assert_eq!(last.table["front"]["server-maxconn"].as_integer(), Some(10));
    assert_eq!(
        last.table["front"]["backlog"].as_integer(),
        Some(7),
        "what is not varied stays"
    );
    assert_eq!(last.table["load"]["connections"].as_integer(), Some(500));
    let sweep = last.sweep.unwrap();
    assert_eq!(sweep.family, "rails");
    let levels: Vec<_> = sweep
        .levels
        .iter()
        .map(|of| (of.factor.as_str(), of.number))
        .collect();
    assert_eq!(
        levels,
        [("server-maxconn", Some(10.0)), ("connections", Some(500.0))]
    );
}

#[test]
fn programs_are_levels_too_and_none_leaves_one_out() {
    let text = r#"
        [[variant]]
        name = "x"
        server = "thin"
        front = "nginx"
        vary = { server = ["thin", { entry = "puma", workers = 2 }], front = ["none", ["nginx", "haproxy"]] }
        except = [{ server = "thin", front = "nginx+haproxy" }]
    "#;
    assert_eq!(
        names(text),
        [
            "x@server=thin,front=none",
            "x@server=puma,front=none",
            "x@server=puma,front=nginx+haproxy"
        ]
    );
    let points = expand(&tables(text), 2).unwrap();
    assert!(!points[0].table.contains_key("front"));
    assert_eq!(points[1].table["server"]["workers"].as_integer(), Some(2));
}

#[test]
fn a_variant_is_like_another_but_for_what_it_sets() {
    let text = r#"
        [[variant]]
        name = "one"
        title = "one worker"
        server = { entry = "gunicorn", workers = 1, threads = 4 }
        route = "/x"
        [[variant]]
        name = "two"
        like = "one"
        set = { "server.workers" = 2, "load.connections" = 5 }
        [[variant]]
        name = "chain"
        like = "two"
        front = ["nginx", "haproxy"]
        set = { "front.1.server-maxconn" = 1 }
    "#;
    let points = expand(&tables(text), 2).unwrap();
    let two = &points[1].table;
    assert_eq!(two["server"]["workers"].as_integer(), Some(2));
    assert_eq!(two["server"]["threads"].as_integer(), Some(4));
    assert_eq!(two["route"].as_str(), Some("/x"));
    assert!(!two.contains_key("title"), "it is another variant");
    let chain = &points[2].table;
    assert_eq!(chain["load"]["connections"].as_integer(), Some(5));
    assert_eq!(chain["front"][1]["server-maxconn"].as_integer(), Some(1));
    assert_eq!(chain["front"][0].as_str(), Some("nginx"));
}

#[test]
fn a_program_of_a_chain_is_a_level_too() {
    let text = r#"
        [[variant]]
        name = "x"
        front = ["nginx", "haproxy"]
        vary = { "front.1" = ["none", "varnish"] }
    "#;
    let points = expand(&tables(text), 2).unwrap();
    let chain = |point: &Point| levels::word(&point.table["front"]).unwrap();
    assert_eq!(chain(&points[0]), "nginx");
    assert_eq!(chain(&points[1]), "nginx+varnish");
}

#[test]
fn ranges_end_where_they_are_told_to() {
    let levels = |text: &str| {
        let table: Table = text.parse().unwrap();
        let levels = Levels::read(&table["x"]).unwrap().all;
        levels
            .into_iter()
            .map(|(level, _)| level.level)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        levels("x = { from = 1, to = 30, step = 10 }"),
        ["1", "11", "21", "30"]
    );
    assert_eq!(
        levels("x = { from = 1, to = 3, points = 9 }"),
        ["1", "2", "3"]
    );
    assert_eq!(levels("x = [true, 0.5, 'a b']"), ["on", "0.5", "a-b"]);
}

#[test]
fn a_range_says_how_many_points_a_run_may_add() {
    let text = r#"
        [[variant]]
        name = "x"
        server = "puma"
        vary = { "server.threads" = [1, 2], "load.connections" = { from = 1, to = 500, points = 5, refine = 4 } }
    "#;
    let points = expand(&tables(text), 2).unwrap();
    assert_eq!(points.len(), 10, "they come later");
    let refine = Refine {
        family: "x".to_owned(),
        factor: "connections".to_owned(),
        path: "load.connections".to_owned(),
        points: 4,
        decided: false,
    };
    assert!(points.iter().all(|point| point.refine == [refine.clone()]));
}

/// Keys of a variant, the key that is named, and what is said of it.
const WRONG: [(&str, &str, &str); 18] = [
    ("vary = 3", "vary", "is not a table of factors"),
    ("vary = { route = [] }", "vary.\"route\"", "has no level"),
    (
        "vary = { route = ['/', '/'] }",
        "vary.\"route\"",
        "has two levels called `/`",
    ),
    (
        "vary = { x = { from = 3, to = 1, step = 1 } }",
        "vary.\"x\"",
        "ends before it begins",
    ),
    (
        "vary = { x = { from = 0, to = 1, points = 3 } }",
        "vary.\"x\"",
        "needs a positive",
    ),
    (
        "vary = { x = { from = 0, to = 9000000000000000000, step = 1 } }",
        "vary.\"x\"",
        "more than a thousand levels",
    ),
    (
        "vary = { x = { from = 1, to = 9, points = 9000000000000000000 } }",
        "vary.\"x\"",
        "more than a thousand levels",
    ),
    (
        "vary = { x = { from = 1, to = 9, points = 2, refine = 3 } }",
        "vary.\"x\"",
        "too few levels to see where a curve turns",
    ),
    (
        "vary = { x = { from = 1, to = 9, step = 1, refine = -1 } }",
        "vary.\"x\"",
        "fewer than none",
    ),
    (
        "front = []\nvary = { 'front.0.maxconn' = [1] }",
        "front.0.maxconn",
        "names no program",
    ),
    (
        "vary = { x = { from = 1, to = 900, step = 1 }, y = { from = 1, to = 900, step = 1 } }",
        "vary",
        "makes more than 10000 variants",
    ),
    (
        "vary = { 'front.maxconn' = [1] }",
        "front.maxconn",
        "the variant has no `front`",
    ),
    (
        "vary = { route = ['/'] }\nexcept = [{ route = '/' }]",
        "vary",
        "leaves no variant",
    ),
    (
        "vary = { route = ['/'] }\nonly = [{ rout = '/' }]",
        "only",
        "nothing there varies by `rout`",
    ),
    ("only = [{ route = '/' }]", "vary", "is missing"),
    ("like = 'y'", "like", "no variant is called `y`"),
    ("like = 'x'", "like", "these variants are like each other"),
    ("set = 1", "set", "is not a table"),
];

#[test]
fn what_makes_no_sense_is_named() {
    let variant = |rest: &str| format!("[[variant]]\nname = \"x\"\nserver = \"puma\"\n{rest}\n");
    for (rest, key, problem) in WRONG {
        let flaw = refused(&variant(rest));
        assert_eq!(flaw.key, key, "{rest}");
        assert!(flaw.problem.contains(problem), "{rest}: {}", flaw.problem);
        assert!(!flaw.hint.is_empty());
    }
}
