//! Marks for the address at which clients connect, and for the ports behind: what is handed over is told these when it is
//! started.

use std::net::{Ipv4Addr, SocketAddr};

use crate::compose::Program;
use crate::error::{Result, StackError};

/// What stands for the host at which clients connect, and for its port.
pub(super) const HOST: &str = "@HOST@";
pub(super) const PORT: &str = "@PORT@";

/// The lowest port of a stand-in: its digits are easily found.
const LOWEST: u16 = 10_000;

/// Addresses in place of others. Programs that are rendered for them say where the others stand in them, as they are in
/// none of their own texts.
pub(super) struct StandIn {
    pub(super) addresses: Vec<SocketAddr>,
    words: Vec<Word>,
}

/// A word of such an address, the mark for it, and the word for which it stands.
struct Word {
    stand_in: String,
    mark: String,
    own: String,
}

impl StandIn {
    /// One for each address of these programs, that of clients first: of the others only the port is marked.
    pub(super) fn of(own: &[SocketAddr], programs: &[Program]) -> Self {
        let texts: Vec<&String> = programs.iter().flat_map(texts).collect();
        let is_new = |address: &SocketAddr| {
            let words = [address.ip().to_string(), address.port().to_string()];
            let said = |text: &&String| words.iter().any(|word| text.contains(word));
            !texts.iter().any(said)
        };
        let mut new = (LOWEST..=u16::MAX).map(loopback).filter(is_new);
        let (mut addresses, mut words) = (Vec::new(), Vec::new());
        for (after, own) in (0..).zip(own) {
            let mut address = new
                .next()
                .expect("there are more ports than a stack's texts name");
            if after == 0 {
                words.push(Word {
                    stand_in: address.ip().to_string(),
                    mark: HOST.to_owned(),
                    own: own.ip().to_string(),
                });
            } else {
                address.set_ip(own.ip());
            }
            words.push(Word {
                stand_in: address.port().to_string(),
                mark: port(after),
                own: own.port().to_string(),
            });
            addresses.push(address);
        }
        Self { addresses, words }
    }

    /// Puts marks into a program, by what it is when it is rendered for the stand-ins. Its files stay as they are: those
    /// in which an address stands are given with their marks, by their paths below the folder.
    ///
    /// # Errors
    /// A template that computes with an address.
    pub(super) fn mark(
        &self,
        program: &mut Program,
        rendered: &Program,
    ) -> Result<Vec<(String, String)>> {
        let entry = program.entry.clone();
        let marked = |place: &str, own: &str, rendered: &str| {
            let marked = self.marked(own, rendered);
            marked.ok_or_else(|| computed(&entry, place))
        };
        for (own, rendered) in said(program).zip(commands(rendered)) {
            *own = marked("argv, prepare, ready or env", own.as_str(), rendered)?;
        }
        let mut templates = Vec::new();
        for (own, rendered) in program.files.iter().zip(&rendered.files) {
            let content = marked(&own.path, &own.content, &rendered.content)?;
            if content != own.content {
                templates.push((own.path.clone(), content));
            }
        }
        Ok(templates)
    }

    /// A text that was rendered for the stand-ins, with marks; none where they do not make the own text of it again.
    fn marked(&self, own: &str, rendered: &str) -> Option<String> {
        let mut marked = rendered.to_owned();
        for word in &self.words {
            marked = marked.replace(&word.stand_in, &word.mark);
        }
        let mut again = marked.clone();
        for word in &self.words {
            again = again.replace(&word.mark, &word.own);
        }
        (again == own).then_some(marked)
    }
}

/// What stands for a port that is so far after that of clients.
pub(super) fn port(after: u16) -> String {
    match after {
        0 => PORT.to_owned(),
        _ => format!("@PORT{after}@"),
    }
}

fn loopback(port: u16) -> SocketAddr {
    let [high, low] = port.to_be_bytes();
    (Ipv4Addr::new(127, 64, high, low), port).into()
}

/// What a program's command, and those before and beside it, are told.
fn commands(program: &Program) -> impl Iterator<Item = &String> {
    let argv = program.argv.iter().chain(program.prepare.iter().flatten());
    let argv = argv.chain(program.ready.iter().flatten());
    argv.chain(program.env.iter().map(|(_, value)| value))
}

/// The same, to be changed.
fn said(program: &mut Program) -> impl Iterator<Item = &mut String> {
    let before = program.prepare.iter_mut().flatten();
    let argv = program.argv.iter_mut().chain(before);
    let argv = argv.chain(program.ready.iter_mut().flatten());
    argv.chain(program.env.iter_mut().map(|(_, value)| value))
}

fn texts(program: &Program) -> impl Iterator<Item = &String> {
    let files = program.files.iter().map(|file| &file.content);
    commands(program).chain(files)
}

fn computed(entry: &str, place: &str) -> StackError {
    StackError::Template {
        entry: entry.to_owned(),
        place: place.to_owned(),
        problem:
            "it computes with the host or the port of `listen` or of a server behind, and files \
                  that are handed over are told these when they are started"
                .to_owned(),
    }
}
