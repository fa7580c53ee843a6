//! Cases with further inputs: a model writes the program once, which then answers without a model.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use ptc_agent::{CompileError, CompiledAgent, Context, RunOptions};
use ptc_chat::{LlmError, LlmErrorKind, llm_fn};
use ptc_lisp::Map;
use serde_json::Value as Json;

use super::outcome::{Outcome, answer_of, problems};
use crate::case::{Case, Prepared};
use crate::constraint::Constraint;
use crate::error::EvalError;

/// A model writes the program once; the program answers the data of the case and each further input.
pub(super) async fn compiled(case: &Case, prepared: &Prepared, run: RunOptions) -> Result<Outcome, EvalError> {
    let program = match prepared.agent.compile(Context::from_map(prepared.data.clone()), run).await {
        Ok(program) => program,
        Err(CompileError::Agent(source)) => return Err(case.unusable(source)),
        Err(error) => {
            let problems = vec![error.to_string()];
            let steps = if let CompileError::Failed(step) = error { vec![*step] } else { Vec::new() };
            return Ok(Outcome { steps, problems, ..Outcome::default() });
        }
    };
    let asked = Arc::new(AtomicUsize::new(0));
    let data = prepared.data.clone();
    let (answer, mut problems) = executed(case, &program, data, &case.expect, &asked).await?;
    for (index, input) in case.inputs.iter().enumerate() {
        let (_, found) = executed(case, &program, input.data_map(), &input.expect, &asked).await?;
        problems.extend(found.into_iter().map(|problem| format!("input {}: {problem}", index + 1)));
    }
    match asked.load(Ordering::Relaxed) {
        0 => {}
        calls => problems.push(format!("the compiled program asked a model, {calls} times")),
    }
    Ok(Outcome { steps: Vec::new(), compiled: Some(program), answers: vec![answer], problems })
}

/// One run of a compiled program; a model that it asks is counted and does not answer.
async fn executed(
    case: &Case,
    program: &CompiledAgent,
    data: Map,
    expect: &[Constraint],
    asked: &Arc<AtomicUsize>,
) -> Result<(Json, Vec<String>), EvalError> {
    let counter = Arc::clone(asked);
    let silent = llm_fn("nobody", move |_| {
        counter.fetch_add(1, Ordering::Relaxed);
        Err(LlmError::new(LlmErrorKind::ConfigError, "a compiled program asks no model"))
    });
    let options = RunOptions::new().llm(Arc::new(silent));
    let step = program.execute(Context::from_map(data), options).await.map_err(|source| case.unusable(source))?;
    Ok(match answer_of(&step) {
        Ok(answer) => {
            let problems = problems(&answer, case.kind, expect);
            (answer, problems)
        }
        Err(problem) => (Json::Null, vec![problem]),
    })
}
