use std::collections::{BTreeMap, BTreeSet};

use minijinja::syntax::SyntaxConfig;
use minijinja::{Environment, Error, UndefinedBehavior, Value};
use record::Knob;

/// Templates and conditions of entries: strict, so that a name nobody defined is an error.
pub(crate) fn environment() -> Environment<'static> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    let syntax = SyntaxConfig::builder()
        .keep_trailing_newline(true)
        .build()
        .expect("the usual delimiters");
    environment.set_syntax(syntax);
    environment.add_test("at_least", at_least);
    environment.add_filter("quoted", quoted);
    environment.add_filter("beside", beside);
    environment
}

/// Renders one template.
pub(crate) fn render(template: &str, context: &Value) -> Result<String, String> {
    environment()
        .render_str(template, context)
        .map_err(|error| one_line(&error))
}

/// Evaluates one condition.
pub(crate) fn holds(condition: &str, context: &Value) -> Result<bool, String> {
    environment()
        .compile_expression(condition)
        .and_then(|expression| expression.eval(context))
        .map(|value| value.is_true())
        .map_err(|error| one_line(&error))
}

/// Evaluates an expression to a number; `None` when it gives `none`.
pub(crate) fn number(expression: &str, context: &Value) -> Result<Option<f64>, String> {
    let value = environment()
        .compile_expression(expression)
        .and_then(|compiled| compiled.eval(context))
        .map_err(|error| one_line(&error))?;
    if value.is_none() {
        return Ok(None);
    }
    f64::try_from(value.clone())
        .map(Some)
        .map_err(|_| format!("`{expression}` gives `{value}`, not a number"))
}

/// Evaluates a formula over `cores` to a whole number.
pub(crate) fn whole_number(formula: &str, cores: u32) -> Result<i64, String> {
    let value = environment()
        .compile_expression(formula)
        .and_then(|expression| expression.eval(minijinja::context! { cores }))
        .map_err(|error| one_line(&error))?;
    i64::try_from(value.clone())
        .map_err(|_| format!("`{formula}` gives `{value}`, not a whole number"))
}

/// Whether an expression over these values and `cores` holds. A text that is a formula over
/// `cores` counts as the number that it gives.
///
/// # Errors
/// Why it cannot be computed, or that it gives something else than true or false.
pub fn constraint(
    expression: &str,
    values: &BTreeMap<String, Knob>,
    cores: u32,
) -> Result<bool, String> {
    let value = |given: &Knob| match given {
        Knob::Text(text) => {
            whole_number(text, cores).map_or_else(|_| text.clone().into(), Value::from)
        }
        Knob::Number(number) => (*number).into(),
        Knob::Switch(on) => (*on).into(),
    };
    let mut names: BTreeMap<&str, Value> = BTreeMap::from([("cores", cores.into())]);
    names.extend(
        values
            .iter()
            .map(|(name, given)| (name.as_str(), value(given))),
    );
    let result = environment()
        .compile_expression(expression)
        .and_then(|compiled| compiled.eval(Value::from(names)))
        .map_err(|error| one_line(&error))?;
    match result.try_into() {
        Ok(holds) => Ok(holds),
        Err(_) => Err("it is neither true nor false".to_owned()),
    }
}

/// The names a template uses, such as `knobs.workers`; an error if it does not parse.
pub(crate) fn names_in_template(template: &str) -> Result<BTreeSet<String>, String> {
    environment()
        .template_from_str(template)
        .map(|template| template.undeclared_variables(true).into_iter().collect())
        .map_err(|error| one_line(&error))
}

/// The names a condition uses; an error if it does not parse.
pub(crate) fn names_in_condition(condition: &str) -> Result<BTreeSet<String>, String> {
    environment()
        .compile_expression(condition)
        .map(|expression| expression.undeclared_variables(true).into_iter().collect())
        .map_err(|error| one_line(&error))
}

/// Whether a version is this one or a later one.
pub(crate) fn at_least(version: &str, wanted: &str) -> bool {
    numbers(version) >= numbers(wanted)
}

/// A version as numbers, up to its first part that is none.
pub(crate) fn numbers(version: &str) -> Vec<u64> {
    let parts = version.split('.');
    parts.map_while(|part| part.parse().ok()).collect()
}

/// A text in double quotes, as most configuration languages take it.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Another program in a program's folder; in that of what it links to, where it is a link.
fn beside(program: &str, other: &str) -> String {
    let program = std::path::Path::new(program);
    let program = program.canonicalize().unwrap_or_else(|_| program.into());
    program.with_file_name(other).display().to_string()
}

fn one_line(error: &Error) -> String {
    let detail = error
        .detail()
        .map_or_else(|| error.kind().to_string(), str::to_owned);
    match error.line() {
        Some(line) if line > 1 => format!("{detail} (line {line} of the template)"),
        _ => detail,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_whole_numbers_over_cores() {
        assert_eq!(whole_number("2*cores+1", 4), Ok(9));
        assert_eq!(whole_number("cores", 2), Ok(2));
        assert_eq!(whole_number("cores // 2", 5), Ok(2));
        assert!(
            whole_number("cores / 3", 2)
                .unwrap_err()
                .contains("not a whole number")
        );
        assert!(whole_number("kores", 2).is_err());
        assert!(whole_number("2 *", 2).is_err());
    }

    #[test]
    fn constraints_are_over_levels_and_cores() {
        let values = [
            ("workers", Knob::Number(4)),
            ("threads", Knob::Text("2*cores".to_owned())),
            ("server", Knob::Text("puma".to_owned())),
            ("lock", Knob::Switch(true)),
        ];
        let values = values.map(|(name, value)| (name.to_owned(), value)).into();
        for (text, holds) in [
            ("workers * threads <= 16", true),
            ("workers * threads < 16", false),
            ("workers <= 2 * cores", true),
            ("server == 'puma' and lock", true),
            ("workers == 4 or server == 'thin'", true),
        ] {
            assert_eq!(constraint(text, &values, 2), Ok(holds), "{text}");
        }
        assert!(constraint("wokers <= 2", &values, 2).is_err());
        assert!(constraint("workers <=", &values, 2).is_err());
        let number = constraint("workers", &values, 2);
        assert_eq!(number, Err("it is neither true nor false".to_owned()));
    }

    #[test]
    fn versions_compare_by_their_numbers() {
        assert!(at_least("25.10.1", "25.9"));
        assert!(at_least("27.0", "25.1"));
        assert!(!at_least("24.1.1", "25.1"));
    }

    #[test]
    fn an_undefined_name_is_an_error() {
        let context = minijinja::context! { listen => minijinja::context! { port => 80 } };
        assert_eq!(render("{{ listen.port }}", &context).unwrap(), "80");
        assert!(render("{{ listen.prot }}", &context).is_err());
        assert!(holds("listen.prot == 80", &context).is_err());
    }
}
