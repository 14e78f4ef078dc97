//! Java: virtual threads, which it has from 21 on (asked for, they are what serves, or why not is said), and
//! a web application as it is handed around.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{Place, Said, repository};

/// A window of a second or so: one of forty requests is broken when a busy machine takes the generator off its
/// core for twenty milliseconds, and weir then rightly leaves the trial out.
const LOAD: &str = "load = { requests = 2000 }\n";

/// A server that starts beside others and compiles itself meanwhile takes its time.
const PATIENT: &str = "--ready-timeout=2m";

/// The JDKs that are installed where distributions put them, with their first number.
fn jdks() -> Vec<(u32, PathBuf)> {
    let listing = std::fs::read_dir("/usr/lib/jvm").into_iter().flatten();
    let jdk = |folder: PathBuf| {
        let release = std::fs::read_to_string(folder.join("release")).ok()?;
        let version = release.split("JAVA_VERSION=\"").nth(1)?;
        let number = version.split(|c: char| !c.is_ascii_digit()).next()?;
        Some((number.parse().ok()?, folder))
    };
    listing
        .filter_map(|item| jdk(item.unwrap().path()))
        .collect()
}

/// The sample, of which the loaded route says what kind of thread it runs on. What is refused before it starts need not be
/// compiled.
fn place() -> Place {
    let place = Place::new();
    copy_source(&place, "java");
    place
}

/// The source of a sample, into the folder `app`.
fn copy_source(place: &Place, sample: &str) {
    let source = repository().join(format!("catalogue/samples/{sample}/Hello.java"));
    place.write("app/Hello.java", &std::fs::read_to_string(source).unwrap());
}

/// Runs a program of the JDK in the folder `app`.
fn in_app(place: &Place, program: &str, args: &[&str]) {
    let mut command = Command::new(program);
    let status = command.args(args).current_dir(place.path("app")).status();
    assert!(status.unwrap().success(), "{program} {args:?}");
}

/// Serves it on these knobs, each answer held to this kind of thread.
fn serve(place: &Place, knobs: &str, kind: &str) -> Said {
    let app = "name = \"threads\"\ninterface = \"program\"\nentry = \"java Hello\"\nframeworks = [\"java\"]\n\
               listens = [\"http\"]\n[[routes]]\npath = \"/threads\"\n";
    place.write("app/app.toml", &format!("{app}contains = [\"{kind}\"]\n"));
    let variant =
        format!("[[variant]]\nname = \"java\"\nserver = {{ entry = \"java\"{knobs} }}\n{LOAD}");
    let plan = place.plan(&variant);
    place.run(&["run", plan.to_str().unwrap(), PATIENT, "--json"])
}

fn folder(jdk: &Path) -> String {
    format!(", jdk = \"{}\"", jdk.display())
}

#[test]
fn virtual_threads_serve_where_the_jdk_has_them() {
    let place = place();
    let jdks = jdks();
    let newest = jdks.iter().max().expect("no JDK: run `make deps`");
    if newest.0 < 21 {
        let why = format!(
            "virtual threads of Java: the newest JDK here is {}",
            newest.0
        );
        testkit::may_skip("jdk-21", &why);
        let said = serve(
            &place,
            ", jdk = \"newest\", threads = \"virtual\"",
            "virtual",
        );
        said.fails(6, &["Java 21 or later"]);
    } else {
        in_app(&place, "javac", &["Hello.java"]);
        for jdk in [folder(&newest.1), ", jdk = \"newest\"".to_owned()] {
            let said = serve(&place, &format!("{jdk}, threads = \"virtual\""), "virtual");
            let run = said.measured().json();
            let version = format!("\"{}.", newest.0);
            assert!(
                run.to_string().contains(&version),
                "its version is recorded: {run}"
            );
            let said = serve(
                &place,
                &format!("{jdk}, threads = \"platform\""),
                "platform",
            );
            said.measured();
        }
    }
    place.assert_clean();
}

#[test]
fn a_jdk_without_them_is_refused_with_the_reason() {
    let place = place();
    let jdks = jdks();
    let Some((number, jdk)) = jdks.iter().filter(|(number, _)| *number < 21).min() else {
        testkit::may_skip(
            "older-jdk",
            "a JDK without virtual threads: every one here has them",
        );
        return;
    };
    let said = serve(
        &place,
        &format!("{}, threads = \"virtual\"", folder(jdk)),
        "virtual",
    );
    let reason = format!("this is Java {number}");
    said.fails(6, &["Java 21 or later", &reason, "set `jdk` to `newest`"]);
    place.assert_clean();
}

#[test]
fn a_jdk_that_is_not_there_is_no_other_one() {
    let place = place();
    let said = serve(&place, &folder(Path::new("/no/such/jdk")), "platform");
    said.fails(6, &["/no/such/jdk/bin/java"]);
    place.assert_clean();
}

#[test]
fn a_war_file_is_served_as_it_is() {
    let place = Place::new();
    copy_source(&place, "servlet");
    let classpath = "/usr/share/java/servlet-api.jar";
    in_app(
        &place,
        "javac",
        &["-cp", classpath, "-d", "WEB-INF/classes", "Hello.java"],
    );
    in_app(
        &place,
        "jar",
        &["--create", "--file", "hello.war", "WEB-INF"],
    );
    place.write(
        "app/app.toml",
        "name = \"hello\"\ninterface = \"servlet\"\nentry = \"hello.war\"\n\
         [[routes]]\npath = \"/\"\ncontains = [\"Hello from a servlet\"]\n",
    );
    let plan = place.plan(&format!(
        "[[variant]]\nname = \"jetty\"\nserver = \"jetty\"\n{LOAD}"
    ));
    place
        .run(&["run", plan.to_str().unwrap(), PATIENT])
        .measured();
    place.assert_clean();
}

/// Maven's archetype still makes such a folder. Its document type lies at an address that does not exist here, so that a
/// server that has to fetch it does not start.
#[test]
fn a_page_is_compiled_and_is_the_welcome_of_its_folder() {
    let place = Place::new();
    let doctype = "<!DOCTYPE web-app PUBLIC \"-//Sun Microsystems, Inc.//DTD Web Application 2.3//EN\" \
                   \"http://127.0.0.1:1/dtd/web-app_2_3.dtd\">";
    place.write("app/WEB-INF/web.xml", &format!("{doctype}\n<web-app/>\n"));
    place.write("app/index.jsp", "<p>Sum <%= 40 + 2 %></p>\n");
    place.write(
        "app/app.toml",
        "name = \"sum\"\ninterface = \"servlet\"\nentry = \".\"\n\
         [[routes]]\npath = \"/\"\ncontains = [\"Sum 42\"]\n",
    );
    for server in ["jetty", "tomcat"] {
        let variant = format!("[[variant]]\nname = \"{server}\"\nserver = \"{server}\"\n");
        let plan = place.plan(&format!("{variant}{LOAD}"));
        place
            .run(&["run", plan.to_str().unwrap(), PATIENT])
            .measured();
    }
    place.assert_clean();
}
