use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use serde::{Deserialize, Deserializer, Serialize};

use crate::loading::one;
use crate::named::named;
use crate::{App, Condition, Link, Load, NotTried, Ranking, Stress};

/// A resolved plan: everything that decides what a run does. It is stored with the run, so that
/// the run can be resumed, repeated and judged without the file it came from.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Plan {
    /// Short name, from the file's.
    pub name: String,
    /// One line for people.
    pub title: String,
    /// The application under load, where a variant has none of its own.
    pub app: App,
    /// How each variant is loaded.
    pub load: Load,
    /// How often each variant is started afresh and measured; the unit of replication.
    pub blocks: u32,
    /// Seconds of the slices into which windows are cut, where variants of a block are up at the same time and their
    /// loads take turns; 0 where each is loaded alone and at once.
    #[serde(default)]
    pub slice: f64,
    /// Blocks after which the run is looked at for the first time: it ends as soon as what is asked of it is decided,
    /// and after `blocks` at the latest. Absent where their number is fixed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_least: Option<u32>,
    /// Variants whose windows are never cut into slices, as something is asked of them that slices do not show.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub whole: BTreeSet<String>,
    /// Which cores the load generator has, and which the stack; absent where all share all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpus: Option<Cpus>,
    /// Trouble that is added to the usual load in blocks of its own, after the others: every variant once for each.
    /// None of it enters figures, comparisons and rankings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stress: Vec<Stress>,
    /// Seed of the order inside blocks and of every bootstrap.
    pub seed: u64,
    /// What is tried, in the order in which tables show it.
    #[serde(alias = "stages")]
    pub variants: Vec<Variant>,
    /// The variant that others are compared with.
    pub baseline: String,
    /// The variant that is run a second time in each block, under two names, to learn how far apart
    /// two equal things lie in this run (A/A).
    pub noise_floor: Option<String>,
    /// Statements that the run decides.
    pub claims: Vec<Claim>,
    /// Who is ranked, and by what.
    #[serde(default)]
    pub rankings: Vec<Ranking>,
    /// Whether a variant that fails is left out and the others go on; else it ends the run.
    #[serde(default)]
    pub keep_going: bool,
    /// Whether other programs are always there: what they disturb counts and is not repeated.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub shared: bool,
    /// Time that a run of it may take, in seconds; blocks that do not fit are left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<f64>,
    /// Where it departs from the report that it repeats, for all its claims: what stands in for what, what was scaled.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub differs: Vec<String>,
    /// How its variants were chosen, which all load one URL, each once and each in another way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search: Option<Search>,
    /// Conditions that have to hold, where the highest rate is looked for at which they do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub goals: Vec<String>,
    /// What the run adds to its sweeps when it has seen their first block.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refine: Vec<Refine>,
    /// What could have been compared as well.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_tried: Vec<NotTried>,
}

impl Plan {
    /// The variant of this name.
    pub fn variant(&self, name: &str) -> Option<&Variant> {
        self.variants.iter().find(|variant| variant.name == name)
    }

    /// Blocks after which it is looked at for the first time, if it may end before its last block.
    pub fn looks(&self) -> Option<u32> {
        self.at_least.filter(|least| *least < self.blocks)
    }

    /// Seconds of a slice, if windows of it may be cut: it says so, and some load can be.
    pub fn slices(&self) -> Option<f64> {
        let cut = self
            .variants
            .iter()
            .filter(|of| !self.whole.contains(&of.name));
        let mut loads = cut.map(|variant| self.load_of(variant));
        (self.slice > 0.0 && loads.any(Load::can_be_cut)).then_some(self.slice)
    }

    /// How this variant is loaded.
    pub fn load_of<'a>(&'a self, variant: &'a Variant) -> &'a Load {
        variant.load.as_ref().unwrap_or(&self.load)
    }

