//! PHP: the scripts of an app behind every front end that speaks FastCGI, and what `weir try` makes of an app.

use serde_json::Value;

use crate::support::{Place, repository, standing};

/// A front end, what it is told besides, and how it reaches the server.
const FRONTS: [(&str, &str, &str); 7] = [
    ("nginx", "", "fastcgi+tcp"),
    ("nginx", "", "fastcgi+unix"),
    ("apache", "", "fastcgi+unix"),
    ("lighttpd", "", "fastcgi+tcp"),
    ("caddy", "", "fastcgi+unix"),
    ("h2o", "", "fastcgi+tcp"),
    ("haproxy", ", fcgi-keep-conn = false", "fastcgi+unix"),
];

/// The catalogue's small app, in the folder `app`.
fn place() -> Place {
    let place = Place::new();
    for file in ["app.toml", "public/index.php"] {
        let source = repository().join("catalogue/samples/php").join(file);
        let text = std::fs::read_to_string(source).unwrap();
        place.write(&format!("app/{file}"), &text);
    }
    place
}

#[test]
fn one_script_answers_every_path_whatever_stands_before_it() {
    let place = place();
    let server = |link: &str| {
        format!("{{ entry = \"php-fpm\", link = \"{link}\", pm = \"static\", max-children = 8 }}")
    };
    let before = |(front, more, link): (&str, &str, &str)| {
        let name = format!("{front}-{}", link.replace('+', "-"));
        let front = format!("front = {{ entry = \"{front}\"{more} }}");
        let server = server(link);
        format!("[[variant]]\nname = \"{name}\"\n{front}\nserver = {server}\n")
    };
    let alone = server("fastcgi");
    let alone = [
        "[[variant]]\nname = \"dev\"\nserver = \"php-dev\"\n".to_owned(),
        format!("[[variant]]\nname = \"alone\"\nserver = {alone}\n"),
    ];
    let variants = [&FRONTS.map(before)[..], &alone].concat();
    let plan = place.plan(&variants.concat());
    let said = place.run(&["run", plan.to_str().unwrap(), "--json"]);
    let run = said.measured().json();
    let trials = standing(&run);
    assert_eq!(trials.len(), variants.len());
    for trial in trials {
        let measured = &trial["outcome"]["measured"];
        let verified = &measured["stack"]["verified"];
        assert_eq!(verified["requests"], 4, "{trial:#}");
        assert_eq!(verified["body_compared"], Value::Null, "{trial:#}");
        assert_eq!(measured["load"]["failed"], serde_json::json!({}));
    }
    place.assert_clean();
}

#[test]
fn an_app_of_its_index_alone_is_tried_behind_front_ends() {
    let place = Place::new();
    place.write(
        "index.php",
        "<?php\necho 'hello ', $_SERVER['SCRIPT_NAME'];\n",
    );
    let said = place.run(&[
        "try",
        "--quick",
        "-n",
        "100",
        "-c",
        "4",
        "--json",
        "--variants",
        "php-dev,nginx+php-fpm-cores",
    ]);
    let run = said.measured().json();
    let variants = run["judged"]["variants"].as_array().unwrap();
    assert!(variants.iter().all(|of| of["failure"].is_null()));
    let names: Vec<_> = variants.iter().map(|of| &of["name"]).collect();
    assert_eq!(names, ["php-dev", "nginx+php-fpm-cores"]);
    for words in [
        "is a PHP app",
        "`index.php` is there, and nothing says that it answers other paths",
    ] {
        assert!(said.err.contains(words), "`{words}`: {}", said.err);
    }
    let not_tried = run["run"]["plan"]["not_tried"].to_string();
    let reason = "each connection that nginx keeps holds a process";
    assert!(not_tried.contains(reason), "{not_tried}");
    let lost = place.run(&["try", "--quick", "--path", "/none", "--variants", "php-dev"]);
    lost.fails(8, &["answers `GET /none` with status 404"]);
    let alone = place.run(&["try", "--variants", "php-fpm-cores"]);
    alone.fails(2, &["no way to serve this app is called `php-fpm-cores`"]);
    let varied = place.run(&["try", "--vary", "max-children=0,2"]);
    varied.fails(2, &["knob `max-children` of `php-fpm`: 0 is out of range"]);
    let bodies = run["trials"].to_string();
    assert!(bodies.contains("\"body_bytes\":16"), "{bodies}");
    place.assert_clean();
}

