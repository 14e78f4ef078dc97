//! Apps of other languages: Rack by `config.ru`, and programs that serve by themselves, by the file that
//! says how they are built.

use serde_json::Value;

use super::{Recognised, Wish, bare, build_of, found, program, text};
use record::Interface;

pub(super) fn rack(wish: &Wish<'_>) -> Option<Recognised> {
    if !wish.dir.join("config.ru").is_file() {
        return None;
    }
    let rails = wish.dir.join("config/application.rb").is_file()
        || text(wish.dir, "config.ru").is_some_and(|text| text.contains("Rails.application"));
    let frameworks: &[&str] = if rails { &["rails"] } else { &[] };
    let mut found = bare(wish, Interface::Rack, "config.ru", frameworks);
    found.because.push("`config.ru` is there".to_owned());
    if rails {
        found
            .because
            .push("it is Rails: served with RAILS_ENV=production".to_owned());
        let env = &mut found.app.env;
        env.insert("RAILS_ENV".to_owned(), "production".to_owned());
        env.insert("RAILS_SERVE_STATIC_FILES".to_owned(), "1".to_owned());
    }
    let public = wish.dir.join("public");
    if let Ok(dir) = public.canonicalize() {
        found.because.push("its files are in `public`".to_owned());
        found.app.site = Some(record::StaticSite {
            dir,
            url: "/".to_owned(),
        });
    }
    Some(found)
}

pub(super) fn go(wish: &Wish<'_>) -> Option<Recognised> {
    let module = text(wish.dir, "go.mod").and_then(|text| found(r"(?m)^module\s+(\S+)", &text))?;
    let package = go_main(wish)?;
    let binary = build_of(wish).display().to_string();
    let mut found = program(wish, &format!("'{binary}'"), &["go"]);
    found.because.push(format!(
        "`go.mod` names the module `{module}`; `{package}` is its program"
    ));
    found.app.setup = vec![
        ["go", "build", "-o", &binary, &package]
            .map(str::to_owned)
            .to_vec(),
    ];
    Some(found)
}

/// The package with `func main`: the folder itself, or the one folder of `cmd`.
fn go_main(wish: &Wish<'_>) -> Option<String> {
    let is_main = |folder: &std::path::Path| {
        let Ok(listing) = std::fs::read_dir(folder) else {
            return false;
        };
        listing
            .filter_map(|item| Some(item.ok()?.path()))
            .any(|file| {
                let go = file.extension().is_some_and(|end| end == "go");
                go && std::fs::read_to_string(&file)
                    .is_ok_and(|text| text.contains("package main") && text.contains("func main("))
            })
    };
    if is_main(wish.dir) {
        return Some(".".to_owned());
    }
    let commands = std::fs::read_dir(wish.dir.join("cmd")).ok()?;
    let mut commands: Vec<_> = commands
        .filter_map(|item| Some(item.ok()?.path()))
        .filter(|folder| is_main(folder))
        .filter_map(|folder| Some(format!("./cmd/{}", folder.file_name()?.to_str()?)))
        .collect();
    commands.sort();
    commands.into_iter().next()
}

pub(super) fn node(wish: &Wish<'_>) -> Option<Recognised> {
    let package = text(wish.dir, "package.json")
        .and_then(|text| serde_json::from_str::<Value>(&text).ok())?;
    let start = package["scripts"]["start"].as_str();
    let named = package["main"].as_str();
    let custom = ["server.js", "app.js", "index.js"];
    let file = named
        .into_iter()
        .chain(custom)
        .find(|file| wish.dir.join(file).is_file());
    let (command, clue) = match (start, file) {
        (Some(start), _) => (
            start.to_owned(),
            format!("`package.json` starts it with `{start}`"),
        ),
        (None, Some(file)) => (
            format!("node {file}"),
            format!("`package.json` is there, and `{file}`"),
        ),
        (None, None) => return None,
    };
    let uses = |name: &&str| package["dependencies"][*name].is_string();
    let framework = ["express", "fastify", "koa", "hapi", "next"]
        .into_iter()
        .find(|name| uses(name));
    let frameworks: Vec<_> = ["node"].into_iter().chain(framework).collect();
    let mut found = program(wish, &command, &frameworks);
    found.because.push(clue);
    if package["dependencies"].is_object() && !wish.dir.join("node_modules").is_dir() {
        found
            .because
            .push("`node_modules` is missing: run `npm install` first".to_owned());
    }
    let path = std::env::var("PATH").unwrap_or_default();
    let own = wish
        .dir
        .canonicalize()
        .unwrap_or_else(|_| wish.dir.to_owned())
        .join("node_modules/.bin");
    if own.is_dir() {
        found
            .app
            .env
            .insert("PATH".to_owned(), format!("{}:{path}", own.display()));
    }
    found
        .app
        .env
        .insert("NODE_ENV".to_owned(), "production".to_owned());
    Some(found)
}
