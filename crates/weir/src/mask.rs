//! What is secret in a request, and is shown nowhere: passwords, values of a query's keys, and headers that say who asks.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::OnceLock;

use regex::Regex;

/// What stands where a secret stood.
const MASKED: &str = "***";

/// Keys of a query whose values are secret whoever says so.
const SECRET: [&str; 17] = [
    "access_token",
    "api_key",
    "api-key",
    "apikey",
    "auth_token",
    "client_secret",
    "id_token",
    "passwd",
    "password",
    "pwd",
    "refresh_token",
    "secret",
    "sig",
    "signature",
    "token",
    "x-amz-security-token",
    "x-amz-signature",
];

/// Request headers whose values are secret, in lower case.
const HEADERS: [&str; 5] = [
    "authorization",
    "proxy-authorization",
    "cookie",
    "x-api-key",
    "x-auth-token",
];

/// A value of one of these headers, as JSON has it behind its key.
const VALUE: &str = r#""\s*:\s*)"(?:[^"\\]|\\.)*""#;

/// What logs in, as JSON has it: a method, a path, and what nobody is to read.
const LOGIN: &str = r#"(?i)("login"\s*:\s*"[a-z]+ [^\s"\\]+) (?:[^"\\]|\\.)+""#;

/// Set once, before anything is written.
static MASK: OnceLock<Mask> = OnceLock::new();

struct Mask {
    password: Regex,
    query: Regex,
    headers: Regex,
    login: Regex,
}

impl Mask {
    fn new(keys: &[String]) -> Self {
        let keys = SECRET
            .iter()
            .copied()
            .chain(keys.iter().map(String::as_str));
        let keys: Vec<_> = keys.map(regex::escape).collect();
        let compile = |text: &str| Regex::new(text).expect("keys are escaped");
        Self {
            password: compile("(?i)([a-z][a-z0-9+.-]*://)([^/\\s\"'<>`?#\\x1b]+)@"),
            // `&amp;` where a text is HTML; a value ends before what ends it in JSON, HTML and a sentence
            query: compile(&format!(
                "(?i)((?:[?&;]|\\\\u0026)(?:{})=)[^&#\\s\"'<>`\\\\\\x1b]+",
                keys.join("|")
            )),
            headers: compile(&format!("(?i)(\"(?:{}){VALUE}", HEADERS.join("|"))),
            login: compile(LOGIN),
        }
    }

    fn text<'a>(&self, text: &'a str) -> Cow<'a, str> {
        if !text.contains(['@', '=', ':']) {
            return Cow::Borrowed(text);
        }
        let mut masked = self.password.replace_all(text, |found: &regex::Captures| {
            format!("{}{}@", &found[1], user(&found[2]))
        });
        let others = [
            (&self.query, format!("${{1}}{MASKED}")),
            (&self.headers, format!("${{1}}\"{MASKED}\"")),
            (&self.login, format!("${{1}} {MASKED}\"")),
        ];
        for (secret, shown) in others {
            if let Cow::Owned(text) = secret.replace_all(&masked, shown) {
                masked = Cow::Owned(text);
            }
        }
        masked
    }
}

/// Takes the values of these keys for secrets too.
pub(crate) fn also(keys: &[String]) {
    let _ = MASK.set(Mask::new(keys)); // the first one stays
}

/// Whether the value of a request header is secret.
pub(crate) fn is_secret(header: &str) -> bool {
    HEADERS.iter().any(|of| header.eq_ignore_ascii_case(of))
}

/// A text without the secrets of the URLs in it. Everything that is printed or written goes through this; pages
/// ask for it value by value, before they escape what secrets are known by.
pub(crate) fn text(text: &str) -> Cow<'_, str> {
    MASK.get_or_init(|| Mask::new(&[])).text(text)
}

/// A URL as it was typed, without its secrets, whatever characters they are made of.
pub(crate) fn url(typed: &str) -> String {
    let masked = typed.split_once("://").and_then(|(scheme, rest)| {
        let end = rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len());
        let (authority, rest) = rest.split_at(end);
        let (who, host) = authority.rsplit_once('@')?;
        Some(format!("{scheme}://{}@{host}{rest}", user(who)))
    });
    text(masked.as_deref().unwrap_or(typed)).into_owned()
}

