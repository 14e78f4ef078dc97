//! An app as the `app.toml` that declares it.

use std::collections::BTreeMap;

use record::{App, Bytes, Link, Login, Method, Route, ServiceUse};
use serde::Serialize;
use toml::Value;

use crate::error::{Result, StackError};

/// The keys of `app.toml`, values before tables.
#[derive(Serialize)]
struct AppKeys<'a> {
    name: &'a str,
    dir: String,
    interface: &'static str,
    entry: &'a str,
    #[serde(rename = "front-controller", skip_serializing_if = "Option::is_none")]
    front_controller: Option<bool>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    listens: Vec<String>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    frameworks: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    python: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    setup: Vec<Vec<String>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    prepare: Vec<Vec<String>>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    needs: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    login: Option<&'a Login>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    env: &'a BTreeMap<String, String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    site: Option<BTreeMap<&'static str, String>>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    services: BTreeMap<&'a str, ServiceUse>,
    routes: Vec<RouteKeys<'a>>,
}

/// The keys of a route.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct RouteKeys<'a> {
    path: &'a str,
    #[serde(skip_serializing_if = "is_get")]
    method: Method,
    #[serde(skip_serializing_if = "Option::is_none")]
    body: Option<&'a Bytes>,
    status: u16,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    contains: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    equals: Option<&'a Bytes>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    dynamic: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    wait: Option<f64>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    headers: &'a BTreeMap<String, String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    expect_headers: BTreeMap<&'a str, Value>,
}

/// The `app.toml` of an app, for any folder: reading it gives the same app.
///
/// # Errors
/// A path of the app that is not UTF-8, which no such file can name.
pub fn written(app: &App) -> Result<String> {
    let path = |path: &std::path::Path| match path.to_str() {
        Some(text) => Ok(text.to_owned()),
        None => Err(unwritable(&format!("`{}` is not UTF-8", path.display()))),
    };
    let site = app.site.as_ref().map(|site| -> Result<_> {
        let keys = [("dir", path(&site.dir)?), ("url", site.url.clone())];
        Ok(BTreeMap::from(keys))
    });
    let services = app.services.iter().map(|(name, used)| {
        let prepare = literal(&used.prepare);
        let env = used.env.clone();
        (name.as_str(), ServiceUse { env, prepare })
    });
    let keys = AppKeys {
        name: &app.name,
        dir: path(&app.dir)?,
        interface: app.interface.name(),
        entry: &app.entry,
        front_controller: app.front_controller,
        listens: links(app),
        frameworks: &app.frameworks,
        python: app.python.as_deref().map(path).transpose()?,
        setup: literal(&app.setup),
        prepare: literal(&app.prepare),
        needs: &app.needs,
        login: app.login.as_ref(),
        env: &app.env,
        site: site.transpose()?,
        services: services.collect(),
        routes: app.routes.iter().map(route).collect(),
    };
    toml::to_string(&keys).map_err(|error| unwritable(&error.to_string()))
}

fn unwritable(problem: &str) -> StackError {
    StackError::System {
        doing: "writing the app's `app.toml`".to_owned(),
        error: std::io::Error::other(problem.to_owned()),
    }
}

fn links(app: &App) -> Vec<String> {
    let spoken = app.listens.iter();
    let links = spoken.flat_map(|(protocol, transports)| {
        transports.iter().map(|transport| Link {
            protocol: Some(*protocol),
            transport: Some(*transport),
            tls: false,
        })
    });
    links.map(|link| link.to_string()).collect()
}

/// Commands are templates in the file; these are texts.
fn literal(commands: &[Vec<String>]) -> Vec<Vec<String>> {
    let template = |text: &str| ["{{", "{%", "{#"].iter().any(|mark| text.contains(mark));
    let text = |text: &String| {
        if template(text) {
            // each by itself: the text may have what ends a part that is raw
            text.replace('{', "{{ '{' }}")
        } else {
            text.clone()
        }
    };
    let commands = commands.iter();
    commands
        .map(|argv| argv.iter().map(text).collect())
        .collect()
}

fn route(route: &Route) -> RouteKeys<'_> {
    let expected = route.expect_headers.iter();
    let expected = expected.map(|(name, value)| {
        let value = value.clone().map_or(Value::Boolean(true), Value::String);
        (name.as_str(), value)
    });
    RouteKeys {
        path: &route.path,
        method: route.method,
        body: Some(&route.body).filter(|body| !body.is_empty()),
        status: route.status,
        contains: &route.contains,
        equals: route.equals.as_ref(),
        dynamic: &route.dynamic,
        wait: route.wait,
        headers: &route.headers,
        expect_headers: expected.collect(),
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_get(method: &Method) -> bool {
    *method == Method::Get
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::expression;

    #[test]
    fn a_text_that_looks_like_a_template_is_the_same_when_it_is_read() {
        for text in ["{{ a }}", "{% endraw %}{{ a }}", "{# a #}{", "{ a }"] {
            let written = literal(&[vec![text.to_owned()]]).concat().concat();
            let read = expression::render(&written, &minijinja::context! {});
            assert_eq!(read.unwrap(), text, "{written}");
        }
    }
}
