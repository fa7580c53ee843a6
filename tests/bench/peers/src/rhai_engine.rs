//! Rhai.

use rhai::serde::from_dynamic;
use rhai::{Dynamic, Engine, Scope};

use crate::{Job, Measured, Res};

pub fn measure(job: &Job) -> Res<Measured> {
    if job.name == "W1" {
        return job.time_programs(|program| Ok(Engine::new().eval(program)?));
    }
    let mut engine = Engine::new();
    engine.set_max_call_levels(1_000);
    let ast = engine.compile(section(&job.name).ok_or("no such workload")?)?;
    let mut scope = Scope::new();
    scope.push_constant("size", job.size);
    let mut data = engine.parse_json(&job.data, true)?;
    for name in ["orders", "customers"] {
        // Shared, so that using them copies nothing.
        scope.push_dynamic(name, data.remove(name).ok_or("no data")?.into_shared());
    }
    let variables = scope.len();
    let answer: Dynamic = engine.eval_ast_with_scope(&mut scope, &ast)?;
    scope.rewind(variables);
    let samples = job.time(1, || {
        let answer = engine.eval_ast_with_scope::<Dynamic>(&mut scope, &ast);
        scope.rewind(variables);
        Ok(answer.map(drop)?)
    })?;
    Ok((samples, from_dynamic(&answer)?))
}

/// The program of a workload.
fn section(name: &str) -> Option<&'static str> {
    let sections = include_str!("../programs/workloads.rhai").split("// == ").skip(1);
    sections.filter_map(|section| section.split_once('\n')).find(|(title, _)| title.trim() == name).map(|(_, program)| program)
}
