//! The app servers, front ends, services and supervisors that weir knows, as data: one TOML file each.
//!
//! `app-servers/gunicorn.toml` is the annotated example: it explains every key. What the keys mean
//! is decided in the `stack` crate; this crate only carries the text into the binary.

use include_dir::{Dir, include_dir};

static APP_SERVERS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/app-servers");
static FRONT_ENDS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/front-ends");
static SERVICES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/services");
static SUPERVISORS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/supervisors");

/// A small app for each interface, and for each framework that a server is made for, in a folder of
/// that name: what an entry is checked with.
pub static SAMPLES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/samples");

/// Programs that users have beside weir, as one TOML text; `weir doctor` looks for them.
pub const TOOLS: &str = include_str!("tools.toml");

/// What a profile has to know of CPython, as TOML text.
pub const PYTHON: &str = include_str!("runtimes/python.toml");
/// The same of CRuby.
pub const RUBY: &str = include_str!("runtimes/ruby.toml");
/// The same of PHP.
pub const PHP: &str = include_str!("runtimes/php.toml");
/// The same of Node.
pub const NODE: &str = include_str!("runtimes/node.toml");
/// The same of Go.
pub const GO: &str = include_str!("runtimes/go.toml");
/// The same of the Java virtual machine.
pub const JAVA: &str = include_str!("runtimes/java.toml");
/// The same of any other machine code.
pub const NATIVE: &str = include_str!("runtimes/native.toml");

/// Every built-in entry as (path below the catalogue, text), app servers first.
pub fn entries() -> impl Iterator<Item = (String, &'static str)> {
    let folders = [
        ("app-servers", &APP_SERVERS),
        ("front-ends", &FRONT_ENDS),
        ("services", &SERVICES),
        ("supervisors", &SUPERVISORS),
    ];
    folders.into_iter().flat_map(|(folder, files)| {
        files.files().filter_map(move |file| {
            let path = file.path();
            (path.extension()? == "toml").then(|| {
                Some((
                    format!("{folder}/{}", path.display()),
                    file.contents_utf8()?,
                ))
            })?
        })
    })
}
