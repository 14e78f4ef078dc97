//! PHP: a site without a front controller, whose paths are its scripts, its files and its folders.

use record::StaticSite;

use crate::files::get;
use crate::php::{ABOUT, FRONT, TELLS, php, started};

/// Paths, the status of each answer, and what is in it.
const PATHS: [(&str, &str, &str); 19] = [
    ("/", "200", FRONT),
    ("/?a=b", "200", FRONT),
    ("/index.php", "200", FRONT),
    ("/about.php?a=b", "200", ABOUT),
    (
        "/about.php/more",
        "200",
        "public about.php /about.php /more public",
    ),
    ("/css/a.css", "200", "color: red"),
    ("/admin/", "200", "admin index.php /admin/index.php  admin"),
    ("/docs/", "200", "<h1>Docs</h1>"),
    ("/admin", "301", "Location: /admin/\r\n"),
    ("/docs?a=b", "301", "Location: /docs/?a=b\r\n"),
    ("/none", "404", "Not Found"),
    ("/none/", "404", "Not Found"),
    ("/none.php/more", "404", "Not Found"),
    ("/none.css", "404", "Not Found"),
    ("/admin/none", "404", "Not Found"),
    ("/css", "404", "Not Found"),
    ("/css/", "404", "Not Found"),
    ("/vendor/tool/run.php", "404", "Not Found"),
    ("/.hidden", "404", "Not Found"),
];

#[test]
fn what_names_no_script_no_file_and_no_folder_with_an_index_is_not_found() {
    let (_folder, mut app) = php(&[
        ("public/about.php", TELLS),
        ("public/admin/index.php", TELLS),
        ("public/docs/index.html", "<h1>Docs</h1>"),
        ("public/css/a.css", "a { color: red }"),
        ("public/vendor/tool/run.php", TELLS),
        ("public/.hidden/index.php", TELLS),
    ]);
    app.front_controller = Some(false);
    app.site = Some(StaticSite {
        dir: app.dir.join("public"),
        url: "/".into(),
    });
    for (front, server) in [
        (Some("nginx"), "php-fpm"),
        (Some("apache"), "php-fpm"),
        (Some("caddy"), "php-fpm"),
        (Some("lighttpd"), "php-fpm"),
        (Some("haproxy"), "php-fpm"),
        (None, "php-dev"),
    ] {
        let running = started(front, server, &app);
        for (path, status, text) in PATHS {
            let answer = get(running.address(), path);
            let told = answer.split(' ').nth(1);
            // HAProxy makes each redirect over FastCGI one for now
            let status = match (front, status) {
                (Some("haproxy"), "301") => "302",
                _ => status,
            };
            assert_eq!(told, Some(status), "{front:?}: {path}: {answer}");
            let same = answer.to_lowercase().contains(&text.to_lowercase());
            assert!(same, "{front:?}: {path}: {answer}");
        }
        running.stop().unwrap();
    }
}

#[test]
fn a_site_of_its_index_alone_has_no_other_path() {
    let (_folder, mut app) = php(&[]);
    app.front_controller = Some(false);
    let running = started(Some("nginx"), "php-fpm", &app);
    assert!(get(running.address(), "/").contains(FRONT));
    let lost = get(running.address(), "/none");
    assert!(lost.starts_with("HTTP/1.1 404"), "{lost}");
    running.stop().unwrap();
}