/// Keys of queries whose values are masked in this text, as in what weir wrote of a log.
pub(crate) fn keys(text: &str) -> BTreeSet<&str> {
    let value = format!("={MASKED}");
    let pairs = text.split(['?', '&', ';']).skip(1);
    let keys = pairs.filter_map(|pair| Some(pair.split_once(value.as_str())?.0));
    let is_key = |key: &&str| !key.is_empty() && !key.contains(char::is_whitespace);
    keys.filter(is_key).collect()
}

/// What there is to say before the requests of a mix are sent: that some have a masked value, where they have.
pub(crate) fn in_mix(file: &Path) -> Option<String> {
    let text = input::text(file).ok()?;
    let keys = keys(&text);
    (!keys.is_empty()).then(|| {
        format!(
            "`{}` has `{MASKED}` in place of values of {}, and that is what is sent: put your own values in, or what is \
             measured is how they are refused",
            file.display(),
            record::listed(keys)
        )
    })
}

/// The name stays where there is a password: without one it is the secret, as of many an API's.
fn user(who: &str) -> String {
    match who.split_once(':') {
        Some((name, password)) if !name.is_empty() && !password.is_empty() => {
            format!("{name}:{MASKED}")
        }
        _ => MASKED.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_of_urls_are_masked() {
        let mask = Mask::new(&["room".to_owned()]);
        for (text, masked) in [
            ("http://ann:pw@host:80/a", "http://ann:***@host:80/a"),
            ("`http://ann:p@w:x@host/`,", "`http://ann:***@host/`,"),
            ("https://key@host/", "https://***@host/"),
            ("https://key:@host/", "https://***@host/"),
            ("http://host/a@b", "http://host/a@b"),
            ("mail ann@host, http://host/", "mail ann@host, http://host/"),
            ("/a?token=abc&b=1", "/a?token=***&b=1"),
            (
                "/a?b=1&amp;API_KEY=abc&amp;c",
                "/a?b=1&amp;API_KEY=***&amp;c",
            ),
            ("{\"path\":\"/?sig=a%20b\"}", "{\"path\":\"/?sig=***\"}"),
            ("GET /?room=12#x", "GET /?room=***#x"),
            (
                "tokens=1 token=1 /?mytoken=1",
                "tokens=1 token=1 /?mytoken=1",
            ),
            (
                r#"{"headers":{"Authorization": "Bearer \"a\"","Cookie":"a=b","Accept":"*"}}"#,
                r#"{"headers":{"Authorization": "***","Cookie":"***","Accept":"*"}}"#,
            ),
            (
                r#"{"login":"POST /login user=ann 'password=a \"b\"'","a":"b c"}"#,
                r#"{"login":"POST /login ***","a":"b c"}"#,
            ),
            (r#"{"login": "POST /guest"}"#, r#"{"login": "POST /guest"}"#),
        ] {
            assert_eq!(mask.text(text), masked);
        }
    }

    #[test]
    fn keys_of_masked_values_are_found_again() {
        let mix =
            "path = \"/a?b=1&token=***\"\nlist = [\n  \"c?sig=***&token=***\",\n  \"d?e=f\",\n]\n";
        assert_eq!(keys(mix), BTreeSet::from(["sig", "token"]));
        assert!(keys("a = *** ? b = *** http://ann:***@host/?c=*").is_empty());
    }

    #[test]
    fn a_typed_url_hides_a_password_of_any_characters() {
        assert_eq!(
            url("http://ann:p\"'<w@host/?a=1"),
            "http://ann:***@host/?a=1"
        );
        assert_eq!(url("ann:pw@host/"), "ann:pw@host/"); // no URL at all
        assert_eq!(
            url("http+unix:/a.sock|/?token=1"),
            "http+unix:/a.sock|/?token=***"
        );
    }
}
