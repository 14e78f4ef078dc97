//! A plan as the file that asks for it.

use record::{Choice, Cpus, Knob, Link, LoadSpec, Network, Plan, Variant};
use toml::{Table, Value};

use crate::cores::own_cores;

/// The keys of a plan file that load some of a plan's variants as the plan does, with `app` as the path of the app.
/// `None` where a load has no keys, or a variant an app of its own: such a plan was a file already.
pub fn written(plan: &Plan, variants: &[&Variant], app: &str) -> Option<String> {
    let mut keys = Table::new();
    let text = |text: &str| Value::String(text.to_owned());
    keys.insert("title".into(), text(&plan.title));
    keys.insert("app".into(), text(app));
    keys.insert("baseline".into(), Value::String(name(variants.first()?)));
    let most = Value::Integer(i64::from(plan.blocks));
    let blocks = match plan.looks() {
        None => most,
        Some(least) => {
            let least = Value::Integer(i64::from(least));
            let ends = [("at-least".to_owned(), least), ("at-most".to_owned(), most)];
            Value::Table(ends.into_iter().collect())
        }
    };
    keys.insert("blocks".into(), blocks);
    // a file that says nothing would have them divided on a machine of more cores
    let shared = || {
        own_cores(plan, u32::MAX).map(|_| Cpus {
            load: 0,
            stack: None,
        })
    };
    if let Some(cpus) = plan.cpus.or_else(shared) {
        let number = |cores: u32| Value::Integer(i64::from(cores));
        let parts = [
            ("load".to_owned(), number(cpus.load)),
            (
                "stack".to_owned(),
                cpus.stack.map_or_else(|| text("rest"), number),
            ),
        ];
        keys.insert("cpus".into(), Value::Table(parts.into_iter().collect()));
    }
    if plan.network != Network::Machine {
        keys.insert("network".into(), Value::try_from(plan.network).ok()?);
    }
    if !plan.stress.is_empty() {
        let stress = plan.stress.iter().map(|of| text(of.name()));
        keys.insert("stress".into(), Value::Array(stress.collect()));
    }
    keys.insert("keep-going".into(), Value::Boolean(plan.keep_going));
    keys.insert("load".into(), load(&LoadSpec::of(&plan.load)?)?);
    let tables = variants.iter().map(|of| variant(of).map(Value::Table));
    keys.insert(
        "variant".into(),
        Value::Array(tables.collect::<Option<_>>()?),
    );
    toml::to_string(&keys).ok()
}

fn load(spec: &LoadSpec) -> Option<Value> {
    Value::try_from(spec).ok()
}

/// What a variant is called in a file, where the name of a point of a sweep has signs that no name may have.
fn name(of: &Variant) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.+".contains(c);
    match of.sweep {
        Some(_) => of.name.replace(|c: char| !is_plain(c), "-"),
        None => of.name.clone(),
    }
}

fn variant(of: &Variant) -> Option<Table> {
    if of.app.is_some() || !of.is_stack() {
        return None;
    }
    let mut keys = Table::new();
    let text = |text: &str| Value::String(text.to_owned());
    keys.insert("name".into(), Value::String(name(of)));
    keys.insert("title".into(), text(&of.title));
    keys.insert("route".into(), text(&of.route));
    if let Some(server) = &of.server {
        keys.insert("server".into(), choice(server));
    }
    if !of.fronts.is_empty() {
        let fronts = of.fronts.iter().map(choice);
        keys.insert("front".into(), Value::Array(fronts.collect()));
    }
    if let Some(supervisor) = &of.supervisor {
        keys.insert("supervisor".into(), choice(supervisor));
    }
    if !of.services.is_empty() {
        let services = of.services.iter();
        let services: Table = services
            .map(|(name, of)| (name.clone(), choice(of)))
            .collect();
        keys.insert("services".into(), Value::Table(services));
    }
    if !of.env.is_empty() {
        let env: Table = of
            .env
            .iter()
            .map(|(name, value)| (name.clone(), text(value)))
            .collect();
        keys.insert("env".into(), Value::Table(env));
    }
    if let Some(own) = &of.load {
        keys.insert("load".into(), load(&LoadSpec::of(own)?)?);
    }
    Some(keys)
}

/// An entry with its knobs, as a plan file has it.
pub(crate) fn choice(of: &Choice) -> Value {
    let mut keys = Table::new();
    keys.insert("entry".into(), Value::String(of.entry.clone()));
    if of.link != Link::default() {
        keys.insert("link".into(), Value::String(of.link.to_string()));
    }
    if of.instances != 1 {
        keys.insert("instances".into(), Value::Integer(i64::from(of.instances)));
    }
    for (name, knob) in &of.knobs {
        keys.insert(name.clone(), value(knob));
    }
    Value::Table(keys)
}

/// The value of a knob, as a plan file has it.
pub(crate) fn value(of: &Knob) -> Value {
    match of {
        Knob::Switch(on) => Value::Boolean(*on),
        Knob::Number(number) => Value::Integer(*number),
        Knob::Text(text) => Value::String(text.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cores_that_all_share_are_shared_wherever_the_file_is_run() {
        let mut plan = crate::run::order::tests::plan(1, None, 2);
        let text = |plan: &Plan| {
            let variants: Vec<&Variant> = plan.variants.iter().collect();
            written(plan, &variants, "app.toml").unwrap()
        };
        assert!(text(&plan).contains("load = 0"), "{}", text(&plan));
        plan.cpus = Some(Cpus {
            load: 3,
            stack: None,
        });
        assert!(text(&plan).contains("load = 3"), "{}", text(&plan));
        // one alone is not compared
        plan.cpus = None;
        plan.variants.truncate(1);
        assert!(!text(&plan).contains("cpus"), "{}", text(&plan));
    }
}
