use super::*;

#[test]
fn an_answer_changes_what_is_asked() {
    let script = open("token.lua", 1);
    let mut stream = stream(&script);
    assert!(stream.reads());
    let first = begin(&mut *stream, 0);
    assert!(first.starts_with("GET /login HTTP/1.1\r\n"), "{first}");
    assert!(first.contains("\r\nHost: 127.0.0.1:8000\r\n"), "{first}");
    assert!(first.contains("\r\nX-Given: yes\r\n"), "{first}");
    answer(
        &mut *stream,
        0,
        200,
        "Server: x\r\nX-Token:  secret \r\n\r\n",
    );
    let second = begin(&mut *stream, 0);
    assert!(second.starts_with("GET /private HTTP/1.1\r\n"), "{second}");
    assert!(second.contains("\r\nX-Token: secret\r\n"), "{second}");
}

#[test]
fn every_request_differs() {
    let script = open("numbered.lua", 2);
    let mut stream = stream(&script);
    assert!(!stream.reads(), "no response(), no copies");
    // the first was asked for to see how many it holds, as wrk does on its first thread
    for number in 1..4 {
        let made = begin(&mut *stream, 0);
        assert!(made.starts_with(&format!("GET /item/{number} ")), "{made}");
        assert!(
            made.contains(&format!("\r\nX-Number: {number}\r\n")),
            "{made}"
        );
        answer(&mut *stream, 0, 200, "");
    }
    let mut other = script.stream(1, 2, 1).unwrap();
    let made = begin(&mut *other, 0);
    assert!(
        made.starts_with("GET /item/0 "),
        "a state of its own: {made}"
    );
}

#[test]
fn delays_are_in_milliseconds() {
    let script = open("patient.lua", 1);
    let mut stream = stream(&script);
    for _ in 0..20 {
        let asked = stream.begin(0, 0).unwrap();
        assert!(
            (10_000_000..=50_000_000).contains(&asked.delay),
            "{}",
            asked.delay
        );
        assert_eq!(asked.delay % 1_000_000, 0);
        assert_eq!(asked.what, What::Prepared(0));
    }
}

#[test]
fn whatever_number_a_delay_is_it_fits_the_clock() {
    for (text, wanted) in [
        ("math.huge", 1_000_000_000_000_000_000),
        ("1e300", 1_000_000_000_000_000_000),
        ("0", 0),
        ("-1", 0),
        ("0/0", 0),
    ] {
        let (_folder, script) = written(&format!("function delay() return {text} end"));
        let mut stream = stream(&script.unwrap());
        assert_eq!(stream.begin(0, 0).unwrap().delay, wanted, "{text}");
    }
}

#[test]
fn several_requests_at_once_are_taken_apart() {
    let script = open("three.lua", 1);
    assert_eq!(script.depth(), 3);
    let mut stream = stream(&script);
    assert!(begin(&mut *stream, 2).starts_with("GET /?one "));
    assert!(!stream.begins(2) && stream.begins(1));
    let second = text(&stream.follow(2).unwrap().what);
    assert!(
        second.starts_with("POST /?two ") && second.ends_with("\r\n\r\na=b"),
        "{second}"
    );
    assert!(text(&stream.follow(2).unwrap().what).starts_with("GET /?three "));
    assert_eq!(stream.follow(2), None);
    assert!(answer(&mut *stream, 2, 200, "").is_empty());
    assert!(answer(&mut *stream, 2, 200, "").is_empty());
    assert!(!stream.begins(2));
    assert_eq!(answer(&mut *stream, 2, 200, ""), [2]);
    assert!(stream.begins(2));
    assert_eq!(global::<u32>(script.state(0), "answers"), 3);
}

#[test]
fn what_was_to_follow_is_lost_with_the_connection() {
    let script = open("three.lua", 1);
    let mut stream = stream(&script);
    begin(&mut *stream, 0);
    assert_eq!(answer(&mut *stream, 0, 0, ""), [0]);
    assert!(stream.begins(0));
    assert_eq!(stream.follow(0), None);
    assert_eq!(
        global::<u32>(script.state(0), "answers"),
        0,
        "there was no answer"
    );
    begin(&mut *stream, 0);
    stream.restart();
    assert!(stream.begins(0));
    assert_eq!(stream.follow(0), None);
}

#[test]
fn the_same_request_is_made_ready_once() {
    let script = open("form.lua", 2);
    let prepared = script.prepared();
    assert_eq!(prepared.len(), 2);
    assert_eq!(prepared[0].method, "POST");
    assert_eq!(prepared[0].path, "/start?a=b");
    assert_eq!(prepared[0].body, b"name=value&other=thing");
    let mut headers = prepared[0].headers.clone();
    headers.sort();
    let wanted = [
        ("Content-Length", "22"),
        ("Content-Type", "application/x-www-form-urlencoded"),
        ("X-Given", "yes"),
    ];
    assert_eq!(
        headers,
        wanted.map(|(name, value)| (name.to_owned(), value.to_owned()))
    );
    let mut second = script.stream(1, 2, 1).unwrap();
    assert_eq!(second.begin(0, 0).unwrap().what, What::Prepared(1));
}

