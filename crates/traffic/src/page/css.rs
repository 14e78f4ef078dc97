use cssparser::{ParseError, Parser, Token};
use url::Url;

use super::Kind;
use super::found::{Found, Gathering};

/// What a stylesheet needs: its imports, and every address in it. Of the alternatives of a font only
/// the first. Images are all taken to be used, though a browser fetches those of rules that apply.
pub(super) fn find(text: &str, base: &Url) -> Found {
    let mut gathering = Gathering::new(base);
    gather(text, &mut gathering);
    gathering.found
}

/// Deepest nesting that is looked into.
const DEEPEST: u32 = 64;

pub(super) fn gather(text: &str, gathering: &mut Gathering) {
    let mut parser = Parser::new(text);
    block(&mut parser, gathering, Rule::Plain, 0);
}

/// Where in the grammar an address stands.
#[derive(Clone, Copy, PartialEq)]
enum Rule {
    Plain,
    Import,
    /// Its name is no address.
    Namespace,
    Font,
}

fn block(parser: &mut Parser<'_>, gathering: &mut Gathering, outer: Rule, depth: u32) {
    let mut rule = outer;
    // Of a font's `src`, the first alternative was taken.
    let mut taken = false;
    while let Ok(token) = parser.next().cloned() {
        match token {
            Token::AtKeyword(name) => {
                rule = match name.to_ascii_lowercase().as_str() {
                    "import" => Rule::Import,
                    "namespace" => Rule::Namespace,
                    "font-face" => Rule::Font,
                    _ => Rule::Plain,
                };
            }
            Token::Semicolon => {
                rule = outer;
                taken = false;
            }
            Token::QuotedString(address) if rule == Rule::Import => {
                gathering.add(Kind::Style, &address);
                rule = outer;
            }
            Token::UnquotedUrl(address) => take(gathering, &mut rule, &mut taken, &address),
            Token::Function(name) if name.eq_ignore_ascii_case("url") => {
                if let Some(address) = quoted(parser) {
                    take(gathering, &mut rule, &mut taken, &address);
                }
            }
            Token::CurlyBracketBlock => {
                nested(parser, gathering, rule, depth);
                rule = outer;
            }
            Token::Function(_) | Token::ParenthesisBlock | Token::SquareBracketBlock => {
                nested(parser, gathering, outer, depth);
            }
            _ => {}
        }
    }
}

fn nested(parser: &mut Parser<'_>, gathering: &mut Gathering, rule: Rule, depth: u32) {
    if depth < DEEPEST {
        let _ = parser.parse_nested_block(|inner| -> Result<(), ParseError<()>> {
            block(inner, gathering, rule, depth + 1);
            Ok(())
        });
    }
}

fn quoted(parser: &mut Parser<'_>) -> Option<String> {
    let read = parser.parse_nested_block(|inner| -> Result<String, ParseError<()>> {
        Ok(inner.expect_string()?.as_ref().to_owned())
    });
    read.ok()
}

fn take(gathering: &mut Gathering, rule: &mut Rule, taken: &mut bool, address: &str) {
    match *rule {
        Rule::Import => {
            gathering.add(Kind::Style, address);
            *rule = Rule::Plain;
        }
        Rule::Namespace => {}
        Rule::Font if *taken => {}
        Rule::Font => {
            *taken = true;
            gathering.add(Kind::Other, address);
        }
        Rule::Plain => gathering.add(Kind::Image, address),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(Kind, String)> {
        let base = Url::parse("http://h/css/a.css").unwrap();
        let assets = find(text, &base).assets.into_iter();
        assets
            .map(|asset| (asset.kind, super::super::found::path(&asset.url).to_owned()))
            .collect()
    }

    #[test]
    fn imports_images_and_fonts() {
        let text = r#"
            @charset "utf-8"; @namespace svg url(http://h/svg);
            @import "one.css"; @import url(two.css) screen; @import url("/three.css?v=1");
            /* url(no.png) */ body { background: URL( b.png ) , url('../c.png#x'); content: "url(no.png)" }
            @font-face { font-family: F; src: local("F"), url(f.woff2) format("woff2"), url(f.woff); }
            @media screen { a { background-image: image-set(url(d.png) 1x) } }
            b { background: url(data:image/png;base64,AAAA) } c { background: url(b.png) }"#;
        let wanted = [
            (Kind::Style, "/css/one.css"),
            (Kind::Style, "/css/two.css"),
            (Kind::Style, "/three.css?v=1"),
            (Kind::Image, "/css/b.png"),
            (Kind::Image, "/c.png"),
            (Kind::Other, "/css/f.woff2"),
            (Kind::Image, "/css/d.png"),
        ];
        assert_eq!(
            found(text),
            wanted.map(|(kind, path)| (kind, path.to_owned()))
        );
    }

    proptest::proptest! {
        #[test]
        fn garbage_never_panics(text in ".*", dense in "[{}()@;\"'/* a-z:.]{0,200}") {
            found(&text);
            found(&dense);
            found(&format!("@import url({dense}"));
        }
    }

    #[test]
    fn deep_nesting_does_not_exhaust_the_stack() {
        found(&"{".repeat(100_000));
        found(&"a(".repeat(100_000));
    }
}
