//! What nobody calls: a script whose functions have other names than those that are known.

use mlua::{Function, Lua, Table, Value};

use crate::environment;
use crate::error::ScriptError;
use crate::pieces;
use crate::source::Options;

/// Functions that are called, by their names.
const CALLED: [&str; 7] = [
    "user", "setup", "init", "delay", "request", "response", "done",
];

/// What to tell of the script in this state, which is ready for a load: functions that are probably misspelt, or that
/// it changes nothing.
///
/// # Errors
/// When no state without the script can be made.
pub(crate) fn warnings(lua: &Lua, options: &Options) -> Result<Vec<String>, ScriptError> {
    let plain = environment::create(options, b"")?;
    let is_there = |lua: &Lua, name: &str| environment::function(lua, name).is_some();
    let missing = CALLED.iter().copied().filter(|name| !is_there(lua, name));
    let missing: Vec<&str> = missing.collect();
    let mut own = functions(lua);
    own.retain(|name| !is_there(&plain, name) && !CALLED.contains(&name.as_str()));
    let misspelt = own.iter().filter_map(|name| {
        let known = record::closest(name, missing.iter().copied())?;
        is_slip(name, known).then(|| {
            format!("weir calls no function `{name}` of the script: did you mean `{known}`?")
        })
    });
    let mut warnings: Vec<String> = misspelt.collect();
    if warnings.is_empty() && missing.len() == CALLED.len() && asks_as(lua, &plain, options) {
        warnings.push(format!(
            "the script changes nothing of the load: it sets nothing in `wrk`, and of the functions that weir calls ({}) it \
             defines none, or as local ones",
            CALLED.join(", ")
        ));
    }
    Ok(warnings)
}

/// Whether so near a name is a slip and no word of its own, as `set` is: it begins alike, and is no shorter than by a letter.
fn is_slip(name: &str, known: &str) -> bool {
    name.chars().next() == known.chars().next() && name.len() + 1 >= known.len()
}

/// The names of all global functions, sorted.
fn functions(lua: &Lua) -> Vec<String> {
    let globals = lua.globals();
    let mut names = Vec::new();
    for (key, value) in globals.pairs::<Value, Value>().flatten() {
        if let (Value::String(name), Value::Function(_)) = (key, value) {
            names.push(name.to_string_lossy());
        }
    }
    names.sort();
    names
}

/// Whether both ask the same, whatever the order of the headers.
fn asks_as(lua: &Lua, plain: &Lua, options: &Options) -> bool {
    let asked = |lua: &Lua| {
        let bytes = environment::request(lua).ok()?;
        let mut request = pieces::described(&bytes.as_bytes(), &options.authority)?;
        request.headers.sort();
        Some(request)
    };
    let begin = || -> mlua::Result<()> {
        let init: Function = plain.globals().get::<Table>("wrk")?.get("init")?;
        init.call(())
    };
    begin().is_ok() && asked(plain).is_some_and(|same| asked(lua) == Some(same))
}
