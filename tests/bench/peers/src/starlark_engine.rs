//! Starlark.

use starlark::environment::{Globals, LibraryExtension, Module};
use starlark::eval::Evaluator;
use starlark::syntax::{AstModule, Dialect};
use starlark::values::Value;

use crate::{Job, Measured, Res};

pub fn measure(job: &Job) -> Res<Measured> {
    let globals = Globals::extended_by(&[LibraryExtension::Json]);
    if job.name == "W1" {
        return job.time_programs(|program| {
            Module::with_temp_heap(|module| {
                let mut evaluator = Evaluator::new(&module);
                let value = evaluator.eval_module(parsed(program)?, &globals).map_err(starlark::Error::into_anyhow)?;
                Ok(i64::from(value.unpack_i32().ok_or("no number")?))
            })
        });
    }
    Module::with_temp_heap(|module| {
        let mut evaluator = Evaluator::new(&module);
        let text = module.heap().alloc(job.data.as_str());
        module.set("text", text);
        let source = format!("{}\ndata = json.decode(text)\n", include_str!("../programs/workloads.star"));
        evaluator.eval_module(parsed(&source)?, &globals).map_err(starlark::Error::into_anyhow)?;
        let program = module.get(&job.name).ok_or("no such workload")?;
        let data = module.get("data").ok_or("no data")?;
        let field = |name: &str| data.at(module.heap().alloc(name), module.heap()).map_err(starlark::Error::into_anyhow);
        let arguments: Vec<Value> = match job.name.as_str() {
            "W3" | "W4" => vec![module.heap().alloc(job.size)],
            "W6" => vec![field("orders")?, field("customers")?],
            _ => vec![field("orders")?],
        };
        let answer = evaluator.eval_function(program, &arguments, &[]).map_err(starlark::Error::into_anyhow)?.to_json_value()?;
        let samples = job.time(1, || {
            evaluator.eval_function(program, &arguments, &[]).map_err(starlark::Error::into_anyhow)?;
            Ok(())
        })?;
        Ok((samples, answer))
    })
}

fn parsed(source: &str) -> Res<AstModule> {
    Ok(AstModule::parse("workload.star", source.to_owned(), &Dialect::Extended).map_err(starlark::Error::into_anyhow)?)
}
