//! QuickJS, through the crate `rquickjs`.

use rquickjs::{Context, Ctx, Function, Runtime, Value};

use crate::{Job, Measured, Res};

pub fn measure(job: &Job) -> Res<Measured> {
    if job.name == "W1" {
        return job.time_programs(|program| {
            let runtime = Runtime::new()?;
            Ok(Context::full(&runtime)?.with(|ctx| ctx.eval::<i64, _>(program))?)
        });
    }
    let runtime = Runtime::new()?;
    Context::full(&runtime)?.with(|ctx| with_data(job, &ctx))
}

fn with_data(job: &Job, ctx: &Ctx<'_>) -> Res<Measured> {
    ctx.eval::<(), _>(include_str!("../programs/workloads.js"))?;
    let program: Function = ctx.globals().get(job.name.as_str())?;
    let (first, second) = match job.name.as_str() {
        "W3" | "W4" => (Value::new_number(ctx.clone(), job.size as f64), Value::new_undefined(ctx.clone())),
        _ => {
            let data = ctx.json_parse(job.data.as_str())?.into_object().ok_or("the data is not an object")?;
            (data.get("orders")?, data.get("customers")?)
        }
    };
    let answer: Value = program.call((first.clone(), second.clone()))?;
    let text = ctx.json_stringify(answer)?.ok_or("no answer")?.to_string()?;
    let samples = job.time(1, || Ok(program.call::<_, Value>((first.clone(), second.clone())).map(drop)?))?;
    Ok((samples, serde_json::from_str(&text)?))
}
