//! What `weir try` understands.

use std::path::{Path, PathBuf};

use clap::Args;
use experiment::Factor;
use record::Login;

use super::number::{connections, rate, some};
use super::value::{Is, budget, kind};
use super::{HowArgs, RouteArgs, WriteArgs};

/// Before the options, in `-h` and `--help` alike.
const FIRST: &str = "\
Examples:
  weir try                           this folder's app under every server here
  weir try shop:app --rate 200       at the rate that it has today
  weir try --vary workers=1,2,3,5    how many workers?";

/// What `weir try -h` shows; `--help` has the rest.
pub(super) const SHORT: [&str; 11] = [
    "command",
    "path",
    "connections",
    "rate",
    "mix",
    "login",
    "install",
    "budget",
    "variants",
    "vary",
    "write",
];

/// How an app is recognised, which `weir try --help` ends with.
const RECOGNITION: &str = "\
An app.toml in its folder declares an app (weir help app): then it is tried as
that file says. Else it is recognised by the files of its folder, in this order:
  manage.py         Django, with the settings of DJANGO_SETTINGS_MODULE, of its
                    wsgi.py, or else of manage.py
  wsgi.py, asgi.py, app.py, main.py…
                    a Python module (here, in a package or in `src`) that holds
                    an app, or a function `create_app` that makes one, by these
                    names or by its text; it is imported, as a server would,
                    by the active environment, or `.venv`, `venv`, `env`, or
                    what poetry or pipenv keeps
  pyproject.toml    a script of the project whose `--help` says how it serves
  .venv, venv, env  last of all: a package in it that no other one needs, which
                    holds an app or has a script that serves
  config.ru         a Rack app; with config/application.rb, Rails in production
  go.mod            a Go program, told its address as its source says: PORT,
                    another variable, or a flag such as -addr
  Cargo.toml        a Rust program, told its address as its source says
  index.php         PHP, here or in `public`, `web` and the like: a front
                    controller, or else a site whose other paths are its
                    scripts and files; with Laravel or Symfony, in production
  package.json      a Node program: its start script without what builds and
                    watches, or the file it names
  pom.xml           a Java program or web application, which Maven builds
  build.gradle      a Java program that Gradle has built
  WEB-INF/web.xml, a WAR file
                    a Java web application
  index.html        if none of these is there, nor in a folder named below:
                    static files, here or in `dist`, `build`, `public`…; not
                    the sources of pages that a script of the project builds
Then in `backend`, `server`, `api`, `app`, `web` and `src`. Where nothing is
found, one folder with such files may lie up to two levels deeper.

How it is run today is said by a Procfile, an app server's own configuration
file, a systemd unit, a compose file or a Dockerfile, and by the configuration
of a front end. That is the first variant, with which all others are compared.
Where this is wrong, say it:
  weir try shop:app
  weir try serve.py
  weir try shop:app --as asgi
  weir try public --as static
  weir try --command './serve -port $PORT'
  weir try --command './serve -socket $SOCKET' --as fastcgi
A command without $PORT is asked for it: `weir try --command 'datasette db.db'`
runs `datasette db.db --help`, and adds the options that it names.";

