//! What a user of the files reads first.

use std::fmt::Write as _;

use record::{App, Method, Protocol, Target};
use report::marks::{code, plain};
use report::words;
use stack::Deployed;

use super::Written;
use super::script::{self, GRACE, one_line};
use super::{secret, unit};

/// How the script ends.
const STATUSES: &str = "\
| status | meaning |
|---|---|
| 143, 131, 130, 129 | TERM, QUIT, Ctrl-C or the end of its terminal ended it |
| 78 | something must be put right first: a variable, the place of this folder, or a tool that is missing |
| 75 | something is in its way: it runs already, another program has a port, or a program of an earlier start does not end |
| another | a program ended with this status (with 1 in place of 75 and 78) |

Of 78 and 75 it says on standard error what it is, and what to type. systemd starts it again after 75, and not after 78.
";

/// The text beside the files.
pub(super) fn of(written: &Written<'_>) -> String {
    let sections = [
        Some(what(written)),
        Some(start(written)),
        Some(kept(written)),
        docker(written),
        check(written),
        Some(replaced(written)),
        Some(files(written)),
    ];
    let sections: Vec<String> = sections.into_iter().flatten().collect();
    sections.join("\n")
}

/// What they are, and what their user must know.
fn what(written: &Written<'_>) -> String {
    let app = &written.composition.app;
    // its name and title are others' words
    let called = written.about.iter().take(1).map(|line| plain(line));
    let told = written.about.iter().skip(1).map(|line| one_line(line));
    let about: Vec<String> = called.chain(told).collect();
    let programs = written.deployed.programs.iter();
    let programs = programs.map(|of| format!("`{}` {}", of.entry, plain(&of.version)));
    let programs: Vec<String> = programs.collect();
    let heeds = written.heeds.iter().map(|heed| format!("\n* {heed}"));
    format!(
        "# {}\n\n{}\n\nThe programs, in the order in which they start: {}.\n{}\n* The files name the paths of these programs, of this folder \
         (`{}`) and of the app ({}). Where one of these is elsewhere, let weir write the files anew.\n",
        plain(&app.name),
        about.join("  \n"),
        programs.join(", "),
        heeds.collect::<String>(),
        written.place.display(),
        code(&app.dir.display().to_string())
    )
}

fn start(written: &Written<'_>) -> String {
    let script = written.place.join(script::FILE);
    let script = script.display();
    let (commands, clients) = match &written.deployed.address {
        Target::Tcp(address) => (
            format!("{script}\nHOST=0.0.0.0 PORT=8080 {script}"),
            format!(
                "Clients connect to {address}, or to the IPv4 address in HOST and the port in PORT: as the second command says in a \
                 container, or where a load balancer on another machine connects."
            ),
        ),
        Target::Unix(socket) => (
            script.to_string(),
            format!(
                "Clients connect to `{}`: those of the same user, unless others may enter its folder and write to it.",
                socket.display()
            ),
        ),
    };
    let needs = needs(&written.composition.app);
    let behind = behind(written.deployed);
    format!(
        "## Start\n\n```sh\n{commands}\n```\n\n{clients}{behind}{needs}\n\nIt runs in the foreground, and ends when one of its programs does. TERM or \
         Ctrl-C ends its programs, the one that was started last first. A program that can finish its requests before it ends does so: \
         each has {GRACE} s, or until a second signal, and is killed where it does not end then. What a program leaves running that was killed (its workers, which would keep its port) is \
         ended with it, and what is left of a script that was killed by the next start. Programs of others are never ended: they are named, with \
         the command that ends them.\n\n{STATUSES}"
    )
}

/// The variables that the app reads, as far as it was measured with them.
fn needs(app: &App) -> String {
    let defaulted = stack::defaulted(app);
    let (without, with): (Vec<&String>, Vec<&String>) =
        app.needs.iter().partition(|name| defaulted.contains(name));
    let told = |names: &[&String], before: &str, after: &str| match names {
        [] => String::new(),
        some => format!(" {before} {}{after}.", record::listed(some)),
    };
    let needed = "It does not start without the variables that the app reads:";
    let missed = ", set when it was measured, the app takes its defaults";
    told(&with, needed, "") + &told(&without, "Without", missed)
}

/// Where the programs behind listen.
fn behind(deployed: &Deployed) -> String {
    let behind = deployed.behind();
    let ports = behind.iter().map(|after| format!("PORT+{after}"));
    let ports: Vec<String> = ports.collect();
    if ports.is_empty() {
        return String::new();
    }
    format!(
        " The programs behind listen at {} of this machine alone, where PORT is {} unless it is set: a second stack on this machine \
         needs another PORT, and these ports free.",
        ports.join(", "),
        deployed.first
    )
}

