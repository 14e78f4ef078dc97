//! The plan file as a user types it. What it means is [`crate::plan::resolve`]'s business.

use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZeroU32;
use std::path::PathBuf;

use record::{Choice, Claim, Cpus, Knob, LoadSpec, Network, Refine, Stress, Sweep};
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use toml::{Table, Value};

use crate::plan::blocks::Blocks;
use crate::plan::ranking::RankingTable;

/// A plan file, key by key. `docs/plan.toml` explains each.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct PlanFile {
    pub(crate) title: Option<String>,
    /// Optional where every variant is a URL.
    pub(crate) app: Option<PathBuf>,
    pub(crate) baseline: Option<String>,
    pub(crate) noise_floor: Option<String>,
    #[serde(default)]
    pub(crate) blocks: Blocks,
    /// Seconds of the slices in which loads take turns.
    pub(crate) slice: Option<f64>,
    /// What is added to the usual load, in blocks of their own.
    #[serde(default)]
    pub(crate) stress: Vec<Stress>,
    /// Which cores the load generator has, and which the stack.
    pub(crate) cpus: Option<CpusTable>,
    /// Where trials take place.
    #[serde(default)]
    pub(crate) network: Network,
    pub(crate) seed: Option<u64>,
    pub(crate) budget: Option<String>,
    pub(crate) host: Option<String>,
    /// Where it departs from the report that it repeats.
    #[serde(default)]
    pub(crate) differs: Vec<String>,
    #[serde(default)]
    pub(crate) keep_going: bool,
    #[serde(default)]
    pub(crate) load: LoadSpec,
    #[serde(default)]
    pub(crate) variant: Vec<VariantTable>,
    #[serde(default)]
    pub(crate) claim: Vec<Claim>,
    #[serde(default)]
    pub(crate) ranking: Vec<RankingTable>,
}

/// `{ load = 1, stack = "rest" }`: numbers of cores; with `load = 0` all share all.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(
    deny_unknown_fields,
    rename_all = "kebab-case",
    expecting = "a table, as in `cpus = { load = 1 }`"
)]
pub(crate) struct CpusTable {
    pub(crate) load: u32,
    #[serde(default)]
    pub(crate) stack: StackCpus,
}

/// Cores of the stack.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(untagged, expecting = "a number of cores, or \"rest\"")]
pub(crate) enum StackCpus {
    Number(NonZeroU32),
    Word(Rest),
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Rest {
    Rest,
}

impl Default for StackCpus {
    fn default() -> Self {
        Self::Word(Rest::Rest)
    }
}

impl CpusTable {
    /// What it means; `None` where all share all.
    ///
    /// # Errors
    /// What contradicts itself in it.
    pub(crate) fn cpus(self) -> Result<Option<Cpus>, &'static str> {
        let stack = match self.stack {
            StackCpus::Number(cores) => Some(cores.get()),
            StackCpus::Word(Rest::Rest) => None,
        };
        match (self.load, stack) {
            (0, Some(_)) => {
                Err("with `load = 0` all share all, and the stack has no cores of its own")
            }
            (0, None) => Ok(None),
            (load, stack) => Ok(Some(Cpus { load, stack })),
        }
    }
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct VariantTable {
    pub(crate) name: String,
    pub(crate) title: Option<String>,
    /// Where it is not the plan's.
    pub(crate) app: Option<PathBuf>,
    /// Where a server that weir does not run serves it, instead of the programs.
    pub(crate) url: Option<String>,
    /// The program that is measured, as a client of weir's own origin, instead of the programs that serve.
    pub(crate) client: Option<ClientTable>,
    /// Whether any certificate will do there.
    #[serde(default)]
    pub(crate) insecure: bool,
    pub(crate) server: Option<ChoiceTable>,
    /// One, or a chain from the clients inwards.
    #[serde(default)]
    pub(crate) front: Fronts,
    /// What starts the app server, and starts it again.
    pub(crate) supervisor: Option<ChoiceTable>,
    /// By the app's names for them.
    #[serde(default)]
    pub(crate) services: BTreeMap<String, ChoiceTable>,
    #[serde(default)]
    pub(crate) env: BTreeMap<String, String>,
    pub(crate) route: Option<String>,
    /// Keys of the load that differ for this variant.
    #[serde(default)]
    pub(crate) load: LoadSpec,
    /// What makes a variant of another, or several of one: `crate::plan::vary`'s business.
    like: Option<String>,
    set: Option<Table>,
    vary: Option<Table>,
    only: Option<Vec<Table>>,
    except: Option<Vec<Table>>,
    #[serde(rename = "where")]
    constraints: Option<toml::Value>,
    /// Which `[[variant]]` of the file it comes from.
    #[serde(skip)]
    pub(crate) from: usize,
    #[serde(skip)]
    pub(crate) sweep: Option<Sweep>,
    #[serde(skip)]
    pub(crate) refine: Vec<Refine>,
}

/// `["python3", "orders.py"]`, or a table with that as its `command`.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Value")]
pub(crate) enum ClientTable {
    Words(Vec<String>),
    Table(ClientKeys),
}

impl TryFrom<Value> for ClientTable {
    type Error = String;

