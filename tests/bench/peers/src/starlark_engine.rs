//! Starlark.

use starlark::environment::{Globals, LibraryExtension, Module};
use starlark::eval::Evaluator;
use starlark::syntax::{AstModule, Dialect};
use starlark::values::Value;
use starlark::values::dict::AllocDict;

use crate::{Job, Measured, Order, Res};

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
        if job.name == "call" {
            return calls(job, &source, &globals);
        }
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

/// Nothing of a heap is freed while its module lives, so each sample has its module, over the frozen program.
fn calls(job: &Job, source: &str, globals: &Globals) -> Res<Measured> {
    let source = source.replace("\ndata = json.decode(text)\n", "\n");
    let program = Module::with_temp_heap(|module| {
        Evaluator::new(&module).eval_module(parsed(&source)?, globals).map_err(starlark::Error::into_anyhow)?;
        Ok::<_, Box<dyn std::error::Error>>(module.freeze().map_err(|error| format!("{error:?}"))?)
    })?;
    let all = || -> Res<f64> {
        Module::with_temp_heap(|module| {
            let score = program.get("score")?;
            let score = module.heap().access_owned_frozen_value(&score);
            let mut evaluator = Evaluator::new(&module);
            let mut sum = 0.0;
            for id in 0..job.size {
                let Order { id, country, total, items, express } = Order::new(id);
                let heap = module.heap();
                let fields = [
                    ("id", heap.alloc(id)),
                    ("country", heap.alloc(country)),
                    ("total", heap.alloc(total)),
                    ("items", heap.alloc(items)),
                    ("express", Value::new_bool(express)),
                ];
                let order = heap.alloc(AllocDict(fields));
                let answer = evaluator.eval_function(score, &[order], &[]).map_err(starlark::Error::into_anyhow)?;
                sum += f64::from(answer.unpack_i32().ok_or("no number")?);
            }
            Ok(sum)
        })
    };
    let answer = all()?;
    let samples = job.time(1, || all().map(drop))?;
    Ok((samples, serde_json::json!(answer)))
}

fn parsed(source: &str) -> Res<AstModule> {
    Ok(AstModule::parse("workload.star", source.to_owned(), &Dialect::Extended).map_err(starlark::Error::into_anyhow)?)
}
