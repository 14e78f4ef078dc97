use std::sync::LazyLock;

use scraper::{ElementRef, Html, Selector};
use url::Url;

use super::found::{Found, Gathering};
use super::{Kind, css};

/// Elements that make a browser fetch something without being asked.
static FETCHING: LazyLock<Selector> = LazyLock::new(|| {
    Selector::parse(
        "link[href], script[src], img, picture > source[srcset], input[type=image][src], \
         video[poster], style, [style]",
    )
    .expect("a selector")
});
static BASE: LazyLock<Selector> =
    LazyLock::new(|| Selector::parse("base[href]").expect("a selector"));

/// Width of the window that is assumed, in CSS pixels, at one device pixel each.
const WIDTH: f64 = 1280.0;

/// What a document needs, in its order. Frames, media streams and what scripts fetch are left out;
/// images that would be loaded lazily are in.
pub(super) fn find(text: &str, base: &Url) -> Found {
    let html = Html::parse_document(text);
    let mut gathering = Gathering::new(base);
    let hrefs = html.select(&BASE).filter_map(|it| it.attr("href"));
    if let Some(Ok(base)) = hrefs.map(|href| base.join(href.trim())).next() {
        gathering.base = base;
    }
    for element in html.select(&FETCHING) {
        if !is_dormant(element) {
            gather(element, &mut gathering);
        }
    }
    gathering.found
}

/// Whether an element stands in a template, where nothing happens until a script copies it.
fn is_dormant(element: ElementRef<'_>) -> bool {
    let mut around = element.ancestors().filter_map(ElementRef::wrap);
    around.any(|ancestor| ancestor.value().name() == "template")
}

fn gather(element: ElementRef<'_>, gathering: &mut Gathering) {
    let attribute = |name| element.attr(name);
    match element.value().name() {
        "link" => {
            if let (Some(kind), Some(href)) = (link(element), attribute("href")) {
                gathering.add(kind, href);
            }
        }
        "script" => {
            if let (true, Some(src)) = (is_script(element), attribute("src")) {
                gathering.add(Kind::Script, src);
            }
        }
        "img" => {
            let listed = attribute("srcset").and_then(choose);
            // In a picture, its first source without a condition comes before the image.
            if let (None, Some(src)) = (sources(element).next(), listed.or(attribute("src"))) {
                gathering.add(Kind::Image, src);
            }
        }
        "source" => {
            let listed = attribute("srcset").and_then(choose);
            let is_first = sources(element).next() == Some(element);
            if let (true, Some(src)) = (is_first, listed) {
                gathering.add(Kind::Image, src);
            }
        }
        "input" => gathering.add(Kind::Image, attribute("src").unwrap_or_default()),
        "video" => gathering.add(Kind::Image, attribute("poster").unwrap_or_default()),
        "style" => css::gather(&element.text().collect::<String>(), gathering),
        _ => {}
    }
    if let Some(style) = attribute("style") {
        css::gather(style, gathering);
    }
}

fn link(element: ElementRef<'_>) -> Option<Kind> {
    let rel = element.attr("rel")?.to_ascii_lowercase();
    let words: Vec<&str> = rel.split_ascii_whitespace().collect();
    let is = |word| words.contains(&word);
    if is("stylesheet") {
        return element.attr("disabled").is_none().then_some(Kind::Style);
    }
    if is("modulepreload") {
        return Some(Kind::Script);
    }
    if is("preload") {
        return Some(match element.attr("as") {
            Some("style") => Kind::Style,
            Some("script") => Kind::Script,
            Some("image") => Kind::Image,
            _ => Kind::Other,
        });
    }
    is("icon").then_some(Kind::Image)
}

/// A script that is fetched: of a JavaScript type, or a module; not `nomodule`.
fn is_script(element: ElementRef<'_>) -> bool {
    let kind = element.attr("type").unwrap_or_default();
    let kind = kind.to_ascii_lowercase();
    let fetched = kind.is_empty() || kind == "module" || kind.contains("javascript");
    fetched && element.attr("nomodule").is_none()
}