#[test]
fn a_thread_that_stops_itself_asks_no_more() {
    let script = open("enough.lua", 2);
    let mut stream = stream(&script);
    for _ in 0..3 {
        assert!(stream.begins(0) && stream.begins(3));
        stream.begin(0, 0).unwrap();
        answer(&mut *stream, 0, 200, "");
    }
    assert!(!stream.begins(0) && !stream.begins(3));
    assert!(stream.begin(0, 0).unwrap_err().contains("stopped"));
    assert!(
        script.stream(1, 2, 1).unwrap().begins(0),
        "the other thread goes on"
    );
}

#[test]
fn threads_have_addresses() {
    let (_listener, address) = listener();
    let mut options = options(ours("elsewhere.lua"), 2);
    options.authority = address.to_string();
    options.target = Target::Tcp(address);
    let script = Script::open(&options).unwrap();
    assert_eq!(script.warnings(), [""; 0]);
    assert_eq!(
        global::<String>(script.state(1), "where"),
        address.to_string()
    );

    options.target = Target::Tcp(([127, 0, 0, 1], 1).into());
    let script = Script::open(&options).unwrap();
    let warning = format!(
        "the script sets a thread's address to `{address}`; all threads load `127.0.0.1:1`"
    );
    assert_eq!(script.warnings(), [warning]);
}

/// A plain load would pass for that of the script.
#[test]
fn what_nobody_calls_is_told() {
    for (text, wanted) in [
        ("function usr(n) weir.get('/') end", "did you mean `user`?"),
        (
            "function respones() end wrk.method = 'PUT'",
            "did you mean `response`?",
        ),
        (
            "local function request() return 'GET /' end",
            "the script changes nothing of the load",
        ),
        (
            "wrk.headers['X-Given'] = 'yes'",
            "the script changes nothing of the load",
        ),
    ] {
        let (_folder, script) = written(text);
        let script = script.unwrap();
        let [warning] = script.warnings() else {
            panic!("{text}: {:?}", script.warnings());
        };
        assert!(warning.contains(wanted), "{text}: {warning}");
    }
    for sound in [
        "wrk.method = 'PUT'",
        "wrk.body = 'a=b'",
        "wrk.headers['X-Other'] = 'yes'",
        "function done() end",
        "function set() end function play() end function request() return wrk.format() end",
    ] {
        let (_folder, script) = written(sound);
        assert_eq!(script.unwrap().warnings(), [""; 0], "{sound}");
    }
}

#[test]
fn modules_are_found_beside_the_script() {
    let folder = testkit::temp_dir();
    std::fs::write(
        folder.path().join("helper.lua"),
        "return { path = '/from-helper' }",
    )
    .unwrap();
    let file = folder.path().join("script.lua");
    let text =
        "#!/usr/bin/env wrk\nwrk.path = require('helper').path; assert(require('wrk') == wrk)";
    std::fs::write(&file, text).unwrap();
    let script = Script::open(&options(file, 1)).unwrap();
    assert_eq!(script.prepared()[0].path, "/from-helper");
}

#[test]
fn the_table_is_filled_from_the_url() {
    let (_folder, script) = written(
        "seen = table.concat({ wrk.scheme, wrk.host, wrk.port, wrk.path, wrk.method, \
         wrk.headers['X-Given'], tostring(wrk.body), tostring(wrk.thread) }, ' ')",
    );
    let seen: String = global(script.unwrap().state(0), "seen");
    assert_eq!(seen, "http 127.0.0.1 8000 /start?a=b GET yes nil nil");
}

#[test]
fn a_function_may_come_and_go_while_it_runs() {
    let (_folder, script) = written(
        "function request() return wrk.format('GET', '/first') end \
         function response() request = nil end",
    );
    let script = script.unwrap();
    let mut stream = stream(&script);
    assert!(begin(&mut *stream, 0).starts_with("GET /first "));
    answer(&mut *stream, 0, 200, "");
    assert!(begin(&mut *stream, 0).starts_with("GET /start?a=b "));
}

/// A server passes over them, and whoever asks with `HEAD` waits for no body.
#[test]
fn empty_lines_before_a_request_are_no_part_of_it() {
    let (_folder, script) = written(
        "function request() return '\\r\\nHEAD /one HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n' .. \
         '\\r\\n\\r\\nHEAD /two HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n' end",
    );
    let script = script.unwrap();
    assert_eq!(script.depth(), 2);
    let mut stream = stream(&script);
    let first = begin(&mut *stream, 0);
    assert!(first.starts_with("HEAD /one HTTP/1.1\r\n"), "{first:?}");
    let second = text(&stream.follow(0).unwrap().what);
    assert!(second.starts_with("HEAD /two HTTP/1.1\r\n"), "{second:?}");
}
