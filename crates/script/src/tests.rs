//! Scripts of each kind that wrk knows, driven by hand as the engine does.

mod broken;
mod done;
mod guarded;
mod journeys;
mod running;

use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};

use load::{Body, Expected, Heard, RequestSource as _, RequestStream, Status, What};
use mlua::{FromLua, Lua};
use record::Target;
use testkit::TempDir;

use crate::{Options, Prints, Script, ScriptError};

/// A script of those in `tests/scripts`.
fn ours(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("src/tests/scripts")
        .join(name)
}

fn options(file: PathBuf, threads: usize) -> Options {
    Options {
        file,
        url: "http://127.0.0.1:8000/start?a=b".to_owned(),
        scheme: "http".to_owned(),
        authority: "127.0.0.1:8000".to_owned(),
        path: "/start?a=b".to_owned(),
        headers: vec![("X-Given".to_owned(), "yes".to_owned())],
        target: Target::Tcp(([127, 0, 0, 1], 8000).into()),
        args: vec!["one".to_owned(), "two".to_owned()],
        threads,
        expected: Expected::new(Status::Is(200), Body::Any),
        instructions: 2_000_000,
        prints: Prints::Out,
    }
}

fn open(name: &str, threads: usize) -> Script {
    Script::open(&options(ours(name), threads)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// A script that stands in the test, in a folder of its own.
fn written(text: &str) -> (TempDir, Result<Script, ScriptError>) {
    let folder = testkit::temp_dir();
    let file = folder.path().join("script.lua");
    std::fs::write(&file, text).unwrap();
    let script = Script::open(&options(file, 1));
    (folder, script)
}

fn stream(script: &Script) -> Box<dyn RequestStream> {
    script.stream(0, script.threads(), 4).unwrap()
}

/// What is asked on a connection, as text.
fn begin(stream: &mut dyn RequestStream, connection: usize) -> String {
    text(&stream.begin(connection, 0).unwrap().what)
}

fn text(what: &What) -> String {
    match what {
        What::Verbatim(bytes) => String::from_utf8(bytes.clone()).unwrap(),
        other => panic!("{other:?} is not verbatim"),
    }
}

/// Ends a request; the connections that are woken.
fn answer(
    stream: &mut dyn RequestStream,
    connection: usize,
    status: u16,
    fields: &str,
) -> Vec<usize> {
    let mut wake = Vec::new();
    let heard = Heard {
        name: 0,
        status,
        fields: fields.as_bytes(),
        body: b"it is ok",
        right: status == 200,
        now: 0,
    };
    assert_eq!(stream.heard(connection, &heard, &mut wake), None);
    wake
}

fn global<T: FromLua>(lua: &Lua, name: &str) -> T {
    lua.globals().get(name).unwrap()
}

/// Somebody who accepts connections.
fn listener() -> (TcpListener, SocketAddr) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    (listener, address)
}
