//! Journeys that fail, before the load and in it.

use super::*;

#[test]
fn an_error_names_its_line_and_the_user_begins_anew() {
    for (line, wanted) in [
        ("error('no items')", "no items"),
        ("local x = nil + 1", "attempt to perform arithmetic"),
        ("weir.json('{')", "weir.json() was given no JSON: EOF while"),
        ("weir.get()", "the path must be text, not nil"),
        (
            "weir.get('items')",
            "the path `items` does not begin with `/`",
        ),
        ("weir.get('/a b')", "path `/a b` cannot be sent"),
        (
            "weir.get('/', 5)",
            "the headers must be a table, not integer",
        ),
        (
            "weir.get('/', { A = {} })",
            "the header `A` must be text, not table",
        ),
        (
            "weir.get('/', { A = 'a\\nb' })",
            "header value `a\\nb` cannot be sent",
        ),
        ("weir.post('/', {})", "the body must be text, not table"),
        ("weir.request('/')", "weir.request() takes a table"),
        ("weir.sleep(-1)", "weir.sleep() takes a number of seconds"),
        ("weir.sleep('x')", "weir.sleep() takes a number of seconds"),
        ("weir.sleep(0/0)", "weir.sleep() takes a number of seconds"),
        (
            "weir.get('/', nil, 'a')",
            "the name `a` is none of `names = {  }`",
        ),
        (
            "coroutine.wrap(function() weir.get('/') end)()",
            "only user() asks and sleeps",
        ),
    ] {
        let script = journey(&format!(
            "function user()\nweir.get('/first')\n{line}\nweir.get('/never') end"
        ));
        let mut stream = stream(&script);
        for _ in 0..2 {
            assert_eq!(path(&mut *stream, 0), "/first", "{line}");
            hears(&mut *stream, 0, 200, "");
            let why = stream.begin(0, 0).unwrap_err();
            assert!(why.contains("script.lua:3: "), "{line}: {why}");
            assert!(why.contains(wanted), "{line}: {why}");
            assert_eq!(why.lines().count(), 1, "{why}");
        }
        assert!(!stream.is_over());
    }
}

#[test]
fn what_no_user_does_is_told() {
    for (text, wanted) in [
        ("function user() end", "has returned and asked for nothing"),
        (
            "function user() weir.sleep(1) end",
            "has returned and asked for nothing",
        ),
        (
            "function user() coroutine.yield(1) end",
            "must not yield by itself",
        ),
        (
            "names = { 'a' } function user() weir.get('/') end",
            "this request has no name, and is to have one of `names = { \"a\" }`",
        ),
    ] {
        let script = journey(text);
        let why = stream(&script).begin(0, 0).unwrap_err();
        assert!(why.contains(wanted), "{text}: {why}");
    }
    let (_folder, script) = written("\nweir.get('/')\nfunction user() end");
    let told = script.unwrap_err().to_string();
    assert!(told.contains("script.lua:2: only user() asks"), "{told}");
}

#[test]
fn what_is_no_journey_is_refused_before_the_load() {
    for other in ["request", "response", "delay"] {
        let (_folder, script) = written(&format!(
            "function user() weir.get('/') end function {other}() end"
        ));
        let error = script.unwrap_err();
        let wanted = format!("the script defines both `user` and `{other}`");
        assert_eq!(error.to_string(), wanted);
        assert!(error.hint().unwrap().starts_with("keep `user`"));
    }
    for (names, wanted) in [
        ("'login'", "it is not a table"),
        ("{}", "it is empty"),
        ("{ 'a', 2 }", "one of them is not text"),
        ("{ 'a', 'b', 'a' }", "`a` is there twice"),
    ] {
        let (_folder, script) = written(&format!("names = {names} function user() end"));
        let error = script.unwrap_err();
        let told = format!("the script's `names` is no list of names: {wanted}");
        assert_eq!(error.to_string(), told);
        assert!(error.hint().unwrap().contains("names = { \"login\""));
    }
    let (_folder, script) = written("user = 'ann' names = 1");
    assert!(!script.unwrap().is_journey(), "a variable is no function");
}

/// A coroutine does not escape the limit, nor does one that catches errors.
#[test]
fn a_user_that_does_not_come_back_is_ended() {
    for line in [
        "while true do end",
        "while true do weir.sleep(1) end",
        "while true do pcall(function() while true do end end) end",
        "coroutine.wrap(function() while true do end end)()",
    ] {
        let script = journey(&format!("function user()\nweir.get('/first')\n{line}\nend"));
        let mut stream = stream(&script);
        assert_eq!(path(&mut *stream, 1), "/first");
        hears(&mut *stream, 1, 200, "");
        let why = stream.begin(1, 0).unwrap_err();
        assert!(why.contains("has not come back"), "{line}: {why}");
        assert!(stream.is_over(), "its thread asks nothing more");
        assert!(stream.begin(0, 0).is_err());
    }
}

/// The limit is for what is done from one request to the next.
#[test]
fn a_user_may_do_more_than_that_in_all() {
    let script = journey("function user() for n = 1, 200000 do end weir.get('/') end");
    let mut stream = stream(&script);
    for _ in 0..30 {
        path(&mut *stream, 0);
        hears(&mut *stream, 0, 200, "");
    }
    assert!(!stream.is_over());
}
