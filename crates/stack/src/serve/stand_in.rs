//! Marks for the address at which clients connect: what is handed over is told it when it is started.

use std::net::{Ipv4Addr, SocketAddr};

use crate::compose::Program;
use crate::error::{Result, StackError};

/// What stands for its host, and for its port.
pub(super) const MARKS: [&str; 2] = ["@HOST@", "@PORT@"];

/// The lowest port of a stand-in: its digits are easily found.
const LOWEST: u16 = 10_000;

/// An address in place of another one. Programs that are rendered for it say where the other one stands in them, as it
/// is in none of their own texts.
pub(super) struct StandIn {
    pub(super) address: SocketAddr,
    words: [String; 2],
    own: [String; 2],
}

impl StandIn {
    /// One for an address of these programs.
    pub(super) fn of(own: SocketAddr, programs: &[Program]) -> Self {
        let texts: Vec<&String> = programs.iter().flat_map(texts).collect();
        let is_new = |address: &SocketAddr| {
            let words = words(*address);
            let said = |text: &&String| words.iter().any(|word| text.contains(word));
            !texts.iter().any(said)
        };
        let address = (LOWEST..=u16::MAX).map(loopback).find(is_new);
        let address = address.expect("there are more ports than a stack's texts name");
        Self {
            address,
            words: words(address),
            own: words(own),
        }
    }

    /// Puts marks into a program, by what it is when it is rendered for the stand-in. Its files stay as they are: those
    /// in which the address stands are given with their marks, by their paths below the folder.
    ///
    /// # Errors
    /// A template that computes with the address.
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
            *own = marked("argv, prepare or env", own.as_str(), rendered)?;
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

    /// A text that was rendered for the stand-in, with marks; none where they do not make the own text of it again.
    fn marked(&self, own: &str, rendered: &str) -> Option<String> {
        let marked = replaced(rendered, self.words.each_ref().map(String::as_str), MARKS);
        let again = replaced(&marked, MARKS, self.own.each_ref().map(String::as_str));
        (again == own).then_some(marked)
    }
}

fn loopback(port: u16) -> SocketAddr {
    let [high, low] = port.to_be_bytes();
    (Ipv4Addr::new(127, 64, high, low), port).into()
}

fn words(address: SocketAddr) -> [String; 2] {
    [address.ip().to_string(), address.port().to_string()]
}

fn replaced(text: &str, from: [&str; 2], to: [&str; 2]) -> String {
    text.replace(from[0], to[0]).replace(from[1], to[1])
}

/// What a program's command, and those before it, are told.
fn commands(program: &Program) -> impl Iterator<Item = &String> {
    let argv = program.argv.iter().chain(program.prepare.iter().flatten());
    argv.chain(program.env.iter().map(|(_, value)| value))
}

/// The same, to be changed.
fn said(program: &mut Program) -> impl Iterator<Item = &mut String> {
    let before = program.prepare.iter_mut().flatten();
    let argv = program.argv.iter_mut().chain(before);
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
            "it computes with the host or the port of `listen`, and files that are handed over are \
                  told these when they are started"
                .to_owned(),
    }
}
