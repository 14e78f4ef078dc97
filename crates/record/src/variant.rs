//! One way of serving an app: the programs, the load, and where it stands in a sweep.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Deserializer, Serialize};

use crate::loading::one;
use crate::named::named;
use crate::{App, Client, Link, Load};

/// One way of serving an app: a stack that weir starts, or a URL that leads to one that it does not. Or a client, which serves
/// nothing.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Variant {
    /// Name, unique in the plan.
    pub name: String,
    /// One line for people.
    pub title: String,
    /// Where a server that weir does not run serves it, as it was typed. Then there is no `server`, and nothing
    /// else that weir would start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The program that makes the requests, where it is that which is measured. Then nothing else is started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<Client>,
    /// The app server; absent when the front end serves files alone.
    pub server: Option<Choice>,
    /// The front ends, from the one that clients speak to inwards; none when they speak to the app
    /// server.
    #[serde(default, alias = "front", deserialize_with = "one_or_many")]
    pub fronts: Vec<Choice>,
    /// What starts the app server, and starts it again when it has ended; absent where weir starts it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub supervisor: Option<Choice>,
    /// What runs beside them for the app to use, by the app's name for it: a database, a cache.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub services: BTreeMap<String, Choice>,
    /// Environment on top of the app's own: a variant of it, which answers the same.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    /// What is served, where that is not the plan's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub app: Option<Box<App>>,
    /// The route that is loaded, by the name that [`App::route`] knows.
    pub route: String,
    /// How it is loaded, where that is not as the plan says for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load: Option<Load>,
    /// Where it stands in the sweep that it is a point of, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sweep: Option<Sweep>,
    /// What it changes of another variant, where it was chosen to be compared with that one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub change: Option<Change>,
}

impl Variant {
    /// Whether weir starts programs that serve it.
    pub fn is_stack(&self) -> bool {
        self.url.is_none() && self.client.is_none()
    }
}

/// What lies between two variants of a comparison.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Change {
    /// The variant that is changed.
    pub from: String,
    /// Each thing that is changed, in a few words; one where it can be.
    pub what: Vec<String>,
}

/// A variant's place among those that were made of one, by factors that take several levels each.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Sweep {
    /// Name of the variant that they were made of.
    pub family: String,
    /// A level of each factor, in the plan's order.
    pub levels: Vec<Level>,
    /// Whether the run put it there because the curve turned nearby; no condition means it, as what a
    /// condition means is fixed before a result is seen.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub added: bool,
}

/// What a factor is set to.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Level {
    /// The factor (`connections`, `server-maxconn`), unique in its family.
    pub factor: String,
    /// What it is set to, in a word.
    pub level: String,
    /// The same where it is a number: these levels have an order, and make a curve.
    pub number: Option<f64>,
}

/// An entry of the catalogue with the knobs that differ from its defaults.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Choice {
    /// Name of the entry.
    pub entry: String,
    /// Knob values by name.
    #[serde(default)]
    pub knobs: BTreeMap<String, Knob>,
    /// How those who call it reach it, as far as the plan says.
    #[serde(default)]
    pub link: Link,
    /// How many of it run beside each other, each with an address of its own; at least 1.
    #[serde(default = "one")]
    pub instances: u32,
}

impl Choice {
    /// One of this entry, as it comes.
    pub fn of(entry: impl Into<String>) -> Self {
        Self {
            entry: entry.into(),
            knobs: BTreeMap::new(),
            link: Link::default(),
            instances: 1,
        }
    }

    /// The same with these knobs.
    #[must_use]
    pub fn with(self, knobs: BTreeMap<String, Knob>) -> Self {
        Self { knobs, ..self }
    }
}

/// A list that was a single value, or none, in older runs.
fn one_or_many<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Choice>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Fronts {
        Many(Vec<Choice>),
        Perhaps(Option<Choice>),
    }
    Ok(match Fronts::deserialize(deserializer)? {
        Fronts::Many(choices) => choices,
        Fronts::Perhaps(choice) => choice.into_iter().collect(),
    })
}

/// The value of a knob.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Knob {
    /// On or off.
    Switch(bool),
    /// A count, a size in the knob's unit, a number of seconds.
    Number(i64),
    /// One of the knob's choices, or a formula over `cores` for a number.
    Text(String),
}

named! {
    /// How two programs on this machine are connected.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, JsonSchema, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Transport,
    /// Its name in links and entries.
    fn name {
        /// TCP over loopback.
        #[default]
        Tcp = "tcp",
        /// A Unix domain stream socket.
        Unix = "unix",
    }
}

/// Where a load goes: resolved, ready to connect.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Target {
    /// A TCP address.
    Tcp(std::net::SocketAddr),
    /// A path of a Unix domain stream socket.
    Unix(PathBuf),
}
