//! What `weir bench` asks, of a real nginx that says what it saw: methods, bodies, mixes,
//! recordings, pages.

use std::fs;

use crate::support::{Place, Said};
use testkit::{Authority, Nginx};

const LOGS: &str = "
    log_format seen '$request_method $request_uri $status length=$content_length';
    log_format old '$remote_addr - - [$time_local] \"$request\" $status $body_bytes_sent';
    map $arg_old $is_old { default 0; 1 1; }";
const SITE: &str = "
    access_log seen.log seen; access_log old.log old if=$is_old;
    root www; types { text/html html; text/css css; text/javascript js; image/png png; }
    location = /json { default_type application/json; return 200 '{\"items\":[{\"id\":7}]}'; }
    location = /made { if ($request_method != POST) { return 405; } return 201 made; }";

/// An nginx with a page and its assets.
struct Site(Nginx);

impl Site {
    fn new() -> Self {
        let nginx = Nginx::start_with(LOGS, SITE);
        let www = nginx.folder().join("www");
        fs::create_dir(&www).unwrap();
        let page = "<link rel=stylesheet href=a.css><script src=a.js></script><img src=a.png>";
        let files = [
            ("page.html", page),
            ("a.css", "p{}"),
            ("a.js", "1;"),
            ("a.png", "x"),
        ];
        for (name, text) in files {
            fs::write(www.join(name), text).unwrap();
        }
        Self(nginx)
    }

    fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.0.address())
    }

    /// Lines of nginx's own log that begin so.
    fn seen(&self, line: &str) -> usize {
        let log = fs::read_to_string(self.0.folder().join("seen.log")).unwrap();
        log.lines().filter(|seen| seen.starts_with(line)).count()
    }
}

/// So few answers make no figures to trust, and it says so; that they came is what counts here.
fn answered(said: &Said, requests: u64) {
    let all = format!("{requests} scheduled = {requests} completed + 0 failed");
    assert!(said.out.contains(&all), "{}{}", said.out, said.err);
}

fn bench(place: &Place, url: &str, more: &[&str]) -> Said {
    let args = ["bench", url, "-c", "2", "-n", "20", "--warm-up", "0s"];
    place.run(&[&args, more].concat())
}

#[test]
fn any_method_and_a_body() {
    let (site, place) = (Site::new(), Place::new());
    let url = site.url("/made");
    let post = ["-X", "POST", "--status", "201"];
    answered(
        &bench(&place, &url, &[&post[..], &["--body", "abc"]].concat()),
        20,
    );
    assert_eq!(site.seen("POST /made 201 length=3"), 20);
    place.write("body.bin", "five!");
    answered(
        &bench(
            &place,
            &url,
            &[&post[..], &["--body-file", "body.bin"]].concat(),
        ),
        20,
    );
    assert_eq!(site.seen("POST /made 201 length=5"), 20);
    let neither = ["--body", "a", "--body-file", "body.bin"];
    assert_eq!(bench(&place, &url, &neither).code, 2);
    bench(&place, &url, &["--body-file", "none"]).fails(2, &["`none`"]);
}

#[test]
fn a_mix_and_its_checks() {
    let (site, place) = (Site::new(), Place::new());
    let mix = |id: u32| {
        format!(
            "[[request]]\nname = \"data\"\npath = \"/json\"\nregex = '\"id\":\\d'\njson = {{ \"$.items[0].id\" = {id} }}\n\
             header = {{ Content-Type = \"application/json\" }}\n\
             [[request]]\nname = \"make\"\nmethod = \"POST\"\npath = \"/made\"\nbody = \"x\"\nstatus = 201\n\
             sha256 = \"ea0890697a77af0a2e054cccec587c8a42feb5cf38e778c6c6e2a96bfb945c0b\"\n"
        )
    };
    place.write("mix.toml", &mix(8));
    let wrong = bench(&place, &site.url("/"), &["--mix", "mix.toml"]);
    let text = wrong.out + &wrong.err;
    assert!(text.contains("is `7`, not `8`"), "{text}");
    place.write("mix.toml", &mix(7));
    let before = site.seen("");
    let said = bench(
        &place,
        &site.url("/"),
        &["--mix", "mix.toml", "--seed", "3"],
    );
    answered(&said, 20);
    assert!(site.seen("POST /made 201") > 0 && site.seen("GET /json 200") > 0);
    assert_eq!(site.seen("") - before, 20);
    place.write("mix.toml", "[[request]]\npath = \"/\"\nsha256 = \"ff\"\n");
    bench(&place, &site.url("/"), &["--mix", "mix.toml"])
        .fails(5, &["`ff` is no SHA-256", "sha256sum"]);
}

