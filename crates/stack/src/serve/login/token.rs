//! The token of a session whose app sets no cookie: it is in the JSON of the response to the login.

use serde_json::Value;
use wire::Answer;

/// What such a token is called, the likeliest first.
pub(super) const NAMES: [&str; 4] = ["access_token", "token", "id_token", "jwt"];

/// Bytes of the longest one.
const LONGEST: usize = 8 * 1024;

/// The header that carries the token of an answer, if it has one. Beside a cookie `token` may be what a form has against forged
/// requests, and is none.
pub(super) fn header(answer: &Answer, beside_a_cookie: bool) -> Option<(String, String)> {
    let Value::Object(members) = document(answer)? else {
        return None;
    };
    let mut names = NAMES
        .into_iter()
        .filter(|name| !beside_a_cookie || *name != "token");
    let token = names.find_map(|name| members.get(name)?.as_str().filter(|text| is_token(text)))?;
    Some(("Authorization".to_owned(), format!("Bearer {token}")))
}

/// The names of the fields of an answer in JSON; none of another one.
pub(super) fn fields(answer: &Answer) -> Vec<String> {
    match document(answer) {
        Some(Value::Object(members)) => members.keys().cloned().collect(),
        _ => Vec::new(),
    }
}

fn document(answer: &Answer) -> Option<Value> {
    serde_json::from_slice(&answer.body).ok()
}

/// Whether a header can carry it.
fn is_token(text: &str) -> bool {
    let fits = 1..=LONGEST;
    fits.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(body: &str) -> Answer {
        Answer {
            status: 200,
            headers: Vec::new(),
            body: body.as_bytes().to_vec(),
            keep: true,
        }
    }

    #[test]
    fn a_token_is_a_text_by_a_usual_name() {
        let value = |body: &str, beside| Some(header(&answer(body), beside)?.1);
        let oauth = r#"{"token_type": "bearer", "token": "t", "access_token": "a.b-c"}"#;
        assert_eq!(value(oauth, false).as_deref(), Some("Bearer a.b-c"));
        assert_eq!(value(oauth, true).as_deref(), Some("Bearer a.b-c"));
        let forged = r#"{"token": "t0"}"#;
        assert_eq!(value(forged, false).as_deref(), Some("Bearer t0"));
        assert_eq!(value(forged, true), None);
        for none in [
            "hello",
            "[]",
            r#"{"token": 1}"#,
            r#"{"token": ""}"#,
            r#"{"token": "a\nb"}"#,
        ] {
            assert_eq!(value(none, false), None, "{none}");
        }
        let long = format!(r#"{{"jwt": "{}"}}"#, "x".repeat(LONGEST + 1));
        assert_eq!(value(&long, false), None);
    }

    #[test]
    fn what_has_no_token_is_told_by_its_fields() {
        assert_eq!(fields(&answer(r#"{"session": "s", "ok": true}"#)).len(), 2);
        assert!(fields(&answer("<p>welcome")).is_empty());
    }
}