/// The sources of a picture that apply whatever the window.
fn sources(element: ElementRef<'_>) -> impl Iterator<Item = ElementRef<'_>> {
    let picture = element.parent().and_then(ElementRef::wrap);
    let picture = picture.filter(|parent| parent.value().name() == "picture");
    let children = picture.into_iter().flat_map(|it| it.child_elements());
    children.filter(|child| {
        child.value().name() == "source"
            && child.attr("media").is_none()
            && child.attr("srcset").is_some()
    })
}

/// The candidate of a `srcset` that a window of [`WIDTH`] takes: the first for one device pixel, or
/// the narrowest that fills it, or the widest.
fn choose(srcset: &str) -> Option<&str> {
    let candidates = || {
        let parts = srcset.split(", ").flat_map(|part| part.split(",\n"));
        parts.filter_map(|part| {
            let mut words = part.trim().trim_end_matches(',').split_ascii_whitespace();
            Some((words.next()?, words.next()))
        })
    };
    let wide =
        |descriptor: Option<&str>| -> Option<f64> { descriptor?.strip_suffix('w')?.parse().ok() };
    let plain = candidates().find(|(_, descriptor)| matches!(descriptor, None | Some("1x")));
    let widths = || candidates().filter_map(|(src, descriptor)| Some((src, wide(descriptor)?)));
    let enough = widths()
        .filter(|(_, width)| *width >= WIDTH)
        .min_by(|a, b| a.1.total_cmp(&b.1));
    let widest = || widths().max_by(|a, b| a.1.total_cmp(&b.1));
    let best = plain.map(|(src, _)| src);
    best.or(enough.or_else(widest).map(|(src, _)| src))
        .or_else(|| candidates().next().map(|(src, _)| src))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> (Vec<(Kind, String)>, u64) {
        let base = Url::parse("http://h:8000/a/page?x=1").unwrap();
        let found = find(text, &base);
        let assets = found.assets.into_iter();
        let assets =
            assets.map(|asset| (asset.kind, super::super::found::path(&asset.url).to_owned()));
        (assets.collect(), found.elsewhere)
    }

    #[test]
    fn all_that_a_browser_fetches() {
        let text = r#"<!doctype html><title>x</title>
            <link rel=stylesheet href=s.css><link rel="Shortcut Icon" href=/i.ico><link rel=canonical href=/no>
            <link rel=preload as=font href=f.woff2><link rel="alternate" href=/no.xml><link rel=modulepreload href=m.js>
            <script src=/j.js></script><script src="no.js" nomodule></script><script type="application/json" src=no></script>
            <style>body { background: url(b.png) }</style>
            <noscript><img src=no.png></noscript><template><img src=no.png></template>
            <img src=1.png><img src=1.png#again><img src="no.png" srcset="small.png 640w, big.png 1400w, huge.png 3000w">
            <img src="no.png" srcset="2x.png 2x, one.png 1x"><img src="data:image/png;base64,AAAA"><img>
            <picture><source srcset="p.avif" type="image/avif"><source srcset="no.webp"><img src="no.png"></picture>
            <picture><source srcset="no.avif" media="(max-width: 1px)"><img src="q.png"></picture>
            <p style="background: url('d.png')"><img src="//cdn.example.org/c.png"><script src="https://h:8000/tls.js"></script>
            <iframe src=no.html></iframe><a href=no.html>a</a><video poster=v.png src=no.mp4></video>"#;
        let wanted = [
            (Kind::Style, "/a/s.css"),
            (Kind::Image, "/i.ico"),
            (Kind::Other, "/a/f.woff2"),
            (Kind::Script, "/a/m.js"),
            (Kind::Script, "/j.js"),
            (Kind::Image, "/a/b.png"),
            (Kind::Image, "/a/1.png"),
            (Kind::Image, "/a/big.png"),
            (Kind::Image, "/a/one.png"),
            (Kind::Image, "/a/p.avif"),
            (Kind::Image, "/a/q.png"),
            (Kind::Image, "/a/d.png"),
            (Kind::Image, "/a/v.png"),
        ];
        assert_eq!(
            found(text),
            (
                wanted.map(|(kind, path)| (kind, path.to_owned())).to_vec(),
                2
            )
        );
    }

    #[test]
    fn a_base_changes_where_assets_are() {
        let text = "<base href=/b/><img src=x.png><img src=/y.png>";
        let paths: Vec<String> = found(text).0.into_iter().map(|(_, path)| path).collect();
        assert_eq!(paths, ["/b/x.png", "/y.png"]);
        assert_eq!(found("<base href='//cdn/'><img src=x.png>"), (vec![], 1));
    }

    #[test]
    fn the_guestbook_has_its_style_script_and_image() {
        let folder = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../apps/guestbook/guestbook"
        );
        let text = std::fs::read_to_string(format!("{folder}/templates/entries.html")).unwrap();
        let at = |name: &str| format!("{{{{ url_for('static', filename='{name}') }}}}");
        let files = ["style.css", "guestbook.js", "quill.svg"];
        let page = files.iter().fold(text, |text, name| {
            assert!(text.contains(&at(name)), "{name} is in the template");
            text.replace(&at(name), &format!("/static/{name}"))
        });
        let wanted = [
            (Kind::Style, "/static/style.css"),
            (Kind::Script, "/static/guestbook.js"),
            (Kind::Image, "/static/quill.svg"),
        ];
        assert_eq!(
            found(&page),
            (
                wanted.map(|(kind, path)| (kind, path.to_owned())).to_vec(),
                0
            )
        );
        let style = std::fs::read_to_string(format!("{folder}/static/style.css")).unwrap();
        assert_eq!(
            css::find(&style, &Url::parse("http://h/").unwrap()),
            Found::default()
        );
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig::with_cases(64))]
        #[test]
        fn garbage_never_panics(text in ".*", tags in "[<>/=\" a-z,0-9]{0,200}") {
            found(&text);
            found(&format!("<img srcset=\"{tags}\"><base href=\"{tags}\"><img src=\"{text}\">{tags}"));
        }
    }
}