    /// How this variant is loaded in a block; none where the stress of that block is nothing for it.
    pub fn load_in(&self, block: u32, variant: &Variant) -> Option<Load> {
        let usual = self.load_of(variant);
        match self.stress_in(block) {
            Some(stress) => stress.of(usual),
            None => Some(usual.clone()),
        }
    }

    /// The application that this variant serves.
    pub fn app_of<'a>(&'a self, variant: &'a Variant) -> &'a App {
        variant.app.as_deref().unwrap_or(&self.app)
    }

    /// Asks for every route of its apps by this name.
    pub fn ask_as(&mut self, host: &str) {
        let own = self.variants.iter_mut();
        let own = own.filter_map(|variant| variant.app.as_deref_mut());
        let routes = own.chain([&mut self.app]).flat_map(|app| &mut app.routes);
        routes.for_each(|route| route.ask_as(host));
    }

    /// The applications that weir serves in its variants, each once.
    pub fn apps(&self) -> Vec<&App> {
        let mut apps = Vec::new();
        let served = self.variants.iter().filter(|variant| variant.url.is_none());
        for app in served.map(|variant| self.app_of(variant)) {
            if !apps.contains(&app) {
                apps.push(app);
            }
        }
        apps
    }

    /// The one URL that it loads once, if that is all of it: what `weir bench` does with a load.
    pub fn one_load(&self) -> Option<&Variant> {
        let [variant] = self.variants.as_slice() else {
            return None;
        };
        let alone = self.search.is_none() && self.trials() == 1;
        (alone && variant.url.is_some()).then_some(variant)
    }

    /// How many trials the plan asks for: every variant once per block and kind of stress, and in blocks the A/A half
    /// with them.
    pub fn trials(&self) -> u64 {
        let per_block = self.variants.len() + usize::from(self.noise_floor.is_some());
        let stressed = self.stress.len() * self.variants.len();
        u64::from(self.blocks) * per_block as u64 + stressed as u64
    }
}

/// How the cores that weir may use are divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Cpus {
    /// Cores of the load generator, which nothing of the stack runs on.
    pub load: u32,
    /// Cores of the stack: its programs are told of no others. Absent where it has the rest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stack: Option<u32>,
}

/// How loads of one URL are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Search {
    /// For its capacity by closed loops, then for the latency below that by open loops.
    Survey,
    /// For the highest rate at which goals hold.
    Goal,
    /// At values that were asked for.
    Sweep,
}

/// One way of serving an app: a stack that weir starts, or a URL that leads to one that it does not.
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

/// A statement about variants that a run decides.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// Identifier (`A1`).
    pub id: String,
    /// The statement in words.
    pub text: String,
    /// The figure that the field report gave; empty where nobody reported any.
    #[serde(default)]
    pub reported: String,
    /// Whether the run fails unless it holds: somebody's threshold rather than a report's statement.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub required: bool,
    /// Conditions that must all hold, in the language of [`condition`](crate::condition)
    /// (``throughput of `b` / throughput of `a` >= 1.6``).
    pub expect: Vec<Condition>,
    /// What has changed since the report was written, to be read only where it no longer holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
    /// Conditions that test `since`, mostly in variants that bring the old state of things back. They decide nothing
    /// about the claim, and are shown with that text.
    #[serde(
        default,
        rename = "since-expect",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub since_expect: Vec<Condition>,
    /// Where its measurement departs from the report's, beside what the plan says of all its claims; always shown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub differs: Vec<String>,
}

/// Points that a run adds to a sweep, where its curve turns in the first block.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Refine {
    /// The family of variants.
    pub family: String,
    /// The factor that they are added along, by its name in the family (`connections`).
    pub factor: String,
    /// The same as a key of a variant (`load.connections`).
    pub path: String,
    /// Most points that are added to each of its curves.
    pub points: u32,
    /// Whether they have been chosen: they are variants of the plan then.
    #[serde(default)]
    pub decided: bool,
}
