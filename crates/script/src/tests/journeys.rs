mod broken;

use load::{Asked, Request};

use super::*;

/// A journey of this text.
fn journey(text: &str) -> Script {
    let (_folder, script) = written(text);
    script.unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// What a connection asks next.
fn asks(stream: &mut dyn RequestStream, connection: usize) -> (Request, Asked) {
    let asked = stream.begin(connection, 0).unwrap();
    match &asked.what {
        What::Request(request) => (request.as_ref().clone(), asked),
        other => panic!("{other:?} is no request that was made now"),
    }
}

fn path(stream: &mut dyn RequestStream, connection: usize) -> String {
    asks(stream, connection).0.path
}

fn hears(stream: &mut dyn RequestStream, connection: usize, status: u16, body: &str) {
    let heard = Heard {
        name: 0,
        status,
        fields: b"Set-Cookie: a=1\r\nX-Token:  old\r\nX-Token: new\r\n\r\n",
        body: body.as_bytes(),
        right: status == 200,
        now: 0,
    };
    let mut wake = Vec::new();
    assert_eq!(stream.heard(connection, &heard, &mut wake), None);
    assert!(wake.is_empty());
}

const LOGIN: &str = "function user(number)
  local answer = weir.post('/login', '{\"id\":' .. number .. '}', { ['Content-Type'] = 'application/json' })
  local token = weir.json(answer.body).token
  weir.get('/items', { Authorization = 'Bearer ' .. token })
end";

#[test]
fn what_a_response_says_is_in_the_next_request() {
    let script = journey(LOGIN);
    assert!(script.is_journey());
    assert_eq!(script.depth(), 1);
    assert_eq!(script.names(), ["script.lua"]);
    assert!(script.prepared().is_empty());
    let mut stream = stream(&script);
    assert!(stream.reads() && stream.begins(0));
    for _ in 0..2 {
        let (login, asked) = asks(&mut *stream, 0);
        let own = ("Content-Type".to_owned(), "application/json".to_owned());
        let common = ("X-Given".to_owned(), "yes".to_owned());
        assert_eq!(
            login,
            Request {
                method: "POST".to_owned(),
                path: "/login".to_owned(),
                headers: vec![own, common.clone()],
                body: b"{\"id\":1}".to_vec(),
            }
        );
        assert_eq!((asked.name, asked.expected, asked.delay), (0, 0, 0));
        hears(&mut *stream, 0, 200, "{\"token\":\"t1\"}");
        let (items, _) = asks(&mut *stream, 0);
        assert_eq!((&*items.method, &*items.path), ("GET", "/items"));
        let own = ("Authorization".to_owned(), "Bearer t1".to_owned());
        assert_eq!(items.headers, [own, common]);
        hears(&mut *stream, 0, 200, "");
    }
}

#[test]
fn users_of_a_thread_do_not_mix() {
    let script = journey(LOGIN);
    let mut stream = stream(&script);
    for connection in [0, 2, 1] {
        let id = format!("{{\"id\":{}}}", connection + 1);
        assert_eq!(asks(&mut *stream, connection).0.body, id.as_bytes());
    }
    for connection in [2, 1, 0] {
        let token = format!("{{\"token\":\"t{connection}\"}}");
        hears(&mut *stream, connection, 200, &token);
    }
    for connection in [1, 0, 2] {
        let (items, _) = asks(&mut *stream, connection);
        assert_eq!(items.headers[0].1, format!("Bearer t{connection}"));
    }
}

#[test]
fn each_user_has_a_number_of_its_own() {
    let folder = testkit::temp_dir();
    let file = folder.path().join("script.lua");
    let text = "function user(number) while true do weir.get('/' .. number) end end";
    std::fs::write(&file, text).unwrap();
    let script = Script::open(&options(file, 3)).unwrap();
    let mut numbers = Vec::new();
    // as the engine shares seven connections out
    for (worker, connections) in [(0, 3), (1, 2), (2, 2)] {
        let mut stream = script.stream(worker, 3, connections).unwrap();
        for connection in 0..connections {
            let first = path(&mut *stream, connection);
            hears(&mut *stream, connection, 200, "");
            assert_eq!(path(&mut *stream, connection), first, "it keeps its number");
            numbers.push(first);
        }
    }
    numbers.sort();
    assert_eq!(numbers, ["/1", "/2", "/3", "/4", "/5", "/6", "/7"]);
}

#[test]
fn a_new_phase_and_a_new_load_begin_with_new_users() {
    let script = journey("function user() weir.get('/1') weir.get('/2') end");
    let mut first = stream(&script);
    assert_eq!(path(&mut *first, 0), "/1");
    hears(&mut *first, 0, 200, "");
    first.restart();
    assert_eq!(path(&mut *first, 0), "/1");
    hears(&mut *first, 0, 200, "");
    assert_eq!(path(&mut *first, 0), "/2");
    assert_eq!(path(&mut *stream(&script), 0), "/1");
}

#[test]
fn a_sleep_delays_the_next_request_even_of_the_next_turn() {
    let script = journey(
        "function user() weir.sleep(0.25) weir.sleep(1) weir.get('/a') weir.get('/b') weir.sleep(2) end",
    );
    let mut stream = stream(&script);
    for wanted in [1_250_000_000, 0, 3_250_000_000, 0] {
        assert_eq!(asks(&mut *stream, 0).1.delay, wanted);
        hears(&mut *stream, 0, 200, "");
    }
    for endless in ["math.huge", "1e300"] {
        let script = journey(&format!(
            "function user() weir.sleep({endless}) weir.get('/') end"
        ));
        let delay = asks(&mut *super::stream(&script), 0).1.delay;
        assert_eq!(delay, 1_000_000_000_000_000_000, "as long as a clock goes");
    }
}

#[test]
fn requests_have_the_names_that_the_script_declares() {
    let script = journey(
        "names = { 'login', 'items' }
         function user()
           weir.get('/i', nil, 'items')
           weir.post('/l', 'a=b', {}, 'login')
           weir.request{ method = 'PUT', path = '/i', body = 7, headers = { ['X-Given'] = 5 }, name = 'items' }
           weir.get('/', nil, 'logout')
         end",
    );
    assert_eq!(script.names(), ["login", "items"]);
    assert_eq!(script.expected().len(), 1);
    let mut stream = stream(&script);
    for (method, wanted) in [("GET", 1), ("POST", 0), ("PUT", 1)] {
        let (request, asked) = asks(&mut *stream, 0);
        assert_eq!((&*request.method, asked.name), (method, wanted));
        if method == "PUT" {
            assert_eq!(request.body, b"7");
            let own = ("X-Given".to_owned(), "5".to_owned());
            assert_eq!(request.headers, [own], "in place of the load's");
        }
        hears(&mut *stream, 0, 200, "");
    }
    let why = stream.begin(0, 0).unwrap_err();
    assert!(
        why.ends_with(
            "script.lua:6: the name `logout` is none of `names = { \"login\", \"items\" }`"
        ),
        "{why}"
    );
}

#[test]
fn a_response_has_status_headers_and_body() {
    let script = journey(
        "function user()
           local answer = weir.get('/')
           local headers = answer.headers
           weir.get('/' .. answer.status .. tostring(answer.right) .. headers['X-Token'] .. headers['Set-Cookie'] .. answer.body)
         end",
    );
    let mut stream = stream(&script);
    path(&mut *stream, 0);
    hears(&mut *stream, 0, 404, "none");
    assert_eq!(path(&mut *stream, 0), "/404falsenewa=1none");
}

/// The request has failed; what the user does then is its own affair.
#[test]
fn a_request_without_a_response_has_the_status_0() {
    let script = journey(
        "function user()
           local answer = weir.get('/first')
           if answer.status == 0 then answer = weir.get('/again') end
           if answer.status == 0 then error('gone') end
           weir.get('/second')
         end",
    );
    let mut stream = stream(&script);
    let first = [(0, "/first"), (200, "/again"), (0, "/second")];
    let second = [(0, "/first"), (0, "/again")];
    for (status, wanted) in first.into_iter().chain(second) {
        assert_eq!(path(&mut *stream, 0), wanted);
        hears(&mut *stream, 0, status, "");
    }
    let why = stream.begin(0, 0).unwrap_err();
    assert!(why.ends_with("script.lua:4: gone"), "{why}");
    // the engine tells the end of what could not be asked, too
    hears(&mut *stream, 0, 0, "");
    assert_eq!(path(&mut *stream, 0), "/first");
}

#[test]
fn a_request_may_be_caught() {
    let script = journey(
        "function user()
           local ok, answer = pcall(weir.get, '/a')
           assert(ok and answer.body == 'it')
           weir.get('/b')
         end",
    );
    let mut stream = stream(&script);
    assert_eq!(path(&mut *stream, 0), "/a");
    hears(&mut *stream, 0, 200, "it");
    assert_eq!(path(&mut *stream, 0), "/b");
}

#[test]
fn a_user_may_stop_its_thread() {
    let script = journey("function user() weir.get('/') wrk.thread:stop() weir.get('/') end");
    let mut stream = stream(&script);
    path(&mut *stream, 0);
    hears(&mut *stream, 0, 200, "");
    path(&mut *stream, 0);
    assert!(stream.is_over() && !stream.begins(1));
    assert!(stream.begin(1, 0).unwrap_err().contains("stopped"));
}

/// Of any script, a journey or not.
#[test]
fn json_becomes_values_of_lua() {
    let text =
        r#"{"s":"ä\n","n":1.5,"i":-7,"t":true,"f":false,"z":null,"a":[1,null,{"b":[]}],"o":{}}"#;
    let (_folder, script) = written(&format!(
        "local it = weir.json([==[{text}]==])
         assert(it.s == 'ä\\n' and it.n == 1.5 and it.i == -7 and it.t == true and it.f == false)
         assert(it.z == nil and it.a[1] == 1 and it.a[2] == nil and #it.a[3].b == 0)
         assert(next(it.o) == nil and weir.json('null') == nil and weir.json(' 5 ') == 5)
         assert(weir.json(('['):rep(100) .. (']'):rep(100)))
         local fine, why = pcall(weir.json, ('['):rep(100000))
         assert(not fine and tostring(why):find('no JSON', 1, true))
         assert(not pcall(weir.json, '') and not pcall(weir.json, nil) and not pcall(weir.json, '[1] 2'))"
    ));
    script.unwrap();
}
