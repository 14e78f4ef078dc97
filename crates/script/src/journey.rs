//! Journeys: scripts in which `user(number)` is a user, who goes on from response to response.
//!
//! Each connection has a user, who is a coroutine: it runs to its next request, and is resumed with the response. When `user()`
//! returns, it is called again with the same number. When it fails, that counts as a request which could not be sent, and a new
//! coroutine of the same number begins. A request that has no response resumes it with the status 0.
//!
//! The limit of instructions holds for coroutines as well: LuaJIT has one hook for a state and all its coroutines
//! (`lua_sethook` in `lj_dispatch.c`). It is for all that a user does from one request to the next.

use load::{Asked, Request, What};
use mlua::{Error, Function, Lua, LuaString, UserData, Value};

use crate::error::ScriptError;
use crate::form::LONGEST;
use crate::json;
use crate::source::Options;

/// What the table `weir` does by itself.
const ASKING: &str = include_str!("journey.lua");

/// Where a state keeps the function that takes `make` and gives the one that makes users.
pub(crate) const BEGIN: &str = "weir.begin";

/// Puts the table `weir` into a state.
pub(crate) fn install(lua: &Lua) -> mlua::Result<()> {
    let weir = lua.create_table()?;
    let json = lua.create_function(|lua, text: LuaString| json::read(lua, &text.as_bytes()))?;
    weir.set("json", json)?;
    let begin: Function = lua.load(ASKING).set_name("=weir").call(&weir)?;
    lua.set_named_registry_value(BEGIN, begin)?;
    lua.globals().set("weir", weir)
}

/// What all users of a script share.
#[derive(Debug)]
pub(crate) struct Journey {
    /// What requests are called, if they are told apart.
    pub(crate) names: Vec<String>,
    /// Headers of each request that does not give them itself.
    headers: Vec<(String, String)>,
}

/// A request that a user has made.
pub(crate) struct Made(pub(crate) Asked);

impl UserData for Made {}

/// Method, path, headers, body and name as the script gives them, and the seconds to wait before.
pub(crate) type Parts = (Value, Value, Value, Value, Value, f64);

impl Journey {
    /// What the script in this state says of its users.
    pub(crate) fn of(lua: &Lua, options: &Options) -> Result<Self, ScriptError> {
        Ok(Self {
            names: names(lua)?,
            headers: options.headers.clone(),
        })
    }

    /// What is asked, or why it cannot be, in words for the line of the script that asks.
    pub(crate) fn make(
        &self,
        (method, path, headers, body, name, seconds): Parts,
    ) -> mlua::Result<Made> {
        let request = Request {
            method: text("the method", &method)?,
            path: text("the path", &path)?,
            headers: self.headers(&headers)?,
            body: bytes(&body)?,
        };
        if !request.path.starts_with('/') {
            let path = request.path.escape_debug();
            let why = format!("the path `{path}` does not begin with `/`");
            return Err(Error::runtime(why));
        }
        request
            .check()
            .map_err(|why| Error::runtime(why.to_string()))?;
        Ok(Made(Asked {
            what: What::Request(Box::new(request)),
            name: self.number(&name)?,
            expected: 0,
            delay: ((seconds * 1e9) as u64).min(LONGEST),
        }))
    }

    /// The request's own by name, as a table of Lua has no order, then those of the load.
    fn headers(&self, given: &Value) -> mlua::Result<Vec<(String, String)>> {
        let mut headers: Vec<(String, String)> = Vec::new();
        match given {
            Value::Nil => {}
            Value::Table(table) => {
                for pair in table.pairs::<Value, Value>() {
                    let (name, value) = pair?;
                    let name = text("the name of a header", &name)?;
                    let value = text(&format!("the header `{name}`"), &value)?;
                    headers.push((name, value));
                }
            }
            other => return Err(misfit("the headers", "a table", other)),
        }
        headers.sort_unstable();
        for (name, value) in &self.headers {
            let given = |(own, _): &(String, String)| own.eq_ignore_ascii_case(name);
            if !headers.iter().any(given) {
                headers.push((name.clone(), value.clone()));
            }
        }
        Ok(headers)
    }

    /// Number of a name; where the script has names each request has one.
    fn number(&self, name: &Value) -> mlua::Result<u32> {
        if name.is_nil() && self.names.is_empty() {
            return Ok(0);
        }
        if name.is_nil() {
            let why = "this request has no name, and is to have one of";
            return Err(Error::runtime(format!("{why} {}", self.declared())));
        }
        let name = text("the name of a request", name)?;
        let number = self.names.iter().position(|own| *own == name);
        let number = number.ok_or_else(|| {
            let (name, declared) = (name.escape_debug(), self.declared());
            Error::runtime(format!("the name `{name}` is none of {declared}"))
        })?;
        Ok(number as u32)
    }

    /// The names as a script writes them.
    fn declared(&self) -> String {
        let quoted: Vec<String> = self.names.iter().map(|own| format!("{own:?}")).collect();
        format!("`names = {{ {} }}`", quoted.join(", "))
    }
}

/// The global `names`: texts, each once.
fn names(lua: &Lua) -> Result<Vec<String>, ScriptError> {
    let flaw = |what: String| ScriptError::Names { what };
    let list = match lua.globals().raw_get("names") {
        Ok(Value::Nil) => return Ok(Vec::new()),
        Ok(Value::Table(list)) => list,
        _ => return Err(flaw("it is not a table".to_owned())),
    };
    let mut names: Vec<String> = Vec::new();
    for name in list.sequence_values::<Value>() {
        let Ok(Value::String(name)) = name else {
            return Err(flaw("one of them is not text".to_owned()));
        };
        let name = name.to_string_lossy();
        if names.contains(&name) {
            return Err(flaw(format!("`{}` is there twice", name.escape_debug())));
        }
        names.push(name);
    }
    if names.is_empty() {
        return Err(flaw("it is empty".to_owned()));
    }
    Ok(names)
}

/// A text, or a number as one.
fn text(what: &str, value: &Value) -> mlua::Result<String> {
    match value {
        Value::String(_) | Value::Integer(_) | Value::Number(_) => value.to_string(),
        other => Err(misfit(what, "text", other)),
    }
}

fn bytes(body: &Value) -> mlua::Result<Vec<u8>> {
    match body {
        Value::Nil => Ok(Vec::new()),
        Value::String(body) => Ok(body.as_bytes().to_vec()),
        other => text("the body", other).map(String::into_bytes),
    }
}

fn misfit(what: &str, wanted: &str, value: &Value) -> Error {
    let kind = value.type_name();
    Error::runtime(format!("{what} must be {wanted}, not {kind}"))
}
