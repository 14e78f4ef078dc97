//! Java apps are told by their files: what Maven builds, and web applications by their layout.

use record::Interface;
use stack::{AppError, Recognised, StackError, Wish};

use super::{Folder, recognised};

/// What a folder with these files is.
fn folder_with(
    files: &[(&str, &str)],
    interface: Option<Interface>,
) -> Result<Recognised, StackError> {
    let folder = Folder::of(files);
    recognised(&Wish {
        interface,
        python: None,
        ..folder.wish()
    })
}

fn pom(packaging: &str, more: &str) -> String {
    format!(
        "<project><parent><artifactId>all</artifactId><version>7</version></parent>\
         <artifactId>shop</artifactId>{packaging}<dependencies><dependency>\
         <artifactId>other</artifactId><version>9</version></dependency></dependencies>{more}</project>"
    )
}

const WAR: &str = "<packaging>war</packaging>";

#[test]
fn maven_says_what_it_builds() {
    let jar = folder_with(&[("pom.xml", &pom("<version>1.0</version>", ""))], None).unwrap();
    assert_eq!(jar.app.interface, Interface::Program);
    assert_eq!(jar.app.entry, "java -jar 'target/shop-1.0.jar'");

    let war = folder_with(&[("pom.xml", &pom(WAR, ""))], None).unwrap();
    assert_eq!(war.app.interface, Interface::Servlet);
    assert_eq!(war.app.entry, "target/shop-7.war", "the parent's version");
    assert_eq!(war.app.setup[0][0], "mvn");
    assert_eq!(war.because, ["`pom.xml` builds `target/shop-7.war`"]);

    let build = "<build><finalName>store</finalName></build>";
    let named = folder_with(&[("pom.xml", &pom(WAR, build))], None).unwrap();
    assert_eq!(named.app.entry, "target/store.war");
}

#[test]
fn maven_builds_other_things_besides_jars() {
    let version = "<version>1.0</version>";
    let quarkus = "<dependency><groupId>io.quarkus</groupId></dependency>";
    let quarkus = pom(version, quarkus);
    let found = folder_with(&[("pom.xml", &quarkus), ("mvnw", "")], None).unwrap();
    assert_eq!(
        found.app.entry,
        "java -jar 'target/quarkus-app/quarkus-run.jar'"
    );
    assert_eq!(found.app.setup[0][..2], ["sh", "./mvnw"]);
    let parent = pom("<packaging>pom</packaging>", "");
    let error = folder_with(&[("pom.xml", &parent)], None).unwrap_err();
    let words = "`pom.xml` builds other folders, and no program here";
    assert!(error.to_string().contains(words), "{error}");
    let module = pom(version, "");
    let found = folder_with(&[("pom.xml", &parent), ("shop/pom.xml", &module)], None).unwrap();
    assert_eq!(found.app.entry, "java -jar 'target/shop-1.0.jar'");
    assert_eq!(found.because[1], "it lies in `shop`");
}

#[test]
fn what_gradle_has_built_is_run_as_it_is() {
    let spring = (
        "build.gradle.kts",
        "plugins { id(\"org.springframework.boot\") }\n",
    );
    let built = |jars: &[&str]| {
        let jars = jars.iter().map(|jar| (*jar, ""));
        folder_with(&[spring].into_iter().chain(jars).collect::<Vec<_>>(), None)
    };
    for (jars, run) in [
        (
            &["build/libs/shop-1.jar", "build/libs/shop-1-plain.jar"][..],
            "shop-1.jar",
        ),
        (
            &["build/libs/a.jar", "build/libs/a-all.jar"][..],
            "a-all.jar",
        ),
    ] {
        let found = built(jars).unwrap();
        assert_eq!(found.app.entry, format!("java -jar build/libs/{run}"));
        assert!(found.app.setup.is_empty(), "nothing is written there");
    }
    for jars in [
        &["gradlew"][..],
        &["gradlew", "build/libs/a.jar", "build/libs/b.jar"],
    ] {
        let error = built(jars).unwrap_err();
        assert!(
            error.to_string().contains("no jar to run in `build/libs`"),
            "{error}"
        );
        assert_eq!(error.hint().unwrap(), "run `./gradlew clean bootJar` in it");
    }
    let error = folder_with(&[("build.gradle", "")], None).unwrap_err();
    let words = "`weir try --command 'java -jar build/libs/APP.jar'`";
    assert!(error.to_string().contains(words), "{error}");
}

#[test]
fn a_web_application_for_jakarta_is_said_to_be_one() {
    let servlets = "<dependency><groupId>jakarta.servlet</groupId></dependency>";
    let found = folder_with(&[("pom.xml", &pom(WAR, servlets))], None).unwrap();
    assert!(found.because[1].contains("`jakarta.servlet`"), "{found:?}");
}

#[test]
fn a_web_application_is_told_by_its_layout() {
    for (file, entry) in [
        ("WEB-INF/web.xml", "."),
        ("src/main/webapp/WEB-INF/web.xml", "src/main/webapp"),
        ("shop.war", "shop.war"),
    ] {
        let found = folder_with(&[(file, "")], None).unwrap();
        assert_eq!(found.app.interface, Interface::Servlet, "{file}");
        assert_eq!(found.app.entry, entry);
        assert_eq!(found.because, [format!("`{file}` is there")]);
        assert!(found.app.setup.is_empty(), "nothing is to be built");
    }
    let two = folder_with(&[("a.war", ""), ("b.war", "")], None);
    let many = matches!(two, Err(StackError::App(AppError::Unrecognised { .. })));
    assert!(many, "one of two is not chosen");
}

#[test]
fn what_it_is_can_be_said() {
    let both = [("pom.xml", pom("", "")), ("WEB-INF/web.xml", String::new())];
    let both = both.each_ref().map(|(name, text)| (*name, text.as_str()));
    let built = folder_with(&both, None).unwrap();
    assert_eq!(built.app.interface, Interface::Program);
    let served = folder_with(&both, Some(Interface::Servlet)).unwrap();
    assert_eq!(served.app.entry, ".");
}
