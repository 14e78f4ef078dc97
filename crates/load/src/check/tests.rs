use std::ops::Range;

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

#[test]
fn what_stands_in_times_may_be_other_numbers_in_any_pieces() {
    // the times in `at 10:01, until 11:30.`
    let told = |found: &str| told("at 10:01, until 11:30.", &[3..8, 16..21], found);
    assert_eq!(told("at 10:01, until 11:30."), Ok(()));
    assert_eq!(told("at 23:59, until 00:00."), Ok(()));
    assert_eq!(
        told("at 9:59, until 100:00."),
        Ok(()),
        "numbers may be longer and shorter"
    );
    for (found, words) in [
        ("at 10:02, Until 11:30.", "differs at byte 10: "),
        ("at 10:02, until 11:30!", "differs at byte 21: "),
        ("at 10:02, until 11:30.?", "differs at byte 22: "),
        ("at 10:02, until 11:30", "21 bytes where 22 were expected"),
        ("at 9:59, unti", "13 bytes where 21 were expected"),
        // what one text has more, another one has not
        ("at 9:59, until 11:30.?", "differs at byte 22: "),
        ("at 100:01, unti 11:30.", "differs at byte 14: "),
        ("at noon!, until 11:30.", "differs at byte 3: "),
        ("at 10.01, until 11:30.", "differs at byte 5: "),
        ("at 10:, until 11:30.", "differs at byte 6: "),
    ] {
        let said = told(found).unwrap_err();
        assert!(said.starts_with(words), "{said}");
    }
}

/// What is said of a body where one with these times is expected: the same in any pieces.
#[track_caller]
fn told(whole: &str, times: &[Range<usize>], found: &str) -> Result<(), String> {
    let body = || Body::But(whole.into(), times.to_vec());
    let sizes = 1..=found.len();
    let said = sizes.map(|size| {
        let pieces: Vec<&[u8]> = found.as_bytes().chunks(size).collect();
        judge(body(), &pieces)
    });
    let said: Vec<_> = said.collect();
    assert!(said.iter().all(|of| *of == said[0]), "{said:?}");
    said[0].clone()
}

#[test]
fn a_date_may_have_other_names_and_numbers_and_no_other_signs() {
    let date = "<i>Mon, 30 Nov 2026 09:51:29.25 GMT</i>";
    let told = |found: &str| {
        told(
            date,
            std::slice::from_ref(&(3..35)),
            &format!("<i>{found}</i>"),
        )
    };
    assert_eq!(told("Tue, 1 Dec 2026 00:00:00.125 GMT"), Ok(()));
    for other in [
        "Tuesday, 1 Dec 2026 00:00:00.125 GMT",
        "Tue,  1 Dec 2026 00:00:00.125 GMT",
        "Tue, 1 Dec 2026 00:00:00 GMT",
        "Tue, 1 Dec 2026 00:00:00.125 CEST",
    ] {
        assert!(told(other).is_err(), "{other}");
    }
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

/// There is one for each of many connections, and each answer begins by clearing it.
#[test]
fn what_most_answers_need_fits_into_a_line_of_the_cache() {
    assert!(size_of::<Progress>() <= 64);
    let exact = Body::Exact(b"ok".to_vec());
    let check = Check::new(&Expected::new(Status::Is(200), exact), false).unwrap();
    let mut progress = Progress::default();
    progress.expect(true, false);
    check.head(&mut progress, 200, b"server: x\r\n");
    check.piece(&mut progress, b"ok");
    assert_eq!(check.verdict(&progress), Ok(()));
    assert!(progress.known().is_none(), "{progress:?}");
}

/// What was kept of an answer is not that of the next one.
#[test]
fn of_a_wrong_answer_nothing_is_left_for_the_next() {
    let exact = Body::Exact(b"right".to_vec());
    let check = Check::new(&Expected::new(Status::Is(200), exact), true).unwrap();
    let mut progress = Progress::default();
    let mut told = |body: &[u8]| {
        progress.clear();
        progress.expect(true, false);
        check.head(&mut progress, 200, b"a: b\r\n");
        check.piece(&mut progress, body);
        assert_eq!(
            (progress.fields(), progress.body()),
            (&b"a: b\r\n"[..], body)
        );
        progress.complain(b"why");
        assert_eq!(progress.complaint(), "; stderr: `why`");
        check.describe(&progress)
    };
    let wrong = "differs at byte 0: `wrong` where `right` was expected; stderr: `why`";
    assert_eq!([told(b"wrong"), told(b"wrong")], [wrong, wrong]);
}

#[test]
fn excerpts_are_one_line() {
    assert_eq!(excerpt(b"a \"b\"\n\x00\xff"), "a \"b\"\\n\\0\u{fffd}");
    // between backticks it is what it says, in a terminal and where these quote
    assert_eq!(excerpt(b"`![a](b)`"), "'![a](b)'");
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
