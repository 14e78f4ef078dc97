//! One Lua state with the script in it.

use std::path::Path;

use mlua::chunk::ChunkMode;
use mlua::{Function, Lua, Table, Value};

use crate::address::{self, Address};
use crate::budget;
use crate::error::ScriptError;
use crate::journey;
use crate::modules;
use crate::source::{Options, Prints};

const PRELUDE: &str = include_str!("prelude.lua");
const GUARD: &str = include_str!("guard.lua");

/// Whatever way a script prints, it ends on standard error.
const ASIDE: &str = r##"
io.stdout = io.stderr
io.output(io.stderr)
function print(...)
  local words = {}
  for number = 1, select("#", ...) do
    words[number] = tostring((select(number, ...)))
  end
  io.stderr:write(table.concat(words, "\t"), "\n")
end
"##;

/// Nothing that a script prints is seen, save what it writes to standard error itself.
const NOWHERE: &str = r#"
io.stdout = io.open("/dev/null", "w")
io.output(io.stdout)
function print() end
"#;

/// The script's text, fit to be compiled.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, ScriptError> {
    let mut text = input::read(path).map_err(|error| ScriptError::Read {
        path: path.to_owned(),
        error,
    })?;
    // `#!/usr/bin/env wrk` is no Lua; as a comment it keeps the lines' numbers
    if text.starts_with(b"#") {
        text.splice(0..1, *b"--");
    }
    Ok(text)
}

/// A fresh state in which the script's text has run.
pub(crate) fn create(options: &Options, text: &[u8]) -> Result<Lua, ScriptError> {
    let lua = Lua::new();
    let name = format!("@{}", options.file.display());
    prepare(&lua, options)
        .and_then(|()| {
            let text = lua.load(text).set_name(name);
            text.set_mode(ChunkMode::Text).exec()
        })
        .map_err(|error| ScriptError::failed("when it is read", &error))?;
    Ok(lua)
}

fn prepare(lua: &Lua, options: &Options) -> mlua::Result<()> {
    let wrk: Table = lua.load(PRELUDE).set_name("=wrk").eval()?;
    address::install(lua, &wrk)?;
    let (host, port) = options.host_and_port();
    wrk.set("scheme", options.scheme.as_str())?;
    wrk.set("host", host)?;
    wrk.set("port", port)?;
    wrk.set("path", options.path.as_str())?;
    let target = Address(options.target.clone());
    wrk.set("addrs", lua.create_sequence_from([target])?)?;
    let headers: Table = wrk.get("headers")?;
    for (name, value) in &options.headers {
        headers.set(name.as_str(), value.as_str())?;
    }
    let globals = lua.globals();
    let package: Table = globals.get("package")?;
    package.get::<Table>("loaded")?.set("wrk", &wrk)?;
    look_beside(&package, &options.file)?;
    modules::refuse(lua, &package)?;
    globals.set("wrk", wrk)?;
    journey::install(lua)?;
    match options.prints {
        Prints::Out => {}
        Prints::Aside => lua.load(ASIDE).set_name("=weir").exec()?,
        Prints::Nowhere => lua.load(NOWHERE).set_name("=weir").exec()?,
    }
    globals.set("debug", debug(lua)?)?;
    lua.load(GUARD).set_name("=weir").exec()?;
    budget::watch(lua, options.instructions)
}

/// Modules are found where wrk finds them, and beside the script too.
fn look_beside(package: &Table, file: &Path) -> mlua::Result<()> {
    let folder = file.parent().unwrap_or(Path::new(""));
    let known: String = package.get("path")?;
    let beside = folder.join("?.lua");
    package.set("path", format!("{known};{}", beside.display()))
}

/// What of the `debug` library cannot break the state.
fn debug(lua: &Lua) -> mlua::Result<Table> {
    let debug = lua.create_table()?;
    let traceback = |lua: &Lua, message: Option<String>| lua.traceback(message.as_deref(), 1);
    debug.set("traceback", lua.create_function(traceback)?)?;
    Ok(debug)
}

/// The script's function of this name, if it is one.
pub(crate) fn function(lua: &Lua, name: &str) -> Option<Function> {
    match lua.globals().raw_get(name) {
        Ok(Value::Function(function)) => Some(function),
        _ => None,
    }
}

/// The bytes that the script asks next.
pub(crate) fn request(lua: &Lua) -> mlua::Result<mlua::LuaString> {
    budget::refill(lua);
    let request = match function(lua, "request") {
        Some(request) => request,
        None => lua.globals().get::<Table>("wrk")?.get("request")?,
    };
    match request.call(())? {
        Value::String(bytes) => Ok(bytes),
        other => {
            let kind = other.type_name();
            Err(mlua::Error::runtime(format!(
                "request() must return a string, not a {kind}"
            )))
        }
    }
}

/// Header names and values as they came; of several with one name the last.
pub(crate) fn fields(lua: &Lua, lines: &[u8]) -> mlua::Result<Table> {
    let fields = lua.create_table()?;
    for line in lines.split(|&byte| byte == b'\n') {
        if let Some(colon) = line.iter().position(|&byte| byte == b':') {
            let value = line[colon + 1..].trim_ascii();
            let name = lua.create_string(&line[..colon])?;
            fields.raw_set(name, lua.create_string(value)?)?;
        }
    }
    Ok(fields)
}

/// What the script has printed comes before anything that weir prints.
pub(crate) fn flush(lua: &Lua) {
    let io = lua.globals().get::<Table>("io");
    let flush = io.and_then(|io| io.get::<Function>("flush"));
    // a script that has closed its output has nothing to flush
    let _ = flush.and_then(|flush| flush.call::<()>(()));
}
