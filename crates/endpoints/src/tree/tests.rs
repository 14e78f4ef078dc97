use super::*;

fn tree(paths: impl IntoIterator<Item = String>) -> Tree {
    let mut tree = Tree::default();
    for path in paths {
        tree.add(0, &Entry::once().of("GET", &path), None);
    }
    tree
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
    let letters = |number: u32| -> String {
        let digits = number.to_string();
        digits
            .bytes()
            .map(|of| char::from(b'a' + of - b'0'))
            .collect()
    };
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
