//! A run as one HTML file that opens offline, needs no script, and prints.
//!
//! Geometry is computed here and drawn by the template; every text loses its secrets and goes through the
//! template's escaping, and the page's own policy forbids scripts and anything from outside.

mod axis;
pub mod claims;
mod curves;
mod downloads;
mod percentiles;
mod secrets;
mod strips;

use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, Value};
use minijinja::{
    AutoEscape, Environment, Output, State, UndefinedBehavior, context, escape_formatter,
};
use serde::Serialize;

use crate::harmless::harmless;
use crate::view::{SECTIONS, facts};
use crate::{JudgedRun, words};

pub(crate) use axis::{Dot, place};
pub use curves::curves;
pub(crate) use curves::draw_curves;
pub(crate) use downloads::{Download, Room};
pub(crate) use percentiles::Percentiles;
pub(crate) use secrets::hidden;
pub use secrets::{Hide, hide_with};
pub(crate) use strips::Strips;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("style.css");
/// What pages are built on, and of.
const SHARED: [(&str, &str); 4] = [
    ("frame.html", include_str!("frame.html")),
    ("parts.html", include_str!("parts.html")),
    ("load.html", include_str!("load.html")),
    ("strips.html", include_str!("strips.html")),
];

/// HTML, or why a template, which is part of the program, does not fit its data.
pub(crate) type Drawn = Result<String, minijinja::Error>;

/// A part of a page: a template over what is `said`.
pub(crate) fn drawn(environment: &Environment, template: &str, said: impl Serialize) -> Drawn {
    environment.render_str(template, context! { said => Serde(said) })
}

/// The report on a run.
///
/// # Panics
/// If the template, which is part of the program, does not fit its data, which has the same shape
/// for every run; the tests draw runs of each kind.
pub fn page(of: &JudgedRun) -> String {
    draw(of).expect("the built-in template fits its data")
}

fn draw(of: &JudgedRun) -> Drawn {
    let environment = environment()?;
    let sections = SECTIONS.iter().filter_map(|(_, drawn)| *drawn);
    let sections: Result<Vec<String>, _> = sections.map(|draw| draw(&environment, of)).collect();
    let context = context! {
        run => of.run.id,
        title => &of.run.plan.title,
        begun => words::moment(of.run.started),
        headline => words::headline(of.run, of.judged),
        facts => facts(of),
        sections => sections?,
    };
    environment.render_str(PAGE, context)
}

/// What all pages have in common.
pub(crate) fn environment() -> Result<Environment<'static>, minijinja::Error> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_syntax(
        SyntaxConfig::builder()
            .trim_blocks(true)
            .lstrip_blocks(true)
            .build()?,
    );
    // text that is drawn apart is HTML too
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.set_formatter(written);
    environment.add_filter("code", code);
    environment.add_filter("class", class);
    environment.add_global("style", Value::from_safe_string(STYLE.to_owned()));
    for (name, template) in SHARED {
        environment.add_template(name, template)?;
    }
    Ok(environment)
}

/// Writes a value as HTML. What is safe was escaped before, when it was made of other values.
fn written(out: &mut Output, state: &mut State, value: &Value) -> Result<(), minijinja::Error> {
    let Some(text) = value.as_str() else {
        return escape_formatter(out, state, value);
    };
    let is_safe = value.is_safe();
    let clean = if is_safe {
        harmless(text)
    } else {
        hidden(text)
    };
    if clean == text {
        return escape_formatter(out, state, value);
    }
    let clean = clean.into_owned();
    let clean = if is_safe {
        Value::from_safe_string(clean)
    } else {
        Value::from(clean)
    };
    escape_formatter(out, state, &clean)
}

/// The colour of a verdict, as [`judge::Verdict`] and [`judge::Holds`] are serialised, or of what stands in its place.
fn class(verdict: &str) -> &'static str {
    match verdict {
        "holds" | "better" => "good",
        "does-not-hold" | "does not hold" | "failed" | "worse" => "bad",
        "cannot-tell" | "cannot tell" => "unsure",
        _ => "same",
    }
}

/// Text in which names stand in backticks, without secrets and escaped, with `<code>` around the names.
fn code(text: &str) -> Value {
    let text = hidden(text);
    let mut html = String::with_capacity(text.len() + 16);
    let mut rest = &*text;
    while let Some((before, name, after)) = next_name(rest) {
        let (before, name) = (minijinja::HtmlEscape(before), minijinja::HtmlEscape(name));
        html.push_str(&format_args!("{before}<code>{name}</code>").to_string());
        rest = after;
    }
    html.push_str(&minijinja::HtmlEscape(rest).to_string());
    Value::from_safe_string(html)
}

fn next_name(text: &str) -> Option<(&str, &str, &str)> {
    let (before, from) = text.split_once('`')?;
    let (name, after) = from.split_once('`')?;
    Some((before, name, after))
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;

    fn hide(text: &str) -> Cow<'_, str> {
        Cow::Owned(text.replace("a://b", "***"))
    }

    #[test]
    fn secrets_are_looked_for_before_a_text_is_escaped() {
        hide_with(hide);
        let shown = environment().unwrap().render_str(
            "{{ text }} {{ text | code }}",
            context! { text => "<a://b> `a://b/c`" },
        );
        let expected = "&lt;***&gt; `***&#x2f;c` &lt;***&gt; <code>***&#x2f;c</code>";
        assert_eq!(shown.unwrap(), expected);
    }

    #[test]
    fn names_become_code_and_everything_is_escaped() {
        for (text, html) in [
            ("`a` & `b`", "<code>a</code> &amp; <code>b</code>"),
            ("`<script>`", "<code>&lt;script&gt;</code>"),
            ("a ` alone <b>", "a ` alone &lt;b&gt;"),
            ("", ""),
        ] {
            assert_eq!(code(text).to_string(), html);
        }
    }
}
