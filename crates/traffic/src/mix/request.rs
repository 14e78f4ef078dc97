mod expected;

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;

use load::Request;
use record::Texts;
use serde::Deserialize;
use toml::Spanned;

use super::file::{Reader, read_text};
use super::source::Values;
use super::template::{Field, Filter, Flaw, Template};
use super::{Form, Part, Templated};
use crate::{TrafficError, address};
use expected::Paths;

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RequestTable {
    pub(super) name: Option<String>,
    weight: Option<Spanned<f64>>,
    method: Option<Spanned<String>>,
    path: Spanned<String>,
    #[serde(default)]
    headers: BTreeMap<String, Spanned<String>>,
    body: Option<Spanned<String>>,
    body_file: Option<Spanned<PathBuf>>,
    status: Option<Spanned<u16>>,
    contains: Option<Texts>,
    equals: Option<Spanned<String>>,
    regex: Option<Texts>,
    sha256: Option<Spanned<String>>,
    json: Option<Paths>,
    #[serde(default)]
    header: BTreeMap<String, String>,
}

/// A request's table while it is read.
pub(super) struct At<'a> {
    pub(super) reader: &'a Reader<'a>,
    pub(super) key: String,
    pub(super) span: Range<usize>,
}

impl At<'_> {
    pub(super) fn wrong(
        &self,
        key: &str,
        span: Option<Range<usize>>,
        problem: impl Into<String>,
        hint: impl Into<String>,
    ) -> TrafficError {
        let span = span.unwrap_or_else(|| self.span.clone());
        let key = format!("{}: {key}", self.key).replace("`: ", "`, ");
        self.reader.wrong(key, Some(span), problem, hint)
    }

    pub(super) fn part(
        &self,
        table: RequestTable,
        headers: &[(String, String)],
        sources: &[Values],
        prepared: &mut Vec<Request>,
    ) -> Result<Part, TrafficError> {
        let weight = table.weight.as_ref().map_or(1.0, |it| *it.get_ref());
        if !(weight > 0.0 && weight.is_finite()) {
            let span = table.weight.map(|weight| weight.span());
            let hint = "how often it is asked, relative to the others: a number above 0";
            return Err(self.wrong("weight", span, format!("`{weight}` is no weight"), hint));
        }
        let name = table.name.clone();
        let expected = self.expected(&table)?;
        let (path, templated) = self.templated(table, headers, sources)?;
        let name = name.unwrap_or_else(|| format!("{} {path}", templated.method));
        let form = match fixed(&templated) {
            None => Form::Templated(Box::new(templated)),
            Some(request) => {
                prepared.push(request);
                Form::Fixed(prepared.len() as u32 - 1)
            }
        };
        Ok(Part {
            name,
            weight,
            expected,
            form,
        })
    }

    /// The path as written, and the request's templates.
    fn templated(
        &self,
        table: RequestTable,
        common: &[(String, String)],
        sources: &[Values],
    ) -> Result<(String, Templated), TrafficError> {
        let method = self.method(table.method)?;
        let path = self.template("path", &table.path, Filter::Url, sources)?;
        if !table.path.get_ref().starts_with('/') {
            let hint =
                "write the path only, as in `/items?page=2`; the address is `weir bench`'s own";
            let span = Some(table.path.span());
            return Err(self.wrong("path", span, "it does not begin with `/`", hint));
        }
        let path = path.map_text(|text| address::path(text).into_owned());
        let mut headers = self.headers(&table.headers, sources)?;
        for (name, value) in common {
            let same = |(own, _): &(String, Template)| own.eq_ignore_ascii_case(name);
            if !headers.iter().any(same) {
                headers.push((name.clone(), Template::of_text(value)));
            }
        }
        let body = match (&table.body, &table.body_file) {
            (Some(body), None) => self.template("body", body, Filter::Raw, sources)?,
            (None, Some(file)) => {
                let text = read_text(&self.reader.beside(file.get_ref()))?;
                let text = Spanned::new(file.span(), text);
                self.template("body-file", &text, Filter::Raw, sources)?
            }
            (None, None) => Template::of_text(""),
            (Some(body), Some(_)) => {
                let hint = "keep one of them";
                let problem = "`body-file` is given as well";
                return Err(self.wrong("body", Some(body.span()), problem, hint));
            }
        };
        let texts = headers.iter().map(|(_, text)| text).chain([&path, &body]);
        let places = texts.flat_map(Template::places);
        let mut draws: Vec<usize> = places.map(|place| place.source).collect();
        draws.sort_unstable();
        draws.dedup();
        let templated = Templated {
            method,
            path,
            headers,
            body,
            draws,
        };
        Ok((table.path.into_inner(), templated))
    }

    fn method(&self, method: Option<Spanned<String>>) -> Result<String, TrafficError> {
        let Some(method) = method else {
            return Ok("GET".to_owned());
        };
        let word = method.get_ref();
        if word.is_empty() || !word.chars().all(|c| c.is_ascii_uppercase() || c == '-') {
            let problem = format!("`{word}` is no method");
            let hint = "write it in capital letters, as in `POST`";
            return Err(self.wrong("method", Some(method.span()), problem, hint));
        }
        Ok(method.into_inner())
    }

    fn headers(
        &self,
        table: &BTreeMap<String, Spanned<String>>,
        sources: &[Values],
    ) -> Result<Vec<(String, Template)>, TrafficError> {
        let mut headers = Vec::new();
        for (name, value) in table {
            let key = format!("headers.{name}");
            if !is_token(name) {
                let problem = format!("`{}` is no header's name", name.escape_debug());
                let hint = "it is letters, digits and dashes, as in `X-Request-Id`";
                return Err(self.wrong("headers", Some(value.span()), problem, hint));
            }
            let template = self.template(&key, value, Filter::Raw, sources)?;
            let breaks = |place: &Field| sources[place.source].breaks_lines();
            let broken = template.places().find_map(breaks);
            let broken = broken.or_else(|| {
                let text = value.get_ref();
                text.chars().any(char::is_control).then_some(text)
            });
            if let Some(broken) = broken {
                let broken = broken.escape_debug();
                let problem = format!("`{broken}` has a line break or a control character");
                let hint = "a header's value is one line";
                return Err(self.wrong(&key, Some(value.span()), problem, hint));
            }
            headers.push((name.clone(), template));
        }
        Ok(headers)
    }

    fn template(
        &self,
        key: &str,
        text: &Spanned<String>,
        filter: Filter,
        sources: &[Values],
    ) -> Result<Template, TrafficError> {
        Template::parse(text.get_ref(), filter, &|name| find(name, sources))
            .map_err(|flaw| self.wrong(key, Some(text.span()), flaw.problem, flaw.hint))
    }
}

