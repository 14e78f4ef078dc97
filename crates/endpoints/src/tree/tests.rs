use super::*;
use crate::route::DEEPEST;

fn tree(paths: impl IntoIterator<Item = String>) -> Tree {
    let mut tree = Tree::default();
    for path in paths {
        tree.add(0, &Entry::once().of("GET", &path), None);
    }
    tree
}

/// A tree of paths that were asked for, each with the status of its response.
fn answered(requests: impl IntoIterator<Item = (String, u16)>) -> Tree {
    let mut tree = Tree::default();
    for (path, status) in requests {
        let entry = Entry {
            status: Some(status),
            ..Entry::once().of("GET", &path)
        };
        tree.add(0, &entry, None);
    }
    tree
}

/// A name of its own for each number, which does not look like a value.
fn letters(number: u32) -> String {
    let digits = number.to_string();
    digits
        .bytes()
        .map(|of| char::from(b'a' + of - b'0'))
        .collect()
}

/// Routes with how often they were asked for, in order.
fn routes(tree: &Tree) -> Vec<(String, u64)> {
    let all = tree.endpoints().into_iter();
    let mut all: Vec<_> = all
        .map(|(route, leaf)| (route, leaf.totals[0].count))
        .collect();
    all.sort();
    all
}

fn named(expected: &[(&str, u64)]) -> Vec<(String, u64)> {
    expected
        .iter()
        .map(|(route, count)| ((*route).to_owned(), *count))
        .collect()
}

#[test]
fn numbers_are_one_route_and_names_are_several() {
    let paths = [
        "/",
        "/users/1/posts",
        "/users/22/posts",
        "/users/me/posts",
        "/users/1",
    ];
    let expected = [
        ("/", 1),
        ("/users/me/posts", 1),
        ("/users/{}", 1),
        ("/users/{}/posts", 2),
    ];
    assert_eq!(routes(&tree(paths.map(str::to_owned))), named(&expected));
}

#[test]
fn too_many_names_are_values_and_what_came_before_is_counted_with_them() {
    let names = (0..100).map(|number| {
        format!(
            "/of/user-{}/x",
            char::from(b'a' + (number % 26))
                .to_string()
                .repeat(1 + number as usize)
        )
    });
    assert_eq!(routes(&tree(names)), named(&[("/of/{}/x", 100)]));
}

#[test]
fn memory_is_bounded_whatever_comes() {
    let wide = (0..20_000).map(|number| {
        format!(
            "/{}/{}/{}",
            letters(number % 120),
            letters(number % 31),
            letters(number / 31 % 29)
        )
    });
    let found = tree(wide);
    let all = routes(&found);
    assert!(all.len() <= MOST + 1, "{}", all.len());
    assert_eq!(all.iter().map(|(_, count)| count).sum::<u64>(), 20_000);
    assert!(all.iter().any(|(route, _)| route == OTHERS));
    let deep = tree([format!("/{}", "a/".repeat(1_000))]);
    assert_eq!(routes(&deep)[0].0.matches('/').count(), DEEPEST + 1);
    assert!(routes(&deep)[0].0.ends_with("/**"));
}

#[test]
fn what_is_a_route_stays_as_it_is() {
    let mut found = Tree::default();
    for name in ["shop.cart.7", "/users/{id}"] {
        let entry = Entry {
            path: name.into(),
            is_route: true,
            ..Entry::once()
        };
        found.add(1, &entry, None);
    }
    let all: Vec<_> = found
        .endpoints()
        .into_iter()
        .map(|(route, _)| route)
        .collect();
    assert_eq!(all, ["/users/{id}", "shop.cart.7"]);
}

