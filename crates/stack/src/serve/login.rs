//! A session with an app: the request that opens it, and the cookies or the token that belong to it from then on.

mod token;

use std::collections::BTreeMap;

use cookie_store::{CookieStore, RawCookie};
use record::{Bytes, Credentials, Login, Route};
use scraper::{Html, Selector};
use url::{Url, form_urlencoded};
use wire::Answer;

use crate::error::{Remedy, StackError};
use crate::serve::fetch::{Endpoint, NoAnswer, fetch};
use crate::serve::redirect::Location;
use crate::serve::unexpected::Unexpected;

/// Fields of a response that are named.
const NAMED: usize = 8;

/// Why there is no session.
#[derive(Debug)]
pub(crate) enum NoSession {
    /// A value is that of a variable, which is not set.
    Unset(String),
    /// There was no answer.
    Unanswered(NoAnswer),
    /// The answer was another one, where the form asks for these fields.
    Refused {
        problem: String,
        fields: Vec<String>,
    },
    /// It was no refusal, and has neither a cookie nor a token; its JSON has these fields.
    Nothing { status: u16, fields: Vec<String> },
}

/// The headers by which a session is known.
pub(crate) type Session = Vec<(String, String)>;

impl NoSession {
    /// Of a server: what its user is told.
    pub(crate) fn error(self, entry: &str, login: &Login, log_tail: Vec<String>) -> StackError {
        let request = format!("{} {}", login.method.name(), login.path);
        let wrong = |request, problem: &str, hint| StackError::WrongAnswer {
            entry: entry.to_owned(),
            request,
            problem: format!("{problem}, expected a session"),
            remedy: Box::new(Remedy {
                hint,
                leads_to: None,
            }),
            log_tail,
        };
        match self {
            Self::Unset(name) => StackError::Refused {
                variant: entry.to_owned(),
                why: format!("`${name}` in `{request} …` is not set"),
                hint: format!("set it: `export {name}=…`"),
            },
            Self::Unanswered(no) => StackError::Fetch {
                request,
                problem: no.words,
            },
            Self::Refused { problem, fields } => wrong(request, &problem, hint(&fields)),
            Self::Nothing { status, fields } => wrong(
                request,
                &format!("status {status}, no new cookie and no token"),
                kept(&fields),
            ),
        }
    }
}

/// What to look at where there is no session.
fn hint(fields: &[String]) -> String {
    let form = match fields {
        [] => String::new(),
        some => format!("; its form asks for {}", record::listed(some)),
    };
    format!(
        "check the path, the fields and the values of `--login` (`login` in an `app.toml`){form}"
    )
}

/// What makes a session, where a response has nothing of it.
fn kept(fields: &[String]) -> String {
    let names = record::listed(token::NAMES);
    let json = match fields {
        [] => String::new(),
        some => format!("; its JSON has {}", record::first_of(&quoted(some), NAMED)),
    };
    format!(
        "weir keeps the cookies that the response sets, and a token that its JSON calls one of {names}{json}; \
         else check the path and the fields of `--login`"
    )
}

fn quoted(names: &[String]) -> Vec<String> {
    names.iter().map(|name| format!("`{name}`")).collect()
}

