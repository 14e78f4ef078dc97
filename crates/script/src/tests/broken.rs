use super::*;

/// What opening a script complains about.
fn complaint(text: &str) -> String {
    let (_folder, script) = written(text);
    let error = script.expect_err(text);
    assert!(error.hint().is_some());
    let told = error.to_string();
    assert_eq!(told.lines().count(), 1, "{told}");
    told
}

#[test]
fn errors_before_the_load_name_file_and_line() {
    for (text, wanted) in [
        ("\nx = = 1", "the script fails when it is read: `"),
        (
            "local x = nil\nx.y = 1",
            "the script fails when it is read: `",
        ),
        (
            "\nfunction setup(thread) thread:set('x', print) end",
            "the script fails in setup(): `",
        ),
        (
            "\nfunction setup(thread) thread.addr = 3 end",
            "the script fails in setup(): `",
        ),
        (
            "\nfunction init() error('no') end",
            "the script fails in init(): `",
        ),
        (
            "\nfunction request() return nil + 1 end",
            "the script fails in request(): `",
        ),
        (
            "\nwrk.lookup('127.0.0.1', 'no-such-service')",
            "the script fails when it is read: `",
        ),
    ] {
        let told = complaint(text);
        assert!(told.starts_with(wanted), "{told}");
        assert!(told.contains("script.lua:2: "), "{told}");
    }
    assert!(complaint("function request() return 3 end").contains("not a"));
    assert!(complaint("require('cjson')").contains("cjson"));
    let missing = Script::open(&options("no/such.lua".into(), 1)).unwrap_err();
    assert!(
        missing
            .to_string()
            .starts_with("cannot read the script `no/such.lua`")
    );
}

#[test]
fn what_is_no_request_is_refused() {
    let told = |text: &str| complaint(&format!("function request() return '{text}' end"));
    assert!(told(r"GET / HTTP/1.1\r\nHost: a\r\n").ends_with("incomplete request at `3:1` of it"));
    let short = told(r"POST / HTTP/1.1\r\nContent-Length: 4\r\n\r\nabc");
    assert!(
        short.ends_with("incomplete request at `4:4` of it"),
        "{short}"
    );
    assert!(told(r"GET / HTTP/1.1\r\n\r\nGARBAGE").contains("at `3:"));
    assert!(told("").contains("incomplete request at `1:1`"));
}

#[test]
fn a_table_that_holds_itself_is_refused() {
    let told = complaint("function setup(t) local x = {}; x.x = x; t:set('x', x) end");
    assert!(told.contains("holds itself"), "{told}");
}

#[test]
fn errors_in_the_load_fail_one_request() {
    let (_folder, script) = written(
        "n = 0\nfunction request() n = n + 1\nif n == 2 then error('two') end\n\
         return n == 3 and 'GET /' or wrk.format() end\n\
         function response(status) if status == 500 then\nlocal x = nil + 1 end end\n\
         function delay() return n == 6 and {} or '7' end",
    );
    let script = script.unwrap();
    let mut stream = stream(&script);
    let failure = |stream: &mut dyn RequestStream| stream.begin(0, 0).unwrap_err();
    assert!(failure(&mut *stream).ends_with("script.lua:3: two"));
    let broken = failure(&mut *stream);
    assert_eq!(
        broken,
        "what request() returned is no request: incomplete request at 1:6"
    );
    assert_eq!(stream.begin(0, 0).unwrap().delay, 7_000_000);
    answer(&mut *stream, 0, 500, "");
    assert!(failure(&mut *stream).contains("script.lua:6: attempt to perform arithmetic"));
    begin(&mut *stream, 0);
    begin(&mut *stream, 0);
    assert!(failure(&mut *stream).starts_with("delay() must return a number"));
}

#[test]
fn a_failing_done_is_told() {
    let (_folder, script) = written("\nfunction done(summary) return summary.no.such end");
    let error = script
        .unwrap()
        .finish(&record::LoadFacts::default())
        .unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("the script fails in done(): `"),
        "{error}"
    );
    assert!(error.to_string().contains("script.lua:2: "), "{error}");
}

#[test]
fn another_number_of_threads_is_refused() {
    let script = open("form.lua", 2);
    let refused = script.stream(0, 3, 1).map(|_| ()).unwrap_err();
    assert_eq!(refused, "the script was set up for 2 threads, not 3");
}

#[test]
fn chunked_requests_have_an_end() {
    let chunked =
        b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX: y\r\n\r\n";
    let ends = |bytes: &[u8]| crate::pieces::ends(bytes).map_err(|broken| broken.what);
    assert_eq!(ends(chunked), Ok(vec![chunked.len()]));
    let twice = [chunked.as_slice(), chunked, b"\r\n"].concat();
    assert_eq!(ends(&twice), Ok(vec![chunked.len(), twice.len()]));
    for cut in 1..chunked.len() {
        assert_eq!(
            ends(&chunked[..cut]),
            Err("incomplete request".to_owned()),
            "{cut}"
        );
    }
    let huge = b"POST / HTTP/1.1\r\nContent-Length: 18446744073709551615\r\n\r\n";
    assert!(ends(huge).is_err());
    let huge = b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n";
    assert!(ends(huge).is_err());
}
