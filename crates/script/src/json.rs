//! `weir.json`: JSON as values of Lua.

use mlua::{Error, Lua, Value};
use serde_json::Value as Json;

/// What the text says. Numbers are doubles, as all of Lua's; `null` is `nil`, so that a field with it is absent.
pub(crate) fn read(lua: &Lua, text: &[u8]) -> mlua::Result<Value> {
    let json: Json = serde_json::from_slice(text)
        .map_err(|why| Error::runtime(format!("weir.json() was given no JSON: {why}")))?;
    value(lua, &json)
}

/// serde's parser refuses what is nested deeper than 128 times, so that this ends.
fn value(lua: &Lua, json: &Json) -> mlua::Result<Value> {
    Ok(match json {
        Json::Null => Value::Nil,
        Json::Bool(truth) => Value::Boolean(*truth),
        Json::Number(number) => number.as_f64().map_or(Value::Nil, Value::Number),
        Json::String(text) => Value::String(lua.create_string(text)?),
        Json::Array(items) => {
            let table = lua.create_table_with_capacity(items.len(), 0)?;
            for (index, item) in items.iter().enumerate() {
                table.raw_set(index + 1, value(lua, item)?)?;
            }
            Value::Table(table)
        }
        Json::Object(fields) => {
            let table = lua.create_table_with_capacity(0, fields.len())?;
            for (name, field) in fields {
                table.raw_set(name.as_str(), value(lua, field)?)?;
            }
            Value::Table(table)
        }
    })
}