/// Logs in, and returns the headers that are sent from then on: `Cookie`, or the token as `Authorization`.
///
/// The page of the path is asked for first, as a browser does: what it sets is sent back, and what its form holds
/// hidden (a token against forged requests) goes with the credentials.
pub(crate) fn log_in(
    endpoint: &Endpoint,
    login: &Login,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Session, NoSession> {
    let credentials =
        known(&login.credentials, |name| std::env::var(name).ok()).map_err(NoSession::Unset)?;
    let url = url(endpoint, &login.path)?;
    let mut jar = CookieStore::default();
    let page = asked(endpoint, &Route::get(&login.path), &url, &mut jar, go_on)?;
    let Form { hidden, fields } = Form::of(&page).unwrap_or_default();
    let (kind, body) = match credentials {
        Credentials::Json(document) => ("application/json", document.to_string()),
        Credentials::Form(said) => {
            let own = |(name, _): &&(String, String)| said.iter().all(|(other, _)| other != name);
            let mut form = form_urlencoded::Serializer::new(String::new());
            form.extend_pairs(hidden.iter().filter(own))
                .extend_pairs(&said);
            ("application/x-www-form-urlencoded", form.finish())
        }
    };
    let headers = [("Content-Type", kind), ("Referer", url.as_str())];
    let request = Route {
        method: login.method,
        headers: headers
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into(),
        body: Bytes::from(body.as_str()),
        ..Route::get(&login.path)
    };
    let before = cookies(&jar, &url);
    let answer = asked(endpoint, &request, &url, &mut jar, go_on)?;
    let after = cookies(&jar, &url);
    if let Some(problem) = unfit(&answer, &request, endpoint) {
        return Err(NoSession::Refused { problem, fields });
    }
    let cookie = (after != before).then_some(after);
    let cookie = cookie.filter(|value| !value.is_empty());
    let token = token::header(&answer, cookie.is_some());
    let cookie = cookie.map(|value| ("Cookie".to_owned(), value));
    let session: Session = cookie.into_iter().chain(token).collect();
    if session.is_empty() {
        return Err(NoSession::Nothing {
            status: answer.status,
            fields: token::fields(&answer),
        });
    }
    Ok(session)
}

/// What an answer is that opens no session.
fn unfit(answer: &Answer, request: &Route, endpoint: &Endpoint) -> Option<String> {
    if answer.status >= 400 {
        return Some(Unexpected::new(answer, request, &endpoint.own).answered());
    }
    let again = Form::of(answer).is_some();
    let back =
        leads_to(answer, request, endpoint) == request.path.split('?').next().map(str::to_owned);
    (again || back).then(|| "its form again, as for credentials that are wrong".to_owned())
}

/// The credentials with the values of variables in them; the name of the first variable that is not set otherwise.
fn known(
    credentials: &Credentials,
    variable: impl Fn(&str) -> Option<String>,
) -> Result<Credentials, String> {
    let value = |text: &str| match text.strip_prefix('$') {
        Some(name) if record::is_variable(name) => variable(name).ok_or_else(|| name.to_owned()),
        _ => Ok(text.to_owned()),
    };
    Ok(match credentials {
        Credentials::Form(fields) => {
            let fields = fields
                .iter()
                .map(|(name, text)| Ok((name.clone(), value(text)?)));
            Credentials::Form(fields.collect::<Result<_, String>>()?)
        }
        Credentials::Json(document) => Credentials::Json(filled(document, &value)?),
    })
}

/// A document whose texts are replaced.
fn filled(
    document: &serde_json::Value,
    value: &dyn Fn(&str) -> Result<String, String>,
) -> Result<serde_json::Value, String> {
    use serde_json::Value;
    Ok(match document {
        Value::String(text) => Value::String(value(text)?),
        Value::Array(items) => {
            let items = items.iter().map(|item| filled(item, value));
            Value::Array(items.collect::<Result<_, _>>()?)
        }
        Value::Object(members) => {
            let members = members
                .iter()
                .map(|(key, item)| Ok((key.clone(), filled(item, value)?)));
            Value::Object(members.collect::<Result<_, String>>()?)
        }
        other => other.clone(),
    })
}

/// Where cookies belong: as if it were asked over TLS, so that those that a browser sends over nothing else are kept.
fn url(endpoint: &Endpoint, path: &str) -> Result<Url, NoSession> {
    let url = Url::parse(&format!("https://{}{path}", endpoint.at.host));
    url.map_err(|error| NoSession::Unanswered(error.to_string().into()))
}

/// One answer, whose cookies are kept.
fn asked(
    endpoint: &Endpoint,
    route: &Route,
    url: &Url,
    jar: &mut CookieStore,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Answer, NoSession> {
    let mut route = route.clone();
    let known = cookies(jar, url);
    if !known.is_empty() {
        route.headers.insert("Cookie".to_owned(), known);
    }
    let answer = fetch(endpoint, &route, go_on).map_err(NoSession::Unanswered)?;
    let set = answer
        .headers
        .iter()
        .filter(|(name, _)| name == "set-cookie");
    let set =
        set.filter_map(|(_, value)| RawCookie::parse(str::from_utf8(value).ok()?.to_owned()).ok());
    jar.store_response_cookies(set, url);
    Ok(answer)
}

/// The value of the header `Cookie`, in the order of names.
fn cookies(jar: &CookieStore, url: &Url) -> String {
    let mut root = url.clone();
    root.set_path("/");
    // those of the login's own folder and those of the whole site
    let all: BTreeMap<_, _> = [&root, url]
        .into_iter()
        .flat_map(|url| jar.get_request_values(url))
        .collect();
    let pairs: Vec<_> = all
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    pairs.join("; ")
}

/// A form that asks for a password.
#[derive(Debug, Default, PartialEq, Eq)]
struct Form {
    /// Names and values of the fields that nobody fills in.
    hidden: Vec<(String, String)>,
    /// Names of those that somebody does.
    fields: Vec<String>,
}

impl Form {
    /// The first one of a page.
    fn of(page: &Answer) -> Option<Self> {
        let page = Html::parse_document(&String::from_utf8_lossy(&page.body));
        let password = selector("input[type=password]");
        let all = selector("form");
        let mut forms = page.select(&all);
        let form = forms.find(|form| form.select(&password).next().is_some())?;
        let mut found = Self::default();
        for input in form.select(&selector("input[name]")) {
            let value = |name| input.attr(name).unwrap_or_default().to_owned();
            match input.attr("type") {
                Some("hidden") => found.hidden.push((value("name"), value("value"))),
                Some("submit" | "button" | "reset" | "image") => {}
                _ => found.fields.push(value("name")),
            }
        }
        Some(found)
    }
}

fn selector(text: &str) -> Selector {
    Selector::parse(text).expect("a constant selector")
}

/// The path to which an answer sends its user, on the same server.
fn leads_to(answer: &Answer, request: &Route, endpoint: &Endpoint) -> Option<String> {
    match Location::of(answer, request, &endpoint.own)? {
        Location::Here { path, .. } => path.split('?').next().map(str::to_owned),
        Location::Elsewhere(_) => None,
    }
}
