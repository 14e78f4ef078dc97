//! Weighted requests from a file, some of them filled in anew each time.

mod file;
mod request;
mod source;
mod sources;
mod stream;
mod template;

use std::path::Path;
use std::sync::Arc;

use load::{Expected, NewStream, Request, RequestSource};

use crate::TrafficError;
use source::Values;
use template::Template;

/// The requests of a mix file; `docs/mix.toml` explains each key.
#[derive(Clone, Debug)]
pub struct Mix {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    seed: u64,
    sources: Vec<Values>,
    parts: Vec<Part>,
    prepared: Vec<Request>,
}

/// A request of the file.
#[derive(Debug)]
struct Part {
    name: String,
    weight: f64,
    expected: Expected,
    form: Form,
}

#[derive(Debug)]
enum Form {
    /// Always the same: its number among the prepared.
    Fixed(u32),
    Templated(Box<Templated>),
}

#[derive(Debug)]
struct Templated {
    method: String,
    path: Template,
    headers: Vec<(String, Template)>,
    body: Template,
    /// Numbers of the sources from which it draws, each once per request.
    draws: Vec<usize>,
}

impl Mix {
    /// Reads a mix file. `headers` are sent with each of its requests that has none of that name;
    /// all random choices follow from `seed`.
    ///
    /// # Errors
    /// When it, or a file that it names, cannot be read or makes no sense: by file, line and key.
    pub fn read(
        path: &Path,
        headers: &[(String, String)],
        seed: u64,
    ) -> Result<Self, TrafficError> {
        Self::parse(&file::read_text(path)?, path, headers, seed)
    }

    /// Whether any of its requests may change what a server keeps (RFC 9110, section 9.2.1).
    pub fn writes(&self) -> bool {
        let parts = self.inner.parts.iter();
        let mut methods = parts.map(|part| match &part.form {
            Form::Fixed(number) => &self.inner.prepared[*number as usize].method,
            Form::Templated(of) => &of.method,
        });
        methods.any(|method| !["GET", "HEAD", "OPTIONS", "TRACE"].contains(&method.as_str()))
    }

    /// Reads the text of a mix. `path` is where it comes from: files that it names are looked for
    /// beside it.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn parse(
        text: &str,
        path: &Path,
        headers: &[(String, String)],
        seed: u64,
    ) -> Result<Self, TrafficError> {
        let inner = Arc::new(file::parse(text, path, headers, seed)?);
        Ok(Self { inner })
    }
}

impl RequestSource for Mix {
    fn called(&self) -> &'static str {
        "mix"
    }

    fn names(&self) -> Vec<String> {
        let parts = self.inner.parts.iter();
        parts.map(|part| part.name.clone()).collect()
    }

    fn expected(&self) -> Vec<Expected> {
        let parts = self.inner.parts.iter();
        parts.map(|part| part.expected.clone()).collect()
    }

    fn prepared(&self) -> Vec<Request> {
        self.inner.prepared.clone()
    }

    fn stream(&self, worker: usize, workers: usize, _connections: usize) -> NewStream {
        let stream = stream::MixStream::new(Arc::clone(&self.inner), worker, workers)?;
        Ok(Box::new(stream))
    }
}

#[cfg(test)]
mod tests;
