use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::{App, Condition, Load, NotTried, OfCapacity, Ranking, Stress, Variant};

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
    /// What its rates are shares of; absent where they are requests per second from the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of_capacity: Option<OfCapacity>,
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
    /// Where its trials take place.
    #[serde(default, skip_serializing_if = "Network::is_machine")]
    pub network: Network,
    /// The folder for captured packets, a file for each trial; absent where none are captured. They are of networks of
    /// the trials' own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capture: Option<String>,
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
    /// The variant that is run a second time in the first four blocks and in every second one after these, to learn how
    /// far apart two equal things lie in this run (A/A).
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
    /// Whether it is asked which variant to deploy whatever its claims are, which are conditions beside that.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub to_deploy: bool,
    /// The commit of each app by the folder that it is served from, as `git describe` has it, with `-dirty` where files
    /// were changed since; of those that are in a work tree.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub revisions: BTreeMap<String, String>,
}

impl Plan {
    /// The variant of this name.
    pub fn variant(&self, name: &str) -> Option<&Variant> {
        self.variants.iter().find(|variant| variant.name == name)
    }

    /// The same with nothing asked of its variants, and nothing done to them but their load.
    #[must_use]
    pub fn unasked(&self) -> Self {
        Self {
            noise_floor: None,
            claims: Vec::new(),
            rankings: Vec::new(),
            refine: Vec::new(),
            stress: Vec::new(),
            goals: Vec::new(),
            not_tried: Vec::new(),
            differs: Vec::new(),
            whole: BTreeSet::new(),
            search: None,
            budget: None,
            capture: None,
            to_deploy: false,
            ..self.clone()
        }
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
            Some(stress) if self.is_for(stress, variant) => stress.of(usual),
            Some(_) => None,
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
        let served = self.variants.iter().filter(|variant| variant.is_stack());
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

/// The network namespace of a trial: of its load, its stack and its services.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Network {
    /// That in which weir runs, with whatever else is in it.
    #[default]
    Machine,
    /// One of its own, with nothing else in it and no way out of it.
    Own,
    /// One of its own where weir may make one, and else the machine's: the facts of a trial's load say which it was.
    OwnIfAllowed,
}

impl Network {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde wants it")]
    fn is_machine(&self) -> bool {
        *self == Self::Machine
    }
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
    /// Requests that machines are to carry (`3M/day`): the first of its conditions that compares throughputs is told in machines,
    /// too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub demand: Option<String>,
    /// How many times the mean of that demand falls due in its busiest moment, within [`PEAKS`](crate::PEAKS); absent where
    /// requests come evenly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peak: Option<f64>,
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
