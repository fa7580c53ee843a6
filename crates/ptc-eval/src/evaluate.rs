//! Running cases and judging their outcomes.

mod counted;
mod recording;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use ptc_agent::{CompileError, CompiledAgent, Context, LlmRegistry, RunOptions};
use ptc_chat::{Llm, LlmError, LlmErrorKind, llm_fn};
use ptc_lisp::Map;
use ptc_mission::LanguageSpec;
use ptc_transcript::{Step, ValueForm, json_of};
use serde_json::Value as Json;

use crate::assertion::Observed;
use crate::case::{Case, Prepared};
use crate::constraint::{Constraint, Kind};
use crate::error::EvalError;
use crate::options::EvalOptions;
use crate::report::{CaseReport, Report, RunReport};
use crate::suite::Suite;
use counted::CountedLlm;

/// The outcome of one run.
struct Outcome {
    /// The run of the agent; none for a compiled one that succeeded.
    step: Option<Step>,
    /// The program of a compiled agent, with its turns and tokens.
    compiled: Option<CompiledAgent>,
    /// The answer, null when there is none.
    answer: Json,
    /// Everything that is wrong with it.
    problems: Vec<String>,
}

impl Suite {
    /// Run cases one after another and judge them.
    ///
    /// Errors when a case cannot even start, before the first one runs if that can be known.
    pub async fn evaluate(&self, cases: &[&Case], options: &EvalOptions) -> Result<Report, EvalError> {
        self.check(cases, options)?;
        let mut report = Report::new(self, options);
        for case in cases {
            let mut runs = Vec::new();
            for number in 1..=options.runs.max(1) {
                if options.cancel.is_cancelled() {
                    break;
                }
                let run = self.run(case, number, options).await?;
                if let Some(on_run) = &options.on_run {
                    on_run(case, &run);
                }
                runs.push(run);
            }
            if !runs.is_empty() {
                report.add(CaseReport::new(case, runs), options.price);
            }
        }
        Ok(report)
    }

    /// What can be checked before anything is asked.
    fn check(&self, cases: &[&Case], options: &EvalOptions) -> Result<(), EvalError> {
        if let Some(key) = &options.language_spec {
            LanguageSpec::get(key)?;
        }
        match (options.record, &options.llm) {
            (true, None) => return Err(EvalError::RecordWithoutModel),
            (true, Some(_)) if options.runs > 1 => return Err(EvalError::RecordManyRuns),
            _ => {}
        }
        for case in cases {
            case.prepare(self.role.as_deref(), &self.sets, options)?;
            if options.llm.is_none() {
                self.recorded(case)?;
            }
        }
        Ok(())
    }

    async fn run(&self, case: &Case, number: usize, options: &EvalOptions) -> Result<RunReport, EvalError> {
        let prepared = case.prepare(self.role.as_deref(), &self.sets, options)?;
        let recording = if options.record { Some(self.record(case)?) } else { None };
        let llm: Arc<dyn Llm> = match (&options.llm, &recording) {
            (None, _) => Arc::new(self.recorded(case)?),
            (Some(llm), None) => Arc::clone(llm),
            (Some(llm), Some(recording)) => recording.around(Arc::clone(llm)),
        };
        let counted = Arc::new(CountedLlm::new(llm));
        let llm: Arc<dyn Llm> = Arc::clone(&counted) as Arc<dyn Llm>;
        let models: LlmRegistry =
            case.mission.llm_names().into_iter().map(|name| (name.to_owned(), Arc::clone(&llm))).collect();
        let run = case.mission.run_options().llm(llm).llm_registry(models).cancel(options.cancel.clone());
        let began = std::time::Instant::now();
        let outcome =
            if case.inputs.is_empty() { asked(case, prepared, run).await } else { compiled(case, prepared, run).await };
        if let Some(recording) = recording {
            recording.finish(outcome.as_ref().is_ok_and(|outcome| outcome.problems.is_empty()))?;
        }
        let outcome = outcome?;
        let report = RunReport::new(number, outcome.answer, outcome.problems, began.elapsed(), counted.tokens());
        Ok(match (outcome.compiled, outcome.step) {
            (Some(compiled), _) => report.of_compiled(&compiled),
            (None, Some(step)) => report.of_step(step),
            (None, None) => report,
        })
    }
}

/// The agent answers.
async fn asked(case: &Case, prepared: Prepared, run: RunOptions) -> Result<Outcome, EvalError> {
    let Prepared { agent, data } = prepared;
    let ended = agent.run_with(Context::from_map(data.clone()), run).await;
    let step = ended.map_err(|source| case.unusable(source))?;
    let (answer, mut problems) = judged(&step, case.kind, &case.expect);
    let seen = Observed { turns: step.turns(), data: &data, answer: &answer };
    problems.extend(case.check.iter().filter_map(|assertion| assertion.judge(seen).err()));
    Ok(Outcome { step: Some(step), compiled: None, answer, problems })
}

/// A model writes the program once; the program answers the data of the case and each further input.
async fn compiled(case: &Case, prepared: Prepared, run: RunOptions) -> Result<Outcome, EvalError> {
    let Prepared { agent, data } = prepared;
    let program = match agent.compile(Context::from_map(data.clone()), run).await {
        Ok(program) => program,
        Err(CompileError::Agent(source)) => return Err(case.unusable(source)),
        Err(error) => {
            let problems = vec![error.to_string()];
            let step = if let CompileError::Failed(step) = error { Some(*step) } else { None };
            return Ok(Outcome { step, compiled: None, answer: Json::Null, problems });
        }
    };
    let asked = Arc::new(AtomicUsize::new(0));
    let (answer, mut problems) = executed(case, &program, data, &case.expect, &asked).await?;
    for (index, input) in case.inputs.iter().enumerate() {
        let (_, found) = executed(case, &program, input.data_map(), &input.expect, &asked).await?;
        problems.extend(found.into_iter().map(|problem| format!("input {}: {problem}", index + 1)));
    }
    match asked.load(Ordering::Relaxed) {
        0 => {}
        calls => problems.push(format!("the compiled program asked a model, {calls} times")),
    }
    Ok(Outcome { step: None, compiled: Some(program), answer, problems })
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
    Ok(judged(&step, case.kind, expect))
}

/// The answer in plain JSON, and what is wrong with it.
fn judged(step: &Step, kind: Kind, expect: &[Constraint]) -> (Json, Vec<String>) {
    match &step.result {
        Err(fail) => (Json::Null, vec![format!("no answer, the run ended with {}: {fail}", step.ending.as_str())]),
        Ok(value) => {
            let answer = json_of(value, ValueForm::Plain);
            // Comparing an answer of the wrong kind adds nothing.
            let problems = match kind.judge(&answer) {
                Err(problem) => vec![problem],
                Ok(()) => expect.iter().filter_map(|constraint| constraint.judge(&answer).err()).collect(),
            };
            (answer, problems)
        }
    }
}
