//! Options of other load generators and of curl that are typed to `weir bench`: what they are called here. So is what has
//! another name beside `--goal`.

use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::error::{Error, Exit};

/// What to type in place of each.
const OPTIONS: &[(&[&str], &str)] = &[
    (&["-z"], "the duration is `-d 30s`"),
    (&["-m", "--request"], "the method is `-X POST`"),
    (
        &["-D", "-B", "--data-file"],
        "a body from a file is `--body-file FILE`",
    ),
    (
        &["--data", "--data-raw", "--data-binary", "--data-ascii"],
        "a body is `--body TEXT`, or `--body-file FILE`; it is sent by POST unless `-X` says otherwise",
    ),
    (
        &["-T", "--content-type"],
        "the type of a body is `-H 'Content-Type: application/json'`; a timeout is `--timeout 2s`",
    ),
    (
        &["-a", "-u", "--user", "--basic-auth"],
        "name and password stand before the URL's host, with a colon between them and an `@` behind; or give `-H \
         'Authorization: …'`; a form is sent by `--login`",
    ),
    (
        &["-b", "--cookie"],
        "a cookie is `-H 'Cookie: NAME=VALUE'`; `--login` logs in, and sends those of its session",
    ),
    (
        &["-A", "--user-agent"],
        "it is a header: `-H 'User-Agent: NAME'`",
    ),
    (&["-e", "--referer"], "it is a header: `-H 'Referer: URL'`"),
    (&["-I", "--head"], "the method is `-X HEAD`"),
    (
        &["-L", "--location", "--redirect", "--disable-redirects"],
        "redirects are not followed: give the URL that they lead to. Quantiles, which `-L` of wrk prints, are always printed",
    ),
    (
        &["-U", "--u_latency"],
        "leave it out: response times run from when a request was due, and service times are printed beside them",
    ),
    (
        &["-x", "--proxy"],
        "no proxy is asked: give the URL of the server itself",
    ),
    (
        &[
            "--disable-keepalive",
            "--disable-keep-alive",
            "--no-keepalive",
        ],
        "a connection for each request is `--no-keep-alive`",
    ),
    (
        &["--compressed", "--disable-compression"],
        "nothing is asked for compressed, unless by `-H 'Accept-Encoding: gzip'`",
    ),
    (
        &["-o", "--output"],
        "results are printed by `--format csv` (or json, ndjson, markdown), and written by `--out DIR`",
    ),
    (
        &["--qps", "--rps", "--query-per-second"],
        "requests per second are `-R 100`",
    ),
    (
        &["--concurrency", "--workers", "--clients"],
        "connections are `-c 100`",
    ),
    (
        &["--max-time"],
        "the time limit of a request is `--timeout 2s`",
    ),
    (
        &["--http1.1", "--http-version"],
        "HTTP/1.1 is the default; others are `--http2` and `--http1.0`",
    ),
    (&["--no-tui"], "`-q` shows no progress"),
    (&["--url"], "the URL stands alone: `weir bench URL`"),
];

/// The error in weir's own words, where an option of another tool was given to `weir bench`.
pub(crate) fn meant(error: &clap::Error, typed: &[String]) -> Option<Error> {
    let command = typed.iter().skip(1).find(|word| !word.starts_with('-'))?;
    if command != "bench" {
        return None;
    }
    let wrong = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    let argument = wrong(ContextKind::InvalidArg)?;
    match error.kind() {
        ErrorKind::UnknownArgument => unknown(argument, typed),
        ErrorKind::ValueValidation if argument.starts_with("--duration") => {
            let value = wrong(ContextKind::InvalidValue)?;
            value.contains(['=', '{', '[', '"', '@']).then(|| {
                let hint = "a body is `--body TEXT`, or `--body-file FILE`";
                said("`-d` is the duration, such as `-d 10s`", hint)
            })
        }
        ErrorKind::ArgumentConflict => goal(error),
        _ => None,
    }
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

fn unknown(argument: &str, typed: &[String]) -> Option<Error> {
    let name = argument.split('=').next().unwrap_or_default();
    let known = OPTIONS.iter().find(|(names, _)| names.contains(&name));
    if let Some((_, hint)) = known {
        return Some(said(&format!("unexpected argument `{name}`"), hint));
    }
    // the number behind `-q`, or the URL behind that
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
    use crate::args::command;

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
        let bench = cli.find_subcommand("bench").unwrap();
        for option in bench.get_arguments() {
            let long = option.get_long().map(|name| format!("--{name}"));
            let short = option.get_short().map(|name| format!("-{name}"));
            for own in long.into_iter().chain(short) {
                let taken = OPTIONS
                    .iter()
                    .any(|(names, _)| names.contains(&own.as_str()));
                assert!(!taken, "{own}");
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
        ] {
            assert_eq!(error(words), None, "{words}");
        }
    }
}
