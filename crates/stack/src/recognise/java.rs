//! Java programs, by the jar that Maven builds.

use super::{Recognised, Wish, found, program, text};

pub(super) fn find(wish: &Wish<'_>) -> Option<Recognised> {
    let pom = text(wish.dir, "pom.xml")?;
    let own = pom.split("</parent>").last().unwrap_or(&pom);
    let (Some(artifact), Some(version)) = (
        found(r"<artifactId>([^<]+)</artifactId>", own),
        found(r"<version>([^<]+)</version>", own),
    ) else {
        return None;
    };
    let jar = format!("target/{artifact}-{version}.jar");
    let mut found = program(wish, &format!("java -jar '{jar}'"), &["java"]);
    found.because.push(format!("`pom.xml` builds `{jar}`"));
    found.app.setup = vec![
        ["mvn", "-q", "-DskipTests", "package"]
            .map(str::to_owned)
            .to_vec(),
    ];
    // what Spring Boot and others take instead of PORT is not known to every server: see `--command`
    Some(found)
}
