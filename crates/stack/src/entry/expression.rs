use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use minijinja::syntax::SyntaxConfig;
use minijinja::{Environment, Error, UndefinedBehavior, Value};
use record::Knob;

/// Longest expression, and longest place in a template, in bytes. Each sign of one may nest it by a level,
/// and what is nested is read, written and forgotten by functions that call themselves.
const LONGEST: usize = 1024;
/// Steps that a template or an expression may take: loops inside loops end here.
const STEPS: u64 = 1_000_000;

/// Refuses an expression that is nested beyond any sense.
fn short(expression: &str) -> Result<&str, String> {
    if expression.len() > LONGEST {
        let length = expression.len();
        return Err(format!(
            "it has {length} bytes, and {LONGEST} are the most of an expression"
        ));
    }
    Ok(expression)
}

/// The same of each place in a template.
fn short_places(template: &str) -> Result<&str, String> {
    let mut rest = template;
    while let Some(start) = rest.find("{{").into_iter().chain(rest.find("{%")).min() {
        let inside = &rest[start + 2..];
        let ends = inside.find("}}").into_iter().chain(inside.find("%}"));
        let end = ends.min().unwrap_or(inside.len());
        short(&inside[..end])?;
        rest = &inside[end..];
    }
    Ok(template)
}

/// Templates and conditions of entries: strict, so that a name nobody defined is an error. Made once, as that takes longer than
/// what most of them say.
static ENVIRONMENT: LazyLock<Environment<'static>> = LazyLock::new(|| {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_fuel(Some(STEPS));
    let syntax = SyntaxConfig::builder()
        .keep_trailing_newline(true)
        .build()
        .expect("the usual delimiters");
    environment.set_syntax(syntax);
    environment.add_test("at_least", at_least);
    environment.add_filter("quoted", quoted);
    environment.add_filter("beside", beside);
    environment.add_filter("shell", shell);
    environment
});

fn environment<'a>() -> &'a Environment<'a> {
    &ENVIRONMENT
}

/// Renders one template.
pub(crate) fn render(template: &str, context: &Value) -> Result<String, String> {
    environment()
        .render_str(short_places(template)?, context)
        .map_err(|error| one_line(&error))
}

fn evaluate(expression: &str, context: &Value) -> Result<Value, String> {
    environment()
        .compile_expression(short(expression)?)
        .and_then(|compiled| compiled.eval(context))
        .map_err(|error| one_line(&error))
}

/// Evaluates one condition.
pub(crate) fn holds(condition: &str, context: &Value) -> Result<bool, String> {
    Ok(evaluate(condition, context)?.is_true())
}

/// Evaluates an expression to a number; `None` when it gives `none`.
pub(crate) fn number(expression: &str, context: &Value) -> Result<Option<f64>, String> {
    let value = evaluate(expression, context)?;
    if value.is_none() {
        return Ok(None);
    }
    f64::try_from(value.clone())
        .map(Some)
        .map_err(|_| format!("`{expression}` gives `{value}`, not a number"))
}

/// Evaluates a formula over `cores` to a whole number.
pub(crate) fn whole_number(formula: &str, cores: u32) -> Result<i64, String> {
    let value = evaluate(formula, &minijinja::context! { cores })?;
    if value.is_undefined() {
        return Err(format!("there is no `{formula}`"));
    }
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
    let given = values.iter();
    names.extend(given.map(|(name, given)| (name.as_str(), value(given))));
    let result = evaluate(expression, &Value::from(names))?;
    let neither = |_| "it is neither true nor false".to_owned();
    result.try_into().map_err(neither)
}

/// The names a template uses, such as `knobs.workers`; an error if it does not parse.
pub(crate) fn names_in_template(template: &str) -> Result<BTreeSet<String>, String> {
    environment()
        .template_from_str(short_places(template)?)
        .map(|template| template.undeclared_variables(true).into_iter().collect())
        .map_err(|error| one_line(&error))
}

/// The names a condition uses; an error if it does not parse.
pub(crate) fn names_in_condition(condition: &str) -> Result<BTreeSet<String>, String> {
    environment()
        .compile_expression(short(condition)?)
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

/// A text as one word of a shell's command line.
fn shell(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
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
        let unknown = whole_number("kores", 2);
        assert_eq!(unknown, Err("there is no `kores`".to_owned()));
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
    fn what_is_nested_beyond_any_sense_is_refused() {
        let nothing = minijinja::context! {};
        let nots = "not ".repeat(50_000) + "true";
        let minus = "-".repeat(100_000) + "1";
        let sum = "1".to_owned() + &"+1".repeat(50_000);
        let told = |problem: String| assert!(problem.contains("1024 are the most"), "{problem}");
        for text in [&nots, &minus, &sum] {
            told(holds(text, &nothing).unwrap_err());
            told(whole_number(text, 1).unwrap_err());
            told(number(text, &nothing).unwrap_err());
            told(constraint(text, &BTreeMap::new(), 1).unwrap_err());
            told(names_in_condition(text).unwrap_err());
            for template in [
                format!("a {{{{ {text} }}}}"),
                format!("{{% if {text} %}}{{% endif %}}"),
            ] {
                told(render(&template, &nothing).unwrap_err());
                told(names_in_template(&template).unwrap_err());
            }
        }
        assert_eq!(holds(&("not ".repeat(200) + "true"), &nothing), Ok(true));
        let long = "a line\n".repeat(1000) + "{{ 1 + 1 }}" + &"b".repeat(2000);
        assert!(render(&long, &nothing).unwrap().contains("\n2b"));
        assert!(render(&"{% if true %}".repeat(10_000), &nothing).is_err());
    }

    #[test]
    fn loops_inside_loops_end() {
        let nothing = minijinja::context! {};
        let begin = "{% for n in range(10000) %}".repeat(3);
        let template = format!("{begin}{}", "{% endfor %}".repeat(3));
        let problem = render(&template, &nothing).unwrap_err();
        assert!(problem.contains("fuel"), "{problem}");
    }

    #[test]
    fn an_undefined_name_is_an_error() {
        let context = minijinja::context! { listen => minijinja::context! { port => 80 } };
        assert_eq!(render("{{ listen.port }}", &context).unwrap(), "80");
        assert!(render("{{ listen.prot }}", &context).is_err());
        let path = minijinja::context! { path => "it's" };
        assert_eq!(render("{{ path | shell }}", &path).unwrap(), r"'it'\''s'");
        assert!(holds("listen.prot == 80", &context).is_err());
    }
}
