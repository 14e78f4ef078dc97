use std::collections::BTreeMap;

use load::{Body, Check, Demand, Expected, Status, Text};
use record::Texts;
use serde::Deserialize;
use toml::Spanned;

use super::{At, RequestTable};
use crate::TrafficError;

/// JSON paths, with the values that they must find or without.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Paths {
    Any(Texts),
    Values(BTreeMap<String, serde_json::Value>),
}

impl At<'_> {
    /// What counts as a correct response.
    pub(super) fn expected(&self, table: &RequestTable) -> Result<Expected, TrafficError> {
        let status = table.status.as_ref().map_or(200, |it| *it.get_ref());
        if !(200..1000).contains(&status) {
            let span = table.status.as_ref().map(Spanned::span);
            let problem = format!("`{status}` is no status of a response");
            return Err(self.wrong("status", span, problem, "give one from 200 to 999"));
        }
        let body = match (&table.equals, &table.contains) {
            (None, None) => Body::Any,
            (Some(text), None) => Body::Exact(text.get_ref().clone().into_bytes()),
            (None, Some(texts)) => {
                let texts = texts.all().iter().map(|text| text.clone().into_bytes());
                Body::Contains(texts.collect())
            }
            (Some(text), Some(_)) => {
                let problem = "`contains` is given as well";
                let hint = "leave `contains` out: a body that equals something contains all of it";
                return Err(self.wrong("equals", Some(text.span()), problem, hint));
            }
        };
        Ok(Expected {
            checks: self.checks(table)?,
            ..Expected::new(Status::Is(status), body)
        })
    }

    /// The demands beyond status and body, named as they are written.
    fn checks(&self, table: &RequestTable) -> Result<Vec<Check>, TrafficError> {
        let mut checks = Vec::new();
        let mut check = |name: String, demand| checks.push(Check { name, demand });
        for (name, value) in &table.header {
            let demand = Demand::Header {
                name: name.clone(),
                value: Text::Is(value.clone().into()),
            };
            check(format!("header {name}: {value}"), demand);
        }
        for pattern in table.regex.iter().flat_map(Texts::all) {
            let name = format!("regex {pattern}");
            check(name, Demand::Body(Text::Matches(pattern.clone())));
        }
        if let Some(hash) = &table.sha256 {
            let demand = Demand::sha256(hash.get_ref()).ok_or_else(|| {
                let problem = format!("`{}` is no SHA-256", hash.get_ref());
                let hint = "give 64 hexadecimal digits, as `sha256sum` prints them";
                self.wrong("sha256", Some(hash.span()), problem, hint)
            })?;
            check("sha256".to_owned(), demand);
        }
        match &table.json {
            None => {}
            Some(Paths::Any(paths)) => {
                for path in paths.all() {
                    let demand = Demand::Json {
                        path: path.clone(),
                        value: None,
                    };
                    check(path.clone(), demand);
                }
            }
            Some(Paths::Values(values)) => {
                for (path, value) in values {
                    let demand = Demand::Json {
                        path: path.clone(),
                        value: Some(value.clone()),
                    };
                    check(format!("{path} = {value}"), demand);
                }
            }
        }
        Ok(checks)
    }
}
