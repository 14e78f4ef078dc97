//! Options of other tools, or of another command, that are typed to a command: what they are called here. So is what has
//! another name beside `--goal`.

mod options;

use clap::error::{ContextKind, ContextValue, ErrorKind};

use self::options::COMMANDS;
use crate::args::command;
use crate::error::{Error, Exit};

/// The error in weir's own words, where an option of another tool was given to a command.
pub(crate) fn meant(error: &clap::Error, typed: &[String]) -> Option<Error> {
    let command = command_of(typed)?;
    let is_bench = command == "bench";
    let wrong = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    let argument = wrong(ContextKind::InvalidArg)?;
    match error.kind() {
        ErrorKind::UnknownArgument => {
            known(command, argument).or_else(|| is_bench.then(|| rate(argument, typed)).flatten())
        }
        ErrorKind::InvalidValue if argument.starts_with("--format") => {
            html(command, wrong(ContextKind::InvalidValue)?)
        }
        ErrorKind::ValueValidation if is_bench && argument.starts_with("--duration") => {
            let value = wrong(ContextKind::InvalidValue)?;
            value.contains(['=', '{', '[', '"', '@']).then(|| {
                let hint = "a body is `--body TEXT`, or `--body-file FILE`";
                said("`-d` is the duration, such as `-d 10s`", hint)
            })
        }
        ErrorKind::ArgumentConflict if is_bench => goal(error),
        _ => None,
    }
}

/// The command that was typed: the first word that is no option.
fn command_of(typed: &[String]) -> Option<&str> {
    let mut words = typed.iter().skip(1).map(String::as_str);
    words.find(|word| !word.starts_with('-'))
}

/// Adds the command that was probably meant. Clap looks for what is alike, which of a short word with two letters in the wrong
/// order finds nothing.
pub(crate) fn suggest(error: &mut clap::Error, typed: &[String]) {
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) else {
        return;
    };
    let is_command = command_of(typed) == Some(word.as_str());
    if !is_command || error.get(ContextKind::SuggestedSubcommand).is_some() {
        return;
    }
    let all = command();
    let names = all.get_subcommands().map(clap::Command::get_name);
    if let Some(near) = record::closest(word, names) {
        let near = ContextValue::Strings(vec![near.to_owned()]);
        error.insert(ContextKind::SuggestedSubcommand, near);
    }
}

/// A report as a page, which is no form of what is printed.
fn html(command: &str, format: &str) -> Option<Error> {
    let hint = match command {
        "show" => "`weir report RUN` writes the report of a run as HTML",
        "bench" => "`--out DIR` writes the report as HTML",
        _ => return None,
    };
    let is_html = format.eq_ignore_ascii_case("html");
    is_html.then(|| said("`html` is no format of what is printed", hint))
}

/// A duration beside `--goal`, which says by another option how long it looks.
fn goal(error: &clap::Error) -> Option<Error> {
    let named = |kind| match error.get(kind) {
        Some(ContextValue::String(one)) => vec![one.as_str()],
        Some(ContextValue::Strings(several)) => several.iter().map(String::as_str).collect(),
        _ => Vec::new(),
    };
    let both = [ContextKind::InvalidArg, ContextKind::PriorArg].map(named);
    let is_there = |option: &str| both.iter().flatten().any(|arg| arg.starts_with(option));
    (is_there("--goal") && is_there("--duration")).then(|| {
        let hint = "`--survey-seconds 2m` is for how long a rate is looked for: of the URL alone or of `--mix FILE`, not of \
                    `--script`, `--replay` or `--page`";
        said("`-d` cannot be used with `--goal`", hint)
    })
}

/// What an option is called here.
fn known(command: &str, argument: &str) -> Option<Error> {
    let options = COMMANDS.iter().find(|(of, _)| *of == command)?.1;
    let name = argument.split('=').next().unwrap_or_default();
    let (_, hint) = options.iter().find(|(names, _)| names.contains(&name))?;
    Some(said(&format!("unexpected argument `{name}`"), hint))
}

