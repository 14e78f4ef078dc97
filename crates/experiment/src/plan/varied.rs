//! A variant that no plan file has becomes several along its knobs, as one of a file does by its `vary`.

use record::{Choice, Variant};
use serde::Deserialize as _;
use stack::{Catalogue, Entry, KnobKind};
use toml::{Table, Value};

use crate::plan::file::ChoiceTable;
use crate::plan::vary;
use crate::plan::written::{choice, value};

/// How many of a program run beside each other: no knob of an entry, and varied as one.
const INSTANCES: &str = "instances";

/// A knob, and the values that it has in turn, as a user types them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Factor {
    /// `workers`, or `front.backlog` for the knob of a front end where the app server has one of that name, too.
    pub knob: String,
    /// At least one: numbers, words, or formulas over `cores`.
    pub values: Vec<String>,
}

impl Factor {
    /// The knob's own name.
    pub fn name(&self) -> &str {
        self.split().1
    }

    /// The program that it is said to be of, and the knob's name.
    fn split(&self) -> (Option<&str>, &str) {
        match self.knob.split_once('.') {
            Some((program, name)) => (Some(program), name),
            None => (None, &self.knob),
        }
    }
}

/// Whether a variant's programs have all of these knobs.
pub fn can_vary(variant: &Variant, factors: &[Factor], catalogue: &Catalogue) -> bool {
    let mut factors = factors.iter();
    factors.all(|of| place(of, variant, catalogue).is_some())
}

/// One variant for each combination of the values: a sweep, whose family has the variant's name.
///
/// # Errors
/// A knob that none of the variant's programs has, or more combinations than anybody waits for: what is wrong, and what to
/// type instead.
pub fn varied(
    variant: &Variant,
    factors: &[Factor],
    catalogue: &Catalogue,
    cores: u32,
) -> Result<Vec<Variant>, (String, String)> {
    let mut levels = Table::new();
    for of in factors {
        let place = place(of, variant, catalogue);
        let (path, kind) = place.ok_or_else(|| unknown(of, variant, catalogue))?;
        let values = of.values.iter().map(|text| value(&kind.typed(text)));
        let before = levels.insert(path, Value::Array(values.collect()));
        if before.is_some() {
            let problem = format!("`--vary` names `{}` twice", of.name());
            let hint = format!("give all its values at once: `--vary {}=V1,V2`", of.knob);
            return Err((problem, hint));
        }
    }
    let points = vary::expand(&[table(variant, levels)], cores);
    let points = points.map_err(|(_, flaw)| (format!("`--vary` {}", flaw.problem), flaw.hint))?;
    let points = points.into_iter();
    points.map(|point| made(variant, point)).collect()
}

/// A variant's programs, each by its path in a variant's table.
fn programs(variant: &Variant) -> impl Iterator<Item = (String, &Choice)> {
    let server = variant.server.iter();
    let server = server.map(|choice| ("server".to_owned(), choice));
    let fronts = variant.fronts.iter().enumerate();
    let fronts = fronts.map(|(place, choice)| (format!("front.{place}"), choice));
    server.chain(fronts)
}

/// The path of a factor, and what values its knob takes; none where none of the programs has it.
fn place(of: &Factor, variant: &Variant, catalogue: &Catalogue) -> Option<(String, KnobKind)> {
    let (program, knob) = of.split();
    programs(variant).find_map(|(path, choice)| {
        let is_meant = program.is_none_or(|program| path.split('.').next() == Some(program));
        let kind = kind_of(catalogue.entry(&choice.entry)?, knob)?;
        is_meant.then(|| (format!("{path}.{knob}"), kind))
    })
}

fn kind_of(entry: &Entry, knob: &str) -> Option<KnobKind> {
    if knob == INSTANCES {
        return Some(KnobKind::Integer);
    }
    entry.knobs.get(knob).map(|spec| spec.kind)
}

/// The error for a knob that none of the programs has.
fn unknown(of: &Factor, variant: &Variant, catalogue: &Catalogue) -> (String, String) {
    let entries = programs(variant).filter_map(|(_, choice)| catalogue.entry(&choice.entry));
    let entries: Vec<&Entry> = entries.collect();
    let names: Vec<&str> = entries.iter().map(|entry| entry.name.as_str()).collect();
    let knobs = entries.iter().flat_map(|entry| entry.knobs.keys());
    let knobs: Vec<&str> = knobs.map(String::as_str).collect();
    let of_all = record::listed(names.iter().copied());
    let problem = format!("`{}` is no knob of {of_all}", of.knob);
    let other = || "choose another.".to_owned();
    let near = record::meant(of.name(), knobs.iter().copied(), other);
    let explained = names.first().copied().unwrap_or("ENTRY");
    let hint = format!(
        "{near} There are {}; `weir catalogue explain {explained}` says what each is",
        record::listed(knobs)
    );
    (problem, hint)
}

