//! Addresses that stand in the source of a Go program for good.

use std::path::Path;

use regex::Regex;

use super::source::SourceFiles;

/// What listens, or says where, and the address.
const LISTENS: &str = r#"(?:ListenAndServe(?:TLS)?\(|net\.Listen\(\s*"tcp[46]?",|Addr:|\.(?:Run|Start|Listen)\()\s*"([^"\s]*:\d+)""#;
/// What a file has that serves HTTP.
const SERVES: &str = r"http\.Server\b|ListenAndServe|\b(?:gin|echo|fiber)\b";
/// Ports that are none to serve at: the system's choice, and that of Go's profiler.
const OTHERS: [&str; 2] = [":0", ":6060"];

/// An address, and where it stands.
pub(super) struct Fixed {
    pub(super) file: String,
    pub(super) address: String,
    /// The file serves HTTP: that is its address.
    pub(super) serves: bool,
}

/// The address at which the program of a package (`.`, `./cmd/shop`) seems to listen, whatever it is told.
pub(super) fn address(source: &SourceFiles, package: &str) -> Option<Fixed> {
    let listens = Regex::new(LISTENS).expect("written here");
    let serves = Regex::new(SERVES).expect("written here");
    let own = Path::new(package.trim_start_matches("./"));
    let own = own.strip_prefix(".").unwrap_or(own);
    let of_package = |path: &Path| path.parent() == Some(own);
    let of_another = |path: &Path| path.starts_with("cmd") && !path.starts_with(own);
    let files = source.files().filter(|(path, _)| !of_another(path));
    let found = files.flat_map(|(path, text)| {
        let serves = serves.is_match(text);
        let all = listens.captures_iter(text).filter_map(|said| {
            let (whole, address) = (said.get(0)?, said.get(1)?.as_str());
            let other = OTHERS.iter().any(|port| address.ends_with(port))
                || whole.as_str().starts_with("Addr:") && is_of_redis(&text[..whole.start()]);
            (!other).then(|| address.to_owned())
        });
        let all: Vec<_> = all.collect();
        all.into_iter().map(move |address| (path, address, serves))
    });
    let best = found.min_by_key(|(path, _, serves)| (!serves, !of_package(path)));
    best.map(|(path, address, serves)| Fixed {
        file: path.display().to_string(),
        address,
        serves,
    })
}

/// Whether the value that begins in a text and has not ended there is one of Redis' own: there `Addr` is where a database
/// is.
fn is_of_redis(before: &str) -> bool {
    let opened = before.rsplit_once('{').map_or("", |(opened, _)| opened);
    let kind = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let name = opened.trim_end();
    let name = &name[name.trim_end_matches(kind).len()..];
    name.contains("redis")
}
