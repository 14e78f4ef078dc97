use std::io;
use std::path::PathBuf;

/// Why a script cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ScriptError {
    /// The file cannot be read.
    #[error("cannot read the script `{}`: {error}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's message.
        error: io::Error,
    },
    /// The script does not compile, or stops with an error.
    #[error("the script fails {phase}: `{what}`")]
    Failed {
        /// When: `when it is read`, `in setup()` …
        phase: &'static str,
        /// File, line and message, as Lua says them.
        what: String,
    },
    /// What the script asks is not a request.
    #[error("the script's request is none: {what} at `{line}:{column}` of it")]
    Request {
        /// What is wrong.
        what: String,
        /// Line of the request, from 1.
        line: usize,
        /// Column of that line, from 1.
        column: usize,
    },
    /// A journey has none of wrk's functions that ask and hear.
    #[error("the script defines both `user` and `{other}`")]
    Both {
        /// The other function.
        other: &'static str,
    },
    /// The names of a journey's requests cannot be told apart.
    #[error("the script's `names` is no list of names: {what}")]
    Names {
        /// What is wrong.
        what: String,
    },
}

impl ScriptError {
    pub(crate) fn failed(phase: &'static str, error: &mlua::Error) -> Self {
        Self::Failed {
            phase,
            what: words(error),
        }
    }

    /// What the user should do next.
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Read { .. } => "give the path of a Lua script as wrk runs it",
            Self::Failed { what, .. } if what.contains("is a C module") => {
                "take a module that is written in Lua, beside the script or in LUA_PATH (dkjson in place of \
                 cjson), or run this script with wrk itself"
            }
            Self::Failed { what, .. } if what.contains("has not come back") => {
                "let each call of the script end: what takes long belongs before the load, and what waits \
                 into delay()"
            }
            Self::Failed { what, .. } if what.contains("os.exit()") => {
                "leave it out: a script ends with its load, and wrk.thread:stop() ends its thread's part"
            }
            Self::Failed { what, .. } if what.contains("wrong mode") || what.contains("binary") => {
                "give Lua as text: bytecode is not checked, and could crash the engine"
            }
            Self::Failed { what, .. } if what.contains("module '") => {
                "modules in Lua are looked for beside the script and in LUA_PATH"
            }
            Self::Failed { .. } => {
                "mend that line; arguments for the script's init() stand after `--`"
            }
            Self::Request { .. } => {
                "end the head with an empty line and give the body's length, as wrk.format() does"
            }
            Self::Both { .. } => {
                "keep `user`, to which weir.get() returns the response and weir.sleep() is its delay, or rename it \
                 and keep wrk's functions"
            }
            Self::Names { .. } => {
                "write each name once, as in `names = { \"login\", \"items\" }`, or leave it out"
            }
        };
        Some(hint.to_owned())
    }
}

/// One line: where it happened, if it is known, and what.
pub(crate) fn words(error: &mlua::Error) -> String {
    match error {
        mlua::Error::SyntaxError { message, .. } | mlua::Error::RuntimeError(message) => {
            first_line(message)
        }
        mlua::Error::CallbackError { traceback, cause } => {
            let what = words(cause);
            match place(traceback) {
                Some(place) if !what.starts_with(place) => format!("{place}: {what}"),
                _ => what,
            }
        }
        mlua::Error::WithContext { cause, .. } => words(cause),
        other => first_line(&other.to_string()),
    }
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}

/// The innermost line of the user's own that a traceback names, as `file.lua:3`.
fn place(traceback: &str) -> Option<&str> {
    let own = |place: &&str| {
        ["[", "wrk:", "weir:", "__mlua"]
            .iter()
            .any(|own| place.starts_with(own))
    };
    let mut places = traceback
        .lines()
        .filter_map(|line| Some(line.trim().split_once(": in ")?.0));
    places.find(|place| !own(place))
}