/// What of a variant is varied, as the table of a plan file.
fn table(variant: &Variant, levels: Table) -> Table {
    let text = |text: &str| Value::String(text.to_owned());
    let server = variant.server.iter();
    let server = server.map(|of| ("server".to_owned(), choice(of)));
    let fronts = variant.fronts.iter().map(choice).collect();
    let rest = [
        ("name".to_owned(), text(&variant.name)),
        ("title".to_owned(), text(&variant.title)),
        ("front".to_owned(), Value::Array(fronts)),
        ("vary".to_owned(), Value::Table(levels)),
    ];
    server.chain(rest).collect()
}

/// The variant that a point of the sweep is.
fn made(variant: &Variant, point: vary::Point) -> Result<Variant, (String, String)> {
    let mut table = point.table;
    let mut text = |key: &str| match table.remove(key) {
        Some(Value::String(text)) => text,
        _ => String::new(),
    };
    let (name, title) = (text("name"), text("title"));
    let server = table.remove("server").map(read).transpose()?;
    let fronts = match table.remove("front") {
        Some(Value::Array(fronts)) => fronts.into_iter().map(read).collect::<Result<_, _>>()?,
        _ => Vec::new(),
    };
    Ok(Variant {
        name,
        title,
        server,
        fronts,
        sweep: point.sweep,
        ..variant.clone()
    })
}

fn read(value: Value) -> Result<Choice, (String, String)> {
    let read = ChoiceTable::deserialize(value);
    read.map(|of| of.0).map_err(|error| {
        let hint = "a value is a number, a word, or a formula over `cores`";
        (format!("`--vary`: {}", error.message()), hint.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use record::Knob;

    use super::*;

    fn factor(knob: &str, values: &[&str]) -> Factor {
        Factor {
            knob: knob.to_owned(),
            values: values.iter().map(|value| (*value).to_owned()).collect(),
        }
    }

    fn behind() -> Variant {
        let knobs = [("workers", Knob::Text("cores".to_owned()))];
        let knobs = knobs.map(|(knob, value)| (knob.to_owned(), value));
        Variant {
            name: "cores".to_owned(),
            title: "gunicorn".to_owned(),
            server: Some(Choice::of("gunicorn").with(knobs.into())),
            fronts: vec![Choice::of("nginx")],
            route: "/".to_owned(),
            ..Variant::default()
        }
    }

    fn of(factors: &[Factor]) -> Result<Vec<Variant>, (String, String)> {
        varied(&behind(), factors, &Catalogue::load(&[]).unwrap(), 2)
    }

    #[test]
    fn each_value_is_a_variant_of_one_family() {
        let all = of(&[factor("workers", &["1", "2", "2*cores+1"])]).unwrap();
        let names: Vec<_> = all.iter().map(|of| of.name.as_str()).collect();
        assert_eq!(
            names,
            [
                "cores@workers=1",
                "cores@workers=2",
                "cores@workers=2*cores+1"
            ]
        );
        let knob = |place: usize| all[place].server.as_ref().unwrap().knobs["workers"].clone();
        assert_eq!(
            (knob(0), knob(2)),
            (Knob::Number(1), Knob::Text("2*cores+1".to_owned()))
        );
        let sweep = all[1].sweep.as_ref().unwrap();
        assert_eq!(
            (&*sweep.family, &*sweep.levels[0].factor),
            ("cores", "workers")
        );
        assert_eq!(all[1].fronts, behind().fronts, "what is not varied stays");
        assert_eq!(all[1].title, "gunicorn, workers 2");
    }

    #[test]
    fn a_front_end_has_knobs_too_and_factors_are_crossed() {
        let factors = [
            factor("front.worker-connections", &["64", "1024"]),
            factor("preload", &["on", "off"]),
        ];
        let all = of(&factors).unwrap();
        assert_eq!(all.len(), 4);
        let first = &all[0];
        assert_eq!(
            first.fronts[0].knobs["worker-connections"],
            Knob::Number(64)
        );
        let server = first.server.as_ref().unwrap();
        assert!(!server.knobs.contains_key("worker-connections"));
        assert_eq!(server.knobs["preload"], Knob::Switch(true));
    }

    #[test]
    fn a_knob_that_there_is_not_is_told_with_those_that_there_are() {
        let (problem, hint) = of(&[factor("wokers", &["1"])]).unwrap_err();
        assert_eq!(problem, "`wokers` is no knob of `gunicorn`, `nginx`");
        for word in [
            "did you mean `workers`?",
            "`worker-class`",
            "catalogue explain gunicorn",
        ] {
            assert!(hint.contains(word), "`{word}`: {hint}");
        }
        let catalogue = Catalogue::load(&[]).unwrap();
        assert!(!can_vary(
            &behind(),
            &[factor("wokers", &["1"])],
            &catalogue
        ));
        assert!(can_vary(
            &behind(),
            &[factor("instances", &["1"])],
            &catalogue
        ));
        let twice = [factor("workers", &["1"]), factor("server.workers", &["2"])];
        assert!(of(&twice).unwrap_err().0.contains("twice"));
        assert!(of(&[factor("instances", &["0"])]).is_err());
    }
}
