use super::*;

fn judge(body: Body, pieces: &[&[u8]]) -> Result<(), String> {
    let check = Check::new(&Expected::new(Status::Is(200), body), false).unwrap();
    let mut progress = Progress::default();
    progress.expect(true, false);
    check.head(&mut progress, 200, b"");
    for piece in pieces {
        check.piece(&mut progress, piece);
    }
    check
        .verdict(&progress)
        .map_err(|_| check.describe(&progress))
}

#[test]
fn exact_bodies_in_any_pieces() {
    let exact = || Body::Exact(b"hello world".to_vec());
    assert_eq!(judge(exact(), &[b"hello world"]), Ok(()));
    assert_eq!(judge(exact(), &[b"hel", b"", b"lo ", b"world"]), Ok(()));
    assert_eq!(
        judge(exact(), &[b"hello World"]),
        Err("differs at byte 6: `hello World` where `hello world` was expected".into())
    );
    assert_eq!(
        judge(exact(), &[b"hello ", b"wOrld"]),
        Err("differs at byte 7: `hello wOrld` where `hello world` was expected".into())
    );
    assert_eq!(
        judge(exact(), &[b"hello"]),
        Err("5 bytes where 11 were expected: `hello`".into())
    );
    assert_eq!(
        judge(exact(), &[]),
        Err("0 bytes where 11 were expected: ``".into())
    );
    assert_eq!(
        judge(exact(), &[b"hello world", b"!"]),
        Err("differs at byte 11: `hello world!` where `hello world` was expected".into())
    );
}

/// A page may be long, and differ at its end.
#[test]
fn what_differs_is_shown_where_it_does_in_any_pieces() {
    let (wanted, found) = (
        "x".repeat(9_000) + "500 rows in 1 table",
        "x".repeat(9_000) + "1 table",
    );
    for size in [1, 7, 9_000, 20_000] {
        let pieces: Vec<&[u8]> = found.as_bytes().chunks(size).collect();
        let said = judge(Body::Exact(wanted.clone().into()), &pieces).unwrap_err();
        let before = "x".repeat(BEFORE);
        assert_eq!(
            said,
            format!(
                "differs at byte 9000: `{before}1 table` where `{before}500 rows in 1 table` was expected"
            )
        );
    }
}

#[test]
fn parts_are_found_across_any_cut() {
    let body = b"<h1>Guestbook</h1><p>entries</p>";
    let parts = || {
        Body::Contains(vec![
            b"Guestbook".to_vec(),
            b"<p>entries".to_vec(),
            b">".to_vec(),
        ])
    };
    for size in 1..=body.len() {
        let pieces: Vec<&[u8]> = body.chunks(size).collect();
        assert_eq!(judge(parts(), &pieces), Ok(()), "pieces of {size}");
    }
    let wrong = judge(parts(), &[b"<h1>Guest", b"-book</h1><p>entries"]);
    assert_eq!(
        wrong,
        Err("without `Guestbook`: `<h1>Guest-book</h1><p>entries`".into())
    );
}

#[test]
fn no_parts_and_empty_parts_are_contained() {
    assert_eq!(judge(Body::Contains(vec![]), &[b"x"]), Ok(()));
    assert_eq!(judge(Body::Contains(vec![vec![]]), &[b"x"]), Ok(()));
}

#[test]
fn excerpts_are_one_line() {
    assert_eq!(excerpt(b"a \"b\"\n\x00\xff"), "a \"b\"\\n\\0\u{fffd}");
}

/// A page of an error is told in its own words, without its tags.
#[test]
fn another_status_is_told_with_what_its_page_says() {
    let told = |status: u16, body: &[u8]| {
        let check = Check::new(&Expected::new(Status::Is(200), Body::Any), false).unwrap();
        let mut progress = Progress::default();
        progress.expect(true, false);
        check.head(&mut progress, status, b"");
        check.piece(&mut progress, body);
        check.describe(&progress)
    };
    let page = b"<!doctype html>\n<html lang=en>\n<title>404 Not Found</title>\n<h1>Not Found</h1>";
    let status = "status 404 where 200 was expected";
    assert_eq!(told(404, page), format!("{status}: `404 Not Found`"));
    assert_eq!(told(404, b"gone\nfor good"), format!("{status}: `gone`"));
    assert_eq!(told(404, b"<html>\n<body>"), status);
}
