//! What a body says to a person, in few words.

/// What a page holds beside its text, from where to where.
const HIDDEN: [(&str, &str); 3] = [
    ("<!--", "-->"),
    ("<script", "</script>"),
    ("<style", "</style>"),
];

/// The title of a page, or its text where it has none; of what is no page the first line. In one line, and `None` where
/// there is nothing to read. The body may be cut anywhere.
pub fn first_words(body: &str) -> Option<String> {
    let body = body.trim_start();
    let said = if body.starts_with('<') {
        let lower = body.to_ascii_lowercase();
        title(body, &lower).map_or_else(|| text(body, &lower), str::to_owned)
    } else {
        body.lines().next().unwrap_or_default().to_owned()
    };
    let words: Vec<&str> = said.split_whitespace().collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// What stands in the title of a page, of which `lower` is the same in lower case.
fn title<'a>(page: &'a str, lower: &str) -> Option<&'a str> {
    let begin = lower.find("<title")?;
    let from = begin + lower[begin..].find('>')? + 1;
    let until = lower[from..].find("</title");
    let title = &page[from..until.map_or(page.len(), |length| from + length)];
    Some(title).filter(|title| !title.trim().is_empty())
}

/// What stands between the tags of a page.
fn text(page: &str, lower: &str) -> String {
    let mut text = String::new();
    let mut at = 0;
    while let Some(before) = lower[at..].find('<') {
        text.push_str(&page[at..at + before]);
        text.push(' ');
        at += before;
        let mut hidden = HIDDEN.iter();
        let hidden = hidden.find(|(opens, _)| lower[at..].starts_with(*opens));
        let closes = hidden.map_or(">", |(_, closes)| *closes);
        let end = lower[at..].find(closes);
        at = end.map_or(page.len(), |end| at + end + closes.len());
    }
    text.push_str(&page[at..]);
    text
}

#[cfg(test)]
mod tests {
    use super::first_words;

    #[test]
    fn a_page_is_told_by_its_title_or_its_text() {
        for (body, words) in [
            (
                "<!doctype html>\n<html lang=en>\n<title>404 Not\n Found</title>\n<h1>Not Found</h1>",
                "404 Not Found",
            ),
            ("<HTML><TITLE>Bad Request</TITLE>", "Bad Request"),
            ("<title>Page not fo", "Page not fo"),
            ("<title></title><h1>Oops</h1>", "Oops"),
            (
                "<style>h1 { color: red }</style><!-- <b> --><h1>It is down</h1><p>Come back</p><scr",
                "It is down Come back",
            ),
            ("<script>if (a < b) f()</script>späť", "späť"),
            ("\n  no database\n  at line 7", "no database"),
            (r#"{"error": "no"}"#, r#"{"error": "no"}"#),
        ] {
            assert_eq!(first_words(body).as_deref(), Some(words), "{body}");
        }
    }

    #[test]
    fn what_says_nothing_has_no_words() {
        for body in ["", " \n", "<p>", "<html><head><style>p {", "<"] {
            assert_eq!(first_words(body), None, "{body}");
        }
    }
}
