//! Java: what Maven builds, by its `pom.xml`, and web applications by their layout.

use record::Interface;

use super::missed::Missed;
use super::{Kind, Recognised, Wish, argv, bare, found, program, text};

/// What says that a folder is a web application (Java Servlet 4.0, section 10.5).
const DESCRIPTOR: &str = "WEB-INF/web.xml";

/// What Quarkus builds beside its jar, which is none that runs.
const QUARKUS: &str = "target/quarkus-app/quarkus-run.jar";

pub(super) const MAVEN: Kind = Kind {
    signs: "`pom.xml`",
    find: |wish, missed| Ok(maven(wish, missed)),
};

pub(super) const WEB_APPLICATION: Kind = Kind {
    signs: "`WEB-INF/web.xml`, a WAR file",
    find: |wish, _| Ok(folder(wish)),
};

fn maven(wish: &Wish<'_>, missed: &mut Missed) -> Option<Recognised> {
    let pom = text(wish.dir, "pom.xml")?;
    let (parent, own) = pom.split_once("</parent>").unwrap_or(("", &pom));
    if own.contains("<packaging>pom</packaging>") {
        missed.holds_none("`pom.xml` builds other folders, and no program here".to_owned());
        return None;
    }
    // before what else has a name and a version
    let head = own.split("<dependenc").next()?.split("<build>").next()?;
    let artifact = found(r"<artifactId>([^<]+)</artifactId>", head)?;
    let version = [head, parent]
        .into_iter()
        .find_map(|part| found(r"<version>([^<]+)</version>", part))?;
    let name = found(r"<finalName>([^<$]+)</finalName>", own)
        .unwrap_or_else(|| format!("{artifact}-{version}"));
    let war = own.contains("<packaging>war</packaging>");
    let built = if !war && pom.contains("<groupId>io.quarkus") {
        QUARKUS.to_owned()
    } else {
        format!("target/{name}.{}", if war { "war" } else { "jar" })
    };
    let mut found = if war {
        bare(wish, Interface::Servlet, &built, &["java"])
    } else {
        program(wish, &format!("java -jar '{built}'"), &["java"])
    };
    found.because.push(format!("`pom.xml` builds `{built}`"));
    let note = war.then(|| needs_jakarta(&pom)).flatten();
    found.because.extend(note);
    // its own Maven, of the version that it is written for
    let own = wish.dir.join("mvnw").is_file();
    let words = ["-q", "-DskipTests", "package"];
    let maven: &[&str] = if own { &["sh", "./mvnw"] } else { &["mvn"] };
    found.app.setup = vec![argv(&[maven, words.as_slice()].concat())];
    Some(found)
}

/// A web application that is ready to be served: a folder of its layout, or the one WAR file here.
fn folder(wish: &Wish<'_>) -> Option<Recognised> {
    let laid_out = [".", "src/main/webapp", "WebContent"]
        .into_iter()
        .find(|folder| wish.dir.join(folder).join(DESCRIPTOR).is_file())
        .map(|folder| (folder.to_owned(), format!("{folder}/{DESCRIPTOR}")));
    let archive = || only_war(wish).map(|war| (war.clone(), war));
    let (entry, clue) = laid_out.or_else(archive)?;
    let mut found = bare(wish, Interface::Servlet, &entry, &["java"]);
    let clue = clue.trim_start_matches("./");
    found.because.push(format!("`{clue}` is there"));
    Some(found)
}

fn only_war(wish: &Wish<'_>) -> Option<String> {
    let mut wars = std::fs::read_dir(wish.dir)
        .ok()?
        .filter_map(|item| Some(item.ok()?.path()))
        .filter(|file| file.extension().is_some_and(|end| end == "war"));
    let only = wars.next().filter(|_| wars.next().is_none())?;
    Some(only.file_name()?.to_str()?.to_owned())
}

/// Servlets have been in another package since Jakarta EE 9, and a server knows the one or the other.
fn needs_jakarta(pom: &str) -> Option<String> {
    pom.contains("<groupId>jakarta.servlet</groupId>").then(|| {
        "it is built with `jakarta.servlet`: a server that knows `javax.servlet` only cannot load it".to_owned()
    })
}