#[derive(Debug, Args)]
#[command(before_help = FIRST, after_help = "All options, and how an app is recognised: weir try --help", after_long_help = RECOGNITION)]
pub(crate) struct TryArgs {
    /// App: its folder, its `app.toml`, or its name (`shop:app`) [default: detected]
    ///
    /// The name is in the notation of its interface.
    pub(crate) entry: Option<String>,
    /// Interface, if the detected one is wrong: wsgi, asgi, rack, php, servlet, lua, program or static; or the
    /// protocol that its `--command` speaks: http, fastcgi, scgi, uwsgi
    #[arg(long = "as", value_name = "INTERFACE", value_parser = kind)]
    pub(crate) kind: Option<Is>,
    /// Shell command that serves the app on $HOST:$PORT, or on $SOCKET
    ///
    /// $SOCKET is the path of a Unix socket.
    #[arg(long, value_name = "CMD", conflicts_with = "entry")]
    pub(crate) command: Option<String>,
    /// Folder of the app
    #[arg(long, default_value = ".", value_name = "DIR")]
    pub(crate) dir: PathBuf,
    /// New folder for the files that deploy the best variant
    ///
    /// Its configuration, a script that starts it, a unit for systemd, and a plan that repeats its trial.
    #[arg(long, value_name = "DIR")]
    pub(crate) write: Option<PathBuf>,
    /// Connections kept busy [default: 100, or as many as `--rate` needs]
    #[arg(long, short, value_name = "N", value_parser = connections)]
    pub(crate) connections: Option<u32>,
    /// Requests per trial [default: 1000, or those of a second if a fast app answers more; with `--rate`, those of 5s]
    #[arg(long, short = 'n', value_name = "N", value_parser = some::<u64>)]
    pub(crate) requests: Option<u64>,
    /// Requests per second: compares response times, not capacity
    ///
    /// Such as your app has today. They are sent on schedule, whatever the server does (an open loop), and a response time counts from when its
    /// request was due. Without it, every connection sends its next request on a response (a closed loop).
    #[arg(long, short = 'R', value_name = "N", value_parser = rate)]
    pub(crate) rate: Option<f64>,
    /// Load weighted requests of a file (`weir help mix`) instead of one page
    #[arg(long, value_name = "FILE", conflicts_with_all = ["replay", "method", "body", "body_file"])]
    pub(crate) mix: Option<PathBuf>,
    /// Load the GET and HEAD requests of an access log or a browser's archive (HAR), in their order, instead of one page
    ///
    /// Their recorded times are ignored: without `--rate` each connection sends its next request on a response.
    /// `weir bench --replay` keeps to the recorded times.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["method", "body", "body_file"])]
    pub(crate) replay: Option<PathBuf>,
    /// Log in after each start by this request, and load within that session
    ///
    /// A request, and what its form takes, such as `'POST /login user=ann password=$SHOP_PASSWORD'`, or with a JSON document in place of the fields. `$NAME`
    /// is read from weir's environment, and stored nowhere. Hidden fields of the form at that path are sent as well, and
    /// the cookies that the app sets belong to every request. So does the token of an app that responds with one: `access_token`,
    /// `token`, `id_token` or `jwt` of its JSON is sent as `Authorization: Bearer`.
    #[arg(long, value_name = "REQUEST")]
    pub(crate) login: Option<Login>,
    #[command(flatten)]
    pub(crate) stress: StressArgs,
    /// Install app servers that suit the app and are missing, beside it
    ///
    /// Those of Python go into an environment of weir's own, which reads the app's packages and never writes to
    /// them (`overlays` in your data folder; remove it at any time). Those of Debian are installed with apt-get, as
    /// root or with passwordless sudo. On a terminal `weir try` asks where there is no choice without them.
    #[arg(long)]
    pub(crate) install: bool,
    #[command(flatten)]
    pub(crate) route: RouteArgs,
    #[command(flatten)]
    pub(crate) writes: WriteArgs,
    #[command(flatten)]
    pub(crate) budget: BudgetArgs,
    #[command(flatten)]
    pub(crate) how: HowArgs,
}

/// What each variant is put to after the trials that count.
#[derive(Debug, Args)]
pub(crate) struct StressArgs {
    /// Do not load each variant with slow clients, idle connections and twice the load as well
    #[arg(long)]
    pub(crate) no_stress: bool,
    /// Kill a worker of each variant as well, and its main process, and have a worker hang, and say how long it takes to recover
    /// and what is lost (7 s for each of the three, after the trials that count)
    #[arg(long)]
    pub(crate) faults: bool,
    /// Sample the programs of each variant as well, and say whose code takes the CPU time: the app's, a framework's, the server's
    /// (7 s for each, after the trials that count)
    #[arg(long)]
    pub(crate) profile: bool,
}

impl TryArgs {
    /// The app's folder.
    pub(crate) fn folder(&self) -> &Path {
        match &self.entry {
            Some(folder) if self.names_a_folder() => Path::new(folder),
            _ => &self.dir,
        }
    }

