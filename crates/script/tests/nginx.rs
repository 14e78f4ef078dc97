//! What scripts ask is asked of a real server, and they hear what it answers.

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;

use load::{Body, Expected, Heard, Request, RequestSource, RequestStream, Status, What};
use record::{LoadFacts, Target};
use script::{Options, Prints, Script};
use testkit::Nginx;
use wire::{Ask, Event, Http1, Session, Setup};

fn open(text: &str, folder: &Path, nginx: &Nginx) -> Script {
    let file = folder.join("script.lua");
    std::fs::write(&file, text).unwrap();
    let authority = nginx.address().to_string();
    let options = Options {
        file,
        url: format!("http://{authority}/"),
        scheme: "http".to_owned(),
        authority,
        path: "/".to_owned(),
        headers: Vec::new(),
        target: Target::Tcp(nginx.address()),
        args: Vec::new(),
        threads: 1,
        expected: Expected::new(Status::Is(200), Body::Any),
        instructions: Options::INSTRUCTIONS,
        prints: Prints::Out,
    };
    Script::open(&options).unwrap_or_else(|error| panic!("{error}"))
}

fn prepare(request: &Request, host: &str) -> <Http1 as Session>::Request {
    let headers = request.headers.iter();
    let headers: Vec<_> = headers
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect();
    let ask = Ask {
        method: &request.method,
        path: &request.path,
        host,
        headers: &headers,
        body: &request.body,
        keep_alive: true,
        cgi: wire::Cgi::default(),
    };
    Http1::prepare(&ask).unwrap()
}

/// What an answer was made of.
#[derive(Default)]
struct Answer {
    status: u16,
    fields: Vec<u8>,
    body: Vec<u8>,
    done: bool,
}

impl Answer {
    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Head { status, fields } => {
                self.status = status;
                self.fields = fields.to_vec();
            }
            Event::Body(piece) => self.body.extend_from_slice(piece),
            Event::Done { keep } => {
                assert!(keep, "the server goes on");
                self.done = true;
            }
            _ => {}
        }
    }
}

/// One connection of an engine: `rounds` requests, one after the other. The bodies of the answers.
fn drive(script: &Script, nginx: &Nginx, rounds: usize) -> Vec<String> {
    let mut requests = script.stream(0, 1, 1).unwrap();
    let mut stream = TcpStream::connect(nginx.address()).unwrap();
    let mut out = Vec::new();
    let mut session = Http1::open(&Setup::default(), &mut out);
    let host = nginx.address().to_string();
    let mut bodies = Vec::new();
    for _ in 0..rounds {
        let asked = requests
            .follow(0)
            .unwrap_or_else(|| requests.begin(0, 0).unwrap());
        let request = match asked.what {
            What::Prepared(number) => prepare(&script.prepared()[number as usize], &host),
            What::Request(request) => prepare(&request, &host),
            What::Verbatim(bytes) => Http1::verbatim(&bytes).unwrap(),
        };
        session.send(0, &request, &mut out);
        stream.write_all(&out).unwrap();
        out.clear();
        let answer = receive(&mut session, &mut stream);
        hear(&mut *requests, &answer);
        bodies.push(String::from_utf8(answer.body).unwrap());
    }
    bodies
}

fn receive(session: &mut Http1, stream: &mut TcpStream) -> Answer {
    let mut answer = Answer::default();
    let mut buffer = [0; 4096];
    while !answer.done {
        let length = stream.read(&mut buffer).unwrap();
        assert!(length > 0, "nginx hung up");
        let bytes = &buffer[..length];
        session
            .receive(bytes, &mut Vec::new(), |_, event| answer.take(event))
            .unwrap();
    }
    answer
}

fn hear(requests: &mut dyn RequestStream, answer: &Answer) {
    let heard = Heard {
        name: 0,
        status: answer.status,
        fields: &answer.fields,
        body: &answer.body,
        right: answer.status == 200,
        now: 0,
    };
    requests.heard(0, &heard, &mut Vec::new());
}

const ECHO: &str = "location / { default_type text/plain; add_header X-Token secret; \
    return 200 '$request_method $request_uri $http_x_token $content_type $content_length'; }";

#[test]
fn a_server_understands_what_is_asked() {
    let nginx = Nginx::start(ECHO);
    let folder = testkit::temp_dir();
    let form = open(
        "wrk.method = 'POST'; wrk.body = 'a=b'; wrk.headers['Content-Type'] = 'text/x'",
        folder.path(),
        &nginx,
    );
    assert_eq!(drive(&form, &nginx, 2), ["POST /  text/x 3"; 2]);
    let several = open(
        "function request() return wrk.format(nil, '/1') .. wrk.format('PUT', '/2', {}, 'xy') end",
        folder.path(),
        &nginx,
    );
    assert_eq!(
        drive(&several, &nginx, 3),
        ["GET /1   ", "PUT /2   2", "GET /1   "]
    );
}

#[test]
fn a_script_hears_what_a_server_answers() {
    let nginx = Nginx::start(ECHO);
    let folder = testkit::temp_dir();
    let script = open(
        "local thread
         function setup(t) thread = t end
         right = 0
         function request() return wrk.format('GET', '/x') end
         function response(status, headers, body)
           if status == 200 and body:find('GET /x', 1, true) then right = right + 1 end
           wrk.headers['X-Token'] = headers['X-Token']
         end
         function done(summary, latency)
           assert(thread:get('right') == 3 and summary.requests == 3 and latency.max > 0)
         end",
        folder.path(),
        &nginx,
    );
    assert_eq!(
        drive(&script, &nginx, 3),
        ["GET /x   ", "GET /x secret  ", "GET /x secret  "]
    );
    let mut facts = LoadFacts {
        statuses: BTreeMap::from([(200, 3)]),
        ..LoadFacts::default()
    };
    facts.response.record(1_000_000);
    script.finish(&facts).unwrap();
    facts.statuses.clear();
    let failure = script.finish(&facts).unwrap_err().to_string();
    assert!(
        failure.contains("assertion failed"),
        "done() did look: {failure}"
    );
}
