//! What a plan file means: defaults filled in, names checked, ready to be stored and run.

mod capacity;
mod client;
mod route;
mod stress;
pub(crate) mod url;
mod values;

use std::path::Path;

use record::{
    App, Cpus, Load, LoadSpec, OfCapacity, Plan, RequestFile, Tls, Variant, as_keys, limits,
};

use crate::cores::own_cores;
use crate::plan::error::{PlanError, wrong};
use crate::plan::file::{CpusTable, PlanFile, VariantTable};
use crate::plan::refine;
use crate::plan::slicing;
use crate::plan::{claims, ranking};
use crate::requests::find_requests;

/// A plan file on its way to a plan; knows where it came from, for its errors.
pub(crate) struct Resolver<'a> {
    pub(crate) path: &'a Path,
    pub(crate) app: App,
    /// Those of variants that have one of their own, variant by variant.
    pub(crate) own: Vec<Option<App>>,
    /// Whether the plan names no app, as nothing of it is served by weir.
    pub(crate) elsewhere: bool,
    /// Cores of the machine that the plan is for.
    pub(crate) cores: u32,
    /// The interpreter of apps in Python that the user named.
    pub(crate) python: Option<&'a Path>,
}

impl Resolver<'_> {
    /// Turns the file into a plan.
    ///
    /// # Errors
    /// When a value makes no sense; entries and knobs are checked by whoever has the catalogue.
    pub(crate) fn resolve(self, file: PlanFile) -> Result<Plan, PlanError> {
        self.clients_have_no_load(&file)?;
        let seed = file.seed.unwrap_or_else(crate::seed);
        let load = self.load("load", &file.load, seed)?;
        let own = self.own_loads(&file, seed)?;
        let refine = refine::wished(&file.variant);
        let mut variants = self.variants(file.variant)?;
        for (variant, own) in variants.iter_mut().zip(own) {
            self.can_be_loaded(variant, own.as_ref().unwrap_or(&load))?;
            variant.load = own;
        }
        let first = variants[0].name.clone();
        let baseline = self.variant_named("baseline", file.baseline.unwrap_or(first), &variants)?;
        let noise_floor = match file.noise_floor {
            None => Some(baseline.clone()),
            Some(name) if name == "none" => None,
            Some(name) => Some(self.variant_named("noise-floor", name, &variants)?),
        };
        self.check_blocks(file.blocks)?;
        let slice = file.slice.map(slicing::slice).transpose();
        let slice = slice.map_err(|why| self.wrong("slice", &why, "write `slice = 0.1`"))?;
        let rankings = ranking::resolve(self.path, file.ranking, &variants)?;
        claims::check(self.path, &file.claim, &variants, &rankings)?;
        let budget = file.budget.as_deref().map(crate::duration).transpose();
        let budget =
            budget.map_err(|why| self.wrong("budget", &why, "write `budget = \"20 min\"`"))?;
        let host = file.host.map(|host| self.host(host)).transpose()?;
        let stem = self.path.file_stem();
        let name = stem.map_or_else(|| "plan".into(), |of| of.to_string_lossy().into_owned());
        let mut plan = Plan {
            title: file.title.unwrap_or_else(|| name.clone()),
            name,
            app: self.app,
            load,
            of_capacity: file.load.of_capacity.map(OfCapacity::of),
            blocks: file.blocks.at_most(),
            at_least: file.blocks.at_least(),
            slice: slice.unwrap_or(0.0),
            stress: file.stress,
            network: file.network,
            seed,
            variants,
            baseline,
            noise_floor,
            claims: file.claim,
            rankings,
            keep_going: file.keep_going,
            budget,
            refine,
            differs: file.differs,
            ..Plan::default()
        };
        plan.cpus = cpus(self.path, file.cpus, &plan, self.cores)?;
        slicing::cut(&mut plan, slice.is_some());
        is_possible(self.path, &plan)?;
        if let Some(host) = host {
            plan.ask_as(&host);
        }
        Ok(plan)
    }

    /// The loads of variants that say something of their own about it.
    fn own_loads(&self, file: &PlanFile, seed: u64) -> Result<Vec<Option<Load>>, PlanError> {
        let of_variant = |variant: &VariantTable| {
            if variant.load == LoadSpec::default() && !variant.insecure {
                return Ok(None);
            }
            let key = format!("variant[{}].load", variant.from);
            if variant.load.of_capacity.is_some() {
                return Err(self.wrong(
                    &format!("{key}.of-capacity"),
                    "the rates of all variants are shares of one capacity",
                    "write it in `[load]`, and give each variant its `rate`",
                ));
            }
            let load = self.load(&key, &variant.load.over(&file.load), seed)?;
            let tls = variant.insecure.then(|| Tls {
                insecure: true,
                ..Tls::default()
            });
            Ok(Some(Load { tls, ..load }))
        };
        file.variant.iter().map(of_variant).collect()
    }

    /// `key` is where the table stands in the file: `load`, or `variant[1].load`.
    fn load(&self, key: &str, spec: &LoadSpec, seed: u64) -> Result<Load, PlanError> {
        let spec = spec.over(&LoadSpec::of_plans());
        let load = spec.resolve(self.cores, seed);
        let mut load = load.map_err(|flaw| PlanError::Meaning {
            path: self.path.to_owned(),
            key: format!("{key}.{}", flaw.key),
            problem: flaw.problem(as_keys),
            hint: Some(flaw.hint(as_keys)),
        })?;
        let folder = self.path.parent().unwrap_or(Path::new(""));
        let file = load.requests_from.as_ref().map_or("", RequestFile::key);
        find_requests(&mut load, folder).map_err(|error| PlanError::Meaning {
            path: self.path.to_owned(),
            key: format!("{key}.{file}"),
            problem: error.to_string(),
            hint: error.hint(),
        })?;
        Ok(load)
    }

    fn variants(&self, tables: Vec<VariantTable>) -> Result<Vec<Variant>, PlanError> {
        if tables.is_empty() {
            return Err(self.wrong(
                "variant",
                "a plan needs at least one variant",
                "add `[[variant]]` with a `name` and a `server`",
            ));
        }
        let mut variants: Vec<Variant> = Vec::new();
        for (table, app) in tables.into_iter().zip(&self.own) {
            let index = table.from;
            let variant = self.variant(table, app.as_ref())?;
            if variants.iter().any(|other| other.name == variant.name) {
                return Err(self.wrong(
                    &format!("variant[{index}].name"),
                    &format!("two variants are called `{}`", variant.name),
                    "give each variant a name of its own",
                ));
            }
            variants.push(variant);
        }
        Ok(variants)
    }

    fn variant(&self, table: VariantTable, app: Option<&App>) -> Result<Variant, PlanError> {
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
                &format!("variant[{index}].name"),
                &format!("`{typed}` is not a variant name"),
                "use letters, digits and `-_.+`; the words for people go into `title`",
            ));
        }
        self.is_served(index, &table)?;
        let client = table.client.map(|of| self.client(index, of)).transpose()?;
        let choices = table.server.iter().chain(&table.front.0);
        let choices = choices.chain(&table.supervisor);
        let mut choices = choices.chain(table.services.values());
        if choices.any(|choice| choice.0.instances > limits::INSTANCES) {
            return Err(self.wrong(
                &format!("variant[{index}].instances"),
                &format!("must be at most {}", limits::INSTANCES),
                "write as many as there are to be beside each other, such as `instances = 4`",
            ));
        }
        let route = self.route(index, table.route.as_deref(), app.unwrap_or(&self.app))?;
        Ok(Variant {
            title: table.title.unwrap_or_else(|| table.name.clone()),
            name: table.name,
            url: table.url,
            client,
            server: table.server.map(|of| of.0),
            fronts: table.front.0.into_iter().map(|of| of.0).collect(),
            supervisor: table.supervisor.map(|of| of.0),
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
            change: None,
        })
    }

    fn variant_named(
        &self,
        key: &str,
        name: String,
        variants: &[Variant],
    ) -> Result<String, PlanError> {
        if variants.iter().any(|variant| variant.name == name) {
            return Ok(name);
        }
        let names = record::listed(variants.iter().map(|variant| &variant.name));
        Err(self.wrong(
            key,
            &format!("no variant is called `{name}`"),
            &format!("use one of {names}"),
        ))
    }

    pub(crate) fn wrong(&self, key: &str, problem: &str, hint: &str) -> PlanError {
        wrong(self.path, key, problem, hint)
    }
}

/// How the cores of a machine are divided: as the file says, or as the plan needs it.
fn cpus(
    path: &Path,
    table: Option<CpusTable>,
    plan: &Plan,
    cores: u32,
) -> Result<Option<Cpus>, PlanError> {
    let Some(table) = table else {
        return Ok(own_cores(plan, cores));
    };
    let hint = "leave its number out (`cpus = { load = 0 }`), or give the load generator 1 or more";
    let cpus = table.cpus();
    cpus.map_err(|problem| wrong(path, "cpus", problem, hint))
}

/// What is asked of all variants together can be done to each.
fn is_possible(path: &Path, plan: &Plan) -> Result<(), PlanError> {
    if let Some((problem, hint)) = stress::impossible(plan) {
        return Err(wrong(path, "stress", &problem, hint));
    }
    if let Some((problem, hint)) = capacity::impossible(plan) {
        return Err(wrong(path, "load.of-capacity", &problem, &hint));
    }
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
