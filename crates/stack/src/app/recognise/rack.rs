//! Ruby apps, by `config.ru`; and Rails, which is told by its environment how it is deployed.

use record::{Interface, StaticSite};

use super::missed::Missed;
use super::{Kind, Recognised, Wish, bare, bundle, place_for, text};
use crate::error::Result;

/// Long enough for Rails, and no secret: what is signed with it is signed for one run of weir.
const NO_SECRET: &str =
    "weir serves this app for a trial, on loopback only, and keeps nothing of it";

pub(super) const KIND: Kind = Kind {
    signs: "`config.ru`",
    find,
};

fn find(wish: &Wish<'_>, _: &mut Missed) -> Result<Option<Recognised>> {
    let Some(rackup) = text(wish.dir, "config.ru") else {
        return Ok(None);
    };
    let rails =
        wish.dir.join("config/application.rb").is_file() || rackup.contains("Rails.application");
    let frameworks: &[&str] = if rails { &["rails"] } else { &[] };
    let mut found = bare(wish, Interface::Rack, "config.ru", frameworks);
    found.because.push("`config.ru` is there".to_owned());
    if rails {
        bundle::check(wish)?;
        deploy(wish, &mut found);
    }
    if let Ok(dir) = wish.dir.join("public").canonicalize() {
        found.because.push("its files are in `public`".to_owned());
        found.app.site = Some(StaticSite {
            dir,
            url: "/".to_owned(),
        });
    }
    Ok(Some(found))
}

/// Rails as it is deployed, writing neither logs nor caches into the app's folder.
fn deploy(wish: &Wish<'_>, found: &mut Recognised) {
    found.because.push(
        "it is Rails: served with RAILS_ENV=production, and its log kept out of `log`".to_owned(),
    );
    let cache = place_for(wish, "bootsnap").display().to_string();
    let env = &mut found.app.env;
    for (name, value) in [
        ("RAILS_ENV", "production"),
        ("RAILS_SERVE_STATIC_FILES", "1"),
        ("RAILS_LOG_TO_STDOUT", "1"),
        ("BOOTSNAP_CACHE_DIR", cache.as_str()),
    ] {
        env.insert(name.to_owned(), value.to_owned());
    }
    let given = |name| std::env::var_os(name).is_some();
    let key = wish.dir.join("config/master.key").is_file()
        || given("RAILS_MASTER_KEY")
        || given("SECRET_KEY_BASE");
    if !key {
        env.insert("SECRET_KEY_BASE".to_owned(), NO_SECRET.to_owned());
        found.because.push(
            "`config/master.key` is not there: it is given a SECRET_KEY_BASE for the trial; what needs its credentials will fail".to_owned(),
        );
    }
    found.because.extend(surprises(wish));
}

/// What will surprise whoever serves it here.
fn surprises(wish: &Wish<'_>) -> Vec<String> {
    let there = |file: &str| wish.dir.join(file).exists();
    let production = text(wish.dir, "config/environments/production.rb").unwrap_or_default();
    let says = |pattern: &str| {
        let pattern = regex::Regex::new(pattern).expect("written here");
        pattern.is_match(&production)
    };
    let mut notes = Vec::new();
    let assumed = says(r"(?m)^\s*config\.assume_ssl\s*=\s*true");
    if !assumed && says(r"(?m)^\s*config\.force_ssl\s*=\s*true") {
        notes.push("`config.force_ssl` is on: over plain HTTP it answers 301; switch it off for the trial, as with `config.force_ssl = !ENV[\"NO_SSL\"]` in config/environments/production.rb");
    }
    if says(r"(?m)^\s*config\.hosts\b") {
        notes.push("`config.hosts` is set: where it does not name `localhost` and `127.0.0.1` it answers 403");
    }
    let lock = text(wish.dir, "Gemfile.lock").unwrap_or_default();
    let application = text(wish.dir, "config/application.rb").unwrap_or_default();
    let sprockets = ["\nrequire \"rails/all\"", "\nrequire \"sprockets/railtie\""]
        .iter()
        .any(|line| format!("\n{application}").contains(line));
    let pipeline =
        sprockets && there("app/assets/config/manifest.js") || lock.contains("    propshaft (");
    if pipeline && !there("public/assets") {
        notes.push("`public/assets` is not there: pages that name an asset answer 500 until `RAILS_ENV=production bin/rails assets:precompile` has run");
    }
    let database = text(wish.dir, "config/database.yml").unwrap_or_default();
    for file in ["db/production.sqlite3", "storage/production.sqlite3"] {
        if database.contains(file) && !there(file) {
            notes.push("its SQLite database of production is not there: run `RAILS_ENV=production bin/rails db:prepare`");
        }
    }
    notes.into_iter().map(str::to_owned).collect()
}
