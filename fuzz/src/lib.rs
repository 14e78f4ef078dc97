//! Bytes that no server should send, for every parser: nothing may panic, whatever they are, and
//! what they mean may not depend on how they were cut on their way.
//!
//! A target is a protocol of `wire`, or one line here, and a folder of small samples below `fuzz/corpus/`. Two
//! drivers share them: the one here, which needs nothing but the pinned compiler and mutates the
//! samples blindly, and `cargo fuzz` with the nightly compiler (`fuzz/libfuzzer`), which is led by
//! coverage. `make fuzz` takes whichever is there.

mod answers;
mod client;
mod drive;
mod files;
mod floods;
mod mutate;
mod requests;
mod tls;
mod traffic;
mod websocket;

use wire::{Protocol, Session, Visitor};

pub use drive::{Budget, drive, samples};

/// A parser under test.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name, and its samples' folder below `fuzz/corpus/`.
    pub name: &'static str,
    /// Panics when the bytes find a flaw.
    pub run: fn(&[u8]),
}

/// Every target: the answers of each protocol that weir speaks, and whatever else is read.
pub fn targets() -> Vec<Target> {
    let protocols = Protocol::ALL.iter().filter_map(|protocol| {
        let check = protocol.dispatch(false, Answers).ok()?;
        let check = match protocol {
            Protocol::Http2 => answers::check_http2, // its header compression tells more than it is sent
            Protocol::WebSocket => websocket::check, // nothing comes before an upgrade
            _ => check,
        };
        Some(target(protocol.name(), check))
    });
    protocols.chain(OTHERS.iter().copied()).collect()
}

/// What the answers of a protocol are held to.
struct Answers;

impl Visitor for Answers {
    type Output = fn(&[u8]);

    fn visit<S: Session + Send>(self) -> Self::Output {
        answers::check::<S>
    }
}

const OTHERS: &[Target] = &[
    target("tls", tls::check),
    target("chunked", answers::check_chunked),
    target("request", requests::check),
    target("client", client::check),
    target("log", traffic::check_log),
    target("har", traffic::check_archive),
    target("mix", traffic::check_mix),
    target("document", traffic::check_document),
    target("stylesheet", traffic::check_stylesheet),
    target("demand", traffic::check_demand),
    target("flood", floods::check),
    target("plan", files::check_plan),
    target("entry", files::check_entry),
    target("app", files::check_app),
    target("script", files::check_script),
    target("recording", files::check_recording),
    target("claim", |data| {
        let text = String::from_utf8_lossy(data);
        let _ = record::Condition::read(&text);
        let _ = judge::thresholds(&text);
    }),
];

const fn target(name: &'static str, run: fn(&[u8])) -> Target {
    Target { name, run }
}

/// The target of this name.
pub fn find(name: &str) -> Option<Target> {
    targets().into_iter().find(|target| target.name == name)
}