#[test]
fn what_a_scanner_asks_for_merges_no_routes() {
    let asked = (0..500).flat_map(|number| {
        let scanned = format!("/{}.php", letters(number));
        let within = format!("/page-a/{}.php", letters(number));
        let page = format!("/page-{}", letters(number % 3));
        [(scanned, 404), (within, 405), (page, 200)]
    });
    let expected = [
        (NOT_FOUND, 1_000),
        ("/page-a", 167),
        ("/page-b", 167),
        ("/page-c", 166),
    ];
    let found = answered(asked);
    assert_eq!(routes(&found), named(&expected));
    assert_eq!(found.endpoints, 4);
}

#[test]
fn what_is_missing_has_a_name_where_it_was_asked_for_often_and_there_is_room() {
    let few = [("/new", 404), ("/gone", 404), ("/new", 200)];
    let few = few.map(|(path, status)| (path.to_owned(), status));
    let often = (0..OFTEN).map(|_| ("/favicon".to_owned(), 404));
    let expected = [(NOT_FOUND, 1), ("/favicon", OFTEN), ("/new", 2)];
    assert_eq!(routes(&answered(often.chain(few))), named(&expected));
    let all = (0..1_000).map(|number| (format!("/{}", letters(number)), 404));
    let expected = [(NOT_FOUND, 1_000)];
    assert_eq!(routes(&answered(all.clone())), named(&expected));
    // where there is none, what is found later is a route from then on
    let late = [404, 200, 404].map(|status| ("/late".to_owned(), status));
    let expected = [(NOT_FOUND, 1_001), ("/late", 2)];
    assert_eq!(routes(&answered(all.chain(late))), named(&expected));
}

/// Those that had no room, and those that have no name for it, are one; the first path is the example.
#[test]
fn what_was_never_found_is_one_route_for_each_method() {
    let mut found = answered([("/b".to_owned(), 404), ("/a".to_owned(), 410)]);
    let entry = Entry {
        status: Some(405),
        ..Entry::once().of("POST", "/a")
    };
    found.add(1, &entry, None);
    let all: Vec<_> = found
        .endpoints()
        .into_iter()
        .map(|(route, leaf)| {
            let counts = leaf.totals.clone().map(|totals| totals.count);
            (
                route,
                leaf.method.to_string(),
                leaf.example.to_string(),
                counts,
            )
        })
        .collect();
    let of = |method: &str, counts| {
        (
            NOT_FOUND.to_owned(),
            method.to_owned(),
            "/a".to_owned(),
            counts,
        )
    };
    assert_eq!(all, [of("GET", [2, 0]), of("POST", [0, 1])]);
    assert_eq!(found.endpoints, 3, "the tree stays as it is");
}

#[test]
fn a_value_that_is_missing_is_of_its_route() {
    let users = (0..200).map(|number| {
        let status = if number % 2 == 0 { 200 } else { 404 };
        (format!("/users/{number}"), status)
    });
    let scanned = (0..200).map(|number| (format!("/{}", letters(number)), 404));
    let expected = [(NOT_FOUND, 200), ("/users/{}", 200)];
    assert_eq!(routes(&answered(users.chain(scanned))), named(&expected));
}

#[test]
fn long_texts_are_cut() {
    let long = ["x".repeat(100_000), "y".repeat(300)];
    let found = tree(long.map(|name| format!("/a/{name}")));
    assert_eq!(routes(&found), named(&[("/a/{}", 2)]));
    let mut found = Tree::default();
    let (path, method) = ("ü".repeat(1_000), "M".repeat(1_000));
    for is_route in [false, true, true] {
        let entry = Entry {
            method: method.as_str().into(),
            path: path.as_str().into(),
            is_route,
            ..Entry::once()
        };
        found.add(0, &entry, None);
    }
    let counts: Vec<_> = routes(&found).into_iter().map(|(_, count)| count).collect();
    assert_eq!(counts, [1, 2]);
    for (route, leaf) in found.endpoints() {
        assert!(route.len() <= LONGEST && leaf.method.len() <= LONGEST);
        assert!(leaf.example.ends_with('…'), "{}", leaf.example);
        assert!(leaf.example.len() <= LONGEST + '…'.len_utf8());
    }
}
