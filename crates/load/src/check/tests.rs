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
        Err("differs from byte 6 on: `hello World`".into())
    );
    assert_eq!(
        judge(exact(), &[b"hello ", b"wOrld"]),
        Err("differs from byte 7 on: `hello wOrld`".into())
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
        Err("differs from byte 11 on: `hello world!`".into())
    );
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
