//! What a plan file means: defaults filled in, names checked, ready to be stored and run.

mod route;
pub(crate) mod url;

use std::path::Path;

use record::{App, Load, LoadSpec, Plan, Stage, Tls, as_keys, limits};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use toml::{Table, Value};

use crate::plan::error::{PlanError, wrong};
use crate::plan::file::{PlanFile, StageTable};
use crate::plan::refine;
use crate::plan::vary;
use crate::plan::{claims, ranking};

/// Reads and parses a plan file, for a machine of so many cores.
///
/// # Errors
/// When it cannot be read or has an unknown key or a wrong type.
pub(crate) fn read(path: &Path, cores: u32) -> Result<PlanFile, PlanError> {
    let mut file: PlanFile = parse(path)?;
    if file.stage.iter().all(StageTable::is_plain) {
        for (index, stage) in file.stage.iter_mut().enumerate() {
            stage.from = index;
        }
    } else {
        let tables: Stages = parse(path)?;
        file.stage = made(path, &tables.stage, cores)?;
    }
    Ok(file)
}

/// Reads a TOML file.
///
/// # Errors
/// When it cannot be read, or is not what it should be.
pub(crate) fn parse<T: DeserializeOwned>(path: &Path) -> Result<T, PlanError> {
    let text = text(path)?;
    toml::from_str(&text).map_err(|error| PlanError::Syntax {
        path: path.to_owned(),
        detail: error.to_string().trim_end().to_owned(),
    })
}

/// A file as it is.
pub(crate) fn text(path: &Path) -> Result<String, PlanError> {
    input::text(path).map_err(|reason| PlanError::Read {
        path: path.to_owned(),
        reason,
    })
}

/// The stages of a plan file before they are looked at.
#[derive(Deserialize)]
struct Stages {
    stage: Vec<Table>,
}

/// The stages that some tables mean, where not each stands for itself.
fn made(path: &Path, tables: &[Table], cores: u32) -> Result<Vec<StageTable>, PlanError> {
    let wrong =
        |from: usize, key: &str, problem: String, hint: Option<String>| PlanError::Meaning {
            path: path.to_owned(),
            key: format!("stage[{from}]{key}"),
            problem,
            hint,
        };
    let points = vary::expand(tables, cores).map_err(|(from, flaw)| {
        let key = format!(".{}", flaw.key);
        wrong(from, &key, flaw.problem, Some(flaw.hint))
    })?;
    let stage = |point: vary::Point| {
        let read = StageTable::deserialize(Value::Table(point.table));
        let mut stage = read.map_err(|error| {
            let hint = "every key of a stage is explained by `weir help plan`".to_owned();
            wrong(point.from, "", error.message().to_owned(), Some(hint))
        })?;
        (stage.from, stage.sweep, stage.refine) = (point.from, point.sweep, point.refine);
        Ok(stage)
    };
    points.into_iter().map(stage).collect()
}

/// A plan file on its way to a plan; knows where it came from, for its errors.
pub(crate) struct Resolver<'a> {
    pub(crate) path: &'a Path,
    pub(crate) app: App,
    /// Those of stages that have one of their own, stage by stage.
    pub(crate) own: Vec<Option<App>>,
    /// Whether the plan names no app, as nothing of it is served by weir.
    pub(crate) elsewhere: bool,
    /// Cores of the machine that the plan is for.
    pub(crate) cores: u32,
}

