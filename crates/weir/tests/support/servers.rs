//! What is loaded: servers, each with the URL of its root, and an app.

use testkit::{Nginx, ScriptedPeer, Step, answer};

/// A WSGI app that answers every request with `hello`.
pub(crate) const APP: &str = "def app(environ, start):
    start('200 OK', [('Content-Type', 'text/plain')])
    return [b'hello']
";

/// A server that answers every request with `hello`, and keeps what it received.
pub(crate) fn peer() -> (ScriptedPeer, String) {
    scripted(|_| Step::serve(answer(200, &[], "hello")))
}

/// One that follows this script on each connection.
pub(crate) fn scripted(
    script: impl Fn(usize) -> Vec<Step> + Send + 'static,
) -> (ScriptedPeer, String) {
    let peer = ScriptedPeer::tcp(script);
    let url = format!("http://{}/", peer.address());
    (peer, url)
}

/// nginx that answers every request with `hello`.
pub(crate) fn nginx() -> (Nginx, String) {
    let nginx = Nginx::start("location / { return 200 hello; }");
    let url = format!("http://{}/", nginx.address());
    (nginx, url)
}