#[test]
fn the_files_of_a_development_server_say_so_with_what_to_deploy_instead() {
    let place = Place::new();
    place.write("index.php", "<?php\necho 'hello';\n");
    let variants = ["--variants", "php-dev,nginx+php-fpm-cores"];
    let asked = ["try", "--quick", "-n", "100", "-c", "4"];
    place.run(&[&asked[..], &variants].concat()).measured();
    let said = place.run(&["write", "last:php-dev", "dev"]);
    let readme = std::fs::read_to_string(place.path("dev/README.md")).unwrap();
    let warning = "Not for production: `php-dev`, PHP's built-in development server (php -S), is made for development. \
                   The best of run 1 for production is `nginx+php-fpm-cores`: `weir write 1:nginx+php-fpm-cores DIR`.";
    assert!(said.succeeds().err.starts_with(warning), "{}", said.err);
    assert!(readme.contains(warning), "{readme}");
    let other = place.run(&["write", "last:nginx+php-fpm-cores", "other"]);
    let told = &other.succeeds().err;
    assert!(!told.contains("Not for production"), "{told}");
    place.assert_clean();
}

#[test]
fn a_script_beside_the_index_is_loaded_as_itself_and_files_come_from_disk() {
    let place = Place::new();
    place.write("index.php", "<?php\necho 'the front page';\n");
    place.write(
        "about.php",
        "<?php\necho 'about ', $_SERVER['SCRIPT_NAME'];\n",
    );
    place.write("css/a.css", "a { color: red }\n");
    let variants = ["--variants", "php-dev,nginx+php-fpm-cores"];
    let asked = ["try", "--quick", "-c", "4", "--no-stress", "--json"];
    let said = place.run(&[&asked[..], &["--path", "/about.php"], &variants].concat());
    let run = said.measured().json();
    let trials = standing(&run);
    assert!(trials.len() >= 2, "{trials:#?}");
    for trial in trials {
        let measured = &trial["outcome"]["measured"];
        let verified = &measured["stack"]["verified"];
        assert_eq!(
            verified["body_bytes"],
            "about /about.php".len(),
            "{trial:#}"
        );
        assert_eq!(
            verified["requests"], 2,
            "the script and the file: {trial:#}"
        );
        assert_eq!(verified["body_compared"], Value::Null, "{trial:#}");
    }
    let judged = run["judged"].to_string();
    assert!(!judged.contains("short-window"), "weir chose it: {judged}");
    let words = "lies among its scripts: front ends that can tell it from these serve it from disk";
    assert!(said.err.contains(words), "{}", said.err);
    place.assert_clean();
}

#[test]
fn a_file_among_scripts_can_be_the_page_and_is_no_stack_of_its_own() {
    const FILE: &str = "a { color: red }\n";
    let place = Place::new();
    place.write("index.php", "<?php\necho 'the front page';\n");
    place.write("css/site.css", FILE);
    let asked = ["try", "--quick", "-c", "4", "--no-stress", "--json"];
    let variants = ["--variants", "nginx+php-fpm-cores"];
    let said = place.run(&[&asked[..], &["--path", "/css/site.css"], &variants].concat());
    let run = said.measured().json();
    let trials = standing(&run);
    assert!(!trials.is_empty(), "{}", said.err);
    for trial in trials {
        assert_eq!(trial["variant"], "nginx+php-fpm-cores", "{trial:#}");
        let verified = &trial["outcome"]["measured"]["stack"]["verified"];
        assert_eq!(verified["body_bytes"], FILE.len(), "{trial:#}");
        assert_eq!(verified["requests"], 1, "{trial:#}");
    }
    // A front end without the app would be the fastest for a file.
    let alone = ["--variants", "nginx-static"];
    let refused = place.run(&[&asked[..], &["--path", "/css/site.css"], &alone].concat());
    assert_ne!(refused.code, 0, "{}", refused.err);
    let words = refused.err.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("nothing of the app"), "{words}");
    place.assert_clean();
}