impl Resolver<'_> {
    /// Turns the file into a plan.
    ///
    /// # Errors
    /// When a value makes no sense; entries and knobs are checked by whoever has the catalogue.
    pub(crate) fn resolve(self, file: PlanFile) -> Result<Plan, PlanError> {
        let seed = file.seed.unwrap_or_else(crate::seed);
        let load = self.load("load", &file.load, seed)?;
        let own = self.own_loads(&file, seed)?;
        let refine = refine::wished(&file.stage);
        let mut stages = self.stages(file.stage)?;
        for (stage, own) in stages.iter_mut().zip(own) {
            self.can_be_loaded(stage, own.as_ref().unwrap_or(&load))?;
            stage.load = own;
        }
        let first = stages[0].name.clone();
        let baseline = self.stage_named("baseline", file.baseline.unwrap_or(first), &stages)?;
        let noise_floor = match file.noise_floor {
            None => Some(baseline.clone()),
            Some(name) if name == "none" => None,
            Some(name) => Some(self.stage_named("noise-floor", name, &stages)?),
        };
        if file.blocks == 0 {
            let hint = "6 blocks are the fewest that give an interval";
            return Err(self.wrong("blocks", "must be at least 1", hint));
        }
        if file.blocks > limits::BLOCKS {
            let problem = format!("must be at most {}", limits::BLOCKS);
            return Err(self.wrong(
                "blocks",
                &problem,
                "write `blocks = 6`, or 20 for narrow intervals",
            ));
        }
        let rankings = ranking::resolve(self.path, file.ranking, &stages)?;
        claims::check(self.path, &file.claim, &stages, &rankings)?;
        let budget = file.budget.map(|text| crate::duration(&text));
        let budget = budget
            .transpose()
            .map_err(|why| self.wrong("budget", &why, "write `budget = \"20 min\"`"))?;
        let name = self
            .path
            .file_stem()
            .map_or_else(|| "plan".into(), |stem| stem.to_string_lossy().into_owned());
        let plan = Plan {
            title: file.title.unwrap_or_else(|| name.clone()),
            name,
            app: self.app,
            load,
            blocks: file.blocks,
            seed,
            stages,
            baseline,
            noise_floor,
            claims: file.claim,
            rankings,
            keep_going: file.keep_going,
            budget,
            refine,
            search: None,
        };
        can_be_refined(self.path, &plan)?;
        Ok(plan)
    }

    /// The loads of stages that say something of their own about it.
    fn own_loads(&self, file: &PlanFile, seed: u64) -> Result<Vec<Option<Load>>, PlanError> {
        let of_stage = |stage: &StageTable| {
            if stage.load == LoadSpec::default() && !stage.insecure {
                return Ok(None);
            }
            let key = format!("stage[{}].load", stage.from);
            let load = self.load(&key, &stage.load.over(&file.load), seed)?;
            let tls = stage.insecure.then(|| Tls {
                insecure: true,
                ..Tls::default()
            });
            Ok(Some(Load { tls, ..load }))
        };
        file.stage.iter().map(of_stage).collect()
    }

    /// `key` is where the table stands in the file: `load`, or `stage[1].load`.
    fn load(&self, key: &str, spec: &LoadSpec, seed: u64) -> Result<Load, PlanError> {
        let spec = spec.over(&LoadSpec::of_plans());
        let load = spec.resolve(self.cores, seed);
        load.map_err(|flaw| PlanError::Meaning {
            path: self.path.to_owned(),
            key: format!("{key}.{}", flaw.key),
            problem: flaw.problem(as_keys),
            hint: Some(flaw.hint(as_keys)),
        })
    }

    fn stages(&self, tables: Vec<StageTable>) -> Result<Vec<Stage>, PlanError> {
        if tables.is_empty() {
            return Err(self.wrong(
                "stage",
                "a plan needs at least one stage",
                "add `[[stage]]` with a `name` and a `server`",
            ));
        }
        let mut stages: Vec<Stage> = Vec::new();
        for (table, app) in tables.into_iter().zip(&self.own) {
            let index = table.from;
            let stage = self.stage(table, app.as_ref())?;
            if stages.iter().any(|other| other.name == stage.name) {
                return Err(self.wrong(
                    &format!("stage[{index}].name"),
                    &format!("two stages are called `{}`", stage.name),
                    "give each stage a name of its own",
                ));
            }
            stages.push(stage);
        }
        Ok(stages)
    }

    fn stage(&self, table: StageTable, app: Option<&App>) -> Result<Stage, PlanError> {
        let index = table.from;
        // what is made of levels has a name of their words
        let typed = match &table.sweep {
            Some(sweep) => &sweep.family,
            None => &table.name,
        };
        let well_named = !typed.is_empty()
            && typed
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "-_.+".contains(c));
        if !well_named {
            return Err(self.wrong(
                &format!("stage[{index}].name"),
                &format!("`{typed}` is not a stage name"),
                "use letters, digits and `-_.+`; the words for people go into `title`",
            ));
        }
        self.is_served(index, &table)?;
        let choices = table.server.iter().chain(&table.front.0);
        let mut choices = choices.chain(table.services.values());
        if choices.any(|choice| choice.0.instances > limits::INSTANCES) {
            return Err(self.wrong(
                &format!("stage[{index}].instances"),
                &format!("must be at most {}", limits::INSTANCES),
                "write as many as there are to be beside each other, such as `instances = 4`",
            ));
        }
        let route = self.route(index, table.route.as_deref(), app.unwrap_or(&self.app))?;
        Ok(Stage {
            title: table.title.unwrap_or_else(|| table.name.clone()),
            name: table.name,
            url: table.url,
            server: table.server.map(|of| of.0),
            fronts: table.front.0.into_iter().map(|of| of.0).collect(),
            services: table
                .services
                .into_iter()
                .map(|(name, of)| (name, of.0))
                .collect(),
            env: table.env,
            app: app.cloned().map(Box::new),
            route,
            load: None,
            sweep: table.sweep,
        })
    }

    fn stage_named(&self, key: &str, name: String, stages: &[Stage]) -> Result<String, PlanError> {
        if stages.iter().any(|stage| stage.name == name) {
            return Ok(name);
        }
        let names: Vec<String> = stages
            .iter()
            .map(|stage| format!("`{}`", stage.name))
            .collect();
        Err(self.wrong(
            key,
            &format!("no stage is called `{name}`"),
            &format!("use one of {}", names.join(", ")),
        ))
    }

    pub(crate) fn wrong(&self, key: &str, problem: &str, hint: &str) -> PlanError {
        wrong(self.path, key, problem, hint)
    }
}

fn can_be_refined(path: &Path, plan: &Plan) -> Result<(), PlanError> {
    let Some(of) = refine::impossible(plan) else {
        return Ok(());
    };
    Err(wrong(
        path,
        &format!("vary.\"{}\"", of.path),
        &format!("no points can be added to `{}` along this key", of.family),
        "refine a knob, `instances`, `load.connections` (not of pages), `load.streams` or `load.rate`",
    ))
}
