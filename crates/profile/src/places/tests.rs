use super::*;
use crate::runtime::{GO, JAVA, NATIVE, NODE, PHP, PYTHON, RUBY};

#[test]
fn a_file_is_whose_folder_it_lies_in() {
    let servers = ["server", "flask/serving.py", "http/server.py", "httpd"];
    let places = Places::new(Some(Path::new("/srv/app")), servers.map(str::to_owned));
    let packages = "/srv/app/.venv/lib/python3.11/site-packages";
    for (file, class, shown) in [
        ("/srv/app/views/a.py", CodeClass::App, "views/a.py"),
        ("views/a.py", CodeClass::App, "views/a.py"),
        ("./a/../b.py", CodeClass::App, "b.py"),
        (
            "/srv/application/a.py",
            CodeClass::Library,
            "/srv/application/a.py",
        ),
        ("{}/flask/app.py", CodeClass::Framework, "flask/app.py"),
        ("{}/flaskish/app.py", CodeClass::Library, "flaskish/app.py"),
        ("{}/flask/serving.py", CodeClass::Server, "flask/serving.py"),
        ("{}/server/worker.py", CodeClass::Server, "server/worker.py"),
        ("{}/other.py", CodeClass::Library, "other.py"),
        (
            "/usr/lib/python3.11/json/decoder.py",
            CodeClass::Runtime,
            "json/decoder.py",
        ),
        (
            "/usr/lib/python3.11/http/server.py",
            CodeClass::Server,
            "http/server.py",
        ),
        (
            "<frozen importlib._bootstrap>",
            CodeClass::Runtime,
            "importlib._bootstrap",
        ),
        ("<string>", CodeClass::Runtime, "<string>"),
    ] {
        let file = file.replace("{}", packages);
        let known = places.place(&file, Path::new("/srv/app"), &PYTHON);
        assert_eq!((known.class, &*known.file), (class, shown), "{file}");
    }
}

#[test]
fn other_languages_have_other_places() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("go.mod"),
        "module example.org/shop\n\ngo 1.22\n",
    )
    .unwrap();
    let app = folder.path().canonicalize().unwrap();
    let places = Places::new(Some(&app), ["httpd".to_owned()]);
    let own = app.join("server.js").display().to_string();
    let package = app.join("node_modules/koa/node_modules/qs/a.js");
    let framework = app.join("node_modules/koa/lib/a.js");
    let (package, framework) = (
        package.display().to_string(),
        framework.display().to_string(),
    );
    for (runtime, file, class, shown) in [
        (&GO, "go:main", CodeClass::App, "main"),
        (
            &GO,
            "go:example.org/shop/cart",
            CodeClass::App,
            "example.org/shop/cart",
        ),
        (&GO, "go:net/http", CodeClass::Runtime, "net/http"),
        (
            &GO,
            "go:golang.org/x/net/http2",
            CodeClass::Library,
            "golang.org/x/net/http2",
        ),
        (
            &GO,
            "go:github.com/gin-gonic/gin/render",
            CodeClass::Framework,
            "github.com/gin-gonic/gin/render",
        ),
        (&NODE, &own, CodeClass::App, "server.js"),
        (
            &NODE,
            "node:_http_server",
            CodeClass::Runtime,
            "_http_server",
        ),
        (&NODE, &framework, CodeClass::Framework, "koa/lib/a.js"),
        (&NODE, &package, CodeClass::Framework, "qs/a.js"),
        (&NATIVE, "/usr/sbin/httpd", CodeClass::Server, "httpd"),
        (
            &NATIVE,
            "/usr/lib/libc.so.6",
            CodeClass::Library,
            "/usr/lib/libc.so.6",
        ),
        (&NATIVE, "<kernel>", CodeClass::Runtime, "kernel"),
    ] {
        let known = places.place(file, &app, runtime);
        assert_eq!((known.class, &*known.file), (class, shown), "{file}");
    }
}