/// RFC 9110, section 5.6.2.
fn is_token(name: &str) -> bool {
    let sound = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
    !name.is_empty() && name.chars().all(sound)
}

/// The source, and the column, of a name in a template.
fn find(name: &str, sources: &[Values]) -> Result<(usize, usize), Flaw> {
    let (first, column) = match name.split_once('.') {
        Some((source, column)) => (source, Some(column)),
        None => (name, None),
    };
    let number = sources.iter().position(|source| source.name == first);
    let number = number.ok_or_else(|| {
        let known: Vec<&str> = sources.iter().map(|source| source.name.as_str()).collect();
        Flaw {
            problem: format!("there is no source `{first}`"),
            hint: match known.as_slice() {
                [] => format!("declare it in a table `[source.{first}]`"),
                _ => format!("the sources of this file are `{}`", known.join("`, `")),
            },
        }
    })?;
    let source = &sources[number];
    match (column, source.columns()) {
        (None, [] | [_]) => Ok((number, 0)),
        (Some(column), columns) if !columns.is_empty() => {
            let found = source.column(column).ok_or_else(|| Flaw {
                problem: format!("`{first}` has no column `{column}`"),
                hint: format!("its columns are `{}`", columns.join("`, `")),
            })?;
            Ok((number, found))
        }
        (None, columns) => Err(Flaw {
            problem: format!("`{first}` has several columns"),
            hint: format!("say which, as in `{{{{ {first}.{} }}}}`", columns[0]),
        }),
        (Some(_), _) => Err(Flaw {
            problem: format!("`{first}` has no columns"),
            hint: format!("write `{{{{ {first} }}}}`"),
        }),
    }
}

/// The request, if it is always the same.
fn fixed(templated: &Templated) -> Option<Request> {
    let headers = templated.headers.iter();
    Some(Request {
        method: templated.method.clone(),
        path: templated.path.fixed()?.to_owned(),
        headers: headers
            .map(|(name, value)| Some((name.clone(), value.fixed()?.to_owned())))
            .collect::<Option<_>>()?,
        body: templated.body.fixed()?.as_bytes().to_vec(),
    })
}
