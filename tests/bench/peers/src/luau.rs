//! Luau, by the crate `mlua`.

use mlua::{Function, Lua, LuaSerdeExt, MultiValue, Value};

use crate::{Job, Measured, Res};

pub fn measure(job: &Job) -> Res<Measured> {
    if job.name == "W1" {
        return job.time_programs(|program| Ok(Lua::new().load(program).eval()?));
    }
    let lua = Lua::new();
    lua.load(include_str!("../programs/workloads.luau")).exec()?;
    let program: Function = lua.globals().get(job.name.as_str())?;
    let arguments = match job.name.as_str() {
        "W3" | "W4" => MultiValue::from_iter([Value::Integer(job.size)]),
        _ => {
            let data: serde_json::Value = serde_json::from_str(&job.data)?;
            MultiValue::from_iter([lua.to_value(&data["orders"])?, lua.to_value(&data["customers"])?])
        }
    };
    let answer: Value = program.call(arguments.clone())?;
    let samples = job.time(1, || Ok(program.call::<Value>(arguments.clone()).map(drop)?))?;
    Ok((samples, lua.from_value(answer)?))
}
