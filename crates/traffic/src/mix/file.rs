use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use toml::Spanned;

use super::Inner;
use super::request::{At, RequestTable};
use super::sources::SourceTable;
use crate::TrafficError;

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct File {
    #[serde(default)]
    source: BTreeMap<String, Spanned<SourceTable>>,
    #[serde(default)]
    request: Vec<Spanned<RequestTable>>,
}

/// Reads a mix and the files that it names, which are looked for beside it.
pub(super) fn parse(
    text: &str,
    path: &Path,
    headers: &[(String, String)],
    seed: u64,
) -> Result<Inner, TrafficError> {
    let file: File = toml::from_str(text).map_err(|error| TrafficError::Syntax {
        path: path.to_owned(),
        detail: record::told_below(&error.to_string(), error.message()),
    })?;
    let reader = Reader { path, text };
    if file.request.is_empty() {
        let hint = "add a `[[request]]` table with a `path`";
        return Err(reader.wrong("request", None, "there is none", hint));
    }
    let sources = reader.sources(file.source)?;
    let mut inner = Inner {
        seed,
        sources,
        parts: Vec::new(),
        prepared: Vec::new(),
    };
    for (number, table) in file.request.into_iter().enumerate() {
        let mut at = At {
            reader: &reader,
            key: format!("request[{number}]"),
            span: table.span(),
        };
        let table = table.into_inner();
        if let Some(name) = &table.name {
            at.key = format!("request `{name}`");
        }
        let part = at.part(table, headers, &inner.sources, &mut inner.prepared)?;
        if let Some(twin) = inner.parts.iter().find(|other| other.name == part.name) {
            let problem = format!("another request is called `{}` too", twin.name);
            return Err(at.wrong("name", None, problem, "give each request a name of its own"));
        }
        inner.parts.push(part);
    }
    Ok(inner)
}

pub(super) fn read_text(path: &Path) -> Result<String, TrafficError> {
    input::text(path).map_err(TrafficError::read(path))
}

/// A file while it is read; knows how to say where something is wrong.
pub(super) struct Reader<'a> {
    path: &'a Path,
    text: &'a str,
}

impl Reader<'_> {
    pub(super) fn wrong(
        &self,
        key: impl Into<String>,
        span: Option<Range<usize>>,
        problem: impl Into<String>,
        hint: impl Into<String>,
    ) -> TrafficError {
        let before = span.and_then(|span| self.text.get(..span.start));
        TrafficError::Meaning {
            path: self.path.to_owned(),
            line: before.map(|before| before.matches('\n').count() + 1),
            key: key.into(),
            problem: problem.into(),
            hint: Some(hint.into()),
        }
    }

    /// A file that this one names.
    pub(super) fn beside(&self, name: &Path) -> PathBuf {
        self.path.parent().unwrap_or(Path::new("")).join(name)
    }
}