    /// Says which key is wrong, which an untagged enum would not.
    fn try_from(value: Value) -> Result<Self, String> {
        let table = match value {
            Value::Array(_) => Vec::deserialize(value).map(Self::Words),
            Value::Table(_) => ClientKeys::deserialize(value).map(Self::Table),
            _ => {
                let meant =
                    "a command as a list of words, or a table `{ command = [...], delay = 0.02 }`";
                return Err(format!("expected {meant}"));
            }
        };
        table.map_err(|error| error.message().to_owned())
    }
}

/// How the origin responds to a client.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct ClientKeys {
    pub(crate) command: Vec<String>,
    pub(crate) delay: Option<f64>,
    pub(crate) status: Option<u16>,
    pub(crate) body: Option<String>,
}

impl VariantTable {
    /// Whether it is as it is run.
    pub(crate) fn is_plain(&self) -> bool {
        let filters = self.only.is_some() || self.except.is_some() || self.constraints.is_some();
        self.like.is_none() && self.set.is_none() && self.vary.is_none() && !filters
    }
}

/// `"nginx"`, `{ entry = "nginx" }`, or a list of these.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fronts(pub(crate) Vec<ChoiceTable>);

impl<'de> Deserialize<'de> for Fronts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct FrontsVisitor;
        impl<'de> Visitor<'de> for FrontsVisitor {
            type Value = Fronts;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str(
                    "the name of an entry, a table `{ entry = \"...\" }`, or a list of them",
                )
            }
            fn visit_str<E: serde::de::Error>(self, entry: &str) -> Result<Fronts, E> {
                ChoiceVisitor
                    .visit_str(entry)
                    .map(|choice| Fronts(vec![choice]))
            }
            fn visit_map<M: MapAccess<'de>>(self, map: M) -> Result<Fronts, M::Error> {
                ChoiceVisitor
                    .visit_map(map)
                    .map(|choice| Fronts(vec![choice]))
            }
            fn visit_seq<S: SeqAccess<'de>>(self, mut list: S) -> Result<Fronts, S::Error> {
                let mut choices = Vec::new();
                while let Some(choice) = list.next_element()? {
                    choices.push(choice);
                }
                Ok(Fronts(choices))
            }
        }
        deserializer.deserialize_any(FrontsVisitor)
    }
}

/// `"gunicorn"`, or `{ entry = "gunicorn", workers = 2 }`: an entry and the knobs that differ from
/// its defaults.
#[derive(Clone, Debug)]
pub(crate) struct ChoiceTable(pub(crate) Choice);

impl<'de> Deserialize<'de> for ChoiceTable {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ChoiceVisitor)
    }
}

struct ChoiceVisitor;

impl<'de> Visitor<'de> for ChoiceVisitor {
    type Value = ChoiceTable;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("the name of an entry, or a table `{ entry = \"...\", knob = value }`")
    }

    fn visit_str<E: serde::de::Error>(self, entry: &str) -> Result<ChoiceTable, E> {
        Ok(ChoiceTable(Choice::of(entry)))
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<ChoiceTable, M::Error> {
        let mut entry: Option<String> = None;
        let mut choice = Choice::of("");
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "entry" => entry = Some(map.next_value()?),
                "link" => choice.link = map.next_value()?,
                "instances" => choice.instances = map.next_value::<NonZeroU32>()?.get(),
                _ => drop(choice.knobs.insert(key, map.next_value::<KnobValue>()?.0)),
            }
        }
        choice.entry = entry.ok_or_else(|| serde::de::Error::missing_field("entry"))?;
        Ok(ChoiceTable(choice))
    }
}

struct KnobValue(Knob);

impl<'de> Deserialize<'de> for KnobValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct KnobVisitor;
        impl Visitor<'_> for KnobVisitor {
            type Value = KnobValue;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a knob's value: true or false, a whole number, or text")
            }
            fn visit_bool<E>(self, value: bool) -> Result<KnobValue, E> {
                Ok(KnobValue(Knob::Switch(value)))
            }
            fn visit_i64<E>(self, value: i64) -> Result<KnobValue, E> {
                Ok(KnobValue(Knob::Number(value)))
            }
            fn visit_str<E>(self, value: &str) -> Result<KnobValue, E> {
                Ok(KnobValue(Knob::Text(value.to_owned())))
            }
        }
        deserializer.deserialize_any(KnobVisitor)
    }
}
