//! PHP apps: when they need Composer's packages, and which of their files front ends serve.

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
fn a_folder_of_files_in_the_web_root_is_served_from_disk() {
    let folder = Folder::of(&[
        ("public/index.php", "<?php"),
        ("public/assets/old.php", "<?php"),
        ("public/css/a.css", "a {}"),
        ("public/js/a.js", "1"),
    ]);
    let found = folder.recognised();
    let site = found.app.site.as_ref().unwrap();
    assert_eq!(
        (&site.dir, site.url.as_str()),
        (&folder.inside("public/css"), "/css/"),
        "a folder with scripts would give them away"
    );
    says(&found, "its files are in `public/css`, served from disk");
    says(
        &found,
        "hands out `public/assets`, where scripts lie, too: one",
    );

    let found = Folder::of(&[("index.php", "<?php"), ("style.css", "a {}")]).recognised();
    assert_eq!(found.app.site, None);
    says(&found, "PHP itself hands out `style.css`: one");
    says(&found, "`dir = \"assets\"`, `url = \"/assets/\"`");

    let found = Folder::of(&[("index.php", "<?php")]).recognised();
    let told = found.because.join("\n");
    assert!(!told.contains("hands out"), "{told}");
}