#[test]
fn the_interpreter_of_php_and_its_extensions_are_no_libraries() {
    use CodeClass::{Library, Runtime, Server};
    let app = Path::new("/srv/app");
    let places = Places::new(Some(app), ["httpd".to_owned()]);
    let extension = "/usr/lib/php/20220829/mbstring.so";
    for (file, class, shown) in [
        ("/usr/sbin/php-fpm8.2", Runtime, "php-fpm8.2"),
        (extension, Runtime, "20220829/mbstring.so"),
        ("/usr/sbin/httpd", Server, "httpd"),
        ("/usr/lib/libc.so.6", Library, "/usr/lib/libc.so.6"),
    ] {
        let known = places.place(file, app, &PHP);
        assert_eq!((known.class, &*known.file), (class, shown), "{file}");
    }
}

#[test]
fn a_gem_is_known_by_what_lies_in_its_lib() {
    use CodeClass::{App, Framework, Library, Runtime, Server};
    let servers = ["httpd".to_owned()];
    let places = Places::new(Some(Path::new("/srv/app")), servers);
    let gems = "/var/lib/gems/3.1.0/gems";
    for (file, class, shown) in [
        ("/srv/app/config.ru", App, "config.ru"),
        (
            "{}/rack-2.2.8/lib/rack/utils.rb",
            Framework,
            "rack/utils.rb",
        ),
        ("{}/nokogiri-1.15/lib/nokogiri.rb", Library, "nokogiri.rb"),
        (
            "/srv/app/vendor/bundle/ruby/3.1.0/gems/httpd-1.0/lib/httpd.rb",
            Server,
            "httpd.rb",
        ),
        (
            "/usr/lib/ruby/vendor_ruby/httpd/server.rb",
            Server,
            "httpd/server.rb",
        ),
        (
            "/usr/lib/ruby/vendor_ruby/rubygems/specification.rb",
            Runtime,
            "rubygems/specification.rb",
        ),
        ("/usr/lib/ruby/3.1.0/net/http.rb", Runtime, "net/http.rb"),
        ("<internal:kernel>", Runtime, "kernel"),
        ("<c>", Runtime, "c"),
    ] {
        let file = file.replace("{}", gems);
        let known = places.place(&file, Path::new("/srv/app"), &RUBY);
        assert_eq!((known.class, &*known.file), (class, shown), "{file}");
    }
}

#[test]
fn a_class_is_whose_package_it_is_in() {
    use CodeClass::{App, Framework, Library, Runtime, Server};
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("src/main/java/com/example/shop");
    std::fs::create_dir_all(&own).unwrap();
    std::fs::write(own.join("Cart.java"), "").unwrap();
    let servers = ["org.eclipse.jetty", "javax.servlet", "sun.net.httpserver"];
    let places = Places::new(Some(folder.path()), servers.map(str::to_owned));
    for (file, class, shown) in [
        ("Hot$Inner", App, "Hot$Inner"),
        ("com.example.shop.Cart", App, "com.example.shop.Cart"),
        ("com.example.Other", Library, "com.example.Other"),
        ("com.fasterxml.A", Library, "com.fasterxml.A"),
        ("java.util.HashMap", Runtime, "java.util.HashMap"),
        ("javax.crypto.Cipher", Runtime, "javax.crypto.Cipher"),
        ("javax.servlet.Filter", Server, "javax.servlet.Filter"),
        ("sun.nio.ch.Net", Runtime, "sun.nio.ch.Net"),
        ("sun.net.httpserver.A", Server, "sun.net.httpserver.A"),
        ("org.eclipse.jetty.io.A", Server, "org.eclipse.jetty.io.A"),
        ("org.springframework.A", Framework, "org.springframework.A"),
        ("/opt/jdk/lib/server/libjvm.so", Runtime, "libjvm.so"),
        ("/lib/libc.so.6", Library, "/lib/libc.so.6"),
        ("<kernel>", Runtime, "kernel"),
        ("..etc.x", Library, "/..etc.x"),
    ] {
        let known = places.place(file, Path::new("/"), &JAVA);
        assert_eq!((known.class, &*known.file), (class, shown), "{file}");
    }
}

#[test]
fn a_long_path_keeps_its_end() {
    let file = format!("/{}ü/end.py", "ü".repeat(LONGEST));
    let placed = Places::default().place(&file, Path::new("/"), &PYTHON);
    assert!(placed.file.len() <= LONGEST && placed.file.ends_with("ü/end.py"));
}