#[test]
fn what_nginx_has_logged_is_asked_again() {
    let (site, place) = (Site::new(), Place::new());
    for path in ["/page.html?old=1", "/json?old=1"] {
        answered(&bench(&place, &site.url(path), &[]), 20);
    }
    fs::copy(site.0.folder().join("old.log"), place.path("old.log")).unwrap();
    let args = [
        "bench",
        &site.url("/"),
        "-c",
        "1",
        "--replay",
        "old.log",
        "--pace",
        "asap",
        "--warm-up",
        "0s",
        "-n",
        "40",
    ];
    let said = place.run(&args);
    answered(&said, 40);
    assert_eq!(site.seen("GET /page.html?old=1 200"), 40);
    assert_eq!(site.seen("GET /json?old=1 200"), 40);
    let har = format!(
        r#"{{"log":{{"version":"1.2","entries":[{{"startedDateTime":"2024-05-01T10:00:00.000Z","time":1,
        "request":{{"method":"GET","url":"{}","httpVersion":"HTTP/1.1","headers":[]}},
        "response":{{"status":200}}}}]}}}}"#,
        site.url("/json?har")
    );
    place.write("a.har", &har);
    let args = [
        "bench",
        &site.url("/"),
        "-c",
        "1",
        "--replay",
        "a.har",
        "--pace",
        "asap",
        "-n",
        "5",
        "--warm-up",
        "0s",
    ];
    let said = place.run(&args);
    answered(&said, 5);
    assert_eq!(site.seen("GET /json?har 200"), 5);
}

#[test]
fn a_page_is_fetched_with_all_that_it_needs() {
    let (site, place) = (Site::new(), Place::new());
    let url = site.url("/page.html");
    let visits = [
        "bench",
        &url,
        "--page",
        "-c",
        "2",
        "--page-connections",
        "2",
        "-n",
        "10",
        "--warm-up",
        "0s",
    ];
    let said = place.run(&visits);
    assert!(
        said.err.contains(" whole, 0 in part; assets: "),
        "{}{}",
        said.out,
        said.err
    );
    // the first visit fetches all, the second asks whether that is still so
    assert!(site.seen("GET /page.html 200") > 0);
    assert_eq!(site.seen("GET /a.css 404"), 0);
    for asset in ["/a.css", "/a.js", "/a.png"] {
        assert!(site.seen(&format!("GET {asset} 200")) > 0, "{asset}");
    }
    assert!(site.seen("GET /page.html 304") > 0, "{}", said.err);
    let conflict = place.run(&[&visits[..], &["-X", "POST"]].concat());
    assert_eq!(conflict.code, 2);
    assert!(
        conflict.err.contains("cannot be used with"),
        "{}",
        conflict.err
    );
}

#[test]
fn only_one_says_what_to_ask() {
    let place = Place::new();
    place.write("a.lua", "");
    for more in [
        &["--mix", "a.toml", "--script", "a.lua"][..],
        &["--page", "--replay", "a.log"],
        &["--script", "a.lua", "--body", "x"],
        &["--script", "a.lua", "-X", "POST"],
        &["--retry-after", "1s"],
    ] {
        let said = bench(&place, "http://127.0.0.1:1/", more);
        assert_eq!(said.code, 2, "{more:?} {}", said.err);
    }
}

#[test]
fn http2_over_tls_is_agreed_on() {
    let authority = Authority::new();
    let certified = authority.certify("localhost");
    let says = "location / { return 200 $server_protocol$ssl_alpn_protocol; }";
    let served = certified.directives() + says;
    let nginx = Nginx::start_tls_http2(&served);
    let url = format!("https://{}/", nginx.address());
    let place = Place::new();
    answered(
        &bench(
            &place,
            &url,
            &[
                "--http2",
                "-k",
                "--streams",
                "10",
                "--contains",
                "HTTP/2.0h2",
            ],
        ),
        20,
    );
    answered(&bench(&place, &url, &["-k", "--contains", "HTTP/1.1"]), 20);
    let alone = Nginx::start_tls(&served);
    let url = format!("https://{}/", alone.address());
    bench(&place, &url, &["--http2", "-k"]).fails(9, &["none of 20"]);
}
