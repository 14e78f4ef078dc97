//! Projects of Node: how they are started, and what has to be done before.

use record::Interface;

use super::{Folder, says};

const LISTENS: &str = "app.listen(process.env.PORT)";

/// A `package.json` with these scripts.
fn package(scripts: &[(&str, &str)]) -> String {
    let scripts = scripts.iter();
    let scripts: Vec<_> = scripts
        .map(|(name, script)| format!("{name:?}: {script:?}"))
        .collect();
    format!("{{\"scripts\": {{{}}}}}", scripts.join(", "))
}

#[test]
fn a_script_is_run_without_what_builds_and_what_watches() {
    for (start, command) in [
        ("npm run build && node dist/app.js", "node dist/app.js"),
        ("nodemon", "node ."),
        ("nodemon --inspect -w src dist/app.js", "node dist/app.js"),
        ("nodemon --exec ts-node src/app.ts", "ts-node src/app.ts"),
        (
            "nodemon --ext=ts -x \"ts-node -r dotenv/config\" src/app.ts",
            "ts-node -r dotenv/config src/app.ts",
        ),
        ("nodemon src/app.ts", "ts-node src/app.ts"),
        ("nodemon -- dist/app.js -w", "node dist/app.js -w"),
        ("PORT=5314 node dist/app.js", "PORT=$PORT node dist/app.js"),
        (
            "cross-env MODE=fast node -r dotenv/config --watch dist/app.js --inspect",
            "MODE=fast node --require=dotenv/config dist/app.js --inspect",
        ),
        ("npm run serve:api", "node dist/app.js --api"),
        (
            "cd dist && node app.js",
            "sh -c 'cd dist && exec node app.js'",
        ),
        ("npm start", "npm start"),
    ] {
        let scripts = [
            ("start", start),
            ("serve:api", "npm run build; node dist/app.js --api"),
        ];
        let scripts = package(&scripts);
        let files = [("package.json", scripts.as_str()), ("dist/app.js", LISTENS)];
        let found = Folder::of(&files).recognised();
        assert_eq!(found.app.entry, command, "{start}");
        let built = found
            .because
            .join("\n")
            .contains("`npm run build` before it is not run");
        assert_eq!(built, start.starts_with("npm run "), "{start}");
    }
}

#[test]
fn what_is_compiled_at_each_start_is_started_as_it_is_deployed() {
    let scripts = package(&[
        ("start", "nest start"),
        ("start:prod", "node dist/main"),
        ("build", "nest build"),
    ]);
    let nest = [("package.json", scripts.as_str()), ("src/main.ts", LISTENS)];
    let built = Folder::of(&[&nest[..], &[("dist/main.js", "")]].concat()).recognised();
    assert_eq!(built.app.entry, "node dist/main");
    says(&built, "`start:prod`");
    let (said, hint) = Folder::of(&nest).refused();
    assert!(
        said.contains("`dist/main` is not there, and `package.json` has a `build` script"),
        "{said}"
    );
    assert_eq!(hint, "run `npm install && npm run build` in it");
    let installed = [("node_modules/a/b", ""), ("yarn.lock", "")];
    let (_, hint) = Folder::of(&[&nest[..], &installed].concat()).refused();
    assert_eq!(hint, "run `yarn run build` in it");
    // nothing else is known of it
    let alone = package(&[("start", "nest start")]);
    let found = Folder::of(&[("package.json", &alone), nest[1]]).recognised();
    assert_eq!(found.app.entry, "nest start");
}

#[test]
fn a_file_that_listens_is_started_where_no_script_says_so() {
    let bare = ("package.json", "{}");
    let found = Folder::of(&[bare, ("src/index.js", LISTENS)]).recognised();
    assert_eq!(found.app.entry, "node src/index.js");
    let found = Folder::of(&[bare, (".output/server/index.mjs", "")]).recognised();
    assert_eq!(found.app.entry, "node .output/server/index.mjs");
    let page = [bare, ("src/index.js", "render(app)"), ("index.html", "")];
    let found = Folder::of(&page).recognised();
    assert_eq!(found.app.interface, Interface::Static);
}

#[test]
fn only_what_is_read_from_the_environment_is_the_port_of_its_start() {
    for source in [
        "app.listen(process.env.PORT || 3000)",
        "const { PORT = 3000 } = process.env\napp.listen(PORT)",
        "app.listen(process.env['PORT'])",
        "app.listen(config.get('PORT'))",
        "const env = cleanEnv(process.env, { PORT: port({ default: 3000 }) })",
        "const schema = z.object({ PORT: z.coerce.number() })",
    ] {
        let files = [("package.json", "{}"), ("server.js", source)];
        says(
            &Folder::of(&files).recognised(),
            "it takes its port from PORT (`server.js`)",
        );
    }
    let fixed = "const PORT = 8080\napp.listen(PORT)\n";
    let (said, _) = Folder::of(&[("package.json", "{}"), ("server.js", fixed)]).refused();
    assert!(said.contains("it listens at port 8080"), "{said}");
    let told = package(&[("start", "PORT=80 node server.js")]);
    let (said, _) = Folder::of(&[("package.json", &told), ("server.js", fixed)]).refused();
    assert!(said.contains("it listens at port 8080"), "{said}");
}

