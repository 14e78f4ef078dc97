//! Java programs that Gradle has built. They are taken as they lie there: Gradle would write into the app's folder.

use std::path::Path;

use super::missed::Missed;
use super::{Kind, Recognised, Wish, program, text, unprepared};
use crate::error::{Result, log};

pub(super) const KIND: Kind = Kind {
    signs: "`build.gradle`",
    find,
};

/// Where it builds.
const LIBRARIES: &str = "build/libs";
const QUARKUS: &str = "build/quarkus-app/quarkus-run.jar";
/// Ends of jars that are none to run.
const OTHERS: [&str; 3] = ["-plain.jar", "-sources.jar", "-javadoc.jar"];
/// What builds a jar that runs, by the plugin that says so.
const PLUGINS: [(&str, &str); 4] = [
    ("org.springframework.boot", "bootJar"),
    ("plugins.spring.boot", "bootJar"),
    ("io.quarkus", "build"),
    ("io.ktor.plugin", "buildFatJar"),
];

fn find(wish: &Wish<'_>, missed: &mut Missed) -> Result<Option<Recognised>> {
    let files = ["build.gradle", "build.gradle.kts"].into_iter();
    let mut said = files.filter_map(|file| Some((file, text(wish.dir, file)?)));
    let Some((file, said)) = said.next() else {
        return Ok(None);
    };
    if let Some(jar) = built(wish.dir) {
        let shown = log::as_line(&jar);
        let quoted = shlex::try_quote(&jar).map_or_else(|_| jar.clone(), Into::into);
        let mut found = program(wish, &format!("java -jar {quoted}"), &["java"]);
        let clue = format!("`{file}` is there, and `{shown}`, which is run as it was built");
        found.because.push(clue);
        return Ok(Some(found));
    }
    let own = wish.dir.join("gradlew").is_file();
    let gradle = if own { "./gradlew" } else { "gradle" };
    if let Some((_, task)) = PLUGINS.iter().find(|(plugin, _)| said.contains(plugin)) {
        let lacking = format!("`{file}` is there, and no jar to run in `{LIBRARIES}`, or several");
        let hint = format!("run `{gradle} clean {task}` in it");
        return Err(unprepared(wish, &lacking, &hint));
    }
    missed.holds_none(format!(
        "`{file}` is there, and no jar to run in `{LIBRARIES}`: build it, and give `weir try --command 'java -jar {LIBRARIES}/APP.jar'`"
    ));
    Ok(None)
}

/// The jar that was built to be run: the one that holds everything, or the only one.
fn built(dir: &Path) -> Option<String> {
    if dir.join(QUARKUS).is_file() {
        return Some(QUARKUS.to_owned());
    }
    let listing = std::fs::read_dir(dir.join(LIBRARIES)).ok()?;
    let names = listing.filter_map(|item| item.ok()?.file_name().into_string().ok());
    let other = |name: &String| OTHERS.iter().any(|end| name.ends_with(end));
    let runs = |name: &String| name.strip_suffix(".jar").is_some() && !other(name);
    let mut jars: Vec<_> = names.filter(runs).collect();
    jars.sort_by_key(|name| (!name.ends_with("-all.jar"), name.clone()));
    let whole = |name: &String| jars.len() == 1 || name.ends_with("-all.jar");
    let jar = jars.first().filter(|name| whole(name))?;
    Some(format!("{LIBRARIES}/{jar}"))
}