/// A rate behind `-q`: this is its number, or the URL behind that.
fn rate(argument: &str, typed: &[String]) -> Option<Error> {
    let mut pairs = typed.windows(2);
    let rate = pairs.find(|pair| pair[0] == "-q" && pair[1].parse::<f64>().is_ok())?;
    let number = &rate[1];
    let hint = format!("requests per second are `-R {number}`");
    let is_beside = !argument.starts_with('-');
    is_beside.then(|| said("`-q` shows no progress, and takes no number", &hint))
}

fn said(message: &str, hint: &str) -> Error {
    Error::new(Exit::Usage, message).hint(hint.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(words: &str) -> Option<String> {
        let typed: Vec<String> = words.split('|').map(str::to_owned).collect();
        let error = command().try_get_matches_from(&typed).err()?;
        meant(&error, &typed).map(|error| error.to_string())
    }

    /// Who gives an option of weir's own such a name takes it out of the table.
    #[test]
    fn no_option_of_weirs_own_is_another_tools() {
        let mut cli = command();
        cli.build();
        for (name, options) in COMMANDS {
            let command = cli.find_subcommand(name).unwrap();
            for option in command.get_arguments() {
                let long = option.get_long().map(|name| format!("--{name}"));
                let short = option.get_short().map(|name| format!("-{name}"));
                for own in long.into_iter().chain(short) {
                    let taken = options
                        .iter()
                        .any(|(names, _)| names.contains(&own.as_str()));
                    assert!(!taken, "{name}: {own}");
                }
            }
        }
    }

    #[test]
    fn what_is_meant_is_told() {
        for (words, hint) in [
            ("weir|bench|http://a/|-z|30s", "`-d 30s`"),
            ("weir|bench|http://a/|-z30s", "`-d 30s`"),
            ("weir|bench|-m|POST|http://a/", "`-X POST`"),
            ("weir|bench|http://a/|-D|body", "`--body-file FILE`"),
            ("weir|bench|http://a/|-T|text/html", "Content-Type"),
            ("weir|bench|http://a/|-a|ann:pw", "Authorization"),
            ("weir|bench|http://a/|--data|a=b", "`--body TEXT`"),
            ("weir|bench|http://a/|--data=a=b", "`--body TEXT`"),
            ("weir|--json|bench|http://a/|-I", "`-X HEAD`"),
            ("weir|bench|http://a/|-q|100", "`-R 100`"),
            ("weir|bench|-q|100|http://a/", "`-R 100`"),
            ("weir|bench|http://a/|-d|{\"a\":1}", "`--body TEXT`"),
            ("weir|bench|http://a/|-d|a=b", "`--body TEXT`"),
            ("weir|bench|http://a/|--format|html", "`--out DIR`"),
            ("weir|show|3|--format|html", "`weir report RUN`"),
            (
                "weir|endpoints|a.log|-m|/items/[0-9]+",
                "`--route '/items/{id}'`",
            ),
            ("weir|endpoints|a.log|--limit|100", "`-n 30`"),
            ("weir|profile|--pid|7|-o|a.svg", "`--out DIR`"),
            ("weir|profile|--pid|7|-r|100", "`--rate 100`"),
            ("weir|profile|--pid|7|--subprocesses", "leave it out"),
            ("weir|try|-C|3", "`-c 100`"),
            ("weir|try|--workers|4", "`--vary workers=4`"),
            ("weir|try|.|-d|30s", "`--budget 5m`"),
            ("weir|try|--server|gunicorn", "`--variants NAME,NAME`"),
            ("weir|try|.|--port|8000", "leave it out"),
            (
                "weir|bench|http://a/|--goal|p99 < 1s|-d|1s",
                "`--survey-seconds",
            ),
        ] {
            let said = error(words).unwrap_or_else(|| panic!("{words}"));
            assert!(
                said.starts_with("error: ") && said.contains(hint),
                "{words}: {said}"
            );
        }
        for words in [
            "weir|bench|http://a/|--nonsense",
            "weir|bench|http://a/|http://b/",
            "weir|bench|http://a/|-d|soon",
            "weir|bench|http://a/|--goal|p99 < 1s|-n|10",
            "weir|ab|-Y|http://a/",
            "weir|try|-q|100|.|--nonsense",
            "weir|show|3|--format|pdf",
        ] {
            assert_eq!(error(words), None, "{words}");
        }
    }
}