#[test]
fn packages_are_installed_by_the_tool_of_the_project() {
    let needs = "{\"dependencies\": {\"express\": \"4\"}}";
    let app = [("package.json", needs), ("server.js", LISTENS)];
    let with = |more: &[(&str, &str)]| Folder::of(&[&app[..], more].concat());
    for (file, tool) in [
        ("package-lock.json", "npm"),
        ("pnpm-lock.yaml", "pnpm"),
        ("yarn.lock", "yarn"),
        ("bun.lockb", "bun"),
    ] {
        let (_, hint) = with(&[(file, "")]).refused();
        assert_eq!(hint, format!("run `{tool} install` in it"));
    }
    let plugged = with(&[(".pnp.cjs", "")]);
    let option = format!("--require={}", plugged.inside(".pnp.cjs").display());
    assert_eq!(
        plugged.recognised().app.entry,
        format!("node '{option}' server.js")
    );
    let workspace = Folder::of(&[
        ("node_modules/.bin/a", ""),
        ("backend/node_modules/.bin/b", ""),
        ("backend/package.json", needs),
        ("backend/server.js", LISTENS),
    ]);
    let near = workspace.inside("backend/node_modules/.bin");
    let far = workspace.inside("node_modules/.bin");
    let path = format!("{}:{}", near.display(), far.display());
    let of = |start: &str| {
        let scripts = package(&[("start", start)]);
        std::fs::write(workspace.inside("backend/package.json"), scripts).unwrap();
        workspace.recognised().app
    };
    let app = of("a --with b");
    assert_eq!(app.entry, format!("PATH=\"{path}:$PATH\" a --with b"));
    // what is named by no package is found where the caller finds it
    let app = of("node server.js");
    assert_eq!(app.entry, "node server.js");
    let names: Vec<_> = app.env.keys().map(String::as_str).collect();
    assert_eq!(names, ["NODE_ENV"]);
}

#[test]
fn a_declared_command_is_that_of_its_package_with_or_without_the_path() {
    let own = "{\"scripts\": {\"start\": \"next start\"}, \"dependencies\": {\"next\": \"15\"}}";
    let folder = Folder::of(&[("package.json", own), ("node_modules/.bin/next", "")]);
    let found = folder.recognised().app;
    assert!(found.entry.starts_with("PATH="), "{}", found.entry);
    let catalogue = stack::Catalogue::load(&[]).unwrap();
    for entry in ["next start", found.entry.as_str()] {
        let file = folder.inside("app.toml");
        let text = format!(
            "name = \"shop\"\ninterface = \"program\"\nentry = '{entry}'\n[[routes]]\npath = \"/\"\n"
        );
        std::fs::write(&file, text).unwrap();
        let declared = stack::declared(&file, &folder.wish(), &catalogue).unwrap();
        assert_eq!(declared.app.frameworks, ["node", "next"], "{entry}");
    }
}

#[test]
fn pages_that_are_not_built_are_not_served() {
    let scripts = |start: &str| package(&[("start", start), ("build", "build")]);
    for (start, source, page) in [
        ("ng serve", "src/index.html", "dist/shop/browser/index.html"),
        ("vite --port 80", "index.html", "dist/index.html"),
        (
            "npx react-scripts start",
            "public/index.html",
            "build/index.html",
        ),
    ] {
        let scripts = scripts(start);
        let raw = [
            ("package.json", scripts.as_str()),
            (source, "<a href=%PUBLIC_URL%>"),
        ];
        let (said, hint) = Folder::of(&raw).refused();
        assert!(said.contains("its pages are not built"), "{start}: {said}");
        assert!(hint.contains("npm run build"), "{hint}");
        let built = Folder::of(&[&raw[..], &[(page, "<p>")]].concat());
        let site = built.recognised().app.site.unwrap();
        let folder = page.strip_suffix("/index.html").unwrap();
        assert_eq!(site.dir, built.inside(folder), "{start}");
    }
    let (said, _) = Folder::of(&[("package.json", &scripts("next dev"))]).refused();
    assert!(
        said.contains("`package.json` starts a development server (`next dev`)"),
        "{said}"
    );
    let preview = scripts("vite preview --port 80");
    let found = Folder::of(&[("package.json", &preview)]).recognised();
    assert_eq!(found.app.entry, "vite preview --port $PORT");
}
