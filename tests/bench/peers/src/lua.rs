//! Lua 5.4, through the crate `mlua`.

use mlua::{Function, Lua, LuaSerdeExt, MultiValue, Value};
use serde_json::Value as Json;

use crate::{Job, Measured, Res};

pub fn measure(job: &Job) -> Res<Measured> {
    if job.name == "W1" {
        return job.time_programs(|program| Ok(Lua::new().load(program).eval()?));
    }
    let lua = Lua::new();
    lua.load(include_str!("../programs/workloads.lua")).exec()?;
    let program: Function = lua.globals().get(job.name.as_str())?;
    let arguments = match job.name.as_str() {
        "W3" | "W4" => MultiValue::from_iter([Value::Integer(job.size)]),
        _ => {
            let data: Json = serde_json::from_str(&job.data)?;
            MultiValue::from_iter([value(&lua, &data["orders"])?, value(&lua, &data["customers"])?])
        }
    };
    let answer: Value = program.call(arguments.clone())?;
    let samples = job.time(1, || Ok(program.call::<Value>(arguments.clone()).map(drop)?))?;
    Ok((samples, lua.from_value(answer)?))
}

/// JSON as Lua values. Written by hand, because a number that keeps all its digits, as the JSON library of Starlark
/// needs them, would arrive as a table.
fn value(lua: &Lua, json: &Json) -> Res<Value> {
    Ok(match json {
        Json::Null => Value::Nil,
        Json::Bool(bool) => Value::Boolean(*bool),
        Json::Number(number) => match number.as_i64() {
            Some(integer) => Value::Integer(integer),
            None => Value::Number(number.as_f64().ok_or("a number beyond 64 bits")?),
        },
        Json::String(text) => Value::String(lua.create_string(text)?),
        Json::Array(items) => {
            let items = items.iter().map(|item| value(lua, item)).collect::<Res<Vec<_>>>()?;
            Value::Table(lua.create_sequence_from(items)?)
        }
        Json::Object(fields) => {
            let table = lua.create_table()?;
            for (name, field) in fields {
                table.set(name.as_str(), value(lua, field)?)?;
            }
            Value::Table(table)
        }
    })
}