fn kept(written: &Written<'_>) -> String {
    let place = written.place.display();
    let name = unit::name(&written.composition.app.name);
    let (unit, variables) = (unit::FILE, unit::VARIABLES);
    let first = if unit::lacks_a_user() {
        format!(
            "First put the name of the user whose folder this is into `{unit}`, in place of `NAME-IT`.\n\n"
        )
    } else {
        String::new()
    };
    format!(
        "## Keep it running\n\n{first}```sh\nsudo install -m 644 {place}/{unit} /etc/systemd/system/{name}.service\nsudo systemctl enable --now {name}\n\
         journalctl --unit {name}\n```\n\nsystemd starts it with the machine, and again whenever it ends. Variables, such as PORT, are read \
         from `{place}/{variables}`: a line `NAME=value` for each, for its user alone to read (`chmod 600`). What the programs print is in \
         the journal; some have logs below `{place}`, too.\n"
    )
}

/// How a container starts it, of an app with a Dockerfile.
fn docker(written: &Written<'_>) -> Option<String> {
    let docker = written.docker?;
    Some(format!(
        "## In a container\n\n```dockerfile\n{}\n```\n\n{}\n",
        one_line(&docker.line),
        one_line(&docker.about)
    ))
}

/// How it is seen that everything serves; nothing where curl cannot ask for what was loaded.
fn check(written: &Written<'_>) -> Option<String> {
    let Target::Tcp(address) = &written.deployed.address else {
        return None;
    };
    let mut programs = written.deployed.programs.iter();
    let spoken = programs
        .find(|of| of.listen == written.deployed.address)?
        .spoken;
    let (app, route) = (&written.composition.app, &written.composition.route);
    let is_http = [Protocol::Http1, Protocol::Http10, Protocol::Http2].contains(&spoken.protocol);
    if !is_http || route.method != Method::Get || app.login.is_some() {
        return None;
    }
    let mut argv: Vec<String> = ["curl", "--silent", "--output", "/dev/null"]
        .map(str::to_owned)
        .into();
    argv.extend(["--write-out".to_owned(), "%{http_code}\\n".to_owned()]);
    if spoken.protocol == Protocol::Http2 && !spoken.tls {
        argv.push("--http2-prior-knowledge".to_owned());
    }
    let mut secrets = String::new();
    for (name, value) in &route.headers {
        match secret::variable(name) {
            Some(variable) => {
                let _ = write!(secrets, " --header \"{name}: ${variable}\"");
            }
            None => argv.extend(["--header".to_owned(), format!("{name}: {value}")]),
        }
    }
    let scheme = if spoken.tls { "https" } else { "http" };
    if spoken.tls {
        let certificate = written.place.join(Deployed::CERTIFICATE);
        argv.extend(["--cacert".to_owned(), certificate.display().to_string()]);
    }
    let url = words::command(&[format!("{scheme}://{address}{}", route.path)]);
    let command = format!("{}{secrets} {url}", words::command(&argv));
    Some(format!(
        "## Check\n\n```sh\n{}\n```\n\nIt prints {} when everything serves. A load balancer's health check can ask for the same.\n",
        one_line(&command),
        route.status
    ))
}

/// How something new takes the place of what runs.
fn replaced(written: &Written<'_>) -> String {
    let place = written.place.display();
    let app = &written.composition.app;
    let name = unit::name(&app.name);
    let measured = if written.repeats {
        format!("`weir run {place}/plan.toml` measures again, and `weir write` writes")
    } else {
        "measure again, and let `weir write` write".to_owned()
    };
    format!(
        "## A new version\n\nThe app's: put it into {}, do what it needs before it starts (a migration, for example), and type \
         `sudo systemctl restart {name}`. Requests that have begun are finished; from then until the app has started connections are \
         refused. To have none refused, let `weir write` write a second folder with another `--port`, start that, send clients there, and \
         end the first.\n\nA server's: {measured} a new folder. Put its unit in place of this one as above, then \
         `sudo systemctl daemon-reload` and `sudo systemctl restart {name}`.\n",
        code(&app.dir.display().to_string())
    )
}

fn files(written: &Written<'_>) -> String {
    let script = script::FILE;
    let mut rows = vec![
        format!("`{script}`: starts the programs, and ends them"),
        format!("`{}`: for systemd", unit::FILE),
    ];
    for file in &written.deployed.templates {
        let template = Deployed::template(file);
        rows.push(format!(
            "`{template}`: change this one, as `{script}` makes `{file}` of it, with HOST, PORT and the ports after it"
        ));
    }
    let plan = if written.repeats {
        " and `plan.toml`: the trial that was measured, for `weir run plan.toml`"
    } else {
        ": the app as it was measured"
    };
    rows.push(format!("`app.toml`{plan}"));
    let rows = rows.iter().map(|row| format!("* {row}\n"));
    format!("## Files\n\n{}", rows.collect::<String>())
}
