//! Files of a site that can be loaded.

use record::App;

/// How deep a site's folder is looked into for a file to serve.
const DEPTH: usize = 4;

/// The smallest file of the app's site that a front end serves and whose name needs no escaping in a URL, as the path to
/// ask for.
pub(super) fn some_file(app: &App) -> Option<String> {
    let site = app.site.as_ref()?;
    let mut folders = vec![(site.dir.clone(), site.url.clone())];
    for _ in 0..DEPTH {
        let mut files = Vec::new();
        let mut below = Vec::new();
        for (folder, url) in folders {
            let Ok(listing) = std::fs::read_dir(folder) else {
                continue;
            };
            for item in listing.filter_map(std::result::Result::ok) {
                let Ok(name) = item.file_name().into_string() else {
                    continue;
                };
                let served = |length: u64| length > 0 && stack::is_served(app, &item.path());
                match item.metadata() {
                    Ok(about) if about.is_dir() && plain(&name) => {
                        below.push((item.path(), format!("{url}{name}/")));
                    }
                    Ok(about) if about.is_file() && served(about.len()) && plain(&name) => {
                        files.push((about.len(), format!("{url}{name}")));
                    }
                    _ => {}
                }
            }
        }
        if let Some((_, path)) = files.into_iter().min() {
            return Some(path);
        }
        folders = below;
    }
    None
}

fn plain(name: &str) -> bool {
    !name.starts_with('.')
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
}
