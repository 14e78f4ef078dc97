//! Modules that are written in C: refused, with the reason.

use std::path::Path;

use mlua::{Error, Lua, Table};

/// Where in `package.loaders` modules in C are looked for (Lua 5.1, section 5.3).
const C_LOADER: i64 = 3;

/// What every such refusal says.
const REASON: &str = "is a C module, which is not loaded here: it could crash the load engine";

/// Makes `require` say of a module in C that it is one, and why it is not loaded.
pub(crate) fn refuse(lua: &Lua, package: &Table) -> mlua::Result<()> {
    let ffi = lua.create_function(|_, name: String| -> mlua::Result<()> {
        Err(Error::RuntimeError(format!("'{name}' {REASON}")))
    })?;
    package.get::<Table>("preload")?.set("ffi", ffi)?;
    let own = package.clone();
    let loader = lua.create_function(move |_, name: String| match find(&own, &name)? {
        Some(file) => Err(Error::RuntimeError(format!("'{name}' ('{file}') {REASON}"))),
        None => Ok("\n\tno C module of this name either".to_owned()),
    })?;
    package.get::<Table>("loaders")?.raw_set(C_LOADER, loader)
}

/// Where packages of a system, and `LuaRocks`, put modules in C: other builds of LuaJIT look there.
fn elsewhere() -> String {
    let home = std::env::var("HOME").unwrap_or_default();
    format!(
        "/usr/lib/{}-linux-gnu/lua/5.1/?.so;/usr/lib/lua/5.1/?.so;/usr/lib64/lua/5.1/?.so;\
         {home}/.luarocks/lib/lua/5.1/?.so",
        std::env::consts::ARCH
    )
}

/// The file that plain Lua would load.
fn find(package: &Table, name: &str) -> mlua::Result<Option<String>> {
    let templates = format!("{};{}", package.get::<String>("cpath")?, elsewhere());
    let name = name.replace('.', "/");
    let mut files = templates.split(';').map(|it| it.replace('?', &name));
    Ok(files.find(|file| Path::new(file).is_file()))
}