    /// The `app.toml` that declares the app: the one that is named, or that of its folder where nothing says what else
    /// is to be served.
    pub(crate) fn declared(&self) -> Option<PathBuf> {
        let is_file = |it: &&str| Path::new(it).extension().is_some_and(|end| end == "toml");
        let named = self.entry.as_deref().filter(is_file);
        if let Some(file) = named {
            return Some(within(&self.dir, file));
        }
        let open = self.command.is_none() && self.kind.is_none();
        let folder = self.entry.is_none() || self.names_a_folder();
        self.own_file().filter(|_| open && folder)
    }

    /// The `app.toml` in the app's folder, if there is one.
    pub(crate) fn own_file(&self) -> Option<PathBuf> {
        let file = within(self.folder(), "app.toml");
        file.is_file().then_some(file)
    }

    /// Whether what is to be served is a folder: not the name of a package of Python's, nor files alone.
    pub(crate) fn names_a_folder(&self) -> bool {
        let is_folder = |it: &str| {
            let named = Path::new(it).join("__init__.py").exists() && !it.contains('/');
            Path::new(it).is_dir() && !named
        };
        let folder = self.entry.as_deref().is_some_and(is_folder);
        folder && self.kind.is_none() && self.dir == Path::new(".")
    }
}

/// A file of a folder, as a user would type it.
fn within(folder: &Path, file: &str) -> PathBuf {
    if folder == Path::new(".") {
        return PathBuf::from(file);
    }
    folder.join(file)
}

/// Which candidates are tried.
#[derive(Debug, Args)]
#[command(next_help_heading = "Candidates")]
pub(crate) struct BudgetArgs {
    /// Time for the whole run; what does not fit is left out [default: 150s]
    ///
    /// The candidates that are most similar to others are left out first.
    #[arg(long, value_name = "TIME", value_parser = budget)]
    pub(crate) budget: Option<f64>,
    /// Try every candidate, however long it takes
    #[arg(long, conflicts_with_all = ["budget", "variants"])]
    pub(crate) all: bool,
    /// Only these candidates
    ///
    /// With `--budget` as many blocks as fit, without it all blocks.
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub(crate) variants: Vec<String>,
    /// Values of a knob to try side by side, as in workers=1,2,4
    ///
    /// Of each of `--variants`, else of the app server that you run today, or that is ranked highest of those that have the knob.
    /// Three numbers or more make a curve. `weir catalogue explain ENTRY` lists the knobs of a server; `front.KNOB` is one of a front end.
    /// Repeatable: several are combined.
    #[arg(long, value_name = "KNOB=V1,V2,…", value_parser = factor, conflicts_with = "all")]
    pub(crate) vary: Vec<Factor>,
}

/// A knob and its values.
fn factor(text: &str) -> Result<Factor, String> {
    let form = "give a knob and its values, as in `workers=1,2,4`";
    let (knob, values) = text.split_once('=').ok_or(form)?;
    let values: Vec<&str> = values.split(',').map(str::trim).collect();
    if knob.is_empty() || values.contains(&"") {
        return Err(form.to_owned());
    }
    for (place, value) in values.iter().enumerate() {
        if values[..place].contains(value) {
            return Err(format!("{value} is given twice: leave one out"));
        }
    }
    Ok(Factor {
        knob: knob.to_owned(),
        values: values.into_iter().map(str::to_owned).collect(),
    })
}

impl BudgetArgs {
    /// Time for a run where the user says nothing, in seconds.
    const USUAL: f64 = 150.0;

    /// Whether the user said what is tried.
    pub(crate) fn is_chosen(&self) -> bool {
        !self.variants.is_empty() || !self.vary.is_empty()
    }

    /// Seconds that the whole run may take; `None` where the user chose what is tried and set no limit.
    pub(crate) fn limit(&self) -> Option<f64> {
        let usual = !self.all && !self.is_chosen();
        self.budget.or(usual.then_some(Self::USUAL))
    }

    /// Seconds in which an app has to have answered before anything is tried; `None` for no limit.
    pub(crate) fn patience(&self) -> Option<f64> {
        (!self.all).then_some(self.budget.unwrap_or(Self::USUAL))
    }
}
