//! PHP apps: when they need Composer's packages, and that front ends serve their files.

use super::{Folder, says};

#[test]
fn packages_are_missed_where_they_are_needed_alone() {
    let own = "{\"require\": {\"php\": \">=8.1\", \"ext-json\": \"*\", \"lib-xml\": \"*\"}, \"autoload\": {}}";
    let of = |composer: &str, index: &str| {
        Folder::of(&[("composer.json", composer), ("index.php", index)])
    };
    let looks =
        "<?php\nif (is_file('vendor/autoload.php')) {\n    require 'vendor/autoload.php';\n}\n";
    for index in ["<?php", looks] {
        assert_eq!(of(own, index).recognised().app.entry, "index.php");
    }
    let loads = "<?php\nrequire_once __DIR__ . '/vendor/autoload.php';\n";
    for (composer, index, why) in [
        (
            "{\"require\": {\"slim/slim\": \"*\"}}",
            "<?php",
            "`composer.json` names packages",
        ),
        (
            "{\"autoload\": {\"psr-4\": {\"Shop\\\\\": \"src/\"}}}",
            "<?php",
            "`composer.json` has `autoload`",
        ),
        (own, loads, "`index.php` requires `vendor/autoload.php`"),
    ] {
        let (error, hint) = of(composer, index).refused();
        let lacking = format!("`vendor` is missing, and {why}");
        assert!(error.contains(&lacking), "{error}");
        assert!(hint.contains("`composer install`"), "{hint}");
        assert!(hint.contains("`apt-get install -y composer`"), "{hint}");
    }
    let elsewhere = "{\"require\": {\"slim/slim\": \"*\"}, \"config\": {\"vendor-dir\": \"lib\"}}";
    let files = [
        ("composer.json", elsewhere),
        ("index.php", "<?php"),
        ("lib/autoload.php", "<?php"),
    ];
    assert_eq!(Folder::of(&files).recognised().app.frameworks, ["slim"]);
}

#[test]
fn what_browsers_load_of_the_web_root_is_served_from_disk() {
    for (script, file) in [
        ("public/index.php", "public/css/a.css"),
        ("index.php", "style.css"),
    ] {
        let folder = Folder::of(&[(script, "<?php"), (file, "a {}")]);
        let found = folder.recognised();
        let site = found.app.site.as_ref().unwrap();
        let root = folder.inside(script);
        assert_eq!(Some(site.dir.as_path()), root.parent());
        assert_eq!(site.url, "/");
        says(&found, "lies among its scripts: front ends");
    }
    for other in ["composer.json", "vendor/tool/a.css", ".git/a.css", "a.php"] {
        let found = Folder::of(&[("index.php", "<?php"), (other, "{}")]).recognised();
        assert_eq!(found.app.site, None, "{other}");
        let told = found.because.join("\n");
        assert!(!told.contains("front ends"), "{other}: {told}");
    }
}

#[test]
fn an_index_is_a_front_controller_where_its_folder_or_its_source_says_so() {
    let site = ("index.php", "<?php\necho 'hello';\n");
    let below = ("public/index.php", site.1);
    let rule =
        "RewriteEngine On\nRewriteCond %{REQUEST_FILENAME} !-f\nRewriteRule ^ index.php [L]\n";
    let cases: [(&[(&str, &str)], bool); 10] = [
        (&[site], false),
        (&[below], false),
        (&[site, ("about.php", site.1)], false),
        (&[site, ("composer.json", "{}")], false),
        (
            &[site, (".htaccess", "RewriteRule ^old$ /new [R]\n")],
            false,
        ),
        (&[site, (".htaccess", rule)], true),
        (
            &[site, (".htaccess", "  FallbackResource /index.php\n")],
            true,
        ),
        (&[below, ("composer.json", "{}")], true),
        (
            &[("index.php", "<?php\nroute($_SERVER['REQUEST_URI']);\n")],
            true,
        ),
        (&[site, ("wp-load.php", "<?php\n")], true),
    ];
    for (files, answers) in cases {
        let found = Folder::of(files).recognised();
        assert_eq!(found.app.front_controller, Some(answers), "{files:?}");
        let words = if answers {
            "answers every path that names no other script"
        } else {
            "what is no file has status 404"
        };
        says(&found, words);
    }
}
